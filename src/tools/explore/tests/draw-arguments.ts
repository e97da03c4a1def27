// Arguments of fuzz tests, drawn as forge draws them, so that gas and counterexamples are of the same kind.

import type { AbiType, AbiValue } from '../../../core/primitives/abi.ts'
import { addressOfWord } from '../../../core/primitives/crypto.ts'
import { bytesToHex, type Hex, toWord, utf8ToBytes } from '../../../core/primitives/hex.ts'
import { bitsOf, narrow, type ValueSource } from '../contracts/draw.ts'
import type { Literals } from './literals.ts'

/** The source of values for a test. */
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
  return `0x${
    length === 0
      ? ''
      : random
          .bits(8 * length)
          .toString(16)
          .padStart(2 * length, '0')
  }`
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
