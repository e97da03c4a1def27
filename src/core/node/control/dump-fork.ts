// The fork of a chain in a state dump: what was read from the upstream, so that the chain goes on without it.

import { type SealedBlock, sealBlock } from '../../chain/block/block.ts'
import { createForkBlock } from '../../chain/block/genesis.ts'
import { appendBlock, blockAt, type Chain, createChain } from '../../chain/chain.ts'
import { dumpPacked, loadBlocks, loadChanges } from '../../chain/dump/block.ts'
import { restoreBlock } from '../../chain/history/archived-block.ts'
import { createFork, type Fork } from '../../fork/fork.ts'
import type { ForkRules } from '../../fork/networks.ts'
import { readRecording } from '../../fork/recording.ts'
import type { ForkedRollup } from '../../fork/rollup-at.ts'
import { ROOTS } from '../../fork/state-requests.ts'
import { FORK_CONCURRENCY } from '../../fork/upstream.ts'
import { TickchainError } from '../../primitives/errors.ts'
import { loadFields } from '../../primitives/fields.ts'
import { type Address, toQuantity } from '../../primitives/hex.ts'
import type { ForeignJson } from '../../primitives/json-reader.ts'
import { B20_FEATURES } from '../../rollup/base/features.ts'
import { SELECTABLE_HARDFORKS } from '../../rollup/hardforks.ts'
import type { BlobParameters } from '../../rollup/rules.ts'
import type { TransactionGasCap } from '../../rollup/schedule.ts'
import { STACK_NAMES, STACKS } from '../../rollup/stacks.ts'
import { OverlayMap, withMissesLoaded } from '../../state/overlay-map.ts'
import { packChanges } from '../../state/state-changes.ts'
import { commitStateLater } from '../../state/state-tries.ts'
import { EMPTY_WORLD_STATE } from '../../state/world-state.ts'
import type { NodeState } from '../node-state.ts'
import { blockWithPool } from '../pending.ts'

/**
 * Learns what the next block reads, with the transactions of the pool, so that the chain of a dump goes on without the
 * upstream. What is not answered is left out.
 */
export async function learnNextBlock(state: NodeState): Promise<void> {
  if (state.chain.fork?.upstream() === undefined) return
  const rehearsed: NodeState = { ...state, isRehearsed: true }
  try {
    await withMissesLoaded(async () => sealBlock(await blockWithPool(rehearsed)))
  } catch (error) {
    if (!(error instanceof TickchainError)) throw error
  }
}

function dumpBalances({ balances }: Fork): Record<Address, string> {
  const sorted = [...balances].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([address, balance]) => [address, toQuantity(balance)]))
}

/** A fork as JSON: its rules, what its roots are, the least balances of accounts, its recording, and the edits of the state at its block. */
export function dumpFork(chain: Chain, fork: Fork) {
  const { state } = (blockAt(chain, chain.first) as SealedBlock).committed
  const { rules, roots } = fork
  const { bytes, codes } = packChanges(state.untouched, state)
  const recording = fork.recording()
  return { ...rules, roots, balances: dumpBalances(fork), recording, edits: dumpPacked(bytes, codes) }
}

function loadBalances(dumped: ForeignJson): Map<Address, bigint> {
  const addresses = Object.keys(dumped.object())
  return new Map(
    addresses.map((address) => [dumped.at(' key', address).hex(20), dumped.field(address).amount()]),
  )
}

const INTEGER = { kind: 'integer' } as const
const INTEGERS = {
  denominator: INTEGER,
  denominatorBeforeCanyon: INTEGER,
  elasticity: INTEGER,
  l1ChainId: INTEGER,
}
const BLOBS = { target: INTEGER, max: INTEGER, baseFeeUpdateFraction: INTEGER }

function loadForkedRollup(dumped: ForeignJson): ForkedRollup {
  const stack = dumped.field('stack').oneOf(STACK_NAMES)
  const names = Object.keys(STACKS[stack].forks)
  const forks = dumped.field('forks')
  const times = () =>
    Object.keys(forks.object()).map((fork) => [forks.at('', fork).oneOf(names), forks.field(fork).integer()])
  return {
    stack,
    forks: typeof forks.value === 'string' ? forks.oneOf(names) : Object.fromEntries(times()),
    ...loadFields(INTEGERS, dumped),
    features: dumped
      .field('features')
      .optional((features) => features.items().map((item) => item.oneOf(B20_FEATURES))),
    firstMillis: dumped.field('firstMillis').optional((millis) => millis.integer()),
  }
}

function loadBlobs(dumped: ForeignJson): BlobParameters {
  const blobs = loadFields(BLOBS, dumped)
  for (const [name, count] of Object.entries(blobs))
    if (count === 0) dumped.field(name).refuse('a number from 1')
  return blobs
}

function loadRules(dumped: ForeignJson): ForkRules {
  return {
    hardfork: dumped.field('hardfork').oneOf(SELECTABLE_HARDFORKS),
    blobs: dumped.field('blobs').optional(loadBlobs),
    rollup: dumped.field('rollup').optional(loadForkedRollup),
  }
}

/**
 * The fork of a dump: the present one if it is the same. One of the same block with other rules or accounts asks the present
 * upstream for the rest; one of another block only knows the dump.
 */
async function openFork(dumped: ForeignJson, { present, transactionGasCap, blockTimeMs }: ForkedState) {
  const { value: recording } = dumped.field('recording')
  if (typeof recording !== 'string') return dumped.field('recording').refuse('a recording')
  const { of, learning } = readRecording(recording)
  const balances = loadBalances(dumped.field('balances'))
  const rules = loadRules(dumped)
  const roots = dumped.field('roots').optional((given) => given.oneOf(ROOTS)) ?? 'synthetic'
  const isSameBlock = present?.chainId === of.chainId && present.header.hash === of.hash
  const isPresent =
    isSameBlock &&
    JSON.stringify(present.rules) === JSON.stringify(rules) &&
    present.roots === roots &&
    JSON.stringify(dumpBalances(present)) === JSON.stringify(dumpBalances({ ...present, balances }))
  if (isPresent) {
    present.learn(learning)
    return present
  }
  const file = { name: 'in the state dump', read: () => recording, write: () => undefined }
  const upstream = isSameBlock ? present.upstream() : undefined
  return createFork({
    upstream,
    recording: { file, mode: upstream === undefined ? 'replay' : 'auto' },
    selector: of.number,
    concurrency: FORK_CONCURRENCY,
    rules,
    balances,
    roots,
    blockTimeMs,
    transactionGasCap,
  })
}

interface ForkedState {
  readonly chainId: number
  readonly stateHistory: number
  readonly present: Fork | undefined
  readonly transactionGasCap: TransactionGasCap
  readonly blockTimeMs: number
}

export async function loadForkedChain(own: ForeignJson, before: ForkedState): Promise<Chain> {
  const { chainId, stateHistory } = before
  const dumped = own.field('fork')
  const fork = await openFork(dumped, before)
  const schedule = fork.scheduleFor(chainId)
  const rules = schedule.rulesAt(fork.header)
  const untouched = createForkBlock(rules, fork.header, OverlayMap.over(fork.base))
  const edited = loadChanges(dumped.field('edits'), untouched.committed.state)
  const below = { ...untouched, committed: commitStateLater(untouched.committed, edited) }
  const { blocks } = loadBlocks(schedule, own, EMPTY_WORLD_STATE, below)
  return blocks.reduce(
    (chain, { block }) => appendBlock(chain, restoreBlock(block)),
    createChain(below, stateHistory, fork),
  )
}
