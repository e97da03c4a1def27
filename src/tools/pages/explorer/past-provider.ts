// The past of a chain elsewhere, such as in a worker or behind HTTP, by two methods beside those of JSON-RPC.

import { type Ask, type Instant, type PastChain, pastOf, recordHistory } from './history.ts'
import { fieldsIn, listIn } from './shapes.ts'
import * as sources from './source.ts'

/** The instants and the timeline; null if nothing has happened since a position. */
const PAST = 'tickchain_past'
/** An answer as it was at a position. */
const AT = 'tickchain_at'

interface RecordedChain extends PastChain, sources.ExplorerProvider {}

/** A provider that also answers how the chain was. */
export async function answerPast(
  chain: RecordedChain,
  watch: (listener: () => void) => () => void,
  recordTimeline: sources.RecordTimeline,
): Promise<sources.ExplorerProvider> {
  const { note, instants, history } = recordHistory(chain)
  watch(note)
  const timeline = await recordTimeline()
  let asked: { readonly position: number; readonly ask: Promise<Ask> } | undefined
  return {
    async request({ method, params }) {
      if (method !== PAST && method !== AT) return chain.request({ method, params })
      const [position, ...question] = listIn(params) as [number, string, readonly unknown[]]
      if (method === PAST) {
        if (position === history.last()) return null
        const { record, layer } = timeline
        return { instants: instants().map(({ position, atMs }) => ({ position, atMs })), record, layer }
      }
      if (typeof question[0] !== 'string')
        throw new TypeError(`${AT}: expected a position, a method and its params`)
      // One instant is asked many questions.
      if (asked?.position !== position) asked = { position, ask: history.at(position) }
      return (await asked.ask)(...question)
    },
  }
}

interface ToldPast extends Pick<sources.LiveTimeline, 'record' | 'layer'> {
  readonly instants: readonly Instant[]
}

async function readPast(told: unknown): Promise<ToldPast> {
  const { instants, record: given, layer } = fieldsIn(told)
  // What reads and draws timelines is loaded with the first of them.
  const { readRecord } = await import('./timeline-strip.tsx')
  const { record } = readRecord(given)
  const read = listIn(instants).map((each) => {
    const { position, atMs } = fieldsIn(each)
    return { position: Number(position), atMs: Number(atMs) }
  })
  if (record?.layers[Number(layer)] === undefined || read.length === 0) throw new Error('the past is damaged')
  return { instants: read, record, layer: Number(layer) }
}

/** The source of a provider, with the past if the provider tells it. */
export function withPast(source: sources.Source, provider: sources.ExplorerProvider): sources.Source {
  let told: ToldPast | undefined
  let isAsking = false
  const at = async (position: number): Promise<Ask> => {
    return async (method, params) => provider.request({ method: AT, params: [position, method, params] })
  }
  const history = pastOf(() => told?.instants ?? [], at)
  const timeline: sources.LiveTimeline = {
    // It is given away when it is there.
    get record() {
      return (told as ToldPast).record
    },
    get layer() {
      return (told as ToldPast).layer
    },
    stop: () => {},
  }
  const recordTimeline = async (): Promise<sources.LiveTimeline> => timeline
  /** Asks for what has happened since; resolves to true if something has. A provider without a past is asked once. */
  const renew = async (): Promise<boolean> => {
    if (isAsking) return false
    isAsking = true
    let answer: unknown = null
    try {
      answer = await sources.ifKnown(provider.request({ method: PAST, params: [told && history.last()] }))
      if (answer) told = await readPast(answer)
    } catch {
      // The questions about the present say what is wrong.
      answer = null
    }
    isAsking = answer === undefined
    return !!answer
  }
  return {
    ...source,
    get history() {
      return told && history
    },
    get recordTimeline() {
      return told && recordTimeline
    },
    watch(listener) {
      const ask = async (): Promise<void> => {
        if (await renew()) listener('changed')
      }
      void ask()
      return source.watch((what) => {
        listener(what)
        void ask()
      })
    },
  }
}
