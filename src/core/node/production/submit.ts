// Submission of transactions, and settings of the headers of later blocks. A block that has begun keeps its
// environment: a change applies from the block after it, and a change for the next block alone is refused.

import { MAX_EXTRA_DATA_BYTES, type SealedBlock } from '../../chain/block/block.ts'
import { effectiveTip, type Transaction } from '../../execution/transaction/transaction.ts'
import { type AdmissionContext, admitTransaction } from '../../pool/admit.ts'
import type { KeyHolder } from '../../pool/payload.ts'
import { type Pool, type PooledTransaction, queueOf, removeTransaction } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { SUGGESTED_TIP } from '../../rollup/fees.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import { Steps, type Transition, unchanged } from '../events.ts'
import { withoutHold } from '../faults/scheduling.ts'
import type { NodeState } from '../node-state.ts'
import * as states from '../node-state.ts'
import { nextPartialAt, sealPool } from './block-production.ts'

export function setCoinbase(state: NodeState, coinbase: Address): NodeState {
  return states.withSettings(state, { coinbase })
}

/** Throws `extraDataDecided` from holocene on, and `extraDataTooLong`. */
export function setExtraData(
  config: states.NodeConfig,
  state: NodeState,
  extraData: Uint8Array,
  call: string,
): NodeState {
  if (states.nextRules(config, state).rollup?.changes.hasExtraData)
    throw failure('extraDataDecided', { call })
  const most = MAX_EXTRA_DATA_BYTES
  if (extraData.length > most) throw failure('extraDataTooLong', { size: extraData.length, most })
  return states.withSettings(state, { extraData })
}

/** Transactions with a higher gas limit leave the pool: no block could hold them. */
export function setBlockGasLimit(state: NodeState, blockGasLimit: bigint): NodeState {
  if (blockGasLimit === 0n) throw failure('blockGasLimitZero')
  let { pool } = state
  for (const [, { transaction }] of state.pool.byHash.entries()) {
    if (transaction.gasLimit > blockGasLimit) pool = removeTransaction(pool, transaction)
  }
  const { rollup } = state
  const limited = { ...states.withSettings(state, { blockGasLimit }), pool }
  return rollup === undefined ? limited : { ...limited, rollup: { ...rollup, gasLimit: blockGasLimit } }
}

/** Sets the base fee of the next block; later base fees follow from it (EIP-1559). */
export function setNextBaseFee(
  config: states.NodeConfig,
  state: NodeState,
  nextBaseFee: bigint,
  call: string,
): NodeState {
  if (state.chain.open !== undefined) throw failure('blockBegun')
  if (!isForkActive(states.nextRules(config, state), 'london')) throw failure('needsBaseFee', { call })
  return states.withControls(state, { nextBaseFee })
}

/** Sets prevRandao of the next block; later blocks continue from it. */
export function setNextPrevRandao(
  config: states.NodeConfig,
  state: NodeState,
  nextPrevRandao: Hash,
  call: string,
): NodeState {
  if (state.chain.open !== undefined) throw failure('blockBegun')
  const rules = states.nextRules(config, state)
  if (!isForkActive(rules, 'paris')) throw failure('needsMerge', { call, hardfork: rules.hardfork })
  return states.withControls(state, { nextPrevRandao })
}

/** Sets the least tip that the pool accepts; pooled transactions stay. */
export function setMinimumTip(state: NodeState, minimumTip: bigint): NodeState {
  return states.withControls(state, { minimumTip })
}

/** The fate of cheaper transactions: refused, or waiting in the pool. */
type Cheaper = 'refused' | 'wait'

/** Sets the least gas price; throws `replacedByBaseFee` from london on. Pooled transactions stay. */
export function setMinimumGasPrice(
  config: states.NodeConfig,
  state: NodeState,
  gasPrice: bigint,
  cheaper: Cheaper,
  call: string,
): NodeState {
  if (isForkActive(states.nextRules(config, state), 'london')) throw failure('replacedByBaseFee', { call })
  return cheaper === 'refused'
    ? setMinimumTip(state, gasPrice)
    : states.withControls(state, { leastGasPrice: gasPrice })
}

/**
 * Sets the chain id, also of the block being built, whose header does not contain it. Transactions signed for another
 * chain id stay in the pool until it is set again.
 */
export function setChainId(config: states.NodeConfig, state: NodeState, chainId: number): NodeState {
  const changed = states.withSettings(state, { chainId })
  const { open } = state.chain
  if (open === undefined) return changed
  const rules = states.scheduleUnder(config, state, chainId).rulesAt(open.environment)
  return { ...changed, chain: { ...state.chain, open: { ...open, rules } } }
}

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

/** The least tip that the pool accepts now. */
function minimumTipOf({ poolLimits }: states.NodeConfig, { controls }: NodeState): bigint {
  return controls.minimumTip ?? poolLimits.minimumTip
}

/** The tip that fee suggestions contain. */
export function suggestedTip(config: states.NodeConfig, state: NodeState): bigint {
  const suggested = state.rollup === undefined ? SUGGESTED_TIP : rollupTipAfter(state.chain.head)
  const least = minimumTipOf(config, state)
  return least > suggested ? least : suggested
}

/** The context of admission, with the pre-confirmed state. */
export function admissionContext(config: states.NodeConfig, state: NodeState): AdmissionContext {
  const { chain } = state
  const poolTransactions = state.controls.poolLimit ?? config.poolLimits.poolTransactions
  return {
    rules: chain.open?.rules ?? states.nextRules(config, state),
    limits: { ...config.poolLimits, minimumTip: minimumTipOf(config, state), poolTransactions },
    blockGasLimit: states.nextGasLimit(state),
    allowUnlimitedContractSize: config.evmPools.settings.allowUnlimitedContractSize,
    state: states.pendingWorld(state),
  }
}

export async function submitTransaction(
  config: states.NodeConfig,
  state: NodeState,
  transaction: Transaction,
): Promise<Transition<Transaction>> {
  const { pool, replaced } = admitTransaction(admissionContext(config, state), state.pool, transaction)
  const steps = new Steps({ ...state, pool })
  if (replaced !== undefined) {
    steps.events.push({ type: 'transactionReplaced', transaction: replaced, by: transaction })
  }
  steps.events.push({ type: 'transactionAccepted', transaction })
  if (state.settings.automines) steps.add(await sealPool(config, steps.state))
  return steps.finish(transaction)
}

/** Sets how many transactions the pool holds; `undefined` for the limit of the options. Pooled transactions stay. */
export function setPoolLimit(state: NodeState, poolLimit: number | undefined): Transition {
  return unchanged(states.withControls(state, { poolLimit }))
}

/** Ends the hold on a transaction; returns whether there was one. With automine, the transaction is sealed at once. */
export async function releaseTransaction(
  config: states.NodeConfig,
  state: NodeState,
  hash: Hash,
): Promise<Transition<boolean>> {
  const released = withoutHold(state, hash)
  if (released === state || !state.settings.automines) {
    return { ...unchanged(released), result: released !== state }
  }
  return { ...(await sealPool(config, released)), result: true }
}

/** The next step for a pooled transaction, as text. */
export function nextStepForPooled(state: NodeState, { transaction }: PooledTransaction): string {
  const { hash, sender, nonce } = transaction
  const { controls, nowMs, pool, settings } = state
  if (controls.holds.has(hash)) return 'it is held back by chain.delayTransaction'
  let next = states.pendingWorld(state).get(sender)?.nonce ?? 0n
  for (const queued of queueOf(pool, sender).transactions) if (queued.transaction.nonce === next) next++
  if (nonce > next) return `it waits for nonce ${next} of ${sender}, and has nonce ${nonce}`
  if (settings.automines) return 'chain.seal() puts it into a block, if it can be in one'
  return `chain.advance(${nextPartialAt(state) - nowMs}) goes to the next partial block, which may take it`
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
