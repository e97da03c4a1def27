// The calls of a transaction as a tree that unfolds. What is folded is not made.

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { AccountLink, Bytes } from './parts.tsx'
import { etherText, groupDigits } from './text.ts'
import type { CallShape, ConsoleShape, EntryShape, EventShape, ValueShape } from './traces.ts'

/** Calls down to this depth are unfolded at first. */
const OPEN_DEPTH = 2

function Values({ values }: { readonly values: readonly ValueShape[] }): JSX.Element {
  return (
    <>
      {values.map(({ name, text }, index) => (
        <span key={index}>
          {index === 0 ? '' : ', '}
          {name === '' ? '' : <span class="muted">{name}: </span>}
          {text}
        </span>
      ))}
    </>
  )
}

export function EventText({ event }: { readonly event: EventShape }): JSX.Element {
  if (event.name !== undefined)
    return (
      <code>
        {event.name}(<Values values={event.args} />)
      </code>
    )
  return (
    <>
      <span class="muted">unknown event</span> <code class="long">{event.topics.join(' ')}</code>{' '}
      <Bytes hex={event.data} label="Data" />
    </>
  )
}

function ConsoleLine({ line }: { readonly line: ConsoleShape }): JSX.Element {
  return (
    <li>
      <span class="tag event">console.log</span> <code>{line.message}</code>
    </li>
  )
}

function EventLine({ event }: { readonly event: EventShape }): JSX.Element {
  return (
    <li>
      <span class="tag event">event</span> <EventText event={event} />
    </li>
  )
}

/** What is called. */
function Callee({ call }: { readonly call: CallShape }): JSX.Element {
  const selector = call.input === '0x' ? 'receive' : call.input.slice(0, 10)
  return (
    <code>
      {call.functionName ?? selector}(<Values values={call.args} />)
    </code>
  )
}

function CallEnd({ call }: { readonly call: CallShape }): JSX.Element | null {
  if (call.error !== undefined) return <p class="failed">fails: {call.error}</p>
  if (call.results === undefined || call.results.length === 0) return null
  return (
    <p>
      returns{' '}
      <code>
        <Values values={call.results} />
      </code>
    </p>
  )
}

function StorageChanges({ call }: { readonly call: CallShape }): JSX.Element | null {
  if (call.storage.length === 0) return null
  return (
    <ul class="storage">
      {call.storage.map(({ name, before, after }, index) => (
        <li key={index}>
          <span class="tag">storage</span>{' '}
          <code class="long">
            {name}: {before} → {after}
          </code>
        </li>
      ))}
    </ul>
  )
}

function Entry({ entry, depth }: { readonly entry: EntryShape; readonly depth: number }): JSX.Element {
  if (entry.type === 'event') return <EventLine event={entry} />
  if (entry.type === 'console') return <ConsoleLine line={entry} />
  return (
    <li>
      <Call call={entry} depth={depth} />
    </li>
  )
}

function CallParts({ call, depth }: { readonly call: CallShape; readonly depth: number }): JSX.Element {
  return (
    <div class="call-parts">
      <p class="muted">
        from <AccountLink address={call.from} /> to <AccountLink address={call.to} />
      </p>
      {call.functionName === undefined && call.input !== '0x' ? (
        <Bytes hex={call.input} label="Input" />
      ) : undefined}
      <ul class="entries">
        {call.entries.map((entry, index) => (
          <Entry key={index} entry={entry} depth={depth + 1} />
        ))}
      </ul>
      <StorageChanges call={call} />
      <CallEnd call={call} />
    </div>
  )
}

export function Call({ call, depth }: { readonly call: CallShape; readonly depth: number }): JSX.Element {
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH)
  return (
    <details class="call" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span class="tag">{call.kind.toLowerCase()}</span>{' '}
        {call.name === undefined ? '' : <span class="name">{call.name}.</span>}
        <Callee call={call} />{' '}
        <span class="muted">
          {groupDigits(call.gasUsed)} gas
          {call.value === 0n ? '' : `, ${etherText(call.value)} ether`}
        </span>{' '}
        {call.error === undefined ? '' : <span class="failed">✗ failed</span>}
      </summary>
      {isOpen ? <CallParts call={call} depth={depth} /> : undefined}
    </details>
  )
}
