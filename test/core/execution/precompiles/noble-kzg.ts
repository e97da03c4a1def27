// KZG proof verification with @noble/curves, for comparison with src/core/execution/precompiles/kzg.ts.

import type { CustomCrypto } from '@ethereumjs/common'
import { bls12_381 } from '@noble/curves/bls12-381.js'

type Kzg = NonNullable<CustomCrypto['kzg']>

const { G1, G2, fields } = bls12_381

/** [τ]₂ of the KZG ceremony: g2_monomial[1] in the mainnet trusted setup. */
const TAU_G2 =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

function toScalar(hex: string): bigint {
  const scalar = BigInt(hex)
  if (scalar >= fields.Fr.ORDER) throw new RangeError('C_KZG_BADARGS: not a field element')
  return scalar
}

function toPoint(hex: string): InstanceType<typeof G1.Point> {
  try {
    const point = G1.Point.fromHex(hex.slice(2))
    point.assertValidity()
    return point
  } catch {
    if (hex === `0xc0${'00'.repeat(47)}`) return G1.Point.ZERO
    throw new RangeError('C_KZG_BADARGS: not a point of the subgroup')
  }
}

/** True when the polynomial of `commitment` has the value `y` at `z`: e(C − y·G₁, G₂) = e(proof, τ·G₂ − z·G₂). */
function verifyProof(commitment: string, z: string, y: string, proof: string): boolean {
  const left = toPoint(commitment).subtract(G1.Point.BASE.multiplyUnsafe(toScalar(y)))
  const right = G2.Point.fromHex(TAU_G2).subtract(G2.Point.BASE.multiplyUnsafe(toScalar(z)))
  const pairs = [
    { g1: left, g2: G2.Point.BASE.negate() },
    { g1: toPoint(proof), g2: right },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0())
  return fields.Fp12.eql(bls12_381.pairingBatch(pairs), fields.Fp12.ONE)
}

function unavailable(): never {
  throw new Error('blobs are not computed: a layer 2 does not carry them')
}

export const nobleKzg: Kzg = {
  verifyProof,
  blobToKzgCommitment: unavailable,
  computeBlobProof: unavailable,
  verifyBlobProofBatch: unavailable,
  computeCells: unavailable,
  computeCellsAndProofs: unavailable,
  recoverCellsAndProofs: unavailable,
  verifyCellKzgProofBatch: unavailable,
}
