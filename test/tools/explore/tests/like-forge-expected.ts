// Solidity tests of expected calls, events and reverts, held against what forge 1.7.1 says
// of them, in like-forge-expected.json.

export const EXPECTED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  struct Log { bytes32[] topics; bytes data; address emitter; }
  function _expectCheatcodeRevert() external;
  function _expectCheatcodeRevert(bytes4) external;
  function _expectCheatcodeRevert(bytes calldata) external;
  function addr(uint256) external pure returns (address);
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
  function expectCallMinGas(address, uint256, uint64, bytes calldata) external;
  function expectCallMinGas(address, uint256, uint64, bytes calldata, uint64) external;
  function expectCall(address, bytes calldata) external;
  function expectCall(address, bytes calldata, uint64) external;
  function expectCall(address, uint256, bytes calldata) external;
  function expectCall(address, uint256, bytes calldata, uint64) external;
  function expectCall(address, uint256, uint64, bytes calldata) external;
  function expectCall(address, uint256, uint64, bytes calldata, uint64) external;
  function expectEmitAnonymous(bool, bool, bool, bool, bool) external;
  function expectEmitAnonymous(bool, bool, bool, bool, bool, address) external;
  function expectEmitAnonymous() external;
  function expectEmitAnonymous(address) external;
  function expectEmit(bool, bool, bool, bool) external;
  function expectEmit(bool, bool, bool, bool, address) external;
  function expectEmit() external;
  function expectEmit(address) external;
  function expectEmit(bool, bool, bool, bool, uint64) external;
  function expectEmit(bool, bool, bool, bool, address, uint64) external;
  function expectEmit(uint64) external;
  function expectEmit(address, uint64) external;
  function expectPartialRevert(bytes4) external;
  function expectPartialRevert(bytes4, address) external;
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
  function getRecordedLogs() external view returns (Log[] memory);
  function mockCall(address, bytes calldata, bytes calldata) external;
  function mockCall(address, uint256, bytes calldata, bytes calldata) external;
  function mockCall(address, bytes4, bytes calldata) external;
  function mockCall(address, uint256, bytes4, bytes calldata) external;
  function mockCall(address, bytes calldata, bytes calldata, bool) external;
  function prank(address) external;
  function prank(address, address) external;
  function prank(address, bool) external;
  function prank(address, address, bool) external;
  function recordLogs() external;
  function warp(uint256) external;
}
contract Test { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log_uint(uint256); event log_bytes(bytes); event log_address(address); }
contract C1 { uint256 public x = 1; event A(address indexed who, uint256 indexed id, bytes32 indexed tag, uint256 v) ; event B(uint256 v) anonymous; event D(uint256 indexed a, uint256 indexed b, uint256 indexed c, uint256 indexed d) anonymous; event E(uint256 v);
  error Bad(uint256 n); error Worse();
  function get() external view returns (uint256) { return x; } function get2(uint256 a, uint256 b) external pure returns (uint256) { return a + b; }
  function pay(uint256 v) external payable returns (uint256) { return v + msg.value; }
  function emitA(uint256 v) external { emit A(msg.sender, v, bytes32(v), v * 2); } function emitB(uint256 v) external { emit B(v); } function emitD(uint256 v) external { emit D(v, v + 1, v + 2, v + 3); } function emitE(uint256 n) external { for (uint256 i; i < n; i++) emit E(i); }
  function bad(uint256 n) external pure { revert Bad(n); } function worse() external pure { revert Worse(); } function words() external pure { revert("words"); } function pan() external pure { assert(false); } function ok() external {} function empty() external pure { revert(); }
  function callGet(C1 c) external view returns (uint256) { return c.get(); } function callBad(C1 c, uint256 n) external pure { c.bad(n); } function tryBad(C1 c, uint256 n) external { try c.bad(n) {} catch { x = n; } } function who() external view returns (address, address) { return (msg.sender, tx.origin); }
  function dele(address t) external returns (address, address) { (bool k, bytes memory r) = t.delegatecall(abi.encodeCall(this.who, ())); require(k); return abi.decode(r, (address, address)); }
  function dwho(address t) external returns (address, address) { (bool k, bytes memory r) = t.delegatecall(abi.encodeCall(this.who, ())); require(k); return abi.decode(r, (address, address)); } receive() external payable {} fallback() external payable {} }
contract ExpectCallTest is Test { C1 c = new C1(); C1 d = new C1();
  function test_plain() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ())); c.get(); }
  function test_never() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ())); }
  function test_count() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ()), 2); c.get(); c.get(); }
  function test_countLess() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ()), 2); c.get(); }
  function test_countMore() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ()), 2); c.get(); c.get(); c.get(); }
  function test_zero() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ()), 0); }
  function test_zeroHit() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ()), 0); c.get(); }
  function test_twice() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ())); vm.expectCall(address(c), abi.encodeCall(C1.get, ())); c.get(); }
  function test_twice2() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ())); vm.expectCall(address(c), abi.encodeCall(C1.get, ())); c.get(); c.get(); }
  function test_mix() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ())); vm.expectCall(address(c), abi.encodeCall(C1.get, ()), 2); c.get(); c.get(); }
  function test_mix2() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ()), 2); vm.expectCall(address(c), abi.encodeCall(C1.get, ())); c.get(); c.get(); }
  function test_counts2() public { vm.expectCall(address(c), abi.encodeCall(C1.get, ()), 2); vm.expectCall(address(c), abi.encodeCall(C1.get, ()), 3); c.get(); c.get(); }
  function test_value() public { vm.expectCall(address(c), 5, abi.encodeCall(C1.pay, (1))); c.pay{value: 5}(1); }
  function test_valueOther() public { vm.expectCall(address(c), 5, abi.encodeCall(C1.pay, (1))); c.pay{value: 4}(1); }
  function test_valueCount() public { vm.expectCall(address(c), 5, abi.encodeCall(C1.pay, (1)), 2); c.pay{value: 5}(1); c.pay{value: 5}(1); }
  function test_gas() public { vm.expectCall(address(c), 0, uint64(50000), abi.encodeCall(C1.pay, (1))); c.pay{gas: 50000}(1); }
  function test_gasOther() public { vm.expectCall(address(c), 0, uint64(50000), abi.encodeCall(C1.pay, (1))); c.pay{gas: 60000}(1); }
  function test_gasValue() public { vm.expectCall(address(c), 3, uint64(50000), abi.encodeCall(C1.pay, (1))); c.pay{gas: 50000, value: 3}(1); }
  function test_minGas() public { vm.expectCallMinGas(address(c), 0, uint64(50000), abi.encodeCall(C1.pay, (1))); c.pay{gas: 60000}(1); }
  function test_minGasLess() public { vm.expectCallMinGas(address(c), 0, uint64(50000), abi.encodeCall(C1.pay, (1))); c.pay{gas: 40000}(1); }
  function test_minGasCount() public { vm.expectCallMinGas(address(c), 0, uint64(50000), abi.encodeCall(C1.pay, (1)), 2); c.pay{gas: 60000}(1); c.pay(1); }
  function test_gasCount() public { vm.expectCall(address(c), 0, uint64(50000), abi.encodeCall(C1.pay, (1)), 2); c.pay{gas: 50000}(1); }
  function test_partial() public { vm.expectCall(address(c), abi.encodeWithSelector(C1.get2.selector)); c.get2(1, 2); }
  function test_partialArg() public { vm.expectCall(address(c), abi.encodeWithSelector(C1.get2.selector, 1)); c.get2(1, 2); }
  function test_partialOther() public { vm.expectCall(address(c), abi.encodeWithSelector(C1.get2.selector, 2)); c.get2(1, 2); }
  function test_empty() public { vm.expectCall(address(c), ""); c.get(); }
  function test_inner() public { vm.expectCall(address(d), abi.encodeCall(C1.get, ())); c.callGet(d); }
  function test_reverted() public { vm.expectCall(address(d), abi.encodeCall(C1.bad, (3))); try c.callBad(d, 3) {} catch {} }
  function test_caught() public { vm.expectCall(address(d), abi.encodeCall(C1.bad, (3))); c.tryBad(d, 3); }
  function test_dele() public { vm.expectCall(address(d), abi.encodeCall(C1.who, ())); c.dwho(address(d)); }
  function test_valueDele() public { vm.expectCall(address(d), 0, abi.encodeCall(C1.who, ())); c.dwho(address(d)); }
  function test_send() public { vm.expectCall(address(c), 7, ""); payable(address(c)).transfer(7); }
  function test_eoa() public { vm.expectCall(address(0x777), 7, ""); payable(address(0x777)).transfer(7); }
  function test_precompile() public { vm.expectCall(address(2), "abc"); (bool k,) = address(2).staticcall("abcd"); k; }
  function test_self() public { vm.expectCall(address(this), abi.encodeCall(this.nop, ())); this.nop(); } function nop() external {}
  function test_mocked() public { vm.mockCall(address(c), abi.encodeCall(C1.get, ()), abi.encode(7)); vm.expectCall(address(c), abi.encodeCall(C1.get, ())); c.get(); }
  function test_inInner() public { this.exp(); } function exp() external { vm.expectCall(address(c), abi.encodeCall(C1.get, ())); }
  function test_inInner2() public { this.exp(); c.get(); }
  function test_vm() public { vm.expectCall(address(vm), abi.encodeWithSignature("warp(uint256)", 5)); vm.warp(5); }
}
contract ExpectEmitTest is Test { C1 c = new C1(); C1 d = new C1(); event A(address indexed who, uint256 indexed id, bytes32 indexed tag, uint256 v); event B(uint256 v) anonymous; event D(uint256 indexed a, uint256 indexed b, uint256 indexed c, uint256 indexed d) anonymous; event E(uint256 v); event F(uint256 v, uint256 w);
  function test_a() public { vm.expectEmit(); emit A(address(this), 1, bytes32(uint256(1)), 2); c.emitA(1); }
  function test_a4() public { vm.expectEmit(true, true, true, true); emit A(address(this), 1, bytes32(uint256(1)), 3); c.emitA(1); }
  function test_aData() public { vm.expectEmit(true, true, true, false); emit A(address(this), 1, bytes32(uint256(1)), 3); c.emitA(1); }
  function test_aTopic() public { vm.expectEmit(true, false, true, true); emit A(address(this), 9, bytes32(uint256(1)), 2); c.emitA(1); }
  function test_aWrongTopic() public { vm.expectEmit(false, true, false, false); emit A(address(1), 9, bytes32(uint256(1)), 2); c.emitA(1); }
  function test_aEmitter() public { vm.expectEmit(address(d)); emit A(address(this), 1, bytes32(uint256(1)), 2); c.emitA(1); }
  function test_aEmitter2() public { vm.expectEmit(true, true, true, true, address(c)); emit A(address(this), 1, bytes32(uint256(1)), 2); c.emitA(1); }
  function test_none() public { vm.expectEmit(); emit E(1); }
  function test_noCall() public { vm.expectEmit(); c.emitE(1); }
  function test_noEvent() public { vm.expectEmit(); emit E(0); c.ok(); }
  function test_count() public { vm.expectEmit(3); emit E(0); c.emitE(3); }
  function test_count2() public { vm.expectEmit(false, false, false, false, 3); emit E(0); c.emitE(3); }
  function test_countMore() public { vm.expectEmit(false, false, false, false, 2); emit E(0); c.emitE(3); }
  function test_countLess() public { vm.expectEmit(false, false, false, false, 4); emit E(0); c.emitE(3); }
  function test_zero() public { vm.expectEmit(0); emit E(0); c.ok(); }
  function test_zeroHit() public { vm.expectEmit(0); emit E(0); c.emitE(1); }
  function test_zeroOther() public { vm.expectEmit(0); emit E(5); c.emitE(1); }
  function test_countEmitter() public { vm.expectEmit(address(c), 2); emit E(1); c.emitE(2); c.emitE(2); }
  function test_order() public { vm.expectEmit(); emit E(0); vm.expectEmit(); emit E(1); c.emitE(3); }
  function test_orderWrong() public { vm.expectEmit(); emit E(1); vm.expectEmit(); emit E(0); c.emitE(3); }
  function test_gap() public { vm.expectEmit(); emit E(0); vm.expectEmit(); emit E(2); c.emitE(3); }
  function test_anon() public { vm.expectEmitAnonymous(); emit B(1); c.emitB(1); }
  function test_anonWrong() public { vm.expectEmitAnonymous(); emit B(2); c.emitB(1); }
  function test_anonNot() public { vm.expectEmit(); emit B(1); c.emitB(1); }
  function test_anonD() public { vm.expectEmitAnonymous(true, true, true, true, true); emit D(1, 2, 3, 4); c.emitD(1); }
  function test_anonD0() public { vm.expectEmitAnonymous(false, true, true, true, true); emit D(9, 2, 3, 4); c.emitD(1); }
  function test_anonDWrong() public { vm.expectEmitAnonymous(true, false, false, false, false); emit D(9, 2, 3, 4); c.emitD(1); }
  function test_anonEmitter() public { vm.expectEmitAnonymous(address(d)); emit B(1); c.emitB(1); }
  function test_otherEvent() public { vm.expectEmit(); emit F(0, 1); c.emitE(3); }
  function test_revert() public { vm.expectEmit(); emit E(0); try this.emitRevert() {} catch {} } function emitRevert() external { emit E(0); revert(); }
  function test_nested() public { vm.expectEmit(); emit E(0); this.emitInner(); } function emitInner() external { c.emitE(1); }
  function test_ownInner() public { vm.expectEmit(address(this)); emit E(4); this.emitOwn(); } function emitOwn() external { emit E(4); }
  function test_static() public { vm.expectEmit(); emit E(0); c.get(); c.emitE(1); }
  function test_two() public { vm.expectEmit(); emit E(0); c.get(); }
  function test_create() public { vm.expectEmit(); emit E(5); new Emitting(); }
  function test_recorded() public { vm.recordLogs(); vm.expectEmit(); emit E(0); c.emitE(2); Vm.Log[] memory l = vm.getRecordedLogs(); emit log_uint(l.length); c.emitE(1); l = vm.getRecordedLogs(); emit log_uint(l.length); emit log_bytes(l[0].data); emit log_address(l[0].emitter); }
}
contract Emitting { event E(uint256 v); constructor() { emit E(5); } }
contract ExpectRevertTest is Test { C1 c = new C1(); C1 d = new C1();
  function test_any() public { vm.expectRevert(); c.bad(1); }
  function test_bytes4() public { vm.expectRevert(C1.Worse.selector); c.worse(); }
  function test_bytes4Args() public { vm.expectRevert(C1.Bad.selector); c.bad(1); }
  function test_data() public { vm.expectRevert(abi.encodeWithSelector(C1.Bad.selector, 1)); c.bad(1); }
  function test_dataWrong() public { vm.expectRevert(abi.encodeWithSelector(C1.Bad.selector, 2)); c.bad(1); }
  function test_partial() public { vm.expectPartialRevert(C1.Bad.selector); c.bad(1); }
  function test_partialWrong() public { vm.expectPartialRevert(C1.Worse.selector); c.bad(1); }
  function test_partialFrom() public { vm.expectPartialRevert(C1.Bad.selector, address(c)); c.bad(1); }
  function test_partialFromWrong() public { vm.expectPartialRevert(C1.Bad.selector, address(d)); c.bad(1); }
  function test_words() public { vm.expectRevert(bytes("words")); c.words(); }
  function test_wordsWrong() public { vm.expectRevert(bytes("word")); c.words(); }
  function test_wordsEmpty() public { vm.expectRevert(bytes("")); c.words(); }
  function test_empty() public { vm.expectRevert(bytes("")); c.empty(); }
  function test_emptyWords() public { vm.expectRevert(bytes("words")); c.empty(); }
  function test_panic() public { vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 1)); c.pan(); }
  function test_panicWrong() public { vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11)); c.pan(); }
  function test_from() public { vm.expectRevert(address(c)); c.bad(1); }
  function test_fromInner() public { vm.expectRevert(address(d)); c.callBad(d, 1); }
  function test_fromOuter() public { vm.expectRevert(address(c)); c.callBad(d, 1); }
  function test_fromData() public { vm.expectRevert(abi.encodeWithSelector(C1.Bad.selector, 1), address(d)); c.callBad(d, 1); }
  function test_count() public { vm.expectRevert(uint64(2)); c.bad(1); c.worse(); }
  function test_countLess() public { vm.expectRevert(uint64(2)); c.bad(1); c.ok(); }
  function test_countOne() public { vm.expectRevert(uint64(2)); c.bad(1); }
  function test_countMore() public { vm.expectRevert(uint64(2)); c.bad(1); c.bad(1); c.bad(1); }
  function test_countData() public { vm.expectRevert(abi.encodeWithSelector(C1.Bad.selector, 1), 2); c.bad(1); c.bad(1); }
  function test_countDataWrong() public { vm.expectRevert(abi.encodeWithSelector(C1.Bad.selector, 1), 2); c.bad(1); c.bad(2); }
  function test_countFrom() public { vm.expectRevert(address(c), 2); c.bad(1); c.bad(1); }
  function test_countFromWrong() public { vm.expectRevert(address(c), 2); c.bad(1); d.bad(1); }
  function test_zero() public { vm.expectRevert(uint64(0)); c.ok(); }
  function test_zeroHit() public { vm.expectRevert(uint64(0)); c.bad(1); }
  function test_zeroData() public { vm.expectRevert(abi.encodeWithSelector(C1.Bad.selector, 1), uint64(0)); c.ok(); }
  function test_zeroDataOther() public { vm.expectRevert(abi.encodeWithSelector(C1.Bad.selector, 1), uint64(0)); c.bad(2); }
  function test_none() public { vm.expectRevert(); }
  function test_noneAfter() public { vm.expectRevert(); c.ok(); }
  function test_two() public { vm.expectRevert(); vm.expectRevert(); c.bad(1); }
  function test_create() public { vm.expectRevert(); new Failing(); }
  function test_createData() public { vm.expectRevert(bytes("no")); Failing f = new Failing(); emit log_address(address(f)); }
  function test_return() public { vm.expectRevert(); (address a, address b) = this.failing(); emit log_address(a); emit log_address(b); } function failing() external returns (address, address) { revert(); }
  function test_low() public { vm.expectRevert(bytes("words")); (bool k, bytes memory r) = address(c).call(abi.encodeCall(C1.words, ())); emit log_uint(k ? 1 : 0); emit log_uint(r.length); }
  function test_cheat() public { vm.expectRevert(); vm.addr(0); }
  function test_cheatCall() public { vm._expectCheatcodeRevert(); vm.addr(0); }
  function test_cheatWords() public { vm._expectCheatcodeRevert(bytes("vm.addr: private key cannot be 0")); vm.addr(0); }
  function test_cheatWords2() public { vm._expectCheatcodeRevert(bytes("private key cannot be 0")); vm.addr(0); }
  function test_inner() public { this.expInner(); } function expInner() external { vm.expectRevert(); c.bad(1); }
  function test_innerLeft() public { this.expLeft(); } function expLeft() external { vm.expectRevert(); }
  function test_vmBetween() public { vm.expectRevert(); vm.warp(7); c.bad(1); }
  function test_prank() public { vm.prank(address(5)); vm.expectRevert(); c.bad(1); (address a,) = c.who(); emit log_address(a); }
  function test_prank2() public { vm.expectRevert(); vm.prank(address(5)); c.bad(1); (address a,) = c.who(); emit log_address(a); }
  function test_eoa() public { vm.expectRevert(); (bool k,) = address(0x55).call(""); emit log_uint(k ? 1 : 0); }
  function test_assertInner() public { vm.expectRevert(); this.asserts(); } function asserts() external pure { vm.assertEq(uint256(1), 2); }
  function test_assertWords() public { vm.expectRevert(bytes("assertion failed: 1 != 2")); this.asserts(); }
}
contract Failing { constructor() { revert("no"); } }
`
