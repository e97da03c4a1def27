import fc from 'fast-check'
import { keccak256 as viemKeccak256, recoverPublicKey as viemRecover, sha256 as viemSha256 } from 'viem'
import { privateKeyToAccount, privateKeyToAddress, sign as viemSign } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addressOfPublicKey,
  keccak256,
  keccak256Hex,
  loadCrypto,
  recoverPublicKey,
  sha256,
} from '../../../src/core/primitives/crypto.ts'
import {
  bytesToBigInt,
  bytesToHex,
  concatBytes,
  hexToBytes,
  utf8ToBytes,
} from '../../../src/core/primitives/hex.ts'
import { publicKeyOf, signDigest } from '../../../src/core/primitives/signer.ts'

const runs = { seed: 20261121, numRuns: 60 }
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const word = (value: bigint) => hexToBytes(`0x${value.toString(16).padStart(64, '0')}`)
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 })
const privateKey = fc.bigInt({ min: 1n, max: CURVE_ORDER - 1n }).map(word)

beforeAll(loadCrypto)

describe('hashes', () => {
  // Keccak's own test vectors (https://keccak.team/archives.html), and FIPS 180-4's for SHA-256.
  test.each([
    ['', '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ])('keccak-256 of %j is %s', (text, hash) => {
    expect(keccak256Hex(utf8ToBytes(text))).toBe(hash)
  })

  test.each([
    ['', '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', '0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('SHA-256 of %j is %s', (text, hash) => {
    expect(bytesToHex(sha256(utf8ToBytes(text)))).toBe(hash)
  })

  test('are what viem computes, at every length around a block of the sponge', () => {
    // 1,088 bytes are the module's input buffer.
    const around = Array.from({ length: 180 }, (_, i) => 1000 + i)
    for (const length of [...Array(301).keys(), ...around]) {
      const message = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 0xff)
      expect(keccak256Hex(message)).toBe(viemKeccak256(message))
      expect(bytesToHex(sha256(message))).toBe(viemSha256(message))
    }
  })

  test('of long messages are what viem computes', () => {
    const message = new Uint8Array(200_003).fill(0xa5)
    expect(keccak256Hex(message)).toBe(viemKeccak256(message))
    expect(bytesToHex(sha256(message))).toBe(viemSha256(message))
  })

  test('are those of the message alone where it is a part of a buffer', () => {
    const buffer = Uint8Array.from({ length: 300 }, (_, i) => i & 0xff)
    const message = buffer.subarray(3, 203)
    expect(keccak256Hex(message)).toBe(viemKeccak256(message.slice()))
    expect(bytesToHex(sha256(message))).toBe(viemSha256(message.slice()))
  })

  test('stay as they are when the next one is computed', () => {
    const first = keccak256(Uint8Array.of(1))
    const before = bytesToHex(first)
    keccak256(Uint8Array.of(2))
    expect(bytesToHex(first)).toBe(before)
  })
})

describe('signatures', () => {
  // RFC 6979 for secp256k1 with SHA-256: the vectors that Bitcoin's libraries share.
  test.each([
    [
      'Satoshi Nakamoto',
      '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8',
      '2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
    ],
    [
      'All those moments will be lost in time, like tears in rain. Time to die...',
      '8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b',
      '547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
    ],
  ])('of %j with the key 1 are those of RFC 6979', (text, r, s) => {
    const signature = signDigest(sha256(utf8ToBytes(text)), word(1n))
    expect(bytesToHex(signature.r)).toBe(`0x${r}`)
    expect(bytesToHex(signature.s)).toBe(`0x${s}`)
  })

  test('of other digests and keys are others, also between signatures that are made again', () => {
    const hex = (value: bigint, key: bigint): string => bytesToHex(signDigest(word(value), word(key)).r)
    const made = [hex(1n, 1n), hex(2n, 1n), hex(1n, 2n)]
    expect(new Set(made).size).toBe(3)
    // More than are kept.
    for (let value = 3n; value < 1100n; value++) hex(value, 1n)
    expect([hex(1n, 1n), hex(2n, 1n), hex(1n, 2n)]).toEqual(made)
  })

  test('of the example in EIP-155 are the ones it prints', () => {
    const signature = signDigest(
      hexToBytes('0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53'),
      hexToBytes(`0x${'46'.repeat(32)}`),
    )
    expect(bytesToHex(signature.r)).toBe('0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276')
    expect(bytesToHex(signature.s)).toBe('0x67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83')
    expect(signature.yParity).toBe(0) // v = 37 = 1 · 2 + 35 + 0
  })

  test('are the ones viem makes, and lead back to the key that made them', async () => {
    await fc.assert(
      fc.asyncProperty(digest, privateKey, async (hash, key) => {
        const ours = signDigest(hash, key)
        const theirs = await viemSign({ hash: bytesToHex(hash), privateKey: bytesToHex(key) })
        expect({ r: bytesToHex(ours.r), s: bytesToHex(ours.s), yParity: ours.yParity }).toEqual({
          r: theirs.r,
          s: theirs.s,
          yParity: theirs.yParity,
        })
        expect(bytesToBigInt(ours.s)).toBeLessThanOrEqual(CURVE_ORDER / 2n)
        expect(recoverPublicKey(hash, bytesToBigInt(ours.r), bytesToBigInt(ours.s), ours.yParity)).toEqual(
          publicKeyOf(key),
        )
      }),
      runs,
    )
  })

  test('with a high s still recover, as the precompile at address 1 wants it', { tags: 'gate' }, async () => {
    await fc.assert(
      fc.asyncProperty(digest, privateKey, async (hash, key) => {
        const { r, s, yParity } = signDigest(hash, key)
        const high = CURVE_ORDER - bytesToBigInt(s)
        const recovered = recoverPublicKey(hash, bytesToBigInt(r), high, 1 - yParity)
        expect(recovered).toEqual(publicKeyOf(key))
        const signature = bytesToHex(concatBytes(r, word(high), Uint8Array.of(28 - yParity)))
        expect(bytesToHex(concatBytes(Uint8Array.of(4), recovered ?? Uint8Array.of()))).toBe(
          await viemRecover({ hash: bytesToHex(hash), signature }),
        )
      }),
      runs,
    )
  })

  test.each([
    ['r is zero', 0n, 1n],
    ['s is zero', 1n, 0n],
    ['r is the curve order', CURVE_ORDER, 1n],
    ['s is the curve order', 1n, CURVE_ORDER],
    ['r is all ones', 2n ** 256n - 1n, 1n],
    ['r is no x of the curve', 5n, 1n], // 5³ + 7 = 132 has no square root modulo p
  ])('recover nothing where %s', (_, r, s) => {
    expect(recoverPublicKey(word(1n), r, s, 0)).toBeUndefined()
    expect(recoverPublicKey(word(1n), r, s, 1)).toBeUndefined()
  })

  test.each([
    ['zero', 0n],
    ['the curve order', CURVE_ORDER],
    ['beyond it', 2n ** 256n - 1n],
  ])('cannot be made with a key that is %s', (_, key) => {
    expect(() => signDigest(word(1n), word(key))).toThrow(TypeError)
    expect(publicKeyOf(word(key))).toBeUndefined()
  })
})

describe('addresses', () => {
  const address = (key: bigint) => addressOfPublicKey(publicKeyOf(word(key)) ?? Uint8Array.of())

  test('the key 1 is the generator of the curve (SEC 2, 2.4.1)', () => {
    expect(bytesToHex(publicKeyOf(word(1n)) ?? Uint8Array.of())).toBe(
      '0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798' +
        '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
    )
  })

  test('the first key of the "test … junk" phrase has its well-known address', () => {
    const key = 0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80n
    expect(address(key)).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
  })

  test('are the ones viem derives', () => {
    fc.assert(
      fc.property(privateKey, (key) => {
        expect(address(bytesToBigInt(key))).toBe(privateKeyToAddress(bytesToHex(key)).toLowerCase())
      }),
      runs,
    )
  })

  test('of the last key and of the first are different points with one x', () => {
    const [first, last] = [publicKeyOf(word(1n)), publicKeyOf(word(CURVE_ORDER - 1n))]
    expect(last?.slice(0, 32)).toEqual(first?.slice(0, 32))
    expect(address(CURVE_ORDER - 1n)).toBe(
      privateKeyToAccount(bytesToHex(word(CURVE_ORDER - 1n))).address.toLowerCase(),
    )
  })
})
