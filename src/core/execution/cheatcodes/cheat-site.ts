// What cheatcodes do to the execution in which they are called.

import type { Covering } from '../../interpreter/covering.ts'
import type { WasmEvm } from '../../interpreter/evm.ts'
import type { Message } from '../../interpreter/message.ts'
import { type Address, bytesToHex, hexToBytes, toWord } from '../../primitives/hex.ts'
import { andThen, type Later } from '../../primitives/later.ts'
import { makeCode } from '../../state/account.ts'
import type { StateWriter } from '../../state/state-writer.ts'
import { readAccount, updateAccount } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import type { Expectations } from './expectations.ts'
import type { Left } from './left.ts'
import { checkPrank, prankAt, withoutPrank, withPrank } from './pranks.ts'
import type { CheatSite } from './site.ts'
import { changesTo, type SlotChange, type Snapshots } from './snapshots.ts'

/** What they need of the execution. */
export interface Run {
  readonly wasm: WasmEvm
  readonly writer: StateWriter
  readonly covering: Covering
  readonly expected: Expectations
  readonly snapshots: Snapshots
  readonly left: Left
  readonly environment: BlockEnvironment
  /** The message to the cheatcode. */
  readonly message: () => Message
  readonly change: (changes: Partial<Left>) => void
  readonly fetchAccesses: () => void
  readonly moveTo: (environment: BlockEnvironment) => void
  readonly setTransaction: () => void
  /** Runs the code that reads and writes slots for an account. */
  readonly access: <Result>(
    address: Address,
    data: Uint8Array,
    use: (returned: Uint8Array) => Result,
  ) => Later<Result>
}

const ZERO = toWord(0n)

/** Writes slots, from one on. */
function write(run: Run, changes: readonly SlotChange[], from: number): Later<void> {
  const change = changes[from]
  if (change === undefined) return undefined
  const { isTransient, address, slot, value } = change
  const mark = isTransient ? ZERO.slice(2) : ''
  const written = run.access(address, hexToBytes(`${slot}${value.slice(2)}${mark}`), () => undefined)
  return andThen(written, () => write(run, changes, from + 1))
}

function expectations(
  run: Run,
): Pick<CheatSite, 'expectRevert' | 'expectEmit' | 'expectCall' | 'assumeNoRevert'> {
  const { expected } = run
  return {
    expectRevert: (pattern) => expected.expectRevert(pattern, run.message().depth),
    expectEmit: (pattern) => expected.expectEmit(pattern, run.message().depth),
    expectCall: (pattern, count) => expected.expectCall(pattern, count),
    assumeNoRevert: () => expected.assumeNoRevert(run.message().depth),
  }
}

function senders(run: Run): Pick<CheatSite, 'prank' | 'stopPrank' | 'callers'> {
  const originNow = (): Address => {
    const { environment } = run.wasm
    return bytesToHex((environment as NonNullable<typeof environment>).transaction.origin.bytes)
  }
  return {
    prank: (disguise, isLasting) => {
      const { pranks } = run.left
      const { caller, depth } = run.message()
      checkPrank(pranks, depth, isLasting)
      const by = bytesToHex(caller.bytes)
      const added = { ...disguise, by, depth, isLasting, isUsed: false, originBefore: originNow() }
      run.change({ pranks: withPrank(pranks, added) })
    },
    stopPrank: () => run.change({ pranks: withoutPrank(run.left.pranks, run.message().depth) }),
    callers: () => {
      const prank = prankAt(run.left.pranks, run.message().depth)
      const origin = prank?.origin ?? originNow()
      const mode = prank === undefined ? 'none' : prank.isLasting ? 'lastingPrank' : 'prank'
      return { mode, sender: prank?.as ?? origin, origin }
    },
  }
}

function accounts(run: Run): Pick<CheatSite, 'account' | 'update' | 'etch' | 'load' | 'store'> {
  const { writer } = run
  return {
    account: (address) => readAccount(writer.current, address),
    update(address, changes) {
      writer.current = updateAccount(writer.current, address, changes)
    },
    etch: (address, code) => {
      writer.current = updateAccount(writer.current, address, { code: makeCode(code) })
      run.covering.callees.forgetChecks()
    },
    load: (address, slot) => run.access(address, hexToBytes(slot), bytesToHex),
    store: (address, slot, value) =>
      run.access(address, hexToBytes(`${slot}${value.slice(2)}`), () => undefined),
  }
}

function records(run: Run): Pick<CheatSite, 'left' | 'leave' | 'recordAccesses' | 'accesses'> {
  return {
    left: () => run.left,
    leave: (changes) => run.change(changes),
    recordAccesses: (isOn) => {
      run.fetchAccesses()
      run.change(isOn ? { recordsAccesses: true, accesses: [] } : { recordsAccesses: false })
      run.wasm.access.slots.watchAccesses(isOn)
    },
    accesses: () => {
      run.fetchAccesses()
      return run.left.accesses
    },
  }
}

/** The block, the transaction, and snapshots. */
function history(
  run: Run,
): Pick<
  CheatSite,
  'moveTo' | 'environment' | 'setTransaction' | 'chainId' | 'snapshot' | 'revertTo' | 'deleteSnapshot'
> {
  const { writer, wasm, snapshots } = run
  const writtenSlots = () => [...wasm.access.slots.writtenSlots(), ...wasm.transient.writtenSlots()]
  return {
    moveTo: (changes) => run.moveTo({ ...run.environment, ...changes }),
    environment: () => run.environment,
    setTransaction: (changes) => {
      run.change(changes)
      run.setTransaction()
    },
    chainId: () => run.left.chainId ?? wasm.common.chainId(),
    snapshot: () => {
      const { environment, left } = run
      const written = writtenSlots()
      return snapshots.add({ state: writer.current, written, environment, chainId: left.chainId })
    },
    revertTo: (id) => {
      const snapshot = snapshots.get(id)
      if (snapshot === undefined) return false
      const changes = changesTo(snapshot, writtenSlots())
      return andThen(write(run, changes, 0), () => {
        writer.current = snapshot.state
        run.covering.callees.forgetChecks()
        const { environment, chainId } = snapshot
        run.moveTo(environment)
        run.change({ chainId })
        wasm.changeEnvironment({ chainId })
        return true
      })
    },
    deleteSnapshot: (id) => snapshots.delete(id),
  }
}

export function makeSite(run: Run): CheatSite {
  return { ...expectations(run), ...senders(run), ...accounts(run), ...records(run), ...history(run) }
}
