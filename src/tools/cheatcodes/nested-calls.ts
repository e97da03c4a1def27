// Messages that cheatcodes send themselves, while the one to the cheatcode runs.

import { type EvmResult, toEvmAddress } from '../../core/execution/evm/covered-evm.ts'
import type { Address } from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/loading.ts'
import { ACCESSOR, accessNative } from './addresses.ts'
import type { CheatExecution } from './execution.ts'
import { changeNonce } from './pranks.ts'

/** For the code of `ACCESSOR`. */
const ENOUGH_GAS = 100_000n

/** Storage is in the module while code runs, so that code reads and writes it: see `ACCESSOR`. */
export function accessSlot<Result>(
  run: CheatExecution,
  address: Address,
  data: Uint8Array,
  use: (returned: Uint8Array) => Result,
): Later<Result> {
  const { evm, covered, message: outer } = run
  const to = toEvmAddress(address)
  if (evm.isNative?.(to.bare) === true) return use(accessNative(run.writer, address, data))
  const message = covered.makeMessage({
    caller: to,
    to,
    codeAddress: toEvmAddress(ACCESSOR),
    delegatecall: true,
    value: 0n,
    gasLimit: ENOUGH_GAS,
    data,
    depth: outer.depth + 1,
  })
  // A slot that has its value of the start again may take gas back that was refunded elsewhere.
  message.gasRefund = ENOUGH_GAS
  run.fetchAccesses()
  run.isInternal = true
  return andThen(evm.runMessage(message), ({ execResult }) => {
    run.isInternal = false
    evm.access.slots.watchAccesses(run.cheats.recordsAccesses)
    return use(execResult.returnValue)
  })
}

/** A call, or a creation with code as the data. */
type SentMessage = [
  from: Address,
  to: Address | undefined,
  value: bigint,
  data: Uint8Array,
  salt?: Uint8Array,
]

export function sendMessage(
  run: CheatExecution,
  ...[from, to, value, data, salt]: SentMessage
): Later<EvmResult> {
  const { evm, covered, writer, message } = run
  const { gasLimit, depth, gasRefund } = message
  if (to === undefined) changeNonce(writer, from, 1n)
  const parties = { caller: toEvmAddress(from), to: to === undefined ? undefined : toEvmAddress(to) }
  const sent = covered.makeMessage({ value, data, salt, gasLimit, depth: depth + 1, ...parties })
  // It may have to give back what was refunded before it.
  sent.gasRefund = gasRefund
  return evm.runMessage(sent)
}
