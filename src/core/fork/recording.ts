// The text of a recording: what is known of an upstream at a block, an entry a line, sorted, so that a version control
// system merges two of them. Each line ends with its digest, and the last line says that the text is whole. The file of
// a recording: read at the start of a fork, and written whenever it has learnt something.

import { keccak256, keccakOfText } from '../primitives/crypto.ts'
import { failure, TickchainError } from '../primitives/errors.ts'
import * as hex from '../primitives/hex.ts'
import { describe, textOf } from '../primitives/text-of.ts'
import type { MissingKey, MissingNode } from '../state/overlay-map.ts'
import { type Code, makeCode, UnknownCode } from '../state/world-state.ts'
import { type Learning, learnSlot, nothingKnown } from './known.ts'
import { nameOfRequest } from './upstream.ts'

export interface RecordedBlock {
  readonly chainId: number
  readonly number: number
  readonly hash: hex.Hash
}

const FIRST_LINE = 'tickchain recording 1'
const LAST_LINE = 'end'
const DIGEST_DIGITS = 8

function refuse(reason: string): never {
  throw failure('invalidRecording', { reason })
}

function digestOf(line: string): string {
  return keccakOfText(line).slice(2, 2 + DIGEST_DIGITS)
}

function* entriesOf({ accounts, slots, answers, nodes }: Learning): IterableIterator<string> {
  const codes = new Map<hex.Hash, Code>()
  for (const [address, { nonce, balance, code, hasStorage }] of accounts) {
    if (code instanceof UnknownCode && !code.isKnown) continue
    const hash = hex.bytesToHex(code.hash)
    if (code.bytes.length > 0) codes.set(hash, code)
    yield `account ${address} ${nonce} ${balance} ${hash} ${hasStorage ? 'slots' : 'none'}`
  }
  for (const [hash, { bytes }] of codes) yield `code ${hash} ${hex.bytesToHex(bytes)}`
  for (const [address, values] of slots) {
    // Slots of an account that has none are asked for only together with it: the order of requests would show.
    if (accounts.get(address)?.hasStorage === false) continue
    for (const [slot, value] of values) yield `slot ${address} ${slot} ${hex.bytesToHex(value)}`
  }
  for (const [request, answer] of answers) yield `answer ${JSON.stringify([request, answer])}`
  for (const [hash, node] of nodes) yield `node ${hash} ${hex.bytesToHex(node)}`
}

/** Lines with their digests, by the lines. */
export type Digested = Map<string, string>

function withDigest(line: string, digested: Digested): string {
  let full = digested.get(line)
  if (full === undefined) {
    full = `${line} #${digestOf(line)}`
    digested.set(line, full)
  }
  return full
}

/**
 * The text of a recording; the same for the same knowledge.
 *
 * @param digested What an earlier text had; new lines are added.
 */
export function textOfRecording(
  { chainId, number, hash }: RecordedBlock,
  known: Learning,
  digested: Digested = new Map(),
): string {
  const entries = [...entriesOf(known)].sort()
  const lines = [`of chain ${chainId} block ${number} ${hash}`, ...entries]
  return [FIRST_LINE, ...lines.map((line) => withDigest(line, digested)), LAST_LINE, ''].join('\n')
}

/** The lines of a text without their digests, which must be right. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines[0] !== FIRST_LINE) refuse(`its first line is not "${FIRST_LINE}"`)
  if (lines.at(-1) !== '' || lines.at(-2) !== LAST_LINE) refuse('it was cut off: its last line is missing')
  return lines.slice(1, -2).map((line, index) => {
    const at = line.length - DIGEST_DIGITS - ' #'.length
    const content = line.slice(0, at)
    if (line.slice(at) !== ` #${digestOf(content)}`)
      refuse(`line ${index + 2} does not have the digest it should`)
    return content
  })
}

interface Entries {
  readonly learning: Learning
  readonly codes: Map<hex.Hash, Code>
  /** Accounts with the hashes of their code. */
  readonly accounts: (readonly [hex.Address, readonly string[]])[]
}

const AMOUNT = /^\d{1,78}$/

function readEntry(entries: Entries, line: string): void {
  const kind = line.slice(0, line.indexOf(' '))
  const rest = line.slice(kind.length + 1)
  const fields = rest.split(' ')
  const [first = '', second = '', third = ''] = fields
  if (kind === 'account' && hex.isHexBytes(first, 20)) entries.accounts.push([first, fields])
  else if (kind === 'code' && hex.isHexBytes(second))
    entries.codes.set(first as hex.Hash, makeCode(hex.hexToBytes(second)))
  else if (
    kind === 'slot' &&
    hex.isHexBytes(first, 20) &&
    hex.isHexBytes(second, 32) &&
    hex.isHexBytes(third)
  ) {
    learnSlot(entries.learning, first, second, hex.stripLeadingZeros(hex.hexToBytes(third)).slice())
  } else if (kind === 'node' && hex.isHexBytes(first, 32) && hex.isHexBytes(second)) {
    const node = hex.hexToBytes(second)
    if (hex.bytesToHex(keccak256(node)) !== first) refuse(`the node ${first} has another hash`)
    entries.learning.nodes.set(first, node)
  } else if (kind === 'answer') {
    const [request, answer] = JSON.parse(rest) as [string, unknown]
    entries.learning.answers.set(request, answer)
  } else refuse(`it has an unknown entry, ${line.slice(0, 40)}`)
}

function readAccount({ learning, codes }: Entries, address: hex.Address, fields: readonly string[]): void {
  const [, nonce = '', balance = '', hash = '', storage] = fields
  const code = codes.get(hash as hex.Hex) ?? makeCode(new Uint8Array())
  if (!AMOUNT.test(nonce) || !AMOUNT.test(balance)) refuse(`the account ${address} has no nonce or balance`)
  if (hex.bytesToHex(code.hash) !== hash) refuse(`the code with the hash ${hash} is missing`)
  const hasStorage = storage === 'slots'
  learning.accounts.set(address, { nonce: BigInt(nonce), balance: BigInt(balance), code, hasStorage })
}

const SUBJECT = /^of chain (\d{1,16}) block (\d{1,16}) (0x[0-9a-f]{64})$/

/** Reads a recording; throws `invalidRecording`. */
export function readRecording(text: string): { readonly of: RecordedBlock; readonly learning: Learning } {
  const [first = '', ...lines] = linesOf(text)
  const [, chainId, number, hash] = SUBJECT.exec(first) ?? refuse('it does not say of which block it is')
  const entries: Entries = { learning: nothingKnown(), codes: new Map(), accounts: [] }
  for (const line of lines) readEntry(entries, line)
  for (const [address, fields] of entries.accounts) readAccount(entries, address, fields)
  return {
    of: { chainId: Number(chainId), number: Number(number), hash: hash as hex.Hash },
    learning: entries.learning,
  }
}

/** Adds what another recording of the same block knows. */
export function learnAll({ accounts, slots, answers, nodes }: Learning, into: Learning): void {
  for (const [address, account] of accounts) into.accounts.set(address, account)
  for (const [address, values] of slots)
    for (const [slot, value] of values) learnSlot(into, address, slot, value)
  for (const [request, answer] of answers) into.answers.set(request, answer)
  for (const [hash, node] of nodes) into.nodes.set(hash, node)
}

function nameOfProof([address, slots]: readonly [hex.Address, ReadonlySet<hex.Hash>]): string {
  const [slot] = slots
  return slot === undefined
    ? `the proof of the account ${address}`
    : `the proof of the slot ${slot} of ${address}`
}

export function nameOfNode({ owner, prefix, hash }: MissingNode): string {
  const trie = owner === undefined ? 'the account trie' : `the storage trie of ${owner}`
  const digits = Array.from(prefix, (nibble) => nibble.toString(16)).join('')
  return `the node ${hash} at the path ${digits} of ${trie}`
}

export function nameOfMissing(missing: MissingKey): string {
  if (missing.kind === 'account') return `the account ${missing.address}`
  if (missing.kind === 'code') return `the code of ${missing.address}`
  if (missing.kind === 'slot') return `the slot ${missing.slot} of ${missing.address}`
  if (missing.kind === 'proofs') return [...missing.keys].slice(0, 1).map(nameOfProof).join()
  if (missing.kind === 'nodes') return missing.nodes.slice(0, 1).map(nameOfNode).join()
  if (missing.kind === 'blockHash') return `the hash of block ${missing.number}`
  return `the answer to ${nameOfRequest(missing.method, missing.params)}`
}

/** A text file: of a file system (`tickchain/recording`), or anything that keeps a text. */
export interface RecordingFile {
  /** A name for errors, such as its path. */
  readonly name?: string
  /** The text, or `undefined` if there is no file yet. */
  read(): Promise<string | undefined> | string | undefined
  /** Replaces the text, all of it or none. */
  write(text: string): Promise<void> | void
  /** Runs what reads and then writes while nobody else does. Default: the forks of one process take turns. */
  exclusively?<Result>(task: () => Promise<Result>): Promise<Result>
}

/**
 * Mode of a recording: a fork asks for everything and records it ('record'), has what is recorded and never asks
 * ('replay'), or asks for what is not recorded and adds it ('auto').
 */
export type RecordingMode = 'record' | 'replay' | 'auto'

export type ForkRecorder = Awaited<ReturnType<typeof createRecorder>>

const HOW_TO_RECORD = "a run with fork: { upstream, recording, mode: 'auto' }"

function isSame(a: RecordedBlock, b: RecordedBlock): boolean {
  return a.chainId === b.chainId && a.hash === b.hash
}

/** Throws `invalidRecording` if a recording is of another block. */
export function expectSameBlock(recorded: RecordedBlock | undefined, of: RecordedBlock): void {
  if (recorded === undefined || isSame(recorded, of)) return
  const name = ({ chainId, number, hash }: RecordedBlock): string =>
    `block ${number} of chain ${chainId}, ${hash}`
  throw failure('invalidRecording', { reason: `it is of ${name(recorded)}, and the fork of ${name(of)}` })
}

/** Reads or writes a file; what its owner throws is an error of the recording. */
async function useFile<Value>(use: () => Promise<Value> | Value): Promise<Value> {
  try {
    return await use()
  } catch (error) {
    if (error instanceof TickchainError) throw error
    throw failure('invalidRecording', { reason: textOf(error) })
  }
}

/** The last write to a file without a lock: forks of one process may share it. */
const lastWrites = new WeakMap<RecordingFile, Promise<void>>()

function writeAlone(file: RecordingFile, write: () => Promise<void>): Promise<void> {
  if (file.exclusively !== undefined) return file.exclusively(write)
  const written = (lastWrites.get(file) ?? Promise.resolve()).catch(() => undefined).then(write)
  lastWrites.set(file, written)
  return written
}

/**
 * Makes the text with what was learnt; what another test has recorded of the block stays. The text grows by a few
 * entries with each write, so the last one is not read again, nor are its digests computed again.
 */
function createMerger(): (present: string | undefined, of: RecordedBlock, learning: Learning) => string {
  let last: string | undefined
  let merged = nothingKnown()
  const digested: Digested = new Map()
  return (present, of, learning) => {
    if (present === undefined || present !== last) {
      merged = nothingKnown()
      const there = present === undefined ? undefined : readRecording(present)
      if (there !== undefined && isSame(there.of, of)) learnAll(there.learning, merged)
    }
    learnAll(learning, merged)
    last = textOfRecording(of, merged, digested)
    return last
  }
}

function sizeOf({ accounts, slots, answers, nodes }: Learning): number {
  let size = accounts.size + answers.size + nodes.size
  for (const values of slots.values()) size += values.size
  return size
}

/** Throws `invalidRecording` for anything but a text. */
async function readFile(file: RecordingFile): Promise<string | undefined> {
  const text: unknown = await file.read()
  if (text === undefined || typeof text === 'string') return text
  throw failure('invalidRecording', { reason: `expected a text, got ${describe(text)}` })
}

export async function createRecorder(file: RecordingFile, mode: RecordingMode) {
  const text = mode === 'record' ? undefined : await useFile(() => readFile(file))
  if (text === undefined && mode === 'replay') {
    const place = file.name === undefined ? '' : ` at ${file.name}`
    throw failure('invalidRecording', { reason: `there is none${place}; ${HOW_TO_RECORD} makes it` })
  }
  const recorded = text === undefined ? undefined : await useFile(() => readRecording(text))
  const learning = recorded?.learning ?? nothingKnown()
  const merge = createMerger()
  let last: Promise<void> = Promise.resolve()
  let saved = recorded === undefined ? -1 : sizeOf(learning)
  async function write(of: RecordedBlock): Promise<void> {
    const present = await readFile(file)
    const wanted = merge(present, of, learning)
    if (wanted !== present) await file.write(wanted)
  }
  return {
    /** As errors name it. */
    name: file.name === undefined ? 'the recording of the fork' : `the recording ${file.name}`,
    /** The recording, and its block; the fork adds to it. */
    learning,
    of: recorded?.of,
    /** Writes what is known. Other tests may have written to the file: theirs stays. */
    save(of: RecordedBlock): Promise<void> {
      // Entries are only added, so their number tells whether there are new ones.
      if (mode === 'replay' || sizeOf(learning) === saved) return last
      saved = sizeOf(learning)
      // One after another, each with all that is known by then.
      const written = last.then(() => useFile(() => writeAlone(file, () => write(of))))
      last = written.catch(() => {
        saved = -1
      })
      return written
    },
  }
}
