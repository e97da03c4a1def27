// A call that was executed, and what comes of it: where a search goes on.

import type { Coverage } from '../../../core/execution/evm/covered-evm.ts'
import type * as bare from '../../../core/execution/evm/run-bare-message.ts'
import type { CheatState } from '../../cheatcodes/cheat-state.ts'
import type { TestLog } from '../../cheatcodes/console.ts'
import { isAssumption } from '../../cheatcodes/errors.ts'
import type { FailedTest } from '../../cheatcodes/execution.ts'
import type { Position, Reads } from './call.ts'

export interface CoveredCall<Result = bare.BareResult> {
  readonly result: Result
  /** The position after it. The state is the same object as before it if nothing was written. */
  readonly after: Position
  /** The assertion of cheatcodes by which it has failed. */
  readonly failedTest: FailedTest | undefined
  readonly told: readonly TestLog[]
  readonly lastGas: CheatState['lastGas']
  readonly snapshots: CheatState['snapshots']
  /** Its reads, if they are wanted and all known. */
  readonly reads: Reads | undefined
}

export type CallOutcome = ReturnType<typeof callOutcome>

/**
 * The outcome of a call that was made at a position, which is later than `before` if time has passed between calls. As in
 * forge, what cheatcodes have set outlasts a failure, but no change of the state. A call that has expected something in
 * vain leaves nothing here; in forge, all calls after it fail.
 */
export function callOutcome(
  coverage: Coverage,
  before: Position,
  position: Position,
  { result, after, failedTest }: CoveredCall,
  isInVain: () => boolean,
) {
  const hasFailed = result.outcome !== 'success'
  const isAssumed = hasFailed && isAssumption(result.returnData)
  const isOther = after.environment !== position.environment || after.cheats !== position.cheats
  const isLost = () => isAssumed || isInVain() || after.cheats.activeFork !== position.cheats.activeFork
  const hasMoved = isOther && !(hasFailed && isLost())
  const kept = hasMoved ? { ...after, state: position.state } : before
  return {
    position: hasFailed ? kept : after,
    result,
    assertion: hasFailed ? coverage.assertion() : undefined,
    failedTest,
    // Cheatcodes have changed the block, or left a prank or a mock.
    hasMoved,
    isAssumption: isAssumed,
  }
}
