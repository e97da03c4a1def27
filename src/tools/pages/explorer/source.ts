// The chain that an explorer shows, as far as it needs it.

import type { TimelineRecord } from '../../view/timeline/record.ts'
import { type Ask, type ExplorerPast, type PastChain, recordHistory } from './history.ts'

export type { Ask } from './history.ts'

export interface ChainCommands {
  advance(ms: number): Promise<unknown>
  next(): Promise<unknown>
  seal(): Promise<unknown>
  reorg(depth: number): Promise<unknown>
  /** Drops a pre-confirmed transaction. */
  drop(transactionHash: string): Promise<unknown>
  snapshot(): Promise<unknown>
  /** Goes to a snapshot, which stays valid. */
  revert(snapshot: unknown): Promise<unknown>
}

export type ControlName = keyof ChainCommands

/** A record that grows with the chain. */
export interface LiveTimeline {
  readonly record: TimelineRecord
  /** The index of the chain among the layers of the record. */
  readonly layer: number
  stop(): void
}

export type RecordTimeline = () => Promise<LiveTimeline>

/** A chain as an explorer sees it. */
export interface Source {
  readonly ask: Ask
  /** The past; absent on a provider that does not tell it. */
  readonly history?: ExplorerPast | undefined
  /** Begins to record the timeline; absent like the past. */
  readonly recordTimeline?: RecordTimeline | undefined
  /** Calls the listener when the chain has changed, or may have; returns the function that ends it. */
  watch(listener: (what: 'changed' | 'maybe') => void): () => void
  readonly controls: ChainCommands
  /** The controls that it does not have, each with the reason. */
  missingControls(): Promise<ReadonlyMap<ControlName, string>>
}

/** An explorer in a page. */
export interface Explorer {
  /** Takes the explorer out of the page; it asks nothing any more. */
  unmount(): void
}

/** A provider of a chain (EIP-1193), as wallets and clients have it. */
export interface ExplorerProvider {
  /** Answers a JSON-RPC request. */
  request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}

const METHODS: Readonly<Record<ControlName, string>> = {
  advance: 'tickchain_advance',
  next: 'tickchain_next',
  seal: 'evm_mine',
  reorg: 'tickchain_reorg',
  drop: 'tickchain_dropPreconfirmed',
  snapshot: 'evm_snapshot',
  revert: 'evm_revert',
}

/** The control whose method is asked for in place of others, which could not be asked without being carried out. */
const TELLS_FOR: Partial<Record<ControlName, ControlName>> = { seal: 'revert', snapshot: 'revert' }

/** Tells whether an error says that there is no such method (EIP-1193, EIP-1474, and the words of nodes without codes). */
export function isUnknownMethod(error: unknown): boolean {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown }
  if (code === -32601 || code === -32004 || code === 4200) return true
  return /method\b.*\b(?:not (?:found|supported|available|exist)|does not exist)|unknown method/i.test(
    `${message}`,
  )
}

/** The answer, or `undefined` where there is no such method; other errors are errors. */
export async function ifKnown(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    if (isUnknownMethod(error)) return undefined
    throw error
  }
}

/** The names of methods that the provider does not know. A method is asked with a parameter that no method takes. */
async function unknownMethods(provider: ExplorerProvider, methods: readonly string[]): Promise<Set<string>> {
  const asked = methods.map(async (method) => {
    try {
      await provider.request({ method, params: ['?'] })
      return []
    } catch (error) {
      return isUnknownMethod(error) ? [method] : []
    }
  })
  return new Set((await Promise.all(asked)).flat())
}

async function missingControls(provider: ExplorerProvider): Promise<ReadonlyMap<ControlName, string>> {
  const names = Object.keys(METHODS) as ControlName[]
  const telling = names.map((name) => METHODS[TELLS_FOR[name] ?? name])
  const unknown = await unknownMethods(provider, [...new Set(telling)])
  const missing = names.filter((_, index) => unknown.has(telling[index] as string))
  return new Map(missing.map((name) => [name, `the provider has no ${METHODS[TELLS_FOR[name] ?? name]}`]))
}

export function providerSource(provider: ExplorerProvider, pollMs: number): Source {
  const request = async (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    provider.request({ method, params })
  return {
    ask: request,
    watch(listener) {
      const timer = setInterval(() => listener('maybe'), pollMs)
      return () => clearInterval(timer)
    },
    controls: {
      advance: (ms) => request(METHODS.advance, [ms]),
      next: () => request(METHODS.next),
      seal: () => request(METHODS.seal),
      reorg: (depth) => request(METHODS.reorg, [depth]),
      drop: (hash) => request(METHODS.drop, [[hash]]),
      snapshot: () => request(METHODS.snapshot),
      async revert(snapshot) {
        const isThere = await request(METHODS.revert, [snapshot, { keep: true }])
        if (isThere !== true) throw new Error(`the provider has no snapshot ${snapshot} any more`)
      },
    },
    missingControls: () => missingControls(provider),
  }
}

/** The functions of an emulator that are controls. */
export interface ControlledChain extends PastChain, Pick<ChainCommands, 'next' | 'seal'> {
  reorg(options: { readonly depth: number }): Promise<void>
  dropPreconfirmed(hash: `0x${string}`): Promise<void>
}

interface Access {
  readonly look: Ask
  readonly watch: (listener: () => void) => () => void
}

/** The time in which several changes are shown as one. */
const GATHERED_MS = 16

export function emulatorSource(
  chain: ControlledChain,
  access: Access,
  recordTimeline: RecordTimeline,
): Source {
  const { note, history } = recordHistory(chain)
  return {
    ask: access.look,
    history,
    recordTimeline,
    watch(listener) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const stop = access.watch(() => {
        note()
        timer ??= setTimeout(() => {
          timer = undefined
          listener('changed')
        }, GATHERED_MS)
      })
      return () => {
        clearTimeout(timer)
        stop()
      }
    },
    controls: {
      advance: (ms) => chain.advance(ms),
      next: () => chain.next(),
      seal: () => chain.seal(),
      reorg: (depth) => chain.reorg({ depth }),
      drop: (hash) => chain.dropPreconfirmed(hash as `0x${string}`),
      snapshot: async () => chain.snapshot(),
      revert: (snapshot) => chain.revert(snapshot as never),
    },
    missingControls: async () => new Map(),
  }
}
