// L1 attributes: what an L2 block says of its L1 origin and of the system configuration, in its first transaction.

import * as hex from '../../primitives/hex.ts'
import { memoizeLru } from '../../primitives/lru-cache.ts'
import { type Deposit, l1InfoSourceHash } from '../deposit.ts'
import { undecodable } from '../rlp-fields.ts'
import type * as stacks from '../stack.ts'
import { integerAt, putInteger } from './big-endian.ts'
import { isOpForkActive } from './forks.ts'
import { DEPOSITOR, OP_PREDEPLOYS } from './predeploys.ts'

/** The fields of all layouts. */
type Fields = stacks.L1Origin &
  Pick<stacks.L1Attributes, 'sequenceNumber'> &
  Omit<stacks.SystemConfig, 'gasLimit' | 'eip1559'>

type FieldName = keyof Omit<Fields, 'minBaseFee'>

/** The place of a field in the calldata. A word has integers of at most 53 bits in its last 8 bytes. */
type Place = readonly [at: number, length: number]

type Places = Readonly<Partial<Record<FieldName, Place>>>

const BEDROCK = {
  number: [28, 8],
  timestamp: [60, 8],
  baseFee: [68, 32],
  hash: [100, 32],
  sequenceNumber: [156, 8],
  batcherHash: [164, 32],
  overhead: [196, 32],
  scalar: [228, 32],
} as const satisfies Places

/** Those since ecotone are packed. */
const ECOTONE = {
  baseFeeScalar: [4, 4],
  blobBaseFeeScalar: [8, 4],
  sequenceNumber: [12, 8],
  timestamp: [20, 8],
  number: [28, 8],
  baseFee: [36, 32],
  blobBaseFee: [68, 32],
  hash: [100, 32],
  batcherHash: [132, 32],
} as const satisfies Places

const ISTHMUS = { ...ECOTONE, operatorFeeScalar: [164, 4], operatorFeeConstant: [168, 8] } as const

/** The layouts of the calldata, by the fork that brought them, with the selectors of L1Block's functions. */
export const LAYOUTS = {
  bedrock: { selector: 0x015d8eb9, length: 4 + 8 * 32, places: BEDROCK },
  ecotone: { selector: 0x440a5e20, length: 164, places: ECOTONE },
  isthmus: { selector: 0x098999be, length: 176, places: ISTHMUS },
  jovian: { selector: 0x3db6be2b, length: 178, places: { ...ISTHMUS, daFootprintGasScalar: [176, 2] } },
} as const
const SELECTOR_BYTES = 4
const WORD_BYTES = 32

type AttributesForm = keyof typeof LAYOUTS

/** The newest first. */
const FORMS = (Object.keys(LAYOUTS) as AttributesForm[]).reverse()

/** The value that SystemConfig's zero stands for (jovian specification, derivation). */
const DEFAULT_DA_FOOTPRINT_GAS_SCALAR = 400

function formUnder(rules: stacks.RulesOfStack): AttributesForm {
  return FORMS.find((form) => isOpForkActive(rules, form)) ?? 'bedrock'
}

function encodeFirst(form: AttributesForm, system: stacks.SystemConfig, origin: stacks.L1Origin): Uint8Array {
  const daFootprintGasScalar = system.daFootprintGasScalar || DEFAULT_DA_FOOTPRINT_GAS_SCALAR
  const values: Fields = { ...system, ...origin, sequenceNumber: 0, daFootprintGasScalar }
  const { selector, length, places } = LAYOUTS[form]
  const data = new Uint8Array(length)
  putInteger(data, 0, SELECTOR_BYTES, selector)
  for (const [name, [at, size]] of Object.entries(places) as [FieldName, Place][]) {
    const value = values[name]
    if (typeof value === 'number') putInteger(data, at, size, value)
    else {
      const bytes = typeof value === 'bigint' ? hex.bigIntToBytes(value) : hex.hexToBytes(value)
      data.set(bytes, at + size - bytes.length)
    }
  }
  return data
}

/** The calldata in the first block of an origin: the blocks after it differ in their sequence numbers alone. */
const firstOf = memoizeLru(8, (origin: stacks.L1Origin) =>
  memoizeLru(1, (system: stacks.SystemConfig) =>
    memoizeLru(1, (form: AttributesForm) => encodeFirst(form, system, origin)),
  ),
)

function encodeAttributes(form: AttributesForm, attributes: stacks.L1Attributes): Uint8Array {
  const { origin, sequenceNumber, system } = attributes
  const data = firstOf(origin)(system)(form).slice()
  const [at, size] = LAYOUTS[form].places.sequenceNumber
  putInteger(data, at, size, sequenceNumber)
  return data
}

/**
 * The first transaction of a block. The form of its calldata is that of the parent's fork: in the block that activates
 * a fork, L1Block still has the code of the fork before (op-node, L1InfoDeposit).
 */
export function attributesDeposit(
  rules: stacks.RulesOfStack,
  attributes: stacks.L1Attributes,
  parentRules: stacks.RulesOfStack,
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

/** Fields as bytes, which are empty for those that the form does not have. */
export interface AttributesFields {
  readonly form: AttributesForm
  readonly bytes: (name: FieldName) => Uint8Array
}

/** The form of the calldata of an L1 attributes deposit; throws `undecodableTransaction`. */
function formOf(data: Uint8Array): AttributesForm {
  const selector = data.length < SELECTOR_BYTES ? undefined : integerAt(data, 0, SELECTOR_BYTES)
  const form = FORMS.find((name) => LAYOUTS[name].selector === selector)
  if (form === undefined) throw undecodable('L1 attributes: unknown selector')
  const { length } = LAYOUTS[form]
  if (data.length !== length) throw undecodable(`L1 attributes: expected ${length} bytes, got ${data.length}`)
  return form
}

/** The fields in the calldata of an L1 attributes deposit; throws `undecodableTransaction`. */
export function fieldsInCalldata(data: Uint8Array): AttributesFields {
  const form = formOf(data)
  const places: Places = LAYOUTS[form].places
  const bytes = (name: FieldName): Uint8Array => {
    const [at, length] = places[name] ?? [0, 0]
    return data.slice(at, at + length)
  }
  return { form, bytes }
}

/** L1Block's storage: the slot of a field, the bytes to the right of it, and its length. */
const STORED: Readonly<Record<FieldName, readonly [slot: number, right: number, length: number]>> = {
  number: [0, 0, 8],
  timestamp: [0, 8, 8],
  baseFee: [1, 0, 32],
  hash: [2, 0, 32],
  sequenceNumber: [3, 0, 8],
  blobBaseFeeScalar: [3, 8, 4],
  baseFeeScalar: [3, 12, 4],
  batcherHash: [4, 0, 32],
  overhead: [5, 0, 32],
  scalar: [6, 0, 32],
  blobBaseFee: [7, 0, 32],
  operatorFeeConstant: [8, 0, 8],
  operatorFeeScalar: [8, 8, 4],
  daFootprintGasScalar: [8, 12, 2],
}

/** The slots of L1Block, and those of them that fees are read from. */
export const L1_BLOCK_SLOTS = Array.from({ length: 9 }, (_, slot) => hex.toWord(slot))
export const FEE_SLOTS = [1, 3, 5, 6, 7, 8].map((slot) => hex.toWord(slot))

const SET_BY_ECOTONE = ['blobBaseFee', 'baseFeeScalar', 'blobBaseFeeScalar'] as const

/**
 * The fields in L1Block's storage. They are read when they are asked for: blocks of networks prove only the slots that they
 * read.
 */
export function fieldsInStorage(
  rules: stacks.RulesOfStack,
  at: (slot: hex.Hash) => Uint8Array,
): AttributesFields {
  const stored = (name: FieldName): Uint8Array => {
    const [slot, right, length] = STORED[name]
    const end = WORD_BYTES - right
    return hex.padLeft(at(L1_BLOCK_SLOTS[slot] as hex.Hash), WORD_BYTES).subarray(end - length, end)
  }
  const form = formUnder(rules)
  // In the block that activates ecotone, L1Block does not know its scalars yet.
  const isBefore =
    form === 'bedrock' || SET_BY_ECOTONE.every((name) => hex.bytesToBigInt(stored(name)) === 0n)
  const places: Places = { ...(isBefore ? BEDROCK : {}), ...LAYOUTS[form].places }
  return {
    form: isBefore ? 'bedrock' : form,
    bytes: (name) => (name in places ? stored(name) : hex.EMPTY_BYTES),
  }
}

/** The scalars of fees since ecotone. Bedrock's scalar says what they will be (op-node, EcotoneScalars). */
function scalarsIn({ form, bytes }: AttributesFields) {
  const scalar = hex.bytesToBigInt(bytes('scalar'))
  const [own, ofBlobs] =
    form === 'bedrock'
      ? [scalar, scalar >> 248n === 1n ? scalar >> 32n : 0n]
      : [hex.bytesToBigInt(bytes('baseFeeScalar')), hex.bytesToBigInt(bytes('blobBaseFeeScalar'))]
  const part = (value: bigint): number => Number(BigInt.asUintN(32, value))
  return { scalar, baseFeeScalar: part(own), blobBaseFeeScalar: part(ofBlobs) }
}

function attributesIn(fields: AttributesFields): stacks.ReadAttributes {
  const { form, bytes } = fields
  const amount = (name: FieldName): bigint => hex.bytesToBigInt(bytes(name))
  const count = (name: FieldName): number => Number(amount(name))
  return {
    form,
    origin: {
      number: count('number'),
      timestamp: count('timestamp'),
      hash: hex.bytesToHex(bytes('hash')),
      baseFee: amount('baseFee'),
      blobBaseFee: amount('blobBaseFee'),
    },
    sequenceNumber: count('sequenceNumber'),
    system: {
      batcherHash: hex.bytesToHex(bytes('batcherHash')),
      overhead: amount('overhead'),
      ...scalarsIn(fields),
      operatorFeeScalar: count('operatorFeeScalar'),
      operatorFeeConstant: amount('operatorFeeConstant'),
      daFootprintGasScalar: count('daFootprintGasScalar'),
    },
  }
}

/** Reads the calldata of an L1 attributes deposit of any form; throws `undecodableTransaction`. */
export function readAttributes(data: Uint8Array): stacks.ReadAttributes {
  return attributesIn(fieldsInCalldata(data))
}

/** Slots of fields that every form has, or that tell the form. */
const READ_FIRST = [0, 1, 2, 3, 4, 7].map((slot) => hex.toWord(slot))

/** The attributes that L1Block has, as the last block's first transaction left them. */
export async function attributesFromSlots(
  rules: stacks.RulesOfStack,
  slotAt: (slot: hex.Hash) => Promise<Uint8Array>,
): Promise<stacks.ReadAttributes> {
  const words = new Map<hex.Hash, Uint8Array>()
  for (let asked = READ_FIRST; ; ) {
    await Promise.all(asked.map(async (slot) => words.set(slot, await slotAt(slot))))
    const missing = new Set<hex.Hash>()
    const fields = fieldsInStorage(rules, (slot) => {
      const word = words.get(slot)
      if (word === undefined) missing.add(slot)
      return word ?? hex.EMPTY_BYTES
    })
    const attributes = attributesIn(fields)
    if (missing.size === 0) return attributes
    asked = [...missing]
  }
}

/** Like `readAttributes`, of what is asked for every block. */
export function readOriginId(data: Uint8Array): stacks.OriginId {
  const places: Record<keyof stacks.OriginId, Place> = LAYOUTS[formOf(data)].places
  const { number, hash, sequenceNumber } = places
  return {
    number: integerAt(data, ...number),
    hash: hex.bytesToHex(data.slice(hash[0], hash[0] + hash[1])),
    sequenceNumber: integerAt(data, ...sequenceNumber),
  }
}
