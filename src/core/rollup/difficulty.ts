// Difficulty of proof-of-work blocks: the formulas of Frontier, Homestead (EIP-2) and Byzantium (EIP-100), with the
// difficulty bomb and its delays (yellow paper, 4.4.4).

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
