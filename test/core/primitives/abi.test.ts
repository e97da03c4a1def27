// ABI decoding of values that viem and ethers encode, and of invalid encodings.

import { AbiCoder } from 'ethers'
import fc from 'fast-check'
import { encodeAbiParameters, type Hex, hexToBytes, pad, toFunctionSignature, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  type AbiType,
  type AbiValue,
  decodeAbi,
  parseAbiParameters,
  showAbiValues,
  signatureOf,
} from '../../../src/core/primitives/abi.ts'
import { bytesToHex } from '../../../src/core/primitives/hex.ts'

const seed = 20261121

interface Parameter {
  readonly name: string
  readonly type: string
  readonly components?: readonly Parameter[]
}

/** A value; `given` is the argument of the encoder if it differs. */
interface Sample {
  readonly value: AbiValue
  readonly given: unknown
}

/** A type with its values. */
interface Family {
  readonly parameter: Parameter
  readonly sample: fc.Arbitrary<Sample>
}

function plain<Value extends AbiValue>(
  type: string,
  values: fc.Arbitrary<Value>,
  give: (value: Value) => unknown = (value) => value,
): Family {
  return { parameter: { name: '', type }, sample: values.map((value) => ({ value, given: give(value) })) }
}

const bytesOf = (minLength: number, maxLength: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => bytesToHex(bytes))

const text = fc.string({ unit: 'binary', maxLength: 70 }).filter((value) => !/\p{Surrogate}/u.test(value))
const widths = fc.integer({ min: 1, max: 32 })

function integers(type: string, bits: number, min: bigint, max: bigint): Family {
  // viem takes a number where the type fits one.
  return plain(`${type}${bits}`, fc.bigInt({ min, max }), (value) => (bits <= 48 ? Number(value) : value))
}

const elementary: fc.Arbitrary<Family> = fc.oneof(
  widths.map((width) => integers('uint', width * 8, 0n, 2n ** BigInt(width * 8) - 1n)),
  widths.map((width) => {
    const half = 2n ** BigInt(width * 8 - 1)
    return integers('int', width * 8, -half, half - 1n)
  }),
  widths.map((width) => plain(`bytes${width}`, bytesOf(width, width))),
  fc.constantFrom(
    plain('bool', fc.boolean()),
    plain('address', bytesOf(20, 20)),
    plain('bytes', bytesOf(0, 70)),
    plain('string', text),
  ),
)

function named(parameter: Parameter, name: string): Parameter {
  return { ...parameter, name }
}

function arrayFamily({ parameter, sample }: Family, length: number | undefined): Family {
  const type = `${parameter.type}[${length ?? ''}]`
  const range = { minLength: length ?? 0, maxLength: length ?? 3 }
  return {
    parameter: { ...parameter, type },
    sample: fc.array(sample, range).map((samples) => ({
      value: samples.map(({ value }) => value),
      given: samples.map(({ given }) => given),
    })),
  }
}

/** With names for all components, or for none. */
function tupleFamily(families: readonly Family[], naming: 'named' | 'unnamed'): Family {
  const names = families.map((_, index) => (naming === 'named' ? `field${index}` : ''))
  const components = families.map(({ parameter }, index) => named(parameter, names[index]!))
  const parameter = { name: '', type: 'tuple', components }
  const shape = (values: readonly unknown[]): unknown =>
    naming === 'unnamed' ? values : Object.fromEntries(values.map((value, index) => [names[index]!, value]))
  return {
    parameter,
    sample: fc.tuple(...families.map(({ sample }) => sample)).map((samples) => ({
      value: shape(samples.map(({ value }) => value)) as AbiValue,
      given: shape(samples.map(({ given }) => given)),
    })),
  }
}

const family: fc.Arbitrary<Family> = fc.letrec<{ family: Family }>((tie) => ({
  family: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    elementary,
    fc
      .tuple(tie('family'), fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }))
      .map(([element, length]) => arrayFamily(element, length)),
    fc
      .tuple(fc.array(tie('family'), { minLength: 1, maxLength: 3 }), fc.constantFrom('named', 'unnamed'))
      .map(([families, naming]) => tupleFamily(families, naming as 'named' | 'unnamed')),
  ),
})).family

const samples = fc.array(
  family.chain(({ parameter, sample }) => sample.map((each) => ({ parameter, ...each }))),
  { maxLength: 4 },
)

function typesOf(parameters: readonly Parameter[]): readonly AbiType[] {
  const parsed = parseAbiParameters(parameters)
  if (parsed === undefined) throw new Error(`not parsed: ${JSON.stringify(parameters)}`)
  return parsed.map(({ type }) => type)
}

describe('what encoders write', () => {
  test('is read, whatever the types', { tags: 'gate' }, () => {
    fc.assert(
      fc.property(samples, (given) => {
        const parameters = given.map(({ parameter }) => parameter)
        const values = given.map(({ value }) => value)
        const viem = encodeAbiParameters(parameters as never, given.map((each) => each.given) as never)
        expect(decodeAbi(typesOf(parameters), hexToBytes(viem))).toEqual(values)
        const ethers = AbiCoder.defaultAbiCoder().encode(parameters as never, values)
        expect(decodeAbi(typesOf(parameters), hexToBytes(ethers as Hex))).toEqual(values)
      }),
      { seed, numRuns: 400 },
    )
  })

  test('has the signature that viem gives it', () => {
    fc.assert(
      fc.property(samples, (given) => {
        const inputs = given.map(({ parameter }) => parameter)
        const item = { type: 'function', name: 'f', inputs, outputs: [], stateMutability: 'view' } as const
        expect(signatureOf('f', typesOf(inputs))).toBe(toFunctionSignature(item))
      }),
      { seed, numRuns: 200 },
    )
  })

  test.each([
    ['uint', 'uint256'],
    ['int[2][]', 'int256[2][]'],
    ['function', 'function'],
  ])('%s is short for %s', (type, canonical) => {
    expect(signatureOf('f', typesOf([{ name: '', type }]))).toBe(`f(${canonical})`)
  })

  test('may have components without names of their own, which are then told by their place', () => {
    const components = [
      { name: 'a', type: 'uint8' },
      { name: 'a', type: 'uint8' },
    ]
    const data = encodeAbiParameters([{ type: 'uint8' }, { type: 'uint8' }], [1, 2])
    expect(decodeAbi(typesOf([{ name: '', type: 'tuple', components }]), hexToBytes(data))).toEqual([
      [1n, 2n],
    ])
  })
})

describe('what is no encoding', () => {
  const word = (value: bigint | number): string => toHex(value, { size: 32 }).slice(2)
  const read = (type: string, ...words: string[]): unknown =>
    decodeAbi(typesOf([{ name: '', type }]), hexToBytes(`0x${words.join('')}`))

  test.each([
    ['uint8', word(256)],
    ['int8', word(128)],
    ['int8', word(2n ** 256n - 129n)],
    ['bool', word(2)],
    ['address', word(2n ** 160n)],
    ['bytes4', `12345678${'00'.repeat(27)}01`],
    ['uint256', word(1).slice(2)],
    ['string', word(32) + word(1)],
    ['string', word(2n ** 255n) + word(0)],
    ['bytes', word(32) + word(2n ** 256n - 1n)],
    ['uint256[]', word(32) + word(2n ** 64n)],
    ['uint256[]', word(32) + word(2) + word(1)],
    ['uint256[2]', word(1)],
    ['string[]', word(32) + word(1) + word(64)],
    ['bool[]', word(32) + word(1) + word(7)],
  ])('gives nothing: %s from 0x%s', (type, data) => {
    expect(read(type, data)).toBeUndefined()
  })

  test('the same with the bytes that are missing, or clean, is one', () => {
    expect(read('int8', word(2n ** 256n - 128n))).toEqual([-128n])
    expect(read('bytes4', pad('0x12345678', { dir: 'right' }).slice(2))).toEqual(['0x12345678'])
    expect(read('uint256[]', word(32), word(2), word(1), word(5))).toEqual([[1n, 5n]])
    expect(read('uint256', word(1), word(2))).toEqual([1n])
  })

  test('however the bytes were changed, it is values or nothing', () => {
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) })
    fc.assert(
      fc.property(samples, fc.array(change, { maxLength: 8 }), fc.nat(), (given, changes, cut) => {
        const parameters = given.map(({ parameter }) => parameter)
        const data = hexToBytes(
          encodeAbiParameters(parameters as never, given.map((each) => each.given) as never),
        )
        for (const { at, byte } of changes) if (data.length > 0) data[at % data.length] = byte
        const kept = data.subarray(0, data.length - (cut % (data.length + 1)))
        const values = decodeAbi(typesOf(parameters), kept)
        if (values !== undefined) expect(values).toHaveLength(parameters.length)
      }),
      { seed, numRuns: 400 },
    )
  })

  test('does not grow: offsets that all point at one place give nothing', () => {
    // 1,000 texts that are one and the same, of 32,000 bytes: 32 MB from 64 kB.
    const count = 1000
    const content = count * 32
    const heads = word(content).repeat(count)
    const data = word(32) + word(count) + heads + word(content) + '61'.repeat(content)
    expect(read('string[]', data)).toBeUndefined()
    // Arrays in arrays in arrays, each of which is its own element: exponential in the depth.
    const loop = word(0) + word(0).repeat(7)
    expect(read('uint256[][8][8][8][8][8][8][8][8]', loop)).toBeUndefined()
  })
})

test.each([
  ['no type', [{ name: 'a' }]],
  ['an unknown type', [{ name: 'a', type: 'fixed128x18' }]],
  ['a width that is none', [{ name: 'a', type: 'uint7' }]],
  ['a width too large', [{ name: 'a', type: 'uint264' }]],
  ['bytes of no length', [{ name: 'a', type: 'bytes0' }]],
  ['bytes too long', [{ name: 'a', type: 'bytes33' }]],
  ['an array of no length', [{ name: 'a', type: 'uint8[0]' }]],
  ['a tuple without components', [{ name: 'a', type: 'tuple' }]],
  ['a tuple of nothing', [{ name: 'a', type: 'tuple', components: [] }]],
  ['a name that is none', [{ name: 5, type: 'uint8' }]],
  ['an array that is too deep', [{ name: 'a', type: `uint8${'[]'.repeat(1000)}` }]],
  ['no object', [null]],
  ['no list', 'uint8'],
])('%s is no parameter', (_, inputs) => {
  expect(parseAbiParameters(inputs)).toBeUndefined()
})

test('a tuple in itself, without end, is no parameter', () => {
  const endless: { name: string; type: string; components: unknown[] } = {
    name: '',
    type: 'tuple',
    components: [],
  }
  endless.components.push(endless)
  expect(parseAbiParameters([endless])).toBeUndefined()
})

test('values are shown as they would be written in Solidity', () => {
  const inputs = parseAbiParameters([
    { name: 'a', type: 'string' },
    { name: 'b', type: 'int8' },
    { name: 'c', type: 'bytes' },
    { name: 'd', type: 'bool[]' },
    {
      name: 'e',
      type: 'tuple[]',
      components: [
        { name: 'x', type: 'uint8' },
        { name: 'y', type: 'string' },
      ],
    },
    { name: 'f', type: 'tuple', components: [{ name: '', type: 'address' }] },
  ])
  const address = `0x${'ab'.repeat(20)}`
  const values = [
    'a "b"\n',
    -1n,
    '0xc0',
    [true, false],
    [
      { x: 1n, y: '' },
      { x: 2n, y: 'z' },
    ],
    [address],
  ]
  expect(showAbiValues(inputs ?? [], values)).toBe(
    `"a \\"b\\"\\n", -1, 0xc0, [true, false], [(1, ""), (2, "z")], (${address})`,
  )
})
