// The time cursor: the chain as it was at an instant, played, paused, and pinned.

import { useEffect, useState } from 'preact/hooks'
import { Button, useStore } from './parts.tsx'
import { groupDigits } from './text.ts'

const TICK_MS = 100
const SPEEDS = [1, 10, 100]

/** Words in place of the cursor on a provider. */
const WHY_NONE = 'No time cursor: this provider does not tell how its chain was; see providerWithPast.'

/** Moves the cursor while it plays. */
function usePlaying(isPlaying: boolean, speed: number, stop: () => void): void {
  const store = useStore()
  const { history } = store.source
  useEffect(() => {
    if (!isPlaying || history === undefined) return undefined
    let isOn = true
    /** Instants one after the other, however long one takes to be computed; from where the reader has moved the cursor. */
    const go = async (position: number): Promise<void> => {
      const tick = new Promise((resolve) => setTimeout(resolve, TICK_MS))
      await Promise.all([tick, store.travel(position >= history.last() ? undefined : position)])
      const at = store.wanted()
      if (at === undefined) stop()
      else if (isOn) void go(at + TICK_MS * speed)
    }
    void go(store.wanted() ?? history.first())
    return () => {
      isOn = false
    }
  }, [isPlaying, speed])
}

export function Playhead() {
  const store = useStore()
  const [isPlaying, setIsPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  usePlaying(isPlaying, speed, () => setIsPlaying(false))
  const { history } = store.source
  if (history === undefined) return <p class="muted">{WHY_NONE}</p>
  const { past, pins } = store.view()
  const [first, last] = [history.first(), history.last()]
  const position = past?.position ?? last
  const text = past === undefined ? 'Now' : `${groupDigits(last - position)} ms ago`
  const pin = (index: number) => {
    const name = 'AB'[index]
    const at = pins[index]
    return (
      <Button onClick={() => store.pin(index, position)} title={`Pins this instant as ${name}`}>
        Pin {name}
        {at === undefined ? '' : `: ${groupDigits(at)} ms`}
      </Button>
    )
  }
  const [from, to] = pins
  return (
    <fieldset class="group playhead">
      <legend class="hidden">Time</legend>
      <Button disabled={first === last} onClick={() => setIsPlaying(!isPlaying)}>
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <label>
        <span class="label">Speed</span>
        <select value={speed} onChange={({ currentTarget }) => setSpeed(Number(currentTarget.value))}>
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              ×{each}
            </option>
          ))}
        </select>
      </label>
      <label class="cursor">
        <span class="label">Instant</span>
        <input
          type="range"
          min={first}
          max={last}
          value={position}
          aria-valuetext={text}
          onInput={({ currentTarget }) => {
            const chosen = currentTarget.valueAsNumber
            void store.travel(chosen >= last ? undefined : chosen)
          }}
        />
      </label>
      <span class="muted">{text}</span>
      <Button disabled={past === undefined} onClick={() => void store.travel(undefined)}>
        Now
      </Button>
      {pin(0)}
      {pin(1)}
      {from === undefined || to === undefined ? undefined : (
        <Button onClick={() => store.open({ kind: 'difference', pins: `${from}-${to}` })}>Difference</Button>
      )}
    </fieldset>
  )
}
