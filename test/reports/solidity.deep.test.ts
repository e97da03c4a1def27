// Solidity tests in a run of vitest, from outside: a project with the built package, whose *.t.sol are test files.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, type Project } from './project.ts'

let project: Project

beforeAll(async () => {
  project = await createProject()
  for (const name of ['solc', 'fast-check', 'pure-rand']) {
    const from = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url))
    symlinkSync(from, join(project.folder, 'node_modules', name), 'junction')
  }
  project.write(
    'solidity.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    export default { plugins: [tickchain({ solidityTests: { root: 'sol', fuzzRuns: 16 } })], test: { include: ['sol/*.ts'] } }`,
  )
  project.write(
    'sol/test/Sum.t.sol',
    `pragma solidity ^0.8.20;
    contract SumTest {
      uint256 sum;
      function setUp() public { sum = 1; }
      function test_add() public { sum += 1; require(sum == 2, 'sum'); }
      function test_apart() public view { require(sum == 1, 'apart'); }
      function testFuzz_small(uint256 x) public pure { require(x < 100, 'not small'); }
    }`,
  )
  project.write(
    'sol/plain.test.ts',
    `import { expect, test } from 'vitest'; test('plain', () => expect(1).toBe(1))`,
  )
})

afterAll(() => project.remove())

test('each test of a *.t.sol is a test, with its reason and its counterexample', () => {
  const { status, output } = project.vitest('--config=solidity.config.mjs', '--reporter=verbose')
  expect(status).toBe(1)
  expect(output).toContain('✓ sol/test/Sum.t.sol > SumTest > test_add()')
  expect(output).toContain('✓ sol/test/Sum.t.sol > SumTest > test_apart()')
  expect(output).toContain('× sol/test/Sum.t.sol > SumTest > testFuzz_small(uint256)')
  expect(output).toMatch(/Error: not small\n *SumTest\.testFuzz_small\(uint256\) \["100"\]/)
  expect(output).toContain('✓ sol/plain.test.ts > plain')
  const named = project.vitest('--config=solidity.config.mjs', '-t', 'test_add')
  expect(named.status).toBe(0)
  expect(named.output).toMatch(/Tests +1 passed \| 3 skipped/)
})
