// Execution of calls, straight on states of the world: no requests, no blocks, no tries.

import {
  type CoveredCall,
  type CoveredCalls,
  type Moment as CoveredMoment,
  type FailedAssertion,
  type FailedTest,
  isAssumption,
  type Reads,
} from '../../../core/execution/call/cover-calls.ts'
import type { BlockEnvironment } from '../../../core/execution/evm/environment.ts'
import type { BareResult } from '../../../core/execution/evm/run-bare-message.ts'
import type { Message, MessageResult } from '../../../core/execution/evm/run-message.ts'
import type { Observer } from '../../../core/execution/trace/observer.ts'
import { encodeAbi } from '../../../core/primitives/encode-abi.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { andThen, type Later } from '../../../core/primitives/later.ts'
import { withMissesLoaded } from '../../../core/state/miss.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import type { Call } from './call.ts'

/** Where a sequence has come to. */
export interface Moment extends CoveredMoment {
  /** What the invariants of contracts that hold here have read, by their positions, if that is known. */
  held?: readonly (Reads | undefined)[]
}

export interface Outcome {
  /** After the call; as before it, if it failed. */
  readonly moment: Moment
  readonly result: BareResult
  readonly assertion: FailedAssertion | undefined
  /** The assertion of cheatcodes by which it has failed. */
  readonly failedTest: FailedTest | undefined
  /** Whether cheatcodes have changed the block, or left a prank or a mock. */
  readonly hasMoved: boolean
  /** Whether it ended because something was assumed that does not hold. */
  readonly isAssumption: boolean
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
  /** Deploys code. */
  readonly deploy: (moment: Moment, from: Address, code: Uint8Array) => Later<CoveredCall>
  /** Executes a message under an observer, without coverage. */
  readonly observe: (
    moment: Moment,
    message: Pick<Message, 'from' | 'to' | 'value' | 'input'>,
    observer: Observer,
  ) => Promise<CoveredCall<MessageResult>>
  /** The moment after some seconds. */
  readonly later: (moment: Moment, seconds: number) => Moment
}

const NONE: readonly never[] = []
/** Enough for any call of a test, and a loop that does not end takes a tenth of a second. */
const MOST_GAS = 30_000_000n

/** The gas limit of calls in a block. */
export function gasLimitOf({ gasLimit }: BlockEnvironment): bigint {
  return gasLimit < MOST_GAS ? gasLimit : MOST_GAS
}

function messageOf(
  environment: BlockEnvironment,
  from: Address,
  to: Address | undefined,
  value: bigint,
  input: Uint8Array,
): Message {
  return {
    from,
    to,
    value,
    input,
    gasLimit: gasLimitOf(environment),
    gasPrice: 0n,
    accessList: NONE,
    authorizationList: NONE,
    blobVersionedHashes: NONE,
  }
}

/** Field by field: see `makeCall` of call.ts. */
function atTime(environment: BlockEnvironment, number: number, timestamp: number): BlockEnvironment {
  const { parentHash, coinbase, gasLimit, baseFeePerGas, prevRandao, extraData } = environment
  const { parentBeaconBlockRoot, excessBlobGas, blobBaseFee, difficulty } = environment
  return {
    ...{ number, timestamp, parentHash, coinbase, gasLimit, baseFeePerGas, prevRandao, extraData },
    ...{ parentBeaconBlockRoot, excessBlobGas, blobBaseFee, difficulty },
  }
}

/** What came of a call that was made at a moment, which is a later one than the state `before` it. */
function outcomeOf(
  coverage: CoveredCalls['coverage'],
  before: Moment,
  moment: Moment,
  called: CoveredCall,
): Outcome {
  const { environment, left } = moment
  const { result, after, failedTest } = called
  const isKept = result.outcome === 'success'
  return {
    // What cheatcodes have set is undone as well if the call fails, other than in forge.
    ...{ moment: isKept ? after : before, result, failedTest },
    assertion: isKept ? undefined : coverage.assertion(),
    hasMoved: isKept && (after.environment !== environment || after.left !== left),
    isAssumption: !isKept && isAssumption(result.returnData),
  }
}

export function createMachine({ run, observe, coverage }: CoveredCalls, blockTimeS: number): Machine {
  const later = ({ state, environment, left }: Moment, seconds: number): Moment => {
    const number = environment.number + Math.max(1, Math.floor(seconds / blockTimeS))
    return {
      state,
      environment: atTime(environment, number, environment.timestamp + seconds),
      left,
    }
  }
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
        return run(moment, message)
      })
      return andThen(ran, (called) => called && outcomeOf(coverage, before, moment, called))
    },
    read(moment, from, to, input, notesReads) {
      const message = messageOf(moment.environment, from, to, 0n, input)
      return withMissesLoaded(() => run(moment, message, notesReads))
    },
    deploy(moment, from, code) {
      const message = messageOf(moment.environment, from, undefined, 0n, code)
      return withMissesLoaded(() => run(moment, message))
    },
    async observe(moment, { from, to, value, input }, observer) {
      const message = messageOf(moment.environment, from, to, value, input)
      return withMissesLoaded(() => observe(moment, message, observer))
    },
  }
}
