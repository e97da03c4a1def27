// The branch of an upstream that a fork stands on: its blocks up to the fork, and what they hold. What an upstream answers
// after a reorganisation is of another branch, and would contradict what is known.

import { failure } from '../primitives/errors.ts'
import { type Address, type Hash, isHexBytes, toQuantity } from '../primitives/hex.ts'
import { answerTo, type ForkHeader, safeQuantityIn } from './answers.ts'
import type { Learning } from './known.ts'
import * as sources from './source.ts'
import { mayBeRefusal, nameOfRequest, textOfRequest } from './upstream.ts'

/** Methods that may answer about blocks of any branch. */
const ANY_BRANCH: ReadonlySet<string> = new Set(['eth_getBlockByHash', 'eth_getHeaderByHash'])

/** The blocks that an object in an answer names: its parent and its own, or the one that it is in. */
function blocksNamed(item: unknown): [number, Hash][] {
  if (typeof item !== 'object' || item === null) return []
  const { number, hash, parentHash, blockNumber, blockHash } = item as Record<string, unknown>
  const named: [number, unknown][] =
    typeof number === 'string'
      ? [
          [Number(number) - 1, parentHash],
          [Number(number), hash],
        ]
      : [[typeof blockNumber === 'string' ? Number(blockNumber) : Number.NaN, blockHash]]
  return named.flatMap(([at, value]): [number, Hash][] =>
    Number.isSafeInteger(at) && isHexBytes(value, 32) ? [[at, value.toLowerCase() as Hash]] : [],
  )
}

/** The blocks of its branch that an answer names. Of simulated ones that is the parent of the first. */
function blocksIn(method: string, answer: unknown): [number, Hash][] {
  if (ANY_BRANCH.has(method)) return []
  const items: readonly unknown[] = [answer].flat()
  return method === 'eth_simulateV1' ? blocksNamed(items[0]).slice(0, 1) : items.flatMap(blocksNamed)
}

export function createBranch(top: ForkHeader, { answers }: Pick<Learning, 'answers'>) {
  const hashes = new Map<number, Hash>([
    [top.number - 1, top.parentHash],
    [top.number, top.hash],
  ])
  let knowsNumbers = true

  /** The lowest block up to one that the parents of those above lead to. */
  function walk(to: number): { readonly number: number; readonly hash: Hash } {
    let at = { number: top.number - 1, hash: top.parentHash }
    while (at.number > to) {
      const answer = answers.get(textOfRequest(...sources.blockRequest(at.hash)))
      if (answer === undefined || answer === null) break
      at = { number: at.number - 1, hash: sources.checkedForkHeader(at.hash, answer).parentHash }
    }
    return at
  }
  function expectKnown(named: readonly [number, Hash][], method: string, params: readonly unknown[]): void {
    for (const [number, hash] of named) {
      const known = hashes.get(number)
      if (known !== undefined && known !== hash)
        throw failure('upstreamReorganised', {
          number,
          known,
          hash,
          request: nameOfRequest(method, params),
        })
    }
  }

  return {
    /**
     * Throws `upstreamReorganised` if an answer is of another branch. One that does not show its branch by a block whose
     * hash is known is of the branch that the upstream has after it.
     */
    async check(...[method, params, answer, ask]: Parameters<sources.BranchCheck>) {
      const named = blocksIn(method, answer).filter(([number]) => number <= top.number)
      expectKnown(named, method, params)
      const isShown = named.length > 0 && named.every(([number]) => hashes.has(number))
      if (!isShown && !ANY_BRANCH.has(method)) await sources.isAtItsNumber(ask, top)
      for (const [number, hash] of named) hashes.set(number, hash)
    },
    /** The hash of a block up to the fork, as far as it is known. */
    hashAt(number: number): Hash | undefined {
      const known = hashes.get(number)
      if (known !== undefined) return known
      const answer = answers.get(textOfRequest(...sources.blockRequest(number)))
      if (answer !== undefined && answer !== null) return sources.checkedForkHeader(number, answer).hash
      const reached = walk(number)
      return reached.number === number ? reached.hash : undefined
    },
    /** Learns the hash of a block: by its number, or by the parents of those above it where that is refused. */
    async learnHash(number: number, ask: sources.AskUpstream) {
      try {
        const answer = knowsNumbers ? await ask(...sources.blockRequest(number)) : null
        if (answer !== null) {
          sources.checkedForkHeader(number, answer)
          return
        }
      } catch (error) {
        if (!mayBeRefusal(error)) throw error
      }
      knowsNumbers = false
      for (let at = walk(number); at.number > number; at = walk(number))
        sources.checkedForkHeader(at.hash, await ask(...sources.blockRequest(at.hash)))
    },
  }
}

interface LogQuery {
  /** Any of these; empty matches every address. */
  readonly addresses: readonly Address[]
  /** Per position any of these; empty matches every topic. */
  readonly topics: readonly (readonly Hash[])[]
}

/**
 * The blocks and transactions up to a block, by answers to requests. Each function throws a `Miss` while one is not
 * known.
 */
export function historyUpTo(last: number, answer: (method: string, params: readonly unknown[]) => unknown) {
  /** The number in a field of an answer, if it is of a block up to the fork. */
  function numberIn(method: string, params: readonly unknown[], field: string): number | undefined {
    const answered = answer(method, params)
    if (answered === null) return undefined
    // A transaction that waits has none.
    const number = answerTo(answered, method, params).field(field).optional(safeQuantityIn)
    return number !== undefined && number <= last ? number : undefined
  }
  return {
    /** The number of the block with a hash; `undefined` if there is none up to the fork. */
    numberOfBlock: (hash: Hash) => numberIn('eth_getBlockByHash', [hash, false], 'number'),
    hasTransaction: (hash: Hash) => numberIn('eth_getTransactionByHash', [hash], 'blockNumber') !== undefined,
    /** The logs of blocks, as JSON-RPC has them. */
    logs({ addresses, topics }: LogQuery, from: number, to: number): readonly unknown[] {
      const asked = {
        fromBlock: toQuantity(from),
        toBlock: toQuantity(Math.min(to, last)),
        ...(addresses.length === 0 ? {} : { address: addresses }),
        ...(topics.length === 0 ? {} : { topics: topics.map((any) => (any.length === 0 ? null : any)) }),
      }
      return answerTo(answer('eth_getLogs', [asked]), 'eth_getLogs', [asked]).array()
    },
  }
}
