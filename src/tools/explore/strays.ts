// Errors that nothing awaits (rejections without a handler, exceptions of timers) as failures of the run in which they
// come up. And what else is asked of the platform.

import { textOf } from '../../core/primitives/text-of.ts'

type Listener = (error: unknown) => void

interface Port {
  onmessage: (() => void) | null
  postMessage(message: unknown): void
  /** Keeps a Node process alive, if it is called. */
  ref?(): void
  unref?(): void
}

/** Functions of platforms other than browsers. */
interface Platform {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>
    on?(event: string, listener: Listener): void
    off?(event: string, listener: Listener): void
  }
  readonly MessageChannel?: new () => { readonly port1: Port; readonly port2: Port }
}

const platform = globalThis as unknown as Platform

/** A variable of the environment; an empty one is none. */
export function environmentOf(name: string): string | undefined {
  return platform.process?.env?.[name] || undefined
}

const EVENTS = ['unhandledRejection', 'uncaughtException']

const strays: unknown[] = []
const keep: Listener = (error) => void strays.push(error)
let explorations = 0

/** Explores something; until that is over, errors that nothing awaits are kept for `takeStray`. */
export async function keepingStrays<Value>(explore: () => Promise<Value>): Promise<Value> {
  if (explorations++ === 0) for (const event of EVENTS) platform.process?.on?.(event, keep)
  try {
    return await explore()
  } finally {
    strays.length = 0
    if (--explorations === 0) for (const event of EVENTS) platform.process?.off?.(event, keep)
  }
}

/** Two, in turn: Node takes up to a thousand messages of one port before it looks at its timers. */
const channels: ReturnType<typeof createChannel>[] = []

function createChannel() {
  const { port1, port2 } = new (platform.MessageChannel as NonNullable<Platform['MessageChannel']>)()
  const waiting: (() => void)[] = []
  port1.onmessage = () => {
    waiting.shift()?.()
    if (waiting.length === 0) port1.unref?.()
  }
  return { port1, port2, waiting }
}

/** Passes a turn of the event loop: rejections are only known as unhandled when there are no more microtasks. */
export function passTurn(): Promise<void> | undefined {
  if (platform.MessageChannel === undefined) return undefined
  const channel = (channels.length < 2 ? undefined : channels.shift()) ?? createChannel()
  channels.push(channel)
  const { port1, port2, waiting } = channel
  return new Promise((resolve) => {
    waiting.push(resolve)
    port1.ref?.()
    port2.postMessage(null)
  })
}

/** The error that has come up since the last call and that nothing awaits, if there is one. */
export async function takeStray(): Promise<Error | undefined> {
  await passTurn()
  if (strays.length === 0) return undefined
  const [cause] = strays.splice(0)
  const where = cause instanceof Error && typeof cause.stack === 'string' ? cause.stack : textOf(cause)
  return new Error(`nothing awaits this error: ${where}`, { cause })
}
