// MODEXP and BLAKE2F, compared with @ethereumjs/evm, and with the vectors of their EIPs.

import { blake2b } from '@noble/hashes/blake2.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, concatBytes, hexToBytes } from '../../../../src/core/primitives/hex.ts'
import { ENOUGH, precompilesUnder } from './reference.ts'

const seed = 20261122

const toBytes = (value: bigint, length: number): Uint8Array =>
  length === 0 ? new Uint8Array(0) : hexToBytes(`0x${value.toString(16).padStart(2 * length, '0')}`)

function modexpInput(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array {
  const lengths = [base, exponent, modulus].map(({ length }) => toBytes(BigInt(length), 32))
  return concatBytes(...lengths, base, exponent, modulus)
}

const FORKS = ['byzantium', 'berlin', 'osaka'] as const
const UNDER = new Map(FORKS.map((fork) => [fork, precompilesUnder(fork)]))

async function expectSame(number: number, data: Uint8Array, gasLimit = ENOUGH): Promise<void> {
  for (const [fork, { ours, theirs }] of UNDER) {
    if (number === 9 && fork === 'byzantium') continue
    expect(await ours(number, data, gasLimit), fork).toEqual(await theirs(number, data, gasLimit))
  }
}

/** Numbers with the shapes at which limbs, windows and reductions change. */
const numberOf = (most: number): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.uint8Array({ maxLength: most }) },
    { weight: 1, arbitrary: fc.nat(most).map((length) => new Uint8Array(length).fill(0xff)) },
    { weight: 1, arbitrary: fc.nat(most).map((length) => new Uint8Array(length)) },
    {
      weight: 2,
      arbitrary: fc.nat(8 * most - 1).map((bit) => toBytes(1n << BigInt(bit), most)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.uint8Array({ maxLength: most }), fc.nat(8 * most))
        .map(([bytes, zeros]) => bytes.map((byte, index) => (8 * (bytes.length - index) > zeros ? byte : 0))),
    },
  )

describe('MODEXP', () => {
  test('is that of @ethereumjs/evm up to 256 bits', { tags: 'gate' }, async () => {
    await fc.assert(
      fc.asyncProperty(numberOf(34), numberOf(34), numberOf(34), async (base, exponent, modulus) => {
        await expectSame(5, modexpInput(base, exponent, modulus))
      }),
      { seed, numRuns: 600 },
    )
  })

  test('is that of @ethereumjs/evm above', async () => {
    await fc.assert(
      fc.asyncProperty(numberOf(150), numberOf(60), numberOf(150), async (base, exponent, modulus) => {
        await expectSame(5, modexpInput(base, exponent, modulus))
      }),
      { seed, numRuns: 100 },
    )
  })

  test('takes exponents longer than its buffer, and cuts and pads inputs', async () => {
    await fc.assert(
      fc.asyncProperty(numberOf(34), numberOf(2100), numberOf(34), fc.nat(2400), async (b, e, m, cut) => {
        const input = modexpInput(b, e, m)
        await expectSame(5, input)
        await expectSame(5, input.subarray(0, cut))
      }),
      { seed, numRuns: 30 },
    )
  })

  test('with lengths at the limits', { tags: 'gate' }, async () => {
    for (const base of [0n, 1n, 1024n, 1025n, 2n ** 31n, 2n ** 64n, 2n ** 256n - 1n]) {
      for (const exponent of [0n, 1n, 32n, 33n, 1024n, 1025n, 2n ** 256n - 1n]) {
        for (const modulus of [0n, 1n, 1024n, 1025n, 2n ** 256n - 1n]) {
          const input = concatBytes(...[base, exponent, modulus].map((length) => toBytes(length, 32)))
          await expectSame(5, input, 1_000_000n)
          await expectSame(5, concatBytes(input, new Uint8Array(64).fill(7)), 1_000_000n)
        }
      }
    }
  })

  test('with gas that just suffices, and with less', async () => {
    const input = modexpInput(toBytes(3n, 1), toBytes(2n ** 256n - 1n, 32), toBytes(2n ** 255n + 1n, 32))
    for (const { ours, theirs, words } of UNDER.values()) {
      const { gas } = await theirs(5, input)
      expect(await ours(5, input, gas)).toEqual(await theirs(5, input, gas))
      expect(await ours(5, input, gas - 1n)).toEqual(await theirs(5, input, gas - 1n))
      expect(await words(5, input, gas - 1n)).toBe('out of gas')
    }
  })

  test('modulo a number of one bit more than 256', async () => {
    const [power, modulus] = [toBytes(2n ** 256n, 33), toBytes(2n ** 256n + 1n, 33)]
    const { ours } = precompilesUnder('berlin')
    // 2 ^ 256 is -1 there, so its square is 1, and its third power itself.
    for (const [exponent, expected] of [
      [1n, power],
      [2n, toBytes(1n, 33)],
      [3n, power],
    ] as const) {
      const input = modexpInput(power, toBytes(exponent, 1), modulus)
      expect((await ours(5, input)).output).toBe(bytesToHex(expected))
    }
  })

  // EIP-198: the complexity of the length, times the 255 bits below the exponent's first, by 20.
  test.each([
    [64, 4096n],
    [65, 4224n],
    [1024, 357_376n],
    [1025, 357_984n],
  ])('the gas of EIP-198 for %i bytes', async (length, complexity) => {
    const number = new Uint8Array(length).fill(1)
    const { ours } = precompilesUnder('byzantium')
    const { gas } = await ours(5, modexpInput(number, toBytes(2n ** 255n, 32), number))
    expect(gas).toBe((complexity * 255n) / 20n)
  })

  test('the examples of EIP-198', async () => {
    const p = 2n ** 256n - 2n ** 32n - 977n
    const { ours } = precompilesUnder('berlin')
    // Fermat's little theorem.
    const fermat = modexpInput(toBytes(3n, 1), toBytes(p - 1n, 32), toBytes(p, 32))
    expect((await ours(5, fermat)).output).toBe(`0x${'1'.padStart(64, '0')}`)
    const zeroBase = modexpInput(toBytes(0n, 0), toBytes(p - 1n, 32), toBytes(p, 32))
    expect((await ours(5, zeroBase)).output).toBe(`0x${'0'.repeat(64)}`)
    // 3 ^ 0xffff mod 2 ^ 255, with two bytes of exponent, and with data that ends early.
    const lengths = [1n, 2n, 32n].map((length) => toBytes(length, 32))
    const short = concatBytes(...lengths, hexToBytes('0x03ffff80'))
    expect((await ours(5, short)).output).toBe(
      '0x3b01b01ac41f2d6e917c6d6a221ce793802469026d9ab7578fa2e79e4da6aaab',
    )
  })
})

describe('BLAKE2F', () => {
  const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
    fc.uint8Array({ minLength: length, maxLength: length })

  test('is that of @ethereumjs/evm', { tags: 'gate' }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), bytes(208), fc.nat(2), async (rounds, block, flag) => {
        const data = concatBytes(toBytes(BigInt(rounds), 4), block, Uint8Array.of(flag))
        await expectSame(9, data)
        await expectSame(9, data, BigInt(rounds))
        await expectSame(9, data, BigInt(rounds) - 1n)
        await expectSame(9, data.subarray(1))
        await expectSame(9, concatBytes(data, Uint8Array.of(0)))
        // Input that does not begin where its buffer begins.
        await expectSame(9, concatBytes(Uint8Array.of(9, 9, 9), data).subarray(3))
      }),
      { seed, numRuns: 40 },
    )
    await expectSame(9, concatBytes(toBytes(100_003n, 4), new Uint8Array(208).fill(0xa5), Uint8Array.of(1)))
  })

  test('vectors 4 to 7 of EIP-152: "abc" with 0, 12 and 1 rounds', async () => {
    const { ours } = precompilesUnder('istanbul')
    const state =
      '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
      'd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b'
    const rest = `616263${'00'.repeat(125)}0300000000000000${'00'.repeat(8)}`
    const input = (rounds: string, flag: string) => hexToBytes(`0x${rounds}${state}${rest}${flag}`)
    expect((await ours(9, input('0000000c', '01'))).output).toBe(
      bytesToHex(blake2b(new TextEncoder().encode('abc'), { dkLen: 64 })),
    )
    expect((await ours(9, input('00000000', '01'))).output).toBe(
      '0x08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b',
    )
    expect((await ours(9, input('0000000c', '00'))).output).toBe(
      '0x75ab69d3190a562c51aef8d88f1c2775876944407270c42c9844252c26d2875298743e7f6d5ea2f2d3e8d226039cd31b4e426ac4f2d3d666a610c2116fde4735',
    )
    expect((await ours(9, input('00000001', '01'))).output).toBe(
      '0xb63a380cb2897d521994a85234ee2c181b5f844d2c624c002677e9703449d2fba551b3a8333bcdf5f2f7e08993d53923de3d64fcc68c034e717b9293fed7a421',
    )
  })
})
