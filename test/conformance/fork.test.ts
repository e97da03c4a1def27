// The vectors of execution-apis through a fork at the head of their chain: reads are answered as by the node itself.

import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Chain,
  difference,
  importChain,
  readVectors,
  runVector,
} from '../../scripts/conformance/vectors.js'
import { createEmulator } from '../../src/index.ts'
import { findFolder } from './folder.ts'

const { directory, isThere, absence } = findFolder('TICKCHAIN_CONFORMANCE', 'execution-apis')
const vectors = isThere ? readVectors(directory) : []

/**
 * Blocks above a fork have state roots of their own, so hashes of simulated and built blocks differ; and a fork knows
 * the rules of its block, not the schedule that they come from, nor blob parameters of its own.
 */
const OTHERWISE: ReadonlySet<string> = new Set(['eth_simulateV1', 'testing_buildBlockV1', 'eth_config'])

/** BLOCKHASH of a simulated block. */
const RETURNS_HASH = /blockhash-start-before-head$/

const HASHES: ReadonlySet<string> = new Set(['hash', 'parentHash', 'blockHash', 'stateRoot'])

function withoutHashes(result: unknown): unknown {
  const text = JSON.stringify(result, (key, value: unknown) => (HASHES.has(key) ? undefined : value))
  return text === undefined ? undefined : JSON.parse(text)
}

describe.skipIf(!isThere)(`the vectors of execution-apis through a fork${absence}`, () => {
  let fork: Chain
  beforeAll(async () => {
    const chain = await importChain(directory, createEmulator)
    const upstream = {
      request: ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
        chain.request(method, params),
    }
    fork = await createEmulator({
      accounts: [],
      logFilterBlockHash: 'exclusive',
      blobTransactions: 'accepted',
      fork: { upstream },
    })
  })

  const plain = vectors.filter(({ method }) => !OTHERWISE.has(method))
  test.each(plain.map((vector) => [`${vector.method}/${vector.name}`, vector] as const))(
    '%s',
    async (_, vector) => {
      expect(await runVector(fork, vector)).toBe(undefined)
    },
  )

  const simulations = vectors.filter(
    ({ method, name }) => method === 'eth_simulateV1' && !RETURNS_HASH.test(name),
  )
  test.each(simulations.map((vector) => [`${vector.method}/${vector.name}`, vector] as const))(
    '%s, but for roots and hashes',
    async (_, { exchanges }) => {
      for (const { request, response } of exchanges) {
        const answer = (await fork.handle(request)) as typeof response
        expect(answer.error?.code).toBe(response.error?.code)
        expect(difference(withoutHashes(response.result), withoutHashes(answer.result))).toBe(undefined)
      }
    },
  )
})
