// Packed form of a header: fields as RLP items, without the bloom and without what every empty body has.

import type { Item } from '../../primitives/decode-rlp.ts'
import type { Encodable } from '../../primitives/encode-rlp.ts'
import { FIELD_KINDS, isItemOf } from '../../primitives/fields.ts'
import { type Header, type HeaderName, headerField, makeHeader, PACKED_NAMES } from '../../rollup/header.ts'
import { bodyCommitments, EMPTY_BODY } from '../block/body.ts'

/** Fields that follow from the body, after all others. */
const BODY_NAMES = ['nonce', 'unclesHash', 'withdrawalsRoot', 'requestsHash'] as const
const BODY_FROM = PACKED_NAMES.length - BODY_NAMES.length

/** Those fields of an empty body. */
function emptyBodyFields(): Pick<Header, (typeof BODY_NAMES)[number]> {
  return { nonce: EMPTY_BODY.nonce, ...bodyCommitments(EMPTY_BODY) }
}

export function packHeader(header: Header): Encodable[] {
  const empty = emptyBodyFields()
  const hasEmptyBody = BODY_NAMES.every((name) => header[name] === empty[name])
  const names = hasEmptyBody ? PACKED_NAMES.slice(0, BODY_FROM) : PACKED_NAMES
  return names.map((name) => header[name])
}

/** The inverse of `packHeader`. */
export function unpackHeader(items: readonly Uint8Array[], logsBloom: Uint8Array): Header {
  const given: Partial<Header> = { logsBloom, ...(items.length === BODY_FROM ? emptyBodyFields() : {}) }
  const unpack = (name: HeaderName): unknown => {
    const { kind, packed } = headerField(name)
    const bytes = packed === undefined ? undefined : items[packed]
    return bytes && FIELD_KINDS[kind].fromBytes(bytes)
  }
  return makeHeader((name) => given[name] ?? unpack(name))
}

/** True if an RLP item is a packed header. */
export function isPackedHeader(item: Item | undefined): item is Uint8Array[] {
  if (!Array.isArray(item) || (item.length !== BODY_FROM && item.length !== PACKED_NAMES.length)) return false
  return item.every((each, position) =>
    isItemOf(headerField(PACKED_NAMES[position] as HeaderName).kind, each),
  )
}
