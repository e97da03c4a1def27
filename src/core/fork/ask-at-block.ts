// Requests for the state at a block, which is named by its hash: once an upstream is reorganised, its number is that of
// another block.

import { toQuantity } from '../primitives/hex.ts'
import { type AnswerPath, placeOf } from './answers.ts'
import type { ForkHeader } from './header-fields.ts'
import { type AskUpstream, isAtItsNumber } from './source.ts'
import { nameOfRequest, refusalCode, UNKNOWN_METHOD } from './upstream.ts'

interface Answered {
  readonly answer: unknown
  /** Names the request. */
  readonly place: AnswerPath
}

type AskAt = (method: string, params: readonly unknown[]) => Promise<Answered>

/** Asks with the block as the last parameter. */
export interface AskAtBlock {
  readonly ask: AskAt
  /** The same for what need not be answered. */
  readonly hint: AskAt
}

export function createAskAtBlock(ask: AskUpstream, header: ForkHeader): AskAtBlock {
  const { number, hash } = header
  const byNumber = toQuantity(number)
  // EIP-1898
  let name: unknown = { blockHash: hash }

  async function askBy(block: unknown, method: string, params: readonly unknown[]): Promise<Answered> {
    const all = [...params, block]
    return { answer: await ask(method, all), place: placeOf(nameOfRequest(method, all)) }
  }
  return {
    hint: (method, params) => askBy(name, method, params),
    async ask(method, params) {
      try {
        const answered = await askBy(name, method, params)
        if (name === byNumber) await isAtItsNumber(ask, header)
        return answered
      } catch (error) {
        const code = refusalCode(error)
        if (name === byNumber || code === undefined || UNKNOWN_METHOD.has(code)) throw error
        // Some nodes know blocks by their numbers only.
        if (!(await isAtItsNumber(ask, header))) throw error
        const answered = await askBy(byNumber, method, params)
        name = byNumber
        return answered
      }
    },
  }
}
