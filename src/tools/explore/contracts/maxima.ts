// Numbers that a search makes as large as it can: those of functions named optimize_…, and of the option `maximize`.

import type { AbiType } from '../../../core/primitives/abi.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { type Address, bytesToBigInt } from '../../../core/primitives/hex.ts'
import { describe } from '../../../core/primitives/text-of.ts'
import { type Call, callsOf, changeFields, type Path, type Position } from './call.ts'
import { type Checks, NO_CHECKS, withView } from './checks.ts'
import { type CallSource, narrow, numbersIn, replaceAt } from './draw.ts'
import type { Machine } from './machine.ts'
import { type Played, type Playground, playCalls } from './play.ts'
import type { ContractScene } from './scene.ts'
import { boundsIn, shrinkCalls } from './shrink-calls.ts'

/** A number at a position; `undefined` if a contract does not tell it there. */
export type NumberAt = (position: Position) => Promise<bigint | undefined>

/** The largest number so far, and the calls that have led to it. */
export interface Maximum {
  readonly value: bigint
  readonly path: Path
}

export function numbersOf(scene: ContractScene, machine: Machine): ReadonlyMap<string, NumberAt> {
  const numbers = new Map<string, NumberAt>()
  for (const { name, from, address, selector, isSigned } of scene.maximized) {
    numbers.set(name, async (position) => {
      const { result } = await machine.call(position, from, address, selector)
      const { outcome, returnData } = result
      if (outcome !== 'success' || returnData.length !== 32) return undefined
      const word = bytesToBigInt(returnData)
      return isSigned ? BigInt.asIntN(256, word) : word
    })
  }
  for (const [name, tell] of Object.entries(scene.maximize)) {
    numbers.set(name, async (position) => {
      const value = await withView(scene, machine, position, tell)
      if (typeof value === 'bigint' || Number.isSafeInteger(value)) return BigInt(value as bigint | number)
      const reason = `expected an integer, got ${describe(value)}`
      throw failure('callbackFailed', { callback: `maximize.${name}`, reason })
    })
  }
  return numbers
}

/** Compares the numbers at a position with the largest so far. */
export function createMaxima(numbers: ReadonlyMap<string, NumberAt>) {
  const best = new Map<string, Maximum>()
  return {
    best: best as ReadonlyMap<string, Maximum>,
    async note(position: Position, path: Path): Promise<boolean> {
      let isLarger = false
      for (const [name, ask] of numbers) {
        const value = await ask(position)
        const known = best.get(name)
        if (value === undefined || (known !== undefined && value <= known.value)) continue
        best.set(name, { value, path })
        isLarger = true
      }
      return isLarger
    },
  }
}

/** A check that fails at the end of calls if a number is as large as ever: so calls that are made simpler keep it. */
function checkOfMaximum(name: string, ask: NumberAt, least: bigint): Checks {
  let most = least
  return {
    ...NO_CHECKS,
    async ofEnd(position) {
      const value = await ask(position)
      if (value === undefined || value < most) return undefined
      most = value
      return { kind: 'invariantBroken', name, key: name, reason: `${value}` }
    },
  }
}

/** Calls of which one has another number, at a bound of what its code takes. */
function* raisedCalls(calls: readonly Call[], bounds: CallSource['bounds']): Generator<readonly Call[]> {
  for (const [at, call] of calls.entries()) {
    const { action, args } = call
    for (const index of numbersIn(action.types))
      for (const bound of bounds.get(action.index) ?? [])
        for (const number of [bound - 1n, bound, bound + 1n]) {
          const changed = replaceAt(args, index, narrow(action.types[index] as AbiType, number))
          yield replaceAt(calls, at, changeFields(call, { args: changed }))
        }
  }
}

/** Raises a number by changes of single arguments, as long as one does, within so many attempts. */
async function climb(
  ground: Playground,
  name: string,
  ask: NumberAt,
  { value: first, path }: Maximum,
  attempts: number,
): Promise<{ readonly value: bigint; readonly calls: readonly Call[] }> {
  let [value, calls]: [bigint, readonly Call[]] = [first, callsOf(path)]
  const bounds = await boundsIn(ground, calls)
  let left = attempts
  for (let isHigher = true; isHigher; ) {
    isHigher = false
    for (const tried of raisedCalls(calls, bounds)) {
      if (left-- <= 0) break
      const checks = checkOfMaximum(name, ask, value + 1n)
      const { broken } = await playCalls({ ...ground, checks }, tried, name)
      if (broken === undefined) continue
      ;[value, calls, isHigher] = [BigInt(broken.reason), tried, true]
      break
    }
  }
  return { value, calls }
}

/** Raises a number, and makes the calls simpler that lead to it; `keep` gets the best so far. */
export async function simplifyMaximum(
  ground: Playground,
  senders: readonly Address[],
  [name, ask]: readonly [name: string, ask: NumberAt],
  largest: Maximum,
  attempts: number,
  keep: (best: Played) => void,
): Promise<void> {
  const { value, calls } = await climb(ground, name, ask, largest, attempts)
  const checks = checkOfMaximum(name, ask, value)
  await shrinkCalls({ ...ground, checks }, senders, calls, name, attempts, keep)
}
