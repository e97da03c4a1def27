// Pranks, by the rules of forge 1.7.1: a prank belongs to the depth at which it was asked for, and changes the calls that the
// account which asked for it makes from there.

import { type EvmMessage, toEvmAddress, type WasmEvm } from '../../core/execution/evm/covered-evm.ts'
import { type Address, bytesToHex } from '../../core/primitives/hex.ts'
import type { StateWriter } from '../../core/state/world-state.ts'
import * as world from '../../core/state/world-state.ts'
import { CheatcodeRefusal, cheatcodeError } from './errors.ts'

export interface Prank {
  readonly as: Address
  /** The transaction's origin under the prank, if that changes too. */
  readonly origin: Address | undefined
  readonly originBefore: Address
  /** The account that asked for it. */
  readonly by: Address
  readonly depth: number
  readonly isLasting: boolean
  /** True if calls by DELEGATECALL are changed too, and made in the storage of the account. */
  readonly isForDelegates: boolean
  /** True for calls that would be sent in a script; they are noted. */
  readonly isBroadcast: boolean
  /** True if it has changed a call. */
  readonly isUsed: boolean
}

/** Pranks by depth, in the order of depths. */
export type Pranks = readonly Prank[]

export const NO_PRANKS: Pranks = []

/** The prank of a depth, or else of the closest above it. */
export function prankAt(pranks: Pranks, depth: number): Prank | undefined {
  return pranks.filter((each) => each.depth <= depth).at(-1)
}

export function withoutPrank(pranks: Pranks, depth: number): Pranks {
  if (!pranks.some((each) => each.depth === depth)) return pranks
  return pranks.length === 1 ? NO_PRANKS : pranks.filter((each) => each.depth !== depth)
}

/** Adds a prank, or replaces that of its depth. */
export function withPrank(pranks: Pranks, prank: Prank): Pranks {
  return [...withoutPrank(pranks, prank.depth), prank].sort((a, b) => a.depth - b.depth)
}

/** Refuses a prank where another one is going on. */
export function checkPrank(pranks: Pranks, depth: number, isLasting: boolean): void {
  const before = prankAt(pranks, depth)
  if (before === undefined) return
  if (before.isBroadcast) {
    throw new CheatcodeRefusal(
      'cannot `prank` for a broadcasted transaction; pass the desired `tx.origin` into the `broadcast` cheatcode call',
    )
  }
  if (!before.isUsed) throw new CheatcodeRefusal('cannot overwrite a prank until it is applied at least once')
  if (before.isLasting === isLasting) return
  throw new CheatcodeRefusal(
    'cannot override an ongoing prank with a single vm.prank; use vm.startPrank to override the current prank',
  )
}

const STATIC_BROADCAST = cheatcodeError(
  '`staticcall`s are not allowed after `broadcast`; use `startBroadcast` instead',
)

/** An execution whose calls are pranked. */
interface Pranked {
  readonly evm: WasmEvm
  readonly writer: StateWriter
  readonly cheats: { readonly pranks: Pranks }
  readonly change: (changes: { readonly pranks: Pranks }) => void
  readonly attached: { readonly delegations: readonly Address[] }
  /** Notes a call of a broadcast. */
  readonly noteBroadcast: (message: EvmMessage) => void
  /** Makes a message revert. */
  readonly mocking: { readonly refuse: (message: EvmMessage, output: Uint8Array) => void }
}

/** The nonce of a creation, which its frame has raised, is that of the pranked account. */
function moveNonce(state: world.WorldState, from: Address, to: Address): world.WorldState {
  const lowered = world.updateAccount(state, from, { nonce: world.readAccount(state, from).nonce - 1n })
  return world.updateAccount(lowered, to, { nonce: world.readAccount(lowered, to).nonce + 1n })
}

/** The account that pays for a message of another one. */
export function prankedPayer({ cheats }: Pranked, account: Address, depth: number): Address | undefined {
  const prank = prankAt(cheats.pranks, depth)
  return prank?.depth === depth && prank.by === account ? prank.as : undefined
}

/** Has a message that begins come from the account of its prank. */
export function applyPrank(run: Pranked, message: EvmMessage): void {
  const { evm, writer, cheats } = run
  const { depth, caller, to } = message
  const prank = prankAt(cheats.pranks, depth)
  if (prank === undefined) return
  const isHere = prank.depth === depth
  const isDelegate = isHere && prank.isForDelegates && message.delegatecall
  if (isDelegate) message.to = toEvmAddress(prank.as)
  else if (prank.by !== bytesToHex(caller.bytes)) return
  if (isHere) {
    if (prank.isBroadcast && message.isStatic) {
      if (!prank.isLasting) run.mocking.refuse(message, STATIC_BROADCAST)
    } else if (prank.isBroadcast) {
      // As in forge, its own delegations count beside the call that they are attached to.
      const own = run.attached.delegations.filter((each) => each === prank.as).length
      const nonce = world.readAccount(writer.current, prank.as).nonce + 1n + BigInt(own)
      if (to !== undefined) writer.current = world.updateAccount(writer.current, prank.as, { nonce })
      run.noteBroadcast(message)
    }
    if (to === undefined) writer.current = moveNonce(writer.current, prank.by, prank.as)
    message.caller = toEvmAddress(prank.as)
  }
  if (prank.origin !== undefined) evm.changeEnvironment({ origin: toEvmAddress(prank.origin) })
  const isApplied = isHere || prank.origin !== undefined
  if (!isApplied || prank.isUsed) return
  run.change({ pranks: withPrank(cheats.pranks, { ...prank, depth, isUsed: true }) })
}

/** A creation that cannot be paid is made under its prank, though it does not begin. */
export function refuseCreation(run: Pranked, account: Address, depth: number): false {
  const { pranks } = run.cheats
  const prank = prankAt(pranks, depth)
  if (prank?.depth !== depth || prank.by !== account) return false
  const used = { ...prank, isUsed: true }
  run.change({ pranks: prank.isLasting ? withPrank(pranks, used) : withoutPrank(pranks, depth) })
  return false
}

/** Ends the prank of a depth whose message has ended, and its origin. */
export function endPrank(run: Pranked, depth: number): void {
  const { pranks } = run.cheats
  const prank = prankAt(pranks, depth)
  if (prank?.depth !== depth) return
  if (prank.origin !== undefined) run.evm.changeEnvironment({ origin: toEvmAddress(prank.originBefore) })
  if (!prank.isLasting) run.change({ pranks: withoutPrank(pranks, depth) })
}
