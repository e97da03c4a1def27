// solc's storage layout of a contract
// (https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html#json-output).

import { describe } from '../../../core/primitives/text-of.ts'
import type { StorageLayout, StorageType, StorageVariable } from '../model/contract.ts'
import { type JsonObject, listOf, objectOf, refuseContracts, textIn } from './json.ts'

type Encoding = StorageType['encoding']

const ENCODINGS: ReadonlySet<unknown> = new Set<Encoding>(['inplace', 'mapping', 'dynamic_array', 'bytes'])

/** Refuses a value, by the contract that the layout is of. */
type Refuse = (what: string, value: unknown) => never

/** A whole number, which solc writes as text. */
function wholeNumber(object: JsonObject, key: string, least: bigint, refuse: Refuse): bigint {
  const value = object[key]
  const isWritten = typeof value === 'string' && /^\d{1,78}$/.test(value)
  if (!isWritten || BigInt(value) < least) refuse(`${key} of ${textIn(object, 'label') ?? '?'}`, value)
  return BigInt(value as string)
}

function variableOf(value: unknown, refuse: Refuse): StorageVariable {
  const variable = objectOf(value)
  const label = textIn(variable, 'label') ?? ''
  const offset = variable['offset']
  if (!Number.isInteger(offset) || (offset as number) < 0 || (offset as number) > 31)
    refuse(`offset of ${label}`, offset)
  return {
    label,
    slot: wholeNumber(variable, 'slot', 0n, refuse),
    offset: offset as number,
    type: textIn(variable, 'type') ?? '',
  }
}

function typeOf(type: JsonObject, refuse: Refuse): StorageType {
  const label = textIn(type, 'label') ?? ''
  const { encoding, members } = type
  if (!ENCODINGS.has(encoding)) refuse(`encoding of ${label}`, encoding)
  return {
    label,
    encoding: encoding as Encoding,
    bytes: Number(wholeNumber(type, 'numberOfBytes', 1n, refuse)),
    key: textIn(type, 'key'),
    value: textIn(type, 'value'),
    base: textIn(type, 'base'),
    members: members === undefined ? undefined : listOf(members).map((each) => variableOf(each, refuse)),
  }
}

/** Refuses a type that has itself as a part, at any depth. */
function checkParts(types: ReadonlyMap<string, StorageType>, refuse: Refuse): void {
  const checked = new Set<string>()
  const open = new Set<string>()
  const check = (key: string): void => {
    const type = types.get(key)
    if (type === undefined || checked.has(key)) return
    if (open.has(key)) refuse('a type that contains itself', key)
    open.add(key)
    for (const member of type.members ?? []) check(member.type)
    if (type.encoding === 'inplace' && type.base !== undefined) check(type.base)
    open.delete(key)
    checked.add(key)
  }
  for (const key of types.keys()) check(key)
}

/**
 * Reads `storageLayout`; `undefined` if there is none.
 * @param of the contract, for messages
 * @throws TickchainError `invalidContracts`
 */
export function storageLayoutOf(value: unknown, of: string): StorageLayout | undefined {
  const layout = objectOf(value)
  if (!Array.isArray(layout['storage'])) return undefined
  const refuse: Refuse = (what, got) =>
    refuseContracts(`the storage layout of ${of} has ${what}: ${describe(got)}`)
  const types = new Map(
    Object.entries(objectOf(layout['types'])).map(([key, type]) => [key, typeOf(objectOf(type), refuse)]),
  )
  checkParts(types, refuse)
  return { variables: layout['storage'].map((each) => variableOf(each, refuse)), types }
}
