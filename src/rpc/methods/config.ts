// What the node is configured to do, for tools that compare nodes.

import type { SealedBlock } from '../../chain/block/block.ts'
import { type NodeState, scheduleIn } from '../../node/node-state.ts'
import { type Hex, toQuantity } from '../../primitives/hex.ts'
import { forkIdAt } from '../../rollup/fork-id.ts'
import { precompilesOf } from '../../rollup/precompiles.ts'
import { type BlobParameters, isForkActive } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { systemContractsIn } from '../../rollup/system-contracts.ts'
import { defineRead } from '../method.ts'

/** What holds from a time on (EIP-7910). */
export interface RpcForkConfig {
  /** Seconds; zero for what holds from genesis on. */
  readonly activationTime: number
  /** Before cancun there are no blobs. */
  readonly blobSchedule: BlobParameters | null
  readonly chainId: Hex
  readonly forkId: Hex
  readonly precompiles: Readonly<Record<string, Hex>>
  readonly systemContracts: Readonly<Record<string, Hex>>
}

function genesisOf({ chain }: NodeState): SealedBlock {
  return chain.blocks.get(0) as SealedBlock
}

function describeFork(schedule: Schedule, state: NodeState, time: number): RpcForkConfig {
  const { header: head, committed } = state.chain.head
  const { hash, header } = genesisOf(state)
  const rules = schedule.rulesAt({ number: head.number, timestamp: time, difficulty: head.difficulty })
  const { target, max, baseFeeUpdateFraction } = rules.blobs
  return {
    activationTime: time <= header.timestamp ? 0 : time,
    blobSchedule: isForkActive(rules, 'cancun') ? { target, max, baseFeeUpdateFraction } : null,
    chainId: toQuantity(schedule.chainId),
    forkId: forkIdAt(schedule.forkPoints, { hash, timestamp: header.timestamp }, time),
    precompiles: precompilesOf(rules),
    systemContracts: systemContractsIn(rules, committed.state),
  }
}

export const eth_config = defineRead({
  summary: 'The fork that is active, the next one and the last one that is scheduled (EIP-7910).',
  params: [],
  result:
    'object with current, next and last, each with activationTime, blobSchedule, chainId, forkId, precompiles and systemContracts, or null',
  example: { params: [] },
  handle({ config, state }) {
    const schedule = scheduleIn(config, state)
    const { times } = schedule.forkPoints
    const now = state.chain.head.header.timestamp
    const describe = (time: number | undefined): RpcForkConfig | null =>
      time === undefined ? null : describeFork(schedule, state, time)
    const passed = times.filter((time) => time <= now)
    const next = times.find((time) => time > now)
    return {
      current: describeFork(schedule, state, passed.at(-1) ?? 0),
      next: describe(next),
      last: next === undefined ? null : describe(times.at(-1)),
    }
  },
})

/** Nothing is ever forgotten. */
function fromTheFirst() {
  return { disabled: false, oldestBlock: toQuantity(0) }
}

export const eth_capabilities = defineRead({
  summary: 'Up to which block the node answers, and from which: from the first, in all respects.',
  params: [],
  result: 'object with head, state, tx, logs, receipts, blocks and stateproofs',
  example: { params: [] },
  handle({ state }) {
    const { hash, header } = state.chain.head
    return {
      head: { number: toQuantity(header.number), hash },
      state: fromTheFirst(),
      tx: fromTheFirst(),
      logs: fromTheFirst(),
      receipts: fromTheFirst(),
      blocks: fromTheFirst(),
      stateproofs: fromTheFirst(),
    }
  },
})
