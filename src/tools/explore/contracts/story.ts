// A story of contracts as JSON: by names and signatures, so that it stays valid when contracts are repaired.

import { type AbiType, type AbiValue, showAbiValues } from '../../../core/primitives/abi.ts'
import { type Address, isHexBytes } from '../../../core/primitives/hex.ts'
import { describe, textOf } from '../../../core/primitives/text-of.ts'
import { isObject } from '../../solidity/artifacts/json.ts'
import * as failing from '../failures.ts'
import { type Ended, endedOf, leastOf, type PartKind, quietOf, sumOf } from '../parts.ts'
import { type Action, type Call, makeCall } from './call.ts'
import * as tallies from './counts.ts'
import type { ExploreContractsReport, WrittenCall } from './options.ts'
import type { ContractScene } from './scene.ts'

type Refuse = (reason: string) => never

function integerOf({ kind, bits }: AbiType & { readonly kind: 'uint' | 'int' }, value: unknown) {
  // A file has integers as digits.
  const isDigits = typeof value === 'string' && /^-?[0-9]{1,78}$/.test(value)
  const isWhole = isDigits || typeof value === 'bigint' || Number.isSafeInteger(value)
  const whole = isWhole ? BigInt(value as bigint | number | string) : undefined
  const cut = kind === 'uint' ? BigInt.asUintN : BigInt.asIntN
  return whole !== undefined && cut(bits, whole) === whole ? whole : undefined
}

function argumentOf(type: AbiType, value: unknown, refuse: Refuse): AbiValue {
  const wrong = () => refuse(`expected ${type.canonical}, got ${describe(value)}`)
  const hexOf = (length?: number) => (isHexBytes(value, length) ? value.toLowerCase() : wrong())
  switch (type.kind) {
    case 'uint':
    case 'int':
      return integerOf(type, value) ?? wrong()
    case 'bool':
      return typeof value === 'boolean' ? value : wrong()
    case 'string':
      return typeof value === 'string' ? value : wrong()
    case 'address':
      return hexOf(20)
    case 'fixedBytes':
      return hexOf(type.length)
    case 'bytes':
      return hexOf()
    case 'array':
      if (!Array.isArray(value) || (type.length ?? value.length) !== value.length) return wrong()
      return value.map((item) => argumentOf(type.element, item, refuse))
    default: {
      if (typeof value !== 'object' || value === null) return wrong()
      const named = value as { readonly [name: string]: unknown }
      const names = type.components.map(({ name }) => name)
      const other = Object.keys(value).find((each, at) =>
        Array.isArray(value) ? at >= names.length : !names.includes(each),
      )
      if (other !== undefined) return refuse(`${type.canonical} has no field ${other}`)
      return type.components.map((component, index) =>
        argumentOf(component.type, Array.isArray(value) ? value[index] : named[component.name], refuse),
      )
    }
  }
}

export function argumentsOf(types: readonly AbiType[], values: readonly unknown[], refuse: Refuse) {
  if (values.length !== types.length)
    return refuse(`expected ${types.length} arguments, got ${values.length}`)
  return types.map((type, index) => argumentOf(type, values[index], refuse))
}

const CALLS_FORMAT = 'tickchain calls 1'

/** Integers are digits. */
function plain(value: AbiValue): unknown {
  if (typeof value === 'bigint') return `${value}`
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}

export function writeCall({ action, sender, args, value, wait }: Call): WrittenCall {
  return {
    contract: action.contract,
    call: action.fn.signature,
    args: args.map(plain),
    from: sender,
    ...(value === 0n ? {} : { value: `${value}` }),
    ...(wait === 0 ? {} : { wait }),
  }
}

/** The text of calls for a file, with what they broke. */
export function storyOf(
  broke: Pick<failing.Failure, 'kind' | 'name'> | undefined,
  calls: readonly WrittenCall[],
): string {
  return failing.writeSaved({ format: CALLS_FORMAT }, broke, { calls })
}

export function nameOfCalls({ name }: Pick<failing.Failure, 'name'>, text: string): string {
  return failing.nameOfStory(name.replace(/[^\w.-]+/g, '-').replace(/^-|-$/g, ''), text)
}

/** A call of an action that was written; `undefined` if the action takes other arguments now. */
export function readAction(action: Action, sender: Address, { call, args }: WrittenCall): Call | undefined {
  if (call !== action.fn.signature) return undefined
  try {
    return makeCall(action, sender, argumentsOf(action.types, args, failing.refuseStory), 0n, 0)
  } catch {
    return undefined
  }
}

function readCall({ actions, senders }: ContractScene, given: unknown, index: number): Call {
  const fields = (given ?? {}) as Record<string, unknown>
  const { contract, call, args, from, value = '0', wait = 0 } = fields
  const where = `call ${index}`
  failing.refuseOthers(fields, ['contract', 'call', 'args', 'from', 'value', 'wait'], where)
  const action = actions.find((each) => each.contract === contract && each.fn.signature === call)
  if (action === undefined) {
    const called = `${textOf(contract)}.${textOf(call)}`
    return failing.refuseStory(`${where} is ${called}, which is not among the functions that are called`)
  }
  if (!senders.includes(from as Address))
    return failing.refuseStory(`${where} is sent by ${textOf(from)}, who is not among the senders`)
  const isValid = typeof value === 'string' && /^[0-9]{1,78}$/.test(value) && Number.isSafeInteger(wait)
  if (!isValid || !Array.isArray(args) || (wait as number) < 0)
    return failing.refuseStory(`${where} has no arguments, value and wait`)
  const checked = argumentsOf(action.types, args, (reason) => failing.refuseStory(`${where}: ${reason}`))
  return makeCall(action, from as Address, checked, BigInt(value as string), wait as number)
}

/** The calls of a saved story; throws `invalidStory` if they do not fit the contracts. */
export function readCalls(scene: ContractScene, story: Readonly<Record<string, unknown>>): Call[] {
  const calls = failing.readSaved(story, { format: CALLS_FORMAT, subject: 'contracts' }, 'calls')
  return calls.map((call, index) => readCall(scene, call, index))
}

const UNITS = Object.entries({ day: 86_400, h: 3600, min: 60, s: 1 })

/** Such as `360 days` or `1 h 5 s`. */
function waitText(seconds: number): string {
  let left = seconds
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left %= size
    return count === 0 ? [] : `${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`
  })
  return parts.join(' ')
}

/** The payment, in ether where that is short, and the time before. */
function termsText(value: bigint, wait: number): string {
  const finneys = value / 10n ** 15n
  const paid = value === finneys * 10n ** 15n ? `${Number(finneys) / 1000} ether` : `${value} wei`
  return `${value === 0n ? '' : `, with ${paid}`}${wait === 0 ? '' : `, ${waitText(wait)} later`}`
}

/** A call in words, where the contracts are not at hand. */
function describeWritten({ contract, call, args, from, value = '0', wait = 0 }: WrittenCall): string {
  const texts = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))
  return `${contract}.${call.split('(')[0]}(${texts.join(', ')}) by ${from}${termsText(BigInt(value), wait)}`
}

export function describeCall(
  { action, sender, args, value, wait }: Call,
  nameOf: (address: Address) => string,
) {
  const { contract, fn } = action
  return `${contract}.${fn.name}(${showAbiValues(fn.inputs ?? [], args)}) by ${nameOf(sender)}${termsText(value, wait)}`
}

export interface CallsCounts {
  readonly runs: number
  readonly calls: number
  readonly failed: number
  readonly kept: number
  /** The run in which each branch was reached first. */
  readonly slots: Readonly<Record<string, number>>
  readonly functions: tallies.CountedFunctions
  readonly maxima: tallies.CountedMaxima
  /** About the corpus. */
  readonly warnings: readonly string[]
  readonly ended: Ended
}

export const CALLS_PART: PartKind<CallsCounts, ExploreContractsReport> = {
  way: 'calls',
  isCounts(counts) {
    const { runs, calls, failed, kept, slots, functions, warnings } = counts as Partial<CallsCounts>
    const isCounted = [runs, calls, failed, kept].every(Number.isSafeInteger) && Array.isArray(warnings)
    return isCounted && isObject(slots) && isObject(functions)
  },
  merge: (parts) => ({
    ...sumOf(parts, ['runs', 'calls', 'failed', 'kept']),
    slots: leastOf(parts.map(({ slots }) => slots)),
    functions: tallies.mergeFunctions(parts.map(({ functions }) => functions)),
    maxima: tallies.mergeMaxima(parts.map(({ maxima }) => maxima)),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
    ended: endedOf(parts),
  }),
  report: ({ slots, functions, maxima, warnings, ...counts }) => {
    const told = tallies.reportFunctions(functions)
    const largest = Object.entries(maxima).map(([name, { value, calls }]) => {
      return [name, { value: BigInt(value), story: storyOf(undefined, calls) }] as const
    })
    return {
      ...counts,
      maxima: Object.fromEntries(largest),
      functions: told.functions,
      warnings: [...warnings, ...told.warnings],
      edges: Object.keys(slots).length,
      broken: 0,
      quiet: quietOf(counts.runs, slots),
    }
  },
  nameOf: nameOfCalls,
  tellEnded({ run, steps }, reason) {
    const calls = steps as readonly (WrittenCall | null)[]
    const known = calls.flatMap((call) => call ?? [])
    const [name = 'a call'] = calls.at(-1)?.call?.split('(') ?? []
    const last = calls.length === 0 ? undefined : `the invariants after ${calls.at(-1)?.contract}.${name}`
    const kind = 'storyHung'
    const story =
      known.length < calls.length
        ? { unsaved: 'JSON cannot hold it' }
        : storyOf({ kind, name: last ?? '' }, known)
    const lines = known.map((call) => `▸ ${describeWritten(call)}`)
    const broke = { kind, name: last ?? 'world', reason } as const
    return failing.tellFailure(broke, [lines.length, 'call'], ` (search ${run + 1})`, lines, story)
  },
}
