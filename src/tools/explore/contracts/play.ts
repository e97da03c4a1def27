// A sequence of calls, performed from the start, and watched so that one that hangs can be cut and told.

import * as fc from 'fast-check'
import type { AbiType, AbiValue } from '../../../core/primitives/abi.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import type { PartRunner } from '../parts.ts'
import { simplerBy, simplify } from '../shrink.ts'
import * as calling from './call.ts'
import type { Checks } from './checks.ts'
import { type CallSource, narrow, noteBounds, numbersIn, replaceAt } from './draw.ts'
import type { Machine } from './machine.ts'
import { callsThatMeet, inputsOf } from './meet.ts'
import { writeCall } from './story.ts'

/** Watches the calls that are being performed. */
export function createWatch(runner: PartRunner | undefined) {
  let at = calling.NO_CALLS
  let isCut = false
  /** The calls that the runner was told last. */
  let shown: calling.Path | undefined
  return {
    /** The calls up to the present one. */
    at: (): calling.Path => at,
    /** A call begins, the last of these; throws if it goes on after it was cut. */
    begin(path: calling.Path): void {
      if (isCut) throw new Error('the run was cut')
      at = path
      runner?.beat?.()
    },
    /** Tells the runner the present calls, before code of the user runs. */
    show(): void {
      if (runner?.onStep === undefined || at.call === undefined) return
      // Mostly one more call, or another one as the last: what follows a step is undone when that is told again.
      const isLastAlone = shown !== undefined && (at.before === shown || at.before === shown.before)
      const calls = isLastAlone ? [at.call] : calling.callsOf(at)
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

/** Calls that are tried in place of the last one, when one before it is left out. */
const MOST_MET = 64

export type Played = Awaited<ReturnType<typeof playCalls>>

/** Everything that calls are performed with. */
export interface Playground {
  readonly machine: Machine
  readonly checks: Checks
  readonly watch: ReturnType<typeof createWatch>
  readonly root: calling.Position
}

/** Performs calls up to a failure; with a key, one that has it. */
export async function playCalls(
  { machine, checks, watch, root }: Playground,
  calls: readonly calling.Call[],
  key?: string,
) {
  const known = { has: (other: string) => key !== undefined && other !== key }
  const counted: number[] = []
  const failed: number[] = []
  let [before, after] = [root, root]
  let path = calling.NO_CALLS
  watch.begin(path)
  let broken = await checks.ofPosition(root, known)
  for (const [index, call] of calls.entries()) {
    if (broken !== undefined) break
    path = calling.withCall(path, call)
    watch.begin(path)
    const outcome = await machine.perform(after, call)
    const assertion = outcome && checks.ofCall(call, outcome)
    if (assertion !== undefined && !known.has(assertion.key)) broken = assertion
    const isKept = outcome?.result.outcome === 'success'
    if (!isKept && broken === undefined) {
      failed.push(index)
      continue
    }
    counted.push(index)
    ;[before, after] = [after, outcome?.position ?? after]
    broken ??= await checks.ofPosition(after, known)
  }
  broken ??= await checks.ofEnd(after, known)
  const reached = machine.coverage.take()
  machine.coverage.forget(reached)
  return {
    broken,
    /** The positions of the calls that count: those that did not fail, and the one that violated an assertion. */
    counted,
    calls: counted.map((at) => calls[at] as calling.Call),
    /** The positions of those that failed. */
    failed,
    /** The branches that were reached, of those not known before. */
    reached,
    /** Before the last of them. */
    before,
    after,
  }
}

type Known = ReturnType<typeof knownIn>

function arbitraryOf(type: AbiType, known: Known): fc.Arbitrary<AbiValue> {
  switch (type.kind) {
    case 'uint':
      return fc.bigInt(0n, (1n << BigInt(type.bits)) - 1n)
    case 'int':
      return fc.bigInt(-(1n << BigInt(type.bits - 1)), (1n << BigInt(type.bits - 1)) - 1n)
    case 'bool':
      return fc.boolean()
    case 'address':
      return fc.constantFrom(...known.addresses)
    case 'string':
      return fc.string()
    case 'bytes':
      return fc.constantFrom('0x', ...known.hexes)
    case 'fixedBytes':
      return fc.constantFrom(`0x${'00'.repeat(type.length)}`, ...known.hexes)
    case 'array': {
      const { length, element } = type
      const limits = length === undefined ? {} : { minLength: length, maxLength: length }
      return fc.array(arbitraryOf(element, known), limits)
    }
    default:
      return fc.tuple(...type.components.map((component) => arbitraryOf(component.type, known)))
  }
}

/** The texts among values, whatever they are nested in. */
function textsIn(values: readonly AbiValue[]): string[] {
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value]
    return Array.isArray(value) ? textsIn(value) : []
  })
}

function knownIn(calls: readonly calling.Call[], senders: readonly Address[]) {
  const hexes = new Set(calls.flatMap(({ args }) => textsIn(args)))
  return { addresses: [...new Set([...senders, ...(hexes as Set<Address>)])], hexes: [...hexes] }
}

/** Calls such as those of a sequence, and simpler ones. */
function callsLike(calls: readonly calling.Call[], senders: readonly Address[]): fc.Arbitrary<calling.Call> {
  const known = knownIn(calls, senders)
  const actions = [...new Set(calls.map(({ action }) => action))]
  const each = actions.map(({ types }, at) =>
    fc
      .tuple(
        fc.constant(actions[at] as calling.Action),
        fc.tuple(...types.map((type) => arbitraryOf(type, known))),
        fc.constantFrom(...senders),
        fc.bigInt(0n, (1n << 256n) - 1n),
        fc.nat(),
      )
      .map(
        ([action, args, sender, value, wait]) => calling.makeCall(action, sender, args, value, wait),
        (call) => {
          const { action, sender, args, value, wait } = call as calling.Call
          return [action, [...args], sender, value, wait]
        },
      ),
  )
  return fc.oneof(...each)
}

/** Performs a call, and tells what it compares. */
async function compare({ machine }: Playground, position: calling.Position, call: calling.Call) {
  machine.coverage.watchComparisons()
  const outcome = await machine.perform(position, call)
  return { compared: machine.coverage.takeComparisons(), after: outcome?.position ?? position }
}

/** Numbers that the arguments of calls are compared with, by their action. */
export async function boundsIn(ground: Playground, calls: readonly calling.Call[]) {
  const { machine, root } = ground
  const bounds: CallSource['bounds'] = new Map()
  let position = root
  for (const call of calls) {
    const { compared, after } = await compare(ground, position, call)
    noteBounds(bounds, call, compared)
    position = after
  }
  machine.coverage.forget(machine.coverage.take())
  return bounds
}

/** A call that waits and pays for another as well, and has its numbers added to its own, or one that is as large as it may be. */
function* joinedCalls(
  call: calling.Call,
  other: calling.Call,
  bounds: CallSource['bounds'],
): Generator<calling.Call> {
  const { action, args } = call
  const [value, wait] = [call.value + other.value, call.wait + other.wait]
  if (value > call.value || wait > call.wait) yield calling.changeFields(call, { value, wait })
  for (const at of numbersIn(action.types)) {
    const added = action === other.action ? [(args[at] as bigint) + (other.args[at] as bigint)] : []
    const most = (bounds.get(action.index) ?? []).flatMap((bound) => [bound - 1n, bound])
    for (const number of [...most, ...added]) {
      const joined = replaceAt(args, at, narrow(action.types[at] as AbiType, number))
      yield calling.changeFields(call, { args: joined, value, wait })
    }
  }
}

/** Variants of the last call that meet its comparisons in the state after the others. */
async function metCalls(ground: Playground, senders: readonly Address[], calls: readonly calling.Call[]) {
  const { machine, root } = ground
  const last = calls.at(-1) as calling.Call
  let position = root
  for (const call of calls.slice(0, -1))
    position = (await machine.perform(position, call))?.position ?? position
  const { compared } = await compare(ground, position, last)
  machine.coverage.forget(machine.coverage.take())
  const inputs = inputsOf(last, position, senders, 0)
  return compared.flatMap((comparison) => [...callsThatMeet(comparison, inputs)]).slice(0, MOST_MET)
}

/** The simplest sequence found within so many attempts that fails in the same way. `keep` gets the best so far. */
export async function shrinkCalls(
  ground: Playground,
  senders: readonly Address[],
  start: readonly calling.Call[],
  key: string,
  attempts: number,
  keep: (best: Played) => void,
): Promise<Played> {
  let best = await playCalls(ground, start, key)
  keep(best)
  if (best.calls.length === 0) return best
  const attempt = async (tried: readonly calling.Call[]): Promise<readonly number[] | undefined> => {
    const played = await playCalls(ground, tried, key)
    if (played.broken === undefined) return undefined
    best = played
    keep(played)
    return played.counted
  }
  const like = callsLike(best.calls, senders)
  const bounds = await boundsIn(ground, best.calls)
  const unshrunk = (call: calling.Call): fc.Value<calling.Call> => new fc.Value(call, undefined)
  const joined = (call: fc.Value<calling.Call>, left: fc.Value<calling.Call>) =>
    [...joinedCalls(call.value, left.value, bounds)].map(unshrunk)
  const simpler = (call: fc.Value<calling.Call>) => simplerBy(like, call)
  const repaired = async (calls: readonly calling.Call[]) =>
    (await metCalls(ground, senders, calls)).map(unshrunk)
  await simplify({ simpler, joined, repaired, attempts, attempt }, best.calls.map(unshrunk))
  return best
}
