// L1 attributes deposits to an L1Block whose code is known, executed without the EVM: every block of a rollup opens with
// one. Results are identical.

import { isForkActive } from '../../rollup/rules.ts'
import { readAccount } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import {
  type MessageFields,
  type MessageResult,
  type Settlement,
  successWithoutCode,
} from '../evm/run-message.ts'
import { intrinsicGas } from './intrinsic-gas.ts'

/** More than a deposit takes that writes to every slot. */
const ENOUGH_GAS = 500_000n

/** The result of `runMessage` for such a deposit; `undefined` for any other message, and for one that is observed. */
export function runAttributes(
  instance: EvmInstance,
  { coinbase }: BlockEnvironment,
  message: MessageFields,
  settle: Settlement,
): MessageResult | undefined {
  const { evm, rules, writer, observed, gasWatch } = instance
  const { from, to, value, input, gasLimit } = message
  const stack = rules.rollup?.stack
  if (from !== stack?.attributes.sender || to !== stack.attributes.contract) return undefined
  // The reference interpreter, which has no such watch, executes everything.
  if (observed.current !== undefined || gasWatch === undefined) return undefined
  if (value > 0n || gasLimit < ENOUGH_GAS || !isForkActive(rules, 'cancun')) return undefined
  const effect = stack.effectOfAttributes(writer.current, input)
  if (effect === undefined) return undefined
  const { implementation, storage, gas, refund } = effect
  // The coinbase and the sender are warm, so a call to them costs less; a precompile hides the code at its address.
  if (implementation === coinbase || implementation === from) return undefined
  if (evm.precompiles.has(implementation.slice(2))) return undefined
  const spent = intrinsicGas(rules, message) + BigInt(gas)
  const result = successWithoutCode(instance, input, spent, BigInt(refund))
  const { nonce, balance, code } = readAccount(writer.current, to)
  const written = writer.current.set(to, { nonce, balance, code, storage })
  writer.reset(settle(written, result))
  return result
}
