// Calls: drawn anew, and changed.

import type { AbiValue } from '../../../core/primitives/abi.ts'
import type { AbiType } from '../../../core/primitives/abi-type.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { type Action, type Call, makeCall, withArgs, withSender, withValue, withWait } from './call.ts'
import type { Moment } from './machine.ts'
import { changeValue, drawValue, narrow, replaceAt, type Source } from './values.ts'

/** What calls are drawn from. */
export interface CallSource extends Source {
  readonly actions: readonly Action[]
  readonly senders: readonly Address[]
  readonly longestWait: number
}

const DAY = 86_400

/** Seconds before a call: mostly none, so that several are in one block. */
function drawWait({ random, longestWait, dictionary }: CallSource): number {
  if (longestWait === 0 || random.chance(75)) return 0
  const kind = random.below(5)
  if (kind === 0) return 1 + random.below(Math.min(longestWait, 60))
  if (kind === 1) return 1 + random.below(Math.min(longestWait, DAY))
  if (kind === 2) return longestWait
  const known = dictionary.numbers.length === 0 ? 0n : random.pick(dictionary.numbers)
  if (kind === 3 && known > 0n && known < BigInt(longestWait)) {
    return Math.min(longestWait, Number(known) + random.below(2))
  }
  return 1 + random.below(longestWait)
}

const WEI: AbiType = { kind: 'uint', bits: 256, canonical: 'uint256', size: 32, isDynamic: false }

/** Wei that the sender has. */
function drawWei(source: CallSource, moment: Moment, { fn }: Action, sender: Address): bigint {
  const { random } = source
  if (!fn.isPayable || random.chance(40)) return 0n
  const { balance } = readAccount(moment.state, sender)
  const drawn = random.chance(30) ? 10n ** BigInt(random.below(21)) : (drawValue(source, WEI) as bigint)
  return drawn <= balance ? drawn : random.chance(50) ? balance / 2n : 0n
}

export function drawCall(source: CallSource, moment: Moment, action: Action): Call {
  const { random, senders } = source
  const sender = random.pick(senders)
  const args = action.types.map((type) => drawValue(source, type))
  return makeCall(action, sender, args, drawWei(source, moment, action, sender), drawWait(source))
}

/** The same number elsewhere: arguments that are equal, or in a relation, decide many branches. */
function copyNumber({ random }: CallSource, types: readonly AbiType[], args: readonly AbiValue[]) {
  const numbers = types.flatMap(({ kind }, index) => (kind === 'uint' || kind === 'int' ? [index] : []))
  if (numbers.length < 2) return args
  const [from, to] = [random.pick(numbers), random.pick(numbers)]
  return replaceAt(args, to, narrow(types[to] as AbiType, args[from] as bigint))
}

function changeArgs(source: CallSource, { types }: Action, args: readonly AbiValue[]): readonly AbiValue[] {
  const { random } = source
  if (args.length === 0) return args
  if (random.chance(15)) return copyNumber(source, types, args)
  const at = random.below(args.length)
  return replaceAt(args, at, changeValue(source, types[at] as AbiType, args[at] as AbiValue))
}

/** A call that differs from another in one to four places. */
export function changeCall(source: CallSource, moment: Moment, call: Call): Call {
  const { random, senders } = source
  let changed = call
  const changes = random.chance(60) ? 1 : 2 + random.below(3)
  for (let i = 0; i < changes; i++) {
    const { action } = changed
    const kind = random.below(100)
    if (kind < 75 && action.types.length > 0) {
      changed = withArgs(changed, changeArgs(source, action, changed.args))
    } else if (kind < 85) changed = withSender(changed, random.pick(senders))
    else if (kind < 92) changed = withWait(changed, drawWait(source))
    else changed = withValue(changed, drawWei(source, moment, action, changed.sender))
  }
  return changed
}
