// Client identity, status and configuration. Without a network many of the answers are constants.

import type { SealedBlock } from '../../chain/block/block.ts'
import { type NodeState, scheduleIn } from '../../node/node-state.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { type Hex, toQuantity } from '../../primitives/hex.ts'
import { forkIdAt } from '../../rollup/fork-id.ts'
import { precompilesOf } from '../../rollup/precompiles.ts'
import { type BlobParameters, isForkActive } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { systemContractsIn } from '../../rollup/system-contracts.ts'
import { data } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { defineRead } from '../method.ts'
import { CLIENT_VERSIONS } from '../node-info.ts'

export const eth_chainId = defineRead({
  summary: 'The chain id.',
  hardhat: { params: [] },
  result: 'quantity',
  handle: ({ state }) => toQuantity(state.settings.chainId),
})

export const net_version = defineRead({
  summary: 'The network id in decimal: the option `networkId`, or the chain id.',
  hardhat: { params: [] },
  result: 'decimal string',
  handle: ({ options, state }) => String(options.networkId ?? state.settings.chainId),
})

export { net_version as eth_networkId }

export const web3_clientVersion = defineRead({
  summary: 'The client version: the name of the flavor, and the name and version of this library.',
  hardhat: { params: [] },
  result: 'string',
  handle: ({ options }) => CLIENT_VERSIONS[options.flavor],
})

export const web3_sha3 = defineRead({
  summary: 'keccak-256 of the given bytes.',
  params: [required('data', data)],
  hardhat: { params: ['variableBytes'] },
  result: 'hash',
  example: { params: ['0x68656c6c6f'] },
  handle: (_, bytes) => keccak256Hex(bytes),
})

export const eth_syncing = defineRead({
  summary: 'Whether the node is behind its peers: never, because it has none.',
  hardhat: { params: [] },
  result: 'false',
  handle: (): false => false,
})

export const eth_coinbase = defineRead({
  summary: 'The recipient of the tips of new blocks.',
  hardhat: { params: [] },
  result: 'address',
  handle: ({ state }) => state.settings.coinbase,
})

export const eth_mining = defineRead({
  summary:
    'Whether blocks are sealed without a command: when they fall due, or for each transaction. In hardhat false.',
  result: 'boolean',
  handle: ({ options, state }) =>
    options.flavor !== 'hardhat' && (state.settings.automines || state.settings.sealsOnTime),
})

export const eth_hashrate = defineRead({
  summary: 'Hashes per second of the miner: zero, because there is no proof of work.',
  hardhat: 'absent',
  result: '"0x0"',
  handle: () => toQuantity(0),
})

/** eth/69 (EIP-7642), the latest version whose block and receipt formats apply here. */
const PROTOCOL_VERSION = 69

export const eth_protocolVersion = defineRead({
  summary: 'The version of the Ethereum wire protocol: 69 (EIP-7642).',
  hardhat: 'absent',
  result: 'quantity',
  handle: () => toQuantity(PROTOCOL_VERSION),
})

export const net_listening = defineRead({
  summary: 'Whether the node listens for connections: always true. Clients use it as a health check.',
  result: 'true',
  handle: (): true => true,
})

export const net_peerCount = defineRead({
  summary: 'How many peers the node has: none.',
  result: '"0x0"',
  handle: () => toQuantity(0),
})

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
