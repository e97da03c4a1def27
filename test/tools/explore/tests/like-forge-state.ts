// Solidity tests of mocks, pranks, storage and snapshots, held against what forge 1.7.1 says
// of them, in like-forge-state.json.

export const STATE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  enum CallerMode { None, Broadcast, RecurrentBroadcast, Prank, RecurrentPrank } struct Log { bytes32[] topics; bytes data; address emitter; } struct Wallet { address addr; uint256 publicKeyX; uint256 publicKeyY; uint256 privateKey; }
  function accesses(address) external view returns (bytes32[] memory, bytes32[] memory);
  function assertEq(bool, bool) external pure;
  function assertEq(bool, bool, string calldata) external pure;
  function assertEq(string calldata, string calldata) external pure;
  function assertEq(string calldata, string calldata, string calldata) external pure;
  function assertEq(bytes calldata, bytes calldata) external pure;
  function assertEq(bytes calldata, bytes calldata, string calldata) external pure;
  function assertEq(bool[] calldata, bool[] calldata) external pure;
  function assertEq(bool[] calldata, bool[] calldata, string calldata) external pure;
  function assertEq(uint256[] calldata, uint256[] calldata) external pure;
  function assertEq(uint256[] calldata, uint256[] calldata, string calldata) external pure;
  function assertEq(int256[] calldata, int256[] calldata) external pure;
  function assertEq(int256[] calldata, int256[] calldata, string calldata) external pure;
  function assertEq(uint256, uint256) external pure;
  function assertEq(address[] calldata, address[] calldata) external pure;
  function assertEq(address[] calldata, address[] calldata, string calldata) external pure;
  function assertEq(bytes32[] calldata, bytes32[] calldata) external pure;
  function assertEq(bytes32[] calldata, bytes32[] calldata, string calldata) external pure;
  function assertEq(string[] calldata, string[] calldata) external pure;
  function assertEq(string[] calldata, string[] calldata, string calldata) external pure;
  function assertEq(bytes[] calldata, bytes[] calldata) external pure;
  function assertEq(bytes[] calldata, bytes[] calldata, string calldata) external pure;
  function assertEq(uint256, uint256, string calldata) external pure;
  function assertEq(int256, int256) external pure;
  function assertEq(int256, int256, string calldata) external pure;
  function assertEq(address, address) external pure;
  function assertEq(address, address, string calldata) external pure;
  function assertEq(bytes32, bytes32) external pure;
  function assertEq(bytes32, bytes32, string calldata) external pure;
  function broadcast() external;
  function broadcast(address) external;
  function broadcast(uint256) external;
  function chainId(uint256) external;
  function clearMockedCalls() external;
  function coinbase(address) external;
  function copyStorage(address, address) external;
  function deal(address, uint256) external;
  function deleteSnapshot(uint256) external returns (bool);
  function deleteSnapshots() external;
  function deleteStateSnapshot(uint256) external returns (bool);
  function deleteStateSnapshots() external;
  function etch(address, bytes calldata) external;
  function fee(uint256) external;
  function getLabel(address) external view returns (string memory);
  function getNonce(address) external view returns (uint64);
  function getNonce(Wallet calldata) external view returns (uint64);
  function getRecordedLogs() external view returns (Log[] memory);
  function label(address, string calldata) external;
  function load(address, bytes32) external view returns (bytes32);
  function mockCallRevert(address, bytes calldata, bytes calldata) external;
  function mockCallRevert(address, uint256, bytes calldata, bytes calldata) external;
  function mockCallRevert(address, bytes4, bytes calldata) external;
  function mockCallRevert(address, uint256, bytes4, bytes calldata) external;
  function mockCall(address, bytes calldata, bytes calldata) external;
  function mockCall(address, uint256, bytes calldata, bytes calldata) external;
  function mockCall(address, bytes4, bytes calldata) external;
  function mockCall(address, uint256, bytes4, bytes calldata) external;
  function mockCall(address, bytes calldata, bytes calldata, bool) external;
  function mockCalls(address, bytes calldata, bytes[] calldata) external;
  function mockCalls(address, uint256, bytes calldata, bytes[] calldata) external;
  function prank(address) external;
  function prank(address, address) external;
  function prank(address, bool) external;
  function prank(address, address, bool) external;
  function prevrandao(bytes32) external;
  function prevrandao(uint256) external;
  function readCallers() external view returns (CallerMode callerMode, address, address);
  function record() external;
  function recordLogs() external;
  function resetNonce(address) external;
  function revertTo(uint256) external returns (bool);
  function revertToAndDelete(uint256) external returns (bool);
  function revertToState(uint256) external returns (bool);
  function revertToStateAndDelete(uint256) external returns (bool);
  function roll(uint256) external;
  function setArbitraryStorage(address) external;
  function setArbitraryStorage(address, bool) external;
  function setNonce(address, uint64) external;
  function setNonceUnsafe(address, uint64) external;
  function snapshot() external returns (uint256);
  function snapshotState() external returns (uint256);
  function startBroadcast() external;
  function startBroadcast(address) external;
  function startBroadcast(uint256) external;
  function startPrank(address) external;
  function startPrank(address, address) external;
  function startPrank(address, bool) external;
  function startPrank(address, address, bool) external;
  function stopBroadcast() external;
  function stopPrank() external;
  function stopRecord() external;
  function store(address, bytes32, bytes32) external;
  function warp(uint256) external;
}
contract Test { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log(string); event log_uint(uint256); event log_bytes(bytes); event log_bytes32(bytes32); event log_address(address); }
contract Tgt { uint256 public x = 1; uint256 y; mapping(uint256 => uint256) public m; address public last; event L(uint256);
  function get() external view returns (uint256) { return x; } function two(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } function set(uint256 v) external { x = v; last = msg.sender; } function put(uint256 k, uint256 v) external { m[k] = v; }
  function pay(uint256 v) external payable returns (uint256) { return v; } function who() external view returns (address, address) { return (msg.sender, tx.origin); } function whoState() external returns (address, address) { y++; return (msg.sender, tx.origin); } function inner(Tgt t) external returns (address, address) { return t.whoState(); } function deleWho(address t) external returns (bytes memory r) { (, r) = t.delegatecall(abi.encodeWithSignature("who()")); } function balance() external view returns (uint256) { return address(this).balance; } receive() external payable { emit L(msg.value); } function rev() external pure { revert("r"); } function log(uint256 n) external { for (uint256 i; i < n; i++) emit L(i); } }
contract Other { uint256 public x = 50; function get() external pure returns (uint256) { return 99; } function two(uint256 a, uint256 b) external pure returns (uint256) { return a * b; } }
contract MockTest is Test { Tgt t = new Tgt(); Other o = new Other();
  function test_mock() public { vm.mockCall(address(t), abi.encodeCall(Tgt.get, ()), abi.encode(5)); emit log_uint(t.get()); vm.clearMockedCalls(); emit log_uint(t.get()); }
  function test_precedence() public { vm.mockCall(address(t), abi.encodeWithSelector(Tgt.two.selector), abi.encode(1)); vm.mockCall(address(t), abi.encodeWithSelector(Tgt.two.selector, 4), abi.encode(2)); vm.mockCall(address(t), abi.encodeCall(Tgt.two, (4, 5)), abi.encode(3)); emit log_uint(t.two(0, 0)); emit log_uint(t.two(4, 0)); emit log_uint(t.two(4, 5)); }
  function test_value() public { vm.mockCall(address(t), 7, abi.encodeCall(Tgt.pay, (1)), abi.encode(10)); vm.mockCall(address(t), abi.encodeCall(Tgt.pay, (1)), abi.encode(11)); emit log_uint(t.pay{value: 7}(1)); emit log_uint(t.pay{value: 8}(1)); emit log_uint(t.pay(1)); emit log_uint(address(t).balance); }
  function test_valueOnly() public { vm.mockCall(address(t), 7, abi.encodeCall(Tgt.pay, (1)), abi.encode(10)); emit log_uint(t.pay{value: 8}(1)); emit log_uint(t.pay{value: 7}(1)); }
  function test_revert() public { vm.mockCallRevert(address(t), abi.encodeCall(Tgt.get, ()), "oops"); try t.get() {} catch (bytes memory r) { emit log_bytes(r); } }
  function test_revertOver() public { vm.mockCall(address(t), abi.encodeCall(Tgt.get, ()), abi.encode(5)); vm.mockCallRevert(address(t), abi.encodeCall(Tgt.get, ()), "oops"); try t.get() returns (uint256 v) { emit log_uint(v); } catch (bytes memory r) { emit log_bytes(r); } vm.mockCall(address(t), abi.encodeCall(Tgt.get, ()), abi.encode(6)); emit log_uint(t.get()); }
  function test_revertValue() public { vm.mockCallRevert(address(t), 3, abi.encodeCall(Tgt.pay, (1)), "oops"); emit log_uint(t.pay{value: 2}(1)); try t.pay{value: 3}(1) returns (uint256 v) { emit log_uint(v); } catch (bytes memory r) { emit log_bytes(r); } emit log_uint(address(t).balance); }
  function test_calls() public { bytes[] memory r = new bytes[](3); r[0] = abi.encode(1); r[1] = abi.encode(2); r[2] = abi.encode(3); vm.mockCalls(address(t), abi.encodeCall(Tgt.get, ()), r); for (uint256 i; i < 5; i++) emit log_uint(t.get()); }
  function test_callsValue() public { bytes[] memory r = new bytes[](2); r[0] = abi.encode(1); r[1] = abi.encode(2); vm.mockCalls(address(t), 5, abi.encodeCall(Tgt.pay, (1)), r); for (uint256 i; i < 3; i++) emit log_uint(t.pay{value: 5}(1)); emit log_uint(t.pay(1)); }
  function test_callsEmpty() public { vm.mockCalls(address(t), abi.encodeCall(Tgt.get, ()), new bytes[](0)); emit log_uint(t.get()); }
  function test_noCode() public { vm.mockCall(address(0x1234), abi.encodeCall(Tgt.get, ()), abi.encode(5)); emit log_uint(Tgt(payable(address(0x1234))).get()); emit log_uint(address(0x1234).code.length); }
  function test_noCodeOther() public { vm.mockCall(address(0x1234), abi.encodeCall(Tgt.get, ()), abi.encode(5)); try Tgt(payable(address(0x1234))).two(1, 2) returns (uint256 v) { emit log_uint(v); } catch (bytes memory r) { emit log_bytes(r); } }
  function test_bytes4() public { vm.mockCall(address(t), Tgt.get.selector, abi.encode(8)); emit log_uint(t.get()); vm.mockCallRevert(address(t), Tgt.get.selector, "r"); try t.get() {} catch (bytes memory r) { emit log_bytes(r); } }
  function test_empty() public { vm.mockCall(address(t), bytes(""), abi.encode(8)); emit log_uint(t.get()); (bool k, bytes memory r) = address(t).call{value: 1}(""); emit log_bytes(r); k; }
  function test_dele() public { vm.mockCall(address(t), abi.encodeWithSignature("who()"), abi.encode(address(1), address(2))); emit log_bytes(t.deleWho(address(t))); emit log_bytes(new Tgt().deleWho(address(t))); }
  function test_precompile() public { vm.mockCall(address(2), bytes("abc"), abi.encode(7)); (, bytes memory r) = address(2).staticcall("abc"); emit log_bytes(r); (, r) = address(2).staticcall("abd"); emit log_bytes(r); }
  function test_pranked() public { vm.mockCall(address(t), abi.encodeCall(Tgt.get, ()), abi.encode(5)); vm.prank(address(9)); emit log_uint(t.get()); (address a,) = t.who(); emit log_address(a); }
  function test_gas() public { vm.mockCall(address(t), abi.encodeCall(Tgt.get, ()), abi.encode(5)); uint256 g = gasleft(); t.get(); emit log_uint(g - gasleft()); }
  function test_tooPoor() public { vm.mockCall(address(t), abi.encodeCall(Tgt.pay, (1)), abi.encode(5)); vm.deal(address(this), 1); try this.payIt() {} catch (bytes memory r) { emit log_bytes(r); } } function payIt() external { t.pay{value: 2}(1); }
}
contract PrankTest is Test { Tgt t = new Tgt(); Tgt u = new Tgt(); address a = address(0xa11ce); address b = address(0xb0b);
  function show() internal { (address x, address y) = t.who(); emit log_address(x); emit log_address(y); }
  function words(bytes memory e) internal { assembly { e := add(e, 68) } emit log(string(e)); }
  function test_prank() public { vm.prank(a); show(); show(); }
  function test_origin() public { vm.prank(a, b); show(); show(); }
  function test_start() public { vm.startPrank(a); show(); show(); vm.stopPrank(); show(); }
  function test_startOrigin() public { vm.startPrank(a, b); show(); t.inner(u); (address x, address y) = t.inner(u); emit log_address(x); emit log_address(y); vm.stopPrank(); show(); }
  function test_prankPrank() public { vm.prank(a); try vm.prank(b) {} catch (bytes memory e) { words(e); } show(); }
  function test_startStart() public { vm.startPrank(a); vm.startPrank(b); show(); vm.stopPrank(); show(); }
  function test_startStartUsed() public { vm.startPrank(a); show(); vm.startPrank(b); show(); vm.stopPrank(); show(); }
  function test_startPrank() public { vm.startPrank(a); show(); try vm.prank(b) {} catch (bytes memory e) { words(e); } show(); }
  function test_startPrankUnused() public { vm.startPrank(a); try vm.prank(b) {} catch (bytes memory e) { words(e); } show(); }
  function test_prankStart() public { vm.prank(a); try vm.startPrank(b) {} catch (bytes memory e) { words(e); } show(); }
  function test_stopNone() public { vm.stopPrank(); try vm.stopPrank() {} catch (bytes memory e) { words(e); } }
  function test_broadcastPrank() public { vm.startBroadcast(a); try vm.prank(b) {} catch (bytes memory e) { words(e); } try vm.startPrank(b) {} catch (bytes memory e) { words(e); } vm.stopBroadcast(); }
  function test_prankBroadcast() public { vm.startPrank(a); try vm.broadcast(b) {} catch (bytes memory e) { words(e); } try vm.startBroadcast(b) {} catch (bytes memory e) { words(e); } }
  function test_deleOff() public { vm.prank(a); emit log_bytes(t.deleWho(address(u))); }
  function test_deleOwn() public { vm.prank(a); (, bytes memory r) = address(t).delegatecall(abi.encodeWithSignature("who()")); emit log_bytes(r); show(); }
  function test_deleOwn2() public { vm.startPrank(a); (, bytes memory r) = address(t).delegatecall(abi.encodeWithSignature("who()")); emit log_bytes(r); show(); }
  function test_deleTrue() public { vm.prank(address(u), true); (, bytes memory r) = address(t).delegatecall(abi.encodeWithSignature("who()")); emit log_bytes(r); show(); }
  function test_deleTrueEoa() public { try vm.prank(a, true) { (, bytes memory r) = address(t).delegatecall(abi.encodeWithSignature("who()")); emit log_bytes(r); } catch (bytes memory e) { words(e); } }
  function test_deleStart() public { vm.startPrank(address(u), true); (, bytes memory r) = address(t).delegatecall(abi.encodeWithSignature("set(uint256)", 77)); emit log_bytes(r); emit log_uint(u.x()); emit log_uint(t.x()); vm.stopPrank(); }
  function test_deleStartOrigin() public { vm.startPrank(address(u), b, true); (, bytes memory r) = address(t).delegatecall(abi.encodeWithSignature("who()")); emit log_bytes(r); vm.stopPrank(); }
  function test_create() public { vm.prank(a); Tgt n = new Tgt(); emit log_address(address(n)); emit log_uint(vm.getNonce(a)); emit log_uint(vm.getNonce(address(this))); show(); }
  function test_create2() public { vm.startPrank(a); Tgt n = new Tgt{salt: bytes32(uint256(1))}(); emit log_address(address(n)); vm.stopPrank(); }
  function test_value() public { vm.deal(a, 10); vm.prank(a); (bool k,) = address(t).call{value: 4}(""); emit log_uint(a.balance); emit log_uint(k ? 1 : 0); }
  function test_valuePoor() public { vm.prank(a); (bool k,) = address(t).call{value: 4}(""); emit log_uint(k ? 1 : 0); emit log_uint(address(t).balance); show(); }
  function test_inner() public { vm.prank(a); (address x, address y) = t.inner(u); emit log_address(x); emit log_address(y); }
  function test_callers() public { (Vm.CallerMode m, address x, address y) = vm.readCallers(); emit log_uint(uint256(m)); emit log_address(x); emit log_address(y); vm.prank(a); (m, x, y) = vm.readCallers(); emit log_uint(uint256(m)); emit log_address(x); emit log_address(y); t.set(1); (m, x, y) = vm.readCallers(); emit log_uint(uint256(m)); emit log_address(x); vm.startPrank(a, b); (m, x, y) = vm.readCallers(); emit log_uint(uint256(m)); emit log_address(x); emit log_address(y); vm.stopPrank(); vm.broadcast(b); (m, x, y) = vm.readCallers(); emit log_uint(uint256(m)); emit log_address(x); emit log_address(y); t.set(1); vm.startBroadcast(b); (m, x, y) = vm.readCallers(); emit log_uint(uint256(m)); emit log_address(x); emit log_address(y); vm.stopBroadcast(); }
  function inn() external { (Vm.CallerMode m, address x, address y) = vm.readCallers(); emit log_uint(uint256(m)); emit log_address(x); emit log_address(y); (x, y) = t.who(); emit log_address(x); emit log_address(msg.sender); }
  function test_callersInner() public { vm.startPrank(a, b); this.inn(); vm.stopPrank(); }
  function test_prankInner() public { this.pr(); show(); } function pr() external { vm.startPrank(a); } 
  function test_prankVm() public { vm.prank(a); vm.warp(5); show(); }
  function test_prankSelf() public { vm.prank(a); this.inn(); show(); }
  function test_prankEnd() public { vm.prank(a); }
  function test_prankVmAddress() public { try vm.prank(address(vm)) { show(); } catch (bytes memory e) { words(e); } }
  function test_revertKeeps() public { vm.prank(a); try t.rev() {} catch {} show(); }
  function test_startRevert() public { try this.st() {} catch {} show(); } function st() external { vm.startPrank(a); revert(); }
  function test_same() public { vm.startPrank(a); show(); vm.startPrank(a); show(); vm.stopPrank(); try vm.stopPrank() {} catch (bytes memory e) { words(e); } show(); }
}
contract StoreTest is Test { Tgt t = new Tgt(); Tgt u = new Tgt();
  function acc(address x) internal { (bytes32[] memory r, bytes32[] memory w) = vm.accesses(x); emit log_uint(r.length); for (uint256 i; i < r.length; i++) emit log_bytes32(r[i]); emit log_uint(w.length); for (uint256 i; i < w.length; i++) emit log_bytes32(w[i]); }
  function words(bytes memory e) internal { assembly { e := add(e, 68) } emit log(string(e)); }
  function test_accesses() public { vm.record(); t.set(4); acc(address(t)); t.get(); acc(address(t)); vm.record(); acc(address(t)); acc(address(u)); }
  function test_stop() public { vm.record(); t.set(4); vm.stopRecord(); t.set(5); acc(address(t)); acc(address(t)); }
  function test_noRecord() public { t.set(4); acc(address(t)); }
  function test_rev() public { vm.record(); try this.setRev() {} catch {} acc(address(t)); } function setRev() external { t.set(4); revert(); }
  function test_store() public { vm.record(); vm.store(address(t), bytes32(0), bytes32(uint256(9))); vm.load(address(t), bytes32(0)); acc(address(t)); emit log_uint(t.x()); }
  function test_fresh() public { vm.store(address(0x4444), bytes32(uint256(3)), bytes32(uint256(9))); emit log_bytes32(vm.load(address(0x4444), bytes32(uint256(3)))); emit log_uint(vm.getNonce(address(0x4444))); emit log_uint(address(0x4444).code.length); }
  function test_storePrecompile() public { try vm.store(address(3), bytes32(0), bytes32(uint256(1))) {} catch (bytes memory e) { words(e); } try vm.load(address(3), bytes32(0)) returns (bytes32 v) { emit log_bytes32(v); } catch (bytes memory e) { words(e); } try vm.etch(address(4), hex"00") {} catch (bytes memory e) { words(e); } try vm.setNonce(address(4), 5) {} catch (bytes memory e) { words(e); } try vm.deal(address(4), 5) { emit log_uint(address(4).balance); } catch (bytes memory e) { words(e); } try vm.etch(address(0x12), hex"00") {} catch (bytes memory e) { words(e); } }
  function test_etch() public { vm.etch(address(0x55), hex"602a60005260206000f3"); (, bytes memory r) = address(0x55).call(""); emit log_bytes(r); vm.etch(address(0x55), ""); emit log_uint(address(0x55).code.length); vm.etch(address(t), address(new Other()).code); emit log_uint(t.x()); emit log_uint(t.get()); }
  function test_copy() public { t.set(44); vm.copyStorage(address(t), address(u)); emit log_uint(u.x()); emit log_uint(t.x()); u.set(3); emit log_uint(t.x()); }
  function test_copyFresh() public { t.put(1, 2); vm.copyStorage(address(t), address(0x888)); emit log_bytes32(vm.load(address(0x888), keccak256(abi.encode(1, 2)))); }
  function test_arbitrary() public { vm.setArbitraryStorage(address(t)); uint256 v = t.m(5); emit log_uint(v == t.m(5) ? 1 : 0); emit log_uint(v == 0 ? 0 : 1); emit log_uint(t.x()); t.put(6, 7); emit log_uint(t.m(6)); }
  function test_arbitraryAll() public { vm.setArbitraryStorage(address(t), true); uint256 v = t.x(); emit log_uint(v == 1 ? 1 : 0); emit log_uint(v == t.x() ? 1 : 0); t.set(3); emit log_uint(t.x()); }
  function test_arbitraryCopy() public { vm.setArbitraryStorage(address(t)); vm.copyStorage(address(t), address(u)); emit log_uint(u.m(5) == t.m(5) ? 1 : 0); emit log_uint(u.m(6) == t.m(6) ? 1 : 0); try vm.setArbitraryStorage(address(u)) {} catch (bytes memory e) { words(e); } }
  function test_nonce() public { vm.setNonce(address(0x66), 7); emit log_uint(vm.getNonce(address(0x66))); try vm.setNonce(address(0x66), 6) {} catch (bytes memory e) { words(e); } vm.setNonceUnsafe(address(0x66), 3); emit log_uint(vm.getNonce(address(0x66))); vm.resetNonce(address(0x66)); emit log_uint(vm.getNonce(address(0x66))); vm.resetNonce(address(t)); emit log_uint(vm.getNonce(address(t))); vm.setNonce(address(0x66), 0); vm.setNonce(address(0x66), type(uint64).max); emit log_uint(vm.getNonce(address(0x66))); }
  function test_deal() public { vm.deal(address(0x66), 7); emit log_uint(address(0x66).balance); vm.deal(address(0x66), type(uint256).max); emit log_uint(address(0x66).balance); vm.deal(address(this), 0); emit log_uint(address(this).balance); }
  function test_dealSetCodeAccount() public { vm.deal(address(t), 7); emit log_uint(t.balance()); }
  function test_logs() public { vm.recordLogs(); t.log(2); try this.logRev() {} catch {} Vm.Log[] memory l = vm.getRecordedLogs(); emit log_uint(l.length); vm.recordLogs(); (bool k,) = address(t).call{value: 2}(""); k; l = vm.getRecordedLogs(); emit log_uint(l.length); emit log_uint(l[0].topics.length); emit log_address(l[0].emitter); emit log_bytes(l[0].data); } function logRev() external { t.log(3); revert(); }
  function test_logsOwn() public { emit log_uint(1); vm.recordLogs(); emit log_uint(2); Vm.Log[] memory l = vm.getRecordedLogs(); emit log_uint(l.length); }
  function test_logsNone() public { Vm.Log[] memory l = vm.getRecordedLogs(); emit log_uint(l.length); t.log(1); l = vm.getRecordedLogs(); emit log_uint(l.length); }
}
contract SnapTest is Test { Tgt t = new Tgt(); uint256 own = 5;
  function words(bytes memory e) internal { assembly { e := add(e, 68) } emit log(string(e)); }
  function test_revertTo() public { uint256 s = vm.snapshotState(); emit log_uint(s); t.set(9); own = 6; vm.warp(99); vm.roll(88); vm.fee(7); vm.deal(address(this), 3); emit log_uint(vm.revertToState(s) ? 1 : 0); emit log_uint(t.x()); emit log_uint(own); emit log_uint(block.timestamp); emit log_uint(block.number); emit log_uint(block.basefee); emit log_uint(address(this).balance); }
  function test_again() public { uint256 s = vm.snapshotState(); t.set(9); emit log_uint(vm.revertToState(s) ? 1 : 0); t.set(10); emit log_uint(vm.revertToState(s) ? 1 : 0); emit log_uint(t.x()); }
  function test_andDelete() public { uint256 s = vm.snapshotState(); t.set(9); emit log_uint(vm.revertToStateAndDelete(s) ? 1 : 0); emit log_uint(vm.revertToStateAndDelete(s) ? 1 : 0); emit log_uint(vm.revertToState(s) ? 1 : 0); }
  function test_delete() public { uint256 s = vm.snapshotState(); emit log_uint(vm.deleteStateSnapshot(s) ? 1 : 0); emit log_uint(vm.deleteStateSnapshot(s) ? 1 : 0); emit log_uint(vm.revertToState(s) ? 1 : 0); emit log_uint(vm.snapshotState()); }
  function test_deleteAll() public { uint256 s = vm.snapshotState(); uint256 r = vm.snapshotState(); vm.deleteStateSnapshots(); emit log_uint(vm.revertToState(s) ? 1 : 0); emit log_uint(vm.revertToState(r) ? 1 : 0); emit log_uint(vm.snapshotState()); }
  function test_nested() public { uint256 s = vm.snapshotState(); t.set(2); uint256 r = vm.snapshotState(); t.set(3); emit log_uint(vm.revertToState(s) ? 1 : 0); emit log_uint(t.x()); emit log_uint(vm.revertToState(r) ? 1 : 0); emit log_uint(t.x()); }
  function test_old() public { uint256 s = vm.snapshot(); t.set(3); emit log_uint(vm.revertTo(s) ? 1 : 0); emit log_uint(vm.revertToAndDelete(s) ? 1 : 0); emit log_uint(vm.deleteSnapshot(s) ? 1 : 0); vm.deleteSnapshots(); }
  function test_none() public { emit log_uint(vm.revertToState(77) ? 1 : 0); emit log_uint(vm.deleteStateSnapshot(77) ? 1 : 0); }
  function test_logs() public { vm.recordLogs(); uint256 s = vm.snapshotState(); t.log(2); vm.revertToState(s); emit log_uint(vm.getRecordedLogs().length); }
  function test_prank() public { uint256 s = vm.snapshotState(); vm.startPrank(address(8)); vm.revertToState(s); (address a,) = t.who(); emit log_address(a); }
  function test_mock() public { uint256 s = vm.snapshotState(); vm.mockCall(address(t), abi.encodeCall(Tgt.get, ()), abi.encode(5)); vm.revertToState(s); emit log_uint(t.get()); }
  function test_create() public { uint256 s = vm.snapshotState(); Tgt n = new Tgt(); emit log_address(address(n)); vm.revertToState(s); emit log_uint(address(n).code.length); Tgt q = new Tgt(); emit log_address(address(q)); }
  function test_label() public { uint256 s = vm.snapshotState(); vm.label(address(5), "five"); vm.revertToState(s); emit log(vm.getLabel(address(5))); emit log(vm.getLabel(address(6))); }
  function test_chain() public { uint256 s = vm.snapshotState(); vm.chainId(5); vm.coinbase(address(3)); vm.prevrandao(uint256(9)); vm.revertToState(s); emit log_uint(block.chainid); emit log_address(block.coinbase); emit log_uint(block.prevrandao); }
  function test_nestedCall() public { uint256 s = vm.snapshotState(); this.sets(); vm.revertToState(s); emit log_uint(t.x()); } function sets() external { t.set(6); vm.warp(77); }
  function test_innerRevert() public { uint256 s = vm.snapshotState(); t.set(7); this.rev(s); emit log_uint(t.x()); emit log_uint(own); } function rev(uint256 s) external { own = 9; vm.revertToState(s); t.set(t.x() + 1); }
  function test_transient() public { uint256 s = vm.snapshotState(); assembly { tstore(1, 5) } vm.revertToState(s); uint256 v; assembly { v := tload(1) } emit log_uint(v); }
  function test_warm() public { uint256 s = vm.snapshotState(); t.get(); vm.revertToState(s); uint256 g = gasleft(); t.get(); emit log_uint(g - gasleft()); }
  function test_failed() public { uint256 s = vm.snapshotState(); try this.failing() {} catch {} vm.revertToState(s); emit log_uint(1); } function failing() external pure { vm.assertEq(uint256(1), 2); }
}
contract Kept { uint256 public v; function put(uint256 x) external { v = x; } }
contract SetUpSnapshotTest is Test { Kept kept; uint256 first; uint256 second; uint256 own; uint256 built; constructor() { kept = new Kept(); built = vm.snapshotState(); kept.put(9); }
  function setUp() public { kept.put(1); own = 3; first = vm.snapshotState(); kept.put(2); own = 4; vm.warp(90); second = vm.snapshotState(); kept.put(3); }
  function test_first() public { require(vm.revertToState(first), "none"); require(kept.v() == 1 && own == 3 && block.timestamp == 1, "first"); }
  function test_second() public { require(vm.revertToState(second), "none"); require(kept.v() == 2 && own == 4 && block.timestamp == 90, "second"); }
  function test_built() public { require(vm.revertToState(built), "none"); require(kept.v() == 0 && own == 0, "built"); }
  function test_twice() public { vm.revertToState(first); vm.revertToState(first); }
  function test_own() public { uint256 at = vm.snapshotState(); kept.put(7); require(vm.revertToState(at) && kept.v() == 3, "own"); emit log_uint(at); }
  function test_put() public { uint256 at = second; kept.put(8); vm.revertToState(at); kept.put(9); }
  function test_inner() public { this.back(); require(kept.v() == 1, "inner"); } function back() external { vm.revertToState(first); }
  function test_gone() public { uint256 at = second; vm.revertToStateAndDelete(at); require(!vm.revertToState(at), "there"); }
}
`
