// Where a fork has its answers from: what is recorded, and beyond that an upstream, if there is one.

import { failure, type TickchainError } from '../primitives/errors.ts'
import { type Hash, isHexBytes, toQuantity } from '../primitives/hex.ts'
import { textOf } from '../primitives/text-of.ts'
import type { MissingKey } from '../state/overlay-map.ts'
import * as replies from './answers.ts'
import { nothingKnown } from './known.ts'
import * as recorders from './recording.ts'
import { nameOfMissing, type RecordedBlock } from './recording.ts'
import * as upstreams from './upstream.ts'

export type AskUpstream = (method: string, params: readonly unknown[]) => Promise<unknown>

export type BlockName = 'latest' | 'safe' | 'finalized' | 'earliest' | number | Hash

/** A block: by its name, or the last at or before a second; or a transaction's hash, for the state before it. */
export type ForkSelector = BlockName | { readonly timestamp: number }

/** Limits of a fork's requests, and its recording. */
export interface SourcePlan {
  /** `undefined` for a fork that has all from its recording. */
  readonly upstream: upstreams.Upstream | undefined
  readonly recording:
    | { readonly file: recorders.RecordingFile; readonly mode: recorders.RecordingMode }
    | undefined
  /** The most requests under way at a time. */
  readonly concurrency: number
  /** Stops all requests. */
  readonly signal?: upstreams.StopSignal | undefined
}

export async function askChainId(ask: AskUpstream): Promise<number> {
  return replies.safeQuantityIn(replies.answerTo(await ask('eth_chainId', []), 'eth_chainId', []))
}

export function blockRequest(selector: BlockName): readonly [method: string, params: readonly unknown[]] {
  if (isHexBytes(selector, 32)) return ['eth_getBlockByHash', [selector, false]]
  return ['eth_getBlockByNumber', [typeof selector === 'number' ? toQuantity(selector) : selector, false]]
}

/** The header of the block that a selector names, checked to be that one. */
export function checkedForkHeader(selector: BlockName, answer: unknown): replies.ForkHeader {
  if (answer === null) throw failure('forkBlockNotFound', { block: `${selector}` })
  const block = replies.answerTo(answer, ...blockRequest(selector))
  const header = replies.readForkHeader(block)
  const isOther =
    typeof selector === 'number' ? header.number !== selector : header.hash !== `${selector}`.toLowerCase()
  const isNamed = typeof selector === 'number' || isHexBytes(selector, 32)
  return isNamed && isOther ? block.refuse(`block ${selector}`) : header
}

/** True if the upstream has a block under its number; throws `upstreamReorganised` if it has another one there. */
export async function isAtItsNumber(
  ask: AskUpstream,
  { number, hash: known }: Pick<replies.ForkHeader, 'number' | 'hash'>,
): Promise<boolean> {
  const request = blockRequest(number)
  let answer: unknown
  try {
    answer = await ask(...request)
  } catch (error) {
    // There are nodes that know blocks by their hashes only.
    if (!upstreams.isFromUpstream(error)) throw error
    return false
  }
  if (answer === null) return false
  const { hash } = checkedForkHeader(number, answer)
  if (hash === known) return true
  throw failure('upstreamReorganised', { number, known, hash, request: upstreams.nameOfRequest(...request) })
}

/** A place in the block after the one that is forked. */
export interface PlaceWithin {
  readonly number: number
  /** The transactions before it. */
  readonly count: number
  /** The hash of the one that is there. */
  readonly hash: Hash
}

/** The place of a transaction; throws `forkBlockNotFound` if it is in no block. */
async function placeOfTransaction(ask: AskUpstream, hash: Hash): Promise<PlaceWithin> {
  const answer = await ask('eth_getTransactionByHash', [hash])
  const transaction = replies.answerTo(answer, 'eth_getTransactionByHash', [hash])
  const isIncluded = answer !== null && (transaction.field('blockNumber').value ?? null) !== null
  if (!isIncluded) throw failure('forkBlockNotFound', { block: `or transaction ${hash}` })
  const count = replies.safeQuantityIn(transaction.field('transactionIndex'))
  return { number: replies.safeQuantityIn(transaction.field('blockNumber')), count, hash }
}

/** The seconds between blocks that the search for a time begins with; the headers that it reads tell better. */
const FIRST_SPACING_S = 12

/** The tries by the seconds between blocks, after which halves are tried. */
const MOST_GUESSES = 12

/** The number of the last block at or before a time, in seconds. */
async function lastBlockAt(ask: AskUpstream, timestamp: number): Promise<number> {
  const headerOf = async (name: BlockName) => checkedForkHeader(name, await ask(...blockRequest(name)))
  let above = await headerOf('latest')
  let below = -1
  let spacing = FIRST_SPACING_S
  for (let tries = 0; above.timestamp > timestamp; tries++) {
    if (above.number === below + 1) {
      if (below < 0) throw failure('forkBlockNotFound', { block: `at ${timestamp} s` })
      return below
    }
    const back = Math.ceil((above.timestamp - timestamp) / spacing)
    const guess = tries < MOST_GUESSES ? above.number - back : Math.floor((above.number + below) / 2)
    const tried = await headerOf(Math.min(above.number - 1, Math.max(below + 1, guess)))
    spacing = Math.max(0.001, (above.timestamp - tried.timestamp) / (above.number - tried.number))
    if (tried.timestamp <= timestamp) below = tried.number
    else above = tried
  }
  return above.number
}

/** The block that a selector names, as it was answered, or the one before the transaction whose hash it is. */
export async function pin(ask: AskUpstream, asked: ForkSelector) {
  const selector = typeof asked === 'object' ? await lastBlockAt(ask, asked.timestamp) : asked
  const answer = await ask(...blockRequest(selector))
  if (answer !== null || !isHexBytes(selector, 32))
    return { block: answer, header: checkedForkHeader(selector, answer), within: undefined }
  const within: PlaceWithin = await placeOfTransaction(ask, selector)
  const before = within.number - 1
  const block = await ask(...blockRequest(before))
  return { block, header: checkedForkHeader(before, block), within }
}

/** Throws `upstreamReorganised` for an answer of another branch than the fork's; `ask` asks the upstream. */
export type BranchCheck = (
  method: string,
  params: readonly unknown[],
  answer: unknown,
  ask: AskUpstream,
) => Promise<void>

export type ForkSource = Awaited<ReturnType<typeof openSource>>

/** Where answers come from: a recording, and beyond it an upstream, if there is one. */
export async function openSource({ upstream, concurrency, signal, recording }: SourcePlan) {
  const recorder = recording && (await recorders.createRecorder(recording.file, recording.mode))
  const isOffline = upstream === undefined || recording?.mode === 'replay'
  const asked = isOffline ? undefined : { upstream }
  const client = asked && upstreams.createUpstreamClient(() => asked.upstream, concurrency, signal)
  const ask = client && checkedAsk(client, recorder?.of)
  const learning = recorder?.learning ?? nothingKnown()
  return {
    learning,
    recorder,
    client,
    /** Set once the block of the fork is known: refuses answers of another branch. */
    checkBranch: undefined as BranchCheck | undefined,
    /** Who is asked; another upstream may take its place. */
    asked,
    ask,
  }
}

/** The first question to an upstream, beside a recording, is whether it is the chain that was recorded. */
function checkedAsk(client: upstreams.UpstreamClient, recorded: RecordedBlock | undefined): AskUpstream {
  if (recorded === undefined) return client.ask
  const { number } = recorded
  let checked: Promise<void> | undefined
  const check = async (): Promise<void> => {
    const [chainId, block] = await Promise.all([askChainId(client.ask), client.ask(...blockRequest(number))])
    recorders.expectSameBlock(recorded, { chainId, number, hash: checkedForkHeader(number, block).hash })
  }
  return async (method, params) => {
    checked ??= check()
    try {
      await checked
    } catch (error) {
      // It may be there later, or be another one.
      checked = undefined
      throw error
    }
    return client.ask(method, params)
  }
}

/** Asks what is not known, and learns it. */
export function learningAsk(source: ForkSource): AskUpstream {
  const { learning, ask, recorder } = source
  return async (method, params) => {
    const request = upstreams.textOfRequest(method, params)
    if (!learning.answers.has(request)) {
      if (ask === undefined) throw notRecorded({ kind: 'answer', method, params }, recorder)
      const answer = await ask(method, params)
      replies.checkAnswer(method, params, answer)
      await source.checkBranch?.(method, params, answer, ask)
      learning.answers.set(request, answer)
    }
    return learning.answers.get(request)
  }
}

/** The same; an error may stand for an answer, such as that of a call that reverted. */
export function learningErrors(
  { learning }: ForkSource,
  ask: AskUpstream,
  answerIn: (method: string, error: unknown) => unknown,
): AskUpstream {
  return async (method, params) => {
    try {
      return await ask(method, params)
    } catch (error) {
      const answer = answerIn(method, error)
      if (answer === undefined) throw error
      learning.answers.set(upstreams.textOfRequest(method, params), answer)
      return answer
    }
  }
}

/** True for a refusal that a second try would not change. */
function isFinal(error: unknown): boolean {
  const code = upstreams.refusalCode(error)
  return (
    code !== undefined && (upstreams.UNKNOWN_METHOD.has(code) || /opcode|instruction/i.test(textOf(error)))
  )
}

/**
 * The same, for what decides which chain it is: what the upstream refuses is null, after a second try. Only what it
 * certainly refuses is learnt, and with `isCertain` other failures are thrown.
 */
export function learningAskIfAble(
  { learning }: ForkSource,
  ask: AskUpstream,
  isCertain = false,
): AskUpstream {
  return async (method, params) => {
    try {
      return await ask(method, params).catch((error) => {
        if (!upstreams.isUpstreamFailure(error) || isFinal(error)) throw error
        return ask(method, params)
      })
    } catch (error) {
      const isRefused = upstreams.refusalCode(error) !== undefined && upstreams.isUpstreamFailure(error)
      if (isRefused) learning.answers.set(upstreams.textOfRequest(method, params), null)
      else if (
        isCertain ||
        !(upstreams.mayBeRefusal(error) || (error as TickchainError).kind === 'notRecorded')
      )
        throw error
      return null
    }
  }
}

/** The chain of an upstream and the block that a selector names, before it is forked. */
export async function lookAhead(plan: SourcePlan & { readonly selector: ForkSelector }) {
  const ask = learningAsk(await openSource(plan))
  const [chainId, { header }] = await Promise.all([askChainId(ask), pin(ask, plan.selector)])
  return { chainId, header }
}

export function notRecorded(key: MissingKey, recorder: recorders.ForkRecorder | undefined): TickchainError {
  const recording = recorder?.name ?? 'the recording of the fork'
  return failure('notRecorded', { missing: nameOfMissing(key), block: recorder?.of?.number ?? 0, recording })
}
