// Recordings of forks between processes, which run the published bundle: they write to one file at the same time, and
// replay what another one has recorded.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordingFile } from '../../../src/recording.ts'
import { copyBundle } from '../../bundle.ts'

let folder: string
let path: string
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'processes-'))
  await copyBundle(join(folder, 'dist'))
})

afterAll(() => rm(folder, { recursive: true }))

beforeEach(() => {
  path = join(folder, `${files++}`, 'recording.txt')
})

/** Runs a program that finds the bundle and the path of the recording. */
async function run(program: string): Promise<string> {
  const bundle = (name: string): string => JSON.stringify(pathToFileURL(join(folder, `dist/${name}.js`)).href)
  const whole = `import { createEmulator } from ${bundle('index')}
    import { recordingFile } from ${bundle('recording')}
    const path = ${JSON.stringify(path)}
    ${program}`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', whole])
  return stdout
}

/** Whether the folder has the recording and nothing else. */
const leftBeside = () => readdir(join(path, '..'))

test('processes that write to one file at the same time lose nothing', async () => {
  const add = `const file = recordingFile(path)
    for (let count = 0; count < 25; count++)
      await file.exclusively(async () => file.write(String(Number((await file.read()) ?? 0) + 1)))`
  await Promise.all([run(add), run(add), run(add), run(add)])
  expect(await readFile(path, 'utf8')).toBe('100')
  expect(await leftBeside()).toEqual(['recording.txt'])
})

const work = (digit: number) => `const upstream = await createEmulator({ production: 'auto' })
  const fork = await createEmulator({ fork: { upstream, recording: path } })
  for (let index = 1; index <= 20; index++) {
    const account = '0x' + '${digit}'.repeat(38) + String(index).padStart(2, '0')
    await fork.request({ method: 'eth_getBalance', params: [account, 'latest'] })
  }`

test('forks of two processes that record to one file are both in it', async () => {
  await Promise.all([run(work(1)), run(work(2))])
  const lines = (await readFile(path, 'utf8')).split('\n')
  for (const digit of ['1', '2'])
    expect(lines.filter((line) => line.startsWith(`account 0x${digit.repeat(38)}`))).toHaveLength(20)
  expect(lines.slice(2, -2)).toEqual([...lines.slice(2, -2)].sort())
  expect(await leftBeside()).toEqual(['recording.txt'])
})

test('the lock of a process that has gone away is taken over', async () => {
  const lock = `${path}.lock`
  await mkdir(lock, { recursive: true })
  await writeFile(join(lock, '.recording-gone'), '')
  const past = new Date(Date.now() - 60_000)
  await utimes(lock, past, past)
  const file = recordingFile(path)
  const order: string[] = []
  await Promise.all(
    ['first', 'second'].map((name) =>
      file.exclusively?.(async () => {
        order.push(`${name} begins`)
        await new Promise((resolve) => setTimeout(resolve, 30))
        order.push(`${name} ends`)
      }),
    ),
  )
  expect(order).toHaveLength(4)
  expect(order[1]?.split(' ')[0]).toBe(order[0]?.split(' ')[0])
  expect(await leftBeside()).toEqual([])
})
