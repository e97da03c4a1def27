// EIP-712: the EIP's own example, and random types and values against viem and ethers.

import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { concat, keccak256, pad, stringToBytes, hashTypedData as viemHash } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { bytesToHex, hexToBytes } from '../../../src/core/primitives/hex.ts'
import { hashTypedData, TypedDataError } from '../../../src/core/primitives/typed-data.ts'
import { scaled } from '../../size.ts'

beforeAll(loadCrypto)

const mail = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

test('the example of EIP-712 has the digest that it prints', () => {
  expect(bytesToHex(hashTypedData(mail))).toBe(
    '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
  )
})

/** A type with arbitraries of its values. */
interface Sort {
  readonly type: string
  readonly value: fc.Arbitrary<unknown>
}

const hex = (length?: number): fc.Arbitrary<string> =>
  fc
    .uint8Array(length === undefined ? { maxLength: 70 } : { minLength: length, maxLength: length })
    .map(bytesToHex)
const elementary: readonly Sort[] = [
  { type: 'bool', value: fc.boolean() },
  { type: 'address', value: hex(20) },
  { type: 'string', value: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { type: 'bytes', value: hex() },
  { type: 'bytes1', value: hex(1) },
  { type: 'bytes31', value: hex(31) },
  { type: 'bytes32', value: hex(32) },
  { type: 'uint8', value: fc.nat(255) },
  { type: 'uint256', value: fc.bigInt(0n, 2n ** 256n - 1n).map(String) },
  { type: 'int16', value: fc.integer({ min: -32_768, max: 32_767 }) },
  { type: 'int256', value: fc.bigInt(-(2n ** 255n), 2n ** 255n - 1n).map(String) },
]
const arraysOf = ({ type, value }: Sort): readonly Sort[] => [
  { type: `${type}[]`, value: fc.array(value, { maxLength: 3 }) },
  { type: `${type}[2]`, value: fc.array(value, { minLength: 2, maxLength: 2 }) },
  {
    type: `${type}[][3]`,
    value: fc.array(fc.array(value, { maxLength: 2 }), { minLength: 3, maxLength: 3 }),
  },
]

interface Structure {
  readonly types: Record<string, { name: string; type: string }[]>
  readonly value: fc.Arbitrary<Record<string, unknown>>
}

/** A struct of random fields, of which some are of the inner struct. */
const structures: fc.Arbitrary<Structure> = fc
  .record({
    inner: fc.subarray([...elementary], { minLength: 1 }),
    outer: fc.subarray([...elementary, ...elementary.flatMap(arraysOf)], { minLength: 1, maxLength: 8 }),
    inners: fc.subarray(['Inner', 'Inner[]', 'Inner[2]', 'Inner[][3]']),
  })
  .map(({ inner, outer, inners }) => {
    const innerValue = fc.record(Object.fromEntries(inner.map(({ value }, index) => [`i${index}`, value])))
    const ofInner: Sort = { type: 'Inner', value: innerValue }
    const chosen = [ofInner, ...arraysOf(ofInner)].filter(({ type }) => inners.includes(type))
    const fields = [...outer, ...chosen]
    return {
      types: {
        ...(chosen.length > 0 && { Inner: inner.map(({ type }, index) => ({ name: `i${index}`, type })) }),
        Outer: fields.map(({ type }, index) => ({ name: `o${index}`, type })),
      },
      value: fc.record(Object.fromEntries(fields.map(({ value }, index) => [`o${index}`, value]))),
    }
  })
const domains = fc.record(
  {
    // viem takes an empty version for none.
    name: fc.string({ minLength: 1 }),
    version: fc.string({ minLength: 1 }),
    chainId: fc.nat(),
    verifyingContract: hex(20),
    salt: hex(32),
  },
  { requiredKeys: [] },
)

test('random types and values have the digests of viem and ethers', () => {
  const cases = structures.chain(({ types, value }) =>
    fc.record({ types: fc.constant(types), message: value, domain: domains }),
  )
  fc.assert(
    fc.property(cases, ({ types, message, domain }) => {
      const typed = { types, primaryType: 'Outer', domain, message }
      const digest = bytesToHex(hashTypedData(typed))
      expect(digest).toBe(viemHash(typed as unknown as Parameters<typeof viemHash>[0]))
      expect(digest).toBe(TypedDataEncoder.hash(domain, types, message))
    }),
    { seed: 20261122, numRuns: scaled(300) },
  )
})

test('the domain alone can be signed', () => {
  const typed = { ...mail, primaryType: 'EIP712Domain' }
  expect(bytesToHex(hashTypedData(typed))).toBe(viemHash(typed as unknown as Parameters<typeof viemHash>[0]))
})

test.each([undefined, null])(
  'a struct that is %s counts as a word of zeros, as in eth-sig-util',
  (nobody) => {
    const types = {
      Person: [
        { name: 'name', type: 'string' },
        { name: 'mother', type: 'Person' },
      ],
    }
    const message = { name: 'Jon', mother: { name: 'Lyanna', mother: nobody } }
    const text = (value: string) => keccak256(stringToBytes(value))
    const typeHash = text('Person(string name,Person mother)')
    const mother = keccak256(concat([typeHash, text('Lyanna'), pad('0x')]))
    const son = keccak256(concat([typeHash, text('Jon'), mother]))
    const digest = keccak256(concat(['0x1901', keccak256(text('EIP712Domain()')), son]))
    expect(bytesToHex(hashTypedData({ types, primaryType: 'Person', domain: {}, message }))).toBe(digest)
  },
)

describe('typed data that is wrong is refused by name:', () => {
  const change = (part: object): Record<string, unknown> => ({ ...mail, ...part })
  const withTypes = (types: unknown): Record<string, unknown> =>
    change({ types, primaryType: 'A', message: {} })
  test.each<[Record<string, unknown>, string]>([
    [change({ types: undefined }), 'types: expected an object, got nothing'],
    [change({ domain: 7 }), 'domain: expected an object, got 7'],
    [change({ message: [] }), 'message: expected an object, got an array'],
    [change({ primaryType: 'Post' }), 'primaryType: expected the name of one of the types, got "Post"'],
    [
      change({ primaryType: 'toString' }),
      'primaryType: expected the name of one of the types, got "toString"',
    ],
    [change({ message: { ...mail.message, cc: 1 } }), 'message: Mail has no field "cc"'],
    [change({ message: { ...mail.message, contents: 7 } }), 'message.contents: expected a string, got 7'],
    [
      change({ message: { ...mail.message, from: { name: 'Cow', wallet: '0x12' } } }),
      'message.from.wallet: expected address as hex, got "0x12"',
    ],
    [withTypes({ A: 'x' }), 'types.A: expected an array of fields, got "x"'],
    [withTypes({ A: [{ name: 'b', type: 'B' }] }), 'types.A.b: unknown type "B"'],
    [withTypes({ A: [{ name: 'b', type: 'uint257' }] }), 'types.A.b: unknown type "uint257"'],
    [withTypes({ A: [{ name: 'b', type: 'bytes33' }] }), 'types.A.b: unknown type "bytes33"'],
    [
      withTypes({ A: [{ name: 'b c', type: 'bool' }] }),
      'types.A[0].name: expected the name of a field, got "b c"',
    ],
    [
      withTypes({
        A: [
          { name: 'b', type: 'bool' },
          { name: 'b', type: 'bool' },
        ],
      }),
      'types.A: two fields are named b',
    ],
  ])('%#', (typed, message) => {
    expect(() => hashTypedData(typed)).toThrow(new TypedDataError(message))
  })

  test.each([
    ['uint8', 256, '256 is out of the range of uint8'],
    ['uint8', -1, '-1 is out of the range of uint8'],
    ['int8', 128, '128 is out of the range of int8'],
    ['int8', '-129', '-129 is out of the range of int8'],
    ['uint256', 1.5, 'expected uint256, got 1.5'],
    ['uint256', 'ten', 'expected uint256, got "ten"'],
    ['uint256', 2 ** 53, 'expected uint256, got 9007199254740992'],
    ['bool', 'true', 'expected true or false, got "true"'],
    ['bytes4', '0x123456', 'expected bytes4 as hex, got "0x123456"'],
    ['uint8[2]', [1], 'expected 2 elements, got 1'],
    ['uint8[]', 1, 'expected an array, got 1'],
  ])('%s cannot be %j', (type, value, message) => {
    const typed = { types: { A: [{ name: 'b', type }] }, primaryType: 'A', domain: {}, message: { b: value } }
    expect(() => hashTypedData(typed)).toThrow(new TypedDataError(`message.b: ${message}`))
  })

  test('values in values, without end', () => {
    const types = { A: [{ name: 'a', type: 'A[]' }] }
    const message: { a: unknown[] } = { a: [] }
    message.a.push(message)
    expect(() => hashTypedData({ types, primaryType: 'A', domain: {}, message })).toThrow(
      /more than 64 values in each other/,
    )
  })
})

test('bytes may be bytes', () => {
  const types = {
    A: [
      { name: 'b', type: 'bytes' },
      { name: 'c', type: 'bytes2' },
    ],
  }
  const of = (b: unknown, c: unknown) =>
    hashTypedData({ types, primaryType: 'A', domain: {}, message: { b, c } })
  expect(of(hexToBytes('0x1234'), Uint8Array.of(1, 2))).toEqual(of('0x1234', '0x0102'))
})
