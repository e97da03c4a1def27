import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { pageScripts } from './scripts/page-scripts.js'
import { markdownExamples } from './test/examples/markdown.ts'

const source = fileURLToPath(new URL('./src/', import.meta.url))

/** Tests that are long because they start processes, recompile or replay recordings: `npm run test:deep`. */
const deep = ['test/**/*.deep.test.ts']
/** Random and differential tests: few cases in `npm test`, more in `test:deep`, many in `test:long` (test/size.ts). */
const sized = ['test/**/*.sized.test.ts']
/** Files with tests that are tagged `gate`, which `npm test` leaves out and `npm run test:deep` runs. */
const tagged = readdirSync(new URL('./test/', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter(
    (name) =>
      /(?<!\.(?:deep|sized|long|peers|browser))\.test\.ts$/.test(name) && !name.includes('node_modules'),
  )
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((path) => readFileSync(new URL(path, import.meta.url), 'utf8').includes("tags: 'gate'"))
/** Tests of more than half a minute that few changes concern: `npm run test:long` alone. */
const long = ['test/**/*.long.test.ts']
/** Tests that compare with other emulators, which they install: part of `npm run test:deep`. */
const peers = ['test/**/*.peers.test.ts']
const peersLong = ['test/**/*.peers.long.test.ts']
/** Tests of pages, in Chromium: part of `npm run test:deep`. */
const browser = ['test/**/*.browser.test.ts']
const browserLong = ['test/**/*.browser.long.test.ts']
/** Sample projects with the packed package: with bundlers, in Chromium, `npm run try:bundlers`; others, `try:runners`. */
const runners = ['test/samples/runners.try.ts']
const bundlers = ['test/samples/*.try.ts']
/** Tests that replace modules or count loads, and so need a module graph of their own. */
const isolated = ['test/**/{shared-runs,import-path}.test.ts']
const isolatedDeep = ['test/**/{held,web-assembly}.deep.test.ts']

export default defineConfig(({ mode }) => ({
  plugins: [markdownExamples(), pageScripts()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: [
      { find: /^tickchain$/, replacement: `${source}index.ts` },
      { find: /^tickchain\/([\w-]+)$/, replacement: `${source}$1.ts` },
    ],
  },
  test: {
    retry: 0,
    tags: [{ name: 'gate', description: 'More than a moment: left to `npm run test:deep`.' }],
    expect: { requireAssertions: true },
    setupFiles: ['./test/left-behind.ts', './test/test-count.ts'],
    globalSetup: ['./test/bundle-folder.ts'],
    // Limits only stop what would never end: no verdict depends on how busy the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'threads',
    // Vitest leaves one core idle unless told.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...deep, ...long, ...peers, ...browser, ...isolated],
          isolate: false,
          provide: { size: 'short' },
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: isolated, isolate: true, provide: { size: 'short' } },
      },
      {
        extends: true,
        test: {
          name: 'deep',
          include: [...deep, ...sized, ...(mode === 'long' ? long : [])],
          exclude: [...configDefaults.exclude, ...isolatedDeep, ...browserLong, ...peersLong],
          isolate: false,
          provide: { size: mode === 'long' ? 'long' : 'middle' },
        },
      },
      {
        extends: true,
        test: {
          name: 'tagged',
          include: tagged,
          setupFiles: ['./test/tagged.ts'],
          isolate: false,
          provide: { size: mode === 'long' ? 'long' : 'middle' },
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated-deep',
          include: isolatedDeep,
          isolate: true,
          provide: { size: mode === 'long' ? 'long' : 'middle' },
        },
      },
      {
        extends: true,
        test: {
          name: 'peers',
          include: mode === 'long' ? [...peers, ...peersLong] : peers,
          isolate: false,
          provide: { size: mode === 'long' ? 'long' : 'middle' },
          globalSetup: ['./test/migration/install.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: mode === 'long' ? [...browser, ...browserLong] : browser,
          provide: { size: mode === 'long' ? 'long' : 'middle' },
          // Each file has its own connection to the browser, in a module that they share.
          isolate: true,
          globalSetup: ['./test/browser/chromium.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'bundlers',
          include: mode === 'long' ? bundlers : ['test/samples/esbuild.try.ts'],
          exclude: runners,
          isolate: true,
          globalSetup: ['./test/browser/chromium.ts', './test/samples/pack.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'runners',
          include: runners,
          globalSetup: ['./test/samples/pack.ts'],
        },
      },
    ],
  },
}))
