// Transfers to accounts without code, executed without the EVM; results are identical.

import { toEvmAddress } from '../../interpreter/evm-address.ts'
import { MAX_UINT256 } from '../../primitives/numbers.ts'
import { credit, readAccount } from '../../state/world-state.ts'
import { intrinsicGas } from '../transaction/intrinsic-gas.ts'
import { withoutEmpty } from '../transaction/payment.ts'
import { CONSOLE_ADDRESS } from './console-calls.ts'
import type { EvmInstance } from './pooled-evm.ts'
import { type MessageFields, type MessageResult, type Settlement, successWithoutCode } from './run-message.ts'

/** True for a message that only transfers ether, cannot fail, and that nobody observes. */
function isTransfer({ evm, writer, observed }: EvmInstance, message: MessageFields): boolean {
  if (observed.current !== undefined) return false
  const { from, to, value, authorizationList } = message
  if (to === undefined || authorizationList.length > 0) return false
  if (to === CONSOLE_ADDRESS || evm.precompiles.has(toEvmAddress(to).bare)) return false
  const { current } = writer
  const recipient = readAccount(current, to)
  if (recipient.code.bytes.length > 0) return false
  return readAccount(current, from).balance >= value && recipient.balance + value <= MAX_UINT256
}

/** The result of `runMessage` for a transfer; `undefined` for any other message. */
export function runTransfer(
  instance: EvmInstance,
  message: MessageFields,
  settle?: Settlement,
): MessageResult | undefined {
  if (!isTransfer(instance, message)) return undefined
  const { rules, writer, meter } = instance
  const { from, value, input } = message
  const to = message.to as NonNullable<MessageFields['to']>
  const result = successWithoutCode(instance, input, intrinsicGas(rules, message), 0n)
  if (meter !== undefined) meter.gas += result.peakGas
  const moved = credit(credit(writer.current, from, -value), to, value)
  // After the settlement, which may credit the recipient. The transfer touches the recipient (EIP-161).
  writer.reset(settle === undefined ? moved : withoutEmpty(rules, settle(moved, result), to))
  return result
}
