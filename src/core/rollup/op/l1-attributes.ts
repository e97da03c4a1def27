// L1 attributes: what an L2 block says of its L1 origin and of the system configuration, in its first transaction.

import { bigIntToBytes, bytesToBigInt, bytesToHex, hexToBytes } from '../../primitives/hex.ts'
import { type Deposit, l1InfoSourceHash } from '../deposit.ts'
import { undecodable } from '../rlp-fields.ts'
import type { L1Attributes, OriginId, ReadAttributes, RulesOfStack } from '../stack.ts'
import { integerAt, putInteger } from './big-endian.ts'
import { isOpForkActive } from './forks.ts'
import { DEPOSITOR, OP_PREDEPLOYS } from './predeploys.ts'

/** The layouts of the calldata, by the fork that brought them. */
type AttributesForm = 'bedrock' | 'ecotone' | 'isthmus' | 'jovian'

interface FormLayout {
  /** Selector of L1Block's function. */
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
const SELECTOR_BYTES = 4

/** The value that SystemConfig's zero stands for (jovian specification, derivation). */
const DEFAULT_DA_FOOTPRINT_GAS_SCALAR = 400

function formUnder(rules: RulesOfStack): AttributesForm {
  if (isOpForkActive(rules, 'jovian')) return 'jovian'
  if (isOpForkActive(rules, 'isthmus')) return 'isthmus'
  return isOpForkActive(rules, 'ecotone') ? 'ecotone' : 'bedrock'
}

/** Writes an integer so that it ends where a field of `length` bytes does. */
function putBigInt(target: Uint8Array, at: number, length: number, value: bigint): void {
  const bytes = bigIntToBytes(value)
  target.set(bytes, at + length - bytes.length)
}

function putWord(target: Uint8Array, at: number, value: bigint | number): void {
  putBigInt(target, at, WORD_BYTES, BigInt(value))
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

function putPacked(target: Uint8Array, attributes: L1Attributes): void {
  const { origin, sequenceNumber, system } = attributes
  putInteger(target, PACKED.baseFeeScalar, 4, system.baseFeeScalar)
  putInteger(target, PACKED.blobBaseFeeScalar, 4, system.blobBaseFeeScalar)
  putInteger(target, PACKED.sequenceNumber, 8, sequenceNumber)
  putInteger(target, PACKED.timestamp, 8, origin.timestamp)
  putInteger(target, PACKED.number, 8, origin.number)
  putWord(target, PACKED.baseFee, origin.baseFee)
  putWord(target, PACKED.blobBaseFee, origin.blobBaseFee)
  target.set(hexToBytes(origin.hash), PACKED.hash)
  target.set(hexToBytes(system.batcherHash), PACKED.batcherHash)
}

function encodeAttributes(form: AttributesForm, attributes: L1Attributes): Uint8Array {
  const { selector, length } = LAYOUTS[form]
  const { system } = attributes
  const data = new Uint8Array(length)
  putInteger(data, 0, SELECTOR_BYTES, selector)
  if (form === 'bedrock') {
    putBedrock(data, attributes)
    return data
  }
  putPacked(data, attributes)
  if (form === 'ecotone') return data
  putInteger(data, PACKED.operatorFeeScalar, 4, system.operatorFeeScalar)
  putBigInt(data, PACKED.operatorFeeConstant, 8, system.operatorFeeConstant)
  if (form === 'isthmus') return data
  const daScalar = system.daFootprintGasScalar
  const told = daScalar === 0 ? DEFAULT_DA_FOOTPRINT_GAS_SCALAR : daScalar
  putInteger(data, PACKED.daFootprintGasScalar, 2, told)
  return data
}

/**
 * The first transaction of a block. The form of its calldata is that of the parent's fork: in the block that activates
 * a fork, L1Block still has the code of the fork before (op-node, L1InfoDeposit).
 */
export function attributesDeposit(
  rules: RulesOfStack,
  attributes: L1Attributes,
  parentRules: RulesOfStack,
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

/** The scalar of the L1's configuration before ecotone, and what ecotone makes of it (op-node, EcotoneScalars). */
export function scalarsOf(scalar: bigint) {
  const isPacked = scalar >> 248n === 1n
  return {
    scalar,
    baseFeeScalar: Number(BigInt.asUintN(32, scalar)),
    blobBaseFeeScalar: isPacked ? Number(BigInt.asUintN(32, scalar >> 32n)) : 0,
  }
}

function readBedrock(data: Uint8Array): ReadAttributes {
  const word = (at: number): Uint8Array => data.slice(at, at + WORD_BYTES)
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
      ...scalarsOf(bytesToBigInt(word(WORDS.scalar))),
      operatorFeeScalar: 0,
      operatorFeeConstant: 0n,
      daFootprintGasScalar: 0,
    },
  }
}

/** An integer of 64 bits. */
function wideAt(data: Uint8Array, at: number): bigint {
  return bytesToBigInt(data.slice(at, at + 8))
}

function readPacked(form: Exclude<AttributesForm, 'bedrock'>, data: Uint8Array): ReadAttributes {
  const word = (at: number): Uint8Array => data.slice(at, at + WORD_BYTES)
  const count = (at: number): number => integerAt(data, at, 8)
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
      baseFeeScalar: integerAt(data, PACKED.baseFeeScalar, 4),
      blobBaseFeeScalar: integerAt(data, PACKED.blobBaseFeeScalar, 4),
      operatorFeeScalar: hasOperatorFee ? integerAt(data, PACKED.operatorFeeScalar, 4) : 0,
      operatorFeeConstant: hasOperatorFee ? wideAt(data, PACKED.operatorFeeConstant) : 0n,
      daFootprintGasScalar: form === 'jovian' ? integerAt(data, PACKED.daFootprintGasScalar, 2) : 0,
    },
  }
}

/** The form of the calldata of an L1 attributes deposit; throws `undecodableTransaction`. */
function formOf(data: Uint8Array): AttributesForm {
  const selector = data.length < SELECTOR_BYTES ? undefined : integerAt(data, 0, SELECTOR_BYTES)
  const form = FORMS.find((name) => LAYOUTS[name].selector === selector)
  if (form === undefined) throw undecodable('L1 attributes: unknown selector')
  const { length } = LAYOUTS[form]
  if (data.length !== length) {
    throw undecodable(`L1 attributes: expected ${length} bytes, got ${data.length}`)
  }
  return form
}

/** Reads the calldata of an L1 attributes deposit of any form; throws `undecodableTransaction`. */
export function readAttributes(data: Uint8Array): ReadAttributes {
  const form = formOf(data)
  return form === 'bedrock' ? readBedrock(data) : readPacked(form, data)
}

/** Like `readAttributes`, of what is asked for every block. */
export function readOriginId(data: Uint8Array): OriginId {
  const places = formOf(data) === 'bedrock' ? WORDS : PACKED
  // The last 8 bytes of a word.
  const skipped = places === WORDS ? WORD_BYTES - 8 : 0
  return {
    number: integerAt(data, places.number + skipped, 8),
    hash: bytesToHex(data.slice(places.hash, places.hash + WORD_BYTES)),
    sequenceNumber: integerAt(data, places.sequenceNumber + skipped, 8),
  }
}
