// Questions to the chain: one answer for the same question about the same state, and a note of those that take long.

import type { Ask, Source } from './source.ts'

/** After this time a question without an answer is named. */
const SLOW_MS = 1500

export interface Asker {
  /** Answers a read; all who ask the same until `renew` share an answer. */
  readonly ask: Ask
  /** Asks in any case. */
  readonly askAnew: Ask
  /** Forgets the answers: the chain has changed. */
  renew(): void
  /** The methods that have had no answer for long. */
  slow(): readonly string[]
  /** Forgets the open questions, too. */
  forget(): void
}

export function createAsker(source: Source, onSlow: () => void): Asker {
  let answers = new Map<string, Promise<unknown>>()
  let open = new Map<symbol, { readonly method: string; isSlow: boolean }>()

  const watchOver = async (method: string, answer: Promise<unknown>): Promise<void> => {
    const id = Symbol(method)
    const question = { method, isSlow: false }
    const questions = open
    questions.set(id, question)
    const timer = setTimeout(() => {
      question.isSlow = true
      if (questions === open) onSlow()
    }, SLOW_MS)
    await answer.catch(() => undefined)
    clearTimeout(timer)
    questions.delete(id)
    if (question.isSlow && questions === open) onSlow()
  }

  const askAnew: Ask = (method, params) => {
    // A provider may throw at once.
    const answer = (async () => source.ask(method, params))()
    void watchOver(method, answer)
    return answer
  }

  return {
    ask(method, params) {
      const key = JSON.stringify([method, params])
      const answer = answers.get(key) ?? askAnew(method, params)
      answers.set(key, answer)
      return answer
    },
    askAnew,
    renew() {
      answers = new Map()
    },
    slow: () => [...new Set([...open.values()].filter(({ isSlow }) => isSlow).map(({ method }) => method))],
    forget() {
      open = new Map()
      answers = new Map()
    },
  }
}
