// Recorder of a client's requests, with a check that the client uses no timer.

import type { Emulator } from 'tickchain'
import { vi } from 'vitest'

interface Call {
  readonly method: string
  readonly params?: unknown
}

/** An emulator with a record of its requests: the methods, and the calls with their parameters. */
export function record(emulator: Emulator) {
  const methods: string[] = []
  const calls: Call[] = []
  const request = (first: string | Call, second?: unknown): Promise<unknown> => {
    const call = typeof first === 'string' ? { method: first, params: second } : first
    methods.push(call.method)
    calls.push(call)
    return emulator.request(call)
  }
  const chain: Emulator = Object.create(emulator, { request: { value: request } })
  return { chain, methods, calls }
}

/** Makes setting a timer throw, until `vi.restoreAllMocks`. */
export function forbidTimers(): void {
  const refuse = (): never => {
    throw new Error('a real timer was set')
  }
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(refuse)
  vi.spyOn(globalThis, 'setInterval').mockImplementation(refuse)
}

/** Waits for all pending microtasks. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
