// The trace of what failed in a test, for its output.

import type { Emulator } from '../../core/emulator/api.ts'
import { internalsOf } from '../../core/emulator/internals.ts'
import { failureOfTransaction } from '../../core/execution/call/run-call.ts'
import type { NodeEvent } from '../../core/node/events.ts'
import { findIncluded } from '../../core/node/lookup.ts'
import { traceOf } from '../../core/primitives/callers.ts'
import type { TickchainError } from '../../core/primitives/errors.ts'
import type { Hash } from '../../core/primitives/hex.ts'
import { painter, plain, type TerminalFormat } from '../../core/primitives/terminal.ts'
import type { CallTrace } from '../../core/rpc/call-trace.ts'
import { withFlavorMessage } from '../../core/rpc/flavor/messages.ts'
import { readContext, type Session } from '../../core/rpc/session.ts'
import { withMissesLoaded } from '../../core/state/overlay-map.ts'
import { formatTrace } from '../solidity/calls/format-trace.ts'

/** The fields of a failed test's error in use. */
export interface TestError {
  readonly message?: unknown
  readonly cause?: unknown
  readonly stack?: unknown
  /** The actual value of an assertion, as text. */
  readonly actual?: unknown
  readonly code?: unknown
  readonly data?: unknown
}

/** The messages of an error and of its causes; of an assertion what it got, since its message quotes what it expected. */
function textsOf({ message, cause, actual }: TestError): string[] {
  const own = typeof actual === 'string' ? actual : message
  const inner = typeof cause === 'object' && cause !== null ? textsOf(cause as TestError) : []
  // What was thrown may be no error.
  return typeof own === 'string' ? [own, ...inner] : inner
}

type FailedCall = Session['failedCalls'][number]

/** The call whose error is quoted; the message of one may be a part of another's, so the longest is meant. */
function quotedCall({ failedCalls }: Session, errors: readonly TestError[]): FailedCall | undefined {
  const texts = errors.flatMap(textsOf)
  let quoted: FailedCall | undefined
  for (const call of failedCalls) {
    const { message } = call.error
    const isQuoted = texts.some((text) => text.includes(message))
    if (isQuoted && message.length >= (quoted?.error.message.length ?? 0)) quoted = call
  }
  // ethers' contracts make errors of return data, without the cause and its message.
  const isMadeByEthers = ({ error: { data } }: FailedCall): boolean =>
    errors.some((error) => error.code === 'CALL_EXCEPTION' && error.data === data)
  return failedCalls.filter(isMadeByEthers).at(-1) ?? quoted
}

/** Failures of transactions that tests expected. */
const EXPECTED = new WeakMap<Session, Set<Hash>>()

/** Notes that a test expected a transaction to fail. */
export function expectFailure(session: Session, hash: Hash): void {
  EXPECTED.set(session, (EXPECTED.get(session) ?? new Set()).add(hash))
}

/** A failure on a chain, with its trace. */
export interface FoundFailure {
  readonly kind: 'call' | 'transaction'
  /** As a client got it. */
  readonly error: TickchainError
  readonly trace: (hasSteps?: boolean) => Promise<CallTrace>
  /** The hash of a transaction. */
  readonly hash?: Hash
  /** The time of the state that a call was made in. */
  readonly atMs?: number
}

/** The beginning of the messages of failed executions, which a heading says already. */
const REVERTED = /^execution reverted(?:: |$)/

/** A failure in a sentence, with the place in the sources and the names of an error's arguments if they are known. */
export function causeSentence({ kind, error }: FoundFailure, trace: CallTrace | undefined): string {
  const place = traceOf(error).lines[0]?.trim().replace(/^at /, '')
  const what = place ?? (kind === 'call' ? 'The call' : 'The transaction')
  const words = error.message.replace(REVERTED, '')
  const traced = trace?.call.error
  const reason = traced?.name !== undefined && words.startsWith(`${traced.name}(`) ? traced.text : words
  return `${what} ${REVERTED.test(error.message) ? 'reverted' : 'failed'}${reason === '' ? '' : `: ${reason}`}`
}

export type FailureWatch = ReturnType<typeof watchFailures>

/** The error of a transaction that failed; `undefined` if it is in no block any more. */
async function failureOfHash(session: Session, hash: Hash): Promise<FoundFailure | undefined> {
  const { known, node, options } = session
  const found = findIncluded(node.state, hash)
  const failed = found && failureOfTransaction(found.executed)
  if (failed === undefined) return undefined
  const context = readContext(session, node.state)
  const { explainTransaction, traceOfTransaction } = await known.explainer()
  const explained = await withMissesLoaded(() => explainTransaction(context, hash, failed))
  const error = withFlavorMessage(options.flavor, explained, known.customErrors)
  const trace = async (hasSteps?: boolean) =>
    withMissesLoaded(() => traceOfTransaction(context, hash, hasSteps))
  return { kind: 'transaction', error, trace, hash }
}

/** Finds the call whose error is quoted, or else the last failed transaction that the test did not expect to fail. */
export async function findFailure(
  session: Session,
  errors: readonly TestError[],
  failed: readonly Hash[],
): Promise<FoundFailure | undefined> {
  const quoted = quotedCall(session, errors)
  if (quoted !== undefined) {
    const { context, call, error } = quoted
    const { traceOfCall } = await session.known.explainer()
    const trace = async (hasSteps?: boolean) => withMissesLoaded(() => traceOfCall(context, call, hasSteps))
    return { kind: 'call', error, trace, atMs: context.state.nowMs }
  }
  const last = failed.filter((hash) => EXPECTED.get(session)?.has(hash) !== true).at(-1)
  return last === undefined ? undefined : failureOfHash(session, last)
}

/** The reason of a failure, the lines of the contracts on the way to it, and the tree of its calls. */
async function showFailure({ kind, error, trace }: FoundFailure, format: TerminalFormat | undefined) {
  const title = kind === 'call' ? 'The call that failed:' : 'The transaction that failed last:'
  const { lines } = traceOf(error)
  const [bold, red] = format?.color ? [painter(1), painter(31)] : [plain, plain]
  return [bold(title), `  ${red(error.message)}`, ...lines, '', formatTrace(await trace(), format)].join('\n')
}

/** Parts of viem's errors that vitest prints beside their messages, which have them. */
const PARTS = ['cause', 'shortMessage', 'metaMessages', 'details'] as const
type PrintedError = { [Name in 'message' | (typeof PARTS)[number]]?: unknown }

/** viem's words for a custom error that is not in the ABI of the contract that was called. */
const UNDECODED = /following signature:\n0x[0-9a-f]{8}\n\nUnable to decode signature .*\n.*\n.*\n/

/** Leaves out the causes of viem's error, five errors that repeat it, and what it could not decode. */
function shortenIn(error: PrintedError, decoded: string): void {
  const { message, cause, shortMessage } = error
  if (typeof shortMessage !== 'string') {
    if (typeof cause === 'object' && cause !== null) shortenIn(cause, decoded)
    return
  }
  for (const part of PARTS) delete error[part]
  const reason = /^execution reverted: (.*)$/s.exec(decoded)?.[1]
  if (reason !== undefined && typeof message === 'string')
    error.message = message.replace(UNDECODED, () => `following reason:\n${reason}\n`)
}

/** The most failed transactions to remember. */
const MOST_FAILED = 64

export function watchFailures(chain: Emulator) {
  const { session, watchers } = internalsOf('watchFailures', chain)
  let failed: Hash[] = []
  const take = (event: NodeEvent): void => {
    if (event.type !== 'partialBlock') return
    const hashes = event.partial.executed.flatMap(({ transaction, failure }) =>
      failure === undefined ? [] : transaction.hash,
    )
    if (hashes.length > 0) failed = [...failed, ...hashes].slice(-MOST_FAILED)
  }
  watchers.add(take)
  return {
    /** The transactions that failed, oldest first. */
    failed: (): readonly Hash[] => failed,
    /**
     * The reason and the trace of what failed, as text; `undefined` if nothing has failed. The chain may be disposed of.
     */
    async describe(errors: readonly TestError[], format?: TerminalFormat): Promise<string | undefined> {
      const found = await findFailure(session, errors, failed)
      return found === undefined ? undefined : showFailure(found, format)
    },
    /** Leaves out of errors what `describe` says. */
    shorten(errors: readonly TestError[]): void {
      for (const error of errors) {
        const quoted = quotedCall(session, [error])
        if (quoted !== undefined) shortenIn(error, quoted.error.message)
      }
    },
    stop(): void {
      watchers.delete(take)
    },
  }
}
