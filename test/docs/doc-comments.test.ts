// Examples in doc comments, executed unchanged: plain JavaScript on the exports of the package and its clients, with a
// chain and a sent transaction in scope.
import * as ethers from 'ethers'
import * as matchers from 'tickchain/matchers'
import * as tickchainVitest from 'tickchain/vitest'
import * as viem from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import * as tickchainEthers from '../../src/ethers.ts'
import * as tickchain from '../../src/index.ts'
import * as realtime from '../../src/realtime.ts'
import * as tickchainViem from '../../src/viem.ts'
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

const all = sourceFiles().flatMap((path) => examplesIn(path, read(path)))
const examples = all.filter(({ code }) => !declaresTests(code))

/** vitest takes no tests inside of a test, and no fixtures of a file but at its top level. */
function declaresTests(code: string): boolean {
  return code.includes('chainTest(')
}

for (const { code } of all.filter((example) => declaresTests(example.code))) {
  new Function('chainTest', 'expect', code)(tickchainVitest.chainTest, expect)
}

async function makeScope(): Promise<Record<string, unknown>> {
  const chain = await tickchain.createEmulator()
  const to = `0x${'aa'.repeat(20)}`
  const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ to, value: '0x1' }] })
  const clients = { ...ethers, ...viem, ...tickchainEthers, ...tickchainViem, ...realtime, ...matchers }
  return { ...clients, ...tickchain, vi, expect, chain, hash, window: new EventTarget() }
}

afterEach(() => {
  vi.useRealTimers()
})

test.each(examples)('$path:$line', async ({ code }) => {
  const scope = await makeScope()
  // A block of its own, so that an example may declare what the scope has.
  await new AsyncFunction(...Object.keys(scope), `{ ${code} }`)(...Object.values(scope))
})

test('createEmulator, TickchainError and chainTest have one each', () => {
  expect(all.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['src/emulator/emulator.ts', 'src/primitives/errors.ts', 'src/vitest.ts']),
  )
})
