// Snapshots, and travel between them by a slider.

import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { fingerprintOf } from './overview.ts'
import type { Moment, Store } from './store.ts'
import { timeText } from './text.ts'
import { useStore } from './use-store.ts'

/** Where the chain is among the snapshots: behind the last, if it is at none of them. */
function positionIn({ view }: Store): number {
  const { moments, overview } = view()
  if (overview === undefined) return moments.length
  const fingerprint = fingerprintOf(overview)
  const found = moments.findIndex((moment) => moment.fingerprint === fingerprint)
  return found < 0 ? moments.length : found
}

/** Takes a snapshot of the present, and says whether it could. */
async function keepPresent(store: Store): Promise<boolean> {
  let taken: { readonly handle: unknown } | undefined
  await store.command('Snapshot', async () => {
    taken = { handle: await store.source.controls.snapshot() }
  })
  if (taken === undefined) return false
  store.keepMoment(taken.handle)
  return true
}

function takeSnapshot(store: Store): void {
  const position = positionIn(store)
  if (position === store.view().moments.length) void keepPresent(store)
  else store.tell(`The chain is as it was at snapshot ${position + 1}.`)
}

/** Goes to a snapshot. A present that no snapshot has is kept first, so that the way back is open. */
async function travelTo(store: Store, position: number): Promise<void> {
  const moment = store.view().moments[position]
  const at = positionIn(store)
  if (moment === undefined || at === position) return
  if (at === store.view().moments.length && !(await keepPresent(store))) return
  await store.command('Revert', () => store.source.controls.revert(moment.handle))
}

/** Travels to the last position that was asked for; those between, while one is under way, are left out. */
function useTravel(store: Store): (position: number) => void {
  const wanted = useRef<number | undefined>(undefined)
  const isUnderWay = useRef(false)
  return (position) => {
    wanted.current = position
    if (isUnderWay.current) return
    isUnderWay.current = true
    void (async () => {
      while (wanted.current !== undefined) {
        const next = wanted.current
        wanted.current = undefined
        await travelTo(store, next)
      }
      isUnderWay.current = false
    })()
  }
}

function momentText({ blockNumber, atMs }: Moment, index: number): string {
  return `Snapshot ${index + 1}: block ${blockNumber}, ${timeText(atMs)}`
}

export function TimeTravel(): JSX.Element {
  const store = useStore()
  const { moments, missing } = store.view()
  const travel = useTravel(store)
  const position = positionIn(store)
  const moment = moments[position]
  const reason = missing.get('snapshot')
  const last = Math.max(position, moments.length - 1)
  const text = moment === undefined ? 'Now' : momentText(moment, position)
  return (
    <fieldset class="group">
      <legend class="hidden">Snapshots</legend>
      <button
        type="button"
        disabled={reason !== undefined}
        title={reason}
        onClick={() => takeSnapshot(store)}
      >
        Snapshot
      </button>
      <button
        type="button"
        disabled={reason !== undefined || moments.length === 0}
        title={reason}
        onClick={() => (position === 0 ? store.tell('This is the first snapshot.') : travel(position - 1))}
      >
        Revert
      </button>
      <label>
        <span class="label">Time travel</span>
        <input
          type="range"
          min="0"
          max={last}
          step="1"
          value={position}
          disabled={last === 0}
          aria-valuetext={text}
          onInput={({ currentTarget }) => travel(Number(currentTarget.value))}
        />
      </label>
      <span class="muted">{moments.length === 0 ? 'No snapshots yet' : text}</span>
    </fieldset>
  )
}
