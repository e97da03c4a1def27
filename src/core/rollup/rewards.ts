// Rewards of blocks with proof of work, and withdrawals, of imported blocks and engine payloads.

import type { Address } from '../primitives/hex.ts'
import { credit, type WorldState } from '../state/world-state.ts'
import { RESERVED_DIFFICULTY } from './difficulty.ts'
import { isForkActive, type Rules } from './rules.ts'

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
