// Hardhat's chain (EDR, installed from npm) and the flavor hardhat: the same requests, the same answers. What is compared
// of an error is its name, its code, its message, and the return data of a failed execution.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createEmulator } from 'tickchain'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { sampled } from '../../size.ts'
import { BASICS } from './basics.ts'
import { PENDING } from './pending.ts'
import { READS } from './reads.ts'
import { type Answer, answersOf, type Scenario } from './scenario.ts'
import { WORDS } from './words.ts'
import { WORK } from './work.ts'

const ALL: Readonly<Record<string, readonly Scenario[]>> = { WORDS, PENDING, READS, BASICS, WORK }
const AREAS = Object.entries(ALL).map(([area, scenarios]) => [area, sampled(scenarios)] as const)

const there = fileURLToPath(new URL('there.ts', import.meta.url))

const SCENARIOS = AREAS.flatMap(([, scenarios]) => scenarios)
const answersThere = new Map<Scenario, readonly Answer[]>()

beforeAll(async () => {
  const running = promisify(execFile)(inject('node'), [there], { maxBuffer: 2 ** 26 })
  running.child.stdin?.end(JSON.stringify(SCENARIOS))
  const { stdout } = await running
  const answers: readonly Answer[][] = JSON.parse(stdout)
  for (const [index, scenario] of SCENARIOS.entries()) answersThere.set(scenario, answers[index]!)
})

async function answersHere({ options, steps }: Scenario): Promise<Answer[]> {
  const chain = await createEmulator({
    flavor: 'hardhat',
    production: 'auto',
    accounts: { count: 20 },
    ...options,
  })
  const answers = await answersOf((method, params) => chain.request(method, params as unknown[]), steps)
  await chain.dispose()
  return answers
}

describe.each(AREAS)('%s', (_, scenarios) => {
  test.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
    '%s',
    async (_title, scenario) => {
      const expected = answersThere
        .get(scenario)!
        .map((answer, step) => scenario.differs?.[step]?.here ?? answer)
      expect(await answersHere(scenario)).toEqual(expected)
    },
  )
})

test('a difference that is listed is one', () => {
  for (const scenario of SCENARIOS)
    for (const [step, { here }] of Object.entries(scenario.differs ?? {}))
      expect(answersThere.get(scenario)?.[Number(step)], scenario.title).not.toEqual(here)
})
