// Calls of a test that forge 1.7.1 treats in its own way: those of isolated tests, which are transactions, and those that the
// console and the cheatcodes refuse. forge says what is expected here, with the same compiler and settings.
import { runTestArtifacts } from 'tickchain/explore'
import { expect, test } from 'vitest'
import { compile } from '../../solidity/compile.ts'

const CALLS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { function broadcast(address) external; function fee(uint256) external; function txGasPrice(uint256) external;
  function rpcUrls() external returns (string[2][] memory); function resolveEnv(string calldata) external returns (string memory); }
contract Box {
  uint256 public x = 3;
  function setX(uint256 value) external { x = value; }
  function takeAll() external pure { assembly { invalid() } }
}
abstract contract Calls {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  address constant CONSOLE = 0x000000000000000000636F6e736F6c652e6c6f67;
  Box box;
  function setUp() public { box = new Box(); }
  function send(address to, bytes memory data) internal {
    (bool ok, bytes memory out) = to.call(data);
    if (!ok) assembly { revert(add(out, 32), mload(out)) }
  }
}
/// forge-config: default.isolate = true
contract IsolatedTest is Calls {
  function test_refund() public { box.setX(0); }
  function test_noRefund() public { box.setX(4); box.setX(5); }
  function test_stipend() public { payable(address(0x1234)).transfer(5); payable(address(0x1234)).transfer(5); }
  function test_halt() public { try box.takeAll{gas: 3000}() {} catch {} }
  function test_staticTwice() public view { require(box.x() == 3 && box.x() == 3); }
}
contract RefusedTest is Calls {
  function test_consoleShort() public { send(CONSOLE, hex'1234'); }
  function test_consoleUnknown() public { send(CONSOLE, hex'12345678'); }
  function test_consoleUint() public { send(CONSOLE, abi.encodeWithSignature('log(uint)', 1)); }
  function test_consoleMalformed() public { send(CONSOLE, abi.encodeWithSignature('log(string)', 999)); }
  function test_consoleLoose() public { send(CONSOLE, abi.encodeWithSignature('log(bool)', 2)); }
  function test_vmShort() public { send(address(vm), hex'1234'); }
  function test_vmMalformed() public { send(address(vm), abi.encodeWithSignature('warp(uint256)')); }
  function test_vmValue() public { uint256 before = address(this).balance;
    (bool ok, ) = address(vm).call{value: 3}(abi.encodeWithSignature('warp(uint256)', 77));
    require(ok && address(this).balance == before && block.timestamp == 77); }
  function test_static() public { vm.broadcast(address(1)); box.x(); }
  function test_fee() public { vm.fee(1 << 64); }
  function test_gasPrice() public { vm.txGasPrice(1 << 64); }
  function test_urls() public { vm.rpcUrls(); }
  function test_resolve() public { vm.resolveEnv('\${NONE}'); }
}
contract RemovedTest is Calls {
  function test_other() public {}
  function testFail_it() public {}
}
contract SkippingTest is Calls {
  function invariant_skipped() public { (bool ok, ) = address(vm).call(abi.encodeWithSignature('skip(bool,string)', true, 'why'));
    if (!ok) assembly { returndatacopy(0, 0, returndatasize()) revert(0, returndatasize()) } }
  function invariant_input(uint256) public {}
}
contract BegunTest is Calls {
  function beforeTestSetup(bytes4 selector) public pure returns (bytes[] memory calls) {
    if (selector == this.test_begun.selector) { calls = new bytes[](1); calls[0] = hex'12345678'; } }
  function test_begun() public {}
  function test_other() public {}
}
contract WordsTest is Calls {
  function test_tuple() public {
    (bool ok, bytes memory data) = address(vm).call(abi.encodeWithSignature('parseJsonType(string,string)', '1', 'A(B b)B(uint256 e)'));
    if (!ok) assembly { revert(add(data, 32), mload(data)) }
  }
}
contract StructTest is Calls {
  struct Pair { uint256 a; uint256 b; }
  function fixturePair() public pure returns (Pair[] memory pairs) { pairs = new Pair[](2); pairs[1] = Pair(3, 4); }
  function tablePair(Pair memory pair) public pure { require(pair.a == pair.b, 'differ'); }
}
`

/** The gas and the reason that `forge test` prints, by solc 0.8.37 with the optimizer, for prague. */
const CALLED = {
  'test_halt()': [8163, undefined],
  'test_noRefund()': [58449, undefined],
  'test_refund()': [21997, undefined],
  'test_staticTwice()': [14674, undefined],
  'test_stipend()': [41491, undefined],
  'test_consoleLoose()': [3212, undefined],
  'test_consoleMalformed()': [3288, 'ABI decoding failed: buffer overrun while deserializing'],
  'test_consoleShort()': [3226, 'type check failed for "ConsoleCalls" with data: 1234'],
  'test_consoleUint()': [3289, 'unknown selector `0xf5b1bba9` for ConsoleCalls'],
  'test_consoleUnknown()': [3216, 'unknown selector `0x12345678` for ConsoleCalls'],
  'test_fee()': [3043, 'vm.fee: base fee must be less than 2^64'],
  'test_gasPrice()': [3054, 'vm.txGasPrice: gas price must be less than 2^64'],
  'test_resolve()': [2964, 'vm.resolveEnv: failed to resolve env var: environment variable `NONE` not found'],
  'test_static()': [7911, '`staticcall`s are not allowed after `broadcast`; use `startBroadcast` instead'],
  'test_urls()': [2918, 'vm.rpcUrls: environment variable `NONE` not found'],
  'test_vmMalformed()': [3206, 'ABI decoding failed: buffer overrun while deserializing'],
  'test_vmShort()': [3171, 'type check failed for "VmCalls" with data: 1234'],
  'test_vmValue()': [9953, undefined],
}

const SETTINGS = `[profile.default]
evm_version = 'prague'
[rpc_endpoints]
some = 'https://x.invalid/\${NONE}'`

async function run(match: RegExp) {
  const optimizer = { enabled: true }
  const artifacts = compile({ 'test/Calls.t.sol': CALLS }, { evmVersion: 'prague', optimizer })
  return runTestArtifacts(artifacts, { foundryToml: SETTINGS, match: { contract: match }, seed: 1 })
}

test('isolated and refused calls cost and say what they do in forge', { tags: 'gate' }, async () => {
  const results = await run(/Isolated|Refused/)
  const told = results.map(({ test: name, gas, reason }) => [name, [gas, reason]])
  expect(Object.fromEntries(told)).toEqual(CALLED)
})

test('a contract with a removed kind of test runs no others', { tags: 'gate' }, async () => {
  const results = await run(/Removed/)
  const reason =
    '`testFail*` has been removed. Consider changing to test_Revert[If|When]_Condition and expecting a revert'
  expect(results).toMatchObject([{ test: 'testFail_it()', status: 'failed', reason, gas: 0 }])
})

test('a tuple of one value is told with its comma', { tags: 'gate' }, async () => {
  const [failed] = await run(/Words/)
  // forge 1.7.1
  expect(failed?.reason).toBe(
    'vm.parseJsonType: failed parsing "1" as type `((uint256,),)`: parser error:\n1\n^\nexpected `(`',
  )
})

test('a counterexample with a struct is written as JSON', { tags: 'gate' }, async () => {
  const [failed] = await run(/Struct/)
  expect(failed).toMatchObject({ status: 'failed', reason: 'differ' })
  const [call] = JSON.parse(JSON.stringify(failed?.counterexample))
  // By hand: the second fixture, whose fields differ.
  expect(call.args).toEqual([{ a: '3', b: '4' }])
})

test('an invariant that skips itself is skipped, and a test whose beginning fails has failed', {
  tags: 'gate',
}, async () => {
  const results = await run(/Skipping|Begun/)
  // As forge tells them, which gives no reason for the third.
  const told = Object.fromEntries(results.map(({ test: name, status, reason }) => [name, [status, reason]]))
  expect(told).toEqual({
    'invariant_skipped()': ['skipped', 'why'],
    'invariant_input(uint256)': [
      'failed',
      'failed to set up invariant testing environment: Invariant test function should have no inputs',
    ],
    'test_begun()': ['failed', 'a call that beforeTestSetup asks for fails: 0x12345678'],
    'test_other()': ['passed', undefined],
  })
})
