// Requests for the state at a block, which is named by its hash: once an upstream is reorganised, its number is that of
// another block.

import { failure } from '../primitives/errors.ts'
import { toQuantity } from '../primitives/hex.ts'
import { type AnswerPath, placeOf } from './answers.ts'
import type { ForkHeader } from './header-fields.ts'
import { type AskUpstream, blockRequest, checkedForkHeader } from './source.ts'
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

export function createAskAtBlock(ask: AskUpstream, { number, hash }: ForkHeader): AskAtBlock {
  const byNumber = toQuantity(number)
  // EIP-1898
  let name: unknown = { blockHash: hash }

  async function askBy(block: unknown, method: string, params: readonly unknown[]): Promise<Answered> {
    const all = [...params, block]
    return { answer: await ask(method, all), place: placeOf(nameOfRequest(method, all)) }
  }
  async function expectNumber(): Promise<void> {
    const request = blockRequest(number)
    const present = checkedForkHeader(number, await ask(...request))
    if (present.hash === hash) return
    throw failure('upstreamReorganised', {
      ...{ number, known: hash, hash: present.hash, request: nameOfRequest(...request) },
    })
  }
  return {
    hint: (method, params) => askBy(name, method, params),
    async ask(method, params) {
      const tried = name
      try {
        return await askBy(tried, method, params)
      } catch (error) {
        const code = refusalCode(error)
        if (tried === byNumber || code === undefined || UNKNOWN_METHOD.has(code)) throw error
        // Some nodes know blocks by their numbers only.
        await expectNumber()
        const answered = await askBy(byNumber, method, params)
        name = byNumber
        return answered
      }
    },
  }
}
