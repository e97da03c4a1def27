// Warm and touched accounts and slots of a transaction (EIP-2929, EIP-161), with checkpoints. Replaces the journal of
// @ethereumjs: keys are hex, calls are synchronous, and a revert undoes a log of changes. Transient storage (EIP-1153)
// is kept alike, where @ethereumjs keeps a log entry with strings and byte arrays for every TSTORE: here a slot is
// logged once for each checkpoint.

import { type Address, bytesToHex, type Hash } from '../primitives/hex.ts'
import { isNoCode, readAccount, type StateWriter } from '../state/world-state.ts'
import { SlotCache } from './slot-cache.ts'

/** Stays touched after a revert, as in mainnet block 2,675,119 (EIPs issue 716). */
const RIPEMD160: Address = `0x${'3'.padStart(40, '0')}`

const NONE: ReadonlySet<Address> = new Set()
const MOST_PARTIES = 4

type Entry =
  | { readonly kind: 'warmAddress' | 'touched'; readonly address: Address }
  | { readonly kind: 'warmSlot'; readonly slots: Set<Hash>; readonly slot: Hash }

export class AccessJournal {
  private readonly writer: StateWriter
  private readonly onClean: () => void
  private warm = new Map<Address, Set<Hash>>()
  /** A revert does not make these cold. Precompiles are one shared set, because every transaction has the same ones. */
  private precompiles = NONE
  private alwaysWarm = new Set<Address>()
  /** The first of these: most transactions have a sender, a recipient and a fee recipient, and a set is slow to make. */
  private readonly parties: Address[] = []
  private alwaysWarmSlots = new Map<Address, Set<Hash>>()
  private touched = new Set<Address>()
  private readonly log: Entry[] = []
  private readonly checkpoints: number[] = []
  /** Called when accounts may be cold again. */
  onCold: (() => void) | undefined
  /** Storage and transient storage of the transaction. */
  readonly slots = new SlotCache()

  /** `onClean` runs at the end of a transaction. */
  constructor(writer: StateWriter, onClean: () => void) {
    this.writer = writer
    this.onClean = onClean
  }

  isWarm(address: Address): boolean {
    if (this.warm.has(address) || this.parties.includes(address)) return true
    return this.alwaysWarm.has(address) || this.precompiles.has(address)
  }

  /** Makes an account warm; false if it was. */
  warmUp(address: Address): boolean {
    if (this.isWarm(address)) return false
    this.slotsOf(address)
    return true
  }

  /** The warm slots of an account that becomes warm with them. */
  private slotsOf(address: Address): Set<Hash> {
    let slots = this.warm.get(address)
    if (slots === undefined) {
      slots = new Set()
      this.warm.set(address, slots)
      this.log.push({ kind: 'warmAddress', address })
    }
    return slots
  }

  /** True if the transaction has begun with warm slots, by its access list. */
  get hasWarmSlots(): boolean {
    return this.alwaysWarmSlots.size > 0
  }

  isWarmSlot(address: Address, slot: Hash): boolean {
    if (this.warm.get(address)?.has(slot) === true) return true
    return this.alwaysWarmSlots.size > 0 && this.alwaysWarmSlots.get(address)?.has(slot) === true
  }

  /** Makes a slot warm; false if it was. */
  warmUpSlot(address: Address, slot: Hash): boolean {
    if (this.isWarmSlot(address, slot)) return false
    const slots = this.slotsOf(address)
    slots.add(slot)
    this.log.push({ kind: 'warmSlot', slots, slot })
    return true
  }

  touch(address: Address): void {
    if (this.touched.has(address)) return
    this.touched.add(address)
    this.log.push({ kind: 'touched', address })
  }

  /** Until `cleanJournal`. */
  warmPrecompiles(addresses: ReadonlySet<Address>): void {
    this.precompiles = addresses
  }

  private undo(entry: Entry): void {
    if (entry.kind === 'warmSlot') entry.slots.delete(entry.slot)
    else if (entry.kind === 'warmAddress') {
      this.warm.delete(entry.address)
      this.onCold?.()
    } else if (entry.address !== RIPEMD160) this.touched.delete(entry.address)
  }

  /** Makes the warm slots of an account cold again, or one of them; returns them. For cheatcodes, where the module has no part in storage. */
  coolDown(address: Address, slot?: Hash): Hash[] {
    const slots = this.warm.get(address)
    return [...(slots ?? [])].filter((each) => (slot ?? each) === each && slots?.delete(each))
  }

  /** Makes an account cold, with its slots: for cheatcodes. */
  forget(address: Address): void {
    this.warm.delete(address)
    this.onCold?.()
  }

  /** The length of the log of what has become warm. */
  get mark(): number {
    return this.log.length
  }

  /** Makes cold again what has become warm since a mark: for cheatcodes, as `coolDown`. */
  coolSince(mark: number): void {
    while (this.log.length > mark) this.undo(this.log.pop() as Entry)
  }

  /** A function that makes warm again what is warm now: for cheatcodes. */
  keepWarm(): () => void {
    const kept = [...this.warm].map(([address, slots]) => [address, [...slots]] as const)
    return () => {
      for (const [address, slots] of kept) {
        const own = this.warm.get(address) ?? new Set()
        this.warm.set(address, own)
        for (const slot of slots) own.add(slot)
      }
    }
  }

  /** The accounts that are warm, but for those of the transaction itself, with their warm slots. */
  get warmAccounts(): ReadonlyMap<Address, ReadonlySet<Hash>> {
    return this.warm
  }

  /**
   * Makes everything cold but these, as in another transaction. What it returns makes the accounts and slots of before warm
   * again, and keeps those that have become warm since, but for accounts that it is told to drop. For cheatcodes.
   */
  isolate(
    warm: readonly (readonly [Address, readonly Hash[]])[],
  ): (isDropped?: (address: Address, wasWarm: boolean) => boolean) => void {
    const [before, always, parties] = [this.warm, this.alwaysWarm, [...this.parties]]
    this.warm = new Map(warm.map(([address, slots]) => [address, new Set(slots)]))
    this.alwaysWarm = new Set()
    this.parties.length = 0
    this.onCold?.()
    return (isDropped) => {
      for (const [address, slots] of this.warm) {
        if (isDropped?.(address, before.has(address)) === true) continue
        before.set(address, new Set([...(before.get(address) ?? []), ...slots]))
      }
      this.warm = before
      this.alwaysWarm = always
      this.parties.push(...parties)
    }
  }

  // What both EVMs have.

  isWarmedAddress(address: Uint8Array): boolean {
    return this.isWarm(bytesToHex(address))
  }

  isWarmedStorage(address: Uint8Array, slot: Uint8Array): boolean {
    return this.isWarmSlot(bytesToHex(address), bytesToHex(slot))
  }

  addAlwaysWarmAddress(address: Address): void {
    if (this.parties.length < MOST_PARTIES) this.parties.push(address)
    else this.alwaysWarm.add(address)
  }

  addAlwaysWarmSlot(address: Address, slot: Hash): void {
    this.addAlwaysWarmAddress(address)
    this.alwaysWarmSlots.set(address, (this.alwaysWarmSlots.get(address) ?? new Set()).add(slot))
  }

  checkpoint(): void {
    this.checkpoints.push(this.log.length)
    this.slots.checkpoint()
    this.writer.checkpoint()
  }

  /** A checkpoint of the module: the length of its journal then, the checkpoint before, and the length of the log here. */
  adoptCheckpoint(length: number, outer: number, mark = this.mark): void {
    this.checkpoints.push(mark)
    this.slots.adoptCheckpoint(length, outer)
    this.writer.checkpoint()
  }

  commit(): void {
    this.checkpoints.pop()
    this.slots.commit()
    this.writer.commit()
  }

  revert(): void {
    this.coolSince(this.checkpoints.pop() ?? 0)
    this.slots.revert()
    this.writer.revert()
  }

  /**
   * With new maps: an engine links the entries that `clear` drops to those that follow, and once they are old, garbage
   * collections of the young keep all of them alive.
   */
  cleanJournal(): void {
    if (this.warm.size > 0) this.warm = new Map()
    this.precompiles = NONE
    if (this.alwaysWarm.size > 0) this.alwaysWarm = new Set()
    this.parties.length = 0
    if (this.alwaysWarmSlots.size > 0) this.alwaysWarmSlots = new Map()
    if (this.touched.size > 0) this.touched = new Set()
    this.log.length = 0
    this.checkpoints.length = 0
    this.slots.end()
    this.onClean()
  }

  /** Writes storage into the state, deletes touched empty accounts (EIP-161) and clears the journal. */
  cleanup(): void {
    this.slots.flush(this.writer)
    for (const address of this.touched) {
      const { nonce, balance, code } = readAccount(this.writer.current, address)
      if (nonce === 0n && balance === 0n && isNoCode(code))
        this.writer.current = this.writer.current.delete(address)
    }
    this.cleanJournal()
  }
}

interface Slot {
  value: bigint
  /** The checkpoint in which the slot was logged last. */
  loggedIn: number
}

/** The value of a slot at a checkpoint. */
interface TransientEntry {
  readonly slot: Slot
  readonly value: bigint
}

export class TransientStorage {
  private slots = new Map<Address, Map<bigint, Slot>>()
  private readonly log: TransientEntry[] = []
  /** The open checkpoints: where the log stood, and their numbers, of which none is used twice. */
  private readonly checkpoints: { readonly start: number; readonly number: number }[] = []
  private checkpointCount = 0

  read(address: Address, key: bigint): bigint {
    return this.slots.get(address)?.get(key)?.value ?? 0n
  }

  write(address: Address, key: bigint, value: bigint): void {
    const number = this.checkpoints.at(-1)?.number ?? 0
    let slots = this.slots.get(address)
    if (slots === undefined) {
      slots = new Map()
      this.slots.set(address, slots)
    }
    let slot = slots.get(key)
    if (slot === undefined) {
      slot = { value: 0n, loggedIn: -1 }
      slots.set(key, slot)
    }
    if (slot.loggedIn !== number) {
      this.log.push({ slot, value: slot.value })
      slot.loggedIn = number
    }
    slot.value = value
  }

  /** Notes the values of all slots; returns what writes them again. For cheatcodes. */
  keep(): () => void {
    const all = () =>
      [...this.slots].flatMap(([address, slots]) =>
        [...slots].map(([key, { value }]) => [address, key, value] as const),
      )
    const kept = all()
    return () => {
      for (const [address, key] of all()) this.write(address, key, 0n)
      for (const [address, key, value] of kept) this.write(address, key, value)
    }
  }

  checkpoint(): void {
    this.checkpointCount++
    this.checkpoints.push({ start: this.log.length, number: this.checkpointCount })
  }

  commit(): void {
    this.checkpoints.pop()
  }

  revert(): void {
    const start = this.checkpoints.pop()?.start ?? 0
    while (this.log.length > start) {
      const { slot, value } = this.log.pop() as TransientEntry
      slot.value = value
    }
  }

  /** At the end of a transaction. */
  clear(): void {
    // See `cleanJournal` of journal.ts.
    if (this.slots.size > 0) this.slots = new Map()
    this.log.length = 0
  }
}
