// Requests about what is before the fork of a chain: the upstream's answers are passed on as they are.

import { revertReason } from '../execution/result/revert-reason.ts'
import { revertedWith } from '../fork/reverts.ts'
import { type BlockSelector, findTransaction, numberUpToFork } from '../node/lookup.ts'
import type { NodeState } from '../node/node-state.ts'
import { revertFailure } from '../primitives/errors.ts'
import { type Hash, hexToBytes, isHexBytes, toQuantity } from '../primitives/hex.ts'
import type { AnyReadMethod } from './method.ts'
import type { ConsoleOutlet, ReadContext } from './read-context.ts'
import { searchOnFork } from './search-on-fork.ts'

/**
 * What a method asks for, and by which parameter: what is in a block, which the upstream has up to the fork; a state,
 * which the chain itself has from the fork on; or a transaction.
 */
type Subject = readonly [what: 'block' | 'state' | 'transaction', parameter: number]

const OF_BLOCK: Subject = ['block', 0]
const OF_TRANSACTION: Subject = ['transaction', 0]
const OF_STATE: Subject = ['state', 1]

const SUBJECTS: ReadonlyMap<string, Subject> = new Map<string, Subject>([
  ['eth_getBlockByNumber', OF_BLOCK],
  ['eth_getBlockByHash', OF_BLOCK],
  ['eth_getHeaderByNumber', OF_BLOCK],
  ['eth_getHeaderByHash', OF_BLOCK],
  ['erigon_getHeaderByNumber', OF_BLOCK],
  ['eth_getBlockReceipts', OF_BLOCK],
  ['eth_getBlockTransactionCountByNumber', OF_BLOCK],
  ['eth_getBlockTransactionCountByHash', OF_BLOCK],
  ['eth_getUncleCountByBlockNumber', OF_BLOCK],
  ['eth_getUncleCountByBlockHash', OF_BLOCK],
  ['eth_getUncleByBlockNumberAndIndex', OF_BLOCK],
  ['eth_getUncleByBlockHashAndIndex', OF_BLOCK],
  ['eth_getTransactionByBlockNumberAndIndex', OF_BLOCK],
  ['eth_getTransactionByBlockHashAndIndex', OF_BLOCK],
  ['eth_getRawTransactionByBlockNumberAndIndex', OF_BLOCK],
  ['eth_getRawTransactionByBlockHashAndIndex', OF_BLOCK],
  ['debug_getRawBlock', OF_BLOCK],
  ['debug_getRawHeader', OF_BLOCK],
  ['debug_getRawReceipts', OF_BLOCK],
  ['debug_executionWitness', OF_BLOCK],
  ['debug_intermediateRoots', OF_BLOCK],
  ['optimism_outputAtBlock', OF_BLOCK],
  ['debug_traceBlockByNumber', OF_BLOCK],
  ['debug_traceBlockByHash', OF_BLOCK],
  ['trace_block', OF_BLOCK],
  ['trace_replayBlockTransactions', OF_BLOCK],
  ['ots_getBlockDetails', OF_BLOCK],
  ['ots_getBlockDetailsByHash', OF_BLOCK],
  ['ots_getBlockTransactions', OF_BLOCK],
  ['eth_getProof', ['block', 2]],
  ['eth_getTransactionByHash', OF_TRANSACTION],
  ['eth_getTransactionReceipt', OF_TRANSACTION],
  ['eth_getRawTransactionByHash', OF_TRANSACTION],
  ['debug_getRawTransaction', OF_TRANSACTION],
  ['debug_traceTransaction', OF_TRANSACTION],
  ['trace_transaction', OF_TRANSACTION],
  ['trace_get', OF_TRANSACTION],
  ['trace_replayTransaction', OF_TRANSACTION],
  ['ots_getInternalOperations', OF_TRANSACTION],
  ['ots_traceTransaction', OF_TRANSACTION],
  ['ots_getTransactionError', OF_TRANSACTION],
  ['eth_getBalance', OF_STATE],
  ['eth_getTransactionCount', OF_STATE],
  ['eth_getCode', OF_STATE],
  ['eth_getStorageAt', ['state', 2]],
  ['eth_getStorageValues', OF_STATE],
  ['eth_getAccount', OF_STATE],
  ['eth_getAccountInfo', OF_STATE],
  ['eth_call', OF_STATE],
  ['eth_estimateGas', OF_STATE],
  ['eth_createAccessList', OF_STATE],
  ['eth_simulateV1', OF_STATE],
  ['debug_traceCall', OF_STATE],
  ['debug_codeByHash', OF_STATE],
  ['debug_dumpBlock', ['state', 0]],
  ['debug_accountRange', ['state', 0]],
  ['debug_storageRangeAt', OF_BLOCK],
  ['trace_call', ['state', 2]],
  ['trace_callMany', OF_STATE],
  ['trace_rawTransaction', ['state', 2]],
  ['ots_hasCode', OF_STATE],
])

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
 * @param given The parameters as the client gave them.
 * @param values The same, decoded.
 */
function answerBefore(
  state: NodeState,
  method: string,
  given: unknown,
  values: readonly unknown[],
): { readonly answer: unknown } | undefined {
  const { fork } = state.chain
  const subject = fork === undefined ? undefined : SUBJECTS.get(method)
  if (fork === undefined || subject === undefined) return undefined
  const [what, at] = subject
  const params = wireParams(given)
  const value = values[at]
  if (what === 'transaction') {
    const hash = value as Hash
    const isOld = findTransaction(state, hash) === undefined && fork.history.hasTransaction(hash)
    return isOld ? { answer: fork.answer(method, params) } : undefined
  }
  const number = numberUpToFork(state, selectorOf(value))
  const isOwn = number === undefined || (what === 'state' && number === fork.header.number)
  return isOwn ? undefined : { answer: fork.answer(method, withNumber(params, at, value, number)) }
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
export async function answerOnFork(
  context: ReadContext,
  { name, method, params, values }: DecodedRead,
): Promise<unknown> {
  const before = answerBefore(context.state, name, params, values)
  if (before !== undefined) return passOn(before.answer)
  const logged: Parameters<ConsoleOutlet>[] = []
  const quiet = { ...context, tellConsole: (...log: Parameters<ConsoleOutlet>) => logged.push(log) }
  const { fork } = context.state.chain
  const handle = (...given: readonly unknown[]): unknown => method.handle(quiet, ...given)
  const search = searchOnFork(name)
  const isSearch = fork !== undefined && search !== undefined
  const answer = await (isSearch ? search(quiet, fork, handle, values as never) : handle(...values))
  for (const log of logged) context.tellConsole(...log)
  return answer
}
