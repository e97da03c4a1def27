// Options of exploring in workers, apart from those that declarations for `require` reach.

import type { CorpusOptions, Progress } from './part-options.ts'

/** Options of exploring a module in workers. */
export interface WorkerOptions {
  /** Number of workers. Default as many as the machine runs at once. */
  readonly workers?: number
  /** Real seconds after which no other run begins, in place of those of the module. */
  readonly seconds?: number
  /** One part of several machines', such as `'2/8'`. Default all. */
  readonly shard?: string
  /** Called in the end with what came of it, as JSON text that `merge` takes with those of other machines. */
  readonly report?: (text: string) => unknown
  /** Called with the shortest story that fails, before the call rejects; `storyFolder` makes one. */
  readonly save?: (story: string, name: string) => unknown
  /** Sequences that all workers begin with. Worth keeping is what any of them has found. */
  readonly corpus?: CorpusOptions['corpus']
  /** Called about ten times a second. */
  readonly progress?: (progress: Progress, elapsedMs: number) => unknown
  /** Where a line on the progress is kept up, if it is a terminal. Default `process.stderr`. */
  readonly output?: { readonly isTTY?: boolean; write(text: string): unknown }
  /**
   * Real milliseconds after which a worker in which nothing happens is ended: its code loops without waiting. More than
   * `limitMs` of the scene. Default 30,000.
   */
  readonly silenceMs?: number
  /** The most memory of a worker, in megabytes. Default 1,024. */
  readonly memoryMb?: number
  /** Options of Node for the workers, such as a loader of TypeScript. */
  readonly execArgv?: readonly string[]
}
