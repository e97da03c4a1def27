// Where @ethereumjs/tx takes what the standards refuse. Each is named by a test; nothing else may differ.

import { decodeItem, type Item } from '../../src/core/primitives/rlp.ts'
import type { Hardfork } from '../../src/core/rollup/hardforks.ts'

function isText(item: Item | undefined): item is Uint8Array {
  return item instanceof Uint8Array
}

const isEmptyText = (item: Item | undefined): boolean => isText(item) && item.length === 0

interface Envelope {
  readonly type: number
  readonly fields: readonly Item[]
  /** What follows the fields of a blob transaction that carries its blobs. */
  readonly sidecar: readonly Item[]
}

function open(bytes: Uint8Array): Envelope | undefined {
  const type = bytes[0] ?? 0
  const items = type >= 1 && type <= 4 ? decodeItem(bytes, 1) : undefined
  if (items === undefined || isText(items)) return undefined
  const [first, ...rest] = items
  return Array.isArray(first) ? { type, fields: first, sidecar: rest } : { type, fields: items, sidecar: [] }
}

function accessListOf({ type, fields }: Envelope): Item | undefined {
  return fields[type === 1 ? 7 : 8]
}

const startsWith = (item: Item | undefined, test: (byte: number) => boolean): boolean =>
  isText(item) && item.length > 0 && test(item[0] as number)

const DEVIATIONS: Readonly<Record<string, (envelope: Envelope, hardfork: Hardfork) => boolean>> = {
  // Yellow paper, appendix B: a scalar has no leading zeros. The encoding is not checked for the chain id alone.
  'a chain id with leading zeros': ({ fields }) => startsWith(fields[0], (byte) => byte === 0),
  // EIP-2930: [[address, [key, …]], …]
  'an empty string for an access list': (envelope) => isEmptyText(accessListOf(envelope)),
  'an empty string for storage keys': (envelope) => {
    const list = accessListOf(envelope)
    return Array.isArray(list) && list.some((entry) => Array.isArray(entry) && isEmptyText(entry[1]))
  },
  // EIP-4844: the version is 0x01. The byte's hexadecimal digits are read as a decimal number, up to the first letter.
  'a versioned hash of version 0x1a to 0x1f': ({ type, fields }) => {
    const hashes = fields[10]
    const isOdd = (hash: Item): boolean => startsWith(hash, (byte) => byte >= 0x1a && byte <= 0x1f)
    return type === 3 && Array.isArray(hashes) && hashes.some(isOdd)
  },
  // EIP-7594: a version that is written is 1, and comes with osaka.
  'a sidecar whose written version is not 0x01': ({ sidecar }) =>
    sidecar.length === 4 && !(isText(sidecar[0]) && sidecar[0].length === 1 && sidecar[0][0] === 1),
  'cell proofs before osaka': ({ sidecar }, hardfork) => sidecar.length === 4 && hardfork !== 'osaka',
}

/** The known deviation that these bytes show. */
export function deviationOf(hardfork: Hardfork, bytes: Uint8Array): string | undefined {
  const envelope = open(bytes)
  if (envelope === undefined) return undefined
  return Object.entries(DEVIATIONS).find(([, shows]) => shows(envelope, hardfork))?.[0]
}
