// What came of the calls of each function: how many failed, and why, and which branches they were the first to reach.

import type { BareResult } from '../../../core/execution/evm/run-bare-message.ts'
import type { CustomErrors } from '../../../core/execution/result/console-log.ts'
import { bytesToHex } from '../../../core/primitives/hex.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import type { Action, Position } from './call.ts'
import type { CountedFunction, CountedFunctions } from './counts.ts'
import { haltOf } from './machine.ts'
import type { ContractScene } from './scene.ts'

export type FunctionCount = ReturnType<typeof countFunction>

/** Different reasons of a function; more are counted as one. */
const MOST_REASONS = 16
const OTHERS = 'other reasons'
/** Error(string), Panic(uint256) and errors of cheatcodes: what follows is part of the reason, not a value. */
const WHOLE: readonly string[] = ['0x08c379a0', '0x4e487b71', '0xeeaa9e6f']

/** Words on a selector that is not in the code of its contract. */
function missingOf({ state }: Position, { address, fn }: Action): string | undefined {
  // Zeros at the beginning are not pushed.
  const pushed = fn.selector.slice(2).replace(/^(00)+/, '')
  const isThere = bytesToHex(readAccount(state, address).code.bytes).includes(pushed)
  return isThere ? undefined : `its selector ${fn.selector} is not in the code at ${address}`
}

function countFunction(errors: CustomErrors, missing: string | undefined) {
  let calls = 0
  const reasons = new Map<string, string>()
  const failed: Record<string, number> = {}
  const slots: number[] = []
  const reasonOf = (result: BareResult): string => {
    const { failure, returnData } = result
    const selector = bytesToHex(returnData.subarray(0, 4))
    const key = failure ?? (WHOLE.includes(selector) ? bytesToHex(returnData) : selector)
    const known = reasons.get(key)
    if (known !== undefined) return known
    const text = haltOf(result, errors).replace('execution reverted: ', '')
    const reason =
      reasons.size < MOST_REASONS ? (WHOLE.includes(selector) ? text : text.split('(')[0]) : OTHERS
    if (reasons.size < MOST_REASONS) reasons.set(key, reason as string)
    return reason as string
  }
  return {
    count(result: BareResult): void {
      calls++
      if (result.outcome === 'success') return
      const reason = reasonOf(result)
      failed[reason] = (failed[reason] ?? 0) + 1
    },
    reach: (found: readonly number[]): void => void slots.push(...found),
    counted: (): CountedFunction => ({ calls, failed, slots, ...(missing !== undefined && { missing }) }),
  }
}

/** The functions that are called, by their names, with nothing counted yet. */
export function countFunctions({ actions, contracts }: ContractScene, root: Position) {
  const errors = new Map(contracts.flatMap((each) => [...each.errors]))
  const functions = actions.map((action) => countFunction(errors, missingOf(root, action)))
  return {
    functions,
    counted: (): CountedFunctions =>
      Object.fromEntries(
        actions.map(({ contract, fn }, at) => [
          `${contract}.${fn.signature}`,
          (functions[at] as FunctionCount).counted(),
        ]),
      ),
  }
}
