// What the process that began workers knows of them.

import type { Progress } from '../parts.ts'
import type { Settings } from './options.ts'
import { beatsOf, readTrail } from './trail.ts'
import { type Heard, type Message, NO_RUN, type Task } from './worker.ts'

/** How long a worker may take to load its module and to set up its chain. */
const SET_UP_MS = 120_000

/** What is known of a worker. */
export interface Watched extends Heard {
  readonly task: Task<unknown>
  readonly port: { on(event: 'message', take: (message: Message) => void): unknown }
  readonly abort: () => void
  progress?: Progress
  beats: number
  changedAt: number
  isSilent: boolean
  isOver: boolean
}

/** Lowers the least number, as seen by all workers. */
function lower(least: Int32Array, run: number): void {
  while (run < Atomics.load(least, 0)) Atomics.store(least, 0, run)
}

/** Takes what a worker tells. The first failure ends the runs of others that come after it, if it alone is told. */
export function listen(watched: Watched, least: Int32Array): void {
  watched.port.on('message', (message: Message) => {
    if ('part' in message) watched.begin = message
    else if ('progress' in message) watched.progress = message.progress
    else {
      const { failed } = message
      watched.failures.push(failed)
      const [run = NO_RUN] = failed.at
      if (failed.key === undefined) lower(least, run)
    }
  })
}

/** Ends workers in which nothing has happened for too long, at a time in milliseconds. */
export function endSilent(
  workers: readonly Watched[],
  { silenceMs }: Settings,
  least: Int32Array,
  now: number,
): void {
  for (const watched of workers) {
    const beats = beatsOf(watched.task.trail)
    if (watched.isOver || watched.isSilent) continue
    if (beats !== watched.beats) {
      watched.beats = beats
      watched.changedAt = now
    } else if (now - watched.changedAt > (watched.begin === undefined ? SET_UP_MS : silenceMs)) {
      watched.isSilent = true
      const { run } = readTrail(watched.task.trail)
      if (watched.begin !== undefined) lower(least, run)
      watched.abort()
    }
  }
}
