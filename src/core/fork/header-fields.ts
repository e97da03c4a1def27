// The fields of the block that a chain is forked at, from the upstream's answer.

import { keccak256Hex } from '../primitives/crypto.ts'
import { FIELD_KINDS } from '../primitives/fields.ts'
import { type Hash, hexToBytes } from '../primitives/hex.ts'
import { encodeItems } from '../primitives/rlp.ts'
import {
  type EncodedHeader,
  HEADER_NAMES,
  type HeaderName,
  headerField,
  makeHeader,
} from '../rollup/header.ts'
import {
  type AnswerPath,
  answeredAmount,
  answeredHash,
  answeredHex,
  answeredInteger,
  fieldIn,
  refuseAnswer,
} from './answers.ts'

export interface ForkHeader extends EncodedHeader {
  readonly hash: Hash
  readonly totalDifficulty: bigint
  /** The fields that the block has; the others are zero. */
  readonly fields: ReadonlySet<HeaderName>
}

/** Fields that some networks leave out, besides those of forks that they do not have. */
const OPTIONAL: ReadonlySet<HeaderName> = new Set(['coinbase', 'difficulty', 'prevRandao', 'nonce'])

/** The latest timestamp of a block here: the end of the clock is later. */
const MOST_TIMESTAMP = 2 ** 43

/** Reads the header of a block, whose fields must have the shapes that JSON-RPC gives them. */
export function readForkHeader(block: Record<string, unknown>, place: AnswerPath): ForkHeader {
  const fields = new Set<HeaderName>()
  const header = makeHeader((name) => {
    const { kind, since, json = name, isEncoded } = headerField(name)
    const value = block[json] ?? undefined
    const isOptional = since !== undefined || OPTIONAL.has(name)
    if (isEncoded === false || (isOptional && value === undefined)) return undefined
    fields.add(name)
    const [, at] = fieldIn(block, json, place)
    if (kind === 'amount' || kind === 'gas') return answeredAmount(value, at)
    if (kind === 'integer') return answeredInteger(value, at)
    const hex = answeredHex(value, at, FIELD_KINDS[kind].length)
    return kind === 'bytes' || kind === 'bloom' ? hexToBytes(hex) : hex
  })
  if (header.timestamp > MOST_TIMESTAMP)
    refuseAnswer({ ...place, path: `${place.path}.timestamp` }, 'seconds')
  const { totalDifficulty } = block
  return {
    ...header,
    fields,
    hash: answeredHash(...fieldIn(block, 'hash', place)),
    totalDifficulty:
      (totalDifficulty ?? undefined) === undefined
        ? header.difficulty
        : answeredAmount(...fieldIn(block, 'totalDifficulty', place)),
  }
}

/** Refuses a header whose hash is not that of its fields, for forks that take its roots as true. */
export function expectOwnHash(header: ForkHeader, place: AnswerPath): void {
  const names = HEADER_NAMES.filter((name) => header.fields.has(name))
  const own = keccak256Hex(encodeItems(names.map((name) => header[name])))
  if (own !== header.hash)
    refuseAnswer({ ...place, path: `${place.path}.hash` }, `the hash of its fields, ${own}`)
}
