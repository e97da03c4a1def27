// Points of the two groups of a pairing-friendly curve, on mcl: as inputs and outputs of precompiles have them. Errors and
// the order of checks are those of geth (core/vm/contracts.go, crypto/bn256/gnark).

import { precompileError } from './failures.ts'
import {
  FIELD,
  G1_POINT,
  G2_POINT,
  type GroupOperations,
  groupOperations,
  isProductOne,
  type MclCurve,
  PAIRING_VALUE,
  setField,
  setLastCoordinate,
  withRoom,
  writeField,
} from './mcl.ts'

/** A group with what differs between the two. */
export interface Group extends GroupOperations {
  /** Coordinates of a field element: 1 or 2. */
  readonly parts: 1 | 2
  /** The coordinates of a point in the order in which inputs have them. */
  readonly order: readonly number[]
  readonly pointBytes: number
  readonly pointSize: number
}

/** The groups of a curve, and the words for points that are none. */
export interface Points {
  readonly curve: MclCurve
  /** Bytes of a field element in inputs and outputs. */
  readonly width: number
  readonly g1: Group
  readonly g2: Group
  readonly notOnCurve: string
  /** `undefined` for a group of which every point of the curve is. */
  readonly notInGroup: (group: Group) => string | undefined
}

export function groupsOf(
  { mcl }: MclCurve,
  width: number,
  g2Order: readonly number[],
): { readonly g1: Group; readonly g2: Group } {
  return {
    g1: {
      ...groupOperations(mcl, 'G1'),
      ...{ parts: 1, order: [0, 1], pointBytes: 2 * width, pointSize: G1_POINT },
    },
    g2: {
      ...groupOperations(mcl, 'G2'),
      ...{ parts: 2, order: g2Order, pointBytes: 4 * width, pointSize: G2_POINT },
    },
  }
}

export function readElement({ curve, width }: Points, to: number, input: Uint8Array, index: number): void {
  if (!setField(curve, to, input.subarray(index * width, (index + 1) * width)))
    throw precompileError('invalid fp.Element encoding')
}

export function expectInGroup({ notInGroup }: Points, group: Group, point: number): void {
  const words = notInGroup(group)
  if (words !== undefined && group.isValidOrder(point) === 0) throw precompileError(words)
}

export function readPoint(points: Points, group: Group, to: number, input: Uint8Array): void {
  if (input.every((byte) => byte === 0)) {
    group.clear(to)
    return
  }
  for (const [index, coordinate] of group.order.entries())
    readElement(points, to + coordinate * FIELD, input, index)
  setLastCoordinate(points.curve, to, group.parts)
  if (group.isValid(to) === 0) throw precompileError(points.notOnCurve)
}

export function writePoint({ curve, width }: Points, group: Group, point: number): Uint8Array {
  const output = new Uint8Array(group.pointBytes)
  if (group.isZero(point) === 1) return output
  group.normalize(point, point)
  for (const [index, coordinate] of group.order.entries())
    writeField(curve, point + coordinate * FIELD, output, (index + 1) * width)
  return output
}

/** The sum of two points. */
export function addPoints(points: Points, group: Group, input: Uint8Array): Uint8Array {
  const { pointBytes, pointSize } = group
  return withRoom(points.curve, 2 * pointSize, (a) => {
    const b = a + pointSize
    readPoint(points, group, a, input.subarray(0, pointBytes))
    readPoint(points, group, b, input.subarray(pointBytes, 2 * pointBytes))
    group.add(a, a, b)
    return writePoint(points, group, a)
  })
}

/** Checks that the product of the pairings of points in a row is 1; the answer as a word. */
export function checkPairing(points: Points, input: Uint8Array): Uint8Array {
  const { curve, g1, g2 } = points
  const pairBytes = g1.pointBytes + g2.pointBytes
  const most = input.length / pairBytes
  return withRoom(curve, PAIRING_VALUE + most * (G1_POINT + G2_POINT), (room) => {
    const lefts = room + PAIRING_VALUE
    const rights = lefts + most * G1_POINT
    let count = 0
    for (let at = 0; at < input.length; at += pairBytes) {
      const [left, right] = [lefts + count * G1_POINT, rights + count * G2_POINT]
      readPoint(points, g1, left, input.subarray(at, at + g1.pointBytes))
      readPoint(points, g2, right, input.subarray(at + g1.pointBytes, at + pairBytes))
      expectInGroup(points, g1, left)
      expectInGroup(points, g2, right)
      // A pair with an infinite point has no effect on the product.
      if (g1.isZero(left) === 0 && g2.isZero(right) === 0) count++
    }
    const output = new Uint8Array(32)
    if (count === 0 || isProductOne(curve, lefts, rights, count, room)) output[31] = 1
    return output
  })
}
