// Execution of calls, straight on states of the world: no requests, no blocks, no tries.

import type { CoveredCall, CoveredCalls, FailedAssertion, Reads } from '../../execution/call/cover-calls.ts'
import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import type { BareMessage, BareResult } from '../../execution/evm/run-bare-message.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import type { Address } from '../../primitives/hex.ts'
import { andThen, type Later } from '../../primitives/later.ts'
import { withMissesLoaded } from '../../state/miss.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import type { Call } from './call.ts'

/** Where a sequence has come to. */
export interface Moment {
  readonly state: WorldState
  readonly environment: BlockEnvironment
  /** What the invariants of contracts that hold here have read, by their positions, if that is known. */
  held?: readonly (Reads | undefined)[]
}

export interface Outcome {
  /** After the call; as before it, if it failed. */
  readonly moment: Moment
  readonly result: BareResult
  readonly assertion: FailedAssertion | undefined
  /** Whether cheatcodes have moved the time. */
  readonly hasMoved: boolean
}

export interface Machine {
  readonly coverage: CoveredCalls['coverage']
  /** Performs a call; `undefined` if the sender does not have its value. */
  readonly perform: (moment: Moment, call: Call) => Later<Outcome | undefined>
  /** Executes a call of which only the result counts, and what it has read, if that is wanted. */
  readonly read: (
    moment: Moment,
    from: Address,
    to: Address,
    input: Uint8Array,
    notesReads?: boolean,
  ) => Later<CoveredCall>
  /** The moment after some seconds. */
  readonly later: (moment: Moment, seconds: number) => Moment
}

/** Enough for any call of a test, and a loop that does not end takes a tenth of a second. */
const MOST_GAS = 30_000_000n

function messageOf(
  { gasLimit }: BlockEnvironment,
  from: Address,
  to: Address,
  value: bigint,
  input: Uint8Array,
): BareMessage {
  return { from, to, value, input, gasLimit: gasLimit < MOST_GAS ? gasLimit : MOST_GAS }
}

export function createMachine({ run, coverage }: CoveredCalls, blockTimeS: number): Machine {
  const later = ({ state, environment }: Moment, seconds: number): Moment => ({
    state,
    environment: {
      ...environment,
      number: environment.number + Math.max(1, Math.floor(seconds / blockTimeS)),
      timestamp: environment.timestamp + seconds,
    },
  })
  return {
    coverage,
    later,
    perform(before, { action, sender, args, value, wait }) {
      const moment = wait === 0 ? before : later(before, wait)
      const { state, environment } = moment
      const input = encodeAbi(action.types, args, action.selector)
      const message = messageOf(environment, sender, action.address, value, input)
      const ran = withMissesLoaded<CoveredCall | undefined>(() => {
        // On a fork, the account may be unknown as well.
        if (value > 0n && readAccount(state, sender).balance < value) return undefined
        return run(state, environment, message)
      })
      return andThen(ran, (called) => {
        if (called === undefined) return undefined
        const { result, after, environment: left } = called
        const isKept = result.outcome === 'success'
        const assertion = isKept ? undefined : coverage.assertion()
        const hasMoved = isKept && left !== environment
        return { moment: isKept ? { state: after, environment: left } : before, result, assertion, hasMoved }
      })
    },
    read({ state, environment }, from, to, input, notesReads) {
      const message = messageOf(environment, from, to, 0n, input)
      return withMissesLoaded(() => run(state, environment, message, notesReads))
    },
  }
}
