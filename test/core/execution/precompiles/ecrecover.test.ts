// Precompiles that use our own choice of cryptography, compared with viem.

import fc from 'fast-check'
import { concat, type Hex, keccak256, pad, recoverAddress, sha256, toHex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from '../../../../src/index.ts'

const seed = 20261125
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let chain: Emulator

beforeAll(async () => {
  chain = await createEmulator({ accounts: [] })
})

function precompile(number: number, data: Hex): Promise<Hex> {
  return chain.request({ method: 'eth_call', params: [{ to: toHex(number, { size: 20 }), data }] })
}

const word = (value: bigint): Hex => toHex(value, { size: 32 })

interface Signature {
  readonly hash: Hex
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
}

function ecrecover({ hash, v, r, s }: Signature): Promise<Hex> {
  return precompile(1, concat([hash, ...[v, r, s].map(word)]))
}

/** What viem recovers, as the precompile answers it: a padded address, or nothing. */
async function expectedSigner({ hash, v, r, s }: Signature): Promise<Hex> {
  try {
    const signature = { r: word(r), s: word(s), yParity: Number(v) - 27 }
    return pad((await recoverAddress({ hash, signature })).toLowerCase() as Hex, { size: 32 })
  } catch {
    return '0x'
  }
}

describe('ecrecover', () => {
  const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((value) => toHex(value))
  const scalar = fc.bigInt({ min: 1n, max: ORDER - 1n })

  test('answers the signer of a message', async () => {
    await fc.assert(
      fc.asyncProperty(bytes32, scalar, async (hash, key) => {
        const privateKey = word(key)
        const { r, s, v = 27n } = await sign({ hash, privateKey })
        const signature = { hash, v, r: BigInt(r), s: BigInt(s) }
        const { address } = privateKeyToAccount(privateKey)
        expect(await ecrecover(signature)).toBe(pad(address.toLowerCase() as Hex, { size: 32 }))
        // The mirrored signature, which a transaction may not have, is of the same signer.
        const mirrored = { ...signature, v: 55n - v, s: ORDER - signature.s }
        expect(await ecrecover(mirrored)).toBe(pad(address.toLowerCase() as Hex, { size: 32 }))
      }),
      { seed, numRuns: 25 },
    )
  })

  test('answers what viem recovers from any numbers, or nothing where it recovers none', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(bytes32, fc.constantFrom(27n, 28n), scalar, scalar, async (hash, v, r, s) => {
        const signature = { hash, v, r, s }
        const expected = await expectedSigner(signature)
        if (expected !== '0x') found++
        expect(await ecrecover(signature)).toBe(expected)
      }),
      { seed, numRuns: 50 },
    )
    // About half of all numbers are the x of a point.
    expect(found).toBeGreaterThan(10)
    expect(found).toBeLessThan(40)
  })

  test.each<[string, Partial<Signature>]>([
    ['v of 0', { v: 0n }],
    ['v of 26', { v: 26n }],
    ['v of 29', { v: 29n }],
    ['v of 27 with something above', { v: 27n + 2n ** 8n }],
    ['v of 27 with something far above', { v: 27n + 2n ** 255n }],
    ['r of zero', { r: 0n }],
    ['s of zero', { s: 0n }],
    ["r of the curve's order", { r: ORDER }],
    ["s of the curve's order", { s: ORDER }],
    ['r of 256 ones', { r: 2n ** 256n - 1n }],
    ['s of 256 ones', { s: 2n ** 256n - 1n }],
  ])('answers nothing for %s', async (_, spoiled) => {
    const hash = keccak256('0x')
    const { r, s, v = 27n } = await sign({ hash, privateKey: word(7n) })
    expect(await ecrecover({ hash, v, r: BigInt(r), s: BigInt(s), ...spoiled })).toBe('0x')
  })

  test('reads a short input as if zeros followed, and no further than 128 bytes', async () => {
    const hash = keccak256('0x')
    const privateKey = word(7n)
    const { r, s, v = 27n } = await sign({ hash, privateKey })
    const data = concat([hash, word(v), r, s])
    expect(await precompile(1, concat([data, '0xffff']))).toBe(await precompile(1, data))
    expect(await precompile(1, data.slice(0, -2) as Hex)).toBe(
      await expectedSigner({ hash, v, r: BigInt(r), s: BigInt(s) & ~0xffn }),
    )
    expect(await precompile(1, '0x')).toBe('0x')
  })
})

describe('hashes', () => {
  const data = fc.uint8Array({ maxLength: 300 }).map((value) => toHex(value))

  test('sha-256 is that of viem', async () => {
    await fc.assert(
      fc.asyncProperty(data, async (message) => {
        expect(await precompile(2, message)).toBe(sha256(message))
      }),
      { seed, numRuns: 30 },
    )
  })

  test('ripemd-160 is that of its paper', async () => {
    // Dobbertin, Bosselaers, Preneel: test values for the empty message and "abc".
    expect(await precompile(3, '0x')).toBe(pad('0x9c1185a5c5e9fc54612808977ee8f548b2258d31', { size: 32 }))
    expect(await precompile(3, toHex('abc'))).toBe(
      pad('0x8eb208f7e05d987a9b044a8e98c6b087f15a0bfc', { size: 32 }),
    )
  })

  test('keccak-256 is that of viem', async () => {
    // Init code that returns the KECCAK256 of what stands behind its 21 bytes, after a word of zeros: code may
    // not begin with 0xef (EIP-3541).
    const code: Hex = '0x601538038060155f395f205f5f5260205260405ff3'
    await fc.assert(
      fc.asyncProperty(data, async (message) => {
        const hashing = concat([code, message])
        const returned = await chain.request({ method: 'eth_call', params: [{ data: hashing }] })
        expect(returned).toBe(concat([word(0n), keccak256(message)]))
      }),
      { seed, numRuns: 30 },
    )
  })
})
