// What sources hold beside code: literals, which fuzz tests are likely to compare their arguments with, by the types that
// forge tries them for; and structs.

import { keccak256 } from '../../../core/primitives/crypto.ts'
import { bytesToBigInt, type Hex, utf8ToBytes } from '../../../core/primitives/hex.ts'
import type { DefinedStruct } from '../../cheatcodes/struct-types.ts'
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

/** The literals in sources. */
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
