// Expected reverts, events, calls and creations. They end with the transaction at the latest.

import { toChecksumAddress } from '../../core/primitives/crypto.ts'
import type { Address, Hex } from '../../core/primitives/hex.ts'
import { refuseWith } from './errors.ts'
import * as expectedEmits from './expected-emits.ts'
import * as expectedReverts from './expected-revert.ts'
import type { CheatSetting } from './setting.ts'

/** Gas that a call gets on top if it sends value. */
const STIPEND = 2300n

/** An expected call, which the rest of the transaction has to make at any depth; its data begin in this way. */
interface CallPattern {
  readonly callee: Address
  readonly data: Hex
  readonly value: bigint | undefined
  readonly gas?: bigint
  readonly minGas?: bigint
}

interface ExpectedCall extends CallPattern {
  readonly isCounted: boolean
  readonly count: bigint
  readonly seen: bigint
}

/** A call as it is made; `value` is absent for DELEGATECALL. */
interface MadeCall {
  readonly callee: Address
  readonly data: Hex
  readonly value: bigint | undefined
  readonly gas: bigint
}

/** Expects a call once more, or so often, if there is a count. */
function withExpectedCall(expected: readonly ExpectedCall[], pattern: CallPattern, count?: bigint) {
  const { callee, data, gas, minGas } = pattern
  const before = expected.find((each) => each.callee === callee && each.data === data)
  if (before !== undefined && count !== undefined) refuseWith('counted expected calls can only bet set once')
  if (before?.isCounted === true)
    refuseWith('cannot overwrite a counted expectCall with a non-counted expectCall')
  if (before !== undefined)
    return expected.map((each) => (each === before ? { ...each, count: each.count + 1n } : each))
  const stipend = (pattern.value ?? 0n) > 0n ? STIPEND : 0n
  const added = {
    ...pattern,
    ...{ isCounted: count !== undefined, count: count ?? 1n, seen: 0n },
    ...(gas !== undefined && { gas: gas + stipend }),
    ...(minGas !== undefined && { minGas: minGas + stipend }),
  }
  return [...expected, added]
}

function isMade(pattern: CallPattern, call: MadeCall): boolean {
  if (pattern.callee !== call.callee || !call.data.startsWith(pattern.data)) return false
  if (pattern.value !== undefined && pattern.value !== call.value) return false
  return (pattern.gas ?? call.gas) === call.gas && (pattern.minGas ?? 0n) <= call.gas
}

interface CreationPattern {
  readonly code: Hex
  readonly deployer: Address
  /** True for CREATE2. */
  readonly isSalted: boolean
}

function unmetCreation([unmet]: readonly CreationPattern[]): string | undefined {
  if (unmet === undefined) return undefined
  const opcode = unmet.isSalted ? 'CREATE2' : 'CREATE'
  return `expected ${opcode} call by address ${unmet.deployer} for bytecode ${unmet.code} but not found`
}

function times(count: bigint): string {
  return `${count} time${count === 1n ? '' : 's'}`
}

/** Why calls were not made as they were expected, in the words of forge; `undefined` if they were. */
function unmetCall(expected: readonly ExpectedCall[], hasHalted: boolean): string | undefined {
  const unmet = expected.find(({ isCounted, count, seen }) => (isCounted ? count !== seen : count > seen))
  if (unmet === undefined) return undefined
  const { callee, data, value, gas, minGas, count, seen } = unmet
  const parts = [
    `data ${data}`,
    ...(value === undefined ? [] : [`value ${value}`]),
    ...(gas === undefined ? [] : [`gas ${gas}`]),
    ...(minGas === undefined ? [] : [`minimum gas ${minGas}`]),
  ]
  const what = `expected call to ${toChecksumAddress(callee)} with ${parts.join(', ')}`
  const but = hasHalted
    ? "the call reverted instead; ensure you're testing the happy path when using `expectCall`"
    : `was called ${times(seen)}`
  return `${what} to be called ${times(count)}, but ${but}`
}

export interface MessageEnd {
  readonly depth: number
  readonly to: Address | undefined
  readonly isCreation: boolean
  readonly isStatic: boolean
  readonly hasFailed: boolean
  /** True if it has failed in another way than by a revert. */
  readonly hasHalted: boolean
  readonly returnData: Uint8Array
}

/** Change of a message's result. */
export type MessageVerdict =
  | { readonly kind: 'failed'; readonly reason: string; readonly isBare?: boolean }
  | { readonly kind: 'asExpected' | 'assumption' }

const AS_EXPECTED: MessageVerdict = { kind: 'asExpected' }

/** `isBare` for a text that is no error's. */
function failed(reason: string | undefined, isBare = false): MessageVerdict | undefined {
  return reason === undefined ? undefined : { kind: 'failed', reason, isBare }
}

/** Those of a transaction. */
export class Expectations {
  private expected: expectedReverts.RevertExpectation | undefined
  private emits: expectedEmits.ExpectedEmits = []
  private calls: readonly ExpectedCall[] = []
  /** The depth of the call that is assumed not to revert, or only not in some ways. */
  private assumed:
    | { readonly depth: number; readonly reverts: readonly expectedReverts.RevertPattern[]; by?: Address }
    | undefined
  private creations: readonly CreationPattern[] = []

  private readonly setting: CheatSetting
  /** The expected refusal of the next cheatcode. */
  private refusal:
    | { readonly reason: Uint8Array | undefined; readonly depth: number; isOpen: boolean }
    | undefined

  constructor(setting: CheatSetting) {
    this.setting = setting
  }

  get areNone(): boolean {
    const { expected, emits, calls, assumed, refusal } = this
    const isOpen = expected !== undefined || assumed !== undefined || refusal !== undefined
    return !isOpen && emits.length === 0 && calls.length === 0
  }

  expectRevert(pattern: expectedReverts.RevertPattern, depth: number): void {
    if (this.expected !== undefined)
      refuseWith('you must call another function prior to expecting a second revert')
    const { count = 1n } = pattern
    this.expected = { depth, seen: 0n, hasCalled: false, revertedBy: undefined, ...pattern, count }
  }

  expectEmit(pattern: expectedEmits.EmitPattern, depth: number): void {
    this.emits = expectedEmits.withExpectedEmit(this.emits, pattern, depth)
  }

  expectCall(pattern: CallPattern, count?: bigint): void {
    this.calls = withExpectedCall(this.calls, pattern, count)
  }

  /** Without reverts, any is assumed not to come. */
  assumeNoRevert(depth: number, reverts: readonly expectedReverts.RevertPattern[]): void {
    if (this.assumed !== undefined) {
      const words = 'you must make another external call prior to calling assumeNoRevert again'
      // This refusal is a revert, too.
      refuseWith(words, this.assumed.reverts.length === 0 ? 'assumption' : 'refused')
    }
    this.assumed = { depth, reverts }
  }

  expectCreation(pattern: CreationPattern): void {
    this.creations = [...this.creations, pattern]
  }

  /** A contract is created, with code that its deployer cannot change any more. */
  noteCreation(made: CreationPattern): void {
    const { code, deployer, isSalted } = made
    const met = this.creations.findIndex(
      (each) => each.code === code && each.deployer === deployer && each.isSalted === isSalted,
    )
    if (met >= 0) this.creations = this.creations.filter((_, at) => at !== met)
  }

  waitsFor(what: 'calls' | 'creations' | 'emits'): boolean {
    return this[what].length > 0
  }

  noteMessage(depth: number): void {
    if (this.expected !== undefined && depth >= this.expected.depth) this.expected.hasCalled = true
  }

  /** The message that has begun counts as none. */
  forgetMessage(depth: number): void {
    if (this.expected?.depth === depth) this.expected.hasCalled = false
  }

  noteCall(call: MadeCall): void {
    this.calls = this.calls.map((each) => (isMade(each, call) ? { ...each, seen: each.seen + 1n } : each))
  }

  /** An event is emitted; returns why the frame that emits it has to fail, if it has. */
  noteLog(log: expectedEmits.EmittedLog): string | undefined {
    const after = expectedEmits.withEmitted(this.emits, log)
    this.emits = typeof after === 'string' ? [] : after
    return typeof after === 'string' ? after : undefined
  }

  /** A message ends; `undefined` if it stays as it is. */
  end(message: MessageEnd): MessageVerdict | undefined {
    const { depth, hasFailed, hasHalted } = message
    if (this.endAssumption(message)) return { kind: 'assumption' }
    const verdict = this.endRevert(message) ?? failed(this.endEmits(message), true)
    if (verdict !== undefined || depth > 0 || (hasFailed && !hasHalted)) return verdict
    return failed(this.unmet(hasHalted))
  }

  /** Why a transaction that ends now was not as expected. */
  unmet(hasHalted: boolean): string | undefined {
    const unmet = unmetCall(this.calls, hasHalted) ?? expectedEmits.leftoverEmit(this.emits, hasHalted)
    return unmet ?? unmetCreation(this.creations)
  }

  /** True if a message has reverted in a way that was assumed not to come. */
  private endAssumption({ depth, to, hasFailed, returnData }: MessageEnd): boolean {
    const { assumed } = this
    if (assumed === undefined) return false
    if (hasFailed && to !== undefined) assumed.by ??= to
    if (depth > assumed.depth) return false
    this.assumed = undefined
    const { reverts, by } = assumed
    if (!hasFailed || reverts.length === 0) return hasFailed
    const given = { depth, count: 1n, seen: 0n, hasCalled: true, revertedBy: by }
    const { declared } = this.setting
    return reverts.some(
      (each) =>
        expectedReverts.unexpectedEnd({ ...each, ...given }, true, returnData, true, declared) === undefined,
    )
  }

  expectRefusal(reason: Uint8Array | undefined, depth: number): void {
    this.refusal = { reason, depth, isOpen: false }
  }

  /** A cheatcode ends. The one that expects a refusal is the first. */
  endCheatcode(isCheatcode: boolean, depth: number, hasFailed: boolean, returnData: Uint8Array) {
    const { refusal } = this
    if (refusal === undefined || !isCheatcode || depth !== refusal.depth) return undefined
    if (!refusal.isOpen) {
      refusal.isOpen = true
      return undefined
    }
    this.refusal = undefined
    const { declared } = this.setting
    const why = expectedReverts.unexpectedRefusal(refusal.reason, hasFailed, returnData, declared)
    return failed(why) ?? AS_EXPECTED
  }

  private endRevert(message: MessageEnd): MessageVerdict | undefined {
    const { depth, to, isCreation, hasFailed, returnData } = message
    const { expected } = this
    if (expected === undefined) return undefined
    // As in forge: the reverter of a creation is the contract that creates, but of one by the test the created one.
    const isReverter = hasFailed && (!isCreation || depth <= expected.depth)
    if (isReverter && (expected.revertedBy === undefined || expected.count > 1n)) expected.revertedBy = to
    if (depth > expected.depth) return undefined
    this.expected = undefined
    const { allowsInternalReverts: allows, declared } = this.setting
    const reason = expectedReverts.unexpectedEnd(expected, hasFailed, returnData, allows, declared)
    const seen = expected.seen + 1n
    if (reason === undefined && seen < expected.count) this.expected = { ...expected, seen }
    return failed(reason) ?? AS_EXPECTED
  }

  /** Events are asked for at the end of calls that may emit some. */
  private endEmits({ depth, isCreation, isStatic }: MessageEnd): string | undefined {
    if (isCreation || isStatic || !this.emits.some((emit) => emit.depth === depth)) return undefined
    const reason = expectedEmits.unmetEmit(this.emits)
    if (reason === undefined) this.emits = []
    return reason
  }
}
