// Literals and structs in sources, and arguments of fuzz tests, drawn as forge draws them.

import type { AbiType, AbiValue } from '../../../core/primitives/abi.ts'
import { addressOfWord, keccak256 } from '../../../core/primitives/crypto.ts'
import { bytesToBigInt, bytesToHex, type Hex, toWord, utf8ToBytes } from '../../../core/primitives/hex.ts'
import type { DefinedStruct } from '../../cheatcodes/struct-types.ts'
import { bitsOf, narrow, type ValueSource } from '../contracts/draw.ts'
import { COMMENT_OR_TEXT } from './sources.ts'

export interface Literals {
  /** Texts without escapes. */
  readonly texts: readonly string[]
  /** Those of `hex'…'`. */
  readonly bytes: readonly Hex[]
  /** Words, by canonical types. */
  readonly words: ReadonlyMap<string, readonly bigint[]>
}

const BITS = [8n, 16n, 32n, 64n, 128n, 256n]

type Groups = Readonly<Record<string, string | undefined>>
const UNITS: Readonly<Record<string, bigint>> = {
  gwei: 10n ** 9n,
  ether: 10n ** 18n,
  minutes: 60n,
  hours: 3600n,
  days: 86_400n,
  weeks: 604_800n,
}
const NUMBER =
  /(?<sign>(?:^|[(,=:?[{<>&|+*/%^-]|\breturn)\s*-\s*)?(?<![\w.])(?:(?<hex>0x[\da-fA-F_]+)|(?<whole>\d[\d_]*)(?:\.(?<part>\d[\d_]*))?(?:[eE](?<power>\d{1,3}))?)(?:\s+(?<unit>gwei|ether|minutes|hours|days|weeks)\b)?(?!\w)/g
const ADDRESS_LENGTH = 42

/** The value of a decimal number; `undefined` if it has a fraction. */
function decimal({ whole = '', part = '', power = '0' }: Groups, unit: bigint): bigint | undefined {
  const digits = part.replaceAll('_', '')
  const value = BigInt(whole.replaceAll('_', '') + digits) * 10n ** BigInt(power) * unit
  const divisor = 10n ** BigInt(digits.length)
  return value % divisor === 0n ? value / divisor : undefined
}

class Collector {
  readonly texts = new Set<string>()
  readonly bytes = new Set<Hex>()
  readonly words = new Map<string, Set<bigint>>()

  private add(type: string, word: bigint): void {
    this.words.set(type, (this.words.get(type) ?? new Set()).add(word))
  }

  text(text: string, isHex: boolean): void {
    if (isHex) this.bytes.add(`0x${text.replaceAll('_', '')}`)
    if (isHex || text.includes('\\')) return
    const bytes = utf8ToBytes(text)
    this.texts.add(text)
    this.add('bytes32', bytesToBigInt(keccak256(bytes)))
    if (bytes.length <= 32) this.add('bytes32', bytesToBigInt(bytes) << BigInt(8 * (32 - bytes.length)))
  }

  number(groups: Groups): void {
    const { hex, sign, unit = '' } = groups
    if (hex?.length === ADDRESS_LENGTH) this.add('address', BigInt(hex))
    const value = hex === undefined ? decimal(groups, UNITS[unit] ?? 1n) : BigInt(hex.replaceAll('_', ''))
    if (value === undefined || hex?.length === ADDRESS_LENGTH) return
    for (const bits of BITS) {
      if (sign === undefined && value < 1n << bits) this.add(`uint${bits}`, value)
      if (sign !== undefined && value <= 1n << (bits - 1n)) this.add(`int${bits}`, -value)
    }
  }
}

export function literalsIn(sources: readonly string[]): Literals {
  const found = new Collector()
  for (const source of sources) {
    const code = source.replace(COMMENT_OR_TEXT, (text: string, at: number) => {
      if (!text.startsWith('/')) found.text(text.slice(1, -1), source.slice(at - 3, at) === 'hex')
      return ' '
    })
    for (const { groups = {} } of code.matchAll(NUMBER)) found.number(groups)
  }
  const words = new Map([...found.words].map(([type, set]) => [type, [...set]]))
  return { texts: [...found.texts], bytes: [...found.bytes], words }
}

const STRUCT = /\bstruct\s+(?<name>[\w$]+)\s*\{(?<body>[^}]*)\}/g

/** The structs that sources define, without those that no value can have. */
export function definedStructs(sources: readonly string[]): readonly DefinedStruct[] {
  return [...new Set(sources)].flatMap((source) => {
    const found = source.replace(COMMENT_OR_TEXT, ' ').matchAll(STRUCT)
    return [...found].flatMap(({ groups: { name = '', body = '' } = {} }) => {
      const fields = body.split(';').flatMap((field) => /[\w$]+(?=\s*$)/.exec(field)?.[0] ?? [])
      return /\bmapping\b/.test(body) ? [] : [{ name, fields }]
    })
  })
}

interface TestSource extends ValueSource {
  /** The literals in the sources of the project. */
  readonly literals: () => Literals
}

/** Ranges of characters, each with the percentage of those in it and before. Their UTF-8 has one to four bytes. */
const CHARACTERS = [
  [57, 0x20, 0x7e],
  [65, 0xa1, 0x24f],
  [81, 0x900, 0x1fff],
  [100, 0x10000, 0x10ffff],
] as const
const MOST_CHARACTERS = 31
const MOST_BYTES = 100
const MOST_ITEMS = 255
/** Items of an array within an array. */
const MOST_INNER_ITEMS = 15

function drawText({ random, literals }: TestSource, isKnown: boolean): string {
  const known = isKnown && random.chance(30) ? literals().texts : []
  if (known.length > 0) return random.pick(known)
  const points = Array.from({ length: random.below(MOST_CHARACTERS + 1) }, () => {
    const percent = random.below(100)
    const [, first, last] = CHARACTERS.find(([most]) => percent < most) ?? CHARACTERS[0]
    return first + random.below(last - first + 1)
  })
  return String.fromCodePoint(...points).trim()
}

function drawBytes({ random, literals }: TestSource, known: bigint | undefined): Hex {
  if (known !== undefined) {
    const { bytes, texts } = literals()
    if (bytes.length > 0 && random.chance(30)) return random.pick(bytes)
    return texts.length > 0 && random.chance(30) ? bytesToHex(utf8ToBytes(random.pick(texts))) : toWord(known)
  }
  const length = random.below(MOST_BYTES + 1)
  const digits = random.bits(8 * length).toString(16)
  return length === 0 ? '0x' : `0x${digits.padStart(2 * length, '0')}`
}

/** A number that is at an edge of its type, or has any count of bits. */
function drawNumber({ random }: ValueSource, type: AbiType): bigint {
  const bits = bitsOf(type)
  if (!random.chance(17)) return narrow(type, random.bits(random.below(bits + 1)))
  const edge = BigInt(random.below(4))
  if (type.kind !== 'int') return random.chance(50) ? edge : narrow(type, -1n - edge)
  const least = -(1n << BigInt(bits - 1))
  return random.pick([edge, least + edge, -least - 1n - edge])
}

/** Calls of a hundred whose address may be any word that contracts know: most of these are precompiles. */
const ANY_ADDRESS = 5

/** A literal of the type, or a word that contracts know. */
function drawKnown({ random, dictionary, literals }: TestSource, type: AbiType): bigint | undefined {
  const own = random.chance(50) ? literals().words.get(type.canonical) : undefined
  if (own === undefined && type.kind === 'address' && !random.chance(ANY_ADDRESS)) return undefined
  const words = own ?? dictionary.numbers
  return words.length > 0 ? random.pick(words) : undefined
}

/** A value for a fuzz test, drawn as forge does: all of a call are known to the contracts, or none is. */
function drawValue(source: TestSource, type: AbiType, isKnown: boolean, most = MOST_ITEMS): AbiValue {
  const { random } = source
  const known = isKnown ? drawKnown(source, type) : undefined
  switch (type.kind) {
    case 'uint':
    case 'int':
      return known === undefined ? drawNumber(source, type) : narrow(type, known)
    case 'address':
      return addressOfWord(known ?? random.bits(160))
    case 'fixedBytes':
      return toWord(known ?? random.bits(256)).slice(0, 2 + 2 * type.length) as Hex
    case 'bytes':
      return drawBytes(source, known)
    case 'string':
      return drawText(source, isKnown)
    case 'array': {
      const length = type.length ?? random.below(most + 1)
      return Array.from({ length }, () => drawValue(source, type.element, isKnown, MOST_INNER_ITEMS))
    }
    case 'tuple':
      return type.components.map((each) => drawValue(source, each.type, isKnown, MOST_INNER_ITEMS))
    default:
      return random.chance(50)
  }
}

/** Arguments of a test. Fixtures are values of its own for a parameter; `knownPercent` of calls have what contracts know. */
export function drawTestArguments(
  source: TestSource,
  types: readonly AbiType[],
  fixtures: readonly (readonly AbiValue[] | undefined)[],
  knownPercent: number,
): AbiValue[] {
  const { random } = source
  const isKnown = random.chance(knownPercent)
  return types.map((type, index) => {
    const own = fixtures[index] ?? []
    return own.length > 0 && random.chance(50) ? random.pick(own) : drawValue(source, type, isKnown)
  })
}
