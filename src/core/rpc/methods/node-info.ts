// Information about the emulator, and blobs.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { unchanged } from '../../node/events.ts'
import { findTransaction } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { listSnapshots } from '../../node/records.ts'
import { bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { hash } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { firstSnapshotId } from '../flavor/flavor.ts'
import { defineCommand, defineRead } from '../method.ts'
import { describeChain, instanceIdOf } from '../node-info.ts'
import type { ReadContext } from '../read-context.ts'
import { readContext } from '../session.ts'
import { NO_HASH } from './examples.ts'

/** Where the chain was forked, in the format of Hardhat. */
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
      if (flavor === 'hardhat') return { ...unchanged(state), result: metadata }
      const snapshots: Record<Hex, readonly [number, Hash]> = Object.fromEntries(
        listSnapshots(records).map(([number, { chain }]) => [
          toQuantity(number - 1 + firstSnapshotId(flavor)),
          [chain.head.header.number, chain.head.hash],
        ]),
      )
      const result = { ...metadata, forkedNetwork: forkedNetwork(state), snapshots }
      return { ...unchanged(state), result }
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
  example: { params: [NO_HASH] },
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

export { hardhat_metadata as anvil_metadata }
