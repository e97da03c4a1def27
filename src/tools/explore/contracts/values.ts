// Values of arguments: drawn by their types, and changed.

import type { AbiValue } from '../../../core/primitives/abi.ts'
import type { AbiType } from '../../../core/primitives/abi-type.ts'
import { type Address, type Hex, toWord, ZERO_ADDRESS } from '../../../core/primitives/hex.ts'
import type { Dictionary } from './dictionary.ts'
import type { Random } from './random.ts'

export interface Source {
  readonly random: Random
  readonly dictionary: Dictionary
  /** Senders and contracts. */
  readonly addresses: readonly Address[]
}

const MOST_ITEMS = 4
const MOST_BYTES = 96
const PRINTABLE = 95

/** The bits of a type that is a number. */
function bitsOf(type: AbiType): number {
  return type.kind === 'uint' || type.kind === 'int' ? type.bits : 256
}

/** A number cut to its type. */
export function narrow(type: AbiType, value: bigint): bigint {
  return type.kind === 'int' ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(bitsOf(type), value)
}

/** A number: one that contracts know or its neighbour, a small one, one near a power of two, an extreme, or any. */
function drawNumber({ random, dictionary }: Source, type: AbiType): bigint {
  const bits = bitsOf(type)
  const kind = random.below(100)
  if (kind < 35 && dictionary.numbers.length > 0) {
    const known = random.pick(dictionary.numbers)
    return narrow(type, random.chance(60) ? known : known + BigInt(random.below(3) - 1))
  }
  if (kind < 55) return BigInt(random.below(11))
  if (kind < 65) return narrow(type, BigInt(random.below(1 << 10)))
  if (kind < 70) return narrow(type, (1n << BigInt(random.below(bits))) - BigInt(random.below(2)))
  if (kind < 75) return narrow(type, 10n ** BigInt(random.below(28)))
  if (kind < 80) return narrow(type, type.kind === 'int' ? 1n << BigInt(bits - 1) : -1n)
  if (kind < 84) return narrow(type, type.kind === 'int' ? (1n << BigInt(bits - 1)) - 1n : -2n)
  return narrow(type, random.bits(1 + random.below(bits)))
}

function drawAddress({ random, dictionary, addresses }: Source): Address {
  const kind = random.below(100)
  if (kind < 75 || dictionary.addresses.length === 0) return random.pick(addresses)
  if (kind < 90) return random.pick(dictionary.addresses)
  return kind < 95 ? ZERO_ADDRESS : `0x${toWord(random.bits(160)).slice(26)}`
}

function drawBytes({ random, dictionary }: Source, length: number): Hex {
  if (random.chance(40) && dictionary.numbers.length > 0) {
    const digits = random.pick(dictionary.numbers).toString(16)
    const whole = digits.length % 2 === 0 ? digits : `0${digits}`
    return `0x${whole.slice(0, 2 * length).padEnd(2 * length, '0')}`
  }
  if (random.chance(20)) return `0x${'0'.repeat(2 * length)}`
  let hex = ''
  while (hex.length < 2 * length) hex += toWord(random.bits(256)).slice(2)
  return `0x${hex.slice(0, 2 * length)}`
}

function drawText({ random }: Source): string {
  const length = random.below(random.chance(80) ? 8 : 64)
  return String.fromCharCode(...Array.from({ length }, () => 32 + random.below(PRINTABLE)))
}

/** A value of a type. */
export function drawValue(source: Source, type: AbiType): AbiValue {
  const { random } = source
  switch (type.kind) {
    case 'uint':
    case 'int':
      return drawNumber(source, type)
    case 'bool':
      return random.chance(50)
    case 'address':
      return drawAddress(source)
    case 'fixedBytes':
      return drawBytes(source, type.length)
    case 'bytes':
      return drawBytes(source, random.chance(30) ? 0 : random.below(MOST_BYTES))
    case 'string':
      return drawText(source)
    case 'array': {
      const length = type.length ?? random.below(MOST_ITEMS + 1)
      return Array.from({ length }, () => drawValue(source, type.element))
    }
    default:
      return type.components.map((component) => drawValue(source, component.type))
  }
}

function changeNumber(source: Source, type: AbiType, value: bigint): bigint {
  const { random } = source
  switch (random.below(7)) {
    case 0:
      return narrow(type, value + BigInt(1 + random.below(4)))
    case 1:
      return narrow(type, value - BigInt(1 + random.below(4)))
    case 2:
      return narrow(type, value * 2n)
    case 3:
      return narrow(type, value / 2n)
    case 4:
      return narrow(type, value ^ (1n << BigInt(random.below(bitsOf(type)))))
    default:
      return drawNumber(source, type)
  }
}

/** A value that differs in one place, mostly. */
export function changeValue(source: Source, type: AbiType, value: AbiValue): AbiValue {
  const { random } = source
  if (type.kind === 'uint' || type.kind === 'int') return changeNumber(source, type, value as bigint)
  if (type.kind === 'bool') return value !== true
  if (type.kind !== 'array' && type.kind !== 'tuple') return drawValue(source, type)
  const items = value as readonly AbiValue[]
  const isOpen = type.kind === 'array' && type.length === undefined
  if (items.length === 0 || (isOpen && random.chance(20))) return drawValue(source, type)
  const at = random.below(items.length)
  if (isOpen && random.chance(25)) {
    return random.chance(50) ? items.filter((_, index) => index !== at) : [...items, items[at] as AbiValue]
  }
  const inner = type.kind === 'array' ? type.element : (type.components[at]?.type as AbiType)
  return replaceAt(items, at, changeValue(source, inner, items[at] as AbiValue))
}

export function replaceAt<Item>(items: readonly Item[], at: number, item: Item): Item[] {
  return items.map((each, index) => (index === at ? item : each))
}
