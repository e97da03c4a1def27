// Requests for the state at a block, which is named by its hash: once an upstream is reorganised, its number is that of
// another block.

import { failure } from '../primitives/errors.ts'
import { toQuantity } from '../primitives/hex.ts'
import { type AnswerPath, placeOf } from './answers.ts'
import type { ForkHeader } from './header-fields.ts'
import { type AskUpstream, blockRequest, checkedForkHeader } from './source.ts'
import { isFromUpstream, nameOfRequest, refusalCode, UNKNOWN_METHOD } from './upstream.ts'

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

export function createAskAtBlock(ask: AskUpstream, { number, hash }: ForkHeader): AskAtBlock {
  const byNumber = toQuantity(number)
  // EIP-1898
  let name: unknown = { blockHash: hash }

  async function askBy(block: unknown, method: string, params: readonly unknown[]): Promise<Answered> {
    const all = [...params, block]
    return { answer: await ask(method, all), place: placeOf(nameOfRequest(method, all)) }
  }
  /** True if the upstream tells its block of the number; throws `upstreamReorganised` if that is another one. */
  async function isNumbered(): Promise<boolean> {
    const request = blockRequest(number)
    let answer: unknown
    try {
      answer = await ask(...request)
    } catch (error) {
      if (!isFromUpstream(error)) throw error
      return false
    }
    if (answer === null) return false
    const present = checkedForkHeader(number, answer)
    if (present.hash === hash) return true
    throw failure('upstreamReorganised', {
      ...{ number, known: hash, hash: present.hash, request: nameOfRequest(...request) },
    })
  }
  return {
    hint: (method, params) => askBy(name, method, params),
    async ask(method, params) {
      try {
        const answered = await askBy(name, method, params)
        if (name === byNumber) await isNumbered()
        return answered
      } catch (error) {
        const code = refusalCode(error)
        if (name === byNumber || code === undefined || UNKNOWN_METHOD.has(code)) throw error
        // Some nodes know blocks by their numbers only.
        if (!(await isNumbered())) throw error
        const answered = await askBy(byNumber, method, params)
        name = byNumber
        return answered
      }
    },
  }
}
