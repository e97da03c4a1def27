// The batcher: posts the blocks of a layer 2 on the layer 1.

import type { SealedBlock } from '../../../core/chain/block/block.ts'
import { blockAt } from '../../../core/chain/chain.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { type Address, concatBytes, type Hex, hexToBytes, toWord } from '../../../core/primitives/hex.ts'
import { type Batch, encodeChannel, frameTransactions } from '../batches.ts'
import { batchOf } from '../derivation/adopt.ts'
import type { ChainState, Derived, Sender } from '../pair-state.ts'
import type { PairSteps } from '../pair-steps.ts'
import { gasOfData, raiseFees, send } from './send.ts'

const ID_CHARACTERS = 32

/**
 * The number of the last block that is safe, or posted, still in the chain and waiting for the layer 1. What is on the
 * layer 1 without having become safe is posted again, such as a channel that timed out.
 */
function lastPosted(
  { l2, derived, lastDerived, batcher: { posted } }: ChainState,
  isWaiting: boolean,
): number {
  const { safe } = derived.get(lastDerived) as Derived
  const isThere = posted !== undefined && blockAt(l2.chain, posted.number)?.hash === posted.hash
  return isThere && isWaiting ? Math.max(safe, posted.number) : safe
}

/** True while transactions of the batcher wait for a block of the layer 1, or for derivation from it. */
function isAnythingWaiting(
  { pair: { l1 } }: PairSteps,
  { lastDerived }: ChainState,
  sender: Address,
): boolean {
  const { open, head } = l1.chain
  const isIncluded = open?.executed.some(({ transaction }) => transaction.sender === sender) === true
  return isIncluded || l1.pool.bySender.has(sender) || lastDerived < head.header.number
}

/** An id that no other channel has: op-batcher draws it at random. */
function channelIdOf(head: SealedBlock, atMs: number): Hex {
  const seed = concatBytes(hexToBytes(head.hash), hexToBytes(toWord(atMs)))
  return `0x${keccak256Hex(seed).slice(2, 2 + ID_CHARACTERS)}`
}

/** True if batches of the rollup's own batcher count: the system configuration may name another. */
export function isNamed({ read, lastRead }: ChainState, { address }: Sender): boolean {
  return read.get(lastRead)?.system.batcherHash.slice(-40) === address.slice(2)
}

/** Posts the blocks that were not posted yet, in one channel. */
export async function postBatches(steps: PairSteps, index: number): Promise<void> {
  const { batcher, batchInbox } = steps.chainConfig(index)
  await raiseFees(steps, batcher.sender)
  const chain = steps.chain(index)
  const { head } = chain.l2.chain
  const isWaiting = isAnythingWaiting(steps, chain, batcher.sender.address)
  const first = lastPosted(chain, isWaiting) + 1
  if (first > head.header.number) return
  const batches: Batch[] = []
  for (let number = first; number <= head.header.number; number++) {
    batches.push(batchOf(chain.l2, blockAt(chain.l2.chain, number) as SealedBlock))
  }
  const id = channelIdOf(head, steps.pair.l1.nowMs)
  for (const input of frameTransactions(id, encodeChannel(batches), batcher.mostBytes)) {
    const order = { to: batchInbox, input, gasLimit: gasOfData(input) }
    if (!(await send(steps, batcher.sender, order))) return
  }
  const posted = { number: head.header.number, hash: head.hash }
  steps.change(index, { batcher: { ...steps.chain(index).batcher, posted } })
}
