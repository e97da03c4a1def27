// State dumps, written and loaded (docs/state-format.md). A dump holds the chain; settings and controls (mining mode,
// block time, ordering, impersonation) are those of the emulator that loads it.

import { blockAt, blocksAboveFirst, blocksBetween, type Chain, chainOf } from '../../chain/chain.ts'
import { dumpAccounts, loadAccounts, mergeAccounts } from '../../chain/dump/accounts.ts'
import { dumpBlock, dumpOpenBlock, loadBlocks, loadOpenBlock } from '../../chain/dump/block.ts'
import { dumpTransaction, loadTransaction } from '../../chain/dump/header.ts'
import { worldAfter } from '../../chain/history/archived-block.ts'
import { nameOfMissing } from '../../fork/recording.ts'
import { readmit } from '../../pool/admit.ts'
import { EMPTY_POOL } from '../../pool/pool.ts'
import { failure, TickchainError } from '../../primitives/errors.ts'
import { dumpFields, loadFields } from '../../primitives/fields.ts'
import { gunzip, gzipText, isGzip, utf8ToText } from '../../primitives/gzip.ts'
import { ForeignJson, isBoundedJson } from '../../primitives/json-reader.ts'
import { Miss } from '../../state/overlay-map.ts'
import { EMPTY_WORLD_STATE } from '../../state/world-state.ts'
import { settingsAfter } from '../clock/block-timing.ts'
import type { Transition } from '../events.ts'
import * as states from '../node-state.ts'
import { admissionContext } from '../production/submit.ts'
import { dumpRollup, loadRollup } from '../rollup/dump.ts'
import { pruned } from './drop.ts'
import { dumpFork, learnNextBlock, loadForkedChain } from './dump-fork.ts'
import { editState } from './edit-state.ts'
import { replaceState } from './replace-state.ts'

const VERSION = 3

/** Bounds the JSON, which has to fit one string: that leaves 5 kB for a block, and an empty one takes 0.5 kB. */
const MOST_BLOCKS = 100_000

/** The most JSON that an engine holds in one string. */
const MAX_TEXT_BYTES = 2 ** 29 - 24

const NEXT_FIELDS = {
  timestamp: { kind: 'integer', isOptional: true, most: states.NO_TIMESTAMP },
  baseFee: { kind: 'amount', isOptional: true },
  prevRandao: { kind: 'hash', isOptional: true },
} as const

function dumpNext({ nextTimestamp: timestamp, controls }: states.NodeState) {
  const { nextBaseFee: baseFee, nextPrevRandao: prevRandao } = controls
  return dumpFields(NEXT_FIELDS, { timestamp, baseFee, prevRandao })
}

/** The JSON of an object without its last brace, so that more fields can follow. */
function openObject(fields: object): string {
  return JSON.stringify(fields).slice(0, -1)
}

function* textOfBlocks(chain: Chain): IterableIterator<string> {
  const { first, fork } = chain
  // The block of a fork is the upstream's.
  let parent = fork === undefined ? undefined : blockAt(chain, first)
  let comma = ''
  const from = fork === undefined ? first : first + 1
  for (const block of blocksBetween(chain, from, chain.head.header.number)) {
    const before = parent
    const text = dumpBlock(block, () =>
      before === undefined ? EMPTY_WORLD_STATE : worldAfter(chain.history, before),
    )
    yield `${comma}${text}`
    comma = ','
    parent = block
  }
}

function* textOf(state: states.NodeState): IterableIterator<string> {
  const { chain, settings, nowMs, openedAtMs, partialsClosed, shiftedMs, prevRandaoSource } = state
  // anvil requires these fields beside the accounts, whose layout is that of its own dumps.
  const accounts = dumpAccounts(chain.head.committed.state)
  yield openObject({ block: null, accounts, best_block_number: null })
  const own = {
    version: VERSION,
    chainId: settings.chainId,
    clock: { nowMs, openedAtMs, partialsClosed, shiftedMs },
    next: dumpNext(state),
    randomness: prevRandaoSource.prevRandao,
    marks: settings.marks,
    head: chain.head.hash,
    ...(state.rollup === undefined ? {} : { rollup: dumpRollup(state.rollup) }),
    ...(chain.fork === undefined ? {} : { fork: dumpFork(chain, chain.fork) }),
  }
  yield `,"tickchain":${openObject(own)},"blocks":[`
  yield* textOfBlocks(chain)
  if (chain.open === undefined) yield ']'
  else yield `],"open":${dumpOpenBlock(chain.open)}`
  const waiting = [...state.pool.byHash.values()].sort((a, b) => a.arrival - b.arrival)
  yield `,"pool":${JSON.stringify(waiting.map(({ transaction }) => dumpTransaction(transaction)))}}}`
}

/** The state as gzip of JSON: the same bytes for the same state on every machine. */
export async function dumpState(state: states.NodeState): Promise<Uint8Array> {
  const length = blocksAboveFirst(state.chain) + 1
  if (length > MOST_BLOCKS) throw failure('chainTooLong', { blocks: length, most: MOST_BLOCKS })
  await learnNextBlock(state)
  return gzipText(textOf(state))
}

function undecodable(reason: string): TickchainError {
  return failure('undecodableState', { reason })
}

/** The JSON in a dump: gzipped, or plain as anvil writes it to a file. */
function parseDump(bytes: Uint8Array): (name: string) => ForeignJson {
  const unpacked = isGzip(bytes) ? gunzip(bytes, MAX_TEXT_BYTES) : bytes
  if (unpacked === undefined) throw undecodable('damaged gzip')
  if (!isBoundedJson(unpacked)) throw undecodable('JSON that is nested too deeply, or has too many values')
  let value: unknown
  try {
    value = JSON.parse(utf8ToText(unpacked))
  } catch {
    throw undecodable('neither gzip nor JSON')
  }
  const fields = new ForeignJson(value, 'dump', undecodable).object()
  return (name) => new ForeignJson(fields[name], name, undecodable)
}

async function loadChain(state: states.NodeState, accounts: ForeignJson, own: ForeignJson): Promise<Chain> {
  const schedule = states.scheduleIn(state)
  const { stateHistory } = state.chain.history
  if (own.field('fork').value !== undefined) {
    const { chainId, blockTimeMs } = state.settings
    const { transactionGasCap } = state.config
    const present = state.chain.fork
    return loadForkedChain(own, { chainId, stateHistory, present, transactionGasCap, blockTimeMs })
  }
  const loaded = loadBlocks(schedule, own, loadAccounts(accounts))
  return chainOf(loaded, stateHistory) ?? own.field('blocks').refuse('at least the first block')
}

/** Negative if the clock was set back. */
function readShift(shift: ForeignJson): number {
  const { value } = shift
  const isShift = Number.isSafeInteger(value) && Math.abs(value as number) <= states.LATEST_TIME_MS
  return isShift ? (value as number) : shift.refuse('a whole number of milliseconds')
}

function loadClock(settings: states.Settings, clock: ForeignJson, { head }: Chain) {
  const now = clock.field('nowMs')
  const nowMs = now.integer(states.LATEST_TIME_MS)
  if (nowMs < head.header.timestamp * 1000) now.refuse('a time that is not before the head')
  // Nothing may be overdue, even if the dump comes from a chain with another block time or mining mode.
  const earliestOpening = settings.sealsOnTime ? nowMs - settings.blockTimeMs : 0
  return {
    nowMs,
    openedAtMs: Math.max(clock.field('openedAtMs').integer(nowMs), earliestOpening),
    partialsClosed: clock.field('partialsClosed').integer(),
    shiftedMs: readShift(clock.field('shiftedMs')),
  }
}

function loadNext({ controls }: states.NodeState, next: ForeignJson, { head }: Chain) {
  const { timestamp, baseFee: nextBaseFee, prevRandao } = loadFields(NEXT_FIELDS, next)
  if (timestamp !== undefined && timestamp < head.header.timestamp)
    next.field('timestamp').refuse('a time that is not before the head')
  return { nextTimestamp: timestamp, controls: { ...controls, nextBaseFee, nextPrevRandao: prevRandao } }
}

const MARK = { kind: 'integer', isOptional: true } as const

/** Loads a dump of tickchain: the whole chain, in place of the present one. */
async function restore(state: states.NodeState, accounts: ForeignJson, own: ForeignJson) {
  if (own.field('version').integer() !== VERSION) own.field('version').refuse(`${VERSION}`)
  const chainId = own.field('chainId').integer()
  const isFork = own.field('fork').value !== undefined
  if (chainId !== state.settings.chainId && !isFork)
    own.field('chainId').refuse(`${state.settings.chainId}, as here`)
  const present = state.rollup?.config
  // A fork brings the configuration with it, unless the layer 1 is a real one.
  const isFree = isFork && present?.layer1 !== 'told'
  const dumpedRollup = own.field('rollup')
  const rollup = dumpedRollup.optional((dumped) => loadRollup(dumped, isFree ? undefined : present))
  if (!isFree && (rollup === undefined) !== (present === undefined))
    dumpedRollup.refuse(present === undefined ? 'none, on a chain that is no rollup' : 'a rollup')
  const loaded = { ...state, settings: { ...state.settings, chainId } }
  const sealed = await loadChain(loaded, accounts, own)
  // A fork brings the gas limit with it, as one that is made by options.
  const { fork } = sealed
  const isNew = fork !== undefined && fork !== state.chain.fork
  // Tips of a rollup go to its vault.
  const { rollup: rules } = sealed.head.rules
  const tips = present === undefined && rules !== undefined ? { coinbase: rules.stack.vaults.tips } : {}
  const brought = isNew ? { blockGasLimit: fork.header.gasLimit, ...tips } : {}
  const schedule = states.scheduleIn({ ...loaded, chain: sealed })
  const open = own.field('open').optional((block) => loadOpenBlock(schedule, block, sealed.head))
  const chain = { ...sealed, open }
  const waiting = own.field('pool').items().map(loadTransaction)
  const timed = settingsAfter(loaded.settings, chain.head, state.chain.head)
  const settings = {
    ...timed,
    ...brought,
    marks: loadFields({ safe: MARK, finalized: MARK }, own.field('marks')),
  }
  const restored = {
    ...state,
    ...loadClock(settings, own.field('clock'), chain),
    ...loadNext(state, own.field('next'), chain),
    chain,
    settings,
    prevRandaoSource: { prevRandao: own.field('randomness').hex(32) },
    rollup,
  }
  return { ...restored, pool: readmit(admissionContext(restored), EMPTY_POOL, waiting) }
}

/** Moves the clock to the time of the dump's block if that is ahead; what was due is due that much later. */
function moveClock(state: states.NodeState, block: ForeignJson): states.NodeState {
  const timestamp = block.optional(() =>
    block.field('timestamp').optional((seconds) => seconds.integer(states.LATEST_TIME_MS / 1000)),
  )
  const ms = (timestamp ?? 0) * 1000 - state.nowMs
  return ms <= 0 ? state : { ...state, nowMs: state.nowMs + ms, openedAtMs: state.openedAtMs + ms }
}

/** Loads a dump of anvil: its accounts on top of the present ones. */
function merge(state: states.NodeState, dump: (name: string) => ForeignJson): states.NodeState {
  const dumped = loadAccounts(dump('accounts'))
  return pruned(editState(moveClock(state, dump('block')), (world) => mergeAccounts(dumped, world)))
}

/** Loads a dump of `dumpState` or of anvil; throws `undecodableState`. */
export async function loadState(state: states.NodeState, bytes: Uint8Array): Promise<Transition> {
  const dump = parseDump(bytes)
  try {
    const own = dump('tickchain').optional((given) => given)
    const loaded = own === undefined ? merge(state, dump) : await restore(state, dump('accounts'), own)
    return replaceState(state, loaded)
  } catch (error) {
    if (error instanceof Miss && state.chain.fork === undefined)
      throw undecodable(`its fork does not know ${nameOfMissing(error.key)}`)
    // Decoding transactions and headers throws other kinds.
    if (!(error instanceof TickchainError) || error.kind === 'undecodableState') throw error
    throw undecodable(error.message)
  }
}
