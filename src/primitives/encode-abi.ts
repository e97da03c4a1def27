// ABI encoding of values that fit their types.

import type { AbiValue } from './abi.ts'
import type { AbiType } from './abi-type.ts'
import { putHex, utf8ToBytes } from './hex.ts'

const WORD_BITS = 256

/** The length of data in whole words. */
function padded(length: number): number {
  return (length + 31) & -32
}

function bytesOf(kind: 'bytes' | 'string', value: AbiValue): number {
  return kind === 'string' ? utf8ToBytes(value as string).length : ((value as string).length - 2) / 2
}

/** The types of what an array or a tuple has, and the values. A tuple is an array, or an object by its names. */
function itemsOf(
  type: AbiType & { readonly kind: 'array' | 'tuple' },
  value: AbiValue,
): readonly (readonly [AbiType, AbiValue])[] {
  if (type.kind === 'array') return (value as readonly AbiValue[]).map((item) => [type.element, item])
  const isList = Array.isArray(value)
  return type.components.map(({ name, type: component }, index) => {
    const item = isList ? value[index] : (value as { readonly [name: string]: AbiValue })[name]
    return [component, item as AbiValue]
  })
}

function sizeOfItems(items: readonly (readonly [AbiType, AbiValue])[]): number {
  let size = 0
  for (const [type, value] of items) size += type.isDynamic ? 32 + sizeOf(type, value) : type.size
  return size
}

/** Bytes of an encoding, without the offset of a dynamic one. */
function sizeOf(type: AbiType, value: AbiValue): number {
  if (!type.isDynamic) return type.size
  if (type.kind === 'bytes' || type.kind === 'string') return 32 + padded(bytesOf(type.kind, value))
  if (type.kind !== 'array' && type.kind !== 'tuple') return type.size
  const count = type.kind === 'array' && type.length === undefined ? 32 : 0
  return count + sizeOfItems(itemsOf(type, value))
}

function putWord(view: DataView, at: number, value: bigint): void {
  if (value >= 0n && value < 1n << 64n) {
    view.setBigUint64(at + 24, value)
    return
  }
  const word = BigInt.asUintN(WORD_BITS, value)
  view.setBigUint64(at + 24, BigInt.asUintN(64, word))
  view.setBigUint64(at + 16, BigInt.asUintN(64, word >> 64n))
  view.setBigUint64(at + 8, BigInt.asUintN(64, word >> 128n))
  view.setBigUint64(at, word >> 192n)
}

interface Target {
  readonly bytes: Uint8Array
  readonly view: DataView
}

function putItems(target: Target, items: readonly (readonly [AbiType, AbiValue])[], base: number): void {
  let head = base
  let tail = base
  for (const [type] of items) tail += type.size
  for (const [type, value] of items) {
    if (type.isDynamic) {
      putWord(target.view, head, BigInt(tail - base))
      put(target, type, value, tail)
      tail += sizeOf(type, value)
    } else put(target, type, value, head)
    head += type.size
  }
}

function putData({ bytes, view }: Target, type: AbiType, value: AbiValue, at: number): void {
  const isText = type.kind === 'string'
  putWord(view, at, BigInt(bytesOf(isText ? 'string' : 'bytes', value)))
  if (isText) bytes.set(utf8ToBytes(value as string), at + 32)
  else putHex(bytes, at + 32, value as string)
}

function put(target: Target, type: AbiType, value: AbiValue, at: number): void {
  switch (type.kind) {
    case 'uint':
    case 'int':
      putWord(target.view, at, value as bigint)
      break
    case 'bool':
      target.bytes[at + 31] = value === true ? 1 : 0
      break
    case 'address':
      putHex(target.bytes, at + 12, value as string)
      break
    case 'fixedBytes':
      putHex(target.bytes, at, value as string)
      break
    case 'bytes':
    case 'string':
      putData(target, type, value, at)
      break
    default: {
      const items = itemsOf(type, value)
      const isCounted = type.kind === 'array' && type.length === undefined
      if (isCounted) putWord(target.view, at, BigInt(items.length))
      putItems(target, items, isCounted ? at + 32 : at)
    }
  }
}

/** Where short encodings are written: a view of its own for each would take longer than the writing. */
const SCRATCH_BYTES = 1 << 12
const scratch = targetOf(new Uint8Array(SCRATCH_BYTES))

function targetOf(bytes: Uint8Array): Target {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset) }
}

/** Encodes values after `prefix`, such as a selector; they have to fit the types. */
export function encodeAbi(
  types: readonly AbiType[],
  values: readonly AbiValue[],
  prefix: Uint8Array,
): Uint8Array {
  const items = types.map((type, index) => [type, values[index] as AbiValue] as const)
  const length = prefix.length + sizeOfItems(items)
  const isShort = length <= SCRATCH_BYTES
  const target = isShort ? scratch : targetOf(new Uint8Array(length))
  if (isShort) target.bytes.fill(0, 0, length)
  target.bytes.set(prefix)
  putItems(target, items, prefix.length)
  return isShort ? target.bytes.slice(0, length) : target.bytes
}
