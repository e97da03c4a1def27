// The actors of a layer 2 on the layer 1: the batcher posts its blocks, the proposer proposes its outputs as dispute games and
// resolves them in time; their turns, and their transactions.

import type { SealedBlock } from '../../../core/chain/block/block.ts'
import { blockAt } from '../../../core/chain/chain.ts'
import type { Transaction, TransactionFields } from '../../../core/execution/transaction/transaction.ts'
import * as states from '../../../core/node/node-state.ts'
import { submitTransaction } from '../../../core/node/production/submit.ts'
import { leastRaised } from '../../../core/pool/admit.ts'
import { impersonatedTransaction, NO_FIELDS, signTransaction } from '../../../core/pool/payload.ts'
import { pooledAt, queueOf } from '../../../core/pool/pool.ts'
import { keccak256, keccak256Hex } from '../../../core/primitives/crypto.ts'
import { TickchainError } from '../../../core/primitives/errors.ts'
import * as hex from '../../../core/primitives/hex.ts'
import { outputRoot } from '../../../core/rollup/op/output-root.ts'
import { OP_PREDEPLOYS } from '../../../core/rollup/op/predeploys.ts'
import { storageRoot } from '../../../core/state/state-tries.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { type Batch, encodeChannel, frameTransactions } from '../batches.ts'
import { batchOf } from '../derivation/adopt.ts'
import type { ChainState, Derived, Games, Sender } from '../pair-state.ts'
import type { PairSteps } from '../pair-steps.ts'

interface Order {
  readonly to: hex.Address
  readonly input: Uint8Array
  readonly value?: bigint
  readonly gasLimit: bigint
}

const TIP = 1_000_000_000n

/** Per cent by which op-batcher raises the fees of a transaction that it sends again. */
const LEAST_BUMP_PERCENT = 10

/** The fee cap of a transaction: the base fee may double. */
function capOf(state: states.NodeState, tip: bigint): bigint {
  return 2n * states.currentOpenBlock(state).environment.baseFeePerGas + tip
}

/** The nonce after those of the sender's transactions in blocks and in the pool. */
function nextNonce(state: states.NodeState, sender: hex.Address): bigint {
  let { nonce } = readAccount(states.pendingWorld(state), sender)
  while (pooledAt(state.pool, sender, nonce) !== undefined) nonce++
  return nonce
}

/** Signs and submits a transaction; returns whether the pool has taken it. An account without a key is impersonated. */
async function submit(steps: PairSteps, { address, privateKey }: Sender, fields: TransactionFields) {
  const transaction =
    privateKey === undefined
      ? impersonatedTransaction(fields, address)
      : signTransaction(fields, address, privateKey)
  try {
    steps.add('l1', await submitTransaction(steps.pair.l1, transaction))
  } catch (error) {
    if (error instanceof TickchainError) return false
    throw error
  }
  return true
}

/**
 * Sends a transaction; returns whether the pool has taken it. It may be full, or refuse the fee, in a test of just that:
 * the sender then tries again at its next turn.
 */
async function send(steps: PairSteps, sender: Sender, order: Order): Promise<boolean> {
  const { pair } = steps
  return submit(steps, sender, {
    ...NO_FIELDS,
    type: 2,
    chainId: BigInt(pair.l1.settings.chainId),
    nonce: nextNonce(pair.l1, sender.address),
    maxFeePerGas: capOf(pair.l1, TIP),
    maxPriorityFeePerGas: TIP,
    ...order,
  })
}

/** A transaction with fees that the layer 1 takes in place of those that it has. */
function raised(state: states.NodeState, transaction: Transaction): TransactionFields {
  const percent = Math.max(LEAST_BUMP_PERCENT, state.config.poolLimits.replacementBumpPercent)
  const maxPriorityFeePerGas = leastRaised(transaction.maxPriorityFeePerGas, percent)
  const [least, cap] = [leastRaised(transaction.maxFeePerGas, percent), capOf(state, maxPriorityFeePerGas)]
  return { ...transaction, maxPriorityFeePerGas, maxFeePerGas: cap > least ? cap : least }
}

/** Replaces the sender's transactions that wait with a fee cap below the base fee. */
async function raiseFees(steps: PairSteps, sender: Sender): Promise<void> {
  for (const { transaction } of queueOf(steps.pair.l1.pool, sender.address).transactions) {
    const state = steps.pair.l1
    if (transaction.maxFeePerGas >= states.currentOpenBlock(state).environment.baseFeePerGas) continue
    if (!(await submit(steps, sender, raised(state, transaction)))) return
  }
}

/** The gas of a call that only carries data: its price of EIP-2028, or the floor of EIP-7623. */
function gasOfData(data: Uint8Array): bigint {
  let zeros = 0
  for (const byte of data) if (byte === 0) zeros++
  const others = data.length - zeros
  return BigInt(21_000 + Math.max(4 * zeros + 16 * others, 10 * (zeros + 4 * others)))
}

const ID_CHARACTERS = 32

/**
 * The number of the last block that is safe, or posted, still in the chain and waiting for the layer 1. What is on the
 * layer 1 without having become safe is posted again, such as a channel that timed out.
 */
function lastPosted({ l2, derived, lastDerived, batcher: { posted } }: ChainState, isWaiting: boolean) {
  const { safe } = derived.get(lastDerived) as Derived
  const isThere = posted !== undefined && blockAt(l2.chain, posted.number)?.hash === posted.hash
  return isThere && isWaiting ? Math.max(safe, posted.number) : safe
}

/** True while transactions of the batcher wait for a block of the layer 1, or for derivation from it. */
function isAnythingWaiting({ pair: { l1 } }: PairSteps, { lastDerived }: ChainState, sender: hex.Address) {
  const { open, head } = l1.chain
  const isIncluded = open?.executed.some(({ transaction }) => transaction.sender === sender) === true
  return isIncluded || l1.pool.bySender.has(sender) || lastDerived < head.header.number
}

/** An id that no other channel has: op-batcher draws it at random. */
function channelIdOf(head: SealedBlock, atMs: number): hex.Hex {
  const seed = hex.concatBytes(hex.hexToBytes(head.hash), hex.hexToBytes(hex.toWord(atMs)))
  return `0x${keccak256Hex(seed).slice(2, 2 + ID_CHARACTERS)}`
}

/** True if batches of the rollup's own batcher count: the system configuration may name another. */
function isNamed({ read, lastRead }: ChainState, { address }: Sender): boolean {
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
  for (let number = first; number <= head.header.number; number++)
    batches.push(batchOf(chain.l2, blockAt(chain.l2.chain, number) as SealedBlock))
  const id = channelIdOf(head, steps.pair.l1.nowMs)
  for (const input of frameTransactions(id, encodeChannel(batches), batcher.mostBytes)) {
    const order = { to: batchInbox, input, gasLimit: gasOfData(input) }
    if (!(await send(steps, batcher.sender, order))) return
  }
  const posted = { number: head.header.number, hash: head.hash }
  steps.change(index, { batcher: { ...steps.chain(index).batcher, posted } })
}

/** More than the calls need. */
const CREATE_GAS = 2_000_000n
const RESOLVE_GAS = 1_000_000n

export function outputOf(block: SealedBlock): hex.Hash {
  const { rules, header, hash } = block
  // Where the header has it, the state of an archived block need not be computed.
  const messagePasserRoot = rules.rollup?.changes.withdrawalsFrom
    ? header.withdrawalsRoot
    : storageRoot(block.committed, OP_PREDEPLOYS.L2ToL1MessagePasser)
  return outputRoot({ stateRoot: header.stateRoot, messagePasserRoot, blockHash: hash })
}

/** The input of a call with static parameters. */
export function callInput(signature: string, words: readonly hex.Hash[]): Uint8Array {
  const selector = keccak256(hex.utf8ToBytes(signature)).subarray(0, 4)
  return hex.concatBytes(selector, ...words.map((word) => hex.hexToBytes(word)))
}

function createGame(gameType: number, root: hex.Hash, l2Number: number): Uint8Array {
  // The last parameter is `bytes`: where it begins, its length, and the number of the block.
  const extraData = [hex.toWord(96), hex.toWord(32), hex.toWord(l2Number)]
  return callInput('create(uint32,bytes32,bytes)', [hex.toWord(gameType), root, ...extraData])
}

/** Proposes the output of the safe head, unless a block as late has been proposed. */
export async function proposeOutput(steps: PairSteps, index: number): Promise<void> {
  const { proposer: config, addresses } = steps.chainConfig(index)
  await raiseFees(steps, config.sender)
  const { l2, derived, lastDerived, proposer } = steps.chain(index)
  const { safe } = derived.get(lastDerived) as Derived
  if (safe <= proposer.proposed) return
  const root = outputOf(blockAt(l2.chain, safe) as SealedBlock)
  const isSent = await send(steps, config.sender, {
    to: addresses.disputeGameFactory,
    input: createGame(config.gameType, root, safe),
    value: config.bond,
    gasLimit: CREATE_GAS,
  })
  if (isSent) steps.change(index, { proposer: { ...steps.chain(index).proposer, proposed: safe } })
}

function withGame(games: Games, game: hex.Address, createdAt: number): Games {
  const all = [...games.filter(([other]) => other !== game), [game, createdAt] as const]
  return all.sort(([a, aS], [b, bS]) => aS - bS || (a < b ? -1 : 1))
}

/** The topics of `DisputeGameCreated(address,uint32,bytes32)` and `Resolved(uint8)`. */
const CREATED = '0x5b565efe82411da98814f356d0e7bcb8f0219b8d970307c5afb4a6903a8b2e35'
const RESOLVED = '0x5e186f09b9c93491f14e277eea7faa5de6a2d4bda75a79af7a3684fbfb42da60'

/** The games that are not resolved after an L1 block, with the seconds at which they were created. */
export function gamesAfter(
  before: Games,
  { header, executed }: SealedBlock,
  factory: hex.Address,
  proposer: hex.Address,
): Games {
  let games = before
  for (const { transaction, receipt } of executed) {
    for (const log of receipt.logs) {
      const { address } = log
      const [topic, game] = log.topics
      const isCreated = address === factory && topic === CREATED && transaction.sender === proposer
      if (isCreated && game !== undefined) games = withGame(games, `0x${game.slice(-40)}`, header.timestamp)
      else if (topic === RESOLVED && games.some(([other]) => other === address))
        games = games.filter(([other]) => other !== address)
    }
  }
  return games
}

/** When each unresolved game of a layer 2 can be resolved, in milliseconds, in that order. */
export function* resolutionsOf(
  steps: PairSteps,
  index: number,
): IterableIterator<readonly [game: hex.Address, atMs: number]> {
  const { derived, lastDerived, proposer } = steps.chain(index)
  const { gameMs } = steps.chainConfig(index).proposer
  if (gameMs === undefined) return
  for (const [game, createdAt] of (derived.get(lastDerived) as Derived).games) {
    if (!proposer.resolving.has(game)) yield [game, createdAt * 1000 + gameMs]
  }
}

async function resolveGames(steps: PairSteps, index: number, atMs: number): Promise<void> {
  const { sender } = steps.chainConfig(index).proposer
  for (const [to, dueAtMs] of resolutionsOf(steps, index)) {
    if (dueAtMs > atMs) break
    const claim = callInput('resolveClaim(uint256,uint256)', [hex.toWord(0), hex.toWord(0)])
    const isSent =
      (await send(steps, sender, { to, input: claim, gasLimit: RESOLVE_GAS })) &&
      (await send(steps, sender, { to, input: callInput('resolve()', []), gasLimit: RESOLVE_GAS }))
    if (!isSent) break
    const { proposer } = steps.chain(index)
    const resolving = new Set([...proposer.resolving, to])
    steps.change(index, { proposer: { ...proposer, resolving } })
  }
}

/** The next multiple of an interval, counted from the epoch: a jump does not shift it. */
export function nextTurn(atMs: number, intervalMs: number): number {
  return (Math.floor(atMs / intervalMs) + 1) * intervalMs
}

/** The time at which an actor of a layer 2 has something to do after a time. */
export function nextActionAt(steps: PairSteps, index: number, afterMs: number): number {
  const { batcher, proposer } = steps.chain(index)
  const times = batcher.isWithheld ? [] : [batcher.nextAtMs]
  if (!proposer.isWithheld) {
    times.push(proposer.nextAtMs)
    for (const [, atMs] of resolutionsOf(steps, index)) {
      times.push(atMs)
      if (atMs > afterMs) break
    }
  }
  return Math.min(...times.filter((atMs) => atMs > afterMs))
}

async function actFor(steps: PairSteps, index: number, atMs: number): Promise<void> {
  const { batcher, proposer } = steps.chainConfig(index)
  const { batcher: batching, proposer: proposing } = steps.chain(index)
  if (!batching.isWithheld && batching.nextAtMs <= atMs) {
    if (isNamed(steps.chain(index), batcher.sender)) await postBatches(steps, index)
    const nextAtMs = nextTurn(atMs, batcher.intervalMs)
    steps.change(index, { batcher: { ...steps.chain(index).batcher, nextAtMs } })
  }
  if (proposing.isWithheld) return
  await resolveGames(steps, index, atMs)
  if (proposing.nextAtMs > atMs) return
  await proposeOutput(steps, index)
  const nextAtMs = nextTurn(atMs, proposer.intervalMs)
  steps.change(index, { proposer: { ...steps.chain(index).proposer, nextAtMs } })
}

export async function act(steps: PairSteps, atMs: number): Promise<void> {
  for (const index of steps.indices) await actFor(steps, index, atMs)
}
