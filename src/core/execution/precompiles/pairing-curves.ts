// Operations on BLS12-381 (EIP-2537) and the verification of KZG proofs (EIP-4844), on mcl. All leading zeros are checked
// before anything else.

import type { EVMBLSInterface, EVMBN254Interface } from '@ethereumjs/evm'
import { createProofVerifier, type VerifyProof } from './kzg.ts'
import { BLS12_381, BN_SNARK1, FIELD, G1_POINT, openCurve, SCALAR, setScalar, withRoom } from './mcl.ts'
import {
  addPoints,
  checkPairing,
  expectInGroup,
  type Group,
  groupsOf,
  type Points,
  readElement,
  readPoint,
  writePoint,
} from './points.ts'

const BN254_ORDER = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
const BN254_WIDTH = 32

export async function openBn254(): Promise<EVMBN254Interface> {
  const curve = await openCurve(BN_SNARK1, BN254_WIDTH, BN254_ORDER)
  const points: Points = {
    ...{ curve, width: BN254_WIDTH, notOnCurve: 'point is not on curve' },
    // Imaginary parts come first (EIP-197).
    ...groupsOf(curve, BN254_WIDTH, [1, 0, 3, 2]),
    notInGroup: ({ parts }) => (parts === 1 ? undefined : 'point is not in correct subgroup'),
  }
  const { g1 } = points
  return {
    add: (input) => addPoints(points, g1, input),
    mul: (input) =>
      withRoom(curve, G1_POINT + SCALAR, (point) => {
        readPoint(points, g1, point, input.subarray(0, 2 * BN254_WIDTH))
        setScalar(curve, point + G1_POINT, input.subarray(2 * BN254_WIDTH, 3 * BN254_WIDTH))
        g1.mul(point, point, point + G1_POINT)
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
  const termBytes = pointBytes + SCALAR
  const count = input.length / termBytes
  return withRoom(curve, (count + 1) * pointSize + count * SCALAR, (sum) => {
    const first = sum + pointSize
    const scalars = first + count * pointSize
    for (let index = 0; index < count; index++) {
      const term = input.subarray(index * termBytes, (index + 1) * termBytes)
      const point = first + index * pointSize
      readPoint(points, group, point, term.subarray(0, pointBytes))
      expectInGroup(points, group, point)
      setScalar(curve, scalars + index * SCALAR, term.subarray(pointBytes))
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
  return withRoom(points.curve, group.pointSize + group.parts * FIELD, (point) => {
    const value = point + group.pointSize
    for (let index = 0; index < group.parts; index++) readElement(points, value + index * FIELD, input, index)
    if (map(point, value) !== 0) throw new Error('mcl maps every field element')
    return writePoint(points, group, point)
  })
}

export interface Bls12381 {
  readonly bls: EVMBLSInterface
  readonly verifyProof: VerifyProof
}

export async function openBls12381(): Promise<Bls12381> {
  const curve = await openCurve(BLS12_381, BLS_WIDTH, BLS_ORDER)
  const { mcl } = curve
  const points: Points = {
    ...{ curve, width: PADDED, notOnCurve: 'invalid point: not on curve' },
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
