// The examples in doc comments are executed as they stand. They are plain JavaScript on what the package exports.
import { expect, test } from 'vitest'
import * as tickchain from '../../src/index.ts'
import { read, sourceFiles } from '../tidy/repository.ts'

interface Example {
  readonly path: string
  readonly line: number
  readonly code: string
}

/** The code behind each `@example`, up to the next tag or the end of its comment. */
function examplesIn(path: string, source: string): Example[] {
  return [...source.matchAll(/^ *\* @example\n((?: *\* (?!@).*\n| *\*\n)+)/gm)].map((match) => ({
    path,
    line: source.slice(0, match.index).split('\n').length,
    code: (match[1] ?? '').replace(/^ *\* ?/gm, ''),
  }))
}

const AsyncFunction = (async () => {}).constructor as FunctionConstructor

const examples = sourceFiles().flatMap((path) => examplesIn(path, read(path)))

test.each(examples)('$path:$line', async ({ code }) => {
  await new AsyncFunction(...Object.keys(tickchain), code)(...Object.values(tickchain))
})

test('createEmulator and TickchainError have one each', () => {
  expect(examples.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['src/emulator.ts', 'src/primitives/errors.ts']),
  )
})
