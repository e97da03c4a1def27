// The whole explorer.

import { Fragment, type JSX } from 'preact'
import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { AccountsView, AccountView } from './accounts-view.tsx'
import { BlockList } from './block-list.tsx'
import { BlockDetails, OrphanDetails, OrphanLinks, PoolView } from './block-view.tsx'
import { ControlsView, Search, TimeTravel } from './controls-view.tsx'
import { DifferenceView } from './difference-view.tsx'
import { Heads, OpenBlockHead } from './heads.tsx'
import { SearchView } from './history-view.tsx'
import type { Overview } from './overview.ts'
import { Button, StoreContext, useStore } from './parts.tsx'
import { Playhead } from './playhead.tsx'
import type { LiveTimeline } from './source.ts'
import type { Place, Store } from './store.ts'
import { abbreviateHex, countText, groupDigits, reasonText, timeText } from './text.ts'
import { TransactionView } from './transaction-view.tsx'

/** The title of a place, and what is shown there. */
function contentOf(place: Place, overview: Overview): readonly [title: string, content: JSX.Element] {
  switch (place.kind) {
    case 'accounts':
      return ['Accounts', <AccountsView />]
    case 'pool':
      return ['Pool', <PoolView />]
    case 'block':
      return [`Block ${groupDigits(place.number)}`, <BlockDetails number={place.number} />]
    case 'orphan':
      return [`Orphaned block ${abbreviateHex(place.hash)}`, <OrphanDetails hash={place.hash} />]
    case 'search':
      return [`Search ${abbreviateHex(place.hex)}`, <SearchView hex={place.hex} />]
    case 'difference':
      return ['Difference of A and B', <DifferenceView pins={place.pins} />]
    case 'transaction': {
      const { hash } = place
      return [`Transaction ${abbreviateHex(hash)}`, <TransactionView hash={hash} overview={overview} />]
    }
    case 'account':
      return [`Account ${abbreviateHex(place.address)}`, <AccountView address={place.address} />]
  }
}

/** The tabs of the panel, its title, and what it shows. The title gets the focus when it changes. */
function Panel({ overview }: { overview: Overview }) {
  const { view, open, goBack, leave } = useStore()
  const { place, trail, isDetail } = view()
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(place)
  useEffect(() => {
    if (shown.current !== place) heading.current?.focus()
    shown.current = place
  }, [place])
  const tab = (kind: 'accounts' | 'pool', text: string) => (
    <Button aria-current={place.kind === kind ? 'page' : undefined} onClick={() => open({ kind })}>
      {text}
    </Button>
  )
  const { pool } = overview
  const [title, content] = contentOf(place, overview)
  return (
    <div class="panel">
      <nav aria-label="Explorer">
        {isDetail ? (
          <Button class="narrow" onClick={leave}>
            ← Blocks
          </Button>
        ) : undefined}
        {tab('accounts', 'Accounts')}
        {tab('pool', pool === undefined ? 'Pool' : `Pool (${pool.pending + pool.queued})`)}
        {trail.length === 0 ? undefined : <Button onClick={goBack}>← Back</Button>}
      </nav>
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      <Fragment key={JSON.stringify(place)}>{content}</Fragment>
    </div>
  )
}

/** The clock, the head and the pool in a line. */
function Summary({ overview }: { overview: Overview }) {
  const { latest, pending, preconfirms, clock, chainId, pool } = overview
  const where = preconfirms ? 'pre-confirmed' : 'in the block being built'
  const waiting = (pool?.pending ?? 0) + (pool?.queued ?? 0)
  const time = clock?.nowMs ?? pending.timeMs
  return (
    <p class="summary">
      <span>Chain {chainId ?? '?'}</span>
      <span>
        <time>{timeText(time)}</time> UTC
      </span>
      <span class="sealed">Block {groupDigits(latest.number)}</span>
      <span class="partial">
        {countText(pending.transactionCount, 'transaction')} {where}
      </span>
      {pool === undefined ? undefined : <span class="pool">{groupDigits(waiting)} in the pool</span>}
    </p>
  )
}

/** Troubles of the chain, and of the last command. */
function Troubles() {
  const { view, retry } = useStore()
  const { trouble, slow, failure } = view()
  return (
    <div role="alert" class="troubles">
      {trouble === undefined ? undefined : (
        <p class="failed">
          The chain does not answer: {trouble} <Button onClick={retry}>Ask again</Button>
        </p>
      )}
      {slow.length === 0 ? undefined : (
        <p class="pool">
          Still waiting for an answer to {slow.join(', ')}. <Button onClick={retry}>Ask again</Button>
        </p>
      )}
      {failure === undefined ? undefined : <p class="failed">{failure}</p>}
    </div>
  )
}

/** The timeline of an emulator. What records and draws it is loaded when it is mounted. */
function Timeline() {
  const { source, tell } = useStore()
  const [loaded, setLoaded] =
    useState<readonly [timeline: LiveTimeline, code: typeof import('./timeline-strip.tsx')]>()
  const { history, recordTimeline } = source
  // Not after the paint: what happens until then is recorded, too.
  useLayoutEffect(() => {
    if (recordTimeline === undefined) return undefined
    const recording = recordTimeline()
    Promise.all([recording, import('./timeline-strip.tsx')]).then(setLoaded, (error) =>
      tell(`The timeline cannot be shown: ${reasonText(error)}`),
    )
    return () => void recording.then(({ stop }) => stop()).catch(() => undefined)
  }, [recordTimeline])
  if (loaded === undefined || history === undefined) return null
  const [timeline, { TimelineStrip }] = loaded
  return <TimelineStrip {...{ timeline, history }} />
}

/** Orphaned blocks below the list. */
const MOST_ORPHANS = 8

function Columns() {
  const { overview, orphans } = useStore().view()
  if (overview === undefined) return <p class="muted">Asking the chain for its blocks…</p>
  return (
    <div class="columns">
      <div class="chain">
        <Heads overview={overview} />
        <OpenBlockHead overview={overview} />
        <h3>Sealed blocks</h3>
        <BlockList overview={overview} />
        {orphans.length === 0 ? undefined : <h3>Orphaned blocks</h3>}
        <OrphanLinks orphans={orphans.slice(0, MOST_ORPHANS)} />
      </div>
      <Panel overview={overview} />
    </div>
  )
}

function Explorer() {
  const { overview, news, isDetail } = useStore().view()
  return (
    <div class={isDetail ? 'detail' : undefined}>
      <header>
        <h2>Explorer</h2>
        {overview === undefined ? undefined : <Summary overview={overview} />}
        <Search />
      </header>
      <ControlsView>
        <TimeTravel />
      </ControlsView>
      <Timeline />
      <Playhead />
      <p role="status" class="news muted">
        {news}
      </p>
      <Troubles />
      <Columns />
    </div>
  )
}

/** Shows a mistake of the explorer in its place, since a page must not be blank. */
export function App({ store }: { store: Store }) {
  const [, setView] = useState(store.view())
  useLayoutEffect(() => {
    const show = (): void => setView(store.view())
    // The first answers may have come before.
    show()
    return store.listen(show)
  }, [store])
  const [error, resetError] = useErrorBoundary()
  return (
    <StoreContext.Provider value={store}>
      <section class="explorer" aria-label="tickchain explorer">
        {error === undefined ? (
          <Explorer />
        ) : (
          <p role="alert" class="failed">
            The explorer failed: {reasonText(error)} <Button onClick={resetError}>Show it again</Button>
          </p>
        )}
      </section>
    </StoreContext.Provider>
  )
}
