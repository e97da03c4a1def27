// @ts-check
// Configuration of test runs on changed sources: one worker, files in the given order.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import configOf from '../../vitest.config.ts'

/**
 * What the process that runs the tests tells this configuration, which is loaded as a module of its own.
 * @typedef {object} Exchange
 * @property {'coverage' | 'mutants'} purpose
 * @property {(path: string) => string | undefined} textOf the text that replaces a source
 */

const { purpose, textOf } = /** @type {{ mutation: Exchange }} */ (/** @type {unknown} */ (globalThis))
  .mutation
const config = configOf({ command: 'serve', mode: 'test' })
const { projects = [], setupFiles = [], ...shared } = config.test ?? {}
const recorder = fileURLToPath(new URL('record-coverage.js', import.meta.url))

/** Serves the text that replaces a source, so that nothing is written to the tree. */
const replacedSources = { name: 'replaced-sources', enforce: /** @type {const} */ ('pre'), load: textOf }

class GivenOrder {
  /** @template Files @param {Files} files */
  sort(files) {
    return Promise.resolve(files)
  }

  /** @template Files @param {Files} files */
  shard(files) {
    return Promise.resolve(files)
  }
}

export default defineConfig({
  ...config,
  root: fileURLToPath(new URL('../../', import.meta.url)),
  plugins: [...(config.plugins ?? []), replacedSources],
  test: {
    ...shared,
    maxWorkers: 1,
    // A failure ends the run of a mutant. Coverage is recorded of all files.
    bail: purpose === 'mutants' ? 1 : 0,
    // Other work may slow the machine down: a hung test is found by its processor time.
    testTimeout: 120_000,
    setupFiles: [...(purpose === 'coverage' ? [recorder] : []), ...setupFiles],
    sequence: { sequencer: GivenOrder },
    projects: projects.filter(
      (it) =>
        typeof it === 'object' &&
        'test' in it &&
        !['deep', 'isolated-deep', 'peers'].includes(`${it.test?.name}`),
    ),
  },
})
