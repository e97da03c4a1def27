// The recorder of a timeline. It is no listener, which would make the node expand runs of empty blocks.

import * as blocks from '../../../core/chain/block/block.ts'
import { fullBlocks } from '../../../core/chain/chain.ts'
import { lastShared } from '../../../core/node/control/replace-state.ts'
import type { NodeEvent } from '../../../core/node/events.ts'
import { blockBeingBuilt, type NodeState } from '../../../core/node/node-state.ts'
import type { Hash, Hex } from '../../../core/primitives/hex.ts'
import type { SubscriptionMessage } from '../../../core/rpc/events/waits.ts'
import type { KnownContracts } from '../../../core/rpc/session.ts'
import { crossingMarks } from './crossings.ts'
import * as entries from './entries.ts'

export interface RecorderOptions {
  readonly most: number
  /** Counts the entries of all layers. */
  readonly nextOrder: () => number
  readonly kindOf: (subscription: Hex) => string
  /** True if the chain is a layer of a pair. */
  readonly isPaired: boolean
}

/** A block's time; one that tells no milliseconds has those of the clock, if it was sealed in the second of its timestamp. */
function timeOf(block: blocks.SealedBlock, sealedAtMs: number): number {
  const ms = blocks.momentOf(block)
  const isToldWhole = blocks.millisOf(block) === undefined
  return isToldWhole && sealedAtMs >= ms && sealedAtMs < ms + 1000 ? sealedAtMs : ms
}

function waitingIn({ pool }: NodeState): Map<Hash, entries.Brief> {
  const waiting = new Map<Hash, entries.Brief>()
  for (const { transaction } of pool.byHash.values())
    waiting.set(transaction.hash, entries.briefOf(transaction))
  return waiting
}

export class Recorder {
  readonly start: NodeState
  /** Pooled transactions when the recording began. */
  readonly waitingAtStart: readonly entries.Brief[]
  /** Events, without messages of subscriptions. */
  readonly happened: entries.Entries
  readonly told: entries.Entries
  readonly #options: RecorderOptions
  #seen: NodeState
  #nowMs: number
  #lastNumber: number
  #waiting: Map<Hash, entries.Brief>
  /** Messages since the last event. */
  readonly #toldNow = new Map<Hex, { count: number }>()
  /** When a run began whose blocks subscriptions are being told of. */
  #runFromMs: number | undefined
  #hasHappened = false
  /** True if partial blocks have told of the transactions of the next block. */
  #isInPartials = false
  #lastTimeMs: number
  /** True during a reorganisation, whose blocks are sealed later than they say. */
  #isReorganising = false
  /** When the last block of a run that no event tells was due. */
  #quietTimeMs: number | undefined

  constructor(start: NodeState, options: RecorderOptions) {
    this.start = start
    this.#options = options
    this.happened = new entries.Entries(options.most)
    this.told = new entries.Entries(options.most)
    this.#seen = start
    this.#nowMs = start.nowMs
    this.#lastNumber = start.chain.head.header.number
    this.#lastTimeMs = start.nowMs
    this.#waiting = waitingIn(start)
    this.waitingAtStart = [...this.#waiting.values()]
  }

  readonly take = (event: NodeEvent): void => {
    this.#toldNow.clear()
    this.#runFromMs = undefined
    if (event.type === 'committed') this.#commit(event.state)
    else if (event.type === 'emptyBlocksAdvanced')
      this.#takeQuiet(blocks.momentOf(event.chain.head), event.count)
    else if (event.type !== 'blockOpened' && event.type !== 'consoleLogged') {
      this.#hasHappened ||= event.type !== 'requestFaulted'
      this.#takeEvent(event)
    }
  }

  readonly takeMessage = ({ data: { subscription } }: SubscriptionMessage): void => {
    const known = this.#toldNow.get(subscription)
    if (known === undefined) {
      const { nextOrder, kindOf } = this.#options
      const at = { atMs: this.#runFromMs ?? this.#nowMs, toMs: this.#nowMs, order: nextOrder() }
      const entry = { ...at, type: 'told', subscription, kind: kindOf(subscription), count: 1 } as const
      this.#toldNow.set(subscription, entry)
      this.told.push(entry)
    } else known.count++
  }

  #add(entry: entries.NewEntry): void {
    const order = this.#options.nextOrder()
    const wider = entries.joined(this.happened.last, entry)
    if (wider === undefined) this.happened.push({ ...entry, order } as entries.Entry)
    else this.happened.replaceLast({ ...wider, order } as entries.Entry)
  }

  #takeEvent(event: NodeEvent): void {
    switch (event.type) {
      case 'transactionAccepted': {
        const transaction = entries.briefOf(event.transaction)
        this.#waiting.set(transaction.hash, transaction)
        this.#add({ type: 'accepted', atMs: this.#nowMs, transaction })
        break
      }
      case 'transactionReplaced': {
        const transaction = entries.briefOf(event.transaction)
        this.#waiting.delete(transaction.hash)
        this.#add({ type: 'replaced', atMs: this.#nowMs, transaction, by: entries.briefOf(event.by) })
        break
      }
      case 'partialBlock':
        this.#takePartial(event.partial, event.state)
        break
      case 'blockSealed':
        this.#nowMs = event.state.nowMs
        this.#takeSealed(event.block)
        break
      case 'blocksOrphaned':
        this.#takeOrphaned(event.blocks)
        break
      case 'transactionUnincluded': {
        const { reason, isPooled } = event
        const transaction = entries.briefOf(event.transaction)
        if (transaction.isSystem) break
        if (isPooled) this.#waiting.set(transaction.hash, transaction)
        this.#add({ type: 'unincluded', atMs: this.#nowMs, transaction, reason, isPooled })
        break
      }
      case 'stateReplaced':
        this.#takeReplaced(event.from, event.to)
        break
      case 'requestFaulted':
        this.#add({ type: 'fault', atMs: this.#nowMs, asked: event.asked, effect: event.effect })
        break
      default:
        break
    }
  }

  #timeOf(block: blocks.SealedBlock): number {
    return this.#isReorganising ? blocks.momentOf(block) : timeOf(block, this.#nowMs)
  }

  /** Skips the blocks of a run: `#commit` counts them, without reading them. */
  #takeQuiet(headMs: number, count: number): void {
    if (count === 0) return
    this.#quietTimeMs = headMs
    this.#runFromMs = this.#nowMs
    this.#nowMs = Math.max(this.#nowMs, headMs)
  }

  #takePartial({ index, executed }: blocks.PartialBlock, state: NodeState): void {
    this.#nowMs = state.nowMs
    if (executed.length === 0) return
    for (const { transaction } of executed) this.#waiting.delete(transaction.hash)
    if (blocks.hasSlots(state.chain.head)) return
    this.#isInPartials = true
    const block = state.chain.head.header.number + 1
    this.#add({
      type: 'partial',
      atMs: this.#nowMs,
      block,
      index,
      executed: executed.map(entries.briefExecution),
    })
  }

  #takeSealed(block: blocks.SealedBlock): void {
    const { number } = block.header
    const isEmpty =
      block.executed.length === 0 ||
      (blocks.hasSlots(block) && entries.briefsOf(block.executed).every(({ isSystem }) => isSystem))
    const timeMs = this.#timeOf(block)
    if (isEmpty) this.#addEmpty(number, this.#nowMs, timeMs)
    else this.#addEmpty(number - 1, this.#nowMs, this.#quietTimeMs ?? timeMs)
    this.#lastNumber = number
    if (!isEmpty) this.#addSealed(block, false)
  }

  #takeOrphaned(gone: Iterable<blocks.SealedBlock>): void {
    let to: number | undefined
    let from = this.#lastNumber
    let firstMs = this.#nowMs
    for (const block of gone) {
      const { number } = block.header
      to ??= number
      from = number
      firstMs = blocks.momentOf(block)
    }
    this.#isReorganising = true
    this.#add({ type: 'orphaned', atMs: this.#nowMs, from, to: to ?? from })
    this.#lastNumber = from - 1
    this.#lastTimeMs = firstMs - this.#seen.settings.blockTimeMs
  }

  #takeReplaced(from: NodeState, to: NodeState): void {
    const shared = lastShared(from.chain, to.chain)
    const atMs = this.#nowMs
    this.#nowMs = to.nowMs
    this.#lastNumber = to.chain.head.header.number
    this.#waiting = waitingIn(to)
    const waiting = [...this.#waiting.values()]
    const preconfirmed = entries.briefsOf(blockBeingBuilt(to)?.executed ?? [])
    const at = { atMs, toMs: this.#nowMs, block: this.#lastNumber, shared }
    this.#add({ type: 'went', ...at, waiting, preconfirmed })
    this.#addRestored(to, shared)
  }

  #addRestored({ chain: { head }, chain, settings }: NodeState, shared: number): void {
    let from = shared + 1
    const addEmpty = (to: number, timeMs: number): void => {
      if (to >= from) this.#addRun({ atMs: this.#nowMs, timeMs, from, to, isRestored: true })
      from = to + 1
    }
    for (const block of fullBlocks(chain, from, head.header.number)) {
      const { number } = block.header
      addEmpty(number - 1, blocks.momentOf(block) - settings.blockTimeMs)
      this.#addSealed(block, true)
      from = number + 1
    }
    addEmpty(head.header.number, blocks.momentOf(head))
  }

  #commit(state: NodeState): void {
    this.#nowMs = state.nowMs
    const { head } = state.chain
    // `openedAtMs` is the time at which the last block was sealed.
    this.#addEmpty(head.header.number, state.openedAtMs, timeOf(head, state.openedAtMs))
    if (!this.#hasHappened) this.#addQuietChange(state)
    this.#checkPool(state)
    this.#seen = state
    this.#hasHappened = false
    this.#isReorganising = false
  }

  /** Adds what has changed without any event. */
  #addQuietChange(state: NodeState): void {
    const byMs = state.shiftedMs - this.#seen.shiftedMs
    if (byMs !== 0) this.#add({ type: 'shifted', atMs: this.#nowMs, byMs })
    const { head } = this.#seen.chain
    const isSameBlock = head.header.number === this.#lastNumber
    if (isSameBlock && head !== state.chain.head) this.#add({ type: 'edited', atMs: this.#nowMs, count: 1 })
  }

  /** Adds what the pool has lost without an event. */
  #checkPool(state: NodeState): void {
    if (state.pool.byHash.size === this.#waiting.size) return
    const transactions = [...this.#waiting.values()].filter(({ hash }) => !state.pool.byHash.has(hash))
    if (transactions.length > 0) this.#add({ type: 'dropped', atMs: this.#nowMs, transactions })
    this.#waiting = waitingIn(state)
  }

  #addEmpty(to: number, atMs: number, timeMs: number): void {
    if (to > this.#lastNumber)
      this.#addRun({ atMs, timeMs, from: this.#lastNumber + 1, to, isRestored: false })
    this.#lastNumber = to
    this.#quietTimeMs = undefined
  }

  #addRun(run: Omit<Extract<entries.NewEntry, { type: 'empty' }>, 'type' | 'startMs' | 'bends'>): void {
    const startMs = Math.min(this.#lastTimeMs, run.timeMs)
    this.#add({ ...run, type: 'empty', startMs, bends: [] })
    this.#lastTimeMs = run.timeMs
  }

  #addSealed(block: blocks.SealedBlock, isRestored: boolean): void {
    const { number } = block.header
    const transactions = entries.briefsOf(block.executed)
    const isTold = this.#isInPartials || isRestored || !blocks.hasSlots(block)
    const executed = isTold ? [] : block.executed.map(entries.briefExecution)
    this.#isInPartials = false
    for (const { hash } of transactions) this.#waiting.delete(hash)
    const marks = this.#options.isPaired ? crossingMarks(block) : []
    const at = { atMs: this.#nowMs, timeMs: this.#timeOf(block) }
    this.#lastTimeMs = at.timeMs
    const sealed = { block: number, hash: block.hash, transactions, executed, marks, isRestored }
    this.#add({ ...at, type: 'sealed', ...sealed })
  }
}

export interface LayerRecording {
  readonly name: string
  readonly recorder: Recorder
  readonly end: NodeState
  readonly known: KnownContracts
  /** Names of accounts that have no label. */
  readonly names: ReadonlyMap<string, string>
}
