// Verification of signatures on secp256r1 (EIP-7951, P256VERIFY), on mcl.

import type { ExecResult } from '@ethereumjs/evm'
import type { Precompile } from '../../interpreter/evm-interface.ts'
import { bytesToBigInt, EMPTY_BYTES, hexToBytes } from '../../primitives/hex.ts'
import { outOfGas } from './failures.ts'
import {
  FIELD,
  G1_POINT,
  type MclCurve,
  NIST_P256,
  openCurve,
  SCALAR,
  setField,
  setLastCoordinate,
  setScalar,
  writeField,
} from './mcl.ts'

const FIELD_ORDER = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** EIP-7951. */
export const P256_GAS = 6900n
/** RIP-7212. */
export const P256_GAS_ON_ROLLUPS = 3450n
const WIDTH = 32
const INPUT_BYTES = 5 * WIDTH
const VALID = hexToBytes(`0x${'1'.padStart(64, '0')}`)

function isScalar(value: bigint): boolean {
  return value > 0n && value < ORDER
}

/** True if a signature (r, s) of a digest is by a public key (x, y); all five numbers in a row. */
function createVerifier(curve: MclCurve): (input: Uint8Array) => boolean {
  const { mcl } = curve
  /** The generator and the public key, and the scalar of each. */
  const points = mcl._malloc(2 * G1_POINT)
  const scalars = mcl._malloc(2 * SCALAR)
  const [sum, inverse] = [mcl._malloc(G1_POINT), mcl._malloc(SCALAR)]
  const generator = mcl._malloc(G1_POINT)
  mcl._mclBnG1_getBasePoint(generator)
  const zero = mcl._malloc(G1_POINT)
  mcl._mclBnG1_clear(zero)
  return (input) => {
    const part = (index: number): Uint8Array => input.subarray(index * WIDTH, (index + 1) * WIDTH)
    const r = bytesToBigInt(part(1))
    if (!isScalar(r) || !isScalar(bytesToBigInt(part(2)))) return false
    const key = points + G1_POINT
    if (!setField(curve, key, part(3)) || !setField(curve, key + FIELD, part(4))) return false
    setLastCoordinate(curve, key, 1)
    if (mcl._mclBnG1_isValid(key) === 0) return false
    mcl._mclBnG1_add(points, generator, zero)
    setScalar(curve, inverse, part(2))
    mcl._mclBnFr_inv(inverse, inverse)
    for (const [index, factor] of [part(0), part(1)].entries()) {
      const scalar = scalars + index * SCALAR
      setScalar(curve, scalar, factor)
      mcl._mclBnFr_mul(scalar, scalar, inverse)
    }
    mcl._mclBnG1_mulVec(sum, points, scalars, 2)
    if (mcl._mclBnG1_isZero(sum) === 1) return false
    mcl._mclBnG1_normalize(sum, sum)
    const x = new Uint8Array(WIDTH)
    writeField(curve, sum, x, WIDTH)
    return bytesToBigInt(x) % ORDER === r
  }
}

/** The precompile at a price in gas. */
type P256 = (gas: bigint) => Precompile

export async function openP256(): Promise<P256> {
  const isSigned = createVerifier(await openCurve(NIST_P256, WIDTH, FIELD_ORDER))
  return (gas) =>
    ({ data, gasLimit }): ExecResult => {
      if (gasLimit < gas) return outOfGas(gasLimit)
      const isValid = data.length === INPUT_BYTES && isSigned(data)
      return { executionGasUsed: gas, returnValue: isValid ? VALID : EMPTY_BYTES }
    }
}
