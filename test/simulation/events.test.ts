// Random chains, watched by clients that subscribe, filter and follow the stream of partial blocks.
// SEEDS, GROUPS and SEED as in simulation.test.ts.

import { beforeAll, describe, expect, test } from 'vitest'
import { createEmulator } from '../../src/index.ts'
import { createSession, performGroup } from './commands.ts'
import { createRandom } from './random.ts'
import { type Run, simulate } from './simulation.ts'
import {
  addFilter,
  addSubscription,
  checkWatched,
  createWatcher,
  endSubscription,
  filterKinds,
  kinds,
  pollFilter,
} from './watcher.ts'

const { SEED, SEEDS = '9', GROUPS = '50' } = process.env
const seeds = SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, i) => i) : [Number(SEED)]
const length = Number(GROUPS)

interface Watched {
  /** What was answered, as without anybody watching. */
  readonly transcript: readonly string[]
  /** All that was told. */
  readonly told: readonly string[]
}

/** Performs the commands of a run again, while clients come and go, and checks what they are told. */
async function watchAgain({ program }: Run, seed: number): Promise<Watched> {
  const chain = await createEmulator(program.options)
  const session = createSession(chain)
  const watcher = await createWatcher(chain)
  const random = createRandom(seed + 1_000_000)
  const isInterval = program.options.production === 'interval'
  const transcript: string[] = []
  const told: string[] = []
  const comeAndGo = async (): Promise<void> => {
    const chance = random.below(8)
    if (chance === 0) await addSubscription(watcher, random.pick(kinds))
    if (chance === 1) await endSubscription(watcher)
    if (chance === 2) await addFilter(watcher, random.pick(filterKinds))
    if (chance > 4) await pollFilter(watcher, random.below(4))
  }
  for (const [index, group] of program.groups.entries()) {
    const answers: string[] = []
    const rest: string[] = []
    for (const command of group) {
      await comeAndGo()
      const lines = await performGroup(session, [command], 'awaited')
      answers.push(lines[0] as string)
      rest.push(...lines.slice(1, -1))
      try {
        told.push(...(await checkWatched(watcher, command, isInterval)))
      } catch (error) {
        const where = `seed ${seed}, group ${index}, ${JSON.stringify(command)}`
        throw new Error(`${where}: ${(error as Error).message}`, { cause: error })
      }
    }
    transcript.push(...answers, ...rest, `now ${chain.now}`)
  }
  for (let index = 0; index < watcher.filters.length; index++) await pollFilter(watcher, index)
  return { transcript, told }
}

describe.each(seeds)('seed %i', (seed) => {
  let run: Run
  let watched: Watched
  beforeAll(async () => {
    run = await simulate(seed, length, 'unchecked')
    watched = await watchAgain(run, seed)
  })

  test('what clients are told comes in order and adds up to the chain', () => {
    expect(watched.told.length).toBeGreaterThan(length)
  })

  test('a chain that is watched answers as one that is not', () => {
    const expected = run.transcript.slice(0, watched.transcript.length)
    const first = watched.transcript.findIndex((line, index) => line !== expected[index])
    expect(watched.transcript[first]).toBe(expected[first])
  })

  test('the same is told when it is done once more', async () => {
    const again = await watchAgain(run, seed)
    const first = again.told.findIndex((line, index) => line !== watched.told[index])
    expect(again.told[first]).toBe(watched.told[first])
    expect(again.told).toEqual(watched.told)
  })
})
