// The numbers that a call brings along, each of which can be replaced: to meet a comparison that code makes.

import type { AbiValue } from '../../../core/primitives/abi.ts'
import type { AbiType } from '../../../core/primitives/abi-type.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { toWord } from '../../../core/primitives/hex.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { type Call, withArgs, withSender, withValue, withWait } from './call.ts'
import { addressOf } from './dictionary.ts'
import type { Moment } from './machine.ts'
import { narrow, replaceAt } from './values.ts'

export interface Input {
  /** As a word on the stack. */
  readonly word: bigint
  /** Whether arithmetic with it makes sense. */
  readonly isNumber: boolean
  /** The call with another word in this place; `undefined` if it cannot have that. */
  readonly with: (word: bigint) => Call | undefined
}

type Replace = (value: AbiValue) => Call

const MOST_INPUTS = 64

function asWord(value: bigint): bigint {
  return BigInt.asUintN(256, value)
}

function hexInputs(type: AbiType, value: string, replace: Replace): Input[] {
  if (type.kind === 'address') {
    return [
      {
        word: BigInt(value),
        isNumber: false,
        with: (word) => (word >> 160n === 0n ? replace(addressOf(word)) : undefined),
      },
    ]
  }
  if (type.kind !== 'fixedBytes') return []
  const [shift, length] = [BigInt(256 - 8 * type.length), 2 + 2 * type.length]
  return [
    {
      word: BigInt(value) << shift,
      isNumber: false,
      with: (word) => replace(toWord(asWord(word)).slice(0, length) as AbiValue),
    },
  ]
}

function inputsOfValue(type: AbiType, value: AbiValue, replace: Replace): Input[] {
  if (type.kind === 'uint' || type.kind === 'int') {
    const current = value as bigint
    return [{ word: asWord(current), isNumber: true, with: (word) => replace(narrow(type, word)) }]
  }
  if (type.kind === 'bool') {
    return [{ word: value === true ? 1n : 0n, isNumber: false, with: (word) => replace(word !== 0n) }]
  }
  if (type.kind === 'array' || type.kind === 'tuple') {
    const items = value as readonly AbiValue[]
    return items.flatMap((item, index) => {
      const inner = type.kind === 'array' ? type.element : (type.components[index]?.type as AbiType)
      return inputsOfValue(inner, item, (changed) => replace(replaceAt(items, index, changed)))
    })
  }
  return typeof value === 'string' ? hexInputs(type, value, replace) : []
}

function inputsOfSetting(
  call: Call,
  moment: Moment,
  senders: readonly Address[],
  longestWait: number,
): Input[] {
  const { environment, state } = moment
  const waitUntil = (time: bigint): Call | undefined => {
    const wait = time - BigInt(environment.timestamp)
    return wait >= 0n && wait <= BigInt(longestWait) ? withWait(call, Number(wait)) : undefined
  }
  const inputs: Input[] = [
    {
      word: BigInt(call.sender),
      isNumber: false,
      with: (word) => {
        const sender = word >> 160n === 0n ? addressOf(word) : undefined
        return sender !== undefined && senders.includes(sender) ? withSender(call, sender) : undefined
      },
    },
    { word: BigInt(environment.timestamp + call.wait), isNumber: true, with: waitUntil },
  ]
  if (call.action.fn.isPayable) {
    const { balance } = readAccount(state, call.sender)
    inputs.push({
      word: call.value,
      isNumber: true,
      with: (word) => (word >= 0n && word <= balance ? withValue(call, word) : undefined),
    })
  }
  return inputs
}

/** The numbers of a call: its arguments, its value, its sender, its time. */
export function inputsOf(
  call: Call,
  moment: Moment,
  senders: readonly Address[],
  longestWait: number,
): readonly Input[] {
  const { action, args } = call
  const ofArgs = action.types.flatMap((type, index) =>
    inputsOfValue(type, args[index] as AbiValue, (changed) =>
      withArgs(call, replaceAt(args, index, changed)),
    ),
  )
  return [...ofArgs.slice(0, MOST_INPUTS), ...inputsOfSetting(call, moment, senders, longestWait)]
}
