// The first block of a forked chain, and what stands below it.

import { type OpenBlock, openBlock, type SealedBlock } from '../chain/block/block.ts'
import { executeTransactions } from '../chain/block/execute-block.ts'
import { createForkBlock } from '../chain/block/genesis.ts'
import { createEvmPools, evmPoolFor } from '../execution/evm/evm-pool.ts'
import type { Transaction } from '../execution/transaction/transaction.ts'
import { answerTo } from '../fork/answers.ts'
import { createFork, type Fork } from '../fork/fork.ts'
import { fundIn } from '../fork/known.ts'
import { blockRequest, checkedForkHeader, type PlaceWithin } from '../fork/source.ts'
import { isUpstreamFailure, nameOfRequest } from '../fork/upstream.ts'
import type { RollupState } from '../node/rollup/origins.ts'
import { decodeIncluded } from '../pool/decode.ts'
import { keccak256Hex } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import { type Address, EMPTY_BYTES, type Hash, ZERO_HASH } from '../primitives/hex.ts'
import { textOf } from '../primitives/text-of.ts'
import type { Rules } from '../rollup/rules.ts'
import { startWrites } from '../rollup/system-contracts.ts'
import { OverlayMap, withMissesLoaded } from '../state/overlay-map.ts'
import { commitStateLater } from '../state/state-tries.ts'
import { refuseOption } from './checks.ts'
import { continueRollup, type Founding } from './found-rollup.ts'
import type { ResolvedOptions } from './options/options.ts'

export interface Beginning {
  readonly chainId: number
  readonly block: SealedBlock
  /** The block being built, if it has transactions from the start. */
  readonly open?: OpenBlock | undefined
  readonly extraData: Uint8Array
  readonly fork?: Fork
  readonly rollup?: RollupState | undefined
}

/** A transaction before the place that is forked; layer 2s have some that are of no type here, and deposits. */
function decodeBefore(raw: unknown, hash: unknown, rules: Rules): Transaction {
  const answer = answerTo(raw, 'eth_getRawTransactionByHash', [hash])
  const bytes = answer.bytes()
  const refuse = (why: string): never =>
    refuseOption('fork.block', `a transaction with those before it executable; ${hash} is ${why}`, hash)
  let transaction: Transaction
  try {
    transaction = decodeIncluded(bytes)
  } catch (error) {
    return refuse(`none that can be decoded (${textOf(error)})`)
  }
  if (keccak256Hex(bytes) !== hash) answer.refuse('a transaction with this hash')
  const isRefused = transaction.deposit !== undefined && rules.rollup === undefined
  return isRefused ? refuse('a deposit of a rollup') : transaction
}

/** Waits for what is read ahead, which may be refused: a read that needs it asks again. */
async function ahead(done: Promise<void>): Promise<void> {
  try {
    await done
  } catch (error) {
    if (!isUpstreamFailure(error)) throw error
  }
}

/** The block that a place within names, open, with the transactions before the place. */
async function openWithin(
  options: ResolvedOptions,
  fork: Fork,
  chainId: number,
  { parent, within }: { readonly parent: SealedBlock; readonly within: PlaceWithin },
): Promise<OpenBlock> {
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> =>
    withMissesLoaded(() => fork.answer(method, params))
  const request = blockRequest(within.number)
  const block = await ask(...request)
  const header = checkedForkHeader(within.number, block)
  const { number, hash: known } = fork.header
  if (header.parentHash !== known)
    throw failure('upstreamReorganised', {
      number,
      known,
      hash: header.parentHash,
      request: nameOfRequest(...request),
    })
  const listed = answerTo(block, ...request).field('transactions')
  const all = listed.array()
  if (all[within.count] !== within.hash) listed.refuse(`${within.hash} at ${within.count}`)
  // It may be the first of a fork of the chain.
  const rules = fork.scheduleFor(chainId).rulesAt(header)
  const hashes = all.slice(0, within.count)
  const raws = await Promise.all(hashes.map((hash) => ask('eth_getRawTransactionByHash', [hash])))
  const transactions = raws.map((raw, index) => decodeBefore(raw, hashes[index], rules))
  const { header: full } = createForkBlock(rules, header, parent.committed.state)
  const environment = { ...full, difficulty: 0n }
  // What they touch, the upstream may tell at once.
  const { coinbase } = environment
  await ahead(fork.prefetchCalls(transactions.map((each) => ({ ...each, from: each.sender, coinbase }))))
  const context = {
    evmPool: evmPoolFor(createEvmPools(options), rules),
    blockHashOf: fork.blockHashAt,
  }
  const empty = await withMissesLoaded(() => openBlock(rules, parent, environment))
  return executeTransactions(context, empty, transactions)
}

/** The block of a fork, and its state with funded accounts, where those are written. */
async function firstBlock(fork: Fork, rules: Rules, balances: ReadonlyMap<Address, bigint>) {
  // Every block reads them at its start, also where nobody could wait for them.
  const start = startWrites(rules, { ...fork.header, parentBeaconBlockRoot: ZERO_HASH })
  const addresses = [...start.map(({ address }) => address), ...balances.keys()]
  const keys = addresses.map((address) => [address, new Set<Hash>()] as const)
  await ahead(fork.prefetch(new Map([...keys, ...(rules.rollup?.stack.readByBlocks ?? [])])))
  const block = createForkBlock(rules, fork.header, OverlayMap.over(fork.base))
  const { committed } = block
  const state = await withMissesLoaded(() => fundIn(committed.state, balances))
  return state === committed.state ? block : { ...block, committed: commitStateLater(committed, state) }
}

function refuseOnRollup({ overFork, hardfork, flavor, blobTransactions }: ResolvedOptions, fork: Fork): void {
  const { rollup } = fork.rules
  if (rollup === undefined) return
  const rollupFork = `a fork of chain ${fork.chainId}, which is a rollup`
  const named = `rollup: { stack: '${rollup.stack}', fork }`
  // Hardhat's configuration always names one.
  if (overFork?.has('hardfork') === true && flavor !== 'hardhat')
    refuseOption('hardfork', `none on ${rollupFork}: ${named} names another fork of it`, hardfork)
  if (blobTransactions !== 'refused')
    refuseOption('blobTransactions', `none on ${rollupFork} and refuses them`, blobTransactions)
}

export async function beginAtFork(
  options: Founding,
  plan: Pick<
    Parameters<typeof createFork>[0],
    'upstream' | 'selector' | 'concurrency' | 'recording' | 'roots'
  >,
): Promise<Beginning> {
  const balances = new Map(options.held.map(({ address, balance }) => [address, balance]))
  const hardfork = options.overFork?.has('hardfork') ? options.hardfork : undefined
  // Proven roots commit to the upstream's accounts, so funding them is a write.
  const [below, written] = plan.roots === 'proven' ? [new Map(), balances] : [balances, new Map()]
  const { blockTimeMs, limits, signal } = options
  const transactionGasCap = limits.transactionGas
  const { overRollup: rollup } = options
  const own = { signal, hardfork, balances: below, blockTimeMs, transactionGasCap, rollup }
  const fork = await createFork({ ...plan, ...own })
  refuseOnRollup(options, fork)
  const chainId = options.overFork?.has('chainId') ? options.chainId : fork.chainId
  const rules = fork.scheduleFor(chainId).rulesAt(fork.header)
  const block = await firstBlock(fork, rules, written)
  const { within } = fork
  const open =
    within === undefined ? undefined : await openWithin(options, fork, chainId, { parent: block, within })
  const state = await continueRollup(options, fork, { block, open })
  return { chainId, block, open, extraData: EMPTY_BYTES, fork, rollup: state }
}
