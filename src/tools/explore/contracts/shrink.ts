// A failing sequence made short and simple, by fast-check: calls are left out, numbers become smaller, senders and times
// the first and none.

import {
  type Arbitrary,
  array,
  asyncProperty,
  bigInt,
  boolean,
  check,
  constant,
  constantFrom,
  nat,
  oneof,
  string,
  tuple,
} from 'fast-check'
import type { AbiValue } from '../../../core/primitives/abi.ts'
import type { AbiType } from '../../../core/primitives/abi-type.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import type { Action, Call } from './call.ts'
import { type Played, type Playground, playCalls } from './play.ts'
import { writeCall } from './story.ts'

type Parts = [Action, readonly AbiValue[], Address, bigint, number]

/** Values of a sequence, which arbitraries choose from. */
interface Known {
  readonly addresses: readonly Address[]
  /** Hex of bytes that occurs. */
  readonly hexes: readonly string[]
}

function arbitraryOf(type: AbiType, known: Known): Arbitrary<AbiValue> {
  switch (type.kind) {
    case 'uint':
      return bigInt(0n, (1n << BigInt(type.bits)) - 1n)
    case 'int':
      return bigInt(-(1n << BigInt(type.bits - 1)), (1n << BigInt(type.bits - 1)) - 1n)
    case 'bool':
      return boolean()
    case 'address':
      return constantFrom(...known.addresses)
    case 'string':
      return string()
    case 'bytes':
      return constantFrom('0x', ...known.hexes)
    case 'fixedBytes':
      return constantFrom(`0x${'00'.repeat(type.length)}`, ...known.hexes)
    case 'array': {
      const { length, element } = type
      const limits = length === undefined ? {} : { minLength: length, maxLength: length }
      return array(arbitraryOf(element, known), limits)
    }
    default:
      return tuple(...type.components.map((component) => arbitraryOf(component.type, known)))
  }
}

/** The texts among values, whatever they are nested in. */
function textsIn(values: readonly AbiValue[]): string[] {
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value]
    return Array.isArray(value) ? textsIn(value) : []
  })
}

function knownIn(calls: readonly Call[], senders: readonly Address[]): Known {
  const hexes = new Set(calls.flatMap(({ args }) => textsIn(args)))
  return { addresses: [...new Set([...senders, ...(hexes as Set<Address>)])], hexes: [...hexes] }
}

function sequences(calls: readonly Call[], senders: readonly Address[]): Arbitrary<Parts[]> {
  const known = knownIn(calls, senders)
  const actions = [...new Set(calls.map(({ action }) => action))]
  const each = actions.map((action) =>
    tuple(
      constant(action),
      tuple(...action.types.map((type) => arbitraryOf(type, known))),
      constantFrom(...senders),
      bigInt(0n, (1n << 256n) - 1n),
      nat(),
    ),
  )
  return array(oneof(...each), { maxLength: calls.length }) as Arbitrary<Parts[]>
}

/** The simplest sequence found within so many attempts that fails in the same way. `keep` gets the best so far. */
export async function shrink(
  ground: Playground,
  senders: readonly Address[],
  start: readonly Call[],
  key: string,
  attempts: number,
  keep: (best: Played) => void,
): Promise<Played> {
  let best = await playCalls(ground, start, key)
  keep(best)
  let left = attempts
  // Again from what was found: a call may be left out now that had to stay before.
  while (best.calls.length > 0) {
    const { calls } = best
    // fast-check stops where none of its next sequences fails in the same way.
    const property = asyncProperty(sequences(calls, senders), async (parts) => {
      if (left-- <= 0) return
      const tried = parts.map(([action, args, sender, value, wait]) => ({
        action,
        args,
        sender,
        value,
        wait,
      }))
      const played = await playCalls(ground, tried, key)
      if (played.broken === undefined) return
      best = played
      keep(played)
      throw new Error(key)
    })
    const example = calls.map(({ action, args, sender, value, wait }): Parts => {
      return [action, [...args], sender, value, wait]
    })
    await check(property, { examples: [[example]], numRuns: 1, seed: 0 })
    if (left <= 0 || textOfCalls(best.calls) === textOfCalls(calls)) break
  }
  return best
}

function textOfCalls(calls: readonly Call[]): string {
  return JSON.stringify(calls.map(writeCall))
}
