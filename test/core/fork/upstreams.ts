// Upstreams of forks: an emulator behind a wire that counts, delays, reorders and fails.

import type { Upstream } from '../../../src/core/fork/upstream.ts'
import type { Emulator } from '../../../src/index.ts'

/** Asks a chain for anything. */
export async function ask(on: Emulator, method: string, ...params: readonly unknown[]): Promise<unknown> {
  return (on as Upstream).request({ method, params })
}

export interface Asked {
  readonly method: string
  readonly params: readonly unknown[]
}

export interface Wire extends Upstream {
  /** The requests so far. */
  readonly asked: Asked[]
  /** The most requests that were under way at once. */
  mostAtOnce: number
  /** Answers in place of the upstream's; `undefined` passes a request on. */
  answer: (asked: Asked) => unknown
  /** The order in which requests that wait at the same time are answered. */
  order: 'first' | 'last'
}

/** Lets everything that is not a timer settle. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve))
}

/** A wire to an upstream. Requests wait until nobody asks any more, so that those of a round come together. */
export function wireTo(upstream: Upstream): Wire {
  const waiting: (() => void)[] = []
  let isAnswering = false
  const answerAll = async (): Promise<void> => {
    isAnswering = true
    await settle()
    while (waiting.length > 0) {
      const release = wire.order === 'first' ? waiting.shift() : waiting.pop()
      release?.()
      await settle()
    }
    isAnswering = false
  }
  const wire: Wire = {
    asked: [],
    mostAtOnce: 0,
    answer: () => undefined,
    order: 'first',
    async request({ method, params = [] }) {
      // As text, as over a real wire.
      const asked = JSON.parse(JSON.stringify({ method, params })) as Asked
      wire.asked.push(asked)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        wire.mostAtOnce = Math.max(wire.mostAtOnce, waiting.length)
        if (!isAnswering) void answerAll()
      })
      const answer = wire.answer(asked)
      if (answer instanceof Error) throw answer
      return answer === undefined ? upstream.request(asked) : answer
    },
  }
  return wire
}

/** An error as a JSON-RPC server answers it. */
export function rpcError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}
