// The accounts and slots that an execution reads or writes.

import { addressOfWord } from '../../primitives/address.ts'
import { type Address, bytesToHex, type Hash, toWord } from '../../primitives/hex.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import { DELEGATION_PREFIX, isDelegated } from '../transaction/preconditions.ts'
import type { Observer, StateAccess } from './observer.ts'

/** Account → its slots. */
export type TouchedState = ReadonlyMap<Address, ReadonlySet<Hash>>

export interface TouchRecorder {
  readonly observer: Observer
  readonly touched: TouchedState
  /** Adds an account that the execution touches outside its frames, such as that of the coinbase. */
  readonly touch: (address: Address) => void
}

const SLOAD = 0x54
const SSTORE = 0x55
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT. */
const WITH_ADDRESS: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff])
/** CALL, CALLCODE, DELEGATECALL, STATICCALL. */
const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa])

/** Records what is touched; `state` returns the state that the execution has reached. */
export function recordTouched(state: () => WorldState): TouchRecorder {
  const before = state()
  const touched = new Map<Address, Set<Hash>>()
  /** Takes back what the last access has added, because geth knows an opcode only once it is paid for. */
  const undo: (() => void)[] = []

  function touch(address: Address, slot?: Hash): void {
    const slots = touched.get(address) ?? new Set()
    if (!touched.has(address)) {
      touched.set(address, slots)
      undo.push(() => touched.delete(address))
    }
    if (slot === undefined || slots.has(slot)) return
    slots.add(slot)
    undo.push(() => slots.delete(slot))
  }

  function touchCode(address: Address, at: WorldState): void {
    touch(address)
    const account = readAccount(at, address)
    if (isDelegated(account)) touch(bytesToHex(account.code.bytes.subarray(DELEGATION_PREFIX.length)))
  }

  function access({ opcode, address, peek }: StateAccess): void {
    undo.length = 0
    const top = peek(0)
    if (top === undefined) return
    if (opcode === SLOAD || opcode === SSTORE) touch(address, toWord(top))
    else if (WITH_ADDRESS.has(opcode)) touch(addressOfWord(top))
    else if (CALLS.has(opcode)) {
      const to = peek(1)
      if (to !== undefined) touchCode(addressOfWord(to), state())
    }
  }

  const observer: Observer = {
    access,
    accessFailed() {
      for (const step of undo) step()
    },
    enter({ kind, depth, to }) {
      // Other frames begin with an opcode that has told of the account.
      if (kind === 'CREATE' || kind === 'CREATE2') touch(to)
      // As in geth, the delegate is that from before the transaction's own authorizations.
      else if (depth === 0) touchCode(to, before)
    },
  }
  return { observer, touched, touch }
}
