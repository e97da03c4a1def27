// The state of an explorer, and what changes it.

import { type Asker, createAsker } from './asker.ts'
import { createOverviewReader, fingerprintOf, newsBetween, type Overview } from './overview.ts'
import { fieldsIn, listIn } from './shapes.ts'
import type { Ask, ControlName, Source } from './source.ts'
import { reasonText } from './text.ts'

interface AccountNames {
  /** Given by a test, or that of an own account. */
  readonly name: string | undefined
  /** The name of the contract whose code it has. */
  readonly contract: string | undefined
}

/** Asks for names of accounts, for all that are wanted in the same task together. */
function createNames(ask: Ask): Store['names'] {
  let gathered: string[] = []
  let answer: Promise<unknown> | undefined
  const askTogether = async (): Promise<unknown> => {
    await Promise.resolve()
    const addresses = gathered
    gathered = []
    answer = undefined
    return ask('tickchain_describeAccounts', [addresses])
  }
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  return async (address) => {
    const index = gathered.push(address) - 1
    answer ??= askTogether()
    const { name, contract } = fieldsIn(listIn(await answer)[index])
    return { name: textOf(name), contract: textOf(contract) }
  }
}

/** A place that the panel shows. */
export type Place =
  | { readonly kind: 'accounts' }
  | { readonly kind: 'pool' }
  | { readonly kind: 'block'; readonly number: number }
  | { readonly kind: 'transaction'; readonly hash: string }
  | { readonly kind: 'account'; readonly address: string }

/** A snapshot that the explorer has taken. */
export interface TakenSnapshot {
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
  /** Why the last command failed. */
  readonly failure: string | undefined
  /** The last news, for screen readers. */
  readonly news: string
  readonly snapshots: readonly TakenSnapshot[]
  readonly missing: ReadonlyMap<ControlName, string>
}

export interface Store {
  /** Asks for the first time. */
  readonly begin: () => void
  readonly view: () => View
  /** Calls the listener after every change; returns the function that ends it. */
  readonly listen: (listener: () => void) => () => void
  readonly asker: Asker
  /** Names of an account; rejects if the chain has none. */
  readonly names: (address: string) => Promise<AccountNames>
  readonly source: Source
  readonly open: (place: Place) => void
  readonly goBack: () => void
  /** Carries a command out; if it fails, the view says so. */
  readonly command: (what: string, run: () => Promise<unknown>) => Promise<void>
  readonly tell: (failure: string) => void
  readonly keepSnapshot: (handle: unknown) => void
  /** Asks everything again. */
  readonly retry: () => void
  readonly end: () => void
}

const FIRST_VIEW: View = {
  version: 0,
  overview: undefined,
  trouble: undefined,
  slow: [],
  place: { kind: 'accounts' },
  trail: [],
  failure: undefined,
  news: '',
  snapshots: [],
  missing: new Map(),
}

type Cell = ReturnType<typeof createCell>

function createCell() {
  let view = FIRST_VIEW
  const listeners = new Set<() => void>()
  return {
    view: () => view,
    set(change: Partial<View>): void {
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

function createRefresh({ view, set }: Cell, asker: Asker) {
  const readOverview = createOverviewReader()
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
      const news = newsBetween(before, overview)
      set({ version: version + 1, overview, trouble: undefined, ...(news === '' ? {} : { news }) })
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

export function createStore(source: Source): Store {
  const cell = createCell()
  const { view, set } = cell
  const asker: Asker = createAsker(source, () => set({ slow: asker.slow() }))
  const refresh = createRefresh(cell, asker)
  const stop = source.watch((what) => void refresh.run(what))
  const findMissing = async (): Promise<void> => set({ missing: await source.missingControls() })
  return {
    begin() {
      void refresh.run('changed')
      void findMissing()
    },
    view,
    listen: cell.listen,
    asker,
    names: createNames(asker.ask),
    source,
    open(place) {
      const { place: from, trail } = view()
      if (JSON.stringify(place) !== JSON.stringify(from))
        set({ place, trail: [...trail, from], failure: undefined })
    },
    goBack() {
      const { trail } = view()
      const place = trail.at(-1)
      if (place !== undefined) set({ place, trail: trail.slice(0, -1) })
    },
    async command(what, run) {
      try {
        await run()
        set({ failure: undefined })
      } catch (error) {
        set({ failure: `${what}: ${reasonText(error)}` })
      }
      await refresh.run('changed')
    },
    tell: (failure) => set({ failure }),
    keepSnapshot(handle) {
      const { overview, snapshots } = view()
      if (overview === undefined) return
      const { latest, clock } = overview
      const snapshot: TakenSnapshot = {
        handle,
        blockNumber: latest.number,
        atMs: clock?.nowMs ?? latest.timeMs,
        fingerprint: fingerprintOf(overview),
      }
      set({ snapshots: [...snapshots, snapshot] })
    },
    retry() {
      refresh.abandon()
      asker.forget()
      set({ slow: [], trouble: undefined })
      void refresh.run('changed')
      void findMissing()
    },
    end() {
      stop()
      refresh.abandon()
      asker.forget()
      cell.end()
    },
  }
}
