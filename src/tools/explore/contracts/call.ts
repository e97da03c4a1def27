// A call that exploring makes: its function, sender, arguments, value and time.

import type { ReadLog, UsedSlots } from '../../../core/execution/evm/covered-evm.ts'
import type { AbiType, AbiValue } from '../../../core/primitives/abi.ts'
import { encodeAbi } from '../../../core/primitives/encode-abi.ts'
import { type Address, equalBytes, type Hash, hexToBytes } from '../../../core/primitives/hex.ts'
import type { BlockEnvironment } from '../../../core/rollup/header.ts'
import * as world from '../../../core/state/world-state.ts'
import type { CheatState } from '../../cheatcodes/cheat-state.ts'
import type { Cheated } from '../../cheatcodes/execution.ts'
import type { AbiFunction } from '../../solidity/model/contract.ts'

/** A function that is called in sequences. */
export interface Action {
  readonly index: number
  readonly contract: string
  readonly address: Address
  readonly fn: AbiFunction
  readonly selector: Uint8Array
  readonly types: readonly AbiType[]
  /** Values that a test gives for parameters. */
  readonly fixtures?: Fixtures
}

/** For each parameter, if there are any. */
export type Fixtures = readonly (readonly AbiValue[] | undefined)[]

export interface Call {
  readonly action: Action
  readonly sender: Address
  /** Tuples are arrays. */
  readonly args: readonly AbiValue[]
  /** Wei. */
  readonly value: bigint
  /** Seconds that pass before it. */
  readonly wait: number
}

/** All calls are made here, so that they have one shape: an engine is slow with objects of many. */
export function makeCall(
  action: Action,
  sender: Address,
  args: readonly AbiValue[],
  value: bigint,
  wait: number,
): Call {
  return { action, sender, args, value, wait }
}

export function changeFields(
  { action, sender, args, value, wait }: Call,
  changes: Partial<Omit<Call, 'action'>>,
): Call {
  const { sender: from = sender, args: others = args, value: wei = value, wait: seconds = wait } = changes
  return makeCall(action, from, others, wei, seconds)
}

export function firstBytes([a = 0, b = 0, c = 0, d = 0]: Uint8Array): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}

export function encodeCall({ inputs = [], selector }: AbiFunction, args: readonly AbiValue[]): Uint8Array {
  return encodeAbi(
    inputs.map(({ type }) => type),
    args,
    hexToBytes(selector),
  )
}

export function messageOfCall({ action, sender, args, value }: Call) {
  return { from: sender, to: action.address, value, input: encodeAbi(action.types, args, action.selector) }
}

/** A sequence of calls, as the last of them and what is before it. */
export interface Path {
  readonly length: number
  readonly before: Path | undefined
  readonly call: Call | undefined
}

export const NO_CALLS: Path = { length: 0, before: undefined, call: undefined }

export function withCall(before: Path, call: Call): Path {
  return { length: before.length + 1, before, call }
}

export function callsOf(path: Path): Call[] {
  const calls: Call[] = []
  for (let at: Path | undefined = path; at?.call !== undefined; at = at.before) calls.push(at.call)
  return calls.reverse()
}

/** Where a sequence of calls stands: the state, the block, and what cheatcodes have set. */
export interface Position extends Cheated {
  readonly state: world.WorldState
  /** Reads of the invariants of contracts that hold here, in their order, as far as they are known. */
  held?: readonly (Reads | undefined)[]
}

interface ReadAccount {
  readonly address: Address
  readonly account: world.Account
  readonly slots: readonly Hash[]
}

export interface Reads {
  /** Present if anything of the block was read. */
  readonly environment: BlockEnvironment | undefined
  /** Any call reads them. */
  readonly cheats: CheatState
  readonly accounts: readonly ReadAccount[]
}

const NONE: readonly Hash[] = []

/** The reads of an execution; `undefined` if not all of them are known. */
export function readsOf(
  { state, environment, cheats }: Position,
  { accounts, isPartial, readsBlock }: ReadLog,
  used: readonly UsedSlots[] | undefined,
): Reads | undefined {
  if (isPartial || used === undefined) return undefined
  const read: ReadAccount[] = []
  let withSlots = 0
  for (const address of accounts) {
    const account = world.readAccount(state, address)
    // What it delegates to is not noted where a transaction calls it.
    if (world.delegateOf(account.code.bytes) !== undefined) return undefined
    const slots = used.find((each) => each.address === address)?.names
    if (slots !== undefined) withSlots++
    read.push({ address, account, slots: slots ?? NONE })
  }
  if (withSlots < used.length) return undefined
  return { environment: readsBlock ? environment : undefined, cheats, accounts: read }
}

function isSameStorage({ account, slots }: ReadAccount, storage: world.Storage): boolean {
  let isSame = true
  account.storage.visitWrites(storage, (name, before, now) => {
    if (!isSame || !slots.includes(name)) return
    // Of a fork, neither may be known.
    isSame = before !== undefined && now !== undefined && equalBytes(before, now)
  })
  return isSame
}

/** True if a position is the same in everything that was read. */
export function isSameFor(reads: Reads, { state, environment, cheats }: Position): boolean {
  if (reads.cheats !== cheats) return false
  if (reads.environment !== undefined && reads.environment !== environment) return false
  for (const read of reads.accounts) {
    const { address, account } = read
    const now = state.get(address) ?? world.EMPTY_ACCOUNT
    if (now === account) continue
    const isSame = now.code === account.code && now.balance === account.balance && now.nonce === account.nonce
    if (!isSame || !isSameStorage(read, now.storage)) return false
  }
  return true
}
