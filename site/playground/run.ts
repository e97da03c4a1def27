// A run of a scene: its worker, what it says, and its chains as EIP-1193 providers.

import { SceneError, syntaxErrorLine, withAddresses } from './imports.ts'
import type { Failure, FromPage, FromWorker, Level, ShownChain } from './protocol.ts'

/** What an explorer needs of a chain in a worker. */
export interface Provider {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}

export interface RunListener {
  readonly onPrinted: (level: Level, text: string) => void
  readonly onChain: (chain: ShownChain, provider: Provider) => void
  /** With the text of an error, and its line if that is known. */
  readonly onEnd: (error?: { readonly text: string; readonly line: number | undefined }) => void
}

export interface Run {
  /** Ends the worker, whatever it does. */
  stop(): void
}

class ProviderError extends Error {
  readonly code: number | undefined
  readonly data: unknown

  constructor({ message, code, data }: Failure) {
    super(message)
    this.code = code
    this.data = data
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** The chains of a worker, as providers. */
function createBridge(post: (message: FromPage) => void) {
  const waiting = new Map<number, Waiting>()
  let requests = 0
  const settle = (id: number, how: (one: Waiting) => void): void => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (one !== undefined) how(one)
  }
  return {
    providerOf(chain: number): Provider {
      return {
        request: ({ method, params }) =>
          new Promise((resolve, reject) => {
            const id = requests++
            waiting.set(id, { resolve, reject })
            post({ type: 'request', id, chain, method, params })
          }),
      }
    },
    hear(message: FromWorker): void {
      if (message.type === 'answer') settle(message.id, ({ resolve }) => resolve(message.result))
      if (message.type === 'refusal') {
        settle(message.id, ({ reject }) => reject(new ProviderError(message.failure)))
      }
    },
    end(): void {
      for (const { reject } of waiting.values()) reject(new Error('the scene was stopped'))
      waiting.clear()
    },
  }
}

/** Where the playground's files are. */
const addressOf = (file: string): string => new URL(file, import.meta.url).href

const failedWorker = (event: ErrorEvent): string =>
  event.message === '' ? 'The files of the playground could not be loaded.' : event.message

/** Runs a scene. What it cannot import is printed as an error. */
export function runScene(source: string, listener: RunListener): Run {
  const { onPrinted, onChain, onEnd } = listener
  const fail = (text: string, line?: number): void => {
    onPrinted('error', text)
    onEnd({ text, line })
  }
  let linked: string
  try {
    linked = withAddresses(source, addressOf)
  } catch (error) {
    if (!(error instanceof SceneError)) throw error
    fail(error.message, error.line)
    return { stop: () => {} }
  }
  const worker = new Worker(addressOf('worker.js'), { type: 'module' })
  const post = (message: FromPage): void => worker.postMessage(message)
  const bridge = createBridge(post)
  worker.addEventListener('error', (event) => fail(failedWorker(event)))
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'printed') onPrinted(data.level, data.text)
    else if (data.type === 'chain') onChain(data.chain, bridge.providerOf(data.chain.index))
    else if (data.type === 'ended') onEnd()
    else if (data.type === 'failed') {
      const line = data.isSyntax ? syntaxErrorLine(source) : data.line
      fail(line !== undefined && data.isSyntax ? `${data.text} (line ${line})` : data.text, line)
    } else bridge.hear(data)
  })
  post({ type: 'run', source: linked })
  return {
    stop: () => {
      worker.terminate()
      bridge.end()
    },
  }
}
