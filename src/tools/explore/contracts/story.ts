// A story of contracts as JSON: names of contracts and signatures, not code or addresses of contracts, so that it stays
// valid when they are repaired.

import { type AbiValue, showAbiValues } from '../../../core/primitives/abi.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { type Address, utf8ToBytes } from '../../../core/primitives/hex.ts'
import { textOf } from '../../../core/primitives/text-of.ts'
import { argumentsOf } from './arguments.ts'
import type { Call } from './call.ts'
import type { Broken } from './checks.ts'
import type { Scene } from './scene.ts'

export const CALLS_FORMAT = 'tickchain calls 1'

/** Integers are digits. */
function plain(value: AbiValue): unknown {
  if (typeof value === 'bigint') return `${value}`
  return Array.isArray(value) ? value.map(plain) : value
}

/** A call as JSON. */
export interface WrittenCall {
  readonly contract: string
  /** The signature. */
  readonly call: string
  readonly args: readonly unknown[]
  readonly from: Address
  readonly value?: string
  readonly wait?: number
}

export function writeCall({ action, sender, args, value, wait }: Call): WrittenCall {
  return {
    ...{ contract: action.contract, call: action.fn.signature, args: args.map(plain), from: sender },
    ...(value === 0n ? {} : { value: `${value}` }),
    ...(wait === 0 ? {} : { wait }),
  }
}

/** The JSON of a file. */
export function storyOf(
  { kind, name }: Pick<Broken, 'kind' | 'name'>,
  calls: readonly WrittenCall[],
): string {
  return JSON.stringify({ format: CALLS_FORMAT, broke: { kind, name }, calls })
}

/** The calls as the JSON of a file. */
export function writeCalls(broken: Pick<Broken, 'kind' | 'name'>, calls: readonly Call[]): string {
  return storyOf(broken, calls.map(writeCall))
}

/** A name for the file of a story. */
export function nameOfCalls({ name }: Pick<Broken, 'name'>, text: string): string {
  const digest = keccak256Hex(utf8ToBytes(text)).slice(2, 10)
  return `${name.replace(/[^\w.-]+/g, '-').replace(/^-|-$/g, '')}-${digest}`
}

function refuse(reason: string): never {
  throw failure('invalidStory', { reason })
}

function readCall({ actions, senders }: Scene, given: unknown, index: number): Call {
  const { contract, call, args, from, value = '0', wait = 0 } = (given ?? {}) as Record<string, unknown>
  const action = actions.find((each) => each.contract === contract && each.fn.signature === call)
  const where = `call ${index}`
  if (action === undefined) {
    return refuse(
      `${where} is ${textOf(contract)}.${textOf(call)}, which is not among the functions that are called`,
    )
  }
  if (!senders.includes(from as Address)) {
    return refuse(`${where} is sent by ${textOf(from)}, who is not among the senders`)
  }
  const isValid = typeof value === 'string' && /^[0-9]{1,78}$/.test(value) && Number.isSafeInteger(wait)
  if (!isValid || !Array.isArray(args) || (wait as number) < 0)
    return refuse(`${where} has no arguments, value and wait`)
  const checked = argumentsOf(action.types, args, (reason) => refuse(`${where}: ${reason}`))
  return {
    action,
    args: checked,
    sender: from as Address,
    value: BigInt(value as string),
    wait: wait as number,
  }
}

export interface SavedCalls {
  readonly format: typeof CALLS_FORMAT
  readonly calls: readonly unknown[]
}

/** The calls of a saved story; throws `invalidStory` if they do not fit the contracts. */
export function readCalls(scene: Scene, { calls }: Pick<SavedCalls, 'calls'>): Call[] {
  if (!Array.isArray(calls)) return refuse('it has no calls')
  return calls.map((call, index) => readCall(scene, call, index))
}

/** Wei in ether where that is short. */
function valueText(value: bigint): string {
  const isEther = value % 10n ** 15n === 0n
  return isEther ? `${Number(value / 10n ** 15n) / 1000} ether` : `${value} wei`
}

/** What was paid, and how long it was waited before. */
function termsText(value: bigint, wait: number): string {
  return `${value === 0n ? '' : `, with ${valueText(value)}`}${wait === 0 ? '' : `, ${wait} s later`}`
}

/** A call in words, where the contracts are not at hand. */
export function describeWritten({ contract, call, args, from, value = '0', wait = 0 }: WrittenCall): string {
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
