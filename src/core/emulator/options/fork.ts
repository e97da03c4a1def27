// The option `fork`: the block of another chain to begin at.

import type { RecordingFile, RecordingMode } from '../../fork/recording.ts'
import type { ForkSelector } from '../../fork/source.ts'
import type { Roots } from '../../fork/state-requests.ts'
import { FORK_CONCURRENCY, type Upstream } from '../../fork/upstream.ts'
import { failure, resultOfCallback } from '../../primitives/errors.ts'
import { type Hex, isHexBytes } from '../../primitives/hex.ts'
import { LATEST_TIMESTAMP } from '../../primitives/numbers.ts'
import { identityCodec, oneOf } from '../../rpc/codecs/basic.ts'
import { type Amount, anyAmount, type Codec, numberFrom, refuseValue } from '../../rpc/codecs/codec.ts'
import { decodeFields, need, objectCodec, or, restricted } from '../../rpc/codecs/object.ts'

/** A block of another chain to begin at. */
export interface ForkOptions {
  /**
   * The chain to fork: an EIP-1193 provider, or any object with its `request`, such as a viem client or another
   * emulator. Absent if a recording has all that is read.
   */
  readonly upstream?: Upstream
  /**
   * The number or hash of the block, or 'latest', 'safe', 'finalized' or 'earliest'; the last block at or before a
   * `timestamp` in seconds; or the hash of a transaction, for the state just before it: the block being built then has
   * the transactions before. Default 'latest'.
   */
  readonly block?:
    | Amount
    | Hex
    | 'latest'
    | 'safe'
    | 'finalized'
    | 'earliest'
    | { readonly timestamp: number }
  /** The most requests that are under way at a time, up to 1000. Default 16. */
  readonly concurrency?: number
  /**
   * Keeps the upstream's answers: the path of a file, once `tickchain/recording` is imported, or any object that keeps
   * a text.
   */
  readonly recording?: string | RecordingFile
  /**
   * The use of a recording: 'record' asks for everything and keeps it, 'replay' asks for nothing, so that what is not
   * recorded is an error, and 'auto' asks for what is not recorded. Default 'auto'; without an upstream 'replay'.
   */
  readonly mode?: RecordingMode
  /**
   * The state roots above the fork: 'synthetic' ones commit to the root at the fork and to the changes;
   * 'proven' ones are those of the whole state, which takes a proof (`eth_getProof`) of all that is read or written.
   * Default 'synthetic'.
   */
  readonly roots?: Roots
  /**
   * The upstream at a URL, for `hardhat_reset`, `anvil_reset` and `anvil_setRpcUrl`, which name one. By itself it makes
   * no fork: the chain has a genesis until it is reset. Default: such resets are refused.
   */
  readonly connect?: (url: string) => Upstream
}

export function isUpstream(value: unknown): value is Upstream {
  return typeof value === 'object' && typeof (value as Partial<Upstream> | null)?.request === 'function'
}

const upstream = identityCodec('an object with a function request, such as httpUpstream(url)', isUpstream)

const TAGS: ReadonlySet<unknown> = new Set(['latest', 'safe', 'finalized', 'earliest'])

const blockTime = objectCodec({ timestamp: need(numberFrom(0, LATEST_TIMESTAMP)) })

/** Leaves as many numbers for later blocks. */
const MOST_NUMBER = 2n ** 52n

const blockNumber = restricted(
  anyAmount,
  `a number up to ${MOST_NUMBER}, a hash, or a tag`,
  (number) => number <= MOST_NUMBER && Number(number),
)

const selector: Codec<ForkSelector> = {
  name: 'block',
  decode(value, path) {
    if (TAGS.has(value) || isHexBytes(value, 32)) return value as ForkSelector
    const isTime = typeof value === 'object' && value !== null && 'timestamp' in value
    return (isTime ? blockTime : blockNumber).decode(value, path)
  },
}

let fileAt: ((path: string) => RecordingFile) | undefined

/** Says what the path of a recording stands for from now on: the entry with a file system does. */
export function openPathsBy(opener: typeof fileAt): void {
  fileAt = opener
}

const recordingFile: Codec<RecordingFile> = {
  name: 'path, or object with read and write',
  decode(value, path) {
    const { read, write } = Object(value) as Partial<RecordingFile>
    if (typeof value === 'object' && typeof read === 'function' && typeof write === 'function')
      return value as RecordingFile
    if (typeof value !== 'string') return refuseValue(path, 'a path, or an object with read and write', value)
    const needed = `recordingFile(${JSON.stringify(value)}) of tickchain/recording, or an import of that for paths`
    return fileAt?.(value) ?? refuseValue(path, needed, value)
  },
}

const connectCodec = identityCodec(
  'a function from a URL to an upstream',
  (value): value is NonNullable<ForkOptions['connect']> => typeof value === 'function',
)

/** Calls the option `connect`; what it throws or returns is the test's. */
function connected(connect: NonNullable<ForkOptions['connect']>): (url: string) => Upstream {
  return (url) => {
    const callback = 'fork.connect'
    const made: unknown = resultOfCallback(callback, () => connect(url))
    if (!isUpstream(made)) throw failure('callbackFailed', { callback, reason: 'it returned no upstream' })
    return made
  }
}

export const FORK_FIELDS = {
  upstream,
  block: or(selector, 'latest'),
  concurrency: or(numberFrom(1, 1000), FORK_CONCURRENCY),
  recording: recordingFile,
  mode: oneOf(['record', 'replay', 'auto'] satisfies RecordingMode[]),
  roots: or(oneOf(['synthetic', 'proven'] satisfies Roots[]), 'synthetic'),
  connect: connectCodec,
} satisfies Record<keyof ForkOptions, Codec<unknown>>

/** Checks the option; `plan` is `undefined` for a chain with a genesis of its own. */
export function resolveFork(value: unknown) {
  if (value === undefined) return { plan: undefined, connect: undefined, roots: 'synthetic' as const }
  if (typeof value === 'string')
    refuseValue('fork', 'an object such as { upstream: httpUpstream(url) }', value)
  const fork = decodeFields(value, 'fork', FORK_FIELDS)
  const { upstream: source, recording: file, block, concurrency, roots } = fork
  const mode = fork.mode ?? (source === undefined ? 'replay' : 'auto')
  const connect = fork.connect && connected(fork.connect)
  // The chain has a genesis of its own until it is reset to a fork.
  const isConnectOnly = Object.keys(value as object).every((name) => name === 'connect' || name === 'roots')
  if (connect !== undefined && isConnectOnly) return { plan: undefined, connect, roots }
  if (file === undefined && fork.mode !== undefined)
    refuseValue('fork.recording', 'a file beside mode', undefined)
  if (source === undefined && (file === undefined || mode !== 'replay')) {
    const expected = 'an object with a function request, unless a recording is replayed'
    refuseValue('fork.upstream', expected, undefined)
  }
  const plan = { upstream: source, selector: block, concurrency, recording: file && { file, mode }, roots }
  return { plan, connect, roots }
}
