// Repetition of a run with clients that come and go, and a check of the events that they get.

import { createRandom } from '../../scripts/fuzz/random.js'
import { createEmulator } from '../../src/index.ts'
import { createSession, performGroup } from './commands.ts'
import type { Run } from './simulation.ts'
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

export interface Watched {
  /** The answers, which must be equal to those without watchers. */
  readonly transcript: readonly string[]
  /** All events. */
  readonly told: readonly string[]
}

/** Repeats the commands of a run with clients that come and go, and checks their events. */
export async function watchAgain({ program }: Run, seed: number): Promise<Watched> {
  const chain = await createEmulator(program.options)
  const session = createSession(chain)
  const watcher = await createWatcher(chain)
  const random = createRandom(seed + 1_000_000)
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
      const isInterval = (await chain.request('anvil_getIntervalMining')) !== null
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
