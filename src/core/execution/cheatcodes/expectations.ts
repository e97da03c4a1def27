// What a test expects of calls that follow: reverts, events, and calls that they make. Expectations end with the
// transaction at the latest.

import type { Address } from '../../primitives/hex.ts'
import {
  type CallPattern,
  type ExpectedCall,
  type MadeCall,
  unmetCall,
  withExpectedCall,
  withMadeCall,
} from './expected-calls.ts'
import {
  type EmitPattern,
  type EmittedLog,
  type ExpectedEmits,
  leftoverEmit,
  unmetEmit,
  withEmitted,
  withExpectedEmit,
} from './expected-emits.ts'
import { type ExpectedRevert, type RevertPattern, unexpectedEnd } from './expected-revert.ts'
import { Refusal } from './refusal.ts'

/** How a message has ended. */
export interface MessageEnd {
  readonly depth: number
  readonly to: Address | undefined
  readonly isCreation: boolean
  readonly isStatic: boolean
  readonly hasFailed: boolean
  readonly returnData: Uint8Array
}

/** What becomes of the end of a message. */
export type Verdict =
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'asExpected' | 'assumption' }

function failed(reason: string | undefined): Verdict | undefined {
  return reason === undefined ? undefined : { kind: 'failed', reason }
}

export class Expectations {
  private expected: ExpectedRevert | undefined
  private emits: ExpectedEmits = []
  private calls: readonly ExpectedCall[] = []
  /** The depth of the call that is assumed not to revert. */
  private assumed: number | undefined

  /** A transaction begins. */
  begin(): void {
    this.expected = undefined
    this.emits = []
    this.calls = []
    this.assumed = undefined
  }

  get areNone(): boolean {
    const { expected, emits, calls, assumed } = this
    return expected === undefined && emits.length === 0 && calls.length === 0 && assumed === undefined
  }

  expectRevert(pattern: RevertPattern, depth: number): void {
    if (this.expected !== undefined) {
      throw new Refusal('you must call another function prior to expecting a second revert')
    }
    const { count = 1n } = pattern
    this.expected = { ...pattern, count, depth, hasCalled: false, revertedBy: undefined }
  }

  expectEmit(pattern: EmitPattern, depth: number): void {
    this.emits = withExpectedEmit(this.emits, pattern, depth)
  }

  expectCall(pattern: CallPattern, count?: bigint): void {
    this.calls = withExpectedCall(this.calls, pattern, count)
  }

  assumeNoRevert(depth: number): void {
    this.assumed = depth
  }

  get waitsForCalls(): boolean {
    return this.calls.length > 0
  }

  get waitsForEmits(): boolean {
    return this.emits.length > 0
  }

  /** A message begins. */
  noteMessage(depth: number): void {
    if (this.expected !== undefined && depth >= this.expected.depth) this.expected.hasCalled = true
  }

  noteCall(call: MadeCall): void {
    this.calls = withMadeCall(this.calls, call)
  }

  /** An event is emitted; returns why the frame that emits it has to fail, if it has. */
  noteLog(log: EmittedLog): string | undefined {
    const after = withEmitted(this.emits, log)
    this.emits = typeof after === 'string' ? [] : after
    return typeof after === 'string' ? after : undefined
  }

  /** A message ends; `undefined` if it stays as it is. */
  end(message: MessageEnd): Verdict | undefined {
    const { depth, hasFailed } = message
    if (this.assumed !== undefined && depth <= this.assumed) {
      this.assumed = undefined
      if (hasFailed) return { kind: 'assumption' }
    }
    const verdict = this.endRevert(message) ?? failed(this.endEmits(message))
    if (verdict !== undefined || depth > 0 || hasFailed) return verdict
    return failed(unmetCall(this.calls) ?? leftoverEmit(this.emits))
  }

  private endRevert({ depth, to, hasFailed, returnData }: MessageEnd): Verdict | undefined {
    const { expected } = this
    if (expected === undefined) return undefined
    if (hasFailed && (expected.revertedBy === undefined || expected.count > 1n)) expected.revertedBy = to
    if (depth > expected.depth) return undefined
    this.expected = undefined
    const reason = unexpectedEnd(expected, hasFailed, returnData)
    if (reason === undefined && expected.count > 1n) {
      this.expected = { ...expected, count: expected.count - 1n }
    }
    return failed(reason) ?? { kind: 'asExpected' }
  }

  /** Events are asked for at the end of calls that may emit some. */
  private endEmits({ depth, isCreation, isStatic }: MessageEnd): string | undefined {
    if (isCreation || isStatic || !this.emits.some((emit) => emit.depth === depth)) return undefined
    const reason = unmetEmit(this.emits)
    if (reason === undefined) this.emits = []
    return reason
  }
}
