// A fork: a block of an upstream, and what is known of the world there. The node asks it for what a read missed.

import { failure, type TickchainError } from '../primitives/errors.ts'
import { type Address, type Hash, isHexBytes, toQuantity } from '../primitives/hex.ts'
import type { Account } from '../state/account.ts'
import { Miss, type MissedCall, type MissingKey } from '../state/miss.ts'
import type { MapBase } from '../state/overlay-map.ts'
import { answeredInteger, answeredObject, placeOf, refuseAnswer } from './answers.ts'
import { createStateFetcher, type Keys, type StateFetcher } from './fetch-state.ts'
import { withFunded } from './funded.ts'
import { type ForkHeader, readForkHeader } from './header-fields.ts'
import { type ForkHistory, historyUpTo } from './history.ts'
import { baseOver, type Known, type Learning, nothingKnown } from './known.ts'
import {
  createRecorder,
  expectSameBlock,
  type Recorder,
  type RecordingFile,
  type RecordingMode,
} from './recorder.ts'
import { learnAll, nameOfMissing, type RecordedBlock, textOfRecording } from './recording.ts'
import { createStateRequests } from './state-requests.ts'
import {
  createUpstreamClient,
  nameOfRequest,
  textOfRequest,
  type Upstream,
  type UpstreamClient,
} from './upstream.ts'

/** A block: a tag, a number, or a hash. */
export type ForkSelector = 'latest' | 'safe' | 'finalized' | 'earliest' | number | Hash

/** What a fork has cost so far. */
export interface ForkStats {
  /** Requests that were sent to the upstream. */
  readonly requests: number
  /** How often a read or an execution waited for the upstream. */
  readonly waits: number
  /** Accounts that are known. */
  readonly accounts: number
  /** Slots that are known. */
  readonly slots: number
}

/** A block of the upstream, and the world after it. */
export interface Fork {
  /** The upstream's. */
  readonly chainId: number
  readonly header: ForkHeader
  /** The accounts; a read of an unknown one throws a `Miss`. */
  readonly base: MapBase<Address, Account>
  /** The hash of a block up to this one; throws a `Miss` while it is not known. */
  readonly blockHashAt: (number: number) => Hash | undefined
  /** The answer to a request about what is before the fork; throws a `Miss` while it is not known. */
  readonly answer: (method: string, params: readonly unknown[]) => unknown
  /** Blocks and transactions up to this one. */
  readonly history: ForkHistory
  /** The least balances of accounts that a test signs for. */
  readonly balances: ReadonlyMap<Address, bigint>
  /** The text of all that is known. */
  readonly recording: () => string
  /** Takes over what is known elsewhere. */
  readonly learn: (known: Known) => void
  /** Learns accounts and slots ahead. */
  readonly prefetch: (keys: Keys) => Promise<void>
  readonly stats: () => ForkStats
}

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

interface ForkPlan {
  /** `undefined` for a fork that has all from its recording. */
  readonly upstream: Upstream | undefined
  readonly recording: { readonly file: RecordingFile; readonly mode: RecordingMode } | undefined
  readonly selector: ForkSelector
  readonly concurrency: number
  /** The least balances of accounts that a test signs for. */
  readonly balances: ReadonlyMap<Address, bigint>
}

async function askChainId(ask: Ask): Promise<number> {
  return answeredInteger(await ask('eth_chainId', []), placeOf(nameOfRequest('eth_chainId', [])))
}

type Request = readonly [method: string, params: readonly unknown[]]

function blockRequest(selector: ForkSelector): Request {
  if (isHexBytes(selector, 32)) return ['eth_getBlockByHash', [selector, false]]
  return ['eth_getBlockByNumber', [typeof selector === 'number' ? toQuantity(selector) : selector, false]]
}

/** The header of the block that a selector names, checked to be that one. */
function headerIn(selector: ForkSelector, answer: unknown): ForkHeader {
  const [method, params] = blockRequest(selector)
  if (answer === null) throw failure('forkBlockNotFound', { block: `${selector}` })
  const place = placeOf(nameOfRequest(method, params))
  const header = readForkHeader(answeredObject(answer, place), place)
  const isOther =
    typeof selector === 'number' ? header.number !== selector : header.hash !== `${selector}`.toLowerCase()
  const isNamed = typeof selector === 'number' || isHexBytes(selector, 32)
  return isNamed && isOther ? refuseAnswer(place, `block ${selector}`) : header
}

/** What a miss and the message around it need for certain. */
function keysOf(key: MissingKey, call: MissedCall | undefined): Map<Address, Set<Hash>> {
  const keys = new Map<Address, Set<Hash>>()
  for (const address of [call?.from, call?.to, call?.coinbase])
    if (address !== undefined) keys.set(address, new Set())
  if (key.kind === 'account') keys.set(key.address, new Set())
  if (key.kind === 'slot') keys.set(key.address, new Set([key.slot]))
  return keys
}

/** Learns what a miss names and, with the first of a message, what that would touch. */
function createLoader({ fetch, touchedBy }: StateFetcher) {
  const hinted = new Set<string>()
  return async (key: MissingKey, call: MissedCall | undefined): Promise<void> => {
    const name = call === undefined ? '' : `${call.from}${call.to}${call.value}${call.input.join()}`
    const isNew = call !== undefined && !hinted.has(name)
    if (isNew) hinted.add(name)
    // What is certain is known when the hint is followed, so it is not asked for twice.
    const [touched] = await Promise.all([isNew ? touchedBy(call) : undefined, fetch(keysOf(key, call))])
    if (touched !== undefined) await fetch(touched)
  }
}

/** Where answers come from: a recording, and beyond it an upstream, if there is one. */
interface Source {
  readonly learning: Learning
  readonly recorder: Recorder | undefined
  readonly client: UpstreamClient | undefined
  /** `undefined` without an upstream. */
  readonly ask: Ask | undefined
}

async function openSource({ upstream, concurrency, recording }: ForkPlan): Promise<Source> {
  const recorder = recording && (await createRecorder(recording.file, recording.mode))
  const isOffline = upstream === undefined || recording?.mode === 'replay'
  const client = isOffline ? undefined : createUpstreamClient(upstream, concurrency)
  const ask = client && checkedAsk(client, recorder?.of)
  return { learning: recorder?.learning ?? nothingKnown(), recorder, client, ask }
}

/** The first question to an upstream, beside a recording, is whether it is the chain that was recorded. */
function checkedAsk(client: UpstreamClient, recorded: RecordedBlock | undefined): Ask {
  if (recorded === undefined) return client.ask
  const { number } = recorded
  let checked: Promise<void> | undefined
  const check = async (): Promise<void> => {
    const [chainId, block] = await Promise.all([askChainId(client.ask), client.ask(...blockRequest(number))])
    expectSameBlock(recorded, { chainId, number, hash: headerIn(number, block).hash })
  }
  return async (method, params) => {
    checked ??= check()
    await checked
    return client.ask(method, params)
  }
}

/** Asks what is not known, and learns it. */
function learningAsk({ learning, ask, recorder }: Source): Ask {
  return async (method, params) => {
    const request = textOfRequest(method, params)
    if (!learning.answers.has(request)) {
      if (ask === undefined) throw notRecorded({ kind: 'answer', method, params }, recorder?.of?.number ?? 0)
      learning.answers.set(request, await ask(method, params))
    }
    return learning.answers.get(request)
  }
}

function notRecorded(key: MissingKey, block: number): TickchainError {
  return failure('notRecorded', { missing: nameOfMissing(key), block })
}

/** Resolves the block and makes a fork of it. */
export async function createFork(plan: ForkPlan): Promise<Fork> {
  const source = await openSource(plan)
  const { learning, client, recorder } = source
  const ask = learningAsk(source)
  const [chainId, block] = await Promise.all([askChainId(ask), ask(...blockRequest(plan.selector))])
  const header = headerIn(plan.selector, block)
  const { number, hash } = header
  // By its number, too, for a test that names it otherwise.
  learning.answers.set(textOfRequest(...blockRequest(number)), block)
  const of = { chainId, number, hash }
  expectSameBlock(recorder?.of, of)
  const fetcher = source.ask && createStateFetcher(createStateRequests(source.ask, number), learning)
  const loadState = fetcher && createLoader(fetcher)
  let waits = 0
  async function load(key: MissingKey, call: MissedCall | undefined): Promise<void> {
    if (loadState === undefined) throw notRecorded(key, number)
    waits++
    if (key.kind === 'answer') await ask(key.method, key.params)
    else await loadState(key, call)
    await recorder?.save(of)
  }
  const miss = (key: MissingKey): never => {
    throw new Miss(key, load)
  }
  const answer: Fork['answer'] = (method, params) => {
    const request = textOfRequest(method, params)
    return learning.answers.has(request)
      ? learning.answers.get(request)
      : miss({ kind: 'answer', method, params })
  }
  await recorder?.save(of)
  return {
    chainId,
    header,
    base: withFunded(
      baseOver(learning, {
        account: (address) => miss({ kind: 'account', address }),
        slot: (address, slot) => miss({ kind: 'slot', address, slot }),
      }),
      plan.balances,
    ),
    balances: plan.balances,
    recording: () => textOfRecording(of, learning),
    learn: (known) => learnAll(known, learning),
    blockHashAt(at) {
      if (at < 0 || at > number) return undefined
      if (at === number) return hash
      if (at === number - 1) return header.parentHash
      return headerIn(at, answer(...blockRequest(at))).hash
    },
    answer,
    history: historyUpTo(number, answer),
    async prefetch(keys) {
      await fetcher?.fetch(keys)
      if (fetcher !== undefined) await recorder?.save(of)
    },
    stats: () => ({
      requests: client?.sent() ?? 0,
      waits,
      accounts: learning.accounts.size,
      slots: [...learning.slots.values()].reduce((sum, { size }) => sum + size, 0),
    }),
  }
}
