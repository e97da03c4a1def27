// Options of exploring in workers, decoded; a misspelt one is refused.

import { decodeOptions, option } from '../../../core/emulator/checks.ts'
import { arrayOf, identityCodec, text } from '../../../core/rpc/codecs/basic.ts'
import { numberFrom } from '../../../core/rpc/codecs/numbers.ts'
import { fieldsOf } from '../option-names.ts'
import { type Progress, readShard, type Shard } from '../parts.ts'

/** How a module is explored in workers. */
export interface WorkerOptions {
  /** How many workers. Default as many as the machine runs at once. */
  readonly workers?: number
  /** One part of several machines', such as `'2/8'`. Default all. */
  readonly shard?: string
  /** Called in the end with what came of it, as JSON text that `merge` takes with those of other machines. */
  readonly report?: (text: string) => unknown
  /** Called with the shortest story that fails, before the call rejects; `storyFolder` makes one. */
  readonly save?: (story: string, name: string) => unknown
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

export type Settings = Required<Pick<WorkerOptions, 'workers' | 'silenceMs' | 'memoryMb'>> & {
  readonly shard: Shard
}

const aFunction = identityCodec('a function', (value): value is () => unknown => typeof value === 'function')

/** Decodes the options of `exploreModule`; throws `invalidOption`. */
export function settingsOf(options: WorkerOptions, mostAtOnce: number): Settings {
  return decodeOptions(() => {
    const fields = fieldsOf('exploreModule', options)
    for (const name of ['report', 'save', 'progress'] as const) option(fields, name, aFunction, undefined)
    option(fields, 'execArgv', arrayOf(text), undefined)
    return {
      workers: option(fields, 'workers', numberFrom(1, 1024), mostAtOnce),
      silenceMs: option(fields, 'silenceMs', numberFrom(1, 2 ** 31 - 1), 30_000),
      memoryMb: option(fields, 'memoryMb', numberFrom(16), 1024),
      shard: readShard(fields.shard),
    }
  })
}
