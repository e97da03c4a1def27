// Recorded accesses to accounts and storage: a list for each open message, joined to its caller's, as in forge 1.7.1.

import type { EvmMessage, EvmResult } from '../../core/execution/evm/covered-evm.ts'
import type { StateAccess } from '../../core/execution/trace/observer.ts'
import { addressOfWord } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { isDead, readAccount, readStorage, type WorldState } from '../../core/state/world-state.ts'

/** `AccountAccessKind` of forge-std. */
const KINDS = {
  call: 0n,
  delegateCall: 1n,
  callCode: 2n,
  staticCall: 3n,
  create: 4n,
  selfDestruct: 5n,
  resume: 6n,
  balance: 7n,
  codeSize: 8n,
  codeHash: 9n,
  codeCopy: 10n,
}

interface StorageAccess {
  readonly account: hex.Address
  readonly slot: hex.Hash
  readonly isWrite: boolean
  readonly before: hex.Hex
  readonly after: hex.Hex
  isReverted: boolean
}

interface AccountAccess {
  readonly chainId: bigint
  readonly kind: bigint
  readonly account: hex.Address
  /** The account whose balance and nonce are meant. */
  readonly target: hex.Address
  readonly accessor: hex.Address
  readonly isInitialized: boolean
  readonly balances: [before: bigint, after: bigint]
  readonly nonces: [before: bigint, after: bigint]
  readonly value: bigint
  readonly data: hex.Hex
  readonly depth: number
  code: hex.Hex
  isReverted: boolean
  storage: StorageAccess[]
}

/** Accesses, in lists by open messages. */
export type Recording = readonly (readonly AccountAccess[])[]

type NewAccess = Pick<AccountAccess, 'kind' | 'account' | 'accessor' | 'depth'> & Partial<AccountAccess>

const CODE_READERS: Readonly<Record<number, bigint>> = {
  49: KINDS.balance,
  59: KINDS.codeSize,
  60: KINDS.codeCopy,
  63: KINDS.codeHash,
}
const SELFDESTRUCT = 0xff
const NOTHING_SENT = { value: 0n, data: '0x', code: '0x' } as const

/** An execution as seen from here. */
interface Recorded {
  readonly state: WorldState
  readonly chainId: bigint
}

export class AccessRecorder {
  private lists: AccountAccess[][] = []
  isOn = false

  begin(recording: Recording | undefined): void {
    this.isOn = recording !== undefined
    this.lists = (recording ?? []).map((list) =>
      list.map((each) => ({ ...each, storage: each.storage.map((access) => ({ ...access })) })),
    )
  }

  /** The accesses so far; absent while none are recorded. */
  get recording(): Recording | undefined {
    return this.isOn ? this.lists : undefined
  }

  private accessOf({ state, chainId }: Recorded, given: NewAccess): AccountAccess {
    const { account } = given
    const target = given.target ?? account
    const { balance, nonce } = readAccount(state, target)
    return {
      chainId,
      target,
      isInitialized: !isDead(readAccount(state, target)),
      balances: [balance, balance],
      nonces: [nonce, nonce],
      ...NOTHING_SENT,
      isReverted: false,
      storage: [],
      ...given,
    }
  }

  enter(
    run: Recorded,
    message: EvmMessage,
    created: hex.Address | undefined,
    kind: keyof typeof KINDS,
  ): void {
    const { caller, to, value, data, depth } = message
    const account = created ?? (hex.bytesToHex(message.codeAddress.bytes) as hex.Address)
    const isCreation = created !== undefined
    const access = this.accessOf(run, {
      kind: KINDS[kind],
      account,
      accessor: hex.bytesToHex(caller.bytes),
      depth: depth - 1,
      target: created ?? hex.bytesToHex((to as NonNullable<typeof to>).bytes),
      data: hex.bytesToHex(data),
      value,
      ...(isCreation && { isInitialized: true, balances: [0n, 0n], nonces: [0n, 0n] }),
    })
    // As in forge, what an open message leaves is not known.
    access.balances[1] = access.nonces[1] = 0n
    this.lists.push([access])
  }

  /** A message has ended, which was sent from a depth. As in forge, a revert that was expected leaves no marks. */
  exit(
    { state }: Recorded,
    depth: number,
    { execResult, createdAddress }: EvmResult,
    isExpected: boolean,
  ): void {
    // The outermost message is there if the recording is older.
    if (depth < 0 && this.lists.at(-1)?.[0]?.depth !== depth) return
    const list = this.lists.pop()
    const first = list?.[0]
    if (list === undefined || first === undefined) return
    if (execResult.exceptionError !== undefined) {
      for (const each of list) {
        each.isReverted = true
        for (const access of each.storage) access.isReverted = true
      }
    }
    if (isExpected) first.balances[1] = first.nonces[1] = 0n
    else if (first.depth === depth && (first.kind !== KINDS.create || createdAddress !== undefined)) {
      const { balance, nonce, code } = readAccount(state, first.target)
      first.balances[1] = balance
      first.nonces[1] = nonce
      if (first.kind === KINDS.create) first.code = hex.bytesToHex(code.bytes)
    }
    const outer = this.lists.at(-1)
    if (outer === undefined) this.lists.push(list)
    else outer.push(...list)
  }

  /** An opcode that looks at another account, or destroys its own, in a frame of a depth; returns the other account. */
  touch(run: Recorded, { opcode, address, peek }: StateAccess, depth: number): hex.Address | undefined {
    const kind = CODE_READERS[opcode]
    const outer = this.lists.at(-1)
    const word = peek(0)
    if (word === undefined || (kind === undefined && (opcode !== SELFDESTRUCT || outer === undefined)))
      return undefined
    const account = addressOfWord(word)
    const access = this.accessOf(run, { kind: kind ?? KINDS.selfDestruct, account, accessor: address, depth })
    if (kind === undefined) {
      const { balance } = readAccount(run.state, address)
      access.balances[1] += balance
      Object.assign(access, { value: balance })
    }
    if (outer === undefined) this.lists.push([access])
    else outer.push(access)
    return account
  }

  /** True if accesses are recorded where the slot is. */
  slot(
    { state }: Recorded,
    account: hex.Address,
    slot: hex.Hash,
    next: Uint8Array | undefined,
    depth: number,
  ): boolean {
    const list = this.lists.at(-1)
    const [first] = list ?? []
    if (list === undefined || first === undefined || first.depth >= depth) return list !== undefined
    const before = hex.toWord(hex.bytesToBigInt(readStorage(state, account, slot)))
    const after = next === undefined ? before : hex.toWord(hex.bytesToBigInt(next))
    const access = { account, slot, isWrite: next !== undefined, before, after, isReverted: false }
    const last = list.at(-1) as AccountAccess
    if (list.length === 1 || last.kind === KINDS.resume) last.storage.push(access)
    else {
      const resumed = { ...first, ...NOTHING_SENT, kind: KINDS.resume, storage: [access] }
      list.push({ ...resumed, balances: [0n, 0n], nonces: [0n, 0n] })
    }
    return true
  }
}

function storageTuple({ account, slot, isWrite, before, after, isReverted }: StorageAccess) {
  return [account, slot, isWrite, before, after, isReverted]
}

export function accountAccesses(recording: Recording) {
  return recording
    .flat()
    .map((each) => [
      ...[[0n, each.chainId], each.kind, each.account, each.accessor, each.isInitialized, ...each.balances],
      ...[each.code, each.value, each.data, each.isReverted, each.storage.map(storageTuple)],
      ...[BigInt(each.depth + 1), ...each.nonces],
    ])
}

export function storageAccesses(recording: Recording) {
  return recording.flat().flatMap(({ storage }) => storage.map(storageTuple))
}

export interface Change<Value> {
  readonly before: Value
  after: Value
}

/** Changes of the slots of one access to an account. */
export type SlotChanges = ReadonlyMap<hex.Hash, Change<hex.Hex>>

/** The change of a slot, with those beside it, in the first access to its account and in the last. */
export interface SlotChange extends Change<hex.Hex> {
  readonly first: SlotChanges
  last: SlotChanges
}

export interface AccountChange {
  balance?: Change<bigint>
  nonce?: Change<bigint>
  readonly slots: Map<hex.Hash, SlotChange>
}

function joined<Value>(earlier: Change<Value> | undefined, before: Value, after: Value): Change<Value> {
  return { before: earlier?.before ?? before, after }
}

/** The changes in a recording, by accounts in their order. */
export function accountChanges(recording: Recording): readonly (readonly [hex.Address, AccountChange])[] {
  const all = new Map<hex.Address, AccountChange>()
  const of = (account: hex.Address): AccountChange => {
    const change: AccountChange = all.get(account) ?? { slots: new Map() }
    all.set(account, change)
    return change
  }
  for (const { account, balances, nonces, storage } of recording.flat()) {
    if (balances[0] !== balances[1]) of(account).balance = joined(all.get(account)?.balance, ...balances)
    if (nonces[0] !== nonces[1]) of(account).nonce = joined(all.get(account)?.nonce, ...nonces)
    const written = storage.filter(({ isWrite, isReverted }) => isWrite && !isReverted)
    const last = new Map(written.map(({ slot, before, after }) => [slot, { before, after }]))
    for (const { account: owner, slot, before, after } of written) {
      const { slots } = of(owner)
      const earlier = slots.get(slot)
      slots.set(slot, { ...joined(earlier, before, after), first: earlier?.first ?? last, last })
    }
  }
  return [...all].sort(([left], [right]) => (left < right ? -1 : 1))
}
