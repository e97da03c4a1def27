// Random transactions as RLP items of every type, signed, and ways to spoil them.

import fc from 'fast-check'
import { concat, fromRlp, type Hex, keccak256, numberToHex, sha256, toHex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { envelope, type Item, integer, signItems } from '../core/pool/by-hand.ts'

export const CHAIN_ID = 1337
export const KEY: Hex = `0x${'4c'.repeat(32)}`
export const SIGNER = privateKeyToAccount(KEY).address.toLowerCase() as Hex

/** Numbers below 2^count, often at the edges of an encoding. */
function bits(count: number): fc.Arbitrary<bigint> {
  const most = 2n ** BigInt(count) - 1n
  const edges = [0n, 1n, 127n, 128n, 255n, 256n, most].filter((value) => value <= most)
  return fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: most }))
}
const bytes = (length: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((it) => toHex(it))
const address = fc.oneof(fc.constantFrom<Hex>(`0x${'00'.repeat(20)}`, `0x${'ab'.repeat(20)}`), bytes(20))
const calldata = fc.oneof(
  fc.constantFrom<Hex>('0x', '0x00', '0x7f', '0x80', `0x${'11'.repeat(55)}`, `0x${'11'.repeat(56)}`),
  fc.uint8Array({ maxLength: 300 }).map((it) => toHex(it)),
)
const accessList: fc.Arbitrary<Item> = fc.array(fc.tuple(address, fc.array(bytes(32), { maxLength: 3 })), {
  maxLength: 3,
})
const authorization: fc.Arbitrary<Item> = fc
  .tuple(fc.constantFrom(0, CHAIN_ID, 5), address, bits(64), bits(8), bits(256), bits(256))
  .map(([chainId, to, ...rest]) => [integer(chainId), to, ...rest.map(integer)])
const blobHash: fc.Arbitrary<Hex> = bytes(31).map((rest) => concat(['0x01', rest]))

/** What stands before the signature. */
export interface Unsigned {
  readonly type: 0 | 1 | 2 | 3 | 4
  readonly items: readonly Item[]
  /** For type 0: with the chain id in its signature (EIP-155). */
  readonly isProtected: boolean
}

const fee = bits(40)
const core = fc.record({
  nonce: bits(63),
  gas: fc.integer({ min: 900_000, max: 16_000_000 }),
  fees: fc.tuple(fee, fee).map(([a, b]) => (a < b ? [a, b] : [b, a]) as [tip: bigint, cap: bigint]),
  to: address,
  isCreation: fc.boolean(),
  value: bits(200),
  data: calldata,
  accessList,
  authorizations: fc.array(authorization, { minLength: 1, maxLength: 3 }),
  blobFee: bits(64),
  blobs: fc.array(blobHash, { minLength: 1, maxLength: 6 }),
})

export type TypeChoice = fc.Arbitrary<Unsigned['type']>

export function unsigned(types: TypeChoice): fc.Arbitrary<Unsigned> {
  return fc
    .record({ type: types, isProtected: fc.boolean(), core })
    .map(({ type, isProtected, core: it }) => {
      const to: Hex = it.isCreation && type < 3 ? '0x' : it.to
      const call = [integer(it.gas), to, integer(it.value), it.data]
      const [tip, cap] = it.fees.map(integer) as [Hex, Hex]
      const nonce = integer(it.nonce)
      const chainId = integer(CHAIN_ID)
      const items: Record<Unsigned['type'], readonly Item[]> = {
        0: [nonce, cap, ...call],
        1: [chainId, nonce, cap, ...call, it.accessList],
        2: [chainId, nonce, tip, cap, ...call, it.accessList],
        3: [chainId, nonce, tip, cap, ...call, it.accessList, integer(it.blobFee), it.blobs],
        4: [chainId, nonce, tip, cap, ...call, it.accessList, it.authorizations],
      }
      return { type, isProtected, items: items[type] }
    })
}

/** Signs with viem. */
export function signed({ type, items, isProtected }: Unsigned): Promise<Hex> {
  return signItems(type, items, KEY, isProtected ? { chainId: CHAIN_ID } : {})
}

/** Values at the edges of what a field may hold. */
const oddItem: fc.Arbitrary<Item> = fc.oneof(
  fc.constantFrom<Item>(
    '0x',
    '0x00',
    '0x01',
    '0x7f',
    '0x80',
    '0x0001',
    [],
    ['0x'],
    [[]],
    '0xffffffffffffffff',
  ),
  fc.constantFrom<Item>(`0x01${'00'.repeat(8)}`, `0x${'ff'.repeat(8)}`, `0x${'ff'.repeat(32)}`),
  fc.constantFrom<Item>(`0x01${'00'.repeat(32)}`, `0x${'ab'.repeat(19)}`, `0x${'ab'.repeat(21)}`),
  fc.constantFrom<Item>(integer(CHAIN_ID), integer(CHAIN_ID + 1), `0x00${numberToHex(CHAIN_ID).slice(2)}`),
  fc.constantFrom<Item>('0x5208', '0x5207', '0xcf08', '0x1000000', '0x1000001', `0x${'00'.repeat(49_152)}`),
  fc.constantFrom<Item>(
    [[`0x${'ab'.repeat(20)}`, []]],
    [[`0x${'ab'.repeat(20)}`]],
    [`0x01${'22'.repeat(31)}`],
  ),
  fc.constantFrom<Item>([`0x02${'22'.repeat(31)}`], [`0x01${'22'.repeat(30)}`]),
  fc.uint8Array({ maxLength: 40 }).map((it) => toHex(it)),
)

/** Replaces, removes, adds, doubles or resizes an item anywhere in a tree. */
export interface Spoil {
  readonly path: readonly number[]
  readonly kind: 'replace' | 'remove' | 'insert' | 'double' | 'pad' | 'cut' | 'grow'
  readonly item: Item
}

export const spoil: fc.Arbitrary<Spoil> = fc.record({
  // The last items are lists, which need more attempts than the others.
  path: fc
    .tuple(fc.oneof(fc.nat(20), fc.constantFrom(-1, -2)), fc.array(fc.nat(20), { maxLength: 3, size: 'max' }))
    .map(([first, rest]) => [first, ...rest]),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'insert', 'double', 'pad', 'cut', 'grow'),
  item: oddItem,
})

const shortened = (text: Hex): Hex => (text === '0x' ? '0x' : (text.slice(0, -2) as Hex))

export function spoilt(
  items: readonly Item[],
  { path: [first = 0, ...rest], kind, item }: Spoil,
): readonly Item[] {
  if (items.length === 0) return kind === 'insert' ? [item] : items
  const at = first < 0 ? Math.max(0, items.length + first) : first % items.length
  const here = items[at] as Item
  if (typeof here !== 'string' && rest.length > 0)
    return items.with(at, spoilt(here, { path: rest, kind, item }))
  if (kind === 'replace') return items.with(at, item)
  if (kind === 'remove') return items.toSpliced(at, 1)
  if (kind === 'insert') return items.toSpliced(at, 0, item)
  if (kind === 'double') return items.toSpliced(at, 0, here)
  if (typeof here !== 'string') return items
  if (kind === 'pad') return items.with(at, concat(['0x00', here]))
  return items.with(at, kind === 'grow' ? concat([here, '0x01']) : shortened(here))
}

/** Transactions with wrong items under a right signature. */
export function wronglyBuilt(types: TypeChoice): fc.Arbitrary<Unsigned> {
  return fc
    .tuple(unsigned(types), fc.array(spoil, { minLength: 1, maxLength: 2 }))
    .map(([it, spoils]) => ({ ...it, items: spoils.reduce(spoilt, it.items) }))
}

/** A signature of any values over right items. */
export function wronglySigned(types: TypeChoice): fc.Arbitrary<() => Promise<Hex>> {
  return fc
    .record({
      unsigned: unsigned(types),
      part: fc.constantFrom('v', 'r', 's'),
      value: fc.oneof(
        fc.constantFrom<Item>(
          '0x',
          '0x00',
          '0x01',
          '0x02',
          '0x1b',
          '0x1c',
          '0x1d',
          '0x25',
          '0x26',
          '0x0a95',
          '0x0a96',
        ),
        fc.constantFrom<Item>(
          '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
          '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140',
          '0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0',
          '0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1',
        ),
        oddItem,
        bits(256).map(integer),
      ),
    })
    .map(({ unsigned: { type, items, isProtected }, part, value }) => async () => {
      const payload =
        isProtected && type === 0 ? [...items, integer(CHAIN_ID), '0x' as const, '0x' as const] : items
      const made = await sign({ hash: keccak256(envelope(type, payload)), privateKey: KEY })
      const parity = made.yParity ?? 0
      const v = type === 0 ? (isProtected ? CHAIN_ID * 2 + 35 : 27) + parity : parity
      const signature: Record<'v' | 'r' | 's', Item> = {
        v: integer(v),
        r: integer(BigInt(made.r)),
        s: integer(BigInt(made.s)),
        [part]: value,
      }
      return envelope(type, [...items, signature.v, signature.r, signature.s])
    })
}

/** A change of the bytes themselves. */
export const byteChange = fc.record({
  at: fc.nat(),
  byte: fc.oneof(fc.constantFrom(0, 0x7f, 0x80, 0x81, 0xb8, 0xc0, 0xf8), fc.integer({ min: 0, max: 255 })),
  kind: fc.constantFrom('replace', 'remove', 'insert'),
})

export function changed(
  bytes: Uint8Array,
  { at, byte, kind }: { at: number; byte: number; kind: string },
): Uint8Array {
  const copy = [...bytes]
  const position = at % Math.max(1, copy.length)
  if (kind === 'replace') copy[position] = byte
  else if (kind === 'remove') copy.splice(position, 1)
  else copy.splice(position, 0, byte)
  return Uint8Array.from(copy)
}

/** A compressed point of BLS12-381 by its length alone: nobody checks that it is on the curve. */
const point = bytes(48)
const BLOB: Hex = `0x${'00'.repeat(131_072)}`

/** A blob transaction with its blobs. */
export interface NetworkForm {
  readonly it: Unsigned
  /** Of the sidecar; absent as before EIP-7594. */
  readonly version: Item | undefined
  readonly commitments: readonly Hex[]
  /** Proofs of cells although there is no version. */
  readonly cellProofs?: boolean
  readonly fault?: 'none' | 'blob' | 'commitment' | 'proof' | 'hash' | 'size' | 'part'
}

/** Encodes a transaction with blobs of zeros, and with one thing wrong. */
export async function encodeNetworkForm(form: NetworkForm): Promise<Hex> {
  const { it, version, commitments, cellProofs = false, fault = 'none' } = form
  const hashes = commitments.map((each): Hex => `0x01${sha256(each).slice(4)}`)
  if (fault === 'hash') hashes[0] = `0x01${'33'.repeat(31)}`
  const raw = await signed({ ...it, items: it.items.with(9, '0x09').with(10, hashes) })
  const blobs: Hex[] = commitments.map(() => BLOB)
  const perBlob = version === undefined && !cellProofs ? 1 : 128
  const proofs = Array.from({ length: commitments.length * perBlob }, (): Hex => `0xc0${'00'.repeat(47)}`)
  const given = [...commitments]
  if (fault === 'blob') blobs.pop()
  if (fault === 'commitment') given.pop()
  if (fault === 'proof') proofs.pop()
  if (fault === 'size') proofs[0] = `0xc0${'00'.repeat(46)}`
  const sidecar: Item[] = [...(version === undefined ? [] : [version]), blobs, given, proofs]
  const fields = fromRlp(`0x${raw.slice(4)}`, 'hex') as Item
  return envelope(3, [fields, ...(fault === 'part' ? sidecar.slice(1) : sidecar)])
}

export const networkForms: fc.Arbitrary<NetworkForm> = fc.record({
  it: unsigned(fc.constant(3)),
  version: fc.constantFrom<Item | undefined>(
    undefined,
    undefined,
    '0x01',
    '0x01',
    '0x',
    '0x02',
    '0x0001',
    [],
  ),
  commitments: fc.array(point, { minLength: 1, maxLength: 2 }),
  cellProofs: fc.constantFrom(false, false, true),
  fault: fc.constantFrom('none', 'none', 'none', 'blob', 'commitment', 'proof', 'hash', 'size', 'part'),
})
