// The same commands in other processes: the sources are compiled once, and run by plain node with another clock, random
// generator, time zone, locale and optimizer.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from './replay.ts'
import { type Run, simulate } from './simulation.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
/** One for each production mode, with and without blocks below a second. */
const seeds = [21, 22, 23]

let folder = ''
let runs: Run[] = []

/** Inside node_modules, so that packages are found from there and nothing takes it for a part of the sources. */
function makeFolder(): string {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, 'determinism-'))
}

async function compile(): Promise<void> {
  const configuration = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      rootDir: root,
      outDir: folder,
      noCheck: true,
      // The random numbers of the fuzzer are JavaScript.
      allowJs: true,
      lib: ['es2023', 'dom'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
    },
    files: ['replay.ts', 'other-world.ts'].map((file) => join(root, 'test', 'simulation', file)),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(process.execPath, [compiler, '-p', folder])
}

beforeAll(async () => {
  folder = makeFolder()
  await compile()
  runs = await Promise.all(seeds.map((seed) => simulate(seed, 40, 'unchecked')))
  writeFileSync(join(folder, 'programs.json'), JSON.stringify(runs.map(({ program }) => program)))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Replays the programs in a process of its own. */
async function replay(flags: readonly string[], environment: Readonly<Record<string, string>>) {
  const compiled = (file: string): string => join(folder, 'test', 'simulation', file)
  const { stdout } = await run(
    process.execPath,
    [...flags, compiled('replay.js'), join(folder, 'programs.json')],
    { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...environment } },
  )
  return JSON.parse(stdout) as Report
}

function expected(): Report['outcomes'] {
  return runs.map(({ digest, headHash }) => ({ digest, headHash }))
}

test('the programs do something', () => {
  for (const { transcript } of runs) {
    expect(transcript.filter((line) => line.startsWith('sealedBlock')).length).toBeGreaterThan(1)
    expect(transcript.filter((line) => line.startsWith('pendingTransaction')).length).toBeGreaterThan(5)
  }
})

test('another process comes to the same', async () => {
  expect((await replay([], {})).outcomes).toEqual(expected())
})

test('another clock and another chance change nothing', async () => {
  const otherWorld = join(folder, 'test', 'simulation', 'other-world.js')
  const { outcomes, world } = await replay(['--import', otherWorld], {})
  expect(world).toMatchObject({ year: 2038, chance: 0.75, bytes: '7,7,7,7' })
  expect(outcomes).toEqual(expected())
})

test('another time zone and another language change nothing', async () => {
  const language = 'tr_TR.UTF-8'
  const environment = { TZ: 'Pacific/Kiritimati', LANG: language, LC_ALL: language, LANGUAGE: 'tr' }
  const { outcomes, world } = await replay([], environment)
  expect(world).toMatchObject({ timeZone: 'Pacific/Kiritimati', locale: 'tr-TR' })
  expect(outcomes).toEqual(expected())
})

test('code that is never optimized, with other hash seeds and a small heap, comes to the same', async () => {
  const flags = ['--no-opt', '--random-seed=7', '--hash-seed=7', '--max-semi-space-size=1']
  expect((await replay(flags, {})).outcomes).toEqual(expected())
})
