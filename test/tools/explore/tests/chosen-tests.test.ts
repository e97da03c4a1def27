// The tests that the patterns of foundry.toml choose, as forge 1.7.1 runs them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import solc from 'solc'
import { runTestArtifacts } from 'tickchain/explore'
import { runSolidityTests } from 'tickchain/solidity-tests'
import { expect, test } from 'vitest'
import { readSettings } from '../../../../src/tools/explore/tests/settings.ts'
import { compile } from '../../solidity/compile.ts'

const source = (one: string, two: string) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract ${one} { function test_one() public {} function test_two() public {} function testFuzz_x(uint256) public {} }
contract ${two} { function test_slow() public {} }`

const FILES = {
  'test/A.t.sol': source('A', 'Slow'),
  'test/AB.t.sol': source('A', 'Slow'),
  'test/integration/I.t.sol': source('I', 'J'),
}
const [A, AB, I, J] = [
  'test/A.t.sol:A',
  'test/AB.t.sol:A',
  'test/integration/I.t.sol:I',
  'test/integration/I.t.sol:J',
]
const [A_SLOW, AB_SLOW] = ['test/A.t.sol:Slow', 'test/AB.t.sol:Slow']
const ALL = [A, A_SLOW, AB, AB_SLOW, I, J]

let compiled: ReturnType<typeof compile> | undefined

async function chosenBy(line: string) {
  compiled ??= compile(FILES)
  const foundryToml = `[profile.default]\n${line}\n[profile.default.fuzz]\nruns = 1\n`
  const results = await runTestArtifacts(compiled, { foundryToml })
  return results.map((each) => [`${each.file}:${each.contract}`, each.test] as const)
}

test.each([
  ['no_match_path = "*/integration/*"', [A, A_SLOW, AB, AB_SLOW]],
  ['no_match_path = "test/integration"', ALL],
  ['no_match_path = "test/{A,AB}.t.sol"', [I, J]],
  ['match_path = "test/A.t.sol"', [A, A_SLOW]],
  ['match_path = "./test/A.t.sol"', [A, A_SLOW]],
  ['match_path = "A.t.sol"', [A, A_SLOW]],
  ['match_path = "**/I.t.sol"', [I, J]],
  ['match_path = "test/*.t.sol"', ALL],
  ['match_path = "test/A?.t.sol"', [AB, AB_SLOW]],
  ['match_path = "test/[!A]*"', [I, J]],
  ['match_contract = "^A"', [A, AB]],
  ['no_match_contract = "Slow|I"', [A, AB, J]],
])('%s', { tags: 'gate' }, async (line, contracts) => {
  expect([...new Set((await chosenBy(line)).map(([contract]) => contract))]).toEqual(contracts)
})

test('the names of tests', async () => {
  const signatures = ['testFuzz_x(uint256)', 'test_one()']
  expect(await chosenBy('match_test = "test_one|x\\\\(uint"')).toEqual(
    [A, AB, I].flatMap((contract) => signatures.map((name) => [contract, name])),
  )
  const names = (await chosenBy('no_match_test = "Fuzz"')).map(([, name]) => name)
  expect(new Set(names)).toEqual(new Set(['test_one()', 'test_two()', 'test_slow()']))
})

test('a pattern that is none is a problem of its key', () => {
  const { settings, problems } = readSettings('[profile.default]\nno_match_test = "("')
  expect(problems).toEqual([
    {
      key: 'profile.default.no_match_test',
      reason: 'foundry.toml: profile.default.no_match_test is no pattern: (',
    },
  ])
  expect(settings.no_match_test).toBe('')
})

// Otherwise the new test of a first try would be said not to be there.
test('a pattern that hits no test tells the files that do not compile', { tags: 'gate' }, async () => {
  const root = mkdtempSync(join(tmpdir(), 'tickchain-chosen-'))
  mkdirSync(join(root, 'test'))
  writeFileSync(join(root, 'test/A.t.sol'), source('A', 'Slow'))
  writeFileSync(join(root, 'test/B.t.sol'), source('B', 'New').replace('test_slow()', 'test_new(')) // no ')'
  const run = (match: string) => runSolidityTests(root, { solc, match, cache: false })
  const found = await run('test_one')
  const refused = await run('test_new').catch(({ message }) => message)
  rmSync(join(root, 'test/A.t.sol'))
  const alone = await run('test_new')
  rmSync(root, { recursive: true })
  expect(found.map(({ file, test: name }) => [file, name])).toEqual([['test/A.t.sol', 'test_one()']])
  expect(refused).toMatch(
    /hits one of the 4 tests.*, got "test_new"; test\/B\.t\.sol is not tested: ParserError: /,
  )
  expect(alone.map(({ file, status, reason }) => [file, status, reason])).toEqual([
    ['test/B.t.sol', 'failed', expect.stringContaining('ParserError')],
  ])
})
