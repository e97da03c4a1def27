// Stories in files: saved, replayed by their path, and refused if they do not fit.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { createEmulator, type Emulator } from 'tickchain'
import { explore } from 'tickchain/explore'
import { corpusFolder, exploreModule, replayFile, storyFolder } from 'tickchain/explore-node'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'stories-')), 'stories')
})

afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true })
})

const scene = (most: bigint) => ({
  run: {
    async pay({ chain }: { chain: Emulator }) {
      const [from = '0x'] = await chain.listAccounts()
      await chain.request('eth_sendTransaction', [{ from, to: `0x${'5a'.repeat(20)}`, value: '0x1' }])
    },
  },
  invariants: {
    'paid: at most/once': async ({ chain }: { chain: Emulator }) =>
      BigInt(await chain.request('eth_getBalance', [`0x${'5a'.repeat(20)}`, 'pending'])) <= most,
  },
})

async function failureOf(exploring: Promise<unknown>): Promise<{ message: string; story: string }> {
  return exploring.then(
    () => expect.unreachable(),
    (error) => error,
  )
}

test('a story is saved to a new folder, and replayed from its file', { tags: 'gate' }, async () => {
  const chain = await createEmulator()
  const options = { ...scene(1n), actions: { pay: fc.record({}) }, save: storyFolder(folder) }
  const { message, story } = await failureOf(explore(chain, options))
  const [name = '', ...others] = readdirSync(folder)
  expect(others).toEqual([])
  expect(name).toMatch(/^paid-at-most-once-[0-9a-f]{8}\.json$/)
  const path = join(folder, name)
  expect(message).toContain(`Saved as ${path}`)
  expect(readFileSync(path, 'utf8')).toBe(`${story}\n`)
  await expect(replayFile(chain, scene(1n), path)).rejects.toMatchObject({ kind: 'invariantBroken', story })
  expect(await replayFile(chain, scene(2n), path)).toEqual({ steps: 3, impossible: [] })
})

test('a file that is not there, or of another version, is refused', async () => {
  const chain = await createEmulator()
  const path = join(folder, '../old.json')
  await expect(replayFile(chain, scene(1n), path)).rejects.toMatchObject({
    kind: 'invalidStory',
    message: expect.stringContaining('old.json'),
  })
  writeFileSync(path, '{"format":"tickchain story 0"}')
  await expect(replayFile(chain, scene(1n), path)).rejects.toMatchObject({
    kind: 'invalidStory',
    message: expect.stringContaining('this version reads tickchain story 1'),
  })
})

test.each([
  ['a misspelt option', { worker: 2 }, 'worker'],
  ['no workers', { workers: 0 }, 'workers'],
  ['no shard', { shard: '3/2' }, 'shard'],
])('%s is refused', async (_, options, name) => {
  await expect(exploreModule('none.js', options as never)).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringContaining(name),
  })
})

test('a corpus is a folder, into which others are copied', { tags: 'gate' }, async () => {
  const chain = await createEmulator()
  const options = { ...scene(1n), actions: { pay: fc.record({}) }, corpus: corpusFolder(folder) }
  expect((await corpusFolder(folder).load()).size).toBe(0)
  const { story } = await failureOf(explore(chain, options))
  const failed = readdirSync(folder).filter((name) => name.startsWith('paid-at-most-once-'))
  expect(failed).toHaveLength(1)
  expect(readFileSync(join(folder, failed[0] ?? ''), 'utf8')).toBe(`${story}\n`)

  // Another machine has found the same, and has names of its own for it; a note is none of the corpus.
  writeFileSync(join(folder, 'copied.json'), `${story}\r\n`)
  writeFileSync(join(folder, 'README.md'), 'notes')
  const again = await failureOf(explore(chain, { ...options, seed: 3 }))
  expect(again.message).toContain('(of the corpus)')
  expect(again.story).toBe(story)
  await explore(chain, { ...options, ...scene(20n), runs: 1 })
  const left = readdirSync(folder)
  expect(left).toContain('README.md')
  expect(left.filter((name) => !name.startsWith('kept-'))).toHaveLength(2)
})

test('a corpus that is no folder is told', async () => {
  const file = join(folder, '../file')
  writeFileSync(file, '')
  const options = { ...scene(1n), actions: { pay: fc.record({}) }, runs: 1, corpus: corpusFolder(file) }
  await expect(explore(await createEmulator(), options)).rejects.toMatchObject({
    kind: 'callbackFailed',
    message: expect.stringContaining('corpus.load failed: Error: ENOTDIR'),
  })
})
