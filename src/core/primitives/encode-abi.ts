// ABI encoding of values that fit their types.

import type { AbiType, AbiValue } from './abi.ts'
import { putHex, utf8ToBytes } from './hex.ts'
import { SharedBytes } from './shared-bytes.ts'

const WORD_BITS = 256

function bytesOf(kind: 'bytes' | 'string', value: AbiValue): number {
  return kind === 'string' ? utf8ToBytes(value as string).length : ((value as string).length - 2) / 2
}

type Group = AbiType & { readonly kind: 'array' | 'tuple' }

/** The types of what an array or a tuple has. */
function typesOf(type: Group, value: AbiValue): readonly AbiType[] {
  if (type.kind === 'tuple') return type.components.map((component) => component.type)
  return (value as readonly AbiValue[]).map(() => type.element)
}

/** The values in an array or a tuple. A tuple is an array, or an object by its names. */
function valuesOf(type: Group, value: AbiValue): readonly AbiValue[] {
  if (type.kind === 'array' || Array.isArray(value)) return value as readonly AbiValue[]
  return type.components.map(({ name }) => (value as { readonly [name: string]: AbiValue })[name] as AbiValue)
}

function sizeOfAll(types: readonly AbiType[], values: readonly AbiValue[]): number {
  let size = 0
  for (let index = 0; index < types.length; index++) {
    const type = types[index] as AbiType
    size += type.isDynamic ? 32 + sizeOf(type, values[index] as AbiValue) : type.size
  }
  return size
}

/** Bytes of an encoding, without the offset of a dynamic one. */
function sizeOf(type: AbiType, value: AbiValue): number {
  if (!type.isDynamic) return type.size
  if (type.kind === 'bytes' || type.kind === 'string') return 32 + ((bytesOf(type.kind, value) + 31) & -32)
  if (type.kind !== 'array' && type.kind !== 'tuple') return type.size
  const count = type.kind === 'array' && type.length === undefined ? 32 : 0
  return count + sizeOfAll(typesOf(type, value), valuesOf(type, value))
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

function putAll(target: Target, types: readonly AbiType[], values: readonly AbiValue[], base: number): void {
  let head = base
  let tail = base
  for (const type of types) tail += type.size
  for (let index = 0; index < types.length; index++) {
    const type = types[index] as AbiType
    const value = values[index] as AbiValue
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
      const values = valuesOf(type, value)
      const isCounted = type.kind === 'array' && type.length === undefined
      if (isCounted) putWord(target.view, at, BigInt(values.length))
      putAll(target, typesOf(type, value), values, isCounted ? at + 32 : at)
    }
  }
}

/** For inputs of calls, which are dropped after them. */
const inputs = new SharedBytes(1 << 16)

/** Encodes values after `prefix`, such as a selector; they have to fit the types. */
export function encodeAbi(
  types: readonly AbiType[],
  values: readonly AbiValue[],
  prefix: Uint8Array,
): Uint8Array {
  const bytes = inputs.take(prefix.length + sizeOfAll(types, values))
  bytes.set(prefix)
  putAll({ bytes, view: new DataView(bytes.buffer, bytes.byteOffset) }, types, values, prefix.length)
  return bytes
}
