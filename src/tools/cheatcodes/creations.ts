// Creations and calls that cheatcodes change, and balances and nonces that outlast a failing frame, as in forge.

import { type EvmMessage, type EvmResult, toEvmAddress } from '../../core/execution/evm/covered-evm.ts'
import { type Address, bytesToHex, concatBytes } from '../../core/primitives/hex.ts'
import { type Account, hasCode, type StateWriter, updateAccount } from '../../core/state/world-state.ts'
import { revertTail, SCRIPT_FACTORY } from './addresses.ts'
import type { Pranks } from './cheat-state.ts'
import type { Expectations } from './expectations.ts'
import { changeNonce, prankAt } from './pranks.ts'

const ADDRESS_BYTES = 20

export class Creations {
  private readonly writer: StateWriter
  /** True if the next creation fails with its code. */
  isIntercepted = false
  private intercepted: EvmMessage | undefined
  /** The account whose creation by the cheatcode that runs has failed. */
  failed: Address | undefined
  /** Creations that have become calls of the common factory. */
  private readonly made = new Set<EvmMessage>()

  constructor(writer: StateWriter) {
    this.writer = writer
  }

  /** Changes a creation that begins; the common factory creates what a test broadcasts with a salt, or always. */
  change(message: EvmMessage, pranks: Pranks, usesFactory: boolean): void {
    const { salt, depth, data, caller } = message
    if (this.isIntercepted) {
      message.data = concatBytes(revertTail(data.length), data)
      message.value = 0n
      this.intercepted = message
      this.isIntercepted = false
    }
    const prank = prankAt(pranks, depth)
    const isBroadcast = prank?.depth === depth && prank.isBroadcast
    if (salt === undefined || !(isBroadcast || (usesFactory && depth === 1))) return
    // The opcode has raised the nonce, which counts for what is broadcast.
    if (!isBroadcast) changeNonce(this.writer, bytesToHex(caller.bytes), -1n)
    message.to = toEvmAddress(SCRIPT_FACTORY)
    message.data = concatBytes(salt, message.data)
    this.made.add(message)
  }

  /** Keeps the nonce of a creation by a cheatcode, which is refused when it fails. */
  raiseNonce(): void {
    if (this.failed !== undefined) changeNonce(this.writer, this.failed, 1n)
    this.failed = undefined
  }

  /** Gives the call of a factory the result of the creation that it stands for. */
  end(message: EvmMessage, result: EvmResult, expected: Pick<Expectations, 'forgetMessage'>): void {
    const { execResult } = result
    const { exceptionError, returnValue } = execResult
    const isIntercepted = this.intercepted === message
    if (isIntercepted || exceptionError?.error === 'create collision') {
      // As in forge, its frame has not begun, costs nothing, and does not raise the nonce.
      expected.forgetMessage(message.depth)
      if (isIntercepted) changeNonce(this.writer, bytesToHex(message.caller.bytes), -1n)
      const { executionGasUsed } = execResult
      Object.assign(execResult, isIntercepted ? { executionGasUsed: 0n } : { gasLeft: executionGasUsed })
    }
    if (!this.made.delete(message) || exceptionError !== undefined) return
    if (returnValue.length === ADDRESS_BYTES)
      result.createdAddress = toEvmAddress(bytesToHex(returnValue)) as never
  }
}

/** Attached to the next call that is broadcast: delegations (EIP-7702) or a blob. */
export class Attachments {
  delegations: Address[] = []
  hasBlob = false

  /** Attaches to a broadcast; says why that cannot be. A creation takes no blob. */
  refusalOf(isCall: boolean): string | undefined {
    const isRefused = this.hasBlob && this.delegations.length > 0
    this.delegations = []
    if (isCall) this.hasBlob = false
    if (!isRefused) return undefined
    return 'both delegation and blob are active; `attachBlob` and `attachDelegation` are not compatible'
  }
}

type Changes = Partial<Pick<Account, 'balance' | 'nonce'>>

interface LastingChange {
  readonly address: Address
  readonly changes: Changes
  /** True if the account was a contract: its nonce goes with the contract, if the frame has created that. */
  readonly isContract: boolean
}

export class LastingChanges {
  private readonly writer: StateWriter
  private readonly made: (LastingChange | (() => void) | undefined)[] = []
  /** For each message that is open, the number of changes before it. */
  private readonly starts: number[] = []

  constructor(writer: StateWriter) {
    this.writer = writer
  }

  get count(): number {
    return this.made.length
  }

  make(address: Address, changes: Changes): void {
    this.made.push({ address, changes, isContract: hasCode(this.writer.current, address) })
    this.write(address, changes)
  }

  /** Calls a function if the frame that runs fails, or one around it: the first one of its frame. */
  undoOnFailure(undo: () => void): void {
    this.made.push(undo)
  }

  /** Forgets the changes after the first so many, for a snapshot that is restored. */
  forgetSince(count: number): void {
    this.made.fill(undefined, count)
  }

  enter(): void {
    this.starts.push(this.made.length)
  }

  exit(hasFailed: boolean): void {
    const start = this.starts.pop() as number
    if (!hasFailed) return
    const made = this.made.slice(start)
    made.find((each) => typeof each === 'function')?.()
    for (const change of made) {
      if (typeof change !== 'object') continue
      const { address, changes, isContract } = change
      const isGone = isContract && !hasCode(this.writer.current, address)
      this.write(address, isGone && changes.nonce !== undefined ? { ...changes, nonce: 0n } : changes)
    }
  }

  private write(address: Address, changes: Changes): void {
    this.writer.current = updateAccount(this.writer.current, address, changes)
  }
}
