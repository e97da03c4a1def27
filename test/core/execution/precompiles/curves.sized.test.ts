// The precompiles of bn254, BLS12-381 and P-256 on mcl, compared with those of @ethereumjs/evm on @noble/curves.

import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { concatBytes, hexToBytes } from '../../../../src/core/primitives/hex.ts'
import { scaled } from '../../../size.ts'
import { precompilesUnder } from './reference.ts'

const seed = 20261122
const { ours, theirs, words } = precompilesUnder('osaka')

const toBytes = (value: bigint, length: number): Uint8Array =>
  hexToBytes(`0x${value.toString(16).padStart(2 * length, '0')}`)

async function expectSame(number: number, data: Uint8Array, gasLimit?: bigint): Promise<void> {
  expect(await ours(number, data, gasLimit)).toEqual(await theirs(number, data, gasLimit))
}

/** Compares on inputs of some parts, and on the same inputs with a bit flipped or bytes cut off. */
async function expectSameOn(
  number: number,
  parts: readonly fc.Arbitrary<Uint8Array>[],
  numRuns: number,
): Promise<void> {
  const spoiling = fc.option(fc.nat(8 * 400), { freq: 3 })
  const cut = fc.option(fc.nat(20), { freq: 8 })
  await fc.assert(
    fc.asyncProperty(fc.tuple(...parts), spoiling, cut, async (values, bit, missing) => {
      const data = concatBytes(...values)
      if (bit !== null && bit < 8 * data.length) {
        const at = bit >> 3
        data[at] = (data[at] as number) ^ (1 << (bit & 7))
      }
      await expectSame(number, data.subarray(0, data.length - (missing ?? 0)))
    }),
    { seed, numRuns: scaled(numRuns) },
  )
}

const scalarBelow = (order: bigint): fc.Arbitrary<bigint> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: order - 1n }) },
    { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n, order - 1n) },
  )

/** A factor in the input, which may be the order or more. */
const factorFor = (order: bigint): fc.Arbitrary<Uint8Array> =>
  fc
    .oneof(scalarBelow(order), fc.constantFrom(order, order + 1n, 2n ** 256n - 1n))
    .map((value) => toBytes(value, 32))

const BN = bn254.fields
const bnScalar = scalarBelow(BN.Fr.ORDER)

const bnG1 = bnScalar.map((n) => {
  const { x, y } = n === 0n ? { x: 0n, y: 0n } : bn254.G1.Point.BASE.multiply(n).toAffine()
  return concatBytes(toBytes(x, 32), toBytes(y, 32))
})

const bnG2 = bnScalar.map((n) => {
  if (n === 0n) return new Uint8Array(128)
  const { x, y } = bn254.G2.Point.BASE.multiply(n).toAffine()
  return concatBytes(...[x.c1, x.c0, y.c1, y.c0].map((part) => toBytes(part, 32)))
})

/** A point of the twist outside the subgroup: the curve has more points than the group. */
function bnG2OutsideGroup(): Uint8Array {
  const { Fp2 } = BN
  for (let real = 1n; ; real++) {
    const x = Fp2.create({ c0: real, c1: 1n })
    const right = Fp2.add(Fp2.mul(Fp2.sqr(x), x), bn254.G2.Point.CURVE().b)
    let y: ReturnType<typeof Fp2.sqrt>
    try {
      y = Fp2.sqrt(right)
    } catch {
      continue
    }
    return concatBytes(...[x.c1, x.c0, y.c1, y.c0].map((part) => toBytes(part, 32)))
  }
}

describe('bn254', () => {
  test('addition', () => expectSameOn(6, [bnG1, bnG1], 60))
  test('multiplication', () => expectSameOn(7, [bnG1, factorFor(BN.Fr.ORDER)], 60))
  test('pairing of one', { tags: 'gate' }, () => expectSameOn(8, [bnG1, bnG2], 12))
  test('pairing of two', () => expectSameOn(8, [bnG1, bnG2, bnG1, bnG2], 8))

  test('the sum of opposite and of equal points', async () => {
    const { x, y } = bn254.G1.Point.BASE.multiply(7n).toAffine()
    const [point, opposite] = [y, BN.Fp.ORDER - y].map((it) => concatBytes(toBytes(x, 32), toBytes(it, 32)))
    if (point === undefined || opposite === undefined) throw new Error('two points')
    await expectSame(6, concatBytes(point, opposite))
    await expectSame(6, concatBytes(point, point))
    expect((await ours(6, concatBytes(point, opposite))).output).toBe(`0x${'00'.repeat(64)}`)
  })

  test('short and long inputs', async () => {
    for (const number of [6, 7, 8]) {
      for (const length of [0, 1, 63, 64, 96, 128, 191, 192, 200])
        await expectSame(number, new Uint8Array(length))
    }
  })

  test('coordinates of the order of the field and more', async () => {
    for (const x of [BN.Fp.ORDER, BN.Fp.ORDER + 1n, 2n ** 256n - 1n]) {
      await expectSame(6, concatBytes(toBytes(x, 32), toBytes(2n, 32)))
      await expectSame(7, concatBytes(toBytes(1n, 32), toBytes(x, 32)))
      for (const place of [0, 1, 2, 3]) {
        const parts = [0n, 0n, 0n, 0n].map((_, index) => toBytes(index === place ? x : 1n, 32))
        await expectSame(8, concatBytes(toBytes(1n, 32), toBytes(2n, 32), ...parts))
      }
    }
  })

  test('a point outside the group', async () => {
    const data = concatBytes(toBytes(1n, 32), toBytes(2n, 32), bnG2OutsideGroup())
    await expectSame(8, data)
    expect(await words(8, data)).toBe('point is not in correct subgroup')
  })

  test('e(7 G, 9 H) × e(-63 G, H) is one', async () => {
    const g1 = (n: bigint): Uint8Array => {
      const { x, y } = bn254.G1.Point.BASE.multiply(n).toAffine()
      return concatBytes(toBytes(x, 32), toBytes(y, 32))
    }
    const g2 = (n: bigint): Uint8Array => {
      const { x, y } = bn254.G2.Point.BASE.multiply(n).toAffine()
      return concatBytes(...[x.c1, x.c0, y.c1, y.c0].map((part) => toBytes(part, 32)))
    }
    const data = concatBytes(g1(7n), g2(9n), g1(BN.Fr.ORDER - 63n), g2(1n))
    expect((await ours(8, data)).output).toBe(`0x${'1'.padStart(64, '0')}`)
    expect((await ours(8, data.subarray(0, 192))).output).toBe(`0x${'0'.repeat(64)}`)
  })
})

const BLS = bls12_381.fields
const blsScalar = scalarBelow(BLS.Fr.ORDER)
const padded = (...parts: bigint[]): Uint8Array => concatBytes(...parts.map((part) => toBytes(part, 64)))

const blsG1 = blsScalar.map((n) => {
  const { x, y } = n === 0n ? { x: 0n, y: 0n } : bls12_381.G1.Point.BASE.multiply(n).toAffine()
  return padded(x, y)
})

const blsG2 = blsScalar.map((n) => {
  if (n === 0n) return new Uint8Array(256)
  const { x, y } = bls12_381.G2.Point.BASE.multiply(n).toAffine()
  return padded(x.c0, x.c1, y.c0, y.c1)
})

/** Points of the curve outside the subgroup, from the least x on. */
const outsideG1 = (() => {
  for (let x = 3n; ; x++) {
    try {
      return padded(x, BLS.Fp.sqrt(BLS.Fp.add(BLS.Fp.pow(x, 3n), 4n)))
    } catch {}
  }
})()

const outsideG2 = (() => {
  for (let real = 1n; ; real++) {
    const x = BLS.Fp2.create({ c0: real, c1: 0n })
    try {
      const right = BLS.Fp2.add(BLS.Fp2.mul(BLS.Fp2.sqr(x), x), BLS.Fp2.create({ c0: 4n, c1: 4n }))
      const y = BLS.Fp2.sqrt(right)
      return padded(x.c0, x.c1, y.c0, y.c1)
    } catch {}
  }
})()

const fieldElement = fc
  .oneof(scalarBelow(BLS.Fp.ORDER), fc.constantFrom(BLS.Fp.ORDER, 2n ** 384n - 1n))
  .map((value) => toBytes(value, 64))

describe('BLS12-381', () => {
  const factor = factorFor(BLS.Fr.ORDER)
  test('addition in G1', () => expectSameOn(11, [blsG1, blsG1], 40))
  test('addition in G2', () => expectSameOn(13, [blsG2, blsG2], 30))
  test('one multiple in G1', () => expectSameOn(12, [blsG1, factor], 30))
  test('one multiple in G2', () => expectSameOn(14, [blsG2, factor], 20))
  test('sums in G1', () => expectSameOn(12, [blsG1, factor, blsG1, factor, blsG1, factor], 12))
  test('sums in G2', () => expectSameOn(14, [blsG2, factor, blsG2, factor, blsG2, factor], 8))
  test('pairing of one', { tags: 'gate' }, () => expectSameOn(15, [blsG1, blsG2], 10))
  test('pairing of two', () => expectSameOn(15, [blsG1, blsG2, blsG1, blsG2], 6))
  test('mapping to G1', () => expectSameOn(16, [fieldElement], 40))
  test('mapping to G2', () => expectSameOn(17, [fieldElement, fieldElement], 25))

  test('a sum of many, with the same point and its opposite among them', { tags: 'gate' }, async () => {
    const terms = Array.from({ length: 40 }, (_, index) => {
      const n = BigInt(index % 20) + 1n
      const { x, y } = bls12_381.G1.Point.BASE.multiply(index < 20 ? n : BLS.Fr.ORDER - n).toAffine()
      return concatBytes(padded(x, y), toBytes(n ** 40n, 32))
    })
    await expectSame(12, concatBytes(...terms))
    expect((await ours(12, concatBytes(...terms))).output).toBe(`0x${'00'.repeat(128)}`)
    await expectSame(12, concatBytes(...terms.slice(0, 30)))
  })

  test('e(7 G, 9 H) × e(0, H) × e(5 G, 2 H) × e(-73 G, H) is one', async () => {
    const g1 = (n: bigint): Uint8Array => {
      const { x, y } = bls12_381.G1.Point.BASE.multiply(n).toAffine()
      return padded(x, y)
    }
    const g2 = (n: bigint): Uint8Array => {
      const { x, y } = bls12_381.G2.Point.BASE.multiply(n).toAffine()
      return padded(x.c0, x.c1, y.c0, y.c1)
    }
    const infinite = concatBytes(new Uint8Array(128), g2(1n))
    const pairs = [concatBytes(g1(7n), g2(9n)), infinite, concatBytes(g1(5n), g2(2n))]
    const last = concatBytes(g1(BLS.Fr.ORDER - 73n), g2(1n))
    const answer = async (...parts: Uint8Array[]) => (await ours(15, concatBytes(...parts))).output
    expect(await answer(...pairs, last)).toBe(`0x${'1'.padStart(64, '0')}`)
    expect(await answer(last, ...pairs)).toBe(`0x${'1'.padStart(64, '0')}`)
    expect(await answer(...pairs)).toBe(`0x${'0'.repeat(64)}`)
    expect(await answer(infinite)).toBe(`0x${'1'.padStart(64, '0')}`)
  })

  test('points outside the subgroup are added, and refused elsewhere', async () => {
    const [one, two] = [toBytes(1n, 32), toBytes(2n, 32)]
    await expectSame(11, concatBytes(outsideG1, outsideG1))
    expect((await ours(11, concatBytes(outsideG1, outsideG1))).isFailure).toBe(false)
    await expectSame(13, concatBytes(outsideG2, outsideG2))
    expect((await ours(13, concatBytes(outsideG2, outsideG2))).isFailure).toBe(false)
    for (const [number, data, group] of [
      [12, concatBytes(outsideG1, one), 'g1'],
      [14, concatBytes(outsideG2, two), 'g2'],
      [15, concatBytes(outsideG1, new Uint8Array(256)), 'g1'],
      [15, concatBytes(new Uint8Array(128), outsideG2), 'g2'],
    ] as const) {
      await expectSame(number, data)
      expect(await words(number, data)).toBe(`${group} point is not on correct subgroup`)
    }
  })

  test('short, empty and zero inputs', async () => {
    for (const number of [11, 12, 13, 14, 15, 16, 17]) {
      for (const length of [0, 1, 64, 128, 160, 256, 288, 320, 384, 512, 576, 768])
        await expectSame(number, new Uint8Array(length))
    }
  })
})

describe('the vectors of EIP-2537', () => {
  const hex = (digits: string): Uint8Array => hexToBytes(`0x${digits}`)
  const field = (digits: string): string => digits.padStart(128, '0')

  test.each([
    [
      '156c8a6a2c184569d69a76be144b5cdc5141d2d2ca4fe341f011e25e3969c55ad9e9b9ce2eb833c81a908e5fa4ac5f03',
      '184bb665c37ff561a89ec2122dd343f20e0f4cbcaec84e3c3052ea81d1834e192c426074b02ed3dca4e7676ce4ce48ba',
      '04407b8d35af4dacc809927071fc0405218f1401a6d15af775810e4e460064bcc9468beeba82fdc751be70476c888bf3',
    ],
    [
      '147e1ed29f06e4c5079b9d14fc89d2820d32419b990c1c7bb7dbea2a36a045124b31ffbde7c99329c05c559af1c6cc82',
      '009769f3ab59bfd551d53a5f846b9984c59b97d6842b20a2c565baa167945e3d026a3755b6345df8ec7e6acb6868ae6d',
      '1532c00cf61aa3d0ce3e5aa20c3b531a2abd2c770a790a2613818303c6b830ffc0ecf6c357af3317b9575c567f11cd2c',
    ],
  ])('bls_g1map: %s', async (input, x, y) => {
    expect((await ours(16, hex(field(input)))).output).toBe(`0x${field(x)}${field(y)}`)
  })

  test('bls_g2map_', async () => {
    const input = [
      '07355d25caf6e7f2f0cb2812ca0e513bd026ed09dda65b177500fa31714e09ea0ded3a078b526bed3307f804d4b93b04',
      '02829ce3c021339ccb5caf3e187f6370e1e2a311dec9b75363117063ab2015603ff52c3d3b98f19c2f65575e99e8b78c',
    ]
    const output = [
      '00e7f4568a82b4b7dc1f14c6aaa055edf51502319c723c4dc2688c7fe5944c213f510328082396515734b6612c4e7bb7',
      '126b855e9e69b1f691f816e48ac6977664d24d99f8724868a184186469ddfd4617367e94527d4b74fc86413483afb35b',
      '0caead0fd7b6176c01436833c79d305c78be307da5f6af6c133c47311def6ff1e0babf57a0fb5539fce7ee12407b0a42',
      '1498aadcf7ae2b345243e281ae076df6de84455d766ab6fcdaad71fab60abb2e8b980a440043cd305db09d283c895e3d',
    ]
    const expected = `0x${output.map(field).join('')}`
    expect((await ours(17, hex(input.map(field).join('')))).output).toBe(expected)
  })
})

describe('P-256', () => {
  const word = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const { ORDER } = p256.Point.Fn

  test('verification', { tags: 'gate' }, async () => {
    await fc.assert(
      fc.asyncProperty(word, fc.bigInt({ min: 1n, max: ORDER - 1n }), async (digest, key) => {
        const secret = toBytes(key, 32)
        const signature = p256.sign(digest, secret, { prehash: false, lowS: false })
        const data = concatBytes(digest, signature, p256.getPublicKey(secret, false).subarray(1))
        expect((await ours(0x100, data)).output).toBe(`0x${'1'.padStart(64, '0')}`)
        await expectSame(0x100, data)
        for (const at of [0, 40, 70, 100, 140]) {
          const spoiled = data.slice()
          spoiled[at] = (spoiled[at] as number) ^ 1
          await expectSame(0x100, spoiled)
        }
      }),
      { seed, numRuns: scaled(12) },
    )
  })

  test('numbers at the limits, short inputs and too little gas', async () => {
    const secret = toBytes(77n, 32)
    const key = p256.getPublicKey(secret, false).subarray(1)
    const limits = [0n, 1n, ORDER - 1n, ORDER, p256.Point.Fp.ORDER, 2n ** 256n - 1n].map((it) =>
      toBytes(it, 32),
    )
    for (const r of limits) {
      for (const s of limits) await expectSame(0x100, concatBytes(toBytes(5n, 32), r, s, key))
    }
    for (const x of limits) await expectSame(0x100, concatBytes(toBytes(5n, 32), key, x, key.subarray(32)))
    for (const length of [0, 1, 159, 161]) await expectSame(0x100, new Uint8Array(length))
    await expectSame(0x100, new Uint8Array(160), 6899n)
    await expectSame(0x100, new Uint8Array(160), 6900n)
  })

  test('a sum of points that is infinite, and a digest of zero', async () => {
    // With the key -1 and h = r, u1 G + u2 Q = (h - r) / s G = 0.
    const { x, y } = p256.Point.BASE.negate().toAffine()
    const [h, s] = [toBytes(12345n, 32), toBytes(678n, 32)]
    const key = concatBytes(toBytes(x, 32), toBytes(y, 32))
    await expectSame(0x100, concatBytes(h, h, s, key))
    await expectSame(0x100, concatBytes(new Uint8Array(32), h, s, key))
  })
})
