// @ts-check
// Calls of precompiles with inputs that take long for their gas.

import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { assemble, toWord } from './assemble.js'

/** Copies the calldata into memory, then calls with it again and again. @param {number} address */
const callWithData = (address) =>
  assemble(`CALLDATASIZE 0 0 CALLDATACOPY LOOP 0 0 CALLDATASIZE 0 ${address} GAS STATICCALL POP`)

/**
 * @param {string} name @param {number} address @param {string} data @param {string} [hardfork]
 * @returns {import('./programs.js').Program}
 */
function precompile(name, address, data, hardfork = 'prague') {
  return { name, hardfork, code: callWithData(address), data }
}

const ones = (/** @type {number} */ bytes) => 'ff'.repeat(bytes)
/** Full scalars, whose multiplication takes longest. */
const BN_SCALAR = bn254.fields.Fr.ORDER - 12345678901234567890123456789n
const BLS_SCALAR = bls12_381.fields.Fr.ORDER - 12345678901234567890123456789n

function bnG1(/** @type {bigint} */ n) {
  const { x, y } = bn254.G1.Point.BASE.multiply(n).toAffine()
  return toWord(x) + toWord(y)
}

function bnPair(/** @type {bigint} */ n) {
  const { x, y } = bn254.G2.Point.BASE.multiply(n).toAffine()
  return bnG1(n) + [x.c1, x.c0, y.c1, y.c0].map((part) => toWord(part)).join('')
}

function blsG1(/** @type {bigint} */ n) {
  const { x, y } = bls12_381.G1.Point.BASE.multiply(n).toAffine()
  return toWord(x, 64) + toWord(y, 64)
}

function blsG2(/** @type {bigint} */ n) {
  const { x, y } = bls12_381.G2.Point.BASE.multiply(n).toAffine()
  return [x.c0, x.c1, y.c0, y.c1].map((part) => toWord(part, 64)).join('')
}

/** @param {number} count @param {(n: bigint) => string} make */
const many = (count, make) => Array.from({ length: count }, (_, index) => make(BigInt(index) + 7n)).join('')

/** @param {string} base @param {string} exponent @param {string} modulus */
function modexp(base, exponent, modulus) {
  const lengths = [base, exponent, modulus].map((part) => toWord(part.length / 2)).join('')
  return lengths + base + exponent + modulus
}

const odd = (/** @type {number} */ bytes) => `${ones(bytes - 1)}f1`
const even = (/** @type {number} */ bytes) => `${ones(bytes - 1)}f0`

/** Shapes at both sides of the steps of the price: sizes of 8, 32, 64 and 1,024 bytes, and short and long exponents. */
const MODEXP = /** @type {const} */ ([
  ['1 byte to the power of 1 byte', modexp('03', '03', '07')],
  ['1 byte to the power of 32', modexp('03', ones(32), odd(8))],
  ['1 byte to the power of 1,024', modexp('03', ones(1024), odd(8))],
  ['1 byte to the power of 1,024, modulo 32', modexp('03', ones(1024), odd(32))],
  ['8 bytes', modexp(ones(8), ones(32), odd(8))],
  ['24 bytes', modexp(ones(24), ones(32), odd(24))],
  ['32 bytes', modexp(ones(32), ones(32), odd(32))],
  ['32 bytes, even', modexp(ones(32), ones(32), even(32))],
  ['40 bytes', modexp(ones(40), ones(32), odd(40))],
  ['64 bytes', modexp(ones(64), ones(64), odd(64))],
  ['64 bytes, even', modexp(ones(64), ones(64), even(64))],
  ['128 bytes', modexp(ones(128), ones(128), odd(128))],
  ['256 bytes to the power of 3', modexp(ones(256), '03', odd(256))],
  ['256 bytes to the power of 65,537', modexp(ones(256), '010001', odd(256))],
  ['256 bytes', modexp(ones(256), ones(256), odd(256))],
  ['512 bytes', modexp(ones(512), ones(512), odd(512))],
  ['1,024 bytes to the power of 3', modexp(ones(1024), '03', odd(1024))],
  ['1,024 bytes', modexp(ones(1024), ones(32), odd(1024))],
  ['1,024 bytes, even', modexp(ones(1024), ones(32), even(1024))],
  ['1,024 bytes, modulo 1', modexp(ones(1024), ones(32), 'fd')],
  ['1,024 bytes without an exponent', modexp(ones(1024), '', odd(1024))],
])

const KEY = new Uint8Array(32).fill(9)
const DIGEST = new Uint8Array(32).fill(7)

function ecrecoverInput() {
  const signature = secp256k1.sign(DIGEST, KEY, { prehash: false, format: 'recovered' })
  return bytesToHex(DIGEST) + toWord(27 + Number(signature[0])) + bytesToHex(signature.subarray(1))
}

function p256Input() {
  const signature = p256.sign(DIGEST, KEY, { prehash: false })
  return bytesToHex(DIGEST) + bytesToHex(signature) + bytesToHex(p256.getPublicKey(KEY, false).subarray(1))
}

/** The vector of go-ethereum: an invalid proof would consume all gas at once. */
const KZG_INPUT =
  '01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b' +
  '564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306' +
  '24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1' +
  '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7' +
  '873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a'

/** @returns {import('./programs.js').Program[]} */
export function precompiles() {
  const { ORDER } = bls12_381.fields.Fp
  return [
    precompile('ecrecover', 1, ecrecoverInput()),
    precompile('sha256, nothing', 2, ''),
    precompile('sha256, 16 kB', 2, ones(16384)),
    precompile('ripemd160, nothing', 3, ''),
    precompile('ripemd160, 16 kB', 3, ones(16384)),
    precompile('identity, nothing', 4, ''),
    precompile('identity, 64 kB', 4, ones(65536)),
    ...['byzantium', 'berlin', 'osaka'].flatMap((fork) =>
      MODEXP.map(([shape, data]) => precompile(`modexp, ${fork}, ${shape}`, 5, data, fork)),
    ),
    precompile('bn254 add', 6, bnG1(7n) + bnG1(BN_SCALAR)),
    precompile('bn254 mul', 7, bnG1(7n) + toWord(BN_SCALAR)),
    precompile('bn254 pairing, 1', 8, bnPair(7n)),
    precompile('bn254 pairing, 20', 8, many(20, bnPair)),
    precompile('blake2f, 1 round', 9, `00000001${ones(208)}01`),
    precompile('blake2f, 100,000 rounds', 9, `${toWord(100_000, 4)}${ones(208)}01`),
    precompile('KZG point evaluation', 10, KZG_INPUT),
    precompile('BLS G1 add', 11, blsG1(7n) + blsG1(BLS_SCALAR)),
    precompile('BLS G1 MSM, 1', 12, blsG1(7n) + toWord(BLS_SCALAR)),
    precompile(
      'BLS G1 MSM, 128',
      12,
      many(128, (n) => blsG1(n) + toWord(BLS_SCALAR - n)),
    ),
    precompile('BLS G2 add', 13, blsG2(7n) + blsG2(BLS_SCALAR)),
    precompile('BLS G2 MSM, 1', 14, blsG2(7n) + toWord(BLS_SCALAR)),
    precompile(
      'BLS G2 MSM, 128',
      14,
      many(128, (n) => blsG2(n) + toWord(BLS_SCALAR - n)),
    ),
    precompile('BLS pairing, 1', 15, blsG1(7n) + blsG2(9n)),
    precompile(
      'BLS pairing, 20',
      15,
      many(20, (n) => blsG1(n) + blsG2(n)),
    ),
    precompile('BLS map to G1', 16, toWord(ORDER - 3n, 64)),
    precompile('BLS map to G2', 17, toWord(ORDER - 3n, 64).repeat(2)),
    precompile('P256VERIFY', 0x100, p256Input(), 'osaka'),
  ]
}
