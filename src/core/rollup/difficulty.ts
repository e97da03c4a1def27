// Difficulty of proof-of-work blocks: the formulas of Frontier, Homestead (EIP-2) and Byzantium (EIP-100), with the
// difficulty bomb and its delays (yellow paper, 4.4.4). Rewards of blocks with proof of work, and withdrawals, of
// imported blocks and engine payloads.

import type { Address } from '../primitives/hex.ts'
import { credit, type WorldState } from '../state/world-state.ts'
import { isForkActive, type Rules } from './rules.ts'

/** From `block` on, the difficulty bomb counts `delay` blocks less. */
export interface BombDelay {
  readonly block: number
  readonly delay: number
}

export interface DifficultyParent {
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
  readonly difficulty: bigint
  readonly hasUncles: boolean
}

/** Difficulty of blocks that Hardhat reserves before the merge: no work is counted or paid for them. */
export const RESERVED_DIFFICULTY = 1n

const MINIMUM_DIFFICULTY = 131_072n
const BOUND_DIVISOR = 2048n
/** Seconds. Under Frontier an earlier block raises the difficulty. */
const DURATION_LIMIT = 13
const MINIMUM_STEPS = -99n
const BOMB_PERIOD = 100_000

/** The change of the difficulty in steps of 1/2048. */
function stepsOf(rules: Rules, parent: DifficultyParent, timestamp: number): bigint {
  const seconds = timestamp - parent.timestamp
  if (!isForkActive(rules, 'homestead')) return seconds < DURATION_LIMIT ? 1n : -1n
  const steps = isForkActive(rules, 'byzantium')
    ? (parent.hasUncles ? 2n : 1n) - BigInt(Math.floor(seconds / 9))
    : 1n - BigInt(Math.floor(seconds / 10))
  return steps < MINIMUM_STEPS ? MINIMUM_STEPS : steps
}

function bombOf(delays: readonly BombDelay[], number: number): bigint {
  const delay = delays.filter(({ block }) => number >= block).at(-1)?.delay ?? 0
  const period = Math.floor(Math.max(0, number - delay) / BOMB_PERIOD) - 2
  // From 2^256 on it is nothing, as in EDR, where a chain of 10^9 blocks takes no time.
  return period < 0 || period >= 256 ? 0n : 2n ** BigInt(period)
}

/** The difficulty of the block after `parent`, with this timestamp; `delays` are sorted by block. */
export function nextDifficulty(
  rules: Rules,
  delays: readonly BombDelay[],
  parent: DifficultyParent,
  timestamp: number,
): bigint {
  const step = parent.difficulty / BOUND_DIVISOR
  const bomb = bombOf(delays, parent.number + 1)
  const difficulty = parent.difficulty + step * stepsOf(rules, parent, timestamp) + bomb
  return difficulty < MINIMUM_DIFFICULTY ? MINIMUM_DIFFICULTY : difficulty
}

const ETHER = 10n ** 18n
const GWEI = 10n ** 9n

function pay(state: WorldState, address: Address, amount: bigint): WorldState {
  return amount === 0n ? state : credit(state, address, amount)
}

/** 5 ether, 3 from byzantium, 2 from constantinople (EIP-649, EIP-1234); zero without proof of work. */
function blockReward(rules: Rules, { difficulty }: Rewarded): bigint {
  // As in geth: difficulty is zero after the merge.
  if (difficulty <= RESERVED_DIFFICULTY) return 0n
  if (isForkActive(rules, 'constantinople')) return 2n * ETHER
  return isForkActive(rules, 'byzantium') ? 3n * ETHER : 5n * ETHER
}

interface Rewarded {
  readonly coinbase: Address
  readonly number: number
  readonly difficulty: bigint
}

/** Reward of proof of work for a block, or for one of its uncles. */
export interface Reward {
  readonly kind: 'block' | 'uncle'
  readonly author: Address
  readonly amount: bigint
}

/** The rewards of a block and its uncles (yellow paper, 11.3); none without proof of work. */
export function rewardsOf(rules: Rules, block: Rewarded, uncles: readonly Rewarded[]): readonly Reward[] {
  const reward = blockReward(rules, block)
  if (reward === 0n) return []
  const own = reward + (reward / 32n) * BigInt(uncles.length)
  return [
    { kind: 'block', author: block.coinbase, amount: own },
    ...uncles.map(({ coinbase, number }): Reward => {
      const amount = (BigInt(number + 8 - block.number) * reward) / 8n
      return { kind: 'uncle', author: coinbase, amount }
    }),
  ]
}

export function payRewards(rules: Rules, state: WorldState, block: Rewarded, uncles: readonly Rewarded[]) {
  return rewardsOf(rules, block, uncles).reduce(
    (paid, { author, amount }) => pay(paid, author, amount),
    state,
  )
}

/** Credits withdrawals, whose amounts are in gwei (EIP-4895). */
export function payWithdrawals(
  state: WorldState,
  withdrawals: readonly { readonly address: Address; readonly amount: bigint }[],
): WorldState {
  return withdrawals.reduce((paid, { address, amount }) => pay(paid, address, amount * GWEI), state)
}
