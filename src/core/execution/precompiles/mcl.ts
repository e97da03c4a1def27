// Elliptic curves of mcl (WebAssembly), with an instance for each curve, because the curve is a global setting of mcl.
// Values are addresses in linear memory. The library is loaded with the first curve. P256VERIFY (EIP-7951), on it.

import type { ExecResult } from '@ethereumjs/evm'
import { outOfGas, type Precompile } from '../../interpreter/evm-interface.ts'
import { bytesToBigInt, EMPTY_BYTES, hexToBytes } from '../../primitives/hex.ts'

/** All that mcl exports takes and returns numbers, or nothing; values are addresses in linear memory. */
type Operation = (...numbers: readonly number[]) => number

const GROUP_OPERATIONS = [
  ...(['clear', 'isValid', 'isValidOrder', 'isZero', 'normalize'] as const),
  ...(['add', 'sub', 'mul', 'mulVec', 'deserialize'] as const),
]

type GroupOperation = (typeof GROUP_OPERATIONS)[number]

/** Operations of a group: `G1` or `G2`. A point has three coordinates, of which the third is 1 after `normalize`. */
export type GroupOperations = Readonly<Record<GroupOperation, Operation>>

/** The exports in use, of those that mcl/bn.h declares. */
type Name =
  | `_mclBn${'G1' | 'G2'}_${GroupOperation}`
  | `_${'malloc' | 'free'}`
  | `_mclBn_${'init' | 'verifyOrderG1' | 'verifyOrderG2' | 'setMapToMode' | 'setETHserialization'}`
  | `_mclBn_${'millerLoopVec' | 'getUint64NumToPrecompute' | 'precomputeG2' | 'precomputedMillerLoop2' | 'finalExp'}`
  | `_mclBnFp_${'setInt32' | 'setBigEndianMod' | 'getLittleEndian' | 'mapToG1'}`
  | `_mclBnFr_${'setBigEndianMod' | 'inv' | 'mul'}`
  | '_mclBnGT_isOne'
  | '_mclBnFp2_mapToG2'
  | '_mclBnG1_getBasePoint'

type Exports = Readonly<Record<Name, Operation>> & { readonly wasmMemory: { readonly buffer: ArrayBuffer } }

export const BN_SNARK1 = 4
export const BLS12_381 = 5
const NIST_P256 = 107

/** Sizes in memory, in bytes; those of the 384-bit field, for all curves. */
export const FIELD = 48
export const SCALAR = 32
export const G1_POINT = 3 * FIELD
export const G2_POINT = 6 * FIELD
export const PAIRING_VALUE = 12 * FIELD
/** MCLBN_COMPILED_TIME_VAR: units of a scalar times 10, and of a field element. */
const COMPILED_VARIANT = 46
/** The mapping of RFC 9380. */
const MAP_OF_RFC_9380 = 5

export interface MclCurve {
  readonly mcl: Exports
  /** Bytes of a field element. */
  readonly width: number
  readonly fieldOrder: bigint
  /** The number 1 of the field. */
  readonly one: number
  /** Room for an input or output of up to 96 bytes. */
  readonly bytes: number
}

/** Instantiates mcl for a curve. Points are not checked for their order unless `isValidOrder` is called. */
export async function openCurve(id: number, width: number, fieldOrder: bigint): Promise<MclCurve> {
  const { default: createModule } = await import('mcl-wasm/dist/mcl_c.js')
  const mcl = (await createModule({})) as Exports
  if (mcl._mclBn_init(id, COMPILED_VARIANT) !== 0) throw new Error(`mcl has no curve ${id}`)
  mcl._mclBn_verifyOrderG1(0)
  mcl._mclBn_verifyOrderG2(0)
  if (id === BLS12_381) {
    mcl._mclBn_setMapToMode(MAP_OF_RFC_9380)
    mcl._mclBn_setETHserialization(1)
  }
  const one = mcl._malloc(FIELD)
  mcl._mclBnFp_setInt32(one, 1)
  return { mcl, width, fieldOrder, one, bytes: mcl._malloc(2 * FIELD) }
}

/** The operations of a group by themselves. */
export function groupOperations(mcl: Exports, group: 'G1' | 'G2'): GroupOperations {
  const entries = GROUP_OPERATIONS.map((name) => [name, mcl[`_mclBn${group}_${name}`]])
  return Object.fromEntries(entries) as GroupOperations
}

/** Allocates memory for the time of `use`. */
export function withRoom<Result>({ mcl }: MclCurve, length: number, use: (at: number) => Result): Result {
  const at = mcl._malloc(length)
  try {
    return use(at)
  } finally {
    mcl._free(at)
  }
}

/** Copies bytes to the buffer of the curve and returns its address. */
export function place({ mcl, bytes: at }: MclCurve, bytes: Uint8Array): number {
  new Uint8Array(mcl.wasmMemory.buffer).set(bytes, at)
  return at
}

/** Reads a field element from big-endian bytes; false if it is not below the order of the field. */
export function setField(curve: MclCurve, to: number, bytes: Uint8Array): boolean {
  if (bytesToBigInt(bytes) >= curve.fieldOrder) return false
  const { mcl, width } = curve
  mcl._mclBnFp_setBigEndianMod(to, place(curve, bytes.subarray(-width)), Math.min(width, bytes.length))
  return true
}

/** Reads a scalar of 32 big-endian bytes, modulo the order of the group. */
export function setScalar(curve: MclCurve, to: number, bytes: Uint8Array): void {
  curve.mcl._mclBnFr_setBigEndianMod(to, place(curve, bytes), SCALAR)
}

/** Sets the third coordinate of a point: 1, as an element of a field of `parts` coordinates. */
export function setLastCoordinate(curve: MclCurve, point: number, parts: 1 | 2): void {
  const at = point + 2 * parts * FIELD
  const memory = new Uint8Array(curve.mcl.wasmMemory.buffer)
  memory.fill(0, at, at + parts * FIELD)
  memory.copyWithin(at, curve.one, curve.one + FIELD)
}

/** Writes a field element as big-endian bytes that end at `end`. */
export function writeField(
  { mcl, bytes: at, width }: MclCurve,
  value: number,
  to: Uint8Array,
  end: number,
): void {
  const length = mcl._mclBnFp_getLittleEndian(at, width, value)
  to.set(new Uint8Array(mcl.wasmMemory.buffer, at, length).slice().reverse(), end - length)
}

/** True if the result of a Miller loop stands for 1. */
export function isFinallyOne({ mcl }: MclCurve, value: number): boolean {
  mcl._mclBn_finalExp(value, value)
  return mcl._mclBnGT_isOne(value) === 1
}

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
