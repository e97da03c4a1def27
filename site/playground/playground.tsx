// The playground: an editor, the console of a scene, and its chains beside it.

import { contracts, examples } from 'virtual:examples'
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { mountExplorer } from 'tickchain/explorer'
import { createEditor, type Editor } from './editor.ts'
import { keepEdit, keptEdit } from './edits.ts'
import type { Level, ShownChain } from './protocol.ts'
import { type Provider, type Run, runScene } from './run.ts'
import { hashOf, LinkError, sourceOf } from './scene.ts'

interface Line {
  readonly level: Level
  readonly text: string
}

interface Chain extends ShownChain {
  readonly provider: Provider
}

/** What a scene has shown so far. */
interface Shown {
  readonly lines: readonly Line[]
  readonly chains: readonly Chain[]
}

const NOTHING: Shown = { lines: [], chains: [] }

const EXAMPLE = '#example='
const LINKED = '#scene='
const [first] = examples

/** The source that the address names, and what is wrong with it. */
async function addressed(hash: string): Promise<{ source?: string; name?: string; fault?: string }> {
  if (hash.startsWith(EXAMPLE)) {
    const wanted = hash.slice(EXAMPLE.length)
    const found = examples.find(({ name }) => name === wanted)
    return found ?? { fault: `There is no example "${wanted}".` }
  }
  try {
    const source = await sourceOf(hash)
    return source === undefined ? {} : { source }
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    return { fault: error.message }
  }
}

function useRun(editor: { readonly current: Editor | undefined }) {
  const [shown, setShown] = useState(NOTHING)
  const [status, setStatus] = useState('')
  const current = useRef<Run>(undefined)
  const add = (change: (before: Shown) => Partial<Shown>): void =>
    setShown((before) => ({ ...before, ...change(before) }))
  const stop = (told: string): void => {
    current.current?.stop()
    current.current = undefined
    setStatus(told)
  }
  const start = (source: string): void => {
    stop('Running…')
    setShown(NOTHING)
    editor.current?.mark()
    current.current = runScene(source, {
      onPrinted: (level, text) => add(({ lines }) => ({ lines: [...lines, { level, text }] })),
      onChain: (chain, provider) => add(({ chains }) => ({ chains: [...chains, { ...chain, provider }] })),
      onEnd(error) {
        setStatus(error === undefined ? 'Done.' : 'Failed.')
        if (error?.line !== undefined) editor.current?.mark({ line: error.line, text: error.text })
      },
    })
  }
  const tell = (fault: string): void => {
    stop('')
    setShown({ ...NOTHING, lines: [{ level: 'error', text: fault }] })
  }
  return { shown, status, setStatus, start, stop, tell }
}

function Console({ lines }: { readonly lines: readonly Line[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
    <div class="console" role="log" aria-label="Console" tabIndex={0}>
      {lines.length === 0 && <p class="hint">What the scene prints is shown here.</p>}
      {lines.map(({ level, text }) => (
        <pre class={level}>{text}</pre>
      ))}
    </div>
  )
}

type Scheme = 'light' | 'dark'

const schemeOf = (root: Element): Scheme => (root.classList.contains('dark') ? 'dark' : 'light')

/** The scheme that the reader has chosen, which may be another one than the system's. */
function useScheme(): Scheme {
  const root = document.documentElement
  const [scheme, setScheme] = useState(schemeOf(root))
  useEffect(() => {
    const observer = new MutationObserver(() => setScheme(schemeOf(root)))
    observer.observe(root, { attributeFilter: ['class'] })
    return () => observer.disconnect()
  }, [])
  return scheme
}

function Explorer({ provider, scheme }: { readonly provider: Provider; readonly scheme: Scheme }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current === null) return
    const { unmount } = mountExplorer(place.current, provider, { colorScheme: scheme, urls: false })
    return () => unmount()
  }, [provider, scheme])
  return <div class="explorer" ref={place} />
}

/** A chain; the reader chooses which. */
function Chains({ chains }: Shown) {
  const scheme = useScheme()
  const [chosen, setChosen] = useState(0)
  const chain = chains[chosen] ?? chains[0]
  if (chain === undefined) return <p class="hint">The scene's chains are shown here, once it runs.</p>
  return (
    <>
      {chains.length > 1 && (
        <label>
          Chain{' '}
          <select
            value={chain.index}
            onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          >
            {chains.map(({ index, name }) => (
              <option value={index}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <Explorer key={chain.index} provider={chain.provider} scheme={scheme} />
    </>
  )
}

/** An editor that is made once. */
function Source(props: {
  readonly label: string
  readonly text: string
  readonly isFixed?: boolean
  readonly onRun?: () => void
  readonly onChange?: (text: string) => void
  readonly onReady?: (editor: Editor) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current === null) return
    const editor = createEditor(place.current, props)
    props.onReady?.(editor)
    return editor.destroy
  }, [])
  return <div class="editor" ref={place} />
}

function Contracts() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>contracts.js, which examples import</summary>
      {isOpen && <Source label="contracts.js" text={contracts} isFixed />}
    </details>
  )
}

/** A scene as its address has it. */
interface Original {
  /** The part of the address that names it. */
  readonly scene: string
  readonly source: string
}

function Playground() {
  const editor = useRef<Editor>(undefined)
  const original = useRef<Original>(undefined)
  const [chosen, setChosen] = useState('')
  const [isEdited, setEdited] = useState(false)
  const { shown, status, setStatus, start, stop, tell } = useRun(editor)
  const run = (): void => start(editor.current?.text() ?? '')

  const edited = (text: string): void => {
    if (original.current === undefined) return
    const { scene, source } = original.current
    setEdited(text !== source)
    keepEdit(scene, text === source ? undefined : text)
  }
  const reset = (): void => editor.current?.setText(original.current?.source ?? '')

  const follow = async (): Promise<void> => {
    const { hash } = location
    const { source = first?.source ?? '', name, fault } = await addressed(hash)
    const isLinked = fault === undefined && hash.startsWith(LINKED)
    const scene = isLinked ? hash : `${EXAMPLE}${name ?? first?.name}`
    setChosen(isLinked ? '' : (name ?? first?.name ?? ''))
    original.current = undefined
    editor.current?.setText(keptEdit(scene) ?? source)
    original.current = { scene, source }
    setEdited(editor.current?.text() !== source)
    if (fault !== undefined) tell(fault)
    // What somebody else wrote runs when the reader says so.
    else if (isLinked) stop('')
    else run()
  }
  useEffect(() => {
    const listener = (): void => void follow()
    listener()
    window.addEventListener('hashchange', listener)
    return () => {
      window.removeEventListener('hashchange', listener)
      stop('')
    }
  }, [])

  const share = async (): Promise<void> => {
    try {
      const source = editor.current?.text() ?? ''
      const scene = await hashOf(source)
      history.replaceState(history.state, '', scene)
      if (original.current !== undefined) keepEdit(original.current.scene, undefined)
      original.current = { scene, source }
      setEdited(false)
      setChosen('')
    } catch (error) {
      if (!(error instanceof LinkError)) throw error
      return setStatus(error.message)
    }
    try {
      await navigator.clipboard.writeText(location.href)
      setStatus('The link is copied.')
    } catch {
      // Browsers may forbid it.
      setStatus('The link is in the address bar.')
    }
  }

  return (
    <div class="playground-panes">
      <h1>Playground</h1>
      <div class="bar">
        <label>
          Example{' '}
          <select
            value={chosen}
            onChange={({ currentTarget }) => {
              location.hash = `${EXAMPLE}${currentTarget.value}`
            }}
          >
            {chosen === '' && <option value="">a scene of a link</option>}
            {examples.map(({ name, title }) => (
              <option value={name}>{title}</option>
            ))}
          </select>
        </label>
        <button type="button" class="run" onClick={run} title="Ctrl-Enter">
          Run
        </button>
        <button type="button" onClick={() => stop('Stopped.')} disabled={status !== 'Running…'}>
          Stop
        </button>
        <button type="button" onClick={reset} disabled={!isEdited} title="The scene as it was">
          Reset
        </button>
        <button type="button" onClick={() => void share()}>
          Copy link
        </button>
        <span role="status">{status}</span>
      </div>
      <section class="scene">
        <Source
          label="Source of the scene"
          text=""
          onRun={() => run()}
          onChange={(text) => edited(text)}
          onReady={(made) => {
            editor.current = made
          }}
        />
        <Contracts />
        <h2>Console</h2>
        <Console lines={shown.lines} />
      </section>
      <section class="chains">
        <Chains {...shown} />
      </section>
    </div>
  )
}

const place = document.getElementById('playground')
if (place !== null) render(<Playground />, place)
