// Snapshots, and travel between them by a slider.

import { useRef } from 'preact/hooks'
import { fingerprintOf } from './overview.ts'
import { Button } from './parts.tsx'
import type { Store, TakenSnapshot } from './store.ts'
import { timeText } from './text.ts'
import { useStore } from './use-store.ts'

/** Where the chain is among the snapshots: behind the last, if it is at none of them. */
function positionIn({ view }: Store): number {
  const { snapshots, overview } = view()
  if (overview === undefined) return snapshots.length
  const fingerprint = fingerprintOf(overview)
  const found = snapshots.findIndex((snapshot) => snapshot.fingerprint === fingerprint)
  return found < 0 ? snapshots.length : found
}

/** Takes a snapshot of the present, and says whether it could. */
async function keepPresent(store: Store): Promise<boolean> {
  let taken: { readonly handle: unknown } | undefined
  await store.command('Snapshot', async () => {
    taken = { handle: await store.source.controls.snapshot() }
  })
  if (taken === undefined) return false
  store.keepSnapshot(taken.handle)
  return true
}

function takeSnapshot(store: Store): void {
  const position = positionIn(store)
  if (position === store.view().snapshots.length) void keepPresent(store)
  else store.tell(`The chain is as it was at snapshot ${position + 1}.`)
}

/** Goes to a snapshot. A present that no snapshot has is kept first, so that the way back is open. */
async function travelTo(store: Store, position: number): Promise<void> {
  const snapshot = store.view().snapshots[position]
  const at = positionIn(store)
  if (snapshot === undefined || at === position) return
  if (at === store.view().snapshots.length && !(await keepPresent(store))) return
  await store.command('Revert', () => store.source.controls.revert(snapshot.handle))
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

function snapshotText({ blockNumber, atMs }: TakenSnapshot, index: number): string {
  return `Snapshot ${index + 1}: block ${blockNumber}, ${timeText(atMs)}`
}

export function TimeTravel() {
  const store = useStore()
  const { snapshots, missing } = store.view()
  const travel = useTravel(store)
  const position = positionIn(store)
  const snapshot = snapshots[position]
  const reason = missing.get('snapshot')
  const last = Math.max(position, snapshots.length - 1)
  const text = snapshot === undefined ? 'Now' : snapshotText(snapshot, position)
  const goBack = (): void =>
    position === 0 ? store.tell('This is the first snapshot.') : travel(position - 1)
  return (
    <fieldset class="group">
      <legend class="hidden">Snapshots</legend>
      <Button off={reason} onClick={() => takeSnapshot(store)}>
        Snapshot
      </Button>
      <Button off={reason} disabled={snapshots.length === 0} onClick={goBack}>
        Revert
      </Button>
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
      <span class="muted">{snapshots.length === 0 ? 'No snapshots yet' : text}</span>
    </fieldset>
  )
}
