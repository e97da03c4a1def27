// Sequences of calls that fail, made shorter and simpler.

import * as fc from 'fast-check'
import type { AbiType, AbiValue } from '../../../core/primitives/abi.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { simplerBy, simplify } from '../shrink.ts'
import * as calling from './call.ts'
import { type CallSource, narrow, noteBounds, numbersIn, replaceAt } from './draw.ts'
import { callsThatMeet, inputsOf, MOST_MENDS } from './meet.ts'
import { type Played, type Playground, playCalls } from './play.ts'

/** The most calls that are tried in place of the last one, when one before it is left out. */
const MOST_MET = 64

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

/** The values in arguments, in which tuples are arrays, whatever they are nested in. */
function innerValues(args: readonly AbiValue[]): AbiValue[] {
  return args.flatMap((value) => (Array.isArray(value) ? innerValues(value) : [value]))
}

function knownIn(calls: readonly calling.Call[], senders: readonly Address[]) {
  const values = calls.flatMap(({ args }) => innerValues(args))
  const hexes = new Set(values.filter((value) => typeof value === 'string'))
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

async function compare({ machine }: Playground, position: calling.Position, call: calling.Call) {
  machine.coverage.watchComparisons()
  const outcome = await machine.perform(position, call)
  return {
    compared: machine.coverage.takeComparisons(),
    after: outcome?.position ?? position,
    isFailed: outcome?.result.outcome !== 'success',
  }
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

/** The first branches of comparisons whose words are equal, by their calls. */
async function equalitiesIn(ground: Playground, calls: readonly calling.Call[]) {
  const equal = new Map<calling.Call, ReadonlySet<number | undefined>>()
  let position = ground.root
  for (const call of calls) {
    const { compared, after } = await compare(ground, position, call)
    const same = compared.filter(({ left, right }) => left === right)
    equal.set(call, new Set(same.map(({ branches }) => branches?.[0])))
    position = after
  }
  return equal
}

/** Mends calls that fail, or compare unequal what was equal; `others` end with a call that meets a comparison of the last. */
async function mendedCalls(
  ground: Playground,
  senders: readonly Address[],
  calls: readonly calling.Call[],
  equal: Awaited<ReturnType<typeof equalitiesIn>>,
) {
  const { machine, root } = ground
  const last = calls.at(-1) as calling.Call
  let position = root
  const mended: calling.Call[] = []
  for (const call of calls.slice(0, -1)) {
    const decisive = async (each: calling.Call) => {
      const { compared, after, isFailed } = await compare(ground, position, each)
      const deciding = compared.filter(({ branches }) => branches !== undefined)
      const unequal = deciding.find(
        ({ branches, left, right }) => left !== right && equal.get(call)?.has(branches?.[0]),
      )
      return { after, isFailed, wrong: isFailed ? deciding.at(-1) : unequal }
    }
    let [chosen, found] = [call, await decisive(call)]
    const inputs = inputsOf(call, position, { senders, longestWait: 0 })
    const others = found.wrong === undefined ? [] : [...callsThatMeet(found.wrong, inputs)]
    for (const other of others.slice(0, MOST_MENDS)) {
      const tried = await decisive(other)
      if (tried.isFailed || (tried.wrong !== undefined && !found.isFailed)) continue
      ;[chosen, found] = [other, tried]
      break
    }
    if (found.isFailed) continue
    position = found.after
    mended.push(chosen)
  }
  const { compared } = await compare(ground, position, last)
  machine.coverage.forget(machine.coverage.take())
  const inputs = inputsOf(last, position, { senders, longestWait: 0 })
  const met = compared.flatMap((comparison) => [...callsThatMeet(comparison, inputs)])
  return { calls: [...mended, last], others: met.slice(0, MOST_MET).map((each) => [...mended, each]) }
}

type Drawn = fc.Value<calling.Call>

const unshrunk = (call: calling.Call): Drawn => new fc.Value(call, undefined)

function mapNumbers(values: readonly AbiValue[], change: (number: bigint) => bigint): AbiValue[] {
  return values.map((value) => {
    if (Array.isArray(value)) return mapNumbers(value, change)
    return typeof value === 'bigint' ? change(value) : value
  })
}

function withNumbers(calls: readonly Drawn[], change: (number: bigint) => bigint): Drawn[] {
  return calls.map(({ value }) =>
    unshrunk(calling.changeFields(value, { args: mapNumbers(value.args, change) })),
  )
}

/** The numbers in the arguments of calls, with those that stand there several times. */
function countNumbers(calls: readonly Drawn[]) {
  const values = calls.flatMap(({ value }) => innerValues(value.args))
  const all = values.filter((value) => typeof value === 'bigint' && value > 0n) as bigint[]
  return { numbers: new Set(all), shared: new Set(all.filter((number, at) => all.indexOf(number) < at)) }
}

/** Calls with small numbers, up to their count, in place of each of some. */
function* withSmall(calls: readonly Drawn[], numbers: Iterable<bigint>): Generator<Drawn[]> {
  for (const large of numbers)
    for (let small = 0n; small < large && small <= calls.length; small++)
      yield withNumbers(calls, (number) => (number === large ? small : number))
}

/** Numbers of things, such as ids, one less: the call that made the thing before them was left out. */
function* renumbered(calls: readonly Drawn[]): Generator<Drawn[]> {
  for (const least of countNumbers(calls).numbers) {
    const most = least + BigInt(calls.length)
    yield withNumbers(calls, (number) => (number >= least && number <= most ? number - 1n : number))
  }
}

function* withFewerSenders(calls: readonly Drawn[], senders: readonly Address[]): Generator<Drawn[]> {
  const used = senders.filter((sender) => calls.some(({ value }) => value.sender === sender))
  for (const from of [...used].reverse())
    for (const sender of used.slice(0, used.indexOf(from)))
      yield calls.map((call) =>
        call.value.sender === from ? unshrunk(calling.changeFields(call.value, { sender })) : call,
      )
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
  const joined = (call: Drawn, left: Drawn) => [...joinedCalls(call.value, left.value, bounds)].map(unshrunk)
  const simpler = (call: Drawn) => simplerBy(like, call)
  let equal: Awaited<ReturnType<typeof equalitiesIn>> = new Map()
  const mended = async (calls: readonly Drawn[]) => {
    const inOrder = calls.map(({ value }) => value)
    // Of the present calls, which are the same objects.
    if (!inOrder.every((call) => equal.has(call))) equal = await equalitiesIn(ground, best.calls)
    return mendedCalls(ground, senders, inOrder, equal)
  }
  const repairs = [
    async function* asNeeded(calls: readonly Drawn[]) {
      yield (await mended(calls)).calls.map(unshrunk)
    },
    renumbered,
    (calls: readonly Drawn[]) => withSmall(calls, countNumbers(calls).shared),
    async function* met(calls: readonly Drawn[]) {
      for (const each of (await mended(calls)).others) yield each.map(unshrunk)
    },
  ]
  function* together(calls: readonly Drawn[]) {
    yield* withFewerSenders(calls, senders)
    yield* withSmall(calls, countNumbers(calls).numbers)
  }
  await simplify({ simpler, together, joined, repairs, attempts, attempt }, best.calls.map(unshrunk))
  return best
}
