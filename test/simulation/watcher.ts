// Client that listens to everything, and the invariants of its events: their order, and that they agree with what it
// can read.

import assert from 'node:assert/strict'
import { type Hex, keccak256 } from 'viem'
import type { RpcBlock, RpcHeader } from '../../src/core/rpc/format/block.ts'
import type { RpcLog } from '../../src/core/rpc/format/receipt.ts'
import type { RpcTransaction } from '../../src/core/rpc/format/transaction.ts'
import type { Emulator, EmulatorEvents, FlashblockPayload } from '../../src/index.ts'
import { type Followers, followAll } from '../core/rpc/events/node-follower.ts'
import { consume, type Rebuilt } from '../specification/watch.ts'
import { type Command, isReplacing } from './commands.ts'
import { stateOf } from './invariants.ts'

const KINDS = {
  newPendingTransactions: 'p',
  newFlashblocks: 'b',
  newFlashblockTransactions: 't',
  pendingLogs: 'l',
  newHeads: 'h',
  logs: 'g',
} as const

export type Kind = keyof typeof KINDS
export const kinds = Object.keys(KINDS) as readonly Kind[]

const EVENTS = {
  flashblock: 'f',
  partialBlock: 'B',
  sealedBlock: 'S',
  pendingTransaction: 'P',
  replacedTransaction: 'R',
  orphanedBlocks: 'O',
  unincludedTransaction: 'U',
} as const

/** A received event, with a letter for its kind; a removed log is `x`. */
interface Told {
  readonly letter: string
  readonly payload: unknown
}

/** A temporary subscription or filter, which must get the same as the permanent ones. */
interface Extra {
  readonly id: Hex
  readonly kind: Kind
  /** How many messages the permanent subscription had when this one began. */
  from: number
}

export interface Watcher {
  readonly chain: Emulator
  /** Events since the last check, in order. */
  readonly told: Told[]
  /** The messages of each permanent subscription. */
  readonly got: Record<Kind, unknown[]>
  readonly subscriptions: (Extra & { readonly received: unknown[] })[]
  readonly filters: Extra[]
  /** Logs by block hash and index, without removed ones. */
  readonly logs: Map<string, RpcLog>
  rebuilt: Rebuilt | undefined
  /** Whether the head is a block of denim. */
  hasSlots: boolean
  readonly followers: Followers
  readonly failures: unknown[]
}

async function subscribeTo(chain: Emulator, kind: Kind): Promise<Hex> {
  // Hardhat's flavor asks for a filter of logs.
  const detail = kind === 'newFlashblockTransactions' ? [true] : kind === 'logs' ? [{}] : []
  return (await chain.request({ method: 'eth_subscribe' as string, params: [kind, ...detail] })) as Hex
}

function hasSlotsNow(chain: Emulator): boolean {
  return stateOf(chain).chain.head.rules.rollup?.changes.slotMs !== undefined
}

/** Listens to everything on a chain. */
export async function createWatcher(chain: Emulator): Promise<Watcher> {
  const told: Told[] = []
  const got = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Watcher['got']
  const permanent = new Map<Hex, Kind>()
  const genesis = await chain.request('eth_getBlockByNumber', ['latest', false])
  assert.equal(genesis?.number, '0x0', 'a chain is watched from its first block on')
  const watcher: Watcher = {
    ...{ chain, told, got, subscriptions: [], filters: [], logs: new Map(), rebuilt: undefined },
    hasSlots: hasSlotsNow(chain),
    ...{ followers: followAll(chain, [genesis?.hash as Hex]), failures: [] },
  }
  chain.on('message', ({ data }) => {
    const kind = permanent.get(data.subscription)
    if (kind === undefined) {
      const extra = watcher.subscriptions.find(({ id }) => id === data.subscription)
      if (extra === undefined) watcher.failures.push(`a message for nobody: ${data.subscription}`)
      else extra.received.push(data.result)
      return
    }
    got[kind].push(data.result)
    const isRemoved = kind === 'logs' && (data.result as RpcLog).removed
    told.push({ letter: isRemoved ? 'x' : KINDS[kind], payload: data.result })
  })
  for (const [name, letter] of Object.entries(EVENTS)) {
    chain.on(name, (payload) => told.push({ letter, payload }))
  }
  chain.on('listenerError', ({ error }) => watcher.failures.push(error))
  for (const kind of kinds) permanent.set(await subscribeTo(chain, kind), kind)
  return watcher
}

const FILTERS = {
  newPendingTransactions: ['eth_newPendingTransactionFilter', [true]],
  pendingLogs: ['eth_newFilter', [{ fromBlock: 'pending', toBlock: 'pending' }]],
  newHeads: ['eth_newBlockFilter', []],
  logs: ['eth_newFilter', [{}]],
} as const

export const filterKinds = Object.keys(FILTERS) as readonly (keyof typeof FILTERS)[]

export async function addSubscription(watcher: Watcher, kind: Kind): Promise<void> {
  const id = await subscribeTo(watcher.chain, kind)
  watcher.subscriptions.push({ id, kind, from: watcher.got[kind].length, received: [] })
}

/** Ends the oldest temporary subscription; it must have got every message. */
export async function endSubscription(watcher: Watcher): Promise<void> {
  const [oldest] = watcher.subscriptions
  if (oldest === undefined) return
  assert.equal(await watcher.chain.request('eth_unsubscribe', [oldest.id]), true)
  assert.deepEqual(oldest.received, watcher.got[oldest.kind].slice(oldest.from))
  watcher.subscriptions.shift()
}

export async function addFilter(watcher: Watcher, kind: keyof typeof FILTERS): Promise<void> {
  const [method, params] = FILTERS[kind]
  const id = (await watcher.chain.request({ method: method as string, params })) as Hex
  // In hardhat a filter begins with what is there already.
  await watcher.chain.request('eth_getFilterChanges', [id])
  watcher.filters.push({ id, kind, from: watcher.got[kind].length })
}

/** Heads and transactions are compared by hash, logs in full. */
function comparable(kind: Kind, payload: unknown): unknown {
  const isByHash = kind === 'newHeads' || kind === 'newPendingTransactions'
  return isByHash && typeof payload === 'object' ? (payload as RpcHeader).hash : payload
}

/** Polls a filter; it must have the messages of the subscription of its kind since the last poll. */
export async function pollFilter(watcher: Watcher, index: number): Promise<void> {
  const filter = watcher.filters[index]
  if (filter === undefined) return
  const changes = await watcher.chain.request('eth_getFilterChanges', [filter.id])
  const expected = watcher.got[filter.kind].slice(filter.from)
  assert.deepEqual(
    changes?.map((change) => comparable(filter.kind, change)),
    expected.map((payload) => comparable(filter.kind, payload)),
    `changes of a filter like ${filter.kind}`,
  )
  filter.from = watcher.got[filter.kind].length
}

/** The events of one call: submissions, partial blocks and seals, or a reorganisation, or dropped pre-confirmations. */
function grammarOf(isInterval: boolean, isGoingBack: boolean, isRollup: boolean): RegExp {
  if (isGoingBack) return /^x*O?(?:p?U)*(?:hg*S)*$/
  // A block that begins again is more than one payload.
  const flashblock = 'f+b'
  // A rollup's block begins with deposits, and denim has no flashblocks.
  const begun = isRollup ? `(?:${flashblock}t+l*)?B` : flashblock
  const partial = isRollup ? `(?:${flashblock}t*l*)?B` : `${flashblock}t*l*B`
  const opening = isInterval ? begun : ''
  const reopening = isInterval ? begun : `(?:${begun})?`
  const unincluded = '(?:p?U)*'
  // Transactions that are dropped at a seal are reported before it.
  const seal = `hg*S${opening}`
  return new RegExp(
    `^(?:(?:R?pP|${partial}|${unincluded}${seal})*|x*O${unincluded}(?:hg*S)*${reopening}|${unincluded})$`,
  )
}

function hashesOf(block: RpcBlock): Hex[] {
  return (block.transactions as readonly RpcTransaction[]).map(({ hash }) => hash)
}

function keyOf({ blockHash, logIndex }: RpcLog): string {
  return `${blockHash} ${logIndex}`
}

/** The block rebuilt from the stream is the one that subscribers get next, after the last payload. */
function checkFlashblock(watcher: Watcher, payload: FlashblockPayload, next: Told | undefined): void {
  watcher.rebuilt = consume(watcher.rebuilt, payload)
  if (next?.letter === 'f') return
  const { diff, base, transactions } = watcher.rebuilt
  const block = next?.payload as RpcBlock
  assert.equal(diff.block_hash, block.hash)
  assert.equal(base.block_number, block.number)
  assert.equal(base.timestamp, block.timestamp)
  assert.equal(diff.gas_used, block.gasUsed)
  assert.deepEqual(
    transactions.map((raw) => keccak256(raw)),
    hashesOf(block),
  )
}

/** Where the flashblock of a partial block was told. */
function flashblockOf(told: readonly Told[], at: number): number | undefined {
  const start = told.findLastIndex(({ letter }, place) => place < at && 'bBS'.includes(letter))
  return told[start]?.letter === 'b' ? start : undefined
}

/** The full transactions, logs and event of a partial block agree. On a block of denim there is the event alone. */
function checkPartial(told: readonly Told[], at: number, isAlone: boolean | undefined): void {
  const { index, transactionHashes } = (told[at] as Told).payload as EmulatorEvents['partialBlock']
  const start = flashblockOf(told, at)
  if (isAlone !== undefined) assert.equal(start === undefined, isAlone, 'flashblocks end with denim')
  if (start === undefined) return
  const since = told.slice(start + 1, at)
  const brought = since.filter(({ letter }) => letter === 't').map(({ payload }) => payload)
  const transactions = brought as readonly (RpcTransaction & { readonly logs: readonly RpcLog[] })[]
  assert.deepEqual(
    transactions.map(({ hash }) => hash),
    transactionHashes,
  )
  const logs = since.filter(({ letter }) => letter === 'l').map(({ payload }) => payload)
  assert.deepEqual(
    transactions.flatMap((transaction) => transaction.logs),
    logs,
  )
  const shown = hashesOf(told[start]?.payload as RpcBlock)
  // A rollup's block that a reorganisation opens again has what stays pre-confirmed.
  const first = index === 0 ? 0 : shown.length - transactionHashes.length
  assert.deepEqual(shown.slice(first, first + transactionHashes.length), transactionHashes)
}

function checkLog(watcher: Watcher, log: RpcLog): void {
  const key = keyOf(log)
  if (!log.removed) {
    assert(!watcher.logs.has(key), 'a log is told once')
    watcher.logs.set(key, log)
    return
  }
  assert.deepEqual({ ...log, removed: false }, watcher.logs.get(key), 'what is removed was told')
  watcher.logs.delete(key)
}

function checkTold(
  watcher: Watcher,
  told: readonly Told[],
  isInterval: boolean,
  isGoingBack: boolean,
  isRollup: boolean,
): void {
  const letters = told.map(({ letter }) => letter).join('')
  assert.match(letters, grammarOf(isInterval, isGoingBack, isRollup))
  const isReorganisation = letters.includes('O') || isGoingBack
  const sealed = watcher.followers.sealed.splice(0)
  let { hasSlots } = watcher
  for (const [at, { letter, payload }] of told.entries()) {
    if (letter === 'f') checkFlashblock(watcher, payload as FlashblockPayload, told[at + 1])
    if (letter === 'h') hasSlots = 'timestampMs' in (payload as RpcHeader)
    if (letter === 'B') checkPartial(told, at, isReorganisation ? undefined : hasSlots)
    if (letter === 'g' || letter === 'x') checkLog(watcher, payload as RpcLog)
    if (letter !== 'S' || isReorganisation) continue
    const held = sealed.shift()?.held
    const partial = told.findLastIndex((each, index) => index < at && each.letter === 'B')
    const isBroken = told.slice(partial + 1, at).some((each) => each.letter === 'U')
    // The stream had the whole block before its seal, unless transactions were dropped at the seal.
    if (isBroken || flashblockOf(told, partial) === undefined) continue
    const { hash, number } = payload as EmulatorEvents['sealedBlock']
    assert.equal(watcher.rebuilt?.diff.block_hash, hash)
    for (const [name, block] of Object.entries(held ?? {}))
      assert.equal(block?.diff.block_hash, hash, `block ${number} of the follower ${name}`)
  }
  const removed = told.filter(({ letter }) => letter === 'x').map(({ payload }) => payload as RpcLog)
  const places = removed.map(({ blockNumber, logIndex }) => Number(blockNumber) * 1e6 + Number(logIndex))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => b - a),
    'removed logs come last first',
  )
}

function byPlace(a: RpcLog, b: RpcLog): number {
  return Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex)
}

/** Checks the events of one command, and returns them as text. */
export async function checkWatched(
  watcher: Watcher,
  command: Command,
  isInterval: boolean,
): Promise<string[]> {
  const told = watcher.told.splice(0)
  assert.deepEqual(watcher.failures, [])
  const isRollup = stateOf(watcher.chain).rollup !== undefined
  checkTold(watcher, told, isInterval, isReplacing(command), isRollup)
  watcher.hasSlots = hasSlotsNow(watcher.chain)
  for (const { kind, from, received } of watcher.subscriptions) {
    assert.deepEqual(received, watcher.got[kind].slice(from), `a subscription to ${kind}`)
  }
  const sealed = await watcher.chain.request('eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'latest' }])
  const logs = [...watcher.logs.values()].sort(byPlace)
  assert.deepEqual(logs, sealed, 'the logs that were told, without those taken back, are those of the chain')
  const toText = (_: string, item: unknown): unknown => (typeof item === 'bigint' ? `${item}n` : item)
  return told.map(({ letter, payload }) => `${letter} ${JSON.stringify(payload, toText)}`)
}
