// Pranks by the rules of forge 1.7.1: one belongs to a depth, and changes calls that the account makes from there.

import { type EvmMessage, toEvmAddress } from '../../core/execution/evm/covered-evm.ts'
import { type Address, bytesToHex } from '../../core/primitives/hex.ts'
import { readAccount, type StateWriter, updateAccount } from '../../core/state/world-state.ts'
import { type CheatRun, NO_PRANKS, type Prank, type Pranks } from './cheat-state.ts'
import { cheatcodeError, refuseWith } from './errors.ts'

/** The prank of a depth, or else of the closest above it. */
export function prankAt(pranks: Pranks, depth: number): Prank | undefined {
  return pranks.filter((each) => each.depth <= depth).at(-1)
}

export function withoutPrank(pranks: Pranks, depth: number): Pranks {
  if (!pranks.some((each) => each.depth === depth)) return pranks
  return pranks.length === 1 ? NO_PRANKS : pranks.filter((each) => each.depth !== depth)
}

export function withPrank(pranks: Pranks, prank: Prank): Pranks {
  return [...withoutPrank(pranks, prank.depth), prank].sort((a, b) => a.depth - b.depth)
}

/** Refuses a prank where another one is going on. */
export function checkPrank(pranks: Pranks, depth: number, isLasting: boolean): void {
  const before = prankAt(pranks, depth)
  if (before === undefined) return
  if (before.isBroadcast)
    refuseWith(
      'cannot `prank` for a broadcasted transaction; pass the desired `tx.origin` into the `broadcast` cheatcode call',
    )
  if (!before.isUsed) refuseWith('cannot overwrite a prank until it is applied at least once')
  if (before.isLasting === isLasting) return
  refuseWith(
    'cannot override an ongoing prank with a single vm.prank; use vm.startPrank to override the current prank',
  )
}

const STATIC_BROADCAST = cheatcodeError(
  '`staticcall`s are not allowed after `broadcast`; use `startBroadcast` instead',
)

export function changeNonce(writer: StateWriter, address: Address, by: bigint): void {
  const { nonce } = readAccount(writer.current, address)
  writer.current = updateAccount(writer.current, address, { nonce: nonce + by })
}

/** The account that pays for a message of another one. */
export function prankedPayer({ cheats }: CheatRun, account: Address, depth: number): Address | undefined {
  const prank = prankAt(cheats.pranks, depth)
  return prank?.depth === depth && prank.by === account ? prank.as : undefined
}

/** Has a message that begins come from the account of its prank. */
export function applyPrank(run: CheatRun, message: EvmMessage): void {
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
      if (to !== undefined) changeNonce(writer, prank.as, 1n + BigInt(own))
      run.noteBroadcast(message)
    }
    // The nonce of a creation, which its frame has raised, is that of the pranked account.
    if (to === undefined) {
      changeNonce(writer, prank.by, -1n)
      changeNonce(writer, prank.as, 1n)
    }
    if (!isDelegate) evm.access.warmUp(prank.as)
    message.caller = toEvmAddress(prank.as)
  }
  if (prank.origin !== undefined) evm.changeEnvironment({ origin: toEvmAddress(prank.origin) })
  const isApplied = isHere || prank.origin !== undefined
  if (!isApplied || prank.isUsed) return
  run.change({ pranks: withPrank(cheats.pranks, { ...prank, depth, isUsed: true }) })
}

/** A creation that cannot be paid is made under its prank, though it does not begin. */
export function refuseCreation(run: CheatRun, account: Address, depth: number): false {
  const { pranks } = run.cheats
  const prank = prankAt(pranks, depth)
  if (prank?.depth !== depth || prank.by !== account) return false
  const used = { ...prank, isUsed: true }
  run.change({ pranks: prank.isLasting ? withPrank(pranks, used) : withoutPrank(pranks, depth) })
  return false
}

/** Ends the prank of a depth whose message has ended, and its origin. */
export function endPrank(run: CheatRun, depth: number): void {
  const { pranks } = run.cheats
  const prank = prankAt(pranks, depth)
  if (prank?.depth !== depth) return
  if (prank.origin !== undefined) run.evm.changeEnvironment({ origin: toEvmAddress(prank.originBefore) })
  if (!prank.isLasting) run.change({ pranks: withoutPrank(pranks, depth) })
}
