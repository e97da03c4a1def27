// Fork schedules of the OP stack: its forks by time, each over its hardfork.

import { type Code, updateAccount } from '../../state/world-state.ts'
import type { Eip1559Parameters } from '../fees.ts'
import type { SelectableHardfork } from '../hardforks.ts'
import { type Activation, createSchedule, NO_FORKS, type Schedule } from '../schedule.ts'
import type { BeginFork, StackRules } from '../stack.ts'
import { CREATE2_DEPLOYER } from '../system-contracts.ts'
import { installBaseTime } from './base-time.ts'
import { OP_FORK_ROWS, OP_FORKS, type OpFork, opForksUpTo } from './forks.ts'
import { opRules } from './stack.ts'

/** Seconds at which forks activate. Those that are not named never do; bedrock is active from genesis on. */
export type OpForkTimes = Readonly<Partial<Record<OpFork, number>>>

export type ForkCode = (name: 'Create2Deployer' | 'BaseTime' | 'Proxy') => Code

export interface OpSchedulePlan {
  readonly chainId: number
  /** One fork from genesis on, or the times of several. */
  readonly forks: OpFork | OpForkTimes
  readonly eip1559: Eip1559Parameters
  /** Chains that began before canyon had another denominator until then. */
  readonly denominatorBeforeCanyon?: bigint | undefined
  /** The code of contracts that forks bring without a transaction, on a chain that comes to them. */
  readonly codeOf?: ForkCode | undefined
  /** The features of native contracts that are on when these begin. */
  readonly features?: StackRules['features']
  readonly firstMillis?: StackRules['firstMillis']
  /** A newer hardfork than those under the forks, of a network that has gone on by itself. */
  readonly hardforkAtLeast?: SelectableHardfork | undefined
}

/** The times of all forks up to one that is active from genesis on. */
export function timesUpTo(last: OpFork): OpForkTimes {
  return Object.fromEntries(opForksUpTo(last).map((fork) => [fork, 0]))
}

/** Why forks cannot activate at these times, in geth's words (params/config.go); `undefined` if they can. */
export function forkOrderProblem(times: OpForkTimes): string | undefined {
  for (const fork of OP_FORKS.slice(1)) {
    const time = times[fork]
    const last = opForksUpTo(fork).at(-2) as OpFork
    const before = last === 'bedrock' ? 0 : times[last]
    if (time === undefined || (before !== undefined && before <= time)) continue
    const state = before === undefined ? 'not enabled' : `enabled at timestamp ${before}`
    return `unsupported fork ordering: ${last} ${state}, but ${fork} enabled at timestamp ${time}`
  }
  return times.karst === undefined || times.azul === undefined
    ? undefined
    : 'unsupported fork ordering: karst is a fork of the OP stack, azul of Base, and no chain has both'
}

/** Changes of the state before the first block of a fork. */
function beginsOf(codeOf: ForkCode): Partial<Record<OpFork, BeginFork>> {
  return {
    canyon: (state) => updateAccount(state, CREATE2_DEPLOYER, { code: codeOf('Create2Deployer') }),
    denim: (state) => installBaseTime(state, codeOf('BaseTime'), codeOf('Proxy')),
  }
}

function activationsOf(plan: OpSchedulePlan): Activation[] {
  const { forks, eip1559, denominatorBeforeCanyon, codeOf, features, firstMillis, hardforkAtLeast } = plan
  const times = { ...(typeof forks === 'string' ? timesUpTo(forks) : forks), bedrock: 0 }
  const canyon = OP_FORKS.indexOf('canyon')
  const begins = codeOf === undefined ? {} : beginsOf(codeOf)
  const begun: BeginFork[] = []
  return OP_FORKS.flatMap((fork, position): Activation[] => {
    const time = times[fork]
    if (time === undefined) return []
    const denominator = position < canyon ? denominatorBeforeCanyon : undefined
    const parameters = { ...eip1559, ...(denominator === undefined ? {} : { denominator }) }
    const begin = begins[fork]
    if (begin !== undefined) begun.push(begin)
    const at = fork === 'bedrock' ? { block: 0 } : { time }
    const rollup = opRules(fork, parameters, { begins: [...begun], features, firstMillis })
    return [{ hardfork: hardforkAtLeast ?? OP_FORK_ROWS[fork].hardfork, name: fork, at, rollup }]
  })
}

/** The schedule of a chain of the OP stack; its forks are in an order that can be (`forkOrderProblem`). */
export function opSchedule(plan: OpSchedulePlan): Schedule {
  const activations = activationsOf(plan)
  const times = activations.flatMap(({ at }) =>
    at !== 'merge' && 'time' in at && at.time > 0 ? [at.time] : [],
  )
  return createSchedule({
    chainId: plan.chainId,
    activations,
    depositContract: undefined,
    forkPoints: { ...NO_FORKS, times: [...new Set(times)].sort((a, b) => a - b) },
    bombDelays: undefined,
    buildsWithWork: false,
    terminalTotalDifficulty: 0n,
    mergeBlock: undefined,
  })
}
