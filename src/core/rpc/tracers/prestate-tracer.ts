// geth's prestateTracer: the touched accounts before, and what changed (eth/tracers/native/prestate.go).

import { recoverAuthority } from '../../execution/evm/run-message.ts'
import * as observers from '../../execution/trace/observer.ts'
import { paidAccounts } from '../../execution/transaction/rollup-fees.ts'
import { addressOfWord } from '../../primitives/crypto.ts'
import * as hex from '../../primitives/hex.ts'
import { memoizeLru } from '../../primitives/lru-cache.ts'
import type { Account, WorldState } from '../../state/world-state.ts'
import * as world from '../../state/world-state.ts'
import type { TracerOptions } from '../codecs/trace-config.ts'
import type { StartTracing } from './tracer.ts'

const SLOAD = 0x54
const SSTORE = 0x55
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT. */
const WITH_ADDRESS: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff])
/** CALL, CALLCODE, DELEGATECALL, STATICCALL. */
const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa])

type TouchedState = ReadonlyMap<hex.Address, ReadonlySet<hex.Hash>>

/** Records what is touched; `state` returns the state that the execution has reached. */
function recordTouched(state: () => WorldState) {
  const before = state()
  const touched = new Map<hex.Address, Set<hex.Hash>>()
  /** Takes back what the last access has added, because geth knows an opcode only once it is paid for. */
  const undo: (() => void)[] = []

  function touch(address: hex.Address, slot?: hex.Hash): void {
    const slots = touched.get(address) ?? new Set()
    if (!touched.has(address)) {
      touched.set(address, slots)
      undo.push(() => touched.delete(address))
    }
    if (slot === undefined || slots.has(slot)) return
    slots.add(slot)
    undo.push(() => slots.delete(slot))
  }

  function touchCode(address: hex.Address, at: WorldState): void {
    touch(address)
    const delegate = world.delegateOf(world.readAccount(at, address).code.bytes)
    if (delegate !== undefined) touch(delegate)
  }

  function access({ opcode, address, peek }: observers.StateAccess): void {
    undo.length = 0
    const top = peek(0)
    if (top === undefined) return
    if (opcode === SLOAD || opcode === SSTORE) touch(address, hex.toWord(top))
    else if (WITH_ADDRESS.has(opcode)) touch(addressOfWord(top))
    else if (CALLS.has(opcode)) {
      const to = peek(1)
      if (to !== undefined) touchCode(addressOfWord(to), state())
    }
  }

  const observer: observers.Observer = {
    access,
    accessFailed() {
      for (const step of undo) step()
    },
    enter(frame) {
      // Other frames begin with an opcode that accesses the account.
      if (observers.isCreation(frame)) touch(frame.to)
      // As in geth, the delegate is that from before the transaction's own authorizations.
      else if (frame.depth === 0) touchCode(frame.to, before)
    },
  }
  return { observer, touched: touched as TouchedState, touch }
}

type PartialState = Record<hex.Address, object>
type PrestateOptions = TracerOptions['prestateTracer']

/** Traces of one contract show its code again and again. */
const codeToHex = memoizeLru(16, hex.bytesToHex)

function isEmpty({ nonce, balance, code }: Account): boolean {
  return nonce === 0n && balance === 0n && code.bytes.length === 0
}

function changedPart(old: Account, now: Account, { disableCode }: PrestateOptions) {
  const isCodeChanged = !hex.equalBytes(old.code.hash, now.code.hash)
  return {
    ...(now.balance === old.balance ? {} : { balance: hex.toQuantity(now.balance) }),
    ...(isCodeChanged && !disableCode ? { code: codeToHex(now.code.bytes) } : {}),
    ...(isCodeChanged ? { codeHash: hex.bytesToHex(now.code.hash) } : {}),
    ...(now.nonce === old.nonce ? {} : { nonce: Number(now.nonce) }),
  }
}

function fullPart(account: Account, options: PrestateOptions) {
  return { balance: hex.toQuantity(account.balance), ...changedPart(world.EMPTY_ACCOUNT, account, options) }
}

function storagePart(
  state: WorldState,
  address: hex.Address,
  slots: Iterable<hex.Hash>,
  shown: 'all' | 'nonzero',
) {
  const storage: Record<hex.Hash, hex.Hash> = {}
  for (const slot of slots) {
    const value = world.readStorage(state, address, slot)
    if (shown === 'all' || value.length > 0) storage[slot] = hex.bytesToHex(hex.padLeft(value, 32))
  }
  return Object.keys(storage).length === 0 ? {} : { storage }
}

/** The touched accounts and slots before an execution: enough to execute it again. */
function touchedBefore(touched: TouchedState, before: WorldState, options: PrestateOptions): PartialState {
  const accounts: PartialState = {}
  for (const [address, slots] of touched) {
    const account = world.readAccount(before, address)
    if (isEmpty(account) && !options.includeEmpty) continue
    const storage = options.disableStorage ? {} : storagePart(before, address, slots, 'all')
    accounts[address] = { ...fullPart(account, options), ...storage }
  }
  return accounts
}

/** The changed values, before and after. A deleted account is only in `pre`, with all touched slots. */
function diffTouched(touched: TouchedState, before: WorldState, after: WorldState, options: PrestateOptions) {
  const pre: PartialState = {}
  const post: PartialState = {}
  for (const [address, all] of touched) {
    const old = world.readAccount(before, address)
    const slots = options.disableStorage ? [] : [...all]
    const addBefore = (own: readonly hex.Hash[], shown: 'all' | 'nonzero'): void => {
      if (isEmpty(old)) return
      pre[address] = { ...fullPart(old, options), ...storagePart(before, address, own, shown) }
    }
    if (!after.has(address)) {
      addBefore(slots, 'all')
      continue
    }
    const changed = slots.filter(
      (slot) =>
        !hex.equalBytes(world.readStorage(before, address, slot), world.readStorage(after, address, slot)),
    )
    const part = changedPart(old, world.readAccount(after, address), options)
    if (changed.length === 0 && Object.keys(part).length === 0) continue
    addBefore(changed, 'nonzero')
    post[address] = { ...part, ...storagePart(after, address, changed, 'nonzero') }
  }
  return { post, pre }
}

export const prestateTracer: StartTracing<PrestateOptions> = (options, subject) => {
  const { observer, touched, touch } = recordTouched(subject.state)
  const { from, rules, environment, authorizationList } = subject
  const authorities = authorizationList.map(recoverAuthority).filter((each) => each !== undefined)
  for (const address of [from, ...paidAccounts(rules, environment), ...authorities]) touch(address)
  return {
    observer,
    result: ({ after }) =>
      options.diffMode
        ? diffTouched(touched, subject.before, after, options)
        : touchedBefore(touched, subject.before, options),
  }
}
