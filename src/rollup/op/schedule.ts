// Fork schedules of OP-stack chains.

import { type Activation, createSchedule, type Schedule } from '../schedule.ts'
import { type Eip1559Parameters, HARDFORK_UNDER, OP_FORKS, type OpFork } from './forks.ts'

/** When forks activate, in seconds since the Unix epoch; bedrock is active from genesis on. */
export type OpForkTimes = Readonly<Partial<Record<Exclude<OpFork, 'bedrock'>, number>>>

/** The parameters of OP Mainnet, and of Base: canyon changed the denominator. */
const DENOMINATOR = 50n
const CANYON_DENOMINATOR = 250n
const ELASTICITY = 6n

function defaultParameters(fork: OpFork): Eip1559Parameters {
  const isBeforeCanyon = OP_FORKS.indexOf(fork) < OP_FORKS.indexOf('canyon')
  return { denominator: isBeforeCanyon ? DENOMINATOR : CANYON_DENOMINATOR, elasticity: ELASTICITY }
}

/** The times of a chain that has had a fork since genesis, and has none to come. */
export function constantForkTimes(last: OpFork): OpForkTimes {
  const active = OP_FORKS.slice(1, OP_FORKS.indexOf(last) + 1)
  return Object.fromEntries(active.map((fork) => [fork, 0]))
}

/** The schedule of a chain with these forks; `eip1559` in place of the parameters of OP Mainnet. */
export function opSchedule(
  chainId: number,
  times: OpForkTimes,
  eip1559: Eip1559Parameters | undefined,
): Schedule {
  const activation = (fork: OpFork, at: Activation['at']): Activation => ({
    hardfork: HARDFORK_UNDER[fork],
    name: fork,
    at,
    op: { fork, eip1559: eip1559 ?? defaultParameters(fork) },
  })
  const later = OP_FORKS.flatMap((fork) => {
    const time = fork === 'bedrock' ? undefined : times[fork]
    return time === undefined ? [] : [activation(fork, { time })]
  })
  const points = [...new Set(Object.values(times).filter((time) => time > 0))].sort((a, b) => a - b)
  return createSchedule({
    chainId,
    activations: [activation('bedrock', { block: 0 }), ...later],
    depositContract: undefined,
    forkPoints: { blocks: [], times: points },
    bombDelays: undefined,
    buildsWithWork: false,
    terminalTotalDifficulty: undefined,
    mergeBlock: undefined,
  })
}
