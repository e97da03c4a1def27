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

const HEADERS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { function createSelectFork(string calldata, uint256) external; function createFork(string calldata) external; function getRawBlockHeader(uint256) external returns (bytes memory); }
contract HeadersTest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  function test_fork() public {
    vm.createSelectFork('main', 4);
    for (uint256 i = 0; i < 4; i++) require(keccak256(vm.getRawBlockHeader(i)) == blockhash(i), 'another hash');
    require(keccak256(vm.getRawBlockHeader(6)) == HASH, 'of a later block');
  }
  function test_large() public { vm.createSelectFork('main', 4); vm.getRawBlockHeader(99); }
  function test_huge() public { vm.createSelectFork('main', 4); vm.getRawBlockHeader(1 << 64); }
  function test_own() public { vm.getRawBlockHeader(1); }
  function test_unselected() public { vm.createFork('main'); vm.getRawBlockHeader(0); }
}
`

test("a fork has the node's headers as they are hashed, in the words of forge 1.7.1", async () => {
  const upstream = await forkedChain(31_337, 0)
  const hash = (await upstream.request('eth_getBlockByNumber', ['0x6', false]))?.hash
  const artifacts = compile({ 'test/H.t.sol': HEADERS.replace('HASH', `${hash}`) }, SETTINGS)
  const results = await runTestArtifacts(artifacts, { forks: { main: { upstream } } })
  expect(results.map(({ test: name, status, reason }) => [name, reason ?? status])).toEqual([
    ['test_fork()', 'passed'],
    ['test_huge()', 'vm.getRawBlockHeader: block number must be less than 2^64'],
    ['test_large()', 'vm.getRawBlockHeader: block 99 not found'],
    ['test_own()', 'vm.getRawBlockHeader: no active fork'],
    ['test_unselected()', 'vm.getRawBlockHeader: no active fork'],
  ])
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

const ASKED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  struct Log { address emitter; bytes32[] topics; bytes data; bytes32 blockHash; uint64 blockNumber; bytes32 hash; uint64 index; uint256 logIndex; bool removed; }
  function createSelectFork(string calldata, uint256) external; function createSelectFork(string calldata, bytes32) external;
  function rpc(string calldata, string calldata) external returns (bytes memory); function rpc(string calldata, string calldata, string calldata) external returns (bytes memory);
  function rpcJson(string calldata, string calldata) external returns (string memory);
  function transact(bytes32) external; function transact(uint256, bytes32) external;
  function eth_getLogs(uint256, uint256, address, bytes32[] calldata) external returns (Log[] memory);
}
interface Main { function x() external view returns (uint256); }
contract AskedTest {
  bytes32 constant SECOND = $SECOND;
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  function equal(bytes memory a, bytes memory b) private pure { require(keccak256(a) == keccak256(b), 'differs'); }
  function test_answers() public {
    vm.createSelectFork('main', 2);
    equal(vm.rpc('eth_blockNumber', '[]'), hex'06');
    equal(vm.rpc('eth_getBalance', '["0x0000000000000000000000000000000000000001", "latest"]'), hex'00');
    equal(vm.rpc('net_version', '[]'), abi.encode('31337'));
    equal(vm.rpc('eth_syncing', '[]'), abi.encode(false));
    equal(vm.rpc('eth_getTransactionByHash', '["0x0000000000000000000000000000000000000000000000000000000000000001"]'), new bytes(32));
    equal(bytes(vm.rpcJson('eth_blockNumber', '[]')), '"0x6"');
    require(vm.eth_getLogs(0, 2, address(this), new bytes32[](0)).length == 0, 'logs');
  }
  function test_byAlias() public { equal(vm.rpc('main', 'eth_chainId', '[]'), hex'7a69'); }
  function test_transact() public {
    vm.createSelectFork('main', 2);
    uint256 before = block.number;
    vm.transact(SECOND);
    require(Main(0x5FbDB2315678afecb367f032d93F642f64180aa3).x() == 20 && block.number == before, 'x');
    require(0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266.balance < 10000 ether, 'not paid');
  }
  function test_transactElsewhere() public { vm.createSelectFork('main', 2); vm.transact(7, SECOND); }
  function test_transactUnknown() public { vm.createSelectFork('main', 2); vm.transact(bytes32(uint256(1))); }
  function test_future() public { vm.createSelectFork('main', 100); }
  function test_noFork() public { vm.rpc('eth_blockNumber', '[]'); }
  function test_unknownMethod() public { vm.createSelectFork('main', 2); vm.rpc('eth_nothing', '[]'); }
  function test_unknownTransaction() public { vm.createSelectFork('main', bytes32(uint256(1))); }
}`

test('a fork answers requests of tests, with the words of forge', { tags: 'gate' }, async () => {
  const upstream = await forkedChain(31_337, 0)
  const { transactions } = (await upstream.request('eth_getBlockByNumber', ['0x3', false])) as {
    readonly transactions: readonly string[]
  }
  const source = ASKED.replace('$SECOND', `${transactions[0]}`)
  const artifacts = compile({ 'test/Asked.t.sol': source }, SETTINGS)
  const results = await runTestArtifacts(artifacts, { forks: { main: { upstream } } })
  const word = `0x${'1'.padStart(64, '0')}`
  // forge 1.7.1 with anvil; the words of the last but one are the node's.
  expect(results.map(({ test: name, status, reason }) => [name, reason ?? status])).toEqual([
    ['test_answers()', 'passed'],
    ['test_byAlias()', 'passed'],
    ['test_future()', 'vm.createSelectFork: failed to get block number: 100; latest block number: 6'],
    ['test_noFork()', 'vm.rpc: no active fork URL found'],
    ['test_transact()', 'passed'],
    ['test_transactElsewhere()', 'vm.transact: Requested fork `7` does not exist'],
    [
      'test_transactUnknown()',
      `vm.transact: failed to get transaction ${word}: could not get transaction ${word}`,
    ],
    [
      'test_unknownMethod()',
      expect.stringMatching(
        /^vm\.rpc: "eth_nothing": server returned an error response: error code -32601: .*eth_nothing/,
      ),
    ],
    [
      'test_unknownTransaction()',
      `vm.createSelectFork: failed to get transaction ${word}: could not get transaction ${word}`,
    ],
  ])
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

test.each([
  [{ base: 5 }, 'forks.base: expected an object, got 5'],
  [{ base: { recordng: 'base.txt' } }, 'forks.base.recordng: unknown field, did you mean recording?'],
  [
    { base: { block: 5 } },
    'forks.base.block: expected one of upstream, concurrency, recording, mode, roots, connect, got an unknown field',
  ],
])('refuses forks that it cannot open: %o', async (forks, message) => {
  const artifacts = compile({ 'test/A.t.sol': 'contract ATest { function test_a() public {} }' })
  const options = { forks } as never
  await expect(runTestArtifacts(artifacts, options)).rejects.toThrow(`invalid option ${message}`)
})
