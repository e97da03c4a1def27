// The playground's examples, in Node: they print here what they print in the page.

import { afterEach, expect, test, vi } from 'vitest'
import { readExamples } from '../../scripts/bundle-playground.js'
import { describeError, describe as shown } from '../../site/playground/describe.ts'
import { withAddresses } from '../../site/playground/imports.ts'
import { differences, EXPECTED, FAILING, FAILING_LINES } from './expected.ts'

const examples = await readExamples()

afterEach(() => {
  vi.restoreAllMocks()
})

interface Ran {
  readonly printed: readonly string[]
  readonly error: unknown
}

/** Examples that have run: a module runs once. */
const ran = new Map<string, Promise<Ran>>()

/** What an example prints, and the error that ends it. */
function run(name: string): Promise<Ran> {
  const running = ran.get(name) ?? runOnce(name)
  ran.set(name, running)
  return running
}

async function runOnce(name: string): Promise<Ran> {
  const example = examples.find((one) => one.name === name)
  if (example === undefined) throw new Error(`no example ${name}`)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const error = await import(`../../site/examples/${example.file}.js`).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return { printed: log.mock.calls.map((values) => values.map(shown).join(' ')), error }
}

test('there are eleven examples, at least three of them with ethers', () => {
  expect(examples.map(({ name }) => name).sort()).toEqual(Object.keys(EXPECTED).sort())
  expect(examples).toHaveLength(11)
  const withEthers = examples.filter(({ source }) => source.includes("from 'tickchain/ethers'"))
  expect(withEthers.length).toBeGreaterThanOrEqual(3)
})

test.each(examples)('$title', async ({ name, source }) => {
  const { printed, error } = await run(name)
  expect(differences(name, printed)).toEqual([])
  expect(error === undefined).toBe(name !== FAILING)
  // All that it imports is there in the page.
  expect(withAddresses(source, (file) => `https://here/${file}`)).not.toMatch(/from '/)
})

test('the failing example names the lines of its contract', async () => {
  const { error } = await run(FAILING)
  const text = describeError(error, 'no scene')
  expect(text).toMatch(/^ContractFunctionExecutionError: The contract function "transfer" reverted/)
  expect(text.split('\n    ').slice(-2)).toEqual(FAILING_LINES)
})
