// Execution of calls, straight on states of the world: no requests, no blocks, no tries.

import type { CoveredCall, CoveredCalls, FailedAssertion } from '../../execution/call/cover-calls.ts'
import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import type { MessageResult } from '../../execution/evm/run-message.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import type { Address } from '../../primitives/hex.ts'
import { withMissesLoaded } from '../../state/miss.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import type { Call } from './call.ts'

/** Where a sequence has come to. */
export interface Moment {
  readonly state: WorldState
  readonly environment: BlockEnvironment
}

export interface Outcome {
  /** After the call; as before it, if it failed. */
  readonly moment: Moment
  readonly result: MessageResult
  readonly assertion: FailedAssertion | undefined
  /** Whether cheatcodes have moved the time. */
  readonly hasMoved: boolean
}

export interface Machine {
  readonly coverage: CoveredCalls['coverage']
  /** Performs a call; `undefined` if the sender does not have its value. */
  readonly perform: (moment: Moment, call: Call) => Promise<Outcome | undefined>
  /** Executes a call of which only the result counts. */
  readonly read: (moment: Moment, from: Address, to: Address, input: Uint8Array) => Promise<MessageResult>
  /** The moment after some seconds. */
  readonly later: (moment: Moment, seconds: number) => Moment
}

const NO_LISTS = { accessList: [], authorizationList: [], blobVersionedHashes: [] } as const
const FREE = { gasPrice: 0n, ...NO_LISTS } as const
/** Enough for any call of a test, and a loop that does not end takes a tenth of a second. */
const MOST_GAS = 30_000_000n

export function createMachine({ run, coverage }: CoveredCalls, blockTimeS: number): Machine {
  const gasOf = ({ gasLimit }: BlockEnvironment): bigint => (gasLimit < MOST_GAS ? gasLimit : MOST_GAS)
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
    async perform(before, { action, sender, args, value, wait }) {
      const moment = wait === 0 ? before : later(before, wait)
      const { state, environment } = moment
      const message = {
        ...{ from: sender, to: action.address, value, gasLimit: gasOf(environment), ...FREE },
        input: encodeAbi(action.types, args, action.selector),
      }
      const ran = await withMissesLoaded<CoveredCall | undefined>(() => {
        // On a fork, the account may be unknown as well.
        if (value > 0n && readAccount(state, sender).balance < value) return undefined
        return run(state, environment, message)
      })
      if (ran === undefined) return undefined
      const { result, after, environment: left } = ran
      const isKept = result.outcome === 'success'
      const assertion = isKept ? undefined : coverage.assertion()
      const hasMoved = isKept && left !== environment
      return { moment: isKept ? { state: after, environment: left } : before, result, assertion, hasMoved }
    },
    async read({ state, environment }, from, to, input) {
      const message = { from, to, value: 0n, input, gasLimit: gasOf(environment), ...FREE }
      return (await withMissesLoaded(() => run(state, environment, message))).result
    },
  }
}
