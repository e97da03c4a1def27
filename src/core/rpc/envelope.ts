// JSON-RPC 2.0 envelopes, single requests and batches, as text or as objects; connections.

import type { Command } from '../node/events.ts'
import type { Node } from '../node/node.ts'
import type { NodeState } from '../node/node-state.ts'
import { failure, TickchainError } from '../primitives/errors.ts'
import { type Hex, utf8ToBytes } from '../primitives/hex.ts'
import { memoizeWeak } from '../primitives/lru-cache.ts'
import { describe, textOf } from '../primitives/text-of.ts'
import { mismatch } from './codecs/codec.ts'
import { dispatch, isForbidden } from './dispatch.ts'
import { endSubscriptions, type Receiver } from './events/waits.ts'
import { errorDataOf, withFlavorMessage } from './flavor/messages.ts'
import { outcomeWith } from './method.ts'
import { nodeWith, type RpcLimits, type Session } from './session.ts'

/** The JSON of a value; `undefined` if it is longer than a string can be, which depends on the JavaScript engine. */
function boundedJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? ''
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function nodesOfBatch(node: Node, { batchGas, batchResponseBytes }: RpcLimits): () => Node {
  const used = { gas: 0n, blocks: 0, bytes: 0 }
  /** States with this work; one of each, because what is computed of a state is kept by it. */
  const counted = memoizeWeak((state: NodeState): NodeState => ({ ...state, batch: used }))
  const read: Node['read'] = (use) => node.read((state, records) => use(counted(state), records))
  const execute: Node['execute'] = (command) =>
    node.execute(async (state, records, commit) => {
      const seen = counted(state)
      const outcome = await command(seen, records, async (passed) => counted(await commit(passed)))
      return outcome.state === seen ? { ...outcome, state } : outcome
    })
  /** Settles when the reads so far have. What follows them waits, to find the same budget whatever the microtasks. */
  let reads: Promise<unknown> = Promise.resolve()
  /** Runs `run` once the reads before it have ended. On a fork it runs again after a miss, which costs nothing more. */
  const inOrder = <Given extends unknown[], Result>(run: (...given: Given) => Result | Promise<Result>) => {
    const before = reads
    let begun: typeof used | undefined
    return async (...given: Given): Promise<Result> => {
      await before
      begun ??= { ...used }
      Object.assign(used, begun)
      if (used.gas > batchGas) throw failure('batchTooExpensive', { gas: used.gas, most: batchGas })
      if (used.bytes > batchResponseBytes) throw failure('responseTooLarge')
      return run(...given)
    }
  }
  const readInOrder: Node['read'] = (use) => {
    const answered = read(
      inOrder(async (state, records) => {
        const answer = await use(state, records)
        used.bytes += boundedJson(answer)?.length ?? Number.POSITIVE_INFINITY
        return answer
      }),
    )
    reads = answered.catch(() => undefined)
    return answered
  }
  const executeInOrder = <Result>(command: Command<Result>): Promise<Result> =>
    execute(
      inOrder(async (state, records, commit) => {
        const outcome = await command(state, records, commit)
        const added = outcome.state.chain.head.header.number - state.chain.head.header.number
        used.blocks += Math.max(0, added)
        return outcome
      }),
    )
  return () => {
    // A request that has begun is carried out to its end: only its first turn may be refused.
    let turns = 0
    return nodeWith(node, {
      read: (use) => (turns++ === 0 ? readInOrder : read)(use),
      execute: (command) => (turns++ === 0 ? executeInOrder : execute)(command),
    })
  }
}

/** The id of a JSON-RPC 2.0 request, repeated in its answer. */
type Id = string | number | null

/** The error of a JSON-RPC 2.0 answer. */
export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A JSON-RPC 2.0 answer. */
export type RpcAnswer =
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly error: ErrorObject }

/** The answer to a body; `undefined` if it holds only notifications. */
export type RpcReply = RpcAnswer | readonly RpcAnswer[] | undefined

function answerError({ options: { flavor }, known: { customErrors } }: Session, id: Id, error: unknown) {
  const known = error instanceof TickchainError ? error : failure('internal', { reason: textOf(error) })
  const worded = withFlavorMessage(flavor, known, customErrors)
  const { code, message } = worded
  const data = errorDataOf(flavor, worded)
  return { jsonrpc: '2.0' as const, id, error: { code, message, ...(data === undefined ? {} : { data }) } }
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number' || value === null
}

/** Why an object is not a request; `undefined` if it is one. */
function invalidReason(request: Record<string, unknown>): string | undefined {
  const { jsonrpc, method, id } = request
  if (jsonrpc !== '2.0') return `jsonrpc must be "2.0", got ${describe(jsonrpc)}`
  if (typeof method !== 'string') return `method must be a string, got ${describe(method)}`
  if (id !== undefined && !isId(id)) return `id must be a number, a string or null, got ${describe(id)}`
  return undefined
}

function invalidRequest(reason: string): TickchainError {
  return failure('invalidRequest', { reason })
}

function unreadable(error: unknown): TickchainError {
  return invalidRequest(`cannot be read: ${textOf(error)}`)
}

/** The members of a request. Each is read once, because a getter may throw, or answer something else the next time. */
export function membersOf(request: unknown): Record<string, unknown> {
  try {
    if (typeof request === 'object' && request !== null && !Array.isArray(request)) {
      const { jsonrpc, id, method, params } = request as Record<string, unknown>
      return { jsonrpc, id, method, params }
    }
  } catch (error) {
    throw unreadable(error)
  }
  throw invalidRequest(`expected an object, got ${describe(request)}`)
}

/** Answers one request. A notification (a request without id) is executed, but not answered. */
async function answerOne(session: Session, request: unknown): Promise<RpcAnswer | undefined> {
  let record: Record<string, unknown>
  try {
    record = membersOf(request)
  } catch (error) {
    return answerError(session, null, error)
  }
  const { id, method, params } = record
  const reason = invalidReason(record)
  if (reason !== undefined) return answerError(session, isId(id) ? id : null, invalidRequest(reason))
  const isNotification = id === undefined
  try {
    const result = await dispatch(session, method, params)
    return isNotification ? undefined : { jsonrpc: '2.0', id: id as Id, result: result ?? null }
  } catch (error) {
    return isNotification ? undefined : answerError(session, id as Id, error)
  }
}

/** The requests of a batch, its holes as undefined; `undefined` for a single request. Executes none of them. */
function requestsIn(body: unknown, most: number): readonly unknown[] | undefined {
  try {
    if (!Array.isArray(body)) return undefined
    if (body.length <= most) return Array.from(body)
  } catch (error) {
    throw unreadable(error)
  }
  throw invalidRequest(`batch too large: ${body.length} requests, at most ${most}`)
}

export async function answerBody(session: Session, body: unknown): Promise<RpcReply> {
  let batch: readonly unknown[] | undefined
  try {
    batch = requestsIn(body, session.options.limits.batchLength)
  } catch (error) {
    return answerError(session, null, error)
  }
  if (batch === undefined) return answerOne(session, body)
  if (batch.length === 0) return answerError(session, null, invalidRequest('empty batch'))
  const nextNode = nodesOfBatch(session.node, session.options.limits)
  const answers = await Promise.all(
    batch.map((request) => answerOne({ ...session, node: nextNode() }, request)),
  )
  const present = answers.filter((answer) => answer !== undefined)
  return present.length === 0 ? undefined : present
}

/** True for a text that is longer than a number of UTF-8 bytes. Encodes it only if its length is near the limit. */
export function isTooLong(text: string, most: number): boolean {
  return text.length > most || (text.length * 3 > most && utf8ToBytes(text).length > most)
}

/** Answers a body of text with text; with an empty one if there is no answer. */
export async function answerText(session: Session, text: string): Promise<string> {
  const most = session.options.limits.bodyBytes
  const refused = (error: TickchainError) => JSON.stringify(answerError(session, null, error))
  if (isTooLong(text, most)) return refused(invalidRequest(`request body too large, at most ${most} bytes`))
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // The message of JSON.parse differs between JavaScript engines, so it is not in the answer.
    return refused(failure('parseError'))
  }
  const reply = await answerBody(session, body)
  if (reply === undefined) return ''
  // Answers that no text can hold are refused one by one.
  const refuse = ({ id }: RpcAnswer): RpcAnswer => answerError(session, id, failure('responseTooLarge'))
  return boundedJson(reply) ?? JSON.stringify('id' in reply ? refuse(reply) : reply.map(refuse))
}

/** True for a body with a request that the endpoint forbids. It refuses the whole body before executing any of it. */
export function holdsForbidden({ options }: Session, text: string): boolean {
  if (options.endpoint === 'open') return false
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return false
  }
  const requests: readonly unknown[] = Array.isArray(body) ? body : [body]
  return requests.some((request) =>
    isForbidden(options, (request as Record<string, unknown> | null)?.['method']),
  )
}

/** A client's connection to an emulator. */
export interface Connection {
  /**
   * Takes a JSON-RPC body from the client, one request or a batch. The answer goes to the function that `connect` was
   * given. Resolves when it has been given; rejects only what is no text, with `invalidCall`.
   */
  receive(text: string): Promise<void>
  /** Ends the connection and its subscriptions. Nothing is sent from now on; requests that have arrived take effect. */
  close(): void
}

export function openConnection(session: Session, send: (text: string) => void): Connection {
  let isOpen = true
  const sendOpen = (text: string): void => {
    if (isOpen) send(text)
  }
  // A client can tell whose a message is only once it has the answer to its eth_subscribe.
  const early = new Map<Hex, string[]>()
  const emit: Receiver = ({ data }) => {
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: data })
    const waiting = early.get(data.subscription)
    if (waiting === undefined) sendOpen(text)
    else waiting.push(text)
  }
  const own: Session = { ...session, canPush: true, emit }
  return {
    async receive(text) {
      if (typeof text !== 'string') {
        const reason = mismatch('text, such as data.toString()', text)
        throw failure('invalidCall', { call: 'receive', reason })
      }
      if (!isOpen) return
      const begun: Hex[] = []
      const tellSubscribed = (id: Hex): void => {
        begun.push(id)
        early.set(id, [])
      }
      const answer = await answerText({ ...own, tellSubscribed }, text)
      if (answer !== '') sendOpen(answer)
      for (const id of begun) {
        const messages = early.get(id) ?? []
        early.delete(id)
        for (const message of messages) sendOpen(message)
      }
    },
    close() {
      isOpen = false
      // In its turn, after those requests that have not begun their subscriptions yet.
      session.node
        .execute((state) =>
          outcomeWith(state, undefined, () => endSubscriptions(session.subscriptions, emit)),
        )
        .catch((error: unknown) => {
          // An emulator that is disposed of sends nothing any more.
          if (!(error instanceof TickchainError && error.kind === 'disposed')) throw error
        })
    },
  }
}
