// Examples in doc comments, executed unchanged: plain JavaScript on the exports of the package and its clients, with a
// chain and a sent transaction in scope. A line may end in its outcome:
//
//   expression // => value          the values are equal
//   const name = expression // => value
//   expression // throws kind       it rejects with that TickchainError
import * as ethers from 'ethers'
import * as fc from 'fast-check'
import hardhatPlugin from 'tickchain/hardhat'
import * as matchers from 'tickchain/matchers'
import * as tickchainVitest from 'tickchain/vitest'
import * as viem from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as tickchainEthers from '../../src/ethers.ts'
import * as exploring from '../../src/explore.ts'
import * as exploringInNode from '../../src/explore-node.ts'
import * as tickchain from '../../src/index.ts'
import * as realtime from '../../src/realtime.ts'
import * as recording from '../../src/recording.ts'
import { createRollup } from '../../src/rollup.ts'
import * as shared from '../../src/shared.ts'
import * as solidityTests from '../../src/solidity-tests.ts'
import * as upstream from '../../src/upstream.ts'
import * as tickchainViem from '../../src/viem.ts'
import * as vitestConfig from '../../src/vitest-config.ts'
import * as vitestReporter from '../../src/vitest-reporter.ts'
import { read, sourceFiles } from '../tidy/repository.ts'

interface Example {
  readonly path: string
  readonly line: number
  /** Its place among the examples of the file, from 1: a name that stays when lines above it change. */
  readonly number: number
  readonly code: string
}

/** The code behind each `@example`, up to the next tag or the end of its comment. */
function examplesIn(path: string, source: string): Example[] {
  return [...source.matchAll(/^ *\* @example\n((?: *\* (?!@).*\n| *\*\n)+)/gm)].map((match, index) => ({
    path,
    number: index + 1,
    line: source.slice(0, match.index).split('\n').length,
    code: (match[1] ?? '').replace(/^ *\* ?/gm, ''),
  }))
}

/** One line of an example, with what it promises as a call that holds it. */
function checkedLine(line: string): string {
  // Without a semicolon before it, it would go on from the line above.
  if (/^[([`]/.test(line)) throw new SyntaxError(`an example has a line that begins with ${line[0]}`)
  const promise =
    /^(?:const (?<name>\w+) = )?(?<expression>.+?) \/\/ (?:=> (?<value>.+)|throws (?<kind>\w+))$/
  const { name, expression, value, kind } = promise.exec(line)?.groups ?? {}
  if (kind !== undefined) return `await expectKind(async () => ${expression}, '${kind}')`
  if (value === undefined) return line
  if (name !== undefined) return `const ${name} = ${expression}; expectSame(${name}, ${value})`
  return `;expectSame(${expression}, ${value});`
}

async function expectKind(run: () => Promise<unknown>, kind: string): Promise<void> {
  await expect(run()).rejects.toMatchObject({ name: 'TickchainError', kind })
}

const expectSame = (actual: unknown, expected: unknown): void => expect(actual).toStrictEqual(expected)

const AsyncFunction = (async () => {}).constructor as FunctionConstructor

const all = sourceFiles().flatMap((path) => examplesIn(path, read(path)))
/** Runs in test/browser/explorer.browser.test.ts. */
const PAGES = ['src/explorer.ts']
const examples = all.filter(({ path, code }) => !declaresTests(code) && !PAGES.includes(path))

/** vitest takes no tests inside of a test, and no fixtures of a file but at its top level. */
function declaresTests(code: string): boolean {
  return code.includes('chainTest(')
}

for (const { code } of all.filter((example) => declaresTests(example.code))) {
  new Function('chainTest', 'expect', code)(tickchainVitest.chainTest, expect)
}

type Match = (received: unknown, ...given: unknown[]) => Promise<matchers.MatchResult>

/** An `expect` with the chain's matchers that an example may extend: vitest's own is the same for a whole worker. */
function makeExpect(chain: tickchain.Emulator): unknown {
  const all = new Map<string, Match>()
  const extend = (more: object): void => {
    for (const [name, match] of Object.entries(more)) all.set(name, match)
  }
  const runAll = (value: unknown, isNot: boolean): object =>
    Object.fromEntries(
      [...all].map(([name, match]) => [
        name,
        async (...given: unknown[]): Promise<void> => {
          const { pass, message } = await match.call({ isNot }, value, ...given)
          if (pass === isNot) throw new Error(message())
        },
      ]),
    )
  const plain = (value: unknown): object => {
    const not = Object.assign(expect(value).not, runAll(value, true))
    return Object.defineProperty(Object.assign(expect(value), runAll(value, false)), 'not', { value: not })
  }
  extend(matchers.chainMatchers(() => chain))
  return Object.assign(plain, { extend, unreachable: expect.unreachable })
}

async function makeScope(code: string): Promise<Record<string, unknown>> {
  const chain = await tickchain.createEmulator()
  const to = `0x${'aa'.repeat(20)}`
  const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ to, value: '0x1' }] })
  const clients = {
    ...ethers,
    ...viem,
    ...tickchainEthers,
    ...tickchainViem,
    ...realtime,
    ...recording,
    sharedChain: shared.sharedChain,
    ...upstream,
    ...matchers,
    ...vitestConfig,
    hardhatPlugin,
    reportPages: vitestReporter.reportPages,
    ...exploring,
    ...exploringInNode,
    ...solidityTests,
    fc,
  }
  const checks = { expect: makeExpect(chain), expectKind, expectSame }
  // What an example prints would only clutter the report of the tests.
  const platform = { console: { log: () => undefined }, window: new EventTarget() }
  const rollup = /\brollup\./.test(code) ? await createRollup() : undefined
  return { ...clients, ...tickchain, ...checks, ...platform, vi, chain, hash, createRollup, rollup }
}

async function run(code: string): Promise<void> {
  const scope = await makeScope(code)
  const checked = code.split('\n').map(checkedLine).join('\n')
  // A block of its own, so that an example may declare what the scope has.
  await new AsyncFunction(...Object.keys(scope), `{\n${checked}\n}`)(...Object.values(scope))
}

afterEach(() => {
  vi.useRealTimers()
})

test.each(examples)('$path, example $number', { tags: 'gate' }, ({ path, line, code }) =>
  expect(run(code), `${path}:${line}`).resolves.toBeUndefined(),
)

test('createEmulator, TickchainError and chainTest have one each', () => {
  expect(all.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'src/core/primitives/errors.ts',
      'src/tools/solidity/create-emulator.ts',
      'src/vitest.ts',
    ]),
  )
})

describe('the stated outcomes of examples are checked', () => {
  test.each([
    ['a value', 'chain.now // => 1'],
    ['the value of a name', 'const now = chain.now // => 1'],
    ['a type', "chain.settings.chainId // => '31337'"],
    ['an error that does not come', 'await chain.next() // throws invalidCall'],
    ['a line that would be a call of the one above', '(chain.now) // => 1704067200000'],
    ['a matcher', 'await expect(hash).toBeSealed()'],
    ['a negated matcher', 'await chain.seal()\nawait expect(hash).not.toBeSealed()'],
    ['another error', 'await chain.advance(-1) // throws timeOutOfRange'],
  ])('%s', async (_, code) => {
    await expect(run(code)).rejects.toThrow()
  })

  test.each([
    'chain.now // => 1704067200000',
    'const now = chain.now // => 1704067200000',
    'await chain.advance(-1) // throws invalidCall',
    'await chain.advance(200) // a comment',
  ])('but %s holds', async (code) => {
    await expect(run(code)).resolves.toBeUndefined()
  })
})
