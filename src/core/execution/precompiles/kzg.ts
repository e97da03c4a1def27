// The point evaluation precompile (EIP-4844). The verification of a KZG proof is one pairing check, which needs a single
// point of the trusted setup instead of all its megabytes. Errors and the order of checks are those of geth
// (core/vm/contracts.go, crypto/kzg4844).

import { EVMError } from '@ethereumjs/evm'
import { failed, outOfGas, type Precompile, precompileError } from '../../interpreter/evm-interface.ts'
import { sha256 } from '../../primitives/crypto.ts'
import { bytesToBigInt, bytesToHex, equalBytes, hexToBytes, toWord } from '../../primitives/hex.ts'
import * as curves from './mcl.ts'

/** True when the polynomial of `commitment` has the value `y` at `z`. Throws in geth's words for what is no point or scalar. */
export type VerifyProof = (commitment: string, z: string, y: string, proof: string) => boolean

/** The generator of the second group, compressed. */
const G2_GENERATOR =
  '0x93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e' +
  '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8'
/** [τ]₂ of the KZG ceremony: g2_monomial[1] in the mainnet trusted setup. */
const TAU_G2 =
  '0xb5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'
/** The generator of the first. */
const G1_GENERATOR =
  '0x97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'

/** Flags of a compressed point in its first byte, and the only encoding of the point at infinity; mcl takes others. */
const COMPRESSED = 0x80
const INFINITE = 0x40
const SIGN = 0x20
const FLAGS = COMPRESSED | INFINITE | SIGN
const INFINITY = `0xc0${'00'.repeat(47)}`

const SCALAR_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

function readScalar(curve: curves.MclCurve, to: number, hex: string): void {
  const bytes = hexToBytes(hex)
  if (bytesToBigInt(bytes) >= SCALAR_ORDER)
    throw precompileError('scalar is not canonical when interpreted as a big integer in big-endian')
  curves.setScalar(curve, to, bytes)
}

/** The flags and the coordinate of a compressed point, as gnark-crypto checks them. */
function expectCompressed({ fieldOrder }: curves.MclCurve, hex: string, bytes: Uint8Array): void {
  const first = bytes[0] as number
  const flags = first & FLAGS
  if (flags === 0 || flags === INFINITE) throw precompileError('short buffer')
  if (flags === (COMPRESSED | INFINITE)) {
    if (hex !== INFINITY) throw precompileError('invalid infinity point encoding')
  } else if (flags !== COMPRESSED && flags !== (COMPRESSED | SIGN)) {
    throw precompileError('invalid point encoding')
  } else if (bytesToBigInt(Uint8Array.of(first & ~FLAGS, ...bytes.subarray(1))) >= fieldOrder) {
    throw precompileError('invalid fp.Element encoding')
  }
}

function readG1(curve: curves.MclCurve, to: number, hex: string): void {
  const { mcl } = curve
  const bytes = hexToBytes(hex)
  expectCompressed(curve, hex, bytes)
  const isPoint = mcl._mclBnG1_deserialize(to, curves.place(curve, bytes), bytes.length) === bytes.length
  if (!isPoint || mcl._mclBnG1_isValid(to) === 0)
    throw precompileError("invalid compressed coordinate: square root doesn't exist")
  if (mcl._mclBnG1_isValidOrder(to) === 0) throw precompileError('invalid point: subgroup check failed')
}

function readG2(curve: curves.MclCurve, to: number, hex: string): void {
  const bytes = hexToBytes(hex)
  curve.mcl._mclBnG2_deserialize(to, curves.place(curve, bytes), bytes.length)
}

/** Precomputes the lines of a point for pairings with it. */
function prepare(curve: curves.MclCurve, hex: string): number {
  const { mcl } = curve
  const point = mcl._malloc(curves.G2_POINT)
  readG2(curve, point, hex)
  const prepared = mcl._malloc(8 * mcl._mclBn_getUint64NumToPrecompute())
  mcl._mclBn_precomputeG2(prepared, point)
  return prepared
}

/** Checks e(y·G₁ − C − z·proof, G₂) × e(proof, τ·G₂) = 1, whose points of the second group are constants. */
export function createProofVerifier(curve: curves.MclCurve): VerifyProof {
  const { mcl } = curve
  const [scalar, room] = [mcl._malloc(curves.SCALAR), mcl._malloc(curves.PAIRING_VALUE)]
  const [generator, claim] = [mcl._malloc(curves.G1_POINT), mcl._malloc(curves.G1_POINT)]
  const [quotient, term] = [mcl._malloc(curves.G1_POINT), mcl._malloc(curves.G1_POINT)]
  const [generator2, tau] = [prepare(curve, G2_GENERATOR), prepare(curve, TAU_G2)]
  readG1(curve, generator, G1_GENERATOR)
  return (commitment, z, y, proof) => {
    // Both scalars are checked before the points.
    readScalar(curve, scalar, z)
    readScalar(curve, scalar, y)
    readG1(curve, term, commitment)
    mcl._mclBnG1_mul(claim, generator, scalar)
    mcl._mclBnG1_sub(claim, claim, term)
    readG1(curve, quotient, proof)
    readScalar(curve, scalar, z)
    mcl._mclBnG1_mul(term, quotient, scalar)
    mcl._mclBnG1_sub(claim, claim, term)
    const [isClaimZero, isQuotientZero] = [claim, quotient].map((point) => mcl._mclBnG1_isZero(point) === 1)
    // Only the pairing with an infinite point is 1.
    if (isClaimZero || isQuotientZero) return isClaimZero === isQuotientZero
    mcl._mclBnG1_normalize(claim, claim)
    mcl._mclBn_precomputedMillerLoop2(room, claim, generator2, quotient, tau)
    return curves.isFinallyOne(curve, room)
  }
}

const INPUT_BYTES = 192
const GAS = 50_000n
/** The first byte of a versioned hash. */
const VERSION = 1
const FIELD_ELEMENTS_PER_BLOB = 4096n
const VERIFIED = hexToBytes(`${toWord(FIELD_ELEMENTS_PER_BLOB)}${toWord(SCALAR_ORDER).slice(2)}`)

/** Why a proof does not hold; `undefined` if it does. */
function problemOf(verifyProof: VerifyProof, ...claim: Parameters<VerifyProof>): string | undefined {
  try {
    return verifyProof(...claim) ? undefined : "can't verify opening proof"
  } catch (thrown) {
    if (!(thrown instanceof EVMError)) throw thrown
    return thrown.error
  }
}

/** Versioned hash, z, y, commitment and proof, in a row. */
export function pointEvaluation(verifyProof: VerifyProof): Precompile {
  return ({ data, gasLimit }) => {
    if (gasLimit < GAS) return outOfGas(gasLimit)
    if (data.length !== INPUT_BYTES) return failed(gasLimit, 'invalid input length')
    const part = (from: number, to: number) => bytesToHex(data.subarray(from, to))
    const versioned = sha256(data.subarray(96, 144))
    versioned[0] = VERSION
    if (!equalBytes(versioned, data.subarray(0, 32))) return failed(gasLimit, 'mismatched versioned hash')
    const problem = problemOf(verifyProof, part(96, 144), part(32, 64), part(64, 96), part(144, 192))
    if (problem !== undefined) return failed(gasLimit, `error verifying kzg proof: ${problem}`)
    return { executionGasUsed: GAS, returnValue: VERIFIED.slice() }
  }
}
