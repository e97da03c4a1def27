// Identity, status and configuration of the client, many of them constants without a network; and blobs.

import type { SealedBlock } from '../../chain/block/block.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { findTransaction } from '../../node/lookup.ts'
import { type NodeState, scheduleIn } from '../../node/node-state.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { precompilesOf } from '../../rollup/precompiles.ts'
import { type BlobParameters, isForkActive } from '../../rollup/rules.ts'
import { forkIdAt, type Schedule } from '../../rollup/schedule.ts'
import { systemContractsIn } from '../../rollup/system-contracts.ts'
import { data, hash } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { firstSnapshotId } from '../flavor/flavor.ts'
import { defineCommand, defineRead, outcomeWith } from '../method.ts'
import { type ReadContext, readContext } from '../session.ts'
import { CLIENT_VERSIONS, describeChain, instanceIdOf } from '../transaction-outcome.ts'

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

export const eth_protocolVersion = defineRead({
  summary: 'The version of the Ethereum wire protocol: 69 (EIP-7642).',
  hardhat: 'absent',
  result: 'quantity',
  // The latest version whose block and receipt formats apply here.
  handle: () => toQuantity(69),
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

const NO_BLOBS: BlobParameters = { target: 0, max: 0, baseFeeUpdateFraction: 0 }

/** The configuration from a time on (EIP-7910). A rollup has zeros for blobs, which its layer 1 has. */
function describeFork(schedule: Schedule, state: NodeState, time: number) {
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

export interface RpcForkConfig extends ReturnType<typeof describeFork> {}

export const eth_config = defineRead({
  summary: 'The active fork, the next one and the last scheduled one (EIP-7910).',
  result:
    'object with current, next and last, each with activationTime, blobSchedule, chainId, forkId, precompiles and systemContracts, or null',
  handle({ state }) {
    const schedule = scheduleIn(state)
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

function forkedNetwork({ chain: { fork } }: NodeState) {
  if (fork === undefined) return null
  const { number, hash } = fork.header
  return { chainId: fork.chainId, forkBlockNumber: number, forkBlockHash: hash }
}

export const anvil_nodeInfo = defineRead({
  summary: 'The head, the fork and the fees of the chain, in the format of anvil.',
  result:
    'object with currentBlockNumber, currentBlockTimestamp, currentBlockHash, hardFork, transactionOrder, environment and forkConfig',
  handle(context) {
    const chain = describeChain(context)
    return {
      currentBlockNumber: toQuantity(chain.blockNumber),
      currentBlockTimestamp: chain.blockTimestamp,
      currentBlockHash: chain.blockHash,
      hardFork: chain.hardfork,
      transactionOrder: chain.ordering,
      environment: {
        baseFee: toQuantity(chain.baseFeePerGas),
        chainId: chain.chainId,
        gasLimit: toQuantity(chain.gasLimit),
        gasPrice: toQuantity(chain.gasPrice),
      },
      forkConfig: {
        forkUrl: null,
        forkBlockNumber: forkedNetwork(context.state)?.forkBlockNumber ?? null,
        forkRetryBackoff: null,
      },
    }
  },
})

export const hardhat_metadata = defineCommand({
  summary: 'The version, the chain id, the head, and the id of this run, which a reset changes.',
  hardhat: { params: [] },
  result:
    'object with clientVersion, chainId, instanceId, latestBlockNumber and latestBlockHash; unless the flavor is hardhat, also with forkedNetwork, or null, and snapshots',
  handle: (session) =>
    session.node.execute((state, records) => {
      const { clientVersion, chainId, blockNumber, blockHash } = describeChain(readContext(session, state))
      const metadata = {
        clientVersion,
        chainId,
        instanceId: instanceIdOf(session.node.initial, records),
        latestBlockNumber: blockNumber,
        latestBlockHash: blockHash,
      }
      const { flavor } = session.options
      if (flavor === 'hardhat') return outcomeWith(state, metadata)
      const snapshots: Record<Hex, readonly [number, Hash]> = Object.fromEntries(
        [...records.snapshots.entries()]
          .sort(([a], [b]) => a - b)
          .map(([number, { chain }]) => [
            toQuantity(number - 1 + firstSnapshotId(flavor)),
            [chain.head.header.number, chain.head.hash],
          ]),
      )
      return outcomeWith(state, { ...metadata, forkedNetwork: forkedNetwork(state), snapshots })
    }),
})

/** A transaction; one that comes from an imported block or a state dump has no blobs. */
function transactionOf(state: NodeState, transactionHash: Hash): Transaction | undefined {
  const found = findTransaction(state, transactionHash)
  return found && ('pooled' in found ? found.pooled : found.executed).transaction
}

export const anvil_getBlobsByTransactionHash = defineRead({
  summary: 'The blobs of a transaction.',
  params: [required('transactionHash', hash)],
  result: 'array of data, or null if there are none',
  handle: ({ state }, transactionHash) =>
    transactionOf(state, transactionHash)?.sidecar?.blobs.map(bytesToHex) ?? null,
})

function findBlob({ state }: ReadContext, versionedHash: Hash): Uint8Array | undefined {
  const { chain, pool } = state
  const inBlocks = [...chain.transactions.entries()].map(([transactionHash]) => transactionHash)
  const open = (chain.open?.executed ?? []).map(({ transaction }) => transaction.hash)
  const pooled = [...pool.byHash.entries()].map(([transactionHash]) => transactionHash)
  for (const transactionHash of [...inBlocks, ...open, ...pooled]) {
    const { blobVersionedHashes = [], sidecar } = transactionOf(state, transactionHash) ?? {}
    const index = blobVersionedHashes.indexOf(versionedHash)
    if (index !== -1 && sidecar !== undefined) return sidecar.blobs[index]
  }
  return undefined
}

export const anvil_getBlobByHash = defineRead({
  summary: 'A blob by its versioned hash.',
  params: [required('versionedHash', hash)],
  result: 'data, or null if there is none',
  example: { params: [`0x01${'11'.repeat(31)}`] },
  handle(context, versionedHash) {
    const blob = findBlob(context, versionedHash)
    return blob === undefined ? null : bytesToHex(blob)
  },
})

export const hardhat_getStackTraceFailuresCount = defineRead({
  summary: 'Always zero, because no stack trace fails to be made. Hardhat 2 calls it after a run.',
  result: 'number',
  handle: () => 0,
})

export { hardhat_metadata as anvil_metadata, net_version as eth_networkId }
