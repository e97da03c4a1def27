// Requests about what is before the fork of a chain: the upstream's answers are passed on as they are.

import { revertReason } from '../execution/result/revert-reason.ts'
import type { Fork } from '../fork/fork.ts'
import { revertedWith } from '../fork/reverts.ts'
import { type BlockSelector, findTransaction, numberUpToFork } from '../node/lookup.ts'
import type { NodeState } from '../node/node-state.ts'
import { revertFailure } from '../primitives/errors.ts'
import { type Hash, hexToBytes, isHexBytes, toQuantity } from '../primitives/hex.ts'
import type { AnyReadMethod } from './method.ts'
import type { ConsoleOutlet, ReadContext } from './read-context.ts'

function selectorOf(value: unknown): BlockSelector {
  return isHexBytes(value, 32) ? { blockHash: value } : (value as BlockSelector)
}

/** Parameters as the wire has them: a client in the same process may use numbers for quantities. */
function wireParams(given: unknown): unknown[] {
  const params = Array.isArray(given) ? given : []
  const named = params.map((value: unknown) => (typeof value === 'number' ? toQuantity(value) : value))
  const text = JSON.stringify(named, (_, value: unknown) =>
    typeof value === 'bigint' ? toQuantity(value) : value,
  )
  return JSON.parse(text) as unknown[]
}

/** The parameters with the block by its number, or as they are where a method takes the hash of one. */
function withNumber(params: readonly unknown[], at: number, value: unknown, number: number): unknown[] {
  const named: unknown[] = Array.from(
    { length: Math.max(at + 1, params.length) },
    (_, index) => params[index],
  )
  if (!isHexBytes(value, 32)) named[at] = toQuantity(number)
  return named
}

/**
 * The upstream's answer to a request, if it is about what is before the fork; `undefined` for any other.
 *
 * @param params The parameters as the wire has them.
 */
function answerBefore(
  state: NodeState,
  fork: Fork,
  { name, method, values }: DecodedRead,
  params: readonly unknown[],
): { readonly answer: unknown } | undefined {
  const at = method.params.findIndex(({ subject }) => subject !== undefined)
  if (at === -1) return undefined
  const what = method.params[at]?.subject
  const value = values[at]
  if (what === 'transaction') {
    const hash = value as Hash
    const isOld = findTransaction(state, hash) === undefined && fork.history.hasTransaction(hash)
    return isOld ? { answer: fork.answer(name, params) } : undefined
  }
  const number = numberUpToFork(state, selectorOf(value))
  const isOwn = number === undefined || (what === 'state' && number === fork.header.number)
  return isOwn ? undefined : { answer: fork.answer(name, withNumber(params, at, value, number)) }
}

/** An answer of the upstream, or the error of a call that it says has reverted. */
function passOn(answer: unknown): unknown {
  const data = revertedWith(answer)
  if (data !== undefined) throw revertFailure(revertReason(hexToBytes(data)), data)
  return answer
}

/** A read with its parameters as given, and decoded. */
export interface DecodedRead {
  readonly name: string
  readonly method: AnyReadMethod
  readonly params: unknown
  readonly values: readonly unknown[]
}

/** Answers a read on a fork. It may stop at a miss and run again, so what contracts log is told at its end. */
export async function answerOnFork(context: ReadContext, fork: Fork, read: DecodedRead): Promise<unknown> {
  const { name, method, params: given, values } = read
  const params = wireParams(given)
  const before = answerBefore(context.state, fork, read, params)
  if (before !== undefined) return passOn(before.answer)
  const logged: Parameters<ConsoleOutlet>[] = []
  const quiet = { ...context, tellConsole: (...log: Parameters<ConsoleOutlet>) => logged.push(log) }
  const above = (...own: readonly unknown[]): unknown => method.handle(quiet, ...own)
  const { beforeFork } = method
  const answer = await (typeof beforeFork === 'function'
    ? beforeFork(quiet, fork, { name, params, above }, values as never)
    : above(...values))
  for (const log of logged) context.tellConsole(...log)
  return answer
}
