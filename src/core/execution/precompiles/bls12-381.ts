// Operations on BLS12-381 (EIP-2537) and the verification of KZG proofs (EIP-4844), on mcl. Errors and the order of
// checks are those of geth (core/vm/contracts.go), but that all leading zeros are checked before.

import type { EVMBLSInterface } from '@ethereumjs/evm'
import { precompileError } from './failures.ts'
import { createProofVerifier, type VerifyProof } from './kzg.ts'
import {
  BLS12_381,
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

const FIELD_ORDER =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn
const WIDTH = 48
/** Bytes of a field element in inputs and outputs: 16 of them are zero. */
const PADDED = 64

/** A group with what differs between G1 and G2. */
interface Group {
  /** Coordinates of a field element: 1, or 2 with the real part first. */
  readonly parts: 1 | 2
  readonly pointBytes: number
  readonly pointSize: number
  readonly clear: (point: number) => void
  readonly isValid: (point: number) => number
  readonly isValidOrder: (point: number) => number
  readonly isZero: (point: number) => number
  readonly normalize: (to: number, point: number) => void
  readonly add: (to: number, a: number, b: number) => void
  readonly mulVec: (to: number, points: number, scalars: number, count: number) => void
}

function groupsOf({ mcl }: Curve): { readonly g1: Group; readonly g2: Group } {
  return {
    g1: {
      ...{ parts: 1, pointBytes: 2 * PADDED, pointSize: G1_POINT },
      ...{
        clear: mcl._mclBnG1_clear,
        isValid: mcl._mclBnG1_isValid,
        isValidOrder: mcl._mclBnG1_isValidOrder,
      },
      ...{ isZero: mcl._mclBnG1_isZero, normalize: mcl._mclBnG1_normalize },
      ...{ add: mcl._mclBnG1_add, mulVec: mcl._mclBnG1_mulVec },
    },
    g2: {
      ...{ parts: 2, pointBytes: 4 * PADDED, pointSize: G2_POINT },
      ...{
        clear: mcl._mclBnG2_clear,
        isValid: mcl._mclBnG2_isValid,
        isValidOrder: mcl._mclBnG2_isValidOrder,
      },
      ...{ isZero: mcl._mclBnG2_isZero, normalize: mcl._mclBnG2_normalize },
      ...{ add: mcl._mclBnG2_add, mulVec: mcl._mclBnG2_mulVec },
    },
  }
}

function readElement(curve: Curve, to: number, input: Uint8Array, index: number): void {
  if (!setField(curve, to, input.subarray(index * PADDED, (index + 1) * PADDED)))
    throw precompileError('invalid fp.Element encoding')
}

function expectOrder(group: Group, point: number): void {
  if (group.isValidOrder(point) === 1) return
  throw precompileError(`g${group.parts} point is not on correct subgroup`)
}

function readPoint(curve: Curve, group: Group, to: number, input: Uint8Array): void {
  if (input.every((byte) => byte === 0)) {
    group.clear(to)
    return
  }
  const { parts } = group
  for (let index = 0; index < 2 * parts; index++) readElement(curve, to + index * FIELD, input, index)
  setLastCoordinate(curve, to, parts)
  if (group.isValid(to) === 0) throw precompileError('invalid point: not on curve')
}

function writePoint(curve: Curve, group: Group, point: number): Uint8Array {
  const output = new Uint8Array(group.pointBytes)
  if (group.isZero(point) === 1) return output
  group.normalize(point, point)
  for (let index = 0; index < 2 * group.parts; index++) {
    writeField(curve, point + index * FIELD, output, (index + 1) * PADDED)
  }
  return output
}

function add(curve: Curve, group: Group, input: Uint8Array): Uint8Array {
  const { pointBytes, pointSize } = group
  return withRoom(curve, 2 * pointSize, (a) => {
    const b = a + pointSize
    readPoint(curve, group, a, input.subarray(0, pointBytes))
    readPoint(curve, group, b, input.subarray(pointBytes, 2 * pointBytes))
    group.add(a, a, b)
    return writePoint(curve, group, a)
  })
}

/** The sum of multiples of points. */
function combine(curve: Curve, group: Group, input: Uint8Array): Uint8Array {
  const { pointBytes, pointSize } = group
  const termBytes = pointBytes + SCALAR
  const count = input.length / termBytes
  return withRoom(curve, (count + 1) * pointSize + count * SCALAR, (sum) => {
    const points = sum + pointSize
    const scalars = points + count * pointSize
    for (let index = 0; index < count; index++) {
      const term = input.subarray(index * termBytes, (index + 1) * termBytes)
      const point = points + index * pointSize
      readPoint(curve, group, point, term.subarray(0, pointBytes))
      expectOrder(group, point)
      setScalar(curve, scalars + index * SCALAR, term.subarray(pointBytes))
    }
    group.mulVec(sum, points, scalars, count)
    return writePoint(curve, group, sum)
  })
}

function checkPairing(curve: Curve, g1: Group, g2: Group, input: Uint8Array): Uint8Array {
  const pairBytes = g1.pointBytes + g2.pointBytes
  const most = input.length / pairBytes
  return withRoom(curve, PAIRING_VALUE + most * (G1_POINT + G2_POINT), (room) => {
    const lefts = room + PAIRING_VALUE
    const rights = lefts + most * G1_POINT
    let count = 0
    for (let at = 0; at < input.length; at += pairBytes) {
      const [left, right] = [lefts + count * G1_POINT, rights + count * G2_POINT]
      readPoint(curve, g1, left, input.subarray(at, at + g1.pointBytes))
      readPoint(curve, g2, right, input.subarray(at + g1.pointBytes, at + pairBytes))
      expectOrder(g1, left)
      expectOrder(g2, right)
      // A pair with an infinite point has no effect on the product.
      if (g1.isZero(left) === 0 && g2.isZero(right) === 0) count++
    }
    const output = new Uint8Array(32)
    if (count === 0 || isProductOne(curve, lefts, rights, count, room)) output[31] = 1
    return output
  })
}

function mapToPoint(
  curve: Curve,
  group: Group,
  map: (to: number, value: number) => number,
  input: Uint8Array,
): Uint8Array {
  return withRoom(curve, group.pointSize + group.parts * FIELD, (point) => {
    const value = point + group.pointSize
    for (let index = 0; index < group.parts; index++) readElement(curve, value + index * FIELD, input, index)
    if (map(point, value) !== 0) throw new Error('mcl maps every field element')
    return writePoint(curve, group, point)
  })
}

export interface Bls12381 {
  readonly bls: EVMBLSInterface
  readonly verifyProof: VerifyProof
}

export async function openBls12381(): Promise<Bls12381> {
  const curve = await openCurve(BLS12_381, WIDTH, FIELD_ORDER)
  const { mcl } = curve
  const { g1, g2 } = groupsOf(curve)
  return {
    bls: {
      addG1: (input) => add(curve, g1, input),
      addG2: (input) => add(curve, g2, input),
      msmG1: (input) => combine(curve, g1, input),
      msmG2: (input) => combine(curve, g2, input),
      mapFPtoG1: (input) => mapToPoint(curve, g1, mcl._mclBnFp_mapToG1, input),
      mapFP2toG2: (input) => mapToPoint(curve, g2, mcl._mclBnFp2_mapToG2, input),
      pairingCheck: (input) => checkPairing(curve, g1, g2, input),
    },
    verifyProof: createProofVerifier(curve),
  }
}
