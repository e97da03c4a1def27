// What tools ask of an emulator about itself.

import type { BlobSidecar } from '../../execution/transaction.ts'
import { unchanged } from '../../node/events.ts'
import { findBlock, findTransaction } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import {
  bytesToHex,
  concatBytes,
  type Hash,
  type Hex,
  hexToBytes,
  toQuantity,
  toWord,
} from '../../primitives/hex.ts'
import { hash } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { firstSnapshotId } from '../flavor.ts'
import { defineCommand, defineRead, type ReadContext } from '../method.ts'
import { readContext, type Session } from '../session.ts'
import { web3_clientVersion } from './client.ts'
import { eth_gasPrice } from './fee-market.ts'

export const anvil_nodeInfo = defineRead({
  summary: 'The head, the rules and the fees of the chain, as anvil shows them.',
  params: [],
  result:
    'object with currentBlockNumber, currentBlockTimestamp, currentBlockHash, hardFork, transactionOrder, environment and forkConfig',
  example: { params: [] },
  handle(context) {
    const { config, state } = context
    const { header, hash: currentBlockHash } = state.chain.head
    const next = findBlock(config, state, 'pending')
    return {
      currentBlockNumber: toQuantity(header.number),
      currentBlockTimestamp: header.timestamp,
      currentBlockHash,
      hardFork: state.chain.head.rules.hardfork,
      transactionOrder: state.settings.ordering,
      environment: {
        baseFee: toQuantity(next?.environment.baseFeePerGas ?? 0n),
        chainId: state.settings.chainId,
        gasLimit: toQuantity(state.settings.blockGasLimit),
        gasPrice: eth_gasPrice.handle(context),
      },
      forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
    }
  },
})

/** Names a run of a chain: the same for the same options, and another after a reset. */
function instanceIdOf({ node }: Session): Hash {
  const { chain, randomness } = node.initial
  const seed = [chain.head.hash, randomness.prevRandao, toWord(node.resetCount)]
  return keccak256Hex(concatBytes(...seed.map(hexToBytes)))
}

function snapshotsOf({ node, options }: Session): Record<Hex, readonly [number, Hash]> {
  const first = firstSnapshotId(options.flavor)
  return Object.fromEntries(
    [...node.numbered].map(([number, { chain }]) => [
      toQuantity(number - 1 + first),
      [chain.head.header.number, chain.head.hash],
    ]),
  )
}

export const hardhat_metadata = defineCommand({
  summary: 'The version, the chain id, the head, and an id of this run, which a reset changes.',
  params: [],
  result:
    'object with clientVersion, chainId, instanceId, latestBlockNumber and latestBlockHash; unless the flavor is hardhat, also with forkedNetwork, which is null, and snapshots',
  example: { params: [] },
  handle: (session) =>
    session.node.execute(async (state) => {
      const { header, hash: latestBlockHash } = state.chain.head
      const metadata = {
        clientVersion: await web3_clientVersion.handle(readContext(session, state)),
        chainId: state.settings.chainId,
        instanceId: instanceIdOf(session),
        latestBlockNumber: header.number,
        latestBlockHash,
      }
      const more = { forkedNetwork: null, snapshots: snapshotsOf(session) }
      const result = session.options.flavor === 'hardhat' ? metadata : { ...metadata, ...more }
      return { ...unchanged(state), result }
    }),
})

/** What travels beside a transaction; not where it comes out of an imported block or a state dump. */
function sidecarOf(state: NodeState, transactionHash: Hash): BlobSidecar | undefined {
  const found = findTransaction(state, transactionHash)
  if (found === undefined) return undefined
  return ('pooled' in found ? found.pooled : found.executed).transaction.sidecar
}

export const anvil_getBlobsByTransactionHash = defineRead({
  summary: 'The blobs of a transaction.',
  params: [required('transactionHash', hash)],
  result: 'array of data, or null where there are none',
  example: { params: [`0x${'11'.repeat(32)}`] },
  handle: ({ state }, transactionHash) => sidecarOf(state, transactionHash)?.blobs.map(bytesToHex) ?? null,
})

function findBlob({ state }: ReadContext, versionedHash: Hash): Uint8Array | undefined {
  const { chain, pool } = state
  const inBlocks = [...chain.transactions.entries()].map(([transactionHash]) => transactionHash)
  const open = (chain.open?.executed ?? []).map(({ transaction }) => transaction.hash)
  const pooled = [...pool.byHash.entries()].map(([transactionHash]) => transactionHash)
  for (const transactionHash of [...inBlocks, ...open, ...pooled]) {
    const found = findTransaction(state, transactionHash)
    if (found === undefined) continue
    const { blobVersionedHashes, sidecar } = ('pooled' in found ? found.pooled : found.executed).transaction
    const index = blobVersionedHashes.indexOf(versionedHash)
    if (index !== -1 && sidecar !== undefined) return sidecar.blobs[index]
  }
  return undefined
}

export const anvil_getBlobByHash = defineRead({
  summary: 'A blob by its versioned hash.',
  params: [required('versionedHash', hash)],
  result: 'data, or null where there is none',
  example: { params: [`0x01${'11'.repeat(31)}`] },
  handle(context, versionedHash) {
    const blob = findBlob(context, versionedHash)
    return blob === undefined ? null : bytesToHex(blob)
  },
})

export { hardhat_metadata as anvil_metadata }
