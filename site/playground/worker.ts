// The worker in which a scene runs, so that the page stays alive and an endless loop can be ended.

import { onChain, providerAt } from './chains.ts'
import { describe, describeError, lineOfError } from './describe.ts'
import type { Failure, FromPage, FromWorker, Level } from './protocol.ts'

/** What of a worker's scope is used here; the DOM's types have a window in its place. */
interface Scope {
  postMessage(message: FromWorker): void
  addEventListener(type: 'message', listener: (event: { readonly data: FromPage }) => void): void
  addEventListener(
    type: 'unhandledrejection',
    listener: (event: { readonly reason: unknown; preventDefault(): void }) => void,
  ): void
  addEventListener(
    type: 'error',
    listener: (event: { readonly error: unknown; preventDefault(): void }) => void,
  ): void
}

const scope = globalThis as unknown as Scope
const post = (message: FromWorker): void => scope.postMessage(message)

/** The most lines that a scene prints. */
const MOST_LINES = 1000

const LEVELS: readonly Level[] = ['log', 'info', 'debug', 'warn', 'error']

function printTo(level: Level): (...values: unknown[]) => void {
  return (...values) => {
    printed++
    if (printed <= MOST_LINES) post({ type: 'printed', level, text: values.map(describe).join(' ') })
    if (printed === MOST_LINES + 1) {
      post({ type: 'printed', level: 'warn', text: `Lines after the first ${MOST_LINES} are left out.` })
    }
  }
}

let printed = 0
for (const level of LEVELS) console[level] = printTo(level)

let address = ''

function fail(error: unknown): void {
  post({
    type: 'failed',
    text: describeError(error, address),
    isSyntax: error instanceof SyntaxError,
    line: lineOfError(error, address),
  })
}

async function run(source: string): Promise<void> {
  address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  try {
    await import(address)
    post({ type: 'ended' })
  } catch (error) {
    fail(error)
  }
}

function failureOf(error: unknown): Failure {
  const { code, data } = error as { readonly code?: unknown; readonly data?: unknown }
  const message = error instanceof Error ? error.message : describe(error)
  return { code: typeof code === 'number' ? code : undefined, message, data }
}

async function answer({ id, chain, method, params }: FromPage & { type: 'request' }): Promise<void> {
  try {
    const result = await providerAt(chain).request({ method, params })
    post({ type: 'answer', id, result })
  } catch (error) {
    post({ type: 'refusal', id, failure: failureOf(error) })
  }
}

onChain((chain) => post({ type: 'chain', chain }))
scope.addEventListener('message', ({ data }) => {
  void (data.type === 'run' ? run(data.source) : answer(data))
})
scope.addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  fail(event.reason)
})
scope.addEventListener('error', (event) => {
  event.preventDefault()
  fail(event.error)
})
