// A sequence of calls, performed from the start, and watched so that one that hangs can be cut and told.

import {
  type Arbitrary,
  array,
  bigInt,
  boolean,
  constant,
  constantFrom,
  nat,
  oneof,
  string,
  tuple,
  Value,
} from 'fast-check'
import type { AbiType, AbiValue } from '../../../core/primitives/abi.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import type { PartRunner } from '../parts.ts'
import { simplerBy, simplify } from '../shrink.ts'
import {
  type Action,
  type Call,
  callsOf,
  makeCall,
  NO_CALLS,
  type Path,
  type Position,
  withCall,
} from './call.ts'
import type { BrokenCheck, Checks } from './checks.ts'
import { type CallSource, narrow, noteBounds, numbersIn, replaceAt } from './draw.ts'
import type { Machine } from './machine.ts'
import { writeCall } from './story.ts'

export type Watch = ReturnType<typeof createWatch>

/** Watches the calls that are being performed. */
export function createWatch(runner: PartRunner | undefined) {
  let at = NO_CALLS
  let isCut = false
  /** The calls that the runner was told last. */
  let shown: Path | undefined
  return {
    /** The calls up to the present one. */
    at: (): Path => at,
    /** A call begins, the last of these; throws if it goes on after it was cut. */
    begin(path: Path): void {
      if (isCut) throw new Error('the run was cut')
      at = path
      runner?.beat?.()
    },
    /** Tells the runner the present calls, before code of the user runs. */
    show(): void {
      if (runner?.onStep === undefined || at.call === undefined) return
      // Mostly one more call, or another one as the last: what follows a step is undone when that is told again.
      const isLastAlone = shown !== undefined && (at.before === shown || at.before === shown.before)
      const calls = isLastAlone ? [at.call] : callsOf(at)
      for (const [index, call] of calls.entries())
        runner.onStep(at.length - calls.length + index, writeCall(call))
      shown = at
    },
    /** The runner has to be told of all calls again. */
    beginStory(): void {
      shown = undefined
    },
    isCut: (): boolean => isCut,
    cut(): void {
      isCut = true
    },
  }
}

export interface Played {
  readonly broken: BrokenCheck | undefined
  /** The calls that count: those that did not fail, and the one that violated an assertion. */
  readonly calls: readonly Call[]
  /** The number of calls that were made: up to the failure. */
  readonly made: number
  /** The positions of those that failed. */
  readonly failed: readonly number[]
  /** The branches that were reached, of those not known before. */
  readonly reached: readonly number[]
  /** Before the last of them. */
  readonly before: Position
  readonly after: Position
}

/** The failures that are not looked for: all but that with the key, or none. */
function others(key: string | undefined): ReadonlySet<string> {
  const known = new Set<string>()
  if (key !== undefined) known.has = (other) => other !== key
  return known
}

/** Everything that calls are performed with. */
export interface Playground {
  readonly machine: Machine
  readonly checks: Checks
  readonly watch: Watch
  readonly root: Position
}

export async function playCalls(
  { machine, checks, watch, root }: Playground,
  calls: readonly Call[],
  key?: string,
): Promise<Played> {
  const known = others(key)
  const performed: Call[] = []
  const failed: number[] = []
  let [before, after] = [root, root]
  let path = NO_CALLS
  let made = 0
  watch.begin(path)
  let broken = await checks.ofPosition(root, known)
  for (const [index, call] of calls.entries()) {
    if (broken !== undefined) break
    made++
    path = withCall(path, call)
    watch.begin(path)
    const outcome = await machine.perform(after, call)
    const assertion = outcome && checks.ofCall(call, outcome)
    if (assertion !== undefined && !known.has(assertion.key)) broken = assertion
    const isKept = outcome?.result.outcome === 'success'
    if (!isKept && broken === undefined) {
      failed.push(index)
      continue
    }
    performed.push(call)
    ;[before, after] = [after, outcome?.position ?? after]
    broken ??= await checks.ofPosition(after, known)
  }
  broken ??= await checks.ofEnd(after, known)
  const reached = machine.coverage.take()
  machine.coverage.forget(reached)
  return { broken, calls: performed, made, failed, reached, before, after }
}

type Parts = [Action, readonly AbiValue[], Address, bigint, number]

/** Values of a sequence, which arbitraries choose from. */
type Known = ReturnType<typeof knownIn>

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

function knownIn(calls: readonly Call[], senders: readonly Address[]) {
  const hexes = new Set(calls.flatMap(({ args }) => textsIn(args)))
  return { addresses: [...new Set([...senders, ...(hexes as Set<Address>)])], hexes: [...hexes] }
}

/** The calls of a sequence, and simpler ones. */
function partsOf(calls: readonly Call[], senders: readonly Address[]): Arbitrary<Parts> {
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
  return oneof(...each) as Arbitrary<Parts>
}

/** Numbers that the arguments of calls are compared with, by their action. */
export async function boundsIn({ machine, root }: Playground, calls: readonly Call[]) {
  const bounds: CallSource['bounds'] = new Map()
  let position = root
  for (const call of calls) {
    machine.coverage.watchComparisons()
    const outcome = await machine.perform(position, call)
    noteBounds(bounds, call, machine.coverage.takeComparisons())
    position = outcome?.position ?? position
  }
  machine.coverage.forget(machine.coverage.take())
  return bounds
}

/** A call that waits and pays for another as well, and has its numbers added to its own, or one that is as large as it may be. */
function* joinedCalls(
  [action, args, sender, value, wait]: Parts,
  [other, otherArgs, , otherValue, otherWait]: Parts,
  bounds: CallSource['bounds'],
): Generator<Parts> {
  const [sum, time] = [value + otherValue, wait + otherWait]
  if (sum > value || time > wait) yield [action, args, sender, sum, time]
  for (const at of numbersIn(action.types)) {
    const type = action.types[at] as AbiType
    const known = args[at] as bigint
    const added = action === other ? [known + (otherArgs[at] as bigint)] : []
    const most = (bounds.get(action.index) ?? []).flatMap((bound) => [bound - 1n, bound])
    for (const number of [...most, ...added])
      yield [action, replaceAt(args, at, narrow(type, number)), sender, sum, time]
  }
}

/** The simplest sequence found within so many attempts that fails in the same way. `keep` gets the best so far. */
export async function shrinkCalls(
  ground: Playground,
  senders: readonly Address[],
  start: readonly Call[],
  key: string,
  attempts: number,
  keep: (best: Played) => void,
): Promise<Played> {
  let best = await playCalls(ground, start, key)
  keep(best)
  const attempt = async (parts: readonly Parts[]): Promise<readonly number[] | undefined> => {
    const tried = parts.map(([action, args, sender, value, wait]) =>
      makeCall(action, sender, args, value, wait),
    )
    const played = await playCalls(ground, tried, key)
    if (played.broken === undefined) return undefined
    best = played
    keep(played)
    return parts.flatMap((_, at) => (at < played.made && !played.failed.includes(at) ? [at] : []))
  }
  const parts = best.calls.map(({ action, args, sender, value, wait }) => {
    return new Value<Parts>([action, [...args], sender, value, wait], undefined)
  })
  if (parts.length === 0) return best
  const item = partsOf(best.calls, senders)
  const bounds = await boundsIn(ground, best.calls)
  const joined = (call: Value<Parts>, left: Value<Parts>) =>
    [...joinedCalls(call.value, left.value, bounds)].map((each) => new Value(each, undefined))
  await simplify({ simpler: (call) => simplerBy(item, call), joined, attempts, attempt }, parts)
  return best
}
