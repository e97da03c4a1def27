// L1 attributes: what an L2 block says of its L1 origin and of the system configuration, in its first transaction.

import { bigIntToBytes, bytesToBigInt, bytesToHex, type Hash, hexToBytes } from '../../primitives/hex.ts'
import { undecodable } from '../rlp-fields.ts'
import { type Deposit, l1InfoSourceHash } from './deposit.ts'
import { isOpForkActive, type OpForkRules } from './forks.ts'
import { DEPOSITOR, OP_PREDEPLOYS } from './predeploys.ts'

/** The L1 block that an L2 block is derived from: its L1 origin. */
export interface L1Origin {
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
  readonly hash: Hash
  /** Wei per gas on the layer 1. */
  readonly baseFee: bigint
  /** Wei per blob gas on the layer 1. */
  readonly blobBaseFee: bigint
}

/** What the contract SystemConfig on the layer 1 sets for the layer 2. */
export interface SystemConfig {
  /** The batcher's address, as a word. */
  readonly batcherHash: Hash
  /** Of the L1 data fee before ecotone. */
  readonly overhead: bigint
  readonly scalar: bigint
  /** Of the L1 data fee from ecotone on; 32 bits each, millionths. */
  readonly baseFeeScalar: number
  readonly blobBaseFeeScalar: number
  readonly gasLimit: bigint
  /** From holocene on; zeros stand for those of the chain. */
  readonly eip1559: { readonly denominator: number; readonly elasticity: number }
  /** From isthmus on. */
  readonly operatorFeeScalar: number
  readonly operatorFeeConstant: bigint
  /** From jovian on. */
  readonly minBaseFee: bigint
  /** From jovian on; zero stands for 400. */
  readonly daFootprintGasScalar: number
}

/** The content of a block's first transaction. */
export interface L1Attributes {
  readonly origin: L1Origin
  /** The number of L2 blocks of the same origin before this one. */
  readonly sequenceNumber: number
  readonly system: SystemConfig
}

/** The layouts of the calldata, by the fork that brought them. */
type AttributesForm = 'bedrock' | 'ecotone' | 'isthmus' | 'jovian'

interface FormLayout {
  /** Of L1Block's function. */
  readonly selector: number
  readonly length: number
}

const LAYOUTS: Readonly<Record<AttributesForm, FormLayout>> = {
  bedrock: { selector: 0x015d8eb9, length: 4 + 8 * 32 },
  ecotone: { selector: 0x440a5e20, length: 164 },
  isthmus: { selector: 0x098999be, length: 176 },
  jovian: { selector: 0x3db6be2b, length: 178 },
}
const FORMS = Object.keys(LAYOUTS) as AttributesForm[]

/** Where the fields of the forms since ecotone begin; they are packed. */
const PACKED = {
  baseFeeScalar: 4,
  blobBaseFeeScalar: 8,
  sequenceNumber: 12,
  timestamp: 20,
  number: 28,
  baseFee: 36,
  blobBaseFee: 68,
  hash: 100,
  batcherHash: 132,
  operatorFeeScalar: 164,
  operatorFeeConstant: 168,
  daFootprintGasScalar: 176,
} as const

/** Where the words of bedrock's form begin. */
const WORDS = {
  number: 4,
  timestamp: 36,
  baseFee: 68,
  hash: 100,
  sequenceNumber: 132,
  batcherHash: 164,
  overhead: 196,
  scalar: 228,
} as const
const WORD_BYTES = 32

/** What SystemConfig's zero stands for (jovian specification, derivation). */
const DEFAULT_DA_FOOTPRINT_GAS_SCALAR = 400

function formUnder(rules: OpForkRules): AttributesForm {
  if (isOpForkActive(rules, 'jovian')) return 'jovian'
  if (isOpForkActive(rules, 'isthmus')) return 'isthmus'
  return isOpForkActive(rules, 'ecotone') ? 'ecotone' : 'bedrock'
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

function putWord(target: Uint8Array, at: number, value: bigint | number): void {
  const bytes = bigIntToBytes(BigInt(value))
  target.set(bytes, at + WORD_BYTES - bytes.length)
}

function putBedrock(target: Uint8Array, { origin, sequenceNumber, system }: L1Attributes): void {
  putWord(target, WORDS.number, origin.number)
  putWord(target, WORDS.timestamp, origin.timestamp)
  putWord(target, WORDS.baseFee, origin.baseFee)
  target.set(hexToBytes(origin.hash), WORDS.hash)
  putWord(target, WORDS.sequenceNumber, sequenceNumber)
  target.set(hexToBytes(system.batcherHash), WORDS.batcherHash)
  putWord(target, WORDS.overhead, system.overhead)
  putWord(target, WORDS.scalar, system.scalar)
}

function putPacked(target: Uint8Array, view: DataView, attributes: L1Attributes): void {
  const { origin, sequenceNumber, system } = attributes
  view.setUint32(PACKED.baseFeeScalar, system.baseFeeScalar)
  view.setUint32(PACKED.blobBaseFeeScalar, system.blobBaseFeeScalar)
  view.setBigUint64(PACKED.sequenceNumber, BigInt(sequenceNumber))
  view.setBigUint64(PACKED.timestamp, BigInt(origin.timestamp))
  view.setBigUint64(PACKED.number, BigInt(origin.number))
  putWord(target, PACKED.baseFee, origin.baseFee)
  putWord(target, PACKED.blobBaseFee, origin.blobBaseFee)
  target.set(hexToBytes(origin.hash), PACKED.hash)
  target.set(hexToBytes(system.batcherHash), PACKED.batcherHash)
}

function encodeAttributes(form: AttributesForm, attributes: L1Attributes): Uint8Array {
  const { selector, length } = LAYOUTS[form]
  const { system } = attributes
  const data = new Uint8Array(length)
  const view = viewOf(data)
  view.setUint32(0, selector)
  if (form === 'bedrock') {
    putBedrock(data, attributes)
    return data
  }
  putPacked(data, view, attributes)
  if (form === 'ecotone') return data
  view.setUint32(PACKED.operatorFeeScalar, system.operatorFeeScalar)
  view.setBigUint64(PACKED.operatorFeeConstant, system.operatorFeeConstant)
  if (form === 'isthmus') return data
  const daScalar = system.daFootprintGasScalar
  view.setUint16(PACKED.daFootprintGasScalar, daScalar === 0 ? DEFAULT_DA_FOOTPRINT_GAS_SCALAR : daScalar)
  return data
}

/**
 * The first transaction of a block. The form of its calldata is that of the parent's fork: in the block that activates
 * a fork, L1Block still has the code of the fork before (op-node, L1InfoDeposit).
 */
export function attributesDeposit(
  rules: OpForkRules,
  attributes: L1Attributes,
  parentRules: OpForkRules,
): Deposit {
  const isRegolith = isOpForkActive(rules, 'regolith')
  return {
    sourceHash: l1InfoSourceHash(attributes.origin.hash, attributes.sequenceNumber),
    from: DEPOSITOR,
    to: OP_PREDEPLOYS.L1Block,
    mint: 0n,
    value: 0n,
    gasLimit: isRegolith ? 1_000_000n : 150_000_000n,
    isSystem: !isRegolith,
    data: encodeAttributes(formUnder(parentRules), attributes),
  }
}

/** What the calldata of an L1 attributes deposit says; what its form does not have is zero. */
export interface ReadAttributes {
  readonly form: AttributesForm
  readonly origin: L1Origin
  readonly sequenceNumber: number
  readonly system: Omit<SystemConfig, 'gasLimit' | 'eip1559' | 'minBaseFee'>
}

function readBedrock(data: Uint8Array): ReadAttributes {
  const word = (at: number): Uint8Array => data.subarray(at, at + WORD_BYTES)
  const count = (at: number): number => Number(bytesToBigInt(word(at)))
  return {
    form: 'bedrock',
    origin: {
      number: count(WORDS.number),
      timestamp: count(WORDS.timestamp),
      hash: bytesToHex(word(WORDS.hash)),
      baseFee: bytesToBigInt(word(WORDS.baseFee)),
      blobBaseFee: 0n,
    },
    sequenceNumber: count(WORDS.sequenceNumber),
    system: {
      batcherHash: bytesToHex(word(WORDS.batcherHash)),
      overhead: bytesToBigInt(word(WORDS.overhead)),
      scalar: bytesToBigInt(word(WORDS.scalar)),
      baseFeeScalar: 0,
      blobBaseFeeScalar: 0,
      operatorFeeScalar: 0,
      operatorFeeConstant: 0n,
      daFootprintGasScalar: 0,
    },
  }
}

function readPacked(form: Exclude<AttributesForm, 'bedrock'>, data: Uint8Array): ReadAttributes {
  const view = viewOf(data)
  const word = (at: number): Uint8Array => data.subarray(at, at + WORD_BYTES)
  const count = (at: number): number => Number(view.getBigUint64(at))
  const hasOperatorFee = form !== 'ecotone'
  return {
    form,
    origin: {
      number: count(PACKED.number),
      timestamp: count(PACKED.timestamp),
      hash: bytesToHex(word(PACKED.hash)),
      baseFee: bytesToBigInt(word(PACKED.baseFee)),
      blobBaseFee: bytesToBigInt(word(PACKED.blobBaseFee)),
    },
    sequenceNumber: count(PACKED.sequenceNumber),
    system: {
      batcherHash: bytesToHex(word(PACKED.batcherHash)),
      overhead: 0n,
      scalar: 0n,
      baseFeeScalar: view.getUint32(PACKED.baseFeeScalar),
      blobBaseFeeScalar: view.getUint32(PACKED.blobBaseFeeScalar),
      operatorFeeScalar: hasOperatorFee ? view.getUint32(PACKED.operatorFeeScalar) : 0,
      operatorFeeConstant: hasOperatorFee ? view.getBigUint64(PACKED.operatorFeeConstant) : 0n,
      daFootprintGasScalar: form === 'jovian' ? view.getUint16(PACKED.daFootprintGasScalar) : 0,
    },
  }
}

/** Reads the calldata of an L1 attributes deposit of any form; throws `undecodableTransaction`. */
export function readAttributes(data: Uint8Array): ReadAttributes {
  const selector = data.length < 4 ? undefined : viewOf(data).getUint32(0)
  const form = FORMS.find((name) => LAYOUTS[name].selector === selector)
  if (form === undefined) throw undecodable('L1 attributes: unknown selector')
  const { length } = LAYOUTS[form]
  if (data.length !== length) {
    throw undecodable(`L1 attributes: expected ${length} bytes, got ${data.length}`)
  }
  return form === 'bedrock' ? readBedrock(data) : readPacked(form, data)
}
