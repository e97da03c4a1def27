// The calls of a transaction as a tree, with what happened in each.

import { useContext, useEffect, useState } from 'preact/hooks'
import { AccountLink, Bytes, DebugContext } from './parts.tsx'
import type { CallShape, EntryShape, EventShape, ValueShape } from './shapes.ts'
import { etherText, functionText, groupDigits, readable } from './text.ts'

const OPEN_DEPTH = 2

function Values({ values }: { values: readonly ValueShape[] }) {
  return (
    <>
      {values.map(({ name, text }, index) => (
        <span key={index}>
          {index === 0 ? '' : ', '}
          {name === '' ? '' : <span class="muted">{name}: </span>}
          <span title={text}>{readable(text)}</span>
        </span>
      ))}
    </>
  )
}

export function EventText({ event }: { event: EventShape }) {
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

function CallEnd({ call }: { call: CallShape }) {
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

function StorageChanges({ call }: { call: CallShape }) {
  if (call.storage.length === 0) return null
  return (
    <ul class="storage">
      {call.storage.map(({ name, before, after }, index) => (
        <li key={index}>
          <span class="tag">storage</span>{' '}
          <code class="long">
            {name}: {readable(before)} → {readable(after)}
          </code>
        </li>
      ))}
    </ul>
  )
}

function Entry({ entry, depth }: { entry: EntryShape; depth: number }) {
  if (entry.type === 'call')
    return (
      <li>
        <CallRow call={entry} depth={depth} />
      </li>
    )
  const isEvent = entry.type === 'event'
  return (
    <li>
      <span class="tag event">{isEvent ? 'event' : 'console.log'}</span>{' '}
      {isEvent ? <EventText event={entry} /> : <code>{entry.message}</code>}
    </li>
  )
}

function CallParts({ call, depth }: { call: CallShape; depth: number }) {
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

export function CallRow({ call, depth }: { call: CallShape; depth: number }) {
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH)
  const { path, choose } = useContext(DebugContext)
  // The way to the call that is debugged is unfolded.
  useEffect(() => {
    if (path.slice(0, -1).includes(call)) setIsOpen(true)
  }, [path])
  return (
    <details class="call" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is pressed by mouse and by keys */}
      <summary aria-current={call === path.at(-1) ? 'true' : undefined} onClick={() => choose(call)}>
        <span class="tag">{call.kind.toLowerCase()}</span>{' '}
        {call.name === undefined ? '' : <span class="name">{call.name}.</span>}
        <code>
          {functionText(call)}(
          <Values values={call.args} />)
        </code>{' '}
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
