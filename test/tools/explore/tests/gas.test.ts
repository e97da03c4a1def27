// Gas of Solidity tests, to the unit: forge 1.7.1 with the same compiler and settings says what is expected here. Cheatcodes
// leave accounts warm, values that they write are not counted in the refund, and a test pays at least for its calldata.
import { runTestArtifacts } from 'tickchain/explore'
import { expect, test } from 'vitest'
import { compile } from '../../solidity/compile.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { function load(address, bytes32) external returns (bytes32); function store(address, bytes32, bytes32) external;
  function deal(address, uint256) external; function etch(address, bytes calldata) external; function getNonce(address) external returns (uint64);
  function setNonce(address, uint64) external; function prank(address) external; function label(address, string calldata) external;
  function mockCall(address, bytes calldata, bytes calldata) external; function expectRevert() external;
  function pauseGasMetering() external; function resumeGasMetering() external; function resetGasMetering() external;
  function cloneAccount(address, address) external; function snapshotState() external returns (uint256);
  function revertToState(uint256) external returns (bool); function startStateDiffRecording() external;
  function warmSlot(address, bytes32) external; function expectRevert(bytes calldata) external; function skip(bool) external; }
contract Box {
  uint256 public x = 3;
  uint256 public y;
  function setX(uint256 value) external { x = value; }
  function setY(uint256 value) external { y = value; }
  function clear() external { y = 7; y = 0; revert('kept'); }
  function takeAll() external pure { assembly { invalid() } }
}
contract GasTest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  address constant A = 0xABcDEf0000000000000000000000000000001234;
  Box box;
  function setUp() public { box = new Box(); }
  function look() internal view { require(A.balance != 12345); }
  function test_nothing() public {}
  function test_look() public view { look(); }
  function test_load() public { vm.load(A, 0); look(); }
  function test_store() public { vm.store(A, 0, 0); look(); }
  function test_deal() public { vm.deal(A, 5); look(); }
  function test_etch() public { vm.etch(A, hex'00'); look(); }
  function test_nonces() public { vm.setNonce(A, 7); require(vm.getNonce(A) == 7); look(); }
  function test_prank() public { vm.prank(A); box.setX(5); look(); }
  function test_label() public { vm.label(A, 'a'); look(); }
  function test_mock() public { vm.mockCall(A, hex'01020304', ''); look(); }
  function test_clone() public { vm.cloneAccount(A, address(9)); look(); }
  function test_loadThenCall() public { vm.load(address(box), 0); box.setX(4); }
  function test_storedAndCleared() public { vm.store(address(box), bytes32(uint256(1)), bytes32(uint256(9))); box.setY(0); }
  function test_clearedByStore() public { vm.store(address(box), 0, 0); box.setX(6); }
  function test_refundOfARevert() public { box.setY(1); vm.expectRevert(); box.clear(); }
  function test_pause() public { vm.pauseGasMetering(); box.setX(4); vm.resumeGasMetering(); look(); }
  function test_revertToState() public { uint256 id = vm.snapshotState(); box.setX(4); vm.revertToState(id); box.setX(5); }
  function test_stateDiff() public { vm.startStateDiffRecording(); box.setX(4); look(); }
  function test_warmSlotOfAColdAccount() public { vm.warmSlot(address(box), 0); box.setX(4); }
  function test_expectedInvalid() public { vm.expectRevert(); box.takeAll(); box.setX(4); }
  function test_otherThanExpected() public { vm.expectRevert('lost'); box.clear(); }
  function test_skipped() public { vm.${'skip'}(true); }
  function test_reset() public { box.setX(4); vm.resetGasMetering(); }
}
`

/** What `forge test` prints for each, by solc 0.8.37 with the optimizer, for prague. */
const GAS = {
  'test_clearedByStore()': 587,
  'test_clone()': 3333,
  'test_deal()': 3332,
  'test_etch()': 3279,
  'test_expectedInvalid()': 13_931,
  'test_label()': 5817,
  'test_load()': 3302,
  'test_loadThenCall()': 8838,
  'test_look()': 2870,
  'test_mock()': 3420,
  'test_nonces()': 3741,
  'test_nothing()': 141,
  'test_otherThanExpected()': 10_603,
  'test_pause()': 5913,
  'test_prank()': 13_487,
  'test_refundOfARevert()': 20_770,
  'test_reset()': 96,
  'test_revertToState()': 23_881,
  'test_skipped()': undefined,
  'test_stateDiff()': 8834,
  'test_store()': 3308,
  'test_storedAndCleared()': 704,
  'test_warmSlotOfAColdAccount()': 13_422,
}

test('the gas of a test is that of forge', { tags: 'gate' }, async () => {
  const artifacts = compile(
    { 'test/Gas.t.sol': SOURCE },
    { evmVersion: 'prague', optimizer: { enabled: true } },
  )
  const results = await runTestArtifacts(artifacts, {
    foundryToml: "[profile.default]\nevm_version = 'prague'",
  })
  expect(Object.fromEntries(results.map(({ test: name, gas }) => [name, gas]))).toEqual(GAS)
})
