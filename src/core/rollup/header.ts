// Block headers: one table of their fields, from which follow their type, RLP, hash and JSON, and the packed form of
// archived blocks and dumps.

import { keccak256Hex } from '../primitives/crypto.ts'
import { FIELD_KINDS, type FieldKind, type FieldValues } from '../primitives/fields.ts'
import type { Hash, Hex } from '../primitives/hex.ts'
import { memoizeWeak } from '../primitives/lru-cache.ts'
import { type Encodable, encodedView, encodeItems } from '../primitives/rlp.ts'
import { blobBaseFee } from './blobs.ts'
import type { Hardfork } from './hardforks.ts'
import { isForkActive, type Rules } from './rules.ts'

interface HeaderField {
  readonly kind: FieldKind
  /** The fork that added it. */
  readonly since?: Hardfork
  /** Its name in JSON-RPC, if that is another. */
  readonly json?: string
  /** Known only when the block is sealed; the others are fixed before its first transaction runs. */
  readonly isSealed?: true
  /** False if it follows from other fields and is not encoded. */
  readonly isEncoded?: false
  /** Its position in the packed form of a block. */
  readonly packed?: number
}

/** The fields in the order of the RLP (yellow paper, 4.3, and the EIPs of the forks). */
export const HEADER_FIELDS = {
  parentHash: { kind: 'hash', packed: 0 },
  unclesHash: { kind: 'hash', json: 'sha3Uncles', isSealed: true, packed: 18 },
  coinbase: { kind: 'address', json: 'miner', packed: 1 },
  stateRoot: { kind: 'hash', isSealed: true, packed: 2 },
  transactionsRoot: { kind: 'hash', isSealed: true, packed: 3 },
  receiptsRoot: { kind: 'hash', isSealed: true, packed: 4 },
  logsBloom: { kind: 'bloom', isSealed: true },
  /** Zero since the merge, and on every block that is built here. */
  difficulty: { kind: 'amount', packed: 7 },
  number: { kind: 'integer', packed: 14 },
  gasLimit: { kind: 'amount', packed: 8 },
  gasUsed: { kind: 'amount', isSealed: true, packed: 9 },
  /** Seconds. */
  timestamp: { kind: 'integer', packed: 15 },
  extraData: { kind: 'bytes', packed: 16 },
  /** The mix hash before the merge. */
  prevRandao: { kind: 'hash', json: 'mixHash', packed: 5 },
  /** Zero since the merge. */
  nonce: { kind: 'nonce', isSealed: true, packed: 17 },
  baseFeePerGas: { kind: 'amount', since: 'london', packed: 10 },
  withdrawalsRoot: { kind: 'hash', since: 'shanghai', isSealed: true, packed: 19 },
  blobGasUsed: { kind: 'amount', since: 'cancun', isSealed: true, packed: 12 },
  excessBlobGas: { kind: 'amount', since: 'cancun', packed: 11 },
  parentBeaconBlockRoot: { kind: 'hash', since: 'cancun', packed: 6 },
  requestsHash: { kind: 'hash', since: 'prague', isSealed: true, packed: 20 },
  /** Wei per blob gas. */
  blobBaseFee: { kind: 'amount', isEncoded: false, packed: 13 },
} as const satisfies Record<string, HeaderField>

type Table = typeof HEADER_FIELDS

export type HeaderName = keyof Table

type SealedName = { [Name in HeaderName]: Table[Name] extends { isSealed: true } ? Name : never }[HeaderName]

/** Fields of forks that are not active are zero. */
export type Header = { readonly [Name in HeaderName]: FieldValues[Table[Name]['kind']] }

export type EncodedHeader = Omit<Header, 'blobBaseFee'>

/** The part of a header that is fixed before its first transaction runs; transactions can read it. */
export type BlockEnvironment = Omit<Header, SealedName>

const ALL_NAMES = Object.keys(HEADER_FIELDS) as HeaderName[]

export function headerField(name: HeaderName): HeaderField {
  return HEADER_FIELDS[name]
}

/** The names of the encoded fields, in their order. */
export const HEADER_NAMES = ALL_NAMES.filter((name) => headerField(name).isEncoded !== false) as Exclude<
  HeaderName,
  'blobBaseFee'
>[]

export const PACKED_NAMES = ALL_NAMES.filter((name) => headerField(name).packed !== undefined).sort(
  (a, b) => (headerField(a).packed as number) - (headerField(b).packed as number),
)

const ENVIRONMENT_NAMES = ALL_NAMES.filter(
  (name) => headerField(name).isSealed !== true,
) as (keyof BlockEnvironment)[]

export function hasField(rules: Rules, name: HeaderName): boolean {
  const { since } = headerField(name)
  return since === undefined || isForkActive(rules, since)
}

/** The nonce of every block since the merge (EIP-3675). */
export const ZERO_NONCE: Hex = FIELD_KINDS.nonce.absent

/**
 * Makes a header; fields without a value are zero. It starts as a copy of the table: an object that grows by computed
 * names becomes a slow dictionary.
 */
export function makeHeader(read: (name: HeaderName) => unknown): Header {
  const header: Record<string, unknown> = { ...HEADER_FIELDS }
  for (const name of ALL_NAMES) header[name] = read(name) ?? FIELD_KINDS[HEADER_FIELDS[name].kind].absent
  return header as Header
}

/** A header with what follows from its fields. */
export function completeHeader<Encoded extends EncodedHeader>(rules: Rules, header: Encoded) {
  return { ...header, blobBaseFee: blobBaseFee(rules.blobs, header.excessBlobGas) }
}

/** A copy of a block's environment with changes. Not a spread: one of a block that is not built yet has getters. */
export function environmentWith<Changes extends object>(environment: BlockEnvironment, changes: Changes) {
  const entries = ENVIRONMENT_NAMES.map((name) => [name, environment[name]])
  return { ...(Object.fromEntries(entries) as BlockEnvironment), ...changes }
}

const encodedNames = memoizeWeak((rules: Rules) => HEADER_NAMES.filter((name) => hasField(rules, name)))

function headerItems(rules: Rules, header: EncodedHeader): Encodable[] {
  return encodedNames(rules).map((name) => header[name])
}

export function encodeHeader(rules: Rules, header: EncodedHeader): Uint8Array {
  return encodeItems(headerItems(rules, header))
}

export function hashHeader(rules: Rules, header: EncodedHeader): Hash {
  return keccak256Hex(encodedView(headerItems(rules, header)))
}
