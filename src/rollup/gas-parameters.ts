// What a fork charges for a transaction around its execution; prices of opcodes are the EVM's own. Written out,
// because pricing a transaction must not take the EVM to be loaded; a test holds them to @ethereumjs.

import type { Hardfork } from './hardforks.ts'

/** Each value with the fork that brought it, in the order of the forks. */
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

/** The parameters by name; one that belongs to a later fork has its value already. */
export type GasParameters = Readonly<Record<keyof typeof PARAMETERS, bigint>>

export function gasParametersOf(isActive: (since: Hardfork) => boolean): GasParameters {
  const latest = (history: readonly (readonly [since: Hardfork, value: bigint])[]): bigint | undefined =>
    history.filter(([since]) => isActive(since)).at(-1)?.[1]
  return Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, history]) => [name, latest(history)]),
  ) as unknown as GasParameters
}
