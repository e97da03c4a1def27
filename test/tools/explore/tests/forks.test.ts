// Tests on forks do, cost and say what they do in forge.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import solc from 'solc'
import { createEmulator } from 'tickchain'
import { runTestArtifacts } from 'tickchain/explore'
import { runSolidityTests } from 'tickchain/solidity-tests'
import { expect, test } from 'vitest'
import { serveChain } from '../../../interop/serve-chain.ts'
import { compile } from '../../solidity/compile.ts'
import { FORKS, MAIN } from './like-forge-forks.ts'

const SETTINGS = { evmVersion: 'prague', optimizer: { enabled: true } }

/** A chain of six blocks: a contract is created, and `set` five times, to values that end in a digit. */
async function forkedChain(chainId: number, digit: number) {
  const chain = await createEmulator({ chainId, production: 'manual' })
  const { output } = compile({ 'Main.sol': MAIN }, SETTINGS)
  const data = `0x${output.contracts['Main.sol']?.['Main'].evm.bytecode.object}`
  const [from] = await chain.listAccounts()
  const hash = await chain.request('eth_sendTransaction', [{ from, data, gas: '0x200000' }])
  await chain.seal()
  const to = (await chain.request('eth_getTransactionReceipt', [hash]))?.contractAddress
  for (let value = 10 + digit; value < 60; value += 10) {
    const input = `0x60fe47b1${value.toString(16).padStart(64, '0')}`
    await chain.request('eth_sendTransaction', [{ from, to, data: input, gas: '0x30000' }])
    await chain.seal()
  }
  return chain
}

test('forks do, cost and say what they do in forge', { tags: 'gate' }, async () => {
  const forks = {
    main: { upstream: await forkedChain(31_337, 0) },
    two: { upstream: await forkedChain(4242, 1) },
  }
  const artifacts = compile({ 'test/Like.t.sol': FORKS }, SETTINGS)
  const results = await runTestArtifacts(artifacts, {
    forks,
    foundryToml: `[profile.default]\nevm_version = 'prague'\n`,
  })
  const told = results.map(({ contract, test: name, gas, reason, logs }) => [
    `${contract}.${name}`,
    { gas, ...(reason !== undefined && { reason }), ...(logs.length > 0 && { logs }) },
  ])
  const recording = new URL('like-forge-forks.json', import.meta.url)
  expect(Object.fromEntries(told)).toEqual(JSON.parse(readFileSync(recording, 'utf8')))
})

const BLOCKS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { function createSelectFork(string calldata) external; function createSelectFork(string calldata, uint256) external; function rollFork(uint256) external; function rpcUrl(string calldata) external returns (string memory); }
interface Main { function x() external view returns (uint256); }
contract BlocksTest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  Main constant main = Main(0x5FbDB2315678afecb367f032d93F642f64180aa3);
  function test_blocks() public {
    vm.createSelectFork('main', 3);
    require(main.x() == 20, 'at 3');
    vm.rollFork(5);
    require(main.x() == 40, 'at 5');
  }
  function test_byUrl() public { vm.createSelectFork(vm.rpcUrl('main'), 3); require(main.x() == 20, 'at 3'); }
  function test_last() public { vm.createSelectFork('main'); require(main.x() == 50, 'at the last'); }
}
`

test('forks are recorded from a node by its URL, each block in a file, and replayed without it', async () => {
  const server = await serveChain(await forkedChain(31_337, 0))
  const root = mkdtempSync(join(tmpdir(), 'tickchain-forks-'))
  mkdirSync(join(root, 'test'))
  writeFileSync(join(root, 'foundry.toml'), `[rpc_endpoints]\nmain = '\${MAIN_URL}'\n`)
  writeFileSync(join(root, 'test/Blocks.t.sol'), BLOCKS)
  const run = async (upstream?: string) => {
    const main = { upstream, recording: join(root, 'forks/main.txt') }
    const results = await runSolidityTests(root, {
      solc,
      forks: { main },
      env: { MAIN_URL: 'http://main.example' },
      workers: 2,
    })
    return results.map(({ test: name, status, reason }) => [name, status, reason])
  }
  const passed = [
    ['test_blocks()', 'passed', undefined],
    ['test_byUrl()', 'passed', undefined],
    ['test_last()', 'passed', undefined],
  ]
  expect(await run(`http://${server.host}`)).toEqual(passed)
  expect(readdirSync(join(root, 'forks')).sort()).toEqual(['main-3.txt', 'main-5.txt', 'main.txt'])
  await server.close()
  expect(await run()).toEqual(passed)
  rmSync(join(root, 'forks/main-5.txt'))
  expect(await run()).toEqual([
    ['test_blocks()', 'failed', expect.stringMatching(/main-5\.txt; .* makes it/)],
    ...passed.slice(1),
  ])
  rmSync(root, { recursive: true })
})

test('the chain of the tests is a fork', async () => {
  const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Main { function x() external view returns (uint256); function set(uint256) external; }
library Sums { function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } }
contract OnForkTest {
  Main constant main = Main(0x5FbDB2315678afecb367f032d93F642f64180aa3);
  function setUp() public { require(main.x() == 20, 'before'); main.set(21); }
  function test_set() public { require(main.x() == 21, 'set'); require(block.chainid == 31337, 'chain id'); }
  function test_sum() public { main.set(Sums.sum(main.x(), 1)); require(main.x() == 22, 'sum'); }
  function testFuzz_any(uint256 x) public { main.set(x); require(main.x() == x, 'any'); }
}`
  const chain = { fork: { upstream: await forkedChain(31_337, 0), block: 3 } }
  const artifacts = compile({ 'test/OnFork.t.sol': source }, SETTINGS)
  const results = await runTestArtifacts(artifacts, { chain, fuzzRuns: 8 })
  expect(results.map(({ test: name, status, reason }) => [name, status, reason])).toEqual([
    ['testFuzz_any(uint256)', 'passed', undefined],
    ['test_set()', 'passed', undefined],
    ['test_sum()', 'passed', undefined],
  ])
})
