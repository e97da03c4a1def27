// A fork that is recorded once and replayed by all versions of Node that the package supports: the same answers.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmulator } from '../../../src/index.ts'
import { recordingFile } from '../../../src/recording.ts'
import { copyBundle } from '../../bundle.ts'
import { nodeOf, VERSIONS } from '../../node-versions.ts'
import { answersOf, prepare } from './replayed-work.js'

let folder: string
let path: string
let expected: string

const run = promisify(execFile)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'node-versions-'))
  path = join(folder, 'recording.txt')
  await copyBundle(join(folder, 'dist'))
  await cp(fileURLToPath(new URL('replayed-work.js', import.meta.url)), join(folder, 'work.mjs'))
  const upstream = await prepare(createEmulator)
  const fork = await createEmulator({ fork: { upstream, recording: recordingFile(path) } })
  expected = createHash('sha256')
    .update(await answersOf(fork))
    .digest('hex')
})

afterAll(() => rm(folder, { recursive: true }))

test.each(VERSIONS)('Node %s', async (version) => {
  const file = (name: string): string => JSON.stringify(pathToFileURL(join(folder, name)).href)
  const program = `import { createHash } from 'node:crypto'
    import { createEmulator } from ${file('dist/index.js')}
    import ${file('dist/recording.js')}
    import { answersOf } from ${file('work.mjs')}
    const fork = await createEmulator({ fork: { recording: ${JSON.stringify(path)}, mode: 'replay' } })
    process.stdout.write(process.version + ' ' + createHash('sha256').update(await answersOf(fork)).digest('hex'))`
  const { stdout } = await run(await nodeOf(version, folder), ['--input-type=module', '--eval', program])
  expect(stdout).toBe(`v${version} ${expected}`)
})
