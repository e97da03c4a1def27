// Options of the plugin that need no run of tests.

import { resolve } from 'node:path'
import { tickchain } from 'tickchain/vitest-config'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllEnvs())

/** The folder of compiled code that workers of a project in /project get. */
async function folderWith(compileCache: boolean | string): Promise<string | undefined> {
  const { configureVitest } = tickchain({ compileCache })
  const given = { project: {}, vitest: { config: { root: '/project' } } }
  await (configureVitest as unknown as (context: typeof given) => Promise<void>)(given)
  return process.env['NODE_COMPILE_CACHE']
}

test.each([
  [false, undefined],
  [true, resolve('/project/node_modules/.cache/tickchain')],
  ['../compiled', resolve('/compiled')],
])('with compileCache: %j, Node keeps compiled code in %s', async (option, folder) => {
  vi.stubEnv('NODE_COMPILE_CACHE', undefined)
  expect(await folderWith(option)).toBe(folder)
})

test('a folder that Node was told stays', async () => {
  vi.stubEnv('NODE_COMPILE_CACHE', '/told')
  expect(await folderWith(true)).toBe('/told')
})

// Each would be a run without the report that was asked for.
test.each([
  [
    { gas: true },
    'invalid option contracts: expected the artifacts whose gas is reported, or solidityTests, got nothing',
  ],
  [
    { coverage: true },
    'invalid option contracts: expected the artifacts whose coverage is reported, or solidityTests, got nothing',
  ],
  [{ contracts: 'out', gas: 'yes' }, 'invalid option gas: expected a boolean, got "yes"'],
  [{ contracts: 'out', coverage: 1 }, 'invalid option coverage: expected a boolean or an object, got 1'],
  [{ compileCache: 5 }, 'invalid option compileCache: expected a boolean or a path, got 5'],
  ['out', 'invalid option options: expected an object, got "out"'],
  [{ solidityTests: 5 }, 'invalid option solidityTests: expected an object, got 5'],
  [{ solidityTests: { seeds: 5 } }, 'invalid option solidityTests.seeds: unknown field, did you mean seed?'],
  [{ solidityTests: { seed: 'x' } }, 'invalid option solidityTests.seed: expected an integer, got "x"'],
  [{ solidityTests: { root: 5 } }, 'invalid option solidityTests.root: expected a string, got 5'],
  [
    { solidityTests: { solc: true } },
    'invalid option solidityTests.solc: expected the name of a module, several, or false, got true',
  ],
  [
    { solidityTests: { solc: ['solc', 5] } },
    'invalid option solidityTests.solc: expected the name of a module, several, or false, got an array',
  ],
  [
    { solidityTests: { fuzzRuns: 0 } },
    'invalid option solidityTests.fuzzRuns: expected a whole number from 1',
  ],
  [
    { solidityTests: { env: { A: 5 } } },
    'invalid option solidityTests.env: expected texts by the names of variables, got an object',
  ],
  [
    { solidityTests: { chain: { chainID: 5 } } },
    'invalid option solidityTests.chain.chainID: unknown field, did you mean chainId?',
  ],
  [
    { solidityTests: { forks: { base: { recordings: 'a' } } } },
    'invalid option solidityTests.forks.base.recordings: unknown field, did you mean recording?',
  ],
  [
    { solidityTests: { forks: { base: { upstream: { request() {} } } } } },
    'invalid option solidityTests.forks.base.upstream.request: expected a value that JSON can hold, got a function',
  ],
])('options %j are refused', (options, message) => {
  expect(() => tickchain(options as never)).toThrow(message)
})

test('a folder of Solidity tests that is missing is refused when the run begins', async () => {
  const { configureVitest } = tickchain({ solidityTests: { root: 'nowhere' } })
  const config = { root: '/project', include: [], exclude: [] }
  const given = { project: { config }, vitest: { config } }
  await expect(
    (configureVitest as unknown as (context: typeof given) => Promise<void>)(given),
  ).rejects.toThrow(`invalid option solidityTests.root: there is no folder ${resolve('/project/nowhere')}`)
})
