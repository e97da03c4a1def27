// The debugger of a trace: its steps forwards and backwards, with the source, stack, memory and storage at each.

import { useMemo, useRef, useState } from 'preact/hooks'
import { groupDigits, readable } from '../../view/numbers.ts'
import { Pane } from './rows.tsx'
import type { Breakpoints, Move, StepReader, StepView } from './steps.ts'

/** The moves with their keys, which go backwards with Shift. */
const MOVES: readonly (readonly [move: Move, name: string, key: string, does: string])[] = [
  ['step', 'Step', 's', 'one opcode'],
  ['into', 'Into', 'i', 'to the next line, also of what is called'],
  ['over', 'Over', 'o', 'to the next line, over what is called'],
  ['out', 'Out', 'u', 'out of the function or the call'],
  ['run', 'Run', 'r', 'to a breakpoint'],
]

const NO_BREAKPOINTS: Breakpoints = { lines: new Set(), events: new Set(), places: new Set() }

/** A set with a member more, or less if it was there. */
function toggled<Member>(set: ReadonlySet<Member>, member: Member): ReadonlySet<Member> {
  return set.has(member) ? new Set([...set].filter((each) => each !== member)) : new Set(set).add(member)
}

interface MoveButtonsProps {
  readonly by: 1 | -1
  readonly isOff: boolean
  readonly onMove: (move: Move, by: 1 | -1) => void
}

function MoveButtons({ by, isOff, onMove }: MoveButtonsProps) {
  const direction = by > 0 ? 'Forward' : 'Back'
  return (
    <fieldset class="moves" aria-label={direction}>
      {MOVES.map(([move, name, key, does]) => (
        <button
          key={move}
          type="button"
          aria-label={`${direction}: ${name.toLowerCase()}`}
          aria-keyshortcuts={by > 0 ? key : `Shift+${key}`}
          title={`${direction} ${does} (${by > 0 ? key : key.toUpperCase()})`}
          // It keeps the focus at the end of the steps.
          aria-disabled={isOff}
          onClick={() => onMove(move, by)}
        >
          {by > 0 ? `${name} ▸` : `◂ ${name}`}
        </button>
      ))}
    </fieldset>
  )
}

interface SourceProps {
  readonly steps: StepReader
  readonly view: Pick<StepView, 'file' | 'line'>
  readonly lines: ReadonlySet<string>
  readonly onLine: (line: string) => void
}

function Source({ steps, view: { file = -1, line = 0 }, lines, onLine }: SourceProps) {
  const { name, content } = steps.packed.files[file] ?? { name: '', content: '' }
  const texts = useMemo(() => content.split(/\r?\n/), [content])
  return (
    <Pane kind="source-pane" head={name} label={`Source ${name}`} count={texts.length} shown={line - 1}>
      {(row) => {
        const number = row + 1
        const key = `${file}:${number}`
        return (
          <div key={key} class={`code-line ${number === line ? 'current' : ''}`}>
            <button
              type="button"
              class="gutter"
              tabIndex={-1}
              aria-pressed={lines.has(key)}
              aria-label={`Breakpoint at line ${number}`}
              onClick={() => onLine(key)}
            >
              {number}
            </button>
            {number === line ? <mark>{texts[row]}</mark> : <code>{texts[row]}</code>}
          </div>
        )
      }}
    </Pane>
  )
}

function Opcodes({ steps, at, onGo }: { steps: StepReader; at: number; onGo: (step: number) => void }) {
  return (
    <Pane kind="opcodes-pane" label="Opcodes" count={steps.count} shown={at}>
      {(step) => (
        <button
          key={step}
          type="button"
          tabIndex={-1}
          class="opcode-line"
          aria-current={step === at ? 'step' : undefined}
          onClick={() => onGo(step)}
        >
          <span class="muted">{step + 1}</span> {steps.opcodeAt(step)}{' '}
          <span class="gas">{groupDigits(steps.gasAt(step))}</span>
        </button>
      )}
    </Pane>
  )
}

function Stack({ stack }: Pick<StepView, 'stack'>) {
  return (
    <Pane head={`Stack (${stack.length})`} label="Stack" count={stack.length} shown={0}>
      {(row) => (
        <div key={row} class="word-line">
          <span class="muted">{row}</span> <code>{stack[stack.length - 1 - row]}</code>
        </div>
      )}
    </Pane>
  )
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function Memory({ memory }: Pick<StepView, 'memory'>) {
  return (
    <Pane
      head={`Memory (${groupDigits(memory.length)} bytes)`}
      label="Memory"
      count={Math.ceil(memory.length / 32)}
      shown={0}
    >
      {(row) => (
        <div key={row} class="word-line">
          <span class="muted">0x{(row * 32).toString(16)}</span>{' '}
          <code>{hexOf(memory.subarray(row * 32, row * 32 + 32))}</code>
        </div>
      )}
    </Pane>
  )
}

function Storage({ storage, used }: Pick<StepView, 'storage' | 'used'>) {
  return (
    <Pane label="Storage" count={storage.length} shown={storage.findIndex(({ index }) => used.has(index))}>
      {(row) => {
        const { account, name, value, index } = storage[row] as StepView['storage'][number]
        return (
          <div key={index} class={`word-line ${used.has(index) ? 'current' : ''}`}>
            <span class="muted">{account}</span> {name} = <code title={value}>{readable(value)}</code>
          </div>
        )
      }}
    </Pane>
  )
}

interface BreakpointProps {
  readonly steps: StepReader
  readonly breakpoints: Breakpoints
  readonly onChange: (breakpoints: Breakpoints) => void
}

function BreakpointList({ steps: { packed }, breakpoints, onChange }: BreakpointProps) {
  const { lines, events, places } = breakpoints
  const names = useMemo(() => [...new Set(packed.events.map(({ name }) => name))], [packed])
  const count = lines.size + events.size + places.size
  const box = (label: string, isSet: boolean, change: () => Partial<Breakpoints>) => (
    <li key={label}>
      <label>
        <input type="checkbox" checked={isSet} onChange={() => onChange({ ...breakpoints, ...change() })} />{' '}
        {label}
      </label>
    </li>
  )
  return (
    <details class="breakpoints">
      <summary>Breakpoints ({count})</summary>
      <ul>
        {[...lines].map((line) => {
          const [file = 0, number] = line.split(':')
          const label = `${packed.files[Number(file)]?.name} line ${number}`
          return box(label, true, () => ({ lines: toggled(lines, line) }))
        })}
        {names.map((name) =>
          box(`event ${name}`, events.has(name), () => ({ events: toggled(events, name) })),
        )}
        {packed.places.map(({ account, name }, place) =>
          box(`${account}: ${name}`, places.has(place), () => ({ places: toggled(places, place) })),
        )}
      </ul>
    </details>
  )
}

interface DebuggerProps {
  readonly steps: StepReader
  /** The step that is shown. */
  readonly at: number
  readonly onGo: (step: number) => void
}

const CUT = 'The steps are cut: there are more than limits.traceEntries.'

export function Debugger({ steps, at, onGo }: DebuggerProps) {
  const { packed } = steps
  const [breakpoints, setBreakpoints] = useState(NO_BREAKPOINTS)
  const source = useRef<Pick<StepView, 'file' | 'line'>>({ file: undefined, line: undefined })
  const view = steps.at(at)
  // Code that the compiler adds comes from nowhere: the last place stays.
  if (view.file !== undefined) source.current = view
  const toggleLine = (line: string): void =>
    setBreakpoints({ ...breakpoints, lines: toggled(breakpoints.lines, line) })
  const move = (kind: Move, by: 1 | -1): void => onGo(steps.moved(at, kind, by, breakpoints))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const pressed = event.key.toLowerCase()
    const [kind] = MOVES.find(([, , key]) => key === pressed) ?? []
    if (kind !== undefined) move(kind, event.shiftKey ? -1 : 1)
    else if (pressed === 'b' && view.file !== undefined) toggleLine(`${view.file}:${view.line}`)
    else return
    event.preventDefault()
  }
  const { file, line } = source.current
  const where = file === undefined ? '' : `, ${packed.files[file]?.name}:${line}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div class="debugger" role="group" aria-label="Debugger" onKeyDown={onKeyDown}>
      <div class="debug-controls">
        <MoveButtons by={-1} isOff={at === 0} onMove={move} />
        <MoveButtons by={1} isOff={at === steps.count - 1} onMove={move} />
        <input
          type="range"
          aria-label="Step"
          min={0}
          max={steps.count - 1}
          value={at}
          onInput={({ currentTarget }) => onGo(currentTarget.valueAsNumber)}
        />
        <output>
          {`Step ${groupDigits(at + 1)} of ${groupDigits(steps.count)}: ${view.opcode} at ${view.pc}${where}. ${groupDigits(view.gas)} gas, costs ${groupDigits(view.cost)}.`}
        </output>
        <p class="muted">
          Keys: {MOVES.map(([, name, key]) => `${key} ${name.toLowerCase()}`).join(', ')}; with Shift back; b
          breakpoint.
        </p>
        {packed.isCut ? <p class="notice">{CUT}</p> : undefined}
      </div>
      <div class="debug-panes">
        {packed.files.length === 0 ? undefined : (
          <Source steps={steps} view={source.current} lines={breakpoints.lines} onLine={toggleLine} />
        )}
        <Opcodes steps={steps} at={at} onGo={onGo} />
        <Storage storage={view.storage} used={view.used} />
        <Stack stack={view.stack} />
        <Memory memory={view.memory} />
      </div>
      <BreakpointList steps={steps} breakpoints={breakpoints} onChange={setBreakpoints} />
    </div>
  )
}
