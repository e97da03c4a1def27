// Solidity tests of calls whose ends are expected, recorded or replaced, alone and as transactions of their own, held against
// what forge 1.7.1 says of them, in like-forge-late.json and like-forge-late-isolated.json.

export const LATE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  enum AccountAccessKind { Call, DelegateCall, CallCode, StaticCall, Create, SelfDestruct, Resume, Balance, Extcodesize, Extcodehash, Extcodecopy } struct ChainInfo { uint256 forkId; uint256 chainId; } struct AccountAccess { ChainInfo chainInfo; AccountAccessKind kind; address account; address accessor; bool initialized; uint256 oldBalance; uint256 newBalance; bytes deployedCode; uint256 value; bytes data; bool reverted; StorageAccess[] storageAccesses; uint64 depth; uint64 oldNonce; uint64 newNonce; } struct StorageAccess { address account; bytes32 slot; bool isWrite; bytes32 previousValue; bytes32 newValue; bool reverted; } struct Gas { uint64 gasLimit; uint64 gasTotalUsed; uint64 gasMemoryUsed; int64 gasRefunded; uint64 gasRemaining; }
  function _expectCheatcodeRevert() external;
  function _expectCheatcodeRevert(bytes4) external;
  function _expectCheatcodeRevert(bytes calldata) external;
  function copyStorage(address, address) external;
  function expectRevert() external;
  function expectRevert(bytes4) external;
  function expectRevert(bytes4, address, uint64) external;
  function expectRevert(bytes calldata, address, uint64) external;
  function expectRevert(bytes calldata) external;
  function expectRevert(address) external;
  function expectRevert(bytes4, address) external;
  function expectRevert(bytes calldata, address) external;
  function expectRevert(uint64) external;
  function expectRevert(bytes4, uint64) external;
  function expectRevert(bytes calldata, uint64) external;
  function expectRevert(address, uint64) external;
  function getStateDiff() external view returns (string memory);
  function getStorageSlots(address, string calldata) external view returns (uint256[] memory);
  function lastCallGas() external view returns (Gas memory);
  function mockCallRevert(address, bytes calldata, bytes calldata) external;
  function mockCallRevert(address, uint256, bytes calldata, bytes calldata) external;
  function mockCallRevert(address, bytes4, bytes calldata) external;
  function mockCallRevert(address, uint256, bytes4, bytes calldata) external;
  function mockCall(address, bytes calldata, bytes calldata) external;
  function mockCall(address, uint256, bytes calldata, bytes calldata) external;
  function mockCall(address, bytes4, bytes calldata) external;
  function mockCall(address, uint256, bytes4, bytes calldata) external;
  function mockCall(address, bytes calldata, bytes calldata, bool) external;
  function mockFunction(address, address, bytes calldata) external;
  function parseUint(string calldata) external pure returns (uint256);
  function prank(address) external;
  function prank(address, address) external;
  function prank(address, bool) external;
  function prank(address, address, bool) external;
  function setArbitraryStorage(address) external;
  function setArbitraryStorage(address, bool) external;
  function startStateDiffRecording() external;
  function stopAndReturnStateDiff() external returns (AccountAccess[] memory);
}
contract Test { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log(string); event log_uint(uint256); event log_bytes(bytes); }
contract Box { uint256 public a; uint256 public b; string public name = "box"; function set(uint256 v) external returns (uint256) { a = v; return 1; } function clear() external { b = 0; } function fill() external { b = 3; } function one() external view returns (uint256) { return 1; } function through(Box box) external returns (uint256) { return box.set(3); } function fails() external { a = 7; revert('f'); } function both(Box box) external { a = 9; box.set(5); } }
contract Two { function set(uint256) external pure returns (uint256) { return 2; } function one() external pure returns (uint256) { return 2; } }
abstract contract Late is Test {
  Box s; Box t; Two r;
  function setUp() public { s = new Box(); t = new Box(); r = new Two(); s.fill(); }
  function since(uint256 before) internal { emit log_uint(before - gasleft()); }
  function lastCall() internal { emit log_bytes(abi.encode(vm.lastCallGas())); }
  function changes() internal { emit log(vm.getStateDiff()); emit log_bytes(abi.encode(vm.stopAndReturnStateDiff())); }
}
contract LastCallTest is Late {
  function test_expected() public { vm.expectRevert(); s.fails(); lastCall(); s.set(4); lastCall(); vm.expectRevert(); s.fails(); lastCall(); }
  function test_counted() public { vm.expectRevert(uint64(2)); s.fails(); lastCall(); s.fails(); lastCall(); }
}
contract FloorTest is Late {
  function test_leastGas() public { vm.startStateDiffRecording(); s.clear(); lastCall(); }
  function test_warmAgain() public { vm.startStateDiffRecording(); uint256 x = gasleft(); s.a(); since(x); x = gasleft(); s.a(); since(x); x = gasleft(); s.one(); since(x); }
}
contract CopiedTest is Late {
  function test_afterStaticCall() public { s.set(4); s.b(); vm.copyStorage(address(s), address(t)); emit log_uint(t.a()); emit log_uint(t.b()); }
  function test_slotsOfText() public { emit log_uint(vm.getStorageSlots(address(s), "name").length); uint256 x = gasleft(); s.name(); since(x); }
}
contract ReplacedTest is Late {
  function test_function() public { vm.mockFunction(address(s), address(r), abi.encodeWithSelector(Box.set.selector)); emit log_uint(s.set(5)); emit log_uint(t.through(s)); (, bytes memory d) = address(s).delegatecall(abi.encodeCall(Box.set, (5))); emit log_bytes(d); (, d) = address(s).staticcall(abi.encodeCall(Box.set, (5))); emit log_bytes(d); vm.prank(address(7)); emit log_uint(s.set(5)); }
  function test_gas() public { vm.mockFunction(address(s), address(r), abi.encodeWithSelector(Box.one.selector)); uint256 x = gasleft(); s.one(); since(x); x = gasleft(); s.one(); since(x); x = gasleft(); s.set(4); since(x); x = gasleft(); t.one(); since(x); }
  function test_recorded() public { vm.startStateDiffRecording(); t.set(4); vm.mockCallRevert(address(s), abi.encodeCall(Box.set, (5)), 'x'); try s.set(5) {} catch {} t.set(6); changes(); }
  function test_recordedBelow() public { vm.mockCall(address(s), abi.encodeCall(Box.set, (5)), abi.encode(1)); vm.startStateDiffRecording(); t.both(s); changes(); }
}
contract RefusedTest is Late {
  function test_selector() public { vm._expectCheatcodeRevert(bytes4(keccak256('CheatcodeError(string)'))); vm.parseUint('zz'); }
  function test_part() public { vm._expectCheatcodeRevert(bytes('expected at')); vm.parseUint('zz'); }
  function test_otherError() public { vm._expectCheatcodeRevert(abi.encodeWithSignature('Error(string)', 'expected')); vm.parseUint('zz'); }
}
contract ArbitraryTest is Late {
  function test_again() public { vm.setArbitraryStorage(address(s)); uint256 x = gasleft(); s.a(); since(x); x = gasleft(); s.a(); since(x); x = gasleft(); s.b(); since(x); }
  function test_written() public { vm.setArbitraryStorage(address(t), true); t.set(5); emit log_uint(t.a() == 5 ? 1 : 0); t.set(6); emit log_uint(t.a()); }
}
`
