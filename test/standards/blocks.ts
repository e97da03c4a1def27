// Random blocks held to @ethereumjs: what its VM and blockchain take and refuse, is taken and refused here, and the
// blocks that they build are imported to the same bytes.

import type { BlockHeader } from '@ethereumjs/block'
import fc from 'fast-check'
import { createEmulator, type Emulator, TickchainError } from 'tickchain'
import { bytesToHex, fromRlp, type Hex, hexToBytes, toRlp } from 'viem'
import { afterAll, expect, test } from 'vitest'
import type { Hardfork } from '../../src/core/rollup/hardforks.ts'
import { forge, type Item } from '../core/chain/forge.ts'
import { integer } from '../core/pool/by-hand.ts'
import { sampled, scaled } from '../size.ts'
import { genesisUnder, isSince } from './genesis-files.ts'
import {
  accountsOf,
  type BlockPlan,
  CHAIN_ID,
  type Scene,
  scenes,
  signTransactions,
  startSigners,
} from './random-blocks.ts'
import { type Spoil, spoilt } from './random-transactions.ts'
import { type Draft, type ReferenceChain, startReferenceChain } from './reference-chain.ts'
import { ALL_FORKS } from './reference-parameters.ts'
import { executeStateless } from './stateless.ts'

const GAS_LIMIT = 30_000_000n

/** One of the forks in which a header has as many fields. */
function eraOf(hardfork: Hardfork): 'frontier' | 'london' | 'shanghai' | 'cancun' | 'osaka' {
  if (isSince(hardfork, 'prague')) return 'osaka'
  if (isSince(hardfork, 'cancun')) return 'cancun'
  if (isSince(hardfork, 'shanghai')) return 'shanghai'
  return isSince(hardfork, 'london') ? 'london' : 'frontier'
}

async function unclesOf(reference: ReferenceChain, plan: BlockPlan): Promise<BlockHeader[]> {
  const head = reference.head().header
  const uncles: BlockHeader[] = []
  for (const [index, kind] of plan.uncles.entries()) {
    // The first block has no ancestor but genesis, and genesis no sibling.
    if (head.number === 0n) break
    const before = (await reference.blockAt(Number(head.number) - 1)).header
    const coinbase: Hex = `0x${`d${index}`.repeat(20)}`
    const good = reference.uncleOf(before, 9 + index, coinbase)
    if (kind === 'good') uncles.push(good)
    if (kind === 'twice') uncles.push(good, good)
    if (kind === 'ancestor') uncles.push(head)
    if (kind === 'sibling') uncles.push(reference.uncleOf(head, 9, coinbase))
    if (kind === 'late') uncles.push(reference.uncleOf(before, 0, coinbase))
  }
  return uncles.slice(0, 2)
}

async function draftOf(
  reference: ReferenceChain,
  plan: BlockPlan,
  transactions: readonly Hex[],
): Promise<Draft> {
  const { secondsAfterParent, coinbase, extraData, mixHash, nonce, parentBeaconBlockRoot } = plan
  return {
    ...{ secondsAfterParent, coinbase, extraData, mixHash, nonce, parentBeaconBlockRoot, transactions },
    gasLimit: reference.head().header.gasLimit + BigInt(plan.gasLimitShift),
    uncles: await unclesOf(reference, plan),
    withdrawals: plan.withdrawals.map(({ index, address, amount }) => ({
      ...{ index, address, amount },
      validatorIndex: index,
    })),
  }
}

/** In a block a legacy transaction is a list. */
function inBlock(raw: Hex): Item {
  return Number(raw.slice(0, 4)) >= 0xc0 ? (fromRlp(raw, 'hex') as Item) : raw
}

const itemsOf = (header: BlockHeader): readonly Hex[] =>
  header.raw().map((bytes) => bytesToHex(bytes as Uint8Array))

/** Why this library refuses such a block, whatever its roots are said to be; `undefined` if it does not. */
async function refusalHere(
  chain: Emulator,
  hardfork: Hardfork,
  draft: Draft,
  parent: BlockHeader,
): Promise<string | undefined> {
  const { coinbase, extraData, mixHash, nonce, gasLimit, parentBeaconBlockRoot } = draft
  const withdrawals = draft.withdrawals.map(({ index, validatorIndex, address, amount }) => [
    ...[index, validatorIndex].map((it) => integer(it as bigint)),
    address as Hex,
    integer(amount as bigint),
  ])
  const outcome = await forge(chain.clone(), eraOf(hardfork), {
    transactions: draft.transactions.map(inBlock),
    uncles: draft.uncles.map(itemsOf),
    ...(isSince(hardfork, 'shanghai') ? { rest: [withdrawals] } : {}),
    header: {
      ...{ coinbase, extraData, mixHash, parentBeaconBlockRoot },
      ...(isSince(hardfork, 'paris') ? {} : { nonce }),
      gasLimit: integer(gasLimit),
      timestamp: integer(parent.timestamp + BigInt(draft.secondsAfterParent)),
    },
  })
  return 'refusal' in outcome ? outcome.refusal.message : undefined
}

/** The error of an attempt; `undefined` if it succeeds. */
async function failureOf(attempt: Promise<unknown>): Promise<Error | undefined> {
  try {
    await attempt
    return undefined
  } catch (error) {
    return error as Error
  }
}

interface Tally {
  built: number
  /** Transactions in them. */
  executed: number
  refused: number
  spoiltAndTaken: number
  spoiltAndRefused: number
}

interface Stage {
  readonly hardfork: Hardfork
  /** Builds blocks. */
  readonly builder: ReferenceChain
  /** Checks them as they come, and spoilt ones before. */
  readonly checker: ReferenceChain
  readonly chain: Emulator
  readonly tally: Tally
}

/**
 * True where a block may be refused here alone. @ethereumjs/block reads more than the encodings that it writes (leading
 * zeros, parts too many or too few), and checks nothing of a block that says that its number is zero. This library
 * takes no timestamp from 2⁵³ on (docs/compliance.md).
 */
function isRefusedHereAlone(checker: ReferenceChain, rlp: Hex): boolean {
  const [header] = fromRlp(rlp, 'hex') as readonly (readonly Hex[])[]
  const [number, timestamp] = [header?.[8], header?.[11]]
  return (
    checker.encodeAgain(hexToBytes(rlp)) !== rlp ||
    number === '0x' ||
    BigInt(timestamp ?? 0) > BigInt(Number.MAX_SAFE_INTEGER)
  )
}

/** Both say the same of copies of a block in which something else stands. */
async function compareSpoilt(
  { checker, chain, tally }: Stage,
  built: Hex,
  spoils: readonly Spoil[],
): Promise<void> {
  for (const each of spoils) {
    const rlp = toRlp(spoilt(fromRlp(built, 'hex') as readonly Item[], each) as Hex[])
    const expected = await failureOf(checker.check(hexToBytes(rlp)))
    const refusal = await failureOf(chain.clone().importBlocks(rlp))
    if (refusal !== undefined && !(refusal instanceof TickchainError)) throw refusal
    if (refusal === undefined) tally.spoiltAndTaken++
    else tally.spoiltAndRefused++
    if (expected === undefined && refusal !== undefined && isRefusedHereAlone(checker, rlp)) continue
    const verdicts = `@ethereumjs: ${expected?.message}, here: ${refusal?.message}, of ${rlp}`
    expect(expected === undefined, verdicts).toBe(refusal === undefined)
  }
}

/** Before byzantium a receipt has the state root after its transaction (EIP-658). */
async function compareRoots(chain: Emulator, hardfork: Hardfork): Promise<void> {
  if (isSince(hardfork, 'byzantium')) return
  const receipts = (await chain.request('eth_getBlockReceipts', ['latest'])) as readonly { root: Hex }[]
  expect(await chain.request('debug_intermediateRoots', ['latest'])).toEqual(receipts.map(({ root }) => root))
}

async function compareBlock(stage: Stage, draft: Draft, spoils: readonly Spoil[]): Promise<boolean> {
  const { hardfork, builder, checker, chain, tally } = stage
  const parent = builder.head().header
  let built: Hex
  try {
    built = await builder.build(draft)
  } catch (error) {
    const refusal = await refusalHere(chain, hardfork, draft, parent)
    expect(refusal, `refused by the reference: ${(error as Error).message}`).toBeDefined()
    tally.refused++
    return false
  }
  await compareSpoilt(stage, built, spoils)
  await checker.importBlock(hexToBytes(built))
  await chain.importBlocks(built)
  expect(await chain.request('debug_getRawBlock', ['latest'])).toBe(built)
  await compareRoots(chain, hardfork)
  await executeStateless(checker.common, built, await chain.request('debug_executionWitness', ['latest']))
  tally.built++
  tally.executed += draft.transactions.length
  return true
}

async function compareScene(
  hardfork: Hardfork,
  scene: Scene,
  interpreter: 'wasm' | 'reference',
  tally: Tally,
) {
  const genesis = genesisUnder(hardfork, CHAIN_ID, accountsOf(hardfork, scene), GAS_LIMIT)
  const builder = await startReferenceChain(genesis)
  const checker = await startReferenceChain(genesis)
  const chain = await createEmulator({ genesis: genesis as never, accounts: [], interpreter })
  const stage = { hardfork, builder, checker, chain, tally }
  expect((await chain.request('eth_getBlockByNumber', ['0x0', false]))?.hash).toBe(builder.genesisHash)
  let signers = await startSigners(builder)
  let first = 0
  for (const plan of scene.blocks) {
    const before = signers
    signers = { senders: new Map(before.senders), authorities: new Map(before.authorities) }
    const signed = await signTransactions(scene, signers, [first, first + plan.count])
    const isBuilt = await compareBlock(stage, await draftOf(builder, plan, signed), plan.spoils)
    if (!isBuilt) signers = before
    first += plan.count
  }
}

/** Random blocks on random chains under every fork. */
export function testBlocks(): void {
  const numRuns = Math.max(2, scaled(4))
  const tally: Tally = { built: 0, executed: 0, refused: 0, spoiltAndTaken: 0, spoiltAndRefused: 0 }
  test.each(sampled(ALL_FORKS))('under %s', { tags: 'gate' }, async (hardfork) => {
    const interpreter = fc.constantFrom('wasm', 'reference')
    const scene = scenes(hardfork)
    const { built } = tally
    await fc.assert(
      fc.asyncProperty(scene, interpreter, (each, run) => compareScene(hardfork, each, run, tally)),
      { seed: 20261122 + ALL_FORKS.indexOf(hardfork), numRuns, endOnFailure: true },
    )
    expect(tally.built).toBeGreaterThan(built)
  })
  // Under all forks together there have been blocks of every fate.
  afterAll(() => {
    expect(Math.min(...Object.values(tally)), JSON.stringify(tally)).toBeGreaterThanOrEqual(scaled(4))
  })
}
