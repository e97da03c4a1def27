// Calls and their values, drawn by their types and changed.

import type { Comparison } from '../../../core/execution/evm/covered-evm.ts'
import type { AbiType, AbiValue } from '../../../core/primitives/abi.ts'
import { addressOfWord } from '../../../core/primitives/crypto.ts'
import { type Address, type Hex, toWord, ZERO_ADDRESS } from '../../../core/primitives/hex.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import type { Chance } from '../random.ts'
import { type Action, type Call, changeFields, makeCall, type Position } from './call.ts'
import type { Dictionary } from './corpus.ts'

export interface ValueSource {
  random: Chance
  readonly dictionary: Dictionary
  /** Senders and contracts. */
  readonly addresses: readonly Address[]
}

const MOST_ITEMS = 4
const MOST_BYTES = 96
const PRINTABLE = 95

export function bitsOf(type: AbiType): number {
  return type.kind === 'uint' || type.kind === 'int' ? type.bits : 256
}

/** A number cut to its type. */
export function narrow(type: AbiType, value: bigint): bigint {
  return type.kind === 'int' ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(bitsOf(type), value)
}

/** A number: one that contracts know or its neighbour, a small one, one near a power of two, an extreme, or any. */
function drawNumber({ random, dictionary }: ValueSource, type: AbiType): bigint {
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

function drawAddress({ random, dictionary, addresses }: ValueSource): Address {
  const kind = random.below(100)
  if (kind < 75 || dictionary.addresses.length === 0) return random.pick(addresses)
  if (kind < 90) return random.pick(dictionary.addresses)
  return kind < 95 ? ZERO_ADDRESS : addressOfWord(random.bits(160))
}

function drawBytes({ random, dictionary }: ValueSource, length: number): Hex {
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

function drawValue(source: ValueSource, type: AbiType): AbiValue {
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
    case 'string': {
      const length = random.below(random.chance(80) ? 8 : 64)
      return String.fromCharCode(...Array.from({ length }, () => 32 + random.below(PRINTABLE)))
    }
    case 'array': {
      const length = type.length ?? random.below(MOST_ITEMS + 1)
      return Array.from({ length }, () => drawValue(source, type.element))
    }
    default:
      return type.components.map((component) => drawValue(source, component.type))
  }
}

function changeNumber(source: ValueSource, type: AbiType, value: bigint): bigint {
  const { random } = source
  const kind = random.below(7)
  if (kind === 0) return narrow(type, value + BigInt(1 + random.below(4)))
  if (kind === 1) return narrow(type, value - BigInt(1 + random.below(4)))
  if (kind === 2) return narrow(type, value * 2n)
  if (kind === 3) return narrow(type, value / 2n)
  if (kind === 4) return narrow(type, value ^ (1n << BigInt(random.below(bitsOf(type)))))
  return drawNumber(source, type)
}

/** A value that differs in one place, mostly. */
function changeValue(source: ValueSource, type: AbiType, value: AbiValue): AbiValue {
  const { random } = source
  if (type.kind === 'uint' || type.kind === 'int') return changeNumber(source, type, value as bigint)
  if (type.kind === 'bool') return value !== true
  if (type.kind !== 'array' && type.kind !== 'tuple') return drawValue(source, type)
  const items = value as readonly AbiValue[]
  const isOpen = type.kind === 'array' && type.length === undefined
  if (items.length === 0 || (isOpen && random.chance(20))) return drawValue(source, type)
  const at = random.below(items.length)
  if (isOpen && random.chance(25))
    return random.chance(50) ? items.filter((_, index) => index !== at) : [...items, items[at] as AbiValue]
  const inner = type.kind === 'array' ? type.element : (type.components[at]?.type as AbiType)
  return replaceAt(items, at, changeValue(source, inner, items[at] as AbiValue))
}

export function replaceAt<Item>(items: readonly Item[], at: number, item: Item): Item[] {
  return items.map((each, index) => (index === at ? item : each))
}

export interface CallSource extends ValueSource {
  readonly actions: readonly Action[]
  readonly senders: readonly Address[]
  readonly frequent: readonly Address[]
  readonly longestWait: number
  /** Numbers that arguments were compared with, by their action: bounds of what it takes. */
  readonly bounds: Map<number, bigint[]>
}

const DAY = 86_400

/** Seconds before a call: mostly none, so that several are in one block. */
function drawWait({ random, longestWait, dictionary }: CallSource): number {
  if (longestWait === 0 || random.chance(75)) return 0
  const kind = random.below(5)
  if (kind === 0) return 1 + random.below(Math.min(longestWait, 60))
  if (kind === 1) return 1 + random.below(Math.min(longestWait, DAY))
  if (kind === 2) return longestWait
  const known = dictionary.numbers.length === 0 ? 0n : random.pick(dictionary.numbers)
  if (kind === 3 && known > 0n && known < BigInt(longestWait))
    return Math.min(longestWait, Number(known) + random.below(2))
  return 1 + random.below(longestWait)
}

const WEI: AbiType = { kind: 'uint', bits: 256, canonical: 'uint256', size: 32, isDynamic: false }

function drawWei(source: CallSource, position: Position, { fn }: Action, sender: Address): bigint {
  const { random } = source
  if (!fn.isPayable || random.chance(40)) return 0n
  const { balance } = readAccount(position.state, sender)
  const drawn = random.chance(30) ? 10n ** BigInt(random.below(21)) : (drawValue(source, WEI) as bigint)
  return drawn <= balance ? drawn : random.chance(50) ? balance / 2n : 0n
}

const BOUND_PERCENT = 25
const MOST_BOUNDS = 16

export function numbersIn(types: readonly AbiType[]): number[] {
  return types.flatMap(({ kind }, index) => (kind === 'uint' || kind === 'int' ? [index] : []))
}

function withBound({ random, bounds }: CallSource, { index, types }: Action, args: readonly AbiValue[]) {
  const [known, numbers] = [bounds.get(index), numbersIn(types)]
  if (known === undefined || known.length === 0 || numbers.length === 0) return args
  const at = random.pick(numbers)
  return replaceAt(args, at, narrow(types[at] as AbiType, random.pick(known) + BigInt(random.below(3) - 1)))
}

export function noteBounds(
  bounds: CallSource['bounds'],
  { action, args }: Call,
  compared: readonly Comparison[],
) {
  const words = numbersIn(action.types).map((at) => BigInt.asUintN(256, args[at] as bigint))
  const known = bounds.get(action.index) ?? []
  bounds.set(action.index, known)
  for (const { left, right } of compared) {
    const other = words.includes(left) ? right : words.includes(right) ? left : undefined
    if (other !== undefined && known.length < MOST_BOUNDS && !known.includes(other)) known.push(other)
  }
}

const RARE_PERCENT = 25
const FIXTURE_PERCENT = 50

function drawSender({ random, senders, frequent }: CallSource): Address {
  return random.pick(frequent.length < senders.length && random.chance(RARE_PERCENT) ? senders : frequent)
}

export function drawCall(source: CallSource, position: Position, action: Action): Call {
  const { random } = source
  const sender = drawSender(source)
  const drawn = action.types.map((type, index) => {
    const fixture = action.fixtures?.[index] ?? []
    return fixture.length > 0 && random.chance(FIXTURE_PERCENT)
      ? random.pick(fixture)
      : drawValue(source, type)
  })
  const args = random.chance(BOUND_PERCENT) ? withBound(source, action, drawn) : drawn
  return makeCall(action, sender, args, drawWei(source, position, action, sender), drawWait(source))
}

/** The same number elsewhere: arguments that are equal, or in a relation, decide many branches. */
function copyNumber({ random }: CallSource, types: readonly AbiType[], args: readonly AbiValue[]) {
  const numbers = numbersIn(types)
  if (numbers.length < 2) return args
  const [from, to] = [random.pick(numbers), random.pick(numbers)]
  return replaceAt(args, to, narrow(types[to] as AbiType, args[from] as bigint))
}

function changeArgs(source: CallSource, { types }: Action, args: readonly AbiValue[]): readonly AbiValue[] {
  const { random } = source
  if (args.length === 0) return args
  if (random.chance(15)) return copyNumber(source, types, args)
  const at = random.below(args.length)
  return replaceAt(args, at, changeValue(source, types[at] as AbiType, args[at] as AbiValue))
}

/** A call that differs from another in one to four places. */
export function changeCall(source: CallSource, position: Position, call: Call): Call {
  const { random } = source
  let changed = call
  const changes = random.chance(60) ? 1 : 2 + random.below(3)
  for (let i = 0; i < changes; i++) {
    const { action } = changed
    const kind = random.below(100)
    const { args, sender } = changed
    if (kind < 75 && action.types.length > 0)
      changed = changeFields(changed, { args: changeArgs(source, action, args) })
    else if (kind < 85) changed = changeFields(changed, { sender: drawSender(source) })
    else if (kind < 92) changed = changeFields(changed, { wait: drawWait(source) })
    else changed = changeFields(changed, { value: drawWei(source, position, action, sender) })
  }
  return changed
}
