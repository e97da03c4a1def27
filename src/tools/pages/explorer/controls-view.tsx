// The controls of the chain.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './parts.tsx'
import type { ChainCommands, ControlName } from './source.ts'
import { useStore } from './use-store.ts'

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

interface NumberFieldProps {
  readonly label: string
  readonly unit?: string
  readonly value: string
  readonly onInput: (text: string) => void
}

/** A field for a whole number. */
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

/** The controls that the chain does not have, for those who do not see the buttons' hints. */
function MissingNote() {
  const reasons = new Set(useStore().view().missing.values())
  if (reasons.size === 0) return null
  return <p class="muted">Some controls are off: {[...reasons].join('; ')}.</p>
}

export function ControlsView({ children }: { children: ComponentChildren }) {
  return (
    <div class="controls">
      <Clock />
      <Reorg />
      {children}
      <MissingNote />
    </div>
  )
}
