// The examples of the documentation, executed unchanged, with the results that they state. Those on exploring search for
// seconds: explore-page.deep.test.ts runs them.

import { readFileSync } from 'node:fs'
import { createEmulator, type TickchainError } from 'tickchain'
import { describe, expect, test } from 'vitest'
import { resolveOptions } from '../../src/core/emulator/options/options.ts'
import { testExamples } from './examples.ts'
import { examplesIn, findExamples, isOnExploring } from './markdown.ts'

const examples = findExamples()

await testExamples(examples.filter(({ path }) => path === 'README.md'))
await testExamples(
  examples.filter(({ path }) => path !== 'README.md' && !isOnExploring(path)),
  { tags: 'gate' },
)

test('README.md has an example for viem and one for ethers', () => {
  const sources = examples.filter(({ path }) => path === 'README.md').map(({ source }) => source)
  expect(sources.filter((source) => source.includes(`from 'viem'`))).not.toEqual([])
  expect(sources.filter((source) => source.includes(`from 'ethers'`))).not.toEqual([])
})

test('examples are found by fence and line', () => {
  const page = '# Page\n\n```ts\nconst a = 1\n```\n\n```sh\nls\n```\n\n```ts\nconst b = 2\n```\n'
  expect(examplesIn('page.md', page)).toEqual([
    { path: 'page.md', line: 4, source: 'const a = 1\n' },
    { path: 'page.md', line: 12, source: 'const b = 2\n' },
  ])
})

describe('the table of options in docs/options.md', () => {
  const page = readFileSync(new URL('../../docs/options.md', import.meta.url), 'utf8')
  const section = page.split(/^## /m).find((it) => it.startsWith('All options')) ?? ''
  const rows = [...section.matchAll(/^\| `([\w.]+)` \| (.+?) \|/gm)].map((row) => ({
    name: row[1] as string,
    fallback: row[2] as string,
  }))

  const upstream = { request: async (): Promise<unknown> => null }
  /** What a part has to have. */
  const required: Readonly<Record<string, object>> = { rollup: { stack: 'op' }, fork: { upstream } }

  /** An options object with one option, which may stand in a part of its own. */
  function only(name: string, value: unknown): object {
    const [part, rest] = name.split('.') as [string, string?]
    return { [part]: rest === undefined ? value : { ...required[part], [rest]: value } }
  }

  /** The accepted names, from the error for an unknown one. */
  async function acceptedNames(part?: 'genesis' | 'limits' | 'rollup' | 'fork'): Promise<string[]> {
    const unknown = part === undefined ? { unheardOf: 1 } : { [part]: { unheardOf: 1 } }
    const error: TickchainError = await createEmulator(unknown as object).then(
      () => expect.unreachable('an unknown option was accepted'),
      (reason) => reason,
    )
    const [, names = ''] = /expected one of (.*), got/.exec(error.message) ?? []
    return names.split(', ').map((name) => (part === undefined ? name : `${part}.${name}`))
  }

  test('names every option, and no other', async () => {
    const names = await acceptedNames()
    const plain = names.filter((name) => name !== 'genesis' && name !== 'limits')
    const parts = await Promise.all((['genesis', 'limits', 'rollup', 'fork'] as const).map(acceptedNames))
    expect(rows.map(({ name }) => name).sort()).toEqual([...plain, ...parts.flat()].sort())
  })

  test.each(rows.filter(({ fallback }) => fallback.startsWith('`')))(
    '$name is $fallback',
    ({ name, fallback }) => {
      const value: unknown = JSON.parse(fallback.slice(1, -1).replaceAll("'", '"'))
      const [part = ''] = name.split('.')
      const others = required[part] === undefined ? {} : { [part]: required[part] }
      expect(resolveOptions(only(name, value))).toEqual(resolveOptions(others))
    },
  )
})
