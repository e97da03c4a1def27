// Vectors of execution-apis, sent to a chain of each interpreter: the answers are equal, to the last hash.
import { describe, expect, test } from 'vitest'
import { startTwins, type TwinDifference } from '../../scripts/conformance/twins.js'
import { importChain, readVectors, runVector } from '../../scripts/conformance/vectors.js'
import { createEmulator } from '../../src/index.ts'
import { sampled } from '../size.ts'
import { findFolder } from './folder.ts'

const { directory, isThere, absence } = findFolder('TICKCHAIN_CONFORMANCE', 'execution-apis')

const both = ['wasm', 'reference'] as const

describe.skipIf(!isThere)(`the chain of execution-apis${absence}`, () => {
  test('imports, and answers the same', async () => {
    const differences: TwinDifference[] = []
    const chain = await importChain(
      directory,
      startTwins(createEmulator, both, (it) => differences.push(it)),
    )
    const offered = readVectors(directory)
    expect(offered.length).toBeGreaterThan(100)
    for (const vector of sampled(offered)) await runVector(chain, vector)
    expect(differences).toEqual([])
  })
})

test('different answers of two chains are reported', async () => {
  const differences: TwinDifference[] = []
  let chainId = 0
  const startChain = startTwins(
    (options) => createEmulator({ ...options, interpreter: 'reference', chainId: ++chainId }),
    both,
    (it) => differences.push(it),
  )
  const chain = await startChain({})
  expect(await chain.request('eth_chainId', [])).toBe('0x1')
  await expect(chain.request('eth_nothing', [])).rejects.toThrow('does not exist')
  expect(await chain.clone().request('eth_blockNumber', [])).toBe('0x0')
  expect(differences).toEqual([{ what: 'eth_chainId []', found: 'answer.result: expected "0x1", got "0x2"' }])
})
