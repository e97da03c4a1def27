// Replay of traffic recorded from other projects' test suites on Hardhat: exactly those requests must fail that failed
// there. The recordings are outside of the repository: TICKCHAIN_SCENARIOS names their folder.
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  mismatchesOf,
  readScenario,
  replayScenario,
  type Scenario,
  scenarioFiles,
} from '../../scripts/conformance/scenarios.js'
import { startTwins, type TwinDifference } from '../../scripts/conformance/twins.js'
import { createEmulator } from '../../src/index.ts'
import { findFolder } from './folder.ts'

const { directory, isThere, absence } = findFolder('TICKCHAIN_SCENARIOS', 'scenarios')
const files = isThere ? scenarioFiles(directory).map((file) => [basename(file), file] as const) : []

/** A recording, cut after a number of requests. */
function beginningOf(file: string, most: number): Scenario {
  const scenario = readScenario(file)
  const requests = scenario.requests.slice(0, most)
  const expectedFailures = scenario.expectedFailures?.filter((index) => index < requests.length)
  expect(expectedFailures?.length).toBeGreaterThan(0)
  return { ...scenario, requests, expectedFailures }
}

/** Sends the first requests of each recording. */
export function testTraffic(most: number): void {
  describe.skipIf(!isThere)(`recorded traffic${absence}`, () => {
    test.each(files)('%s', async (_, file) => {
      const scenario = beginningOf(file, most)
      const { failures } = await replayScenario(scenario, createEmulator)
      expect(mismatchesOf(scenario, failures)).toEqual([])
    })
  })
}

/** Sends the first requests of a recording to a chain of each interpreter: the answers are equal, to the last hash. */
export function testTrafficOfBoth(name: string, most: number): void {
  describe.skipIf(!isThere)(`the traffic of ${name}, of both interpreters${absence}`, () => {
    test('is answered the same, request by request', async () => {
      const differences: TwinDifference[] = []
      const startChain = startTwins(createEmulator, ['wasm', 'reference'], (it) => differences.push(it))
      const file = files.find(([it]) => it.startsWith(name))?.[1] ?? ''
      const scenario = beginningOf(file, most)
      const { failures } = await replayScenario(scenario, startChain)
      expect(failures.map(({ index }) => index)).toEqual(scenario.expectedFailures)
      expect(differences).toEqual([])
    })
  })
}
