// Points and pairings on mcl: BLS12-381 (EIP-2537), and the verification of KZG proofs (EIP-4844). All leading zeros
// are checked before anything else.

import type { EVMBLSInterface, EVMBN254Interface } from '@ethereumjs/evm'
import { precompileError } from '../../interpreter/evm-interface.ts'
import { createProofVerifier, type VerifyProof } from './kzg.ts'
import * as curves from './mcl.ts'

/** A group with what differs between the two. */
interface Group extends curves.GroupOperations {
  /** Coordinates of a field element: 1 or 2. */
  readonly parts: 1 | 2
  /** The coordinates of a point in the order in which inputs have them. */
  readonly order: readonly number[]
  readonly pointBytes: number
  readonly pointSize: number
}

/** The groups of a curve, and the words for points that are none. */
interface Points {
  readonly curve: curves.MclCurve
  /** Bytes of a field element in inputs and outputs. */
  readonly width: number
  readonly g1: Group
  readonly g2: Group
  readonly notOnCurve: string
  /** `undefined` for a group of which every point of the curve is. */
  readonly notInGroup: (group: Group) => string | undefined
}

function groupsOf(
  { mcl }: curves.MclCurve,
  width: number,
  g2Order: readonly number[],
): { readonly g1: Group; readonly g2: Group } {
  return {
    g1: {
      ...curves.groupOperations(mcl, 'G1'),
      parts: 1,
      order: [0, 1],
      pointBytes: 2 * width,
      pointSize: curves.G1_POINT,
    },
    g2: {
      ...curves.groupOperations(mcl, 'G2'),
      parts: 2,
      order: g2Order,
      pointBytes: 4 * width,
      pointSize: curves.G2_POINT,
    },
  }
}

function readElement({ curve, width }: Points, to: number, input: Uint8Array, index: number): void {
  if (!curves.setField(curve, to, input.subarray(index * width, (index + 1) * width)))
    throw precompileError('invalid fp.Element encoding')
}

function expectInGroup({ notInGroup }: Points, group: Group, point: number): void {
  const words = notInGroup(group)
  if (words !== undefined && group.isValidOrder(point) === 0) throw precompileError(words)
}

function readPoint(points: Points, group: Group, to: number, input: Uint8Array): void {
  if (input.every((byte) => byte === 0)) {
    group.clear(to)
    return
  }
  for (const [index, coordinate] of group.order.entries())
    readElement(points, to + coordinate * curves.FIELD, input, index)
  curves.setLastCoordinate(points.curve, to, group.parts)
  if (group.isValid(to) === 0) throw precompileError(points.notOnCurve)
}

function writePoint({ curve, width }: Points, group: Group, point: number): Uint8Array {
  const output = new Uint8Array(group.pointBytes)
  if (group.isZero(point) === 1) return output
  group.normalize(point, point)
  for (const [index, coordinate] of group.order.entries())
    curves.writeField(curve, point + coordinate * curves.FIELD, output, (index + 1) * width)
  return output
}

/** The sum of two points. */
function addPoints(points: Points, group: Group, input: Uint8Array): Uint8Array {
  const { pointBytes, pointSize } = group
  return curves.withRoom(points.curve, 2 * pointSize, (a) => {
    const b = a + pointSize
    readPoint(points, group, a, input.subarray(0, pointBytes))
    readPoint(points, group, b, input.subarray(pointBytes, 2 * pointBytes))
    group.add(a, a, b)
    return writePoint(points, group, a)
  })
}

/** Checks that the product of the pairings of points in a row is 1; the answer as a word. */
function checkPairing(points: Points, input: Uint8Array): Uint8Array {
  const { curve, g1, g2 } = points
  const pairBytes = g1.pointBytes + g2.pointBytes
  const most = input.length / pairBytes
  return curves.withRoom(curve, curves.PAIRING_VALUE + most * (curves.G1_POINT + curves.G2_POINT), (room) => {
    const lefts = room + curves.PAIRING_VALUE
    const rights = lefts + most * curves.G1_POINT
    let count = 0
    for (let at = 0; at < input.length; at += pairBytes) {
      const [left, right] = [lefts + count * curves.G1_POINT, rights + count * curves.G2_POINT]
      readPoint(points, g1, left, input.subarray(at, at + g1.pointBytes))
      readPoint(points, g2, right, input.subarray(at + g1.pointBytes, at + pairBytes))
      expectInGroup(points, g1, left)
      expectInGroup(points, g2, right)
      // A pair with an infinite point has no effect on the product.
      if (g1.isZero(left) === 0 && g2.isZero(right) === 0) count++
    }
    const output = new Uint8Array(32)
    if (count > 0) curve.mcl._mclBn_millerLoopVec(room, lefts, rights, count)
    if (count === 0 || curves.isFinallyOne(curve, room)) output[31] = 1
    return output
  })
}

const BN254_ORDER = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
const BN254_WIDTH = 32

export async function openBn254(): Promise<EVMBN254Interface> {
  const curve = await curves.openCurve(curves.BN_SNARK1, BN254_WIDTH, BN254_ORDER)
  const points: Points = {
    curve,
    width: BN254_WIDTH,
    notOnCurve: 'point is not on curve',
    // Imaginary parts come first (EIP-197).
    ...groupsOf(curve, BN254_WIDTH, [1, 0, 3, 2]),
    notInGroup: ({ parts }) => (parts === 1 ? undefined : 'point is not in correct subgroup'),
  }
  const { g1 } = points
  return {
    add: (input) => addPoints(points, g1, input),
    mul: (input) =>
      curves.withRoom(curve, curves.G1_POINT + curves.SCALAR, (point) => {
        readPoint(points, g1, point, input.subarray(0, 2 * BN254_WIDTH))
        curves.setScalar(curve, point + curves.G1_POINT, input.subarray(2 * BN254_WIDTH, 3 * BN254_WIDTH))
        g1.mul(point, point, point + curves.G1_POINT)
        return writePoint(points, g1, point)
      }),
    pairing: (input) => checkPairing(points, input),
  }
}

const BLS_ORDER =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn
const BLS_WIDTH = 48
/** Bytes of a field element in inputs and outputs: 16 of them are zero. */
const PADDED = 64

/** The sum of multiples of points. */
function combine(points: Points, group: Group, input: Uint8Array): Uint8Array {
  const { pointBytes, pointSize } = group
  const { curve } = points
  const termBytes = pointBytes + curves.SCALAR
  const count = input.length / termBytes
  return curves.withRoom(curve, (count + 1) * pointSize + count * curves.SCALAR, (sum) => {
    const first = sum + pointSize
    const scalars = first + count * pointSize
    for (let index = 0; index < count; index++) {
      const term = input.subarray(index * termBytes, (index + 1) * termBytes)
      const point = first + index * pointSize
      readPoint(points, group, point, term.subarray(0, pointBytes))
      expectInGroup(points, group, point)
      curves.setScalar(curve, scalars + index * curves.SCALAR, term.subarray(pointBytes))
    }
    group.mulVec(sum, first, scalars, count)
    return writePoint(points, group, sum)
  })
}

function mapToPoint(
  points: Points,
  group: Group,
  map: (to: number, value: number) => number,
  input: Uint8Array,
): Uint8Array {
  return curves.withRoom(points.curve, group.pointSize + group.parts * curves.FIELD, (point) => {
    const value = point + group.pointSize
    for (let index = 0; index < group.parts; index++)
      readElement(points, value + index * curves.FIELD, input, index)
    if (map(point, value) !== 0) throw new Error('mcl maps every field element')
    return writePoint(points, group, point)
  })
}

export interface Bls12381 {
  readonly bls: EVMBLSInterface
  readonly verifyProof: VerifyProof
}

export async function openBls12381(): Promise<Bls12381> {
  const curve = await curves.openCurve(curves.BLS12_381, BLS_WIDTH, BLS_ORDER)
  const { mcl } = curve
  const points: Points = {
    curve,
    width: PADDED,
    notOnCurve: 'invalid point: not on curve',
    ...groupsOf(curve, PADDED, [0, 1, 2, 3]),
    notInGroup: ({ parts }) => `g${parts} point is not on correct subgroup`,
  }
  const { g1, g2 } = points
  return {
    bls: {
      addG1: (input) => addPoints(points, g1, input),
      addG2: (input) => addPoints(points, g2, input),
      msmG1: (input) => combine(points, g1, input),
      msmG2: (input) => combine(points, g2, input),
      mapFPtoG1: (input) => mapToPoint(points, g1, mcl._mclBnFp_mapToG1, input),
      mapFP2toG2: (input) => mapToPoint(points, g2, mcl._mclBnFp2_mapToG2, input),
      pairingCheck: (input) => checkPairing(points, input),
    },
    verifyProof: createProofVerifier(curve),
  }
}
