// The text of a recording: what is known of an upstream at a block, an entry a line, sorted, so that a version control
// system merges two of them. Each line ends with its digest, and the last line says that the text is whole.

import { keccak256, keccak256Hex } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import * as hex from '../primitives/hex.ts'
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
  return keccak256Hex(hex.utf8ToBytes(line)).slice(2, 2 + DIGEST_DIGITS)
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
