// Calls that may take the other side of a branch: with the number that code has compared one of theirs with, or its
// neighbours; or with one that is as much larger, or as many times, where code has computed with it.

import type { Comparison } from '../../../core/execution/evm/covered-evm.ts'
import type { AbiType, AbiValue } from '../../../core/primitives/abi.ts'
import { addressOfWord } from '../../../core/primitives/crypto.ts'
import { toWord } from '../../../core/primitives/hex.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { type Call, changeFields, type Position } from './call.ts'
import { type CallSource, narrow, replaceAt } from './draw.ts'

/** A number that a call brings along. */
interface Input {
  readonly word: bigint
  /** Arithmetic with it makes sense. */
  readonly isNumber: boolean
  /** The call with another word in this place; `undefined` if it cannot have that. */
  readonly with: (word: bigint) => Call | undefined
}

type Replace = (value: AbiValue) => Call

const MOST_INPUTS = 64

function hexInputs(type: AbiType, value: string, replace: Replace): Input[] {
  if (type.kind === 'address') {
    const change = (word: bigint) => (word >> 160n === 0n ? replace(addressOfWord(word)) : undefined)
    return [{ word: BigInt(value), isNumber: false, with: change }]
  }
  if (type.kind !== 'fixedBytes') return []
  const [shift, length] = [BigInt(256 - 8 * type.length), 2 + 2 * type.length]
  const change = (word: bigint) => replace(toWord(BigInt.asUintN(256, word)).slice(0, length) as AbiValue)
  return [{ word: BigInt(value) << shift, isNumber: false, with: change }]
}

function inputsOfValue(type: AbiType, value: AbiValue, replace: Replace): Input[] {
  if (type.kind === 'uint' || type.kind === 'int') {
    const current = BigInt.asUintN(256, value as bigint)
    return [{ word: current, isNumber: true, with: (word) => replace(narrow(type, word)) }]
  }
  if (type.kind === 'bool')
    return [{ word: value === true ? 1n : 0n, isNumber: false, with: (word) => replace(word !== 0n) }]
  if (type.kind === 'array' || type.kind === 'tuple') {
    const items = value as readonly AbiValue[]
    return items.flatMap((item, index) => {
      const inner = type.kind === 'array' ? type.element : (type.components[index]?.type as AbiType)
      return inputsOfValue(inner, item, (changed) => replace(replaceAt(items, index, changed)))
    })
  }
  return typeof value === 'string' ? hexInputs(type, value, replace) : []
}

type CallLimits = Pick<CallSource, 'senders' | 'longestWait'>

function inputsOfSetting(call: Call, position: Position, { senders, longestWait }: CallLimits): Input[] {
  const { environment, state } = position
  const waitUntil = (time: bigint): Call | undefined => {
    const wait = time - BigInt(environment.timestamp)
    return wait >= 0n && wait <= BigInt(longestWait) ? changeFields(call, { wait: Number(wait) }) : undefined
  }
  const withSender = (word: bigint): Call | undefined => {
    const sender = word >> 160n === 0n ? addressOfWord(word) : undefined
    return sender !== undefined && senders.includes(sender) ? changeFields(call, { sender }) : undefined
  }
  const { balance } = readAccount(state, call.sender)
  const withValue = (value: bigint): Call | undefined =>
    value >= 0n && value <= balance ? changeFields(call, { value }) : undefined
  return [
    { word: BigInt(call.sender), isNumber: false, with: withSender },
    { word: BigInt(environment.timestamp + call.wait), isNumber: true, with: waitUntil },
    ...(call.action.fn.isPayable ? [{ word: call.value, isNumber: true, with: withValue }] : []),
  ]
}

/** The numbers of a call: its arguments, its value, its sender, its time. */
export function inputsOf(call: Call, position: Position, limits: CallLimits): readonly Input[] {
  const { action, args } = call
  const ofArgs = action.types.flatMap((type, index) =>
    inputsOfValue(type, args[index] as AbiValue, (changed) =>
      changeFields(call, { args: replaceAt(args, index, changed) }),
    ),
  )
  return [...ofArgs.slice(0, MOST_INPUTS), ...inputsOfSetting(call, position, limits)]
}

/** True for a comparison that is worth to be met: a branch is open, or unknown. */
export function isOpen({ branches }: Comparison, isKnown: (slot: number) => boolean): boolean {
  return branches !== undefined && !(isKnown(branches[0]) && isKnown(branches[1]))
}

/** Calls in which a number of the call takes the place of what it was compared with. */
function* direct(inputs: readonly Input[], from: bigint, to: bigint): Generator<Call | undefined> {
  for (const input of inputs) {
    if (input.word !== from) continue
    yield input.with(to)
    yield input.with(to + 1n)
    if (to > 0n) yield input.with(to - 1n)
  }
}

/** Calls in which a number changes as what was computed from it would have to. */
function* computed(inputs: readonly Input[], from: bigint, to: bigint): Generator<Call | undefined> {
  const signed = (word: bigint) => BigInt.asIntN(256, word)
  const difference = signed(to) - signed(from)
  for (const input of inputs) {
    if (!input.isNumber || input.word === from) continue
    const word = signed(input.word)
    yield input.with(word + difference)
    yield input.with(word - difference)
    if (word !== 0n && from !== 0n) {
      // In proportion, rounded up and down.
      const scaled = (word * signed(to)) / signed(from)
      yield input.with(scaled)
      yield input.with(scaled + 1n)
    }
    // Where bits of it were turned.
    yield input.with(BigInt.asUintN(256, word ^ from ^ to))
  }
}

/** The most calls that are tried in place of one that failed. */
export const MOST_MENDS = 8

/** Calls to try, the most promising first. */
export function* callsThatMeet({ left, right }: Comparison, inputs: readonly Input[]): Generator<Call> {
  const isDirect = inputs.some(({ word }) => word === left || word === right)
  const way = isDirect ? direct : computed
  for (const calls of [way(inputs, left, right), way(inputs, right, left)])
    for (const call of calls) if (call !== undefined) yield call
}

/** Calls in which a number is what it was compared with. */
export function* equalCalls({ left, right }: Comparison, inputs: readonly Input[]): Generator<Call> {
  for (const { word, with: change } of inputs) {
    const call = word === left ? change(right) : word === right ? change(left) : undefined
    if (call !== undefined) yield call
  }
}
