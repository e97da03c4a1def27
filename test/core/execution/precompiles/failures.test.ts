// What callers are told of a precompile that fails: geth's words (core/vm/contracts.go, crypto/bn256/gnark,
// crypto/kzg4844 over go-eth-kzg and gnark-crypto), which are never those of a revert.

import { createEmulator, type Emulator } from 'tickchain'
import { concat, type Hex, pad, sha256, slice, toHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'

const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
const word = (value: bigint | number): Hex => pad(toHex(value), { size: 32 })
/** A coordinate of BLS12-381. */
const element = (value: bigint | number): Hex => pad(toHex(value), { size: 64 })

const BN254_FIELD = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
const BLS_FIELD =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn
const INFINITE: Hex = `0xc0${'00'.repeat(47)}`

const NO_ELEMENT = 'invalid fp.Element encoding'
const NO_LENGTH = 'invalid input length'
const TOO_LONG = 'one or more of base/exponent/modulus length exceeded 1024 bytes'
const TOP_BYTES = 'invalid field element top bytes'
const OFF_CURVE = 'invalid point: not on curve'
const NO_SCALAR = 'scalar is not canonical when interpreted as a big integer in big-endian'

/** The input of the point evaluation, with the versioned hash of its commitment. */
function claim(z: Hex, y: Hex, commitment: Hex, proof: Hex): Hex {
  return concat(['0x01', slice(sha256(commitment), 1), z, y, commitment, proof])
}

const FAILURES: readonly (readonly [number: number, input: Hex, words: string])[] = [
  [0x05, concat([word(1025), word(1), word(1)]), TOO_LONG],
  [0x06, concat([word(1), word(1)]), 'point is not on curve'],
  [0x06, concat([word(BN254_FIELD), word(0)]), NO_ELEMENT],
  [0x07, concat([word(1), word(1), word(2)]), 'point is not on curve'],
  [0x08, zeros(191), 'bad elliptic curve pairing size'],
  [0x08, concat([zeros(64), word(1), word(1), word(1), word(1)]), 'point is not on curve'],
  [0x08, concat([zeros(64), word(BN254_FIELD), zeros(96)]), NO_ELEMENT],
  [0x09, '0x', NO_LENGTH],
  [0x09, concat([zeros(212), '0x02']), 'invalid final flag'],
  [0x0a, zeros(191), NO_LENGTH],
  [0x0a, zeros(192), 'mismatched versioned hash'],
  [
    0x0a,
    claim(word(0), word(1), INFINITE, INFINITE),
    "error verifying kzg proof: can't verify opening proof",
  ],
  [0x0a, claim(word(2n ** 255n), word(0), INFINITE, INFINITE), `error verifying kzg proof: ${NO_SCALAR}`],
  [0x0a, claim(word(0), word(0), zeros(48), INFINITE), 'error verifying kzg proof: short buffer'],
  [
    0x0a,
    claim(word(0), word(0), INFINITE, `0xe0${'00'.repeat(47)}`),
    'error verifying kzg proof: invalid point encoding',
  ],
  [0x0b, '0x', NO_LENGTH],
  [0x0b, concat(['0x01', zeros(255)]), TOP_BYTES],
  [0x0b, concat([element(BLS_FIELD), zeros(192)]), NO_ELEMENT],
  [0x0b, concat([element(1), element(1), zeros(128)]), OFF_CURVE],
  [0x0c, '0x', NO_LENGTH],
  [0x0d, concat([element(1), zeros(448)]), OFF_CURVE],
  [0x0e, zeros(1), NO_LENGTH],
  [0x0f, '0x', NO_LENGTH],
  [0x10, element(BLS_FIELD), NO_ELEMENT],
  [0x11, concat(['0x01', zeros(127)]), TOP_BYTES],
]

describe.each(['wasm', 'reference'] as const)('interpreter %s', (interpreter) => {
  let chain: Emulator
  beforeAll(async () => {
    chain = await createEmulator({ hardfork: 'osaka', interpreter })
  })

  test.each(FAILURES)('precompile %d fails with %s', async (number, data, words) => {
    const to = pad(toHex(number), { size: 20 })
    const request = { to, data, gas: toHex(1_000_000) }
    const failure = { code: -32_000, message: words }
    await expect(chain.request('eth_call', [request])).rejects.toMatchObject(failure)
    const tracer = { tracer: 'callTracer' }
    expect(await chain.request('debug_traceCall', [request, 'latest', tracer])).toMatchObject({
      error: words,
    })
  })

  test('everyone is told so, and all gas is gone', async () => {
    const request = { to: pad('0x06', { size: 20 }), data: concat([word(1), word(1)]) }
    await expect(chain.request('eth_estimateGas', [request])).rejects.toMatchObject({
      code: -32_000,
      message: expect.stringContaining('point is not on curve'),
    })
    const gas = toHex(100_000)
    const [block] = await chain.request('eth_simulateV1', [
      { blockStateCalls: [{ calls: [{ ...request, gas }] }] },
    ])
    expect(block?.calls[0]).toMatchObject({
      status: '0x0',
      gasUsed: gas,
      error: { message: 'point is not on curve' },
    })
    expect(block?.calls[0]?.error?.code).not.toBe(3)
  })
})
