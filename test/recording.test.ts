import { execFileSync } from 'node:child_process'
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

test('a path stands for its file, and is named where something is missing', async () => {
  const path = join(folder, 'some.txt')
  const upstream = await createEmulator({ genesis: { alloc: { [SOMEBODY]: { balance: 5n } } } })
  await createEmulator({ fork: { upstream, recording: path } })
  const fork = await createEmulator({ fork: { recording: path, mode: 'replay' } })
  await expect(fork.request({ method: 'eth_getBalance', params: [SOMEBODY, 'latest'] })).rejects.toThrow(
    `the account ${SOMEBODY} at block 0 is not in the recording ${path}; a run with fork: { upstream, recording, mode: 'auto' } records it`,
  )
})

test('recordings of two branches are one after a merge of git by union', async () => {
  const upstream = await createEmulator()
  const account = (digit: number) => `0x${`${digit}`.repeat(40)}` as const
  const record = async (name: string, digits: readonly number[]): Promise<string> => {
    const path = join(folder, name)
    const fork = await createEmulator({ fork: { upstream, recording: path } })
    for (const digit of digits)
      await fork.request({ method: 'eth_getBalance', params: [account(digit), 'latest'] })
    return path
  }
  const files = [
    await record('ours', [1, 2, 5]),
    await record('base', [1]),
    await record('theirs', [1, 3, 4]),
  ]
  const merged = join(folder, 'merged')
  writeFileSync(merged, execFileSync('git', ['merge-file', '-p', '--union', ...files]))
  const fork = await createEmulator({ fork: { recording: merged, mode: 'replay' } })
  for (const digit of [1, 2, 3, 4, 5])
    expect(await fork.request({ method: 'eth_getBalance', params: [account(digit), 'latest'] })).toBe('0x0')
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
