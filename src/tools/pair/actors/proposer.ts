// The proposer: proposes outputs of a layer 2 as dispute games on the layer 1, and resolves its games in time.

import type { SealedBlock } from '../../../core/chain/block/block.ts'
import { blockAt } from '../../../core/chain/chain.ts'
import { keccak256 } from '../../../core/primitives/crypto.ts'
import {
  type Address,
  concatBytes,
  type Hash,
  hexToBytes,
  toWord,
  utf8ToBytes,
} from '../../../core/primitives/hex.ts'
import { outputRoot } from '../../../core/rollup/op/output-root.ts'
import { OP_PREDEPLOYS } from '../../../core/rollup/op/predeploys.ts'
import { storageRoot } from '../../../core/state/state-tries.ts'
import { topicOf } from '../derivation/l1-block.ts'
import type { ChainState, Derived, Games } from '../pair-state.ts'
import type { PairSteps } from '../pair-steps.ts'
import { raiseFees, send } from './send.ts'

/** More than the calls need. */
const CREATE_GAS = 2_000_000n
const RESOLVE_GAS = 1_000_000n

/** The output root of a sealed block. */
export function outputOf(block: SealedBlock): Hash {
  const { rules, header, hash } = block
  // Where the header has it, the state of an archived block need not be computed.
  const messagePasserRoot = rules.rollup?.changes.withdrawalsFrom
    ? header.withdrawalsRoot
    : storageRoot(block.committed, OP_PREDEPLOYS.L2ToL1MessagePasser)
  return outputRoot({ stateRoot: header.stateRoot, messagePasserRoot, blockHash: hash })
}

/** The input of a call with static parameters. */
export function callInput(signature: string, words: readonly Hash[]): Uint8Array {
  const selector = keccak256(utf8ToBytes(signature)).subarray(0, 4)
  return concatBytes(selector, ...words.map((word) => hexToBytes(word)))
}

function createGame(gameType: number, root: Hash, l2Number: number): Uint8Array {
  // The last parameter is `bytes`: where it begins, its length, and the number of the block.
  const extraData = [toWord(96), toWord(32), toWord(l2Number)]
  return callInput('create(uint32,bytes32,bytes)', [toWord(gameType), root, ...extraData])
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

/** Adds a game in its order. */
function withGame(games: Games, game: Address, createdAt: number): Games {
  const all = [...games.filter(([other]) => other !== game), [game, createdAt] as const]
  return all.sort(([a, aS], [b, bS]) => aS - bS || (a < b ? -1 : 1))
}

function withoutGame(games: Games, game: Address): Games {
  return games.some(([other]) => other === game) ? games.filter(([other]) => other !== game) : games
}

/** The games that are not resolved after an L1 block, with the seconds at which they were created. */
export function gamesAfter(
  before: Games,
  { header, executed }: SealedBlock,
  factory: Address,
  proposer: Address,
): Games {
  const created = topicOf('DisputeGameCreated(address,uint32,bytes32)')
  const resolved = topicOf('Resolved(uint8)')
  let games = before
  for (const { transaction, receipt } of executed) {
    for (const log of receipt.logs) {
      const { address } = log
      const [topic, game] = log.topics
      const isCreated = address === factory && topic === created && transaction.sender === proposer
      if (isCreated && game !== undefined) games = withGame(games, `0x${game.slice(-40)}`, header.timestamp)
      else if (topic === resolved) games = withoutGame(games, address)
    }
  }
  return games
}

/** When each unresolved game can be resolved, in milliseconds, in that order. */
export function* resolutionTimes(
  { derived, lastDerived, proposer }: ChainState,
  gameMs: number | undefined,
): IterableIterator<readonly [game: Address, atMs: number]> {
  if (gameMs === undefined) return
  for (const [game, createdAt] of (derived.get(lastDerived) as Derived).games) {
    if (!proposer.resolving.has(game)) yield [game, createdAt * 1000 + gameMs]
  }
}

/** Resolves the games whose time has come. */
export async function resolveGames(steps: PairSteps, index: number, atMs: number): Promise<void> {
  const { sender, gameMs } = steps.chainConfig(index).proposer
  for (const [to, dueAtMs] of resolutionTimes(steps.chain(index), gameMs)) {
    if (dueAtMs > atMs) break
    const claim = callInput('resolveClaim(uint256,uint256)', [toWord(0), toWord(0)])
    const isSent =
      (await send(steps, sender, { to, input: claim, gasLimit: RESOLVE_GAS })) &&
      (await send(steps, sender, { to, input: callInput('resolve()', []), gasLimit: RESOLVE_GAS }))
    if (!isSent) break
    const { proposer } = steps.chain(index)
    const resolving = new Set([...proposer.resolving, to])
    steps.change(index, { proposer: { ...proposer, resolving } })
  }
}
