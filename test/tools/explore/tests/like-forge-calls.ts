// Solidity tests of what is expected of calls, of mocks, pranks and snapshots, held against what forge 1.7.1 says of them, in
// like-forge-calls.json.

export const CALLS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  struct Log { bytes32[] topics; bytes data; address emitter; }
  function expectEmit() external; function expectEmit(address) external; function expectEmit(bool,bool,bool,bool) external; function expectEmit(bool,bool,bool,bool,address) external; function expectEmit(uint64) external; function expectEmit(address,uint64) external; function expectEmitAnonymous() external; function expectEmit(bool,bool,bool,bool,uint64) external;
  function expectCall(address, bytes calldata) external; function expectCall(address, bytes calldata, uint64) external; function expectCall(address, uint256, bytes calldata) external; function expectCall(address, uint256, uint64, bytes calldata) external; function expectCallMinGas(address, uint256, uint64, bytes calldata) external;
  function mockCall(address, bytes calldata, bytes calldata) external; function mockCalls(address, bytes calldata, bytes[] calldata) external; function mockCallRevert(address, bytes calldata, bytes calldata) external; function mockFunction(address, address, bytes calldata) external; function clearMockedCalls() external; function mockCall(address, uint256, bytes calldata, bytes calldata) external;
  function prank(address, bool) external; function prank(address) external; function startPrank(address, address) external; function startPrank(address, bool) external; function stopPrank() external; function startPrank(address) external; function prank(address, address) external; function prank(address, address, bool) external;
  function expectRevert(uint64) external; function expectRevert(bytes4, uint64) external; function expectRevert(address, uint64) external; function expectRevert(address) external; function expectRevert() external; function expectPartialRevert(bytes4) external; function expectRevert(bytes4) external; function expectRevert(bytes calldata) external;
  function snapshotState() external returns (uint256); function revertToState(uint256) external returns (bool); function revertToStateAndDelete(uint256) external returns (bool); function deal(address, uint256) external; function warp(uint256) external; function store(address, bytes32, bytes32) external;
  function assume(bool) external; function bound(uint256,uint256,uint256) external; function recordLogs() external; function getRecordedLogs() external returns (Log[] memory); function startBroadcast() external; function broadcast() external; function broadcast(address) external; function stopBroadcast() external; function getNonce(address) external returns (uint64); function skip(bool) external; function label(address, string calldata) external; function etch(address, bytes calldata) external; function startStateDiffRecording() external; function getStateDiff() external returns (string memory); function expectCreate(bytes calldata, address) external; function expectCreate2(bytes calldata, address) external;
  function snapshotGasLastCall(string calldata) external returns (uint256); function startSnapshotGas(string calldata) external; function stopSnapshotGas() external returns (uint256); function snapshotValue(string calldata, uint256) external; function assumeNoRevert() external; function fail() external;
}
contract Em {
  event A(uint256 indexed a, address indexed b, uint256 c); event B(); event C(string s); event An(uint256 x) anonymous;
  function a(uint256 x, uint256 y) external { emit A(x, msg.sender, y); }
  function many(uint256 n) external { for (uint256 i; i < n; i++) emit A(1, address(2), 3); }
  function b() external { emit B(); } function c(string calldata s) external { emit C(s); } function an() external { emit An(4); }
  function none() external {} 
}
contract Tgt {
  uint256 public x; error Bad(uint256 a); error Other();
  function pay(uint256 v) external payable returns (uint256) { x = v; return v + msg.value; }
  function get() external view returns (uint256) { return x; }
  function bad(uint256 a) external pure { revert Bad(a); }
  function str() external pure { revert("words"); }
  function pan() external pure returns (uint256) { uint256 z; return 1 / z; }
  function who() external view returns (address, address) { return (msg.sender, tx.origin); }
  function deleg(address t) external returns (address, address) { (, bytes memory d) = t.delegatecall(abi.encodeWithSignature("who()")); return abi.decode(d, (address, address)); }
  receive() external payable {}
}
contract Mid { Tgt public t; constructor(Tgt _t) { t = _t; } function bad(uint256 a) external { t.bad(a); } function twice() external { try t.bad(1) {} catch {} t.bad(2); } function get() external view returns (uint256) { return t.get(); } }
abstract contract Edge {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  event log(string); event log_bytes(bytes); event log_uint(uint256); event log_address(address);
  event A(uint256 indexed a, address indexed b, uint256 c); event B(); event C(string s); event An(uint256 x) anonymous;
  Em em; Tgt t; Mid mid;
  function setUp() public virtual { em = new Em(); t = new Tgt(); mid = new Mid(t); vm.deal(address(this), 100 ether); }
}
contract EmitTest is Edge {
  function test_ok() public { vm.expectEmit(); emit A(1, address(this), 2); em.a(1, 2); }
  function test_data() public { vm.expectEmit(); emit A(1, address(this), 3); em.a(1, 2); }
  function test_noData() public { vm.expectEmit(true, true, false, false); emit A(1, address(this), 3); em.a(1, 2); }
  function test_topic() public { vm.expectEmit(true, false, false, true); emit A(9, address(this), 2); em.a(1, 2); }
  function test_emitter() public { vm.expectEmit(address(em)); emit A(1, address(this), 2); em.a(1, 2); }
  function test_emitterBad() public { vm.expectEmit(address(5)); emit A(1, address(this), 2); em.a(1, 2); }
  function test_none() public { vm.expectEmit(); emit B(); em.none(); }
  function test_noEmit() public { vm.expectEmit(); em.b(); }
  function test_never() public { vm.expectEmit(); emit B(); }
  function test_order() public { vm.expectEmit(); emit A(1, address(2), 3); vm.expectEmit(); emit B(); em.many(1); em.b(); }
  function test_count() public { vm.expectEmit(uint64(3)); emit A(1, address(2), 3); em.many(3); }
  function test_countMore() public { vm.expectEmit(uint64(2)); emit A(1, address(2), 3); em.many(3); }
  function test_countLess() public { vm.expectEmit(uint64(4)); emit A(1, address(2), 3); em.many(3); }
  function test_countZero() public { vm.expectEmit(uint64(0)); emit A(1, address(2), 3); em.many(1); }
  function test_countZeroOk() public { vm.expectEmit(uint64(0)); emit B(); em.many(1); }
  function test_countEmitter() public { vm.expectEmit(address(em), 2); emit A(1, address(2), 3); em.many(2); }
  function test_other() public { vm.expectEmit(); emit C("x"); em.c("y"); }
  function test_wrongEvent() public { vm.expectEmit(); emit C("x"); em.b(); }
  function test_anon() public { vm.expectEmitAnonymous(); emit An(4); em.an(); }
  function test_anonBad() public { vm.expectEmitAnonymous(); emit An(5); em.an(); }
  function test_two() public { vm.expectEmit(); emit B(); vm.expectEmit(); emit B(); em.b(); }
  function test_recorded() public { vm.recordLogs(); em.many(2); em.c("hi"); Vm.Log[] memory l = vm.getRecordedLogs(); emit log_uint(l.length); emit log_bytes(l[2].data); emit log_address(l[0].emitter); }
}
contract CallTest is Edge {
  function test_data() public { vm.expectCall(address(t), abi.encodeCall(t.pay, (1))); t.pay(1); }
  function test_not() public { vm.expectCall(address(t), abi.encodeCall(t.pay, (1))); t.pay(2); }
  function test_count() public { vm.expectCall(address(t), abi.encodeCall(t.pay, (1)), 2); t.pay(1); t.pay(1); t.pay(1); }
  function test_zero() public { vm.expectCall(address(t), abi.encodeCall(t.pay, (1)), 0); t.pay(1); }
  function test_value() public { vm.expectCall(address(t), 1, abi.encodeCall(t.pay, (1))); t.pay{value: 1}(1); }
  function test_valueBad() public { vm.expectCall(address(t), 2, abi.encodeCall(t.pay, (1))); t.pay{value: 1}(1); }
  function test_gas() public { vm.expectCall(address(t), 0, 50000, abi.encodeCall(t.pay, (1))); t.pay{gas: 50000}(1); }
  function test_gasBad() public { vm.expectCall(address(t), 0, 50001, abi.encodeCall(t.pay, (1))); t.pay{gas: 50000}(1); }
  function test_gasValue() public { vm.expectCall(address(t), 3, 50000, abi.encodeCall(t.pay, (1))); t.pay{gas: 50000, value: 3}(1); }
  function test_minGas() public { vm.expectCallMinGas(address(t), 0, 40000, abi.encodeCall(t.pay, (1))); t.pay{gas: 50000}(1); }
  function test_minGasBad() public { vm.expectCallMinGas(address(t), 0, 60000, abi.encodeCall(t.pay, (1))); t.pay{gas: 50000}(1); }
  function test_twice() public { vm.expectCall(address(t), hex"", 1); vm.expectCall(address(t), hex""); t.get(); }
  function test_prefix() public { vm.expectCall(address(t), abi.encodePacked(t.pay.selector)); t.pay(7); }
  function test_inner() public { vm.expectCall(address(t), abi.encodeCall(t.get, ())); mid.get(); }
  function test_create() public { vm.expectCreate(type(Em).runtimeCode, address(this)); new Em(); }
  function test_createBad() public { vm.expectCreate(type(Em).runtimeCode, address(1)); new Em(); }
  function test_create2() public { vm.expectCreate2(type(Em).runtimeCode, address(this)); new Em{salt: 0}(); }
}
contract MockTest is Edge {
  function test_seq() public { bytes[] memory r = new bytes[](3); r[0] = abi.encode(1); r[1] = abi.encode(2); r[2] = abi.encode(3); vm.mockCalls(address(t), abi.encodeCall(t.get, ()), r); for (uint i; i < 5; i++) emit log_uint(t.get()); }
  function test_prefix() public { vm.mockCall(address(t), abi.encodePacked(t.pay.selector), abi.encode(50)); vm.mockCall(address(t), abi.encodeCall(t.pay, (4)), abi.encode(60)); emit log_uint(t.pay(1)); emit log_uint(t.pay(4)); vm.clearMockedCalls(); emit log_uint(t.pay(4)); }
  function test_value() public { vm.mockCall(address(t), 5, abi.encodeCall(t.pay, (1)), abi.encode(9)); emit log_uint(t.pay{value: 5}(1)); emit log_uint(t.pay{value: 6}(1)); emit log_uint(address(t).balance); }
  function test_revert() public { vm.mockCallRevert(address(t), abi.encodeCall(t.get, ()), "no"); try t.get() {} catch (bytes memory b) { emit log_bytes(b); } }
  function test_fn() public { Tgt o = new Tgt(); vm.mockFunction(address(t), address(o), abi.encodeCall(t.pay, (3))); t.pay(3); emit log_uint(t.x()); emit log_uint(o.x()); t.pay(4); emit log_uint(t.x()); }
  function test_eoa() public { vm.mockCall(address(0x99), abi.encodeWithSignature("get()"), abi.encode(77)); emit log_uint(Tgt(payable(address(0x99))).get()); emit log_uint(address(0x99).code.length); }
  function test_expectCall() public { vm.mockCall(address(t), abi.encodeCall(t.get, ()), abi.encode(1)); vm.expectCall(address(t), abi.encodeCall(t.get, ())); t.get(); }
}
contract PrankTest is Edge {
  function tell(address a, address b) internal { emit log_address(a); emit log_address(b); }
  function raw(address to) internal returns (address, address) { (, bytes memory d) = to.delegatecall(abi.encodeWithSignature("who()")); return abi.decode(d, (address, address)); }
  function test_deleg() public { Tgt o = new Tgt(); vm.prank(address(o), true); (address a, address b) = raw(address(t)); tell(a, b); (a, b) = raw(address(t)); tell(a, b); }
  function test_delegEoa() public { vm.prank(address(0x55), true); }
  function test_delegNot() public { vm.prank(address(0x55)); (address a, address b) = raw(address(t)); tell(a, b); (a, b) = t.who(); tell(a, b); }
  function test_start() public { vm.startPrank(address(0x55), address(0x66)); (address a, address b) = t.who(); tell(a, b); (a, b) = t.deleg(address(t)); tell(a, b); vm.stopPrank(); (a, b) = t.who(); tell(a, b); }
  function test_startDeleg() public { Tgt o = new Tgt(); vm.startPrank(address(o), true); (address a, address b) = raw(address(t)); tell(a, b); (a, b) = t.who(); tell(a, b); vm.stopPrank(); }
  function test_twice() public { vm.prank(address(1)); vm.prank(address(2)); }
  function test_over() public { vm.startPrank(address(1)); vm.prank(address(2)); }
  function test_startTwice() public { vm.startPrank(address(1)); vm.startPrank(address(2)); (address a, address b) = t.who(); tell(a, b); }
  function test_create() public { vm.prank(address(0x77)); Em e = new Em(); emit log_address(address(e)); emit log_uint(vm.getNonce(address(0x77))); }
  function test_value() public { vm.deal(address(0x77), 5); vm.prank(address(0x77)); t.pay{value: 5}(1); emit log_uint(address(0x77).balance); vm.prank(address(0x77)); (bool ok,) = address(t).call{value: 1}(""); emit log_uint(ok ? 1 : 0); }
  function test_bc() public { vm.broadcast(address(0x88)); t.pay(1); emit log_uint(vm.getNonce(address(0x88))); vm.startBroadcast(); new Em(); (address a, address b) = t.who(); tell(a, b); vm.stopBroadcast(); }
  function test_bcPrank() public { vm.prank(address(1)); vm.broadcast(); }
}
contract RevertTest is Edge {
  function test_count() public { vm.expectRevert(uint64(2)); t.bad(1); t.str(); }
  function test_countLess() public { vm.expectRevert(uint64(3)); t.bad(1); t.str(); }
  function test_countSel() public { vm.expectRevert(Tgt.Bad.selector, 2); t.bad(1); t.bad(2); }
  function test_countZero() public { vm.expectRevert(uint64(0)); t.pay(1); }
  function test_countZeroBad() public { vm.expectRevert(uint64(0)); t.bad(1); }
  function test_reverter() public { vm.expectRevert(address(t)); mid.bad(1); }
  function test_reverterBad() public { vm.expectRevert(address(mid)); mid.bad(1); }
  function test_reverterTwice() public { vm.expectRevert(address(t), 2); mid.bad(1); mid.bad(2); }
  function test_partial() public { vm.expectPartialRevert(Tgt.Bad.selector); t.bad(4); }
  function test_sel() public { vm.expectRevert(Tgt.Bad.selector); t.bad(4); }
  function test_full() public { vm.expectRevert(abi.encodeWithSelector(Tgt.Bad.selector, 4)); t.bad(5); }
  function test_panic() public { vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11)); t.pan(); }
  function test_words() public { vm.expectRevert(bytes("word")); t.str(); }
  function test_inner() public { vm.expectRevert(abi.encodeWithSelector(Tgt.Bad.selector, 1)); mid.twice(); }
  function test_none() public { vm.expectRevert(); t.pay(1); }
  function test_never() public { vm.expectRevert(); }
  function test_noCode() public { vm.expectRevert(); Tgt(payable(address(0x123))).get(); }
  function test_assume() public { vm.assumeNoRevert(); t.bad(1); }
}
contract StateTest is Edge {
  function test_snap() public { uint256 id = vm.snapshotState(); t.pay{value: 7}(3); vm.warp(900); emit log_uint(t.x()); vm.revertToState(id); emit log_uint(t.x()); emit log_uint(address(t).balance); emit log_uint(block.timestamp); emit log_uint(vm.revertToStateAndDelete(id) ? 1 : 0); emit log_uint(vm.revertToState(id) ? 1 : 0); emit log_uint(vm.revertToState(55) ? 1 : 0); }
  function test_gas() public { t.pay(1); emit log_uint(vm.snapshotGasLastCall("a")); vm.startSnapshotGas("b"); t.pay(2); t.get(); emit log_uint(vm.stopSnapshotGas()); }
}
`
