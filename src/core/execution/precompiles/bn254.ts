// Addition, multiplication and pairing check of bn254 (EIP-196, EIP-197), on mcl.

import type { EVMBN254Interface } from '@ethereumjs/evm'
import { BN_SNARK1, G1_POINT, openCurve, SCALAR, setScalar, withRoom } from './mcl.ts'
import { addPoints, checkPairing, groupsOf, type Points, readPoint, writePoint } from './points.ts'

const FIELD_ORDER = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
const WIDTH = 32

export async function openBn254(): Promise<EVMBN254Interface> {
  const curve = await openCurve(BN_SNARK1, WIDTH, FIELD_ORDER)
  const points: Points = {
    ...{ curve, width: WIDTH, notOnCurve: 'point is not on curve' },
    // Imaginary parts come first (EIP-197).
    ...groupsOf(curve, WIDTH, [1, 0, 3, 2]),
    notInGroup: ({ parts }) => (parts === 1 ? undefined : 'point is not in correct subgroup'),
  }
  const { g1 } = points
  return {
    add: (input) => addPoints(points, g1, input),
    mul: (input) =>
      withRoom(curve, G1_POINT + SCALAR, (point) => {
        readPoint(points, g1, point, input.subarray(0, 2 * WIDTH))
        setScalar(curve, point + G1_POINT, input.subarray(2 * WIDTH, 3 * WIDTH))
        g1.mul(point, point, point + G1_POINT)
        return writePoint(points, g1, point)
      }),
    pairing: (input) => checkPairing(points, input),
  }
}
