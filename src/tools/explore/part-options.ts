// Options that ways of exploring share, and what they are told.

import type { PartRunner } from './parts.ts'

/** Progress of an exploration. */
export interface Progress {
  /** Runs that are over, or steps of a walk. */
  readonly runs: number
  /** Runs in all, if that is known. */
  readonly of?: number
  /** Different states. */
  readonly states?: number
  /** Runs since something new was reached last. */
  readonly quiet?: number
  /** Coverage so far: orders of steps, or branches of contracts. */
  readonly coverage?: { readonly reached: number; readonly of?: number; readonly what: string }
}

/** Options of one part of an exploration. */
export interface PartOptions {
  /**
   * Real seconds after which no other run begins. The result says so. Random runs go on for ten seconds, or those of the
   * environment variable TICKCHAIN_EXPLORE_SECONDS, unless `runs` or `seconds` is given; `exploreAll` has no limit by default.
   */
  readonly seconds?: number
  /** The first failure ends it, or all is tried and all different failures told. Default first. */
  readonly until?: 'first' | 'end'
  /** One part of the runs, such as `'2/8'` for the second of eight. Default all. */
  readonly shard?: string
  /**
   * Called in the end with what the part came to, as JSON text, whether all held or not; `merge` takes such texts. A
   * failure is thrown afterwards.
   */
  readonly report?: (text: string) => unknown
  /** Called after each run. */
  readonly progress?: (progress: Progress) => unknown
  /** @internal */
  readonly runner?: PartRunner
}

/** Option that keeps the story of a run that failed. */
export interface SaveOptions {
  /**
   * Called with the shortest story that fails, before exploring rejects. If it returns a text, such as a path, the
   * failure tells it.
   *
   * @param story JSON text for a file, which `replay` takes.
   * @param name A name for the file: what failed, and a digest.
   */
  readonly save?: (story: string, name: string) => unknown
}

/** A corpus that is kept elsewhere, such as in a folder: the texts of sequences, by the names of their files. */
export interface CorpusStore {
  readonly load: () => ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>
  /** Called in the end with all that is to be kept, and the names of those loaded that are not. */
  readonly save: (kept: ReadonlyMap<string, string>, dropped: readonly string[]) => unknown
}

/** Option that lets an exploration go on where the last one has ended. */
export interface CorpusOptions {
  /**
   * Sequences to begin with, by the names of their files, and what is found in addition. In the end there are those that
   * reach something which no other does, and all failures. A map is changed; `corpusFolder` makes one that is a folder.
   */
  readonly corpus?: Map<string, string> | CorpusStore
}
