// Cheatcodes of worlds beside the test's own: forks, blocks that are taken back, messages of a layer 1, and files. What forge has
// of them follows its book: a fork's block is the current one, and the test and what is persistent are in every fork.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import solc from 'solc'
import { base, createEmulator } from 'tickchain'
import { runTestArtifacts } from 'tickchain/explore'
import { runSolidityTests } from 'tickchain/solidity-tests'
import { expect, test } from 'vitest'
import { compile } from '../../solidity/compile.ts'

const SOMEBODY = `0x${'ab'.repeat(20)}` as const

const WORLDS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  function createFork(string calldata, uint256) external returns (uint256); function createFork(string calldata) external returns (uint256);
  function createSelectFork(string calldata) external returns (uint256); function selectFork(uint256) external;
  function activeFork() external returns (uint256); function rollFork(uint256) external; function makePersistent(address) external;
  function isPersistent(address) external returns (bool); function revokePersistent(address) external;
  function sealPartialBlock() external; function dropPartialBlock() external; function sealBlock() external; function reorg(uint256) external;
  function aliasOf(address) external returns (address);
  function depositFromL1(address, address, uint256, bytes calldata) external returns (bool, bytes memory);
}
contract Box {
  uint256 public x;
  address public from;
  function put(uint256 value) external payable returns (uint256) { x = value; from = msg.sender; return value + 1; }
  function fail() external payable { revert('no'); }
}
contract WorldsTest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  address constant SOMEBODY = address(bytes20(hex'abababababababababababababababababababab'));
  Box box;
  uint256 seen;
  Box full;
  function setUp() public { box = new Box(); full = new Box(); full.put(5); }
  function is_(uint256 a, uint256 b, string memory what) internal pure { require(a == b, what); }

  function test_forks() public {
    uint256 old = vm.createFork('main', 1);
    uint256 last = vm.createSelectFork('main');
    is_(vm.activeFork(), last, 'active');
    is_(block.number, 2, 'number of the last');
    is_(block.chainid, 5, 'chain id');
    is_(SOMEBODY.balance, 7, 'balance at 2');
    Box other = new Box();
    other.put(3);
    vm.makePersistent(address(other));
    require(vm.isPersistent(address(other)) && vm.isPersistent(address(this)), 'persistent');
    seen = 9;
    vm.selectFork(old);
    is_(seen, 9, 'the test remembers');
    is_(block.number, 1, 'number of the old');
    is_(SOMEBODY.balance, 5, 'balance at 1');
    is_(other.x(), 3, 'a persistent account');
    is_(address(box).code.length, 0, 'an account of the test chain');
    other.put(4);
    vm.revokePersistent(address(other));
    vm.selectFork(last);
    is_(other.x(), 3, 'an account of its own again');
    vm.rollFork(1);
    is_(SOMEBODY.balance, 5, 'rolled');
    is_(vm.activeFork(), last, 'still active');
  }
  function test_noFork() public { vm.createFork('elsewhere'); }
  function test_noFork2() public { vm.selectFork(3); }

  function test_partialBlocks() public {
    box.put(1);
    vm.sealPartialBlock();
    box.put(2);
    seen = 2;
    vm.dropPartialBlock();
    is_(box.x(), 1, 'what was dropped');
    is_(seen, 2, 'the test remembers');
    box.put(5);
    vm.dropPartialBlock();
    is_(box.x(), 1, 'dropped once more');
  }
  function test_nothingToDrop() public { vm.dropPartialBlock(); }

  function test_reorganisation() public {
    uint256 number = block.number;
    uint256 time = block.timestamp;
    box.put(1);
    vm.sealBlock();
    is_(block.number, number + 1, 'the next block');
    is_(block.timestamp, time + 2, 'two seconds later');
    box.put(2);
    vm.sealBlock();
    box.put(3);
    vm.reorg(1);
    is_(box.x(), 1, 'without the block of 2');
    is_(block.number, number + 1, 'its number again');
    box.put(4);
    vm.sealBlock();
    is_(box.x(), 4, 'another block in its place');
    vm.reorg(2);
    is_(box.x(), 0, 'without both');
    is_(block.number, number, 'as in the beginning');
  }
  function test_tooDeep() public { vm.sealBlock(); vm.reorg(2); }

  function test_deposit() public {
    // EIP-1014 style aliasing of the OP stack: 0x1111…1111 is added to the address of a contract.
    address from = vm.aliasOf(address(1));
    require(from == 0x1111000000000000000000000000000000001112, 'alias');
    (bool isDone, bytes memory data) = vm.depositFromL1(from, address(box), 6, abi.encodeCall(Box.put, (8)));
    require(isDone && abi.decode(data, (uint256)) == 9, 'result');
    is_(box.x(), 8, 'call');
    require(box.from() == from, 'sender');
    is_(address(box).balance, 6, 'minted');
    (isDone, ) = vm.depositFromL1(from, address(box), 6, abi.encodeCall(Box.fail, ()));
    require(!isDone, 'a deposit that fails');
    is_(address(box).balance, 6, 'its value stays with the sender');
    is_(from.balance, 6, 'the mint stays');
    // Takes back the refund that the call before has earned.
    full.put(0);
    (isDone, ) = vm.depositFromL1(from, address(full), 0, abi.encodeCall(Box.put, (4)));
    require(isDone, 'a deposit that writes what was cleared');
  }
}`

test('forks, blocks that are taken back, and deposits', { tags: 'gate' }, async () => {
  const upstream = await createEmulator({ chainId: 5, production: 'manual' })
  const [from] = await upstream.listAccounts()
  for (const value of ['0x5', '0x2']) {
    await upstream.request('eth_sendTransaction', [{ from, to: SOMEBODY, value }])
    await upstream.seal()
  }
  const artifacts = compile({ 'test/Worlds.t.sol': WORLDS })
  const results = await runTestArtifacts(artifacts, { forks: { main: { upstream } } })
  expect(Object.fromEntries(results.map(({ test: name, reason }) => [name, reason]))).toEqual({
    'test_deposit()': undefined,
    'test_forks()': undefined,
    'test_noFork()': expect.stringContaining('elsewhere'),
    'test_noFork2()': 'vm.selectFork: No matching fork found for 3',
    'test_nothingToDrop()': expect.stringContaining('there is no partial block'),
    'test_partialBlocks()': undefined,
    'test_reorganisation()': undefined,
    'test_tooDeep()':
      'vm.reorg: depth 2 is not between 1 and the number of blocks that sealBlock has sealed, 1',
  })
})

const LAYER2 = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
interface Vm {
  function sealPartialBlock() external; function dropPartialBlock() external; function sealBlock() external; function reorg(uint256) external;
  function depositFromL1(address, address, uint256, bytes calldata) external returns (bool, bytes memory);
  function getNonce(address) external view returns (uint64); function warp(uint256) external; function roll(uint256) external;
  function snapshotState() external returns (uint256); function revertToState(uint256) external returns (bool);
  function createSelectFork(string calldata) external returns (uint256); function setBlockhash(uint256, bytes32) external;
}
contract Box {
  uint256 public x;
  bytes32 transient public lock;
  address public origin;
  uint256 public price = 9;
  function put(uint256 value) external { x = value; }
  function once() external { require(lock == 0, 'locked'); lock = bytes32(uint256(1)); (origin, price) = (tx.origin, tx.gasprice); }
}
contract Layer2Test {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  address constant alice = address(0xa11ce);
  Box box;
  function setUp() public { box = new Box(); }
  function is_(uint256 a, uint256 b, string memory what) internal pure { require(a == b, what); }

  // The OP stack's specification of deposits: ORIGIN is the sender, GASPRICE is zero, and the nonce goes up, also where it fails.
  function test_depositIsTransaction() public {
    (bool isDone, ) = vm.depositFromL1(alice, address(box), 0, abi.encodeCall(Box.once, ()));
    require(isDone && box.origin() == alice, 'origin');
    is_(box.price(), 0, 'price');
    is_(vm.getNonce(alice), 1, 'nonce');
    require(box.lock() == 0, 'transient storage ends with the deposit');
    (isDone, ) = vm.depositFromL1(alice, address(box), 0, hex'12345678');
    require(!isDone, 'fails');
    is_(vm.getNonce(alice), 2, 'nonce of a failure');
    require(tx.origin != alice, 'the origin of the test again');
  }
  function test_mintOverflow() public {
    vm.depositFromL1(alice, alice, type(uint256).max, '');
    vm.depositFromL1(alice, address(1), 1, '');
  }
  function sealAndFail() external { box.put(2); vm.sealBlock(); box.put(3); vm.sealPartialBlock(); revert('no'); }
  function test_failingFrame() public {
    uint256 number = block.number;
    box.put(1);
    vm.sealPartialBlock();
    try this.sealAndFail() {} catch {}
    is_(block.number, number, 'number');
    box.put(4);
    vm.dropPartialBlock();
    is_(box.x(), 1, 'the partial block of before');
  }
  function test_failingFrameSealsNone() public { try this.sealAndFail() {} catch {} vm.reorg(1); }
  function test_blockHash() public {
    uint256 number = block.number;
    vm.sealBlock();
    bytes32 first = blockhash(number);
    require(first != 0, 'a hash');
    vm.reorg(1);
    require(blockhash(number) == 0, 'it is open again');
    vm.sealBlock();
    require(blockhash(number) != first && blockhash(number) != 0, 'another hash');
    vm.setBlockhash(number, bytes32(uint256(7)));
    is_(uint256(blockhash(number)), 7, 'given hash');
  }
  function test_transactionEnds() public {
    box.once();
    vm.sealPartialBlock();
    box.once();
    vm.sealBlock();
    box.once();
  }
  function test_snapshot() public {
    uint256 id = vm.snapshotState();
    vm.sealBlock();
    vm.revertToState(id);
    vm.reorg(1);
  }
  function test_largeTime() public {
    uint256 time = block.timestamp;
    vm.sealPartialBlock();
    uint256 id = vm.snapshotState();
    vm.warp(type(uint256).max);
    vm.revertToState(id);
    is_(block.timestamp, time, 'a snapshot');
    vm.warp(type(uint256).max);
    vm.dropPartialBlock();
    is_(block.timestamp, time, 'a partial block');
    vm.roll(type(uint256).max);
    vm.sealBlock();
  }
  function test_otherFork() public {
    vm.sealBlock();
    vm.createSelectFork('main');
    vm.reorg(1);
  }
  function test_onFork() public {
    vm.createSelectFork('main');
    uint256 number = block.number;
    Box other = new Box();
    vm.sealBlock();
    is_(block.number, number + 1, 'next');
    vm.reorg(1);
    is_(block.number, number, 'again');
    is_(address(other).code.length, 0, 'gone');
    is_(alice.balance, 0, 'of the fork');
    is_(block.chainid, 5, 'chain id');
  }
}`

test.each([
  ['a chain like that of forge', undefined],
  ['base', base()],
  ['isthmus', { rollup: { stack: 'op', fork: 'isthmus' } }],
] as const)('blocks and deposits of a layer 2 in tests: %s', { tags: 'gate' }, async (_, chain) => {
  const upstream = await createEmulator({ chainId: 5, production: 'manual' })
  await upstream.seal()
  const artifacts = compile({ 'test/Layer2.t.sol': LAYER2 })
  const results = await runTestArtifacts(artifacts, {
    forks: { main: { upstream } },
    ...(chain === undefined ? {} : { chain }),
  })
  const none = 'is not between 1 and the number of blocks that sealBlock has sealed, 0'
  const max = (2n ** 256n - 1n).toString()
  expect(Object.fromEntries(results.map(({ test: name, reason }) => [name, reason]))).toEqual({
    'test_blockHash()': undefined,
    'test_depositIsTransaction()': undefined,
    'test_failingFrame()': undefined,
    'test_failingFrameSealsNone()': `vm.reorg: depth 1 ${none}`,
    'test_largeTime()': expect.stringContaining(`vm.sealBlock: block ${max} at `),
    'test_mintOverflow()': `vm.depositFromL1: a mint of 1 takes the balance of 0x00000000000000000000000000000000000a11ce, ${max}, past 2^256 - 1`,
    'test_onFork()': undefined,
    'test_otherFork()': `vm.reorg: depth 1 ${none}`,
    'test_snapshot()': `vm.reorg: depth 1 ${none}`,
    'test_transactionEnds()': undefined,
  })
})

const HANDLED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { function depositFromL1(address, address, uint256, bytes calldata) external returns (bool, bytes memory); }
contract Box { uint256 public x; function put(uint256 value) external { x = value; } }
contract Handler {
  Box public box = new Box();
  function send(uint256 value) external {
    Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).depositFromL1(address(1), address(box), 0, abi.encodeCall(Box.put, (value % 8)));
  }
}
contract HandledTest {
  Handler handler = new Handler();
  function targetContracts() external view returns (address[] memory all) { all = new address[](1); all[0] = address(handler); }
  function invariant_small() external view { require(handler.box().x() < 7, 'large'); }
}`

test('the trace of a call that breaks an invariant has what its cheatcodes did', {
  tags: 'gate',
}, async () => {
  const [result] = await runTestArtifacts(compile({ 'test/Handled.t.sol': HANDLED }), { seed: 1 })
  expect(result?.reason).toBe('large')
  expect(result?.trace).toContain('Box::put(7)')
  expect(result?.trace).not.toContain('repeated')
})

test('the example of the documentation', { tags: 'gate' }, async () => {
  const page = readFileSync(new URL('../../../../docs/cheatcodes.md', import.meta.url), 'utf8')
  const [, source = ''] = /```solidity\n([^`]+)```/.exec(page) ?? []
  const results = await runTestArtifacts(compile({ 'test/Inbox.t.sol': source }), { chain: base() })
  expect(results.map(({ test: name, reason }) => [name, reason])).toEqual([
    ['test_preconfirmedAndLost()', undefined],
    ['test_reorganised()', undefined],
  ])
})

const BLOCKS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { function sealBlock() external; function reorg(uint256) external; }
interface BaseTime { function timestampMs() external view returns (uint64); }
contract BlocksTest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  BaseTime constant time = BaseTime(0x4200000000000000000000000000000000000030);
  function test_slots() public {
    uint256 first = time.timestampMs();
    for (uint256 at = 1; at <= 12; at++) {
      vm.sealBlock();
      require(time.timestampMs() == first + 200 * at, 'milliseconds');
      require(block.timestamp == (first + 200 * at) / 1000, 'seconds');
    }
    vm.reorg(7);
    require(time.timestampMs() == first + 200 * 5, 'milliseconds of the past');
    require(block.timestamp == (first + 200 * 5) / 1000, 'seconds of the past');
  }
  function test_time() public {
    uint256 first = block.timestamp;
    vm.sealBlock();
    require(block.timestamp == first + 7, 'seven seconds later');
  }
  // InvalidDecimals(uint8) of Base's factory: no ABI of the project has it.
  function test_error() public {
    bytes memory params = abi.encode(bytes32(uint256(32)), 1, 160, 192, address(this), 5, 0, 0);
    (bool done, bytes memory data) = 0xB20f000000000000000000000000000000000000.call(
      abi.encodeWithSelector(0x62975e6a, 0, bytes32(0), params, new bytes[](0)));
    require(!done);
    assembly { revert(add(data, 32), mload(data)) }
  }
}`

// Denim: blocks are 200 ms apart, and BaseTime has their milliseconds. Elsewhere the chain says how far apart they are.
// The errors of Base's native contracts are known.
test.each([
  ['test_slots()', base(), undefined],
  ['test_time()', { blockTimeMs: 7000 }, undefined],
  ['test_error()', base(), 'InvalidDecimals(5)'],
])('%s: time and errors are those of the chain', { tags: 'gate' }, async (match, chain, reason) => {
  const [result] = await runTestArtifacts(compile({ 'test/Blocks.t.sol': BLOCKS }), { match, chain })
  expect([result?.test, result?.reason]).toEqual([match, reason])
})

// The names of the OP stack's specification (predeploys), and of Base's.
test('traces name the predeploys of the chain, and what is behind their proxies', async () => {
  const source = `pragma solidity ^0.8.20;
interface Asked { function number() external view returns (uint64); function timestampMs() external view returns (uint64); function isAuthorized(uint64, address) external view returns (bool); }
contract NamesTest { function test_names() external view {
  Asked(0x4200000000000000000000000000000000000015).number();
  Asked(0x4200000000000000000000000000000000000030).timestampMs();
  Asked(0x8453000000000000000000000000000000000002).isAuthorized(1, address(1));
  revert();
} }`
  const [result] = await runTestArtifacts(compile({ 'test/Names.t.sol': source }), { chain: base() })
  expect(result?.trace?.match(/\w+(?=::)/g)).toEqual([
    'NamesTest',
    'L1Block',
    'L1Block',
    'BaseTime',
    'BaseTime',
    'PolicyRegistry',
  ])
})

const FILES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  function writeFile(string calldata, string calldata) external; function readFile(string calldata) external returns (string memory);
  function writeLine(string calldata, string calldata) external; function readLine(string calldata) external returns (string memory);
  function removeFile(string calldata) external; function exists(string calldata) external returns (bool);
  function createDir(string calldata, bool) external; function copyFile(string calldata, string calldata) external returns (uint64);
  function writeJson(string calldata, string calldata) external; function writeJson(string calldata, string calldata, string calldata) external;
}
contract FilesTest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  function same(string memory a, string memory b) internal pure { require(keccak256(bytes(a)) == keccak256(bytes(b)), a); }
  function test_write() public {
    vm.createDir('data/deep', true);
    vm.writeFile('data/deep/a.txt', 'one');
    same(vm.readFile('data/deep/a.txt'), 'one');
    vm.writeLine('data/lines.txt', 'first');
    vm.writeLine('data/lines.txt', 'second');
    same(vm.readLine('data/lines.txt'), 'first');
    same(vm.readLine('data/lines.txt'), 'second');
    require(vm.copyFile('data/lines.txt', 'data/copy.txt') == 13, 'length');
    vm.removeFile('data/deep/a.txt');
    require(!vm.exists('data/deep/a.txt'), 'removed');
    vm.writeJson('{"b":[1,2]}', 'data/out.json');
  }
  // What the file is then is recorded from forge 1.7.1.
  function test_keys() public {
    vm.writeJson('5', 'data/keys.json', 'a.b');
    same(vm.readFile('data/keys.json'), '{\\n  "a": {\\n    "b": 5\\n  }\\n}');
    vm.writeJson('null', 'data/keys.json', '$.a[0]');
    same(vm.readFile('data/keys.json'), '{\\n  "a": {\\n    "b": 5\\n  },\\n  "a[0]": null\\n}');
    vm.writeJson('null', 'data/keys.json');
    same(vm.readFile('data/keys.json'), 'null');
  }
  function test_outside() public { vm.writeFile('data/../other.txt', 'no'); }
  function test_readOnly() public { vm.writeFile('fixed/a.txt', 'no'); }
}`

test('files are written where fs_permissions grants it', { tags: 'gate' }, async () => {
  const root = mkdtempSync(join(tmpdir(), 'tickchain-worlds-'))
  const granted = '{ access = "read-write", path = "./data" }, { access = "read", path = "./fixed" }'
  writeFileSync(join(root, 'foundry.toml'), `[profile.default]\nfs_permissions = [${granted}]\n`)
  for (const folder of ['test', 'data', 'fixed']) mkdirSync(join(root, folder))
  writeFileSync(join(root, 'test/Files.t.sol'), FILES)
  const results = await runSolidityTests(root, { solc, cache: false })
  const read = (name: string): string => readFileSync(join(root, 'data', name), 'utf8')
  const written = [read('copy.txt'), JSON.parse(read('out.json'))]
  rmSync(root, { recursive: true })
  expect(results.map(({ test: name, reason }) => [name, reason])).toEqual([
    ['test_keys()', undefined],
    ['test_outside()', expect.stringContaining('is not allowed to be accessed for write operations')],
    ['test_readOnly()', expect.stringContaining('is not allowed to be accessed for write operations')],
    ['test_write()', undefined],
  ])
  expect(written).toEqual(['first\nsecond\n', { b: [1, 2] }])
})
