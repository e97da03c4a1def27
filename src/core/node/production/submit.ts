// Submission of transactions, and the tips that they need.

import type { SealedBlock } from '../../chain/block/block.ts'
import { effectiveTip, type Transaction } from '../../execution/transaction/transaction.ts'
import { type AdmissionContext, admitTransaction } from '../../pool/admit.ts'
import type { KeyHolder } from '../../pool/decode.ts'
import { type Pool, type PooledTransaction, queueOf } from '../../pool/pool.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { SUGGESTED_TIP } from '../../rollup/fees.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import { Steps, type Transition, unchanged } from '../events.ts'
import { withoutHold } from '../faults/scheduling.ts'
import type { NodeState } from '../node-state.ts'
import * as states from '../node-state.ts'
import { nextPartialAt, sealPool } from './block-production.ts'

/** In wei. */
const LEAST_TIP = 1_000_000n
const MOST_TIP = 500_000_000_000n

/** A tenth more than the median tip of the block. */
function overMedian({ executed, header }: SealedBlock): bigint {
  const tips = executed
    .map(({ transaction }) => effectiveTip(transaction, header.baseFeePerGas))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const median = tips[Math.floor(tips.length / 2)] ?? 0n
  return median + median / 10n
}

/** The tip for the block after a head: the least, unless the head had no room for another of its transactions. */
function rollupTipAfter(head: SealedBlock): bigint {
  const most = head.executed.reduce((gas, { receipt }) => (receipt.gasUsed > gas ? receipt.gasUsed : gas), 0n)
  if (head.header.gasUsed + most <= head.header.gasLimit) return LEAST_TIP
  const suggested = overMedian(head)
  if (suggested <= LEAST_TIP) return LEAST_TIP
  return suggested < MOST_TIP ? suggested : MOST_TIP
}

function minimumTipOf({ config, controls }: NodeState): bigint {
  return controls.minimumTip ?? config.poolLimits.minimumTip
}

export function suggestedTip(state: NodeState): bigint {
  const suggested = state.rollup === undefined ? SUGGESTED_TIP : rollupTipAfter(state.chain.head)
  const least = minimumTipOf(state)
  return least > suggested ? least : suggested
}

export function admissionContext(state: NodeState): AdmissionContext {
  const { chain, config } = state
  const poolTransactions = state.controls.poolLimit ?? config.poolLimits.poolTransactions
  return {
    rules: chain.open?.rules ?? states.nextRules(state),
    limits: { ...config.poolLimits, minimumTip: minimumTipOf(state), poolTransactions },
    blockGasLimit: states.nextGasLimit(state),
    allowUnlimitedContractSize: config.evmPools.settings.allowUnlimitedContractSize,
    state: states.pendingWorld(state),
  }
}

export async function submitTransaction(state: NodeState, transaction: Transaction) {
  const { pool, replaced } = admitTransaction(admissionContext(state), state.pool, transaction)
  const steps = new Steps({ ...state, pool })
  if (replaced !== undefined)
    steps.events.push({ type: 'transactionReplaced', transaction: replaced, by: transaction })
  steps.events.push({ type: 'transactionAccepted', transaction })
  if (state.settings.automines) steps.add(await sealPool(steps.state))
  return steps.finish(transaction)
}

/** Sets how many transactions the pool holds; `undefined` for the limit of the options. Pooled transactions stay. */
export function setPoolLimit(state: NodeState, poolLimit: number | undefined): Transition {
  return unchanged(states.withControls(state, { poolLimit }))
}

/** Ends the hold on a transaction; returns whether there was one. With automine, the transaction is sealed at once. */
export async function releaseTransaction(state: NodeState, hash: Hash): Promise<Transition<boolean>> {
  const released = withoutHold(state, hash)
  if (released === state || !state.settings.automines)
    return { ...unchanged(released), result: released !== state }
  return { ...(await sealPool(released)), result: true }
}

/** Which fee caps up to a transaction's nonce are below the base fee, and what helps; `undefined` if none is. */
export function feeObstacleFor(state: NodeState, { transaction }: PooledTransaction): string | undefined {
  const { baseFeePerGas } = states.currentOpenBlock(state).environment
  const low = queueOf(state.pool, transaction.sender).transactions.find(
    (queued) => queued.transaction.maxFeePerGas < baseFeePerGas,
  )?.transaction
  if (low === undefined || low.nonce > transaction.nonce) return undefined
  const [cap, nonce] = [low.maxFeePerGas, low.nonce]
  const whose = nonce === transaction.nonce ? 'its fee cap' : `the fee cap of nonce ${nonce} before it`
  const words = `${whose}, ${cap} wei per gas, is below the base fee of ${baseFeePerGas}`
  return `${words}: send nonce ${nonce} again with a higher fee, or chain.setNextBlockBaseFee(${cap}n) and chain.seal()`
}

/** Why the next block does not take a transaction, and what helps; `undefined` if it may. */
export function obstacleFor(state: NodeState, pooled: PooledTransaction): string | undefined {
  const { hash, sender, nonce } = pooled.transaction
  const { controls, pool } = state
  if (controls.holds.has(hash)) return 'it is held back by chain.delayTransaction'
  let next = states.pendingWorld(state).get(sender)?.nonce ?? 0n
  for (const queued of queueOf(pool, sender).transactions) if (queued.transaction.nonce === next) next++
  if (nonce > next) return `it waits for nonce ${next} of ${sender}, and has nonce ${nonce}`
  return feeObstacleFor(state, pooled)
}

export function nextStepForPooled(state: NodeState, pooled: PooledTransaction): string {
  const obstacle = obstacleFor(state, pooled)
  if (obstacle !== undefined) return obstacle
  if (state.settings.automines) return 'chain.seal() puts it into a block, if it can be in one'
  const { partialBlockTimeMs, blockTimeMs } = state.settings
  const next = partialBlockTimeMs === blockTimeMs ? 'block' : 'partial block'
  return `chain.advance(${nextPartialAt(state) - state.nowMs}) goes to the next ${next}, which may take it`
}

/** The most accounts to look at: a guess must not take longer than it saves. */
const MOST_ACCOUNTS = 20

/** The nonce after those in blocks and in the pool. */
function nextNonce(world: WorldState, pool: Pool, address: Address): bigint {
  const last = queueOf(pool, address).transactions.at(-1)
  return last === undefined ? readAccount(world, address).nonce : last.transaction.nonce + 1n
}

/**
 * The first account with a known key whose next nonce is `nonce`; otherwise the one whose next nonce is the highest
 * below it, because earlier transactions may still be on their way.
 */
export function likelySigner(state: NodeState, nonce: bigint): KeyHolder | undefined {
  const { controls, pool, chain } = state
  // The nonces there may not be known yet, and a guess is made before a turn, where nobody waits for them.
  if (chain.fork !== undefined) return undefined
  const world = states.pendingWorld(state)
  let nearest: KeyHolder | undefined
  let nearestNonce = -1n
  let looked = 0
  for (const [address, { key }] of controls.accounts) {
    if (++looked > MOST_ACCOUNTS) break
    if (key === undefined) continue
    const next = nextNonce(world, pool, address)
    if (next > nonce || next <= nearestNonce) continue
    nearest = { address, privateKey: key }
    nearestNonce = next
    if (next === nonce) break
  }
  return nearest
}
