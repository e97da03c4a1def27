// The controls of the chain.

import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ControlName, Controls } from './source.ts'
import { useStore } from './use-store.ts'

/** A button of a control, which says why it cannot be used. */
function Control({
  name,
  title,
  run,
  children,
}: {
  readonly name: ControlName
  /** What failed, if it fails. */
  readonly title: string
  readonly run: (controls: Controls) => Promise<unknown>
  readonly children: ComponentChildren
}): JSX.Element {
  const { view, command, source } = useStore()
  const reason = view().missing.get(name)
  return (
    <button
      type="button"
      disabled={reason !== undefined}
      title={reason}
      onClick={() => void command(title, () => run(source.controls))}
    >
      {children}
    </button>
  )
}

/** A field for a whole number. */
function NumberField({
  label,
  unit,
  value,
  onInput,
}: {
  readonly label: string
  readonly unit?: string
  readonly value: string
  readonly onInput: (text: string) => void
}): JSX.Element {
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

function Clock(): JSX.Element {
  const [amount, setAmount] = useState('12000')
  return (
    <fieldset class="group">
      <legend class="hidden">Clock</legend>
      <Control name="advance" title="Advance" run={(controls) => controls.advance(200)}>
        +200 ms
      </Control>
      <Control name="advance" title="Advance" run={(controls) => controls.advance(2000)}>
        +2 s
      </Control>
      <NumberField label="Advance by" unit="ms" value={amount} onInput={setAmount} />
      <Control name="advance" title="Advance" run={(controls) => controls.advance(wholeNumber(amount))}>
        Advance
      </Control>
      <Control name="next" title="Next step" run={(controls) => controls.next()}>
        Next step
      </Control>
      <Control name="seal" title="Seal" run={(controls) => controls.seal()}>
        Seal block
      </Control>
    </fieldset>
  )
}

/** The number in a field. Throws for anything else, so that the command fails with these words. */
function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text.trim())) throw new Error(`expected a whole number, got "${text}"`)
  return Number(text)
}

function Reorg(): JSX.Element {
  const [depth, setDepth] = useState('1')
  return (
    <fieldset class="group">
      <legend class="hidden">Reorganisation</legend>
      <NumberField label="Reorg depth" value={depth} onInput={setDepth} />
      <Control name="reorg" title="Reorg" run={async (controls) => controls.reorg(wholeNumber(depth))}>
        Reorg
      </Control>
    </fieldset>
  )
}

/** The controls that the chain does not have, for those who do not see the buttons' hints. */
function MissingNote(): JSX.Element | null {
  const reasons = new Set(useStore().view().missing.values())
  if (reasons.size === 0) return null
  return <p class="muted">Some controls are off: {[...reasons].join('; ')}.</p>
}

export function ControlsView({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="controls">
      <Clock />
      <Reorg />
      {children}
      <MissingNote />
    </div>
  )
}
