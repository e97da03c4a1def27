// The JavaScript side of assembly/slots.ts, which has the storage of running transactions, and their transient storage:
// lookup of slots, checkpoints, and at the end of a transaction the writes into the state. A slot that is read stays
// known as long as the account's storage is the same immutable map.

import { type Address, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import type { StateWriter } from '../state/world-state.ts'
import * as world from '../state/world-state.ts'
import { type Core, readShortest, readSlot, writeBytes } from './core.ts'
import * as slotLists from './slot-lists.ts'

// Offsets as in assembly/slots.ts, in numbers of four bytes.
const IS_ON = 0
const STAMP = 1
const EPOCH = 2
const JOURNAL_LENGTH = 3
const SLOT_COUNT = 4
const OWNER_COUNT = 5
const OWNER_NUMBERS = 12
const GENERATION = 8
const CHECKED = 9
const IS_EMPTY = 10
const SLOT_BYTES = 128
const SLOT_OWNER = 24
const ENTRY_BYTES = 40
/** Entries that the journal has room for. */
const MAX_ENTRIES = 1 << 14
/** More slots or accounts than these are forgotten at the end of a transaction. */
const [MANY_SLOTS, MANY_OWNERS] = [1 << 13, 1 << 8]

export class SlotCache implements slotLists.SlotTables {
  private core: Core | undefined
  owners: (slotLists.Owner | undefined)[] = []
  /** The numbers of accounts, if the cache follows storages. */
  private ownerNumbers = new Map<Address, number>()
  /** True if it goes from one storage of an account to another by the slots that differ. */
  private follows = false
  /** The keys of slots, as the state has them; those of slots that the module found by itself when they are written. */
  names: (Hash | undefined)[] = []
  /** For each open checkpoint, where the journal stood, and its number, of which none is used twice. */
  private readonly starts: number[] = []
  private readonly epochs: number[] = []
  private epoch = 0
  private stamp = 1
  /** Full journals of the transaction, and the number of their entries. */
  private readonly full: Uint8Array[] = []
  private entriesInFull = 0
  private readonly accesses = new slotLists.NotedAccesses()

  private number(core: Core, index: number): number {
    return core.numbers[core.slotsAt + index] as number
  }

  private setNumber(core: Core, index: number, value: number): void {
    core.numbers[core.slotsAt + index] = value
  }

  private get journalLength(): number {
    const { core } = this
    return core === undefined ? 0 : this.entriesInFull + this.number(core, JOURNAL_LENGTH)
  }

  /**
   * From now on, changes the slots that differ between storages, where others forget all slots: for executions that go to and
   * fro between few states.
   */
  follow(): void {
    this.follows = true
  }

  /** Uses the tables of a core, and forgets what is in them; stamps of earlier transactions there are not used again. */
  attach(core: Core): void {
    this.detach()
    this.core = core
    this.stamp = Math.max(this.stamp, this.number(core, STAMP) + 1)
    // Without an account nothing is known, and there may be no memory for tables yet.
    if (this.number(core, OWNER_COUNT) > 0) core.exports.forget()
    this.begin(core)
  }

  private begin(core: Core): void {
    this.setNumber(core, STAMP, this.stamp)
    this.setNumber(core, EPOCH, this.epochs.at(-1) ?? 0)
  }

  /** Forgets the core and everything in it. */
  detach(): void {
    this.core = undefined
    this.forgetOwners()
  }

  private forgetOwners(): void {
    this.owners = []
    this.names = []
    this.ownerNumbers.clear()
  }

  /** Lets frames use the tables from now on, or not. */
  use(isOn: boolean): void {
    const { core } = this
    if (core !== undefined) this.setNumber(core, IS_ON, isOn ? 1 : 0)
  }

  /** Looks up the slot that the module misses, or makes room in its journal. */
  lookUp(writer: StateWriter, address: Address): void {
    const core = this.core as Core
    if (this.number(core, JOURNAL_LENGTH) > MAX_ENTRIES - 2) this.putJournalAway(core)
    this.accesses.fetch(core, this)
    const slot = core.exports.missed.value
    // The journal was full for transient storage, or the list of accesses.
    if (slot === 0) return
    const { numbers } = core
    const place = slot >>> 2
    const number = numbers[place + SLOT_OWNER] as number
    const ownerAt = (core.exports.owners.value >>> 2) + number * OWNER_NUMBERS
    const owner = this.ownerFor(core, ownerAt, number, address, writer.current.get(address)?.storage)
    const generation = numbers[ownerAt + GENERATION] as number
    if (numbers[place + slotLists.SLOT_GENERATION] === generation) return
    const name = readSlot(core, slot)
    const value = owner.storage.get(name) ?? EMPTY_BYTES
    writeBytes(core, slot + slotLists.VALUE, value)
    numbers[place + slotLists.SLOT_GENERATION] = generation
    this.name(owner, slot, name)
  }

  private name(owner: slotLists.Owner, slot: number, name: Hash): void {
    const { exports } = this.core as Core
    this.names[(slot - exports.slots.value) / SLOT_BYTES] = name
    owner.places?.set(name, slot)
  }

  /** Checks the storage of an account before the transaction uses its slots, so that the module need not ask for that. */
  check(address: Address, storage: world.Storage): void {
    const number = this.ownerNumbers.get(address)
    if (number === undefined) return
    const core = this.core as Core
    this.ownerFor(core, (core.exports.owners.value >>> 2) + number * OWNER_NUMBERS, number, address, storage)
  }

  /** The account of a slot, whose storage is checked once in a transaction. */
  private ownerFor(
    core: Core,
    at: number,
    number: number,
    address: Address,
    storage: world.Storage = world.EMPTY_STORAGE,
  ): slotLists.Owner {
    const { numbers } = core
    let owner = this.owners[number]
    if (numbers[at + CHECKED] === this.stamp && owner !== undefined) return owner
    const isEmpty = storage === world.EMPTY_STORAGE
    const generation = numbers[at + GENERATION] as number
    if (owner?.storage !== storage && !slotLists.goTo(core, owner, generation, storage)) {
      const places = this.follows ? new Map<Hash, number>() : undefined
      owner = { address, storage, changed: undefined, places, isComplete: true }
      this.owners[number] = owner
      if (this.follows) this.ownerNumbers.set(address, number)
      numbers[at + GENERATION] = generation + 1
    }
    if (isEmpty) (owner as slotLists.Owner).isComplete = false
    numbers[at + CHECKED] = this.stamp
    numbers[at + IS_EMPTY] = isEmpty ? 1 : 0
    return owner as slotLists.Owner
  }

  private putJournalAway(core: Core): void {
    const { value: start } = core.exports.journal
    const length = this.number(core, JOURNAL_LENGTH)
    this.full.push(core.bytes.slice(start, start + length * ENTRY_BYTES))
    this.entriesInFull += length
    this.setNumber(core, JOURNAL_LENGTH, 0)
  }

  /** Brings the last full journal back; false if there is none. */
  private fetchJournal(core: Core): boolean {
    const last = this.full.pop()
    if (last === undefined) return false
    core.bytes.set(last, core.exports.journal.value)
    this.setNumber(core, JOURNAL_LENGTH, last.length / ENTRY_BYTES)
    this.entriesInFull -= last.length / ENTRY_BYTES
    return true
  }

  /** Takes back everything after the journal had a length. */
  private undo(core: Core, length: number): void {
    do core.exports.undo(Math.max(0, length - this.entriesInFull))
    while (length < this.entriesInFull && this.fetchJournal(core))
  }

  checkpoint(): void {
    this.epoch++
    this.starts.push(this.journalLength)
    this.enter(this.epoch)
    this.epochs.push(this.epoch)
  }

  /** The checkpoints that the module makes have numbers of their own; the last is the present one. */
  adoptCheckpoint(length: number, outer: number): void {
    const core = this.core as Core
    if (this.epochs.length > 0) this.epochs[this.epochs.length - 1] = outer
    this.starts.push(this.entriesInFull + length)
    this.epochs.push(this.number(core, EPOCH))
  }

  /** True if the journal has to be put away before the next slot. */
  get isFull(): boolean {
    return this.core !== undefined && this.number(this.core, JOURNAL_LENGTH) > MAX_ENTRIES - 2
  }

  private enter(epoch: number): void {
    if (this.core !== undefined) this.setNumber(this.core, EPOCH, epoch)
  }

  commit(): void {
    this.starts.pop()
    this.epochs.pop()
    this.enter(this.epochs.at(-1) ?? 0)
  }

  revert(): void {
    const start = this.starts.at(-1) ?? 0
    if (this.core !== undefined && this.journalLength > start) this.undo(this.core, start)
    this.commit()
  }

  /** Writes what the transaction has changed into the state. */
  flush(writer: StateWriter): void {
    const { core } = this
    if (core === undefined || this.journalLength === 0) return
    const written: slotLists.Owner[] = []
    do this.collect(core, writer, written)
    while (this.fetchJournal(core))
    for (const owner of written) {
      const { address, changed: storage } = owner
      if (storage === undefined) continue
      owner.storage = storage
      owner.changed = undefined
      writer.current = world.updateAccount(writer.current, address, { storage })
    }
  }

  /** Adds the changes in the journal to the storage of their accounts. */
  private collect(core: Core, writer: StateWriter, written: slotLists.Owner[]): void {
    const { exports } = core
    const count = exports.changes()
    const [journal, slots] = [exports.journal.value >>> 2, exports.slots.value]
    for (let i = 0; i < count; i++) {
      const slot = core.numbers[journal + i] as number
      const number = core.numbers[(slot >>> 2) + SLOT_OWNER] as number
      const owner = this.owners[number]
      if (owner === undefined) continue
      if (owner.changed === undefined) {
        const account = writer.current.get(owner.address)
        if (account === undefined) {
          // The account has been destroyed. Nothing is known of a later one with its address.
          this.owners[number] = undefined
          continue
        }
        owner.changed = account.storage
        written.push(owner)
      }
      let name = this.names[(slot - slots) / SLOT_BYTES]
      if (name === undefined) {
        name = readSlot(core, slot)
        this.name(owner, slot, name)
      }
      owner.changed = world.setSlot(owner.changed, name, readShortest(core, slot + slotLists.VALUE))
    }
  }

  /** Begins or ends to note accesses to storage; only with a core of the build for coverage. */
  watchAccesses(isOn: boolean): void {
    this.accesses.begin(this.core as Core, isOn)
  }

  /** The accesses since the last time. */
  takeAccesses(): readonly slotLists.SlotAccess[] {
    return this.accesses.take(this.core as Core, this)
  }

  /** Begins to list the slots that are used; only with a core of the build for coverage. */
  watchUsed(): void {
    slotLists.watchUsed(this.core as Core)
  }

  /** The slots that the transaction has used since; `undefined` if they are too many to tell. */
  usedSlots(): readonly slotLists.UsedSlots[] | undefined {
    return slotLists.usedSlots(this.core as Core, this)
  }

  /** Ends the transaction: what has not been flushed is taken back. */
  end(): void {
    this.starts.length = 0
    this.epochs.length = 0
    this.stamp++
    const { core } = this
    if (core === undefined) return
    if (this.journalLength > 0) this.undo(core, 0)
    const isFull = this.number(core, SLOT_COUNT) > MANY_SLOTS || this.number(core, OWNER_COUNT) > MANY_OWNERS
    if (isFull) {
      this.accesses.fetch(core, this)
      core.exports.forget()
      this.forgetOwners()
    }
    this.begin(core)
  }
}
