// Gas parameters of transactions by fork; the EVM has those of opcodes. Written out, because admission to the pool must
// not load the EVM; a test compares them with @ethereumjs.

import type { Hardfork } from './hardforks.ts'

/** Values with the fork that introduced them, in the order of the forks. */
const PARAMETERS = {
  txGas: [['chainstart', 21_000n]],
  txCreationGas: [['chainstart', 32_000n]],
  txDataZeroGas: [['chainstart', 4n]],
  /** EIP-2028. */
  txDataNonZeroGas: [
    ['chainstart', 68n],
    ['istanbul', 16n],
  ],
  /** EIP-2930. */
  accessListAddressGas: [['chainstart', 2400n]],
  accessListStorageKeyGas: [['chainstart', 1900n]],
  /** EIP-3860. */
  initCodeWordGas: [['chainstart', 2n]],
  maxInitCodeSize: [['chainstart', 49_152n]],
  /** EIP-7702. */
  perAuthBaseGas: [['chainstart', 12_500n]],
  perEmptyAccountCost: [['chainstart', 25_000n]],
  /** EIP-7623. */
  totalCostFloorPerToken: [['chainstart', 10n]],
  /** EIP-3529. */
  maxRefundQuotient: [
    ['chainstart', 2n],
    ['london', 5n],
  ],
} as const satisfies Record<string, readonly (readonly [since: Hardfork, value: bigint])[]>

/** Parameters by name. A parameter of a later fork has its first value. */
export type GasParameters = Readonly<Record<keyof typeof PARAMETERS, bigint>>

export function gasParametersOf(isActive: (since: Hardfork) => boolean): GasParameters {
  const latest = (history: readonly (readonly [since: Hardfork, value: bigint])[]): bigint | undefined =>
    history.filter(([since]) => isActive(since)).at(-1)?.[1]
  return Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, history]) => [name, latest(history)]),
  ) as unknown as GasParameters
}
