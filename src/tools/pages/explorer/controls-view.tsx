// The controls of the chain.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { fingerprintOf } from './overview.ts'
import { Button, useStore } from './parts.tsx'
import { placeOfText } from './places.ts'
import type { ChainCommands, ControlName } from './source.ts'
import type { Store } from './store.ts'
import { reasonText, timeText } from './text.ts'

export function Search() {
  const store = useStore()
  const [text, setText] = useState('')
  // No command: a search in the past stays there.
  const find = async (wanted: string): Promise<void> => {
    try {
      const place = await placeOfText(store, wanted)
      if (place === undefined) throw new Error(`the chain has nothing with ${wanted}`)
      store.tell(undefined)
      store.open(place)
    } catch (error) {
      store.tell(`Search: ${reasonText(error)}`)
    }
  }
  const onSubmit = (event: Event): void => {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted !== '') void find(wanted)
  }
  return (
    <search>
      <form onSubmit={onSubmit}>
        <label>
          <span class="label">Search</span>
          <input
            type="search"
            placeholder="Hash, address, name, selector, block"
            spellcheck={false}
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit">Find</button>
      </form>
    </search>
  )
}

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

export function TimeTravel() {
  const store = useStore()
  const { snapshots, missing } = store.view()
  const travel = useTravel(store)
  const position = positionIn(store)
  const snapshot = snapshots[position]
  const reason = missing.get('snapshot')
  const last = Math.max(position, snapshots.length - 1)
  const text =
    snapshot === undefined
      ? 'Now'
      : `Snapshot ${position + 1}: block ${snapshot.blockNumber}, ${timeText(snapshot.atMs)}`
  const takeSnapshot = (): void => {
    if (position === snapshots.length) void keepPresent(store)
    else store.tell(`The chain is as it was at snapshot ${position + 1}.`)
  }
  const goBack = (): void =>
    position === 0 ? store.tell('This is the first snapshot.') : travel(position - 1)
  return (
    <fieldset class="group">
      <legend class="hidden">Snapshots</legend>
      <Button off={reason} onClick={takeSnapshot}>
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

/** The command of a control, by its title, with the words of its button. */
type Command = readonly [
  name: ControlName,
  title: string,
  words: string,
  run: (controls: ChainCommands) => Promise<unknown>,
]

/** Buttons of controls, which say why they cannot be used. */
function useButtons(): (...commands: readonly Command[]) => ComponentChildren {
  const { view, command, source } = useStore()
  return (...commands) =>
    commands.map(([name, title, words, run]) => (
      <Button
        key={words}
        off={view().missing.get(name)}
        onClick={() => void command(title, () => run(source.controls))}
      >
        {words}
      </Button>
    ))
}

type NumberFieldProps = Readonly<Record<'label' | 'value', string>> & {
  readonly unit?: string
  readonly onInput: (text: string) => void
}

function NumberField({ label, unit, value, onInput }: NumberFieldProps) {
  return (
    <label>
      <span class="label">{label}</span>
      <input
        type="number"
        min="1"
        step="1"
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {unit === undefined ? undefined : <span class="muted">{unit}</span>}
    </label>
  )
}

/** The number in a field. Throws for anything else, so that the command fails with these words. */
function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text.trim())) throw new Error(`expected a whole number, got "${text}"`)
  return Number(text)
}

function Clock() {
  const [amount, setAmount] = useState('12000')
  const buttons = useButtons()
  return (
    <fieldset class="group">
      <legend class="hidden">Clock</legend>
      {buttons(
        ['advance', 'Advance', '+200 ms', (controls) => controls.advance(200)],
        ['advance', 'Advance', '+2 s', (controls) => controls.advance(2000)],
      )}
      <NumberField label="Advance by" unit="ms" value={amount} onInput={setAmount} />
      {buttons(
        ['advance', 'Advance', 'Advance', async (controls) => controls.advance(wholeNumber(amount))],
        ['next', 'Next step', 'Next step', (controls) => controls.next()],
        ['seal', 'Seal', 'Seal block', (controls) => controls.seal()],
      )}
    </fieldset>
  )
}

function Reorg() {
  const [depth, setDepth] = useState('1')
  return (
    <fieldset class="group">
      <legend class="hidden">Reorganisation</legend>
      <NumberField label="Reorg depth" value={depth} onInput={setDepth} />
      {useButtons()(['reorg', 'Reorg', 'Reorg', async (controls) => controls.reorg(wholeNumber(depth))])}
    </fieldset>
  )
}

export function ControlsView({ children }: { children: ComponentChildren }) {
  const reasons = new Set(useStore().view().missing.values())
  return (
    <div class="controls">
      <Clock />
      <Reorg />
      {children}
      {
        // For those who do not see the buttons' hints.
        reasons.size === 0 ? null : <p class="muted">Some controls are off: {[...reasons].join('; ')}.</p>
      }
    </div>
  )
}
