// Addition, multiplication and pairing check of bn254 (EIP-196, EIP-197), on mcl. Errors and the order of checks are
// those of geth (crypto/bn256/gnark).

import type { EVMBN254Interface } from '@ethereumjs/evm'
import { precompileError } from './failures.ts'
import {
  BN_SNARK1,
  type Curve,
  FIELD,
  G1_POINT,
  G2_POINT,
  isProductOne,
  openCurve,
  PAIRING_VALUE,
  SCALAR,
  setField,
  setLastCoordinate,
  setScalar,
  withRoom,
  writeField,
} from './mcl.ts'

const FIELD_ORDER = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
const WIDTH = 32
const PAIR_BYTES = 6 * WIDTH

function isAllZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

function readCoordinate(curve: Curve, to: number, input: Uint8Array, index: number): void {
  if (!setField(curve, to, input.subarray(index * WIDTH, (index + 1) * WIDTH)))
    throw precompileError('invalid fp.Element encoding')
}

function readG1(curve: Curve, to: number, input: Uint8Array): void {
  const { mcl } = curve
  if (isAllZero(input)) {
    mcl._mclBnG1_clear(to)
    return
  }
  for (const index of [0, 1]) readCoordinate(curve, to + index * FIELD, input, index)
  setLastCoordinate(curve, to, 1)
  if (mcl._mclBnG1_isValid(to) === 0) throw precompileError('point is not on curve')
}

/** Imaginary parts come first (EIP-197). */
function readG2(curve: Curve, to: number, input: Uint8Array): void {
  const { mcl } = curve
  if (isAllZero(input)) {
    mcl._mclBnG2_clear(to)
    return
  }
  for (const [index, coordinate] of [1, 0, 3, 2].entries())
    readCoordinate(curve, to + coordinate * FIELD, input, index)
  setLastCoordinate(curve, to, 2)
  if (mcl._mclBnG2_isValid(to) === 0) throw precompileError('point is not on curve')
  if (mcl._mclBnG2_isValidOrder(to) === 0) throw precompileError('point is not in correct subgroup')
}

function writeG1(curve: Curve, point: number): Uint8Array {
  const { mcl } = curve
  const output = new Uint8Array(2 * WIDTH)
  if (mcl._mclBnG1_isZero(point) === 1) return output
  mcl._mclBnG1_normalize(point, point)
  writeField(curve, point, output, WIDTH)
  writeField(curve, point + FIELD, output, 2 * WIDTH)
  return output
}

function checkPairing(curve: Curve, input: Uint8Array): Uint8Array {
  const { mcl } = curve
  const most = input.length / PAIR_BYTES
  return withRoom(curve, PAIRING_VALUE + most * (G1_POINT + G2_POINT), (room) => {
    const g1 = room + PAIRING_VALUE
    const g2 = g1 + most * G1_POINT
    let count = 0
    for (let at = 0; at < input.length; at += PAIR_BYTES) {
      const [left, right] = [g1 + count * G1_POINT, g2 + count * G2_POINT]
      readG1(curve, left, input.subarray(at, at + 2 * WIDTH))
      readG2(curve, right, input.subarray(at + 2 * WIDTH, at + PAIR_BYTES))
      // A pair with an infinite point has no effect on the product.
      if (mcl._mclBnG1_isZero(left) === 0 && mcl._mclBnG2_isZero(right) === 0) count++
    }
    const output = new Uint8Array(32)
    if (count === 0 || isProductOne(curve, g1, g2, count, room)) output[31] = 1
    return output
  })
}

export async function openBn254(): Promise<EVMBN254Interface> {
  const curve = await openCurve(BN_SNARK1, WIDTH, FIELD_ORDER)
  const { mcl } = curve
  const [a, b, scalar] = [mcl._malloc(G1_POINT), mcl._malloc(G1_POINT), mcl._malloc(SCALAR)]
  return {
    add(input) {
      readG1(curve, a, input.subarray(0, 2 * WIDTH))
      readG1(curve, b, input.subarray(2 * WIDTH, 4 * WIDTH))
      mcl._mclBnG1_add(a, a, b)
      return writeG1(curve, a)
    },
    mul(input) {
      readG1(curve, a, input.subarray(0, 2 * WIDTH))
      setScalar(curve, scalar, input.subarray(2 * WIDTH, 3 * WIDTH))
      mcl._mclBnG1_mul(a, a, scalar)
      return writeG1(curve, a)
    },
    pairing: (input) => checkPairing(curve, input),
  }
}
