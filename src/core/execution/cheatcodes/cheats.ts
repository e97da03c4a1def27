// The cheatcodes of an EVM, as executions see them.

import type { ExecResult } from '@ethereumjs/evm'
import type { Message } from '../../interpreter/message.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import type { Left } from './left.ts'

/** What cheatcodes need of the EVM's modules, which are loaded with the first EVM. */
export interface CheatTools {
  /** The result of a message that reverts. */
  readonly reverted: (returnData: Uint8Array) => ExecResult
  readonly makeMessage: (fields: ConstructorParameters<typeof Message>[0]) => Message
}

/** An assertion of a test that has failed. */
export interface FailedTest {
  readonly reason: string
  /** The branch that was taken last before it; absent for the note of DSTest. */
  readonly place?: number
}

/** What cheatcodes have changed for the calls that follow. */
export interface Cheated {
  /** The block as it has been changed. */
  readonly environment: BlockEnvironment
  readonly left: Left
}

export interface Cheats {
  /** Before an execution. */
  readonly begin: (cheated: Cheated) => void
  /** After it. Throws `invalidOption` for a cheatcode that is not there. */
  readonly end: () => Cheated
  /** The assertion by which an execution has failed; to be asked after `end`. */
  readonly failedTest: (
    hasFailed: boolean,
    returnData: Uint8Array,
    after: WorldState,
  ) => FailedTest | undefined
}
