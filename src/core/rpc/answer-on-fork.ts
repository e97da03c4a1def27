// Requests about what is before the fork of a chain: the upstream's answers are passed on as they are.

import { revertReason } from '../execution/result/revert-reason.ts'
import type { Fork } from '../fork/fork.ts'
import { revertedWith } from '../fork/upstream.ts'
import { type BlockSelector, findTransaction, numberUpToFork } from '../node/lookup.ts'
import type { NodeState } from '../node/node-state.ts'
import { revertFailure } from '../primitives/errors.ts'
import { type Hash, hexToBytes, isHexBytes, toQuantity } from '../primitives/hex.ts'
import type { AnyReadMethod } from './method.ts'
import type { ConsoleOutlet, ReadContext } from './session.ts'

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
  const isHash = isHexBytes(value, 32)
  const number = numberUpToFork(state, isHash ? { blockHash: value } : (value as BlockSelector))
  if (number === undefined || (what === 'state' && number === fork.header.number)) return undefined
  const asked = Array.from({ length: Math.max(at + 1, params.length) }, (_, index) => params[index])
  // With the block by its number, but where a method takes the hash of one.
  if (!isHash) asked[at] = toQuantity(number)
  return { answer: fork.answer(name, asked) }
}

export interface DecodedRead {
  readonly name: string
  readonly method: AnyReadMethod
  readonly params: unknown
  readonly values: readonly unknown[]
}

/** Answers a read on a fork. It may stop at a miss and run again, so what contracts log is told at its end. */
export async function answerOnFork(context: ReadContext, fork: Fork, read: DecodedRead): Promise<unknown> {
  const { name, method, params: given, values } = read
  // As the wire has them: a client in the same process may use numbers for quantities.
  const named = (Array.isArray(given) ? given : []).map((value: unknown) =>
    typeof value === 'number' ? toQuantity(value) : value,
  )
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? toQuantity(value) : value)
  const params = JSON.parse(JSON.stringify(named, asText)) as unknown[]
  const before = answerBefore(context.state, fork, read, params)
  if (before !== undefined) {
    const { answer } = before
    const data = revertedWith(answer)
    if (data !== undefined) throw revertFailure(revertReason(hexToBytes(data)), data)
    return answer
  }
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
