// What an execution reads of the state and the chain: accounts, slots, codes and block hashes.

import { addressOfWord } from '../../primitives/crypto.ts'
import { type Address, type Hash, toWord } from '../../primitives/hex.ts'
import type { FrameStart, Observer, StateAccess } from './observer.ts'

const BLOCKHASH = 0x40
/** BLOCKHASH is zero for blocks further back. */
const MOST_BLOCKS_BACK = 256
const SLOAD = 0x54
const SSTORE = 0x55

/** Opcodes with an address on the stack: its place, and whether its code is read. */
const ADDRESS_AT: ReadonlyMap<number, readonly [place: number, readsCode: boolean]> = new Map([
  [0x31, [0, false]], // BALANCE
  [0x3b, [0, true]], // EXTCODESIZE
  [0x3c, [0, true]], // EXTCODECOPY
  [0x3f, [0, true]], // EXTCODEHASH: some EVMs read the code, in case it is a delegation (EIP-7702)
  [0xf1, [1, true]], // CALL
  [0xf2, [1, true]], // CALLCODE
  [0xf4, [1, true]], // DELEGATECALL
  [0xfa, [1, true]], // STATICCALL
  [0xff, [0, false]], // SELFDESTRUCT
])

/** The account that an opcode names, and whether its code is read; `undefined` for others, and for a stack that is short. */
export function accessedAccount({ opcode, peek }: StateAccess) {
  const [place = 0, readsCode] = ADDRESS_AT.get(opcode) ?? []
  const word = readsCode === undefined ? undefined : peek(place)
  return word === undefined ? undefined : { address: addressOfWord(word), readsCode }
}

/** The slot that an opcode reads or writes. */
export function accessedSlot({ opcode, peek }: StateAccess): Hash | undefined {
  const slot = opcode === SLOAD || opcode === SSTORE ? peek(0) : undefined
  return slot === undefined ? undefined : toWord(slot)
}

/** Adds slots to those of an account, and the account itself. */
export function addAccess(
  accesses: Map<Address, Set<Hash>>,
  address: Address,
  slots: readonly Hash[] = [],
): void {
  const known = accesses.get(address) ?? new Set()
  accesses.set(address, known)
  for (const slot of slots) known.add(slot)
}

export interface Accesses {
  /** Accounts in the order of their first access, with their slots. */
  readonly accounts: ReadonlyMap<Address, ReadonlySet<Hash>>
  /** Slots that were zero at some time, even within a transaction, after which they may have a value again. */
  readonly cleared: ReadonlyMap<Address, ReadonlySet<Hash>>
  /** Accounts whose code was read. */
  readonly codeReads: ReadonlySet<Address>
  /** The lowest block whose hash was read. */
  readonly lowestBlock: number | undefined
}

/** A record of the accesses of several executions. */
export interface AccessRecord {
  readonly touch: (address: Address, ...slots: readonly Hash[]) => void
  readonly readCode: (address: Address) => void
  /** Records an execution in the block with a number. */
  readonly observerIn: (blockNumber: number) => Observer
  readonly accesses: () => Accesses
}

export function createAccessRecord(): AccessRecord {
  const accounts = new Map<Address, Set<Hash>>()
  const cleared = new Map<Address, Set<Hash>>()
  const codeReads = new Set<Address>()
  let lowestBlock: number | undefined

  const touch: AccessRecord['touch'] = (address, ...slots) => addAccess(accounts, address, slots)

  function readCode(address: Address): void {
    touch(address)
    codeReads.add(address)
  }

  function enter({ kind, from, to }: FrameStart): void {
    touch(from)
    if (kind === 'SELFDESTRUCT' || kind.startsWith('CREATE')) touch(to)
    else readCode(to)
  }

  function access(accessed: StateAccess): void {
    const { opcode, address, peek } = accessed
    touch(address)
    const slot = accessedSlot(accessed)
    if (slot !== undefined) touch(address, slot)
    if (slot !== undefined && opcode === SSTORE && peek(1) === 0n) addAccess(cleared, address, [slot])
    const named = accessedAccount(accessed)
    if (named?.readsCode === true) readCode(named.address)
    else if (named !== undefined) touch(named.address)
  }

  function readHash(blockNumber: number, asked: bigint | undefined): void {
    if (asked === undefined || asked >= blockNumber || asked < blockNumber - MOST_BLOCKS_BACK) return
    lowestBlock = Math.min(lowestBlock ?? blockNumber, Number(asked))
  }

  return {
    touch,
    readCode,
    observerIn: (blockNumber) => ({
      enter,
      access,
      step({ opcode, peek }) {
        if (opcode === BLOCKHASH) readHash(blockNumber, peek(0))
      },
    }),
    accesses: () => ({ accounts, cleared, codeReads, lowestBlock }),
  }
}
