// Recorded vectors and scenarios on a chain of each interpreter: all answers are equal, including hashes.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readScenario, replayScenario } from '../../scripts/conformance/scenarios.js'
import { startTwins, type TwinDifference } from '../../scripts/conformance/twins.js'
import { importChain, isOffered, readVectors, runVector } from '../../scripts/conformance/vectors.js'
import { createEmulator } from '../../src/index.ts'

const folderOf = (variable: string, name: string): string =>
  process.env[variable] ?? fileURLToPath(new URL(`../../../shared/conformance/${name}/`, import.meta.url))
const vectors = folderOf('TICKCHAIN_CONFORMANCE', 'execution-apis')
const scenario = join(folderOf('TICKCHAIN_SCENARIOS', 'scenarios'), 'safe-contracts_914d0f8.jsonl.gz')

const both = ['wasm', 'reference'] as const

describe.skipIf(!existsSync(vectors))('the chain of execution-apis', () => {
  test('imports, and answers the same', { timeout: 300_000 }, async () => {
    const differences: TwinDifference[] = []
    const chain = await importChain(
      vectors,
      startTwins(createEmulator, both, (it) => differences.push(it)),
    )
    const offered = readVectors(vectors).filter(({ method }) => isOffered(method))
    expect(offered.length).toBeGreaterThan(100)
    for (const vector of offered) await runVector(chain, vector)
    expect(differences).toEqual([])
  })
})

describe.skipIf(!existsSync(scenario))('the traffic of safe-contracts', () => {
  test('is answered the same, request by request', { timeout: 600_000 }, async () => {
    const differences: TwinDifference[] = []
    const startChain = startTwins(createEmulator, both, (it) => differences.push(it))
    const recorded = readScenario(scenario)
    const { failures } = await replayScenario(recorded, startChain)
    expect(failures.map(({ index }) => index)).toEqual(recorded.expectedFailures)
    expect(differences).toEqual([])
  })
})

test('what two chains answer differently is told', async () => {
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
