// Node configuration for tools that compare nodes: fork schedule and available history.

import type { SealedBlock } from '../../chain/block/block.ts'
import { type NodeState, scheduleIn } from '../../node/node-state.ts'
import { type Hex, toQuantity } from '../../primitives/hex.ts'
import { forkIdAt } from '../../rollup/fork-id.ts'
import { precompilesOf } from '../../rollup/precompiles.ts'
import { type BlobParameters, isForkActive } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { systemContractsIn } from '../../rollup/system-contracts.ts'
import { defineRead } from '../method.ts'

/** The configuration from an activation time on (EIP-7910). */
export interface RpcForkConfig {
  /** Seconds; zero for the configuration at genesis. */
  readonly activationTime: number
  /** null before cancun; zeros on a rollup, whose layer 1 has the blobs. */
  readonly blobSchedule: BlobParameters | null
  readonly chainId: Hex
  readonly forkId: Hex
  readonly precompiles: Readonly<Record<string, Hex>>
  readonly systemContracts: Readonly<Record<string, Hex>>
}

const NO_BLOBS: BlobParameters = { target: 0, max: 0, baseFeeUpdateFraction: 0 }

function describeFork(schedule: Schedule, state: NodeState, time: number): RpcForkConfig {
  const { header: head, committed } = state.chain.head
  const { hash, header } = state.chain.blocks.get(state.chain.first) as SealedBlock
  const rules = schedule.rulesAt({ number: head.number, timestamp: time, difficulty: head.difficulty })
  const { target, max, baseFeeUpdateFraction } = rules.rollup === undefined ? rules.blobs : NO_BLOBS
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
  summary: 'The active fork, the next one and the last scheduled one (EIP-7910).',
  result:
    'object with current, next and last, each with activationTime, blobSchedule, chainId, forkId, precompiles and systemContracts, or null',
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

/** The blocks whose state is kept (option `stateHistory`). */
function statesKept({ stateHistory, statesFrom }: NodeState['chain']['history']) {
  const kept = { disabled: false, oldestBlock: toQuantity(statesFrom) }
  return stateHistory === Number.POSITIVE_INFINITY
    ? kept
    : { ...kept, deleteStrategy: { type: 'window', retentionBlocks: toQuantity(stateHistory) } }
}

export const eth_capabilities = defineRead({
  summary:
    'The range of blocks for which the node has state, transactions, logs, receipts, blocks and proofs. State and proofs go as far back as `stateHistory`, the rest to the first block.',
  result: 'object with head, state, tx, logs, receipts, blocks and stateproofs',
  handle({ state }) {
    const { head, history, first } = state.chain
    // Data that is never pruned has no `deleteStrategy`, as in geth.
    const unpruned = { disabled: false, oldestBlock: toQuantity(first) }
    return {
      head: { number: toQuantity(head.header.number), hash: head.hash },
      state: statesKept(history),
      tx: { ...unpruned },
      logs: { ...unpruned },
      receipts: { ...unpruned },
      blocks: { ...unpruned },
      stateproofs: statesKept(history),
    }
  },
})
