import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordingFile } from 'tickchain/recording'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmulator } from '../src/index.ts'

const SOMEBODY = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

test('a fork is recorded to a file in a new folder, and replayed from it', async () => {
  const path = join(folder, 'forks', 'some.txt')
  const upstream = await createEmulator({ genesis: { alloc: { [SOMEBODY]: { balance: 5n } } } })
  const balance = async (fork: Parameters<typeof createEmulator>[0]): Promise<string> =>
    (await createEmulator(fork)).request({ method: 'eth_getBalance', params: [SOMEBODY, 'latest'] })
  expect(await balance({ fork: { upstream, recording: recordingFile(path) } })).toBe('0x5')
  expect(readFileSync(path, 'utf8')).toContain(`account ${SOMEBODY} 0 5 `)
  expect(await balance({ fork: { recording: recordingFile(path) } })).toBe('0x5')
  expect(readdirSync(join(folder, 'forks'))).toEqual(['some.txt'])
})

test('a file is replaced as a whole, and nothing stays beside it', async () => {
  const path = join(folder, 'text')
  writeFileSync(path, 'before')
  const file = recordingFile(path)
  await file.write('after')
  expect(await file.read()).toBe('after')
  expect(readdirSync(folder)).toEqual(['text'])
})

test('a file that is a folder is neither read nor replaced', async () => {
  const file = recordingFile(folder)
  await expect(Promise.resolve(file.read())).rejects.toThrow('EISDIR')
  await expect(Promise.resolve(file.write('text'))).rejects.toThrow()
  expect(readdirSync(folder)).toEqual([])
})
