// The point evaluation precompile (EIP-4844), through eth_call and directly.

import { bls12_381 } from '@noble/curves/bls12-381.js'
import { concat, type Hex, sha256, toHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { openBls12381 } from '../../../../src/core/execution/precompiles/points.ts'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { sampled } from '../../../size.ts'
import { nobleKzg } from './noble-kzg.ts'

const POINT_EVALUATION = `0x${'0a'.padStart(40, '0')}` as const
/** The output of the precompile (EIP-4844): FIELD_ELEMENTS_PER_BLOB and BLS_MODULUS. */
const SUCCESS = `0x${'1000'.padStart(64, '0')}73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001`

const SCALAR_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
const FIELD_ORDER =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn

interface Claim {
  readonly z: Hex
  readonly y: Hex
  readonly commitment: Hex
  readonly proof: Hex
}

/** The vector of go-ethereum: core/vm/testdata/precompiles/pointEvaluation.json, pointEvaluation1. */
const GETH: Claim & { readonly versionedHash: Hex } = {
  versionedHash: '0x01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b',
  z: '0x564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306',
  y: '0x24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1',
  commitment:
    '0x8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7',
  proof: '0x873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a',
}

const word = (value: bigint): Hex => toHex(value, { size: 32 })
const INFINITY: Hex = `0xc0${'00'.repeat(47)}`
/** The generator of G1, compressed. */
const GENERATOR: Hex =
  '0x97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'

let chain: Emulator

beforeAll(async () => {
  chain = await createEmulator({ accounts: [] })
})

/** EIP-4844: the version 1 and the rest of the commitment's sha-256. */
function versionedHashOf(commitment: Hex): Hex {
  return `0x01${sha256(commitment).slice(4)}`
}

function evaluate(
  { z, y, commitment, proof }: Claim,
  versionedHash = versionedHashOf(commitment),
): Promise<Hex> {
  const data = concat([versionedHash, z, y, commitment, proof])
  return chain.request({ method: 'eth_call', params: [{ to: POINT_EVALUATION, data }] })
}

/** A point of the curve y² = x³ + 4 with the least x from `start` on, compressed. It is hardly in the subgroup. */
function pointOfCurve(start: bigint): Hex {
  const power = (base: bigint, exponent: bigint): bigint => {
    let [result, square, rest] = [1n, base % FIELD_ORDER, exponent]
    for (; rest > 0n; rest >>= 1n, square = (square * square) % FIELD_ORDER) {
      if (rest % 2n === 1n) result = (result * square) % FIELD_ORDER
    }
    return result
  }
  for (let x = start; ; x++) {
    const right = (x ** 3n + 4n) % FIELD_ORDER
    // The order is 3 modulo 4, so this is a square root if one exists.
    const root = power(right, (FIELD_ORDER + 1n) / 4n)
    if (root ** 2n % FIELD_ORDER === right) return toHex((1n << 383n) | x, { size: 48 })
  }
}

describe('the precompile accepts', () => {
  test("go-ethereum's vector", async () => {
    expect(await evaluate(GETH, GETH.versionedHash)).toBe(SUCCESS)
  })

  test.each([0n, 1n, 5n, SCALAR_ORDER - 1n])('a polynomial that is zero everywhere, at %d', async (z) => {
    const claim = { z: word(z), y: word(0n), commitment: INFINITY, proof: INFINITY }
    expect(await evaluate(claim)).toBe(SUCCESS)
  })

  test.each([0n, 1n, 77n])('a polynomial that is one everywhere, at %d', async (z) => {
    const claim = { z: word(z), y: word(1n), commitment: GENERATOR, proof: INFINITY }
    expect(await evaluate(claim)).toBe(SUCCESS)
  })
})

describe('the precompile refuses', () => {
  const zero: Claim = { z: word(3n), y: word(0n), commitment: INFINITY, proof: INFINITY }

  test.each<[string, Claim, Hex?]>([
    ['another value', { ...GETH, y: word(BigInt(GETH.y) + 1n) }],
    ['another place', { ...GETH, z: word(BigInt(GETH.z) + 1n) }],
    ['another proof', { ...GETH, proof: INFINITY }],
    ['another commitment', { ...GETH, commitment: GENERATOR }],
    ['a commitment of another hash', GETH, `0x01${'00'.repeat(31)}`],
    ['a hash of another version', GETH, `0x02${GETH.versionedHash.slice(4)}`],
    ["a place of the scalars' order or more", { ...zero, z: word(SCALAR_ORDER) }],
    ["a value of the scalars' order or more", { ...zero, y: word(SCALAR_ORDER) }],
    ['a commitment outside the subgroup', { ...zero, commitment: pointOfCurve(3n) }],
    ['a proof outside the subgroup', { ...zero, proof: pointOfCurve(3n) }],
    ['a point beyond the field', { ...zero, proof: toHex((1n << 383n) | FIELD_ORDER, { size: 48 }) }],
    ['a point that is not compressed', { ...zero, proof: `0x${'00'.repeat(48)}` }],
    ['infinity with something in it', { ...zero, proof: `0xc0${'00'.repeat(46)}01` }],
    ['infinity with a sign', { ...zero, proof: `0xe0${'00'.repeat(47)}` }],
  ])('%s', async (_, claim, versionedHash) => {
    await expect(evaluate(claim, versionedHash)).rejects.toMatchObject({ kind: 'executionFailed' })
  })

  test.each([0, 1, 191, 193])('input of %d bytes', async (length) => {
    const whole = concat([GETH.versionedHash, GETH.z, GETH.y, GETH.commitment, GETH.proof, '0x00'])
    const data = whole.slice(0, 2 + 2 * length) as Hex
    await expect(
      chain.request({ method: 'eth_call', params: [{ to: POINT_EVALUATION, data }] }),
    ).rejects.toMatchObject({ kind: 'executionFailed' })
  })
})

test('a point outside the subgroup is refused for that, not for being no point', async () => {
  const { verifyProof } = await openBls12381()
  expect(() => verifyProof(pointOfCurve(3n), word(1n), word(0n), INFINITY)).toThrow(
    expect.objectContaining({ error: 'invalid point: subgroup check failed' }),
  )
})

test('the precompile costs 50,000 gas', async () => {
  const data = concat([GETH.versionedHash, GETH.z, GETH.y, GETH.commitment, GETH.proof])
  const call = (gas: bigint) =>
    chain.request({ method: 'eth_call', params: [{ to: POINT_EVALUATION, data, gas: toHex(gas) }] })
  const bytes = (data.match(/../g) as string[]).slice(1)
  const zeros = bytes.filter((byte) => byte === '00').length
  const least = 21_000n + BigInt(zeros * 4 + (bytes.length - zeros) * 16) + 50_000n
  expect(await call(least)).toBe(SUCCESS)
  await expect(call(least - 1n)).rejects.toMatchObject({ message: 'out of gas' })
})

test('it accepts and refuses what @noble/curves does', { tags: 'gate' }, async () => {
  const { verifyProof } = await openBls12381()
  const { BASE } = bls12_381.G1.Point
  const compressed = (n: bigint): Hex => `0x${n === 0n ? INFINITY.slice(2) : BASE.multiply(n).toHex(true)}`
  const numbers = sampled([0n, 1n, 5n, SCALAR_ORDER - 1n])
  for (const [commitment, proof] of [
    [0n, 0n],
    [5n, 0n],
    [0n, 5n],
    [5n, 7n],
    [SCALAR_ORDER - 1n, 1n],
  ] as const) {
    for (const z of numbers) {
      for (const y of numbers) {
        const claim = [compressed(commitment), word(z), word(y), compressed(proof)] as const
        expect(verifyProof(...claim), `${commitment} ${z} ${y} ${proof}`).toBe(nobleKzg.verifyProof(...claim))
      }
    }
  }
  const { z, y, commitment, proof } = GETH
  expect(nobleKzg.verifyProof(commitment, z, y, proof)).toBe(true)
  expect(verifyProof(commitment, z, y, proof)).toBe(true)
})
