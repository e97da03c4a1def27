// Reports of gas and coverage of whole test runs, from outside: a project with the built package.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allInLong } from '../size.ts'
import { read } from '../tidy/repository.ts'
import { createProject, type Project } from './project.ts'
import { testRun } from './run.ts'

let project: Project

beforeAll(async () => {
  project = await createProject()
})

afterAll(() => project.remove())

/** The tables in what a run prints. */
function tablesIn(output: string): string {
  return output
    .split('\n')
    .filter((line) => line.split('|').length === 6 && /^[ -]/.test(line))
    .join('\n')
    .trimEnd()
}

const FEW = [
  ['forks', true],
  ['threads', false],
] as const
const WAYS = allInLong<readonly [pool: string, isolate: boolean]>(FEW, [
  ...FEW,
  ['forks', false],
  ['threads', true],
])

describe.each([...WAYS])('a run in %s, isolated: %s', (pool, isolate) => {
  testRun(() => project, `--pool=${pool}`, `--isolate=${isolate}`)
})

test('the reports for tools say the same', () => {
  const lcov = project.read('coverage/solidity/lcov.info')
  // Estimates that succeed are not counted beside their transactions.
  expect(lcov.split('\n').filter((line) => line.startsWith('FNDA'))).toEqual([
    'FNDA:4,Fees.of_',
    'FNDA:2,Bank.constructor',
    'FNDA:0,Bank.onlyOwner',
    'FNDA:5,Bank.deposit',
    'FNDA:0,Bank.close',
    'FNDA:1,Bank.total',
  ])
  expect(lcov).toMatch(/^LF:15\nLH:11$/m)
  expect(lcov).toMatch(/^BRDA:24,\d,0,1\nBRDA:24,\d,1,4$/m)
  const [file] = Object.values(JSON.parse(project.read('coverage/solidity/coverage-final.json'))) as [
    { path: string; statementMap: object; s: Record<string, number>; f: object },
  ]
  expect(file.path).toMatch(/\/contracts\/Bank\.sol$/)
  // Line 36 runs once for each of two accounts.
  const body = Object.entries(file.statementMap).find(([, { start }]) => start.line === 36) as [
    string,
    object,
  ]
  expect(body[1]).toEqual({ start: { line: 36, column: 6 }, end: { line: 36, column: 34 } })
  expect(file.s[body[0]]).toBe(2)
  expect(Object.values(file.f)).toEqual([4, 2, 0, 5, 0, 1])
})

test('a test that times out says what it waits for', () => {
  project.write(
    'waits.config.ts',
    `import { tickchain } from 'tickchain/vitest-config'
export default { plugins: [tickchain()], test: { include: ['waits/*.story.ts'], testTimeout: 300 } }`,
  )
  project.write(
    'waits/client.story.ts',
    `import { createEmulator } from 'tickchain'
import { emulatorActions, emulatorConfig } from 'tickchain/viem'
import { createPublicClient } from 'viem'
import { test } from 'vitest'
test('the clock stands still', async () => {
  const chain = await createEmulator()
  const [from] = await chain.listAccounts()
  const hash = await chain.request('eth_sendTransaction', [{ from, to: from }])
  await createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain)).waitForTransactionReceipt({ hash })
})`,
  )
  const { status, output } = project.vitest('--config', 'waits.config.ts')
  expect(status).toBe(1)
  expect(output).toMatch(
    /a client waits for transaction 0x\w+, which is in the pool.+ chain\.advance\(200\) goes to/,
  )
})

test('a test of chainTest that times out says it without the plugin', () => {
  project.write(
    'alone.config.ts',
    "export default { test: { include: ['alone/*.story.ts'], testTimeout: 300 } }",
  )
  project.write(
    'alone/client.story.ts',
    `import { emulatorActions, emulatorConfig } from 'tickchain/viem'
import { chainTest } from 'tickchain/vitest'
import { createPublicClient } from 'viem'
chainTest()('the clock stands still', async ({ chain }) => {
  const [from] = await chain.listAccounts()
  const hash = await chain.request('eth_sendTransaction', [{ from, to: from }])
  await createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain)).waitForTransactionReceipt({ hash })
})`,
  )
  const { status, output } = project.vitest('--config', 'alone.config.ts')
  expect(status).toBe(1)
  expect(output).toMatch(
    /a client waits for transaction 0x\w+, which is in the pool.+ chain\.advance\(200\) goes to/,
  )
})

test('the pages show what is printed', () => {
  const { output } = project.vitest()
  const [gas = '', coverage = ''] = tablesIn(output).split(/\n(?=-+\|-+\|-+\|-+\|-+\|-+\n File)/)
  expect(read('docs/gas.md')).toContain(gas)
  expect(read('docs/coverage.md')).toContain(coverage)
})

describe('a gas snapshot', () => {
  test('is written once, fails with both numbers, and is accepted by -u', () => {
    const path = 'tests/__snapshots__/deposits.story.ts.snap'
    const written = /`a deposit costs what it did > gas of a first deposit 1`\] = `(\d+)`/
    const gas = Number(written.exec(project.read(path))?.[1])
    project.write(path, project.read(path).replace(`${gas}`, `${gas - 100}`))
    const failed = project.vitest('tests/deposits')
    expect(failed.output).toContain(
      `expected the gas of a first deposit to be that of its snapshot, ${gas - 100}`,
    )
    const share = ((100 / (gas - 100)) * 100).toFixed(2)
    expect(failed.output).toContain(`It is ${gas}, 100 more (+${share} %).`)
    expect(failed.status).toBe(1)
    expect(project.vitest('tests/deposits', '-u').status).toBe(0)
    expect(Number(written.exec(project.read(path))?.[1])).toBe(gas)
  })
})

describe('artifacts that are missing or not readable are named', () => {
  const config = (contracts: string) => `
    import { tickchain } from 'tickchain/vitest-config'
    export default { plugins: [tickchain({ contracts: '${contracts}', coverage: true })], test: { include: ['tests/*'] } }
  `
  const few = [
    ['no source map', 'artifacts/Bank.json', '', 'Bank.json has no source map and syntax tree'],
  ] as const
  const all = [
    ...few,
    ['none', 'nowhere', '', 'nowhere has no JSON file'],
    ['text', 'bad/a.json', 'no JSON', 'bad/a.json is not readable'],
    ['another object', 'bad/b.json', '{"a":1}', 'bad/b.json: invalid contracts'],
  ] as const
  test.each(allInLong<readonly [string, string, string, string]>(few, all))(
    '%s',
    (_, path, text, message) => {
      if (text !== '') project.write(path, text)
      project.write('bad.config.ts', config(path))
      const { status, output } = project.vitest('--config', 'bad.config.ts')
      expect(status).toBe(1)
      expect(output).toContain(message)
    },
    60_000,
  )
})
