// The state of an explorer, and what changes it.

import { createNames } from './accounts.ts'
import { createMemory, type OrphanShape } from './memory.ts'
import { createOverviewReader, fingerprintOf, newsBetween, type Overview } from './overview.ts'
import type { Ask, ControlName, Source } from './source.ts'
import { reasonText } from './text.ts'

/** After this time a question without an answer is named. */
const SLOW_MS = 1500

function createAsker(source: Pick<Source, 'ask'>, onSlow: () => void) {
  let answers = new Map<string, Promise<unknown>>()
  let open = new Map<symbol, { readonly method: string; isSlow: boolean }>()

  const watchOver = async (method: string, answer: Promise<unknown>): Promise<void> => {
    const id = Symbol(method)
    const question = { method, isSlow: false }
    const questions = open
    questions.set(id, question)
    const timer = setTimeout(() => {
      question.isSlow = true
      if (questions === open) onSlow()
    }, SLOW_MS)
    await answer.catch(() => undefined)
    clearTimeout(timer)
    questions.delete(id)
    if (question.isSlow && questions === open) onSlow()
  }

  let hasEnded = false

  /** Asks in any case, before the end; later questions have no answer. */
  const askAnew: Ask = (method, params) => {
    if (hasEnded) return new Promise(() => undefined)
    // A provider may throw at once.
    const answer = (async () => source.ask(method, params))()
    void watchOver(method, answer)
    return answer
  }

  /** Answers a read; all who ask the same until `renew` share an answer. */
  const ask: Ask = (method, params) => {
    const key = JSON.stringify([method, params])
    const answer = answers.get(key) ?? askAnew(method, params)
    answers.set(key, answer)
    return answer
  }
  return {
    ask,
    askAnew,
    /** Forgets the answers: the chain has changed. */
    renew(): void {
      answers = new Map()
    },
    /** The methods that have had no answer for long. */
    slow: (): readonly string[] => [
      ...new Set([...open.values()].filter(({ isSlow }) => isSlow).map(({ method }) => method)),
    ],
    /** Forgets the open questions, too. */
    forget(): void {
      open = new Map()
      answers = new Map()
    },
    end(): void {
      hasEnded = true
    },
  }
}

export type Place =
  | { readonly kind: 'accounts' }
  | { readonly kind: 'pool' }
  | { readonly kind: 'block'; readonly number: number }
  | { readonly kind: 'orphan'; readonly hash: string }
  | { readonly kind: 'transaction'; readonly hash: string }
  | { readonly kind: 'account'; readonly address: string }
  /** The transactions with a selector or a topic. */
  | { readonly kind: 'search'; readonly hex: string }
  /** The difference between two positions of the time cursor, such as `200-4000`. */
  | { readonly kind: 'difference'; readonly pins: string }

/** True for what a narrow page shows instead of the blocks: all but the place where an explorer begins. */
const isDetail = ({ kind }: Place): boolean => kind !== 'accounts'

export const isSamePlace = (one: Place, other: Place): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** A snapshot that the explorer has taken. */
interface TakenSnapshot {
  readonly handle: unknown
  readonly blockNumber: number
  readonly atMs: number
  readonly fingerprint: string
}

interface View {
  /** Counts the states of the chain that were seen. */
  readonly version: number
  readonly overview: Overview | undefined
  /** Why the chain does not answer. */
  readonly trouble: string | undefined
  /** Methods whose answers take long. */
  readonly slow: readonly string[]
  readonly place: Place
  /** The places before this one. */
  readonly trail: readonly Place[]
  /** True if a place was asked for, which a narrow page shows instead of the blocks. */
  readonly isDetail: boolean
  /** Blocks that were seen on the chain before. */
  readonly orphans: readonly OrphanShape[]
  /** Why the last command failed. */
  readonly failure: string | undefined
  /** The last news, for screen readers. */
  readonly news: string
  /** The instant that is shown; `undefined` for the present. */
  readonly past: { readonly position: number; readonly ask: Ask } | undefined
  /** The positions that are pinned as A and B. */
  readonly pins: readonly (number | undefined)[]
  readonly snapshots: readonly TakenSnapshot[]
  readonly missing: ReadonlyMap<ControlName, string>
}

export interface Store extends ReturnType<typeof createStore> {}

const NOTHING = { overview: undefined, trouble: undefined, failure: undefined, past: undefined }
const FIRST_VIEW: Omit<View, 'place' | 'isDetail'> = {
  ...{ ...NOTHING, version: 0, news: '', slow: [], trail: [], orphans: [], pins: [], snapshots: [] },
  missing: new Map(),
}

type Cell = ReturnType<typeof createCell>

function createCell(place: Place) {
  let view: View = { ...FIRST_VIEW, place, isDetail: isDetail(place) }
  const listeners = new Set<() => void>()
  return {
    view: () => view,
    set(change: Partial<View>): void {
      const names = Object.keys(change) as (keyof View)[]
      if (names.every((name) => view[name] === change[name])) return
      view = { ...view, ...change }
      for (const listener of listeners) listener()
    },
    listen(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    end: () => listeners.clear(),
  }
}

/** The ways from place to place; `history` is that of a page whose address follows. */
function createPlaces({ view, set }: Cell, history: Pick<History, 'back'> | undefined) {
  const open = (place: Place): void => {
    const { place: from, trail } = view()
    if (!isSamePlace(place, from)) set({ place, trail: [...trail, from], failure: undefined })
    set({ isDetail: true })
  }
  /** Goes back to a place, or on to one that is not on the way back. */
  const revisit = (place: Place): void => {
    const { trail } = view()
    const index = trail.map((each) => isSamePlace(each, place)).lastIndexOf(true)
    if (index < 0) open(place)
    else set({ place, trail: trail.slice(0, index), failure: undefined, isDetail: isDetail(place) })
  }
  return {
    open,
    revisit,
    /** Shows the blocks again, on a narrow page. */
    leave: (): void => set({ isDetail: false }),
    goBack(): void {
      const place = view().trail.at(-1)
      if (history !== undefined) history.back()
      else if (place !== undefined) revisit(place)
    },
  }
}

function createTimeCursor({ view, set }: Cell, source: Source, refresh: () => Promise<void>) {
  let wanted: { readonly position: number | undefined } = { position: undefined }
  return {
    /** The position that was asked for last, which may not be shown yet. */
    wanted: () => wanted.position,
    /** Shows an instant, or the present; the last one that was asked for, if there are several. */
    async travel(position: number | undefined): Promise<void> {
      const mine = { position }
      wanted = mine
      try {
        const ask = position === undefined ? undefined : await source.history?.at(position)
        if (mine !== wanted) return
        set({ past: position === undefined || ask === undefined ? undefined : { position, ask } })
      } catch (error) {
        set({ failure: `Past: ${reasonText(error)}` })
      }
      await refresh()
    },
    pin: (index: number, position: number): void =>
      set({ pins: Object.assign([...view().pins], { [index]: position }) }),
  }
}

function createRefresh({ view, set }: Cell, asker: ReturnType<typeof createAsker>) {
  const readOverview = createOverviewReader()
  const memory = createMemory()
  let following: Promise<void> = Promise.resolve()
  /** Notes new blocks, one change after the other. A chain that does not answer is named by the next overview. */
  const remember = (head: number): void => {
    const follow = (): Promise<void> => memory.follow(asker.askAnew, head)
    following = following.then(follow).then(
      () => set({ orphans: memory.orphans() }),
      () => undefined,
    )
  }
  let shown = ''
  let isRunning = false
  let isChanged = false
  // A run that was given up must not end the next one, nor show anything.
  let generation = 0
  const readOnce = async (mine: number): Promise<void> => {
    const isForced = isChanged
    isChanged = false
    try {
      const overview = await readOverview(asker.askAnew)
      if (mine !== generation) return
      const fingerprint = fingerprintOf(overview)
      const { version, overview: before, trouble } = view()
      if (fingerprint === shown && !isForced && trouble === undefined) return
      shown = fingerprint
      asker.renew()
      const isPast = view().past !== undefined
      const news = isPast ? '' : newsBetween(before, overview)
      set({ version: version + 1, overview, trouble: undefined, ...(news === '' ? {} : { news }) })
      if (!isPast) remember(overview.latest.number)
    } catch (error) {
      if (mine === generation) set({ trouble: reasonText(error) })
    }
  }
  return {
    /** Reads the overview; makes a new version if the chain has changed, or if the overview tells so. */
    async run(what: 'changed' | 'maybe') {
      isChanged ||= what === 'changed'
      if (isRunning) return
      isRunning = true
      const mine = generation
      do await readOnce(mine)
      while (isChanged && mine === generation)
      if (mine === generation) isRunning = false
    },
    abandon() {
      generation++
      isRunning = false
    },
  }
}

/** A store of a source, which begins at a place. */
export function createStore(source: Source, first: Place, history?: Pick<History, 'back'>) {
  const cell = createCell(first)
  const { view, set } = cell
  const ask: Ask = (method, params) => (view().past?.ask ?? source.ask)(method, params)
  const asker = createAsker({ ask }, () => set({ slow: asker.slow() }))
  const refresh = createRefresh(cell, asker)
  const stop = source.watch((what) => void refresh.run(what))
  const cursor = createTimeCursor(cell, source, () => refresh.run('changed'))
  const findMissing = async (): Promise<void> => set({ missing: await source.missingControls() })
  return {
    /** Asks for the first time. */
    begin(): void {
      void refresh.run('changed')
      void findMissing()
    },
    view,
    /** Calls the listener after every change; returns the function that ends it. */
    listen: cell.listen,
    asker,
    /** Names of an account; rejects if the chain has none. */
    names: createNames(asker.ask),
    source,
    /** Carries a command out; if it fails, the view says so. */
    async command(what: string, run: () => Promise<unknown>): Promise<void> {
      // Commands are carried out in the present.
      if (view().past !== undefined) await cursor.travel(undefined)
      try {
        await run()
        set({ failure: undefined })
      } catch (error) {
        set({ failure: `${what}: ${reasonText(error)}` })
      }
      await refresh.run('changed')
    },
    ...cursor,
    ...createPlaces(cell, history),
    tell: (failure: string | undefined): void => set({ failure }),
    announce: (news: string): void => set({ news }),
    keepSnapshot(handle: unknown): void {
      const { overview, snapshots } = view()
      if (overview === undefined) return
      const { latest, clock } = overview
      const at = { blockNumber: latest.number, atMs: clock?.nowMs ?? latest.timeMs }
      set({ snapshots: [...snapshots, { handle, ...at, fingerprint: fingerprintOf(overview) }] })
    },
    retry(): void {
      refresh.abandon()
      asker.forget()
      set({ slow: [], trouble: undefined })
      void refresh.run('changed')
      void findMissing()
    },
    end(): void {
      stop()
      refresh.abandon()
      asker.forget()
      asker.end()
      cell.end()
    },
  }
}
