// The golden digests in the oldest Node that the package supports, in `npm run test:long` in others too, on the bundle.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyBundle } from '../bundle.ts'
import { nodeOf, VERSIONS } from '../node-versions.ts'
import { allInLong } from '../size.ts'
import { writePlayer } from './bundle-player.ts'
import { EXPECTED } from './digests.ts'
import { makePrograms } from './programs.ts'

let folder = ''
let outcomes: readonly string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'golden-'))
  await copyBundle(join(folder, 'dist'))
  await writePlayer(join(folder, 'play.mjs'))
  const made = await makePrograms()
  outcomes = made.outcomes
  await writeFile(join(folder, 'programs.json'), JSON.stringify(made.programs))
  await writeFile(
    join(folder, 'main.mjs'),
    `import { readFileSync } from 'node:fs'
     import { createEmulator } from './dist/index.js'
     import { createRollup } from './dist/rollup.js'
     import { digestsOf, outcomesOf } from './play.mjs'
     const library = { createEmulator, createRollup }
     const programs = JSON.parse(readFileSync('programs.json', 'utf8'))
     console.log(JSON.stringify([process.version, await digestsOf(library), await outcomesOf(library, programs)]))`,
  )
})
afterAll(() => rm(folder, { recursive: true }))

test.each(allInLong(['20.19.0'], VERSIONS))('they come out in Node %s', async (version) => {
  const { stdout } = await promisify(execFile)(await nodeOf(version, folder), ['main.mjs'], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual([`v${version}`, EXPECTED, outcomes])
})
