// Runs examples of the documentation as tests.

import { describe, expect, type TestOptions, test } from 'vitest'
import { type Example, moduleOf } from './markdown.ts'

/** An example that declares tests of its own is collected; any other is a test as a whole. */
function declaresTests(source: string): boolean {
  return /^import \{[^}]*\b(?:test|it)\b[^}]*\} from 'vitest'/m.test(source)
}

/** A fixture of a file is declared outside of any `describe`. */
function declaresFixtures(source: string): boolean {
  return source.includes("from 'tickchain/vitest'")
}

/** Collects the tests of each example. */
export async function testExamples(examples: readonly Example[], options: TestOptions = {}): Promise<void> {
  for (const example of examples) {
    const name = `${example.path}:${example.line}`
    const load = () => import(/* @vite-ignore */ moduleOf(example))
    if (declaresFixtures(example.source)) await load()
    else if (declaresTests(example.source)) describe(name, options, load)
    else test(name, options, () => expect(load()).resolves.toBeDefined())
  }
}
