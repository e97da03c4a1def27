// Solidity tests whose calls are transactions, and such whose calls are expected to fail for a lack of gas. Held against what
// forge 1.7.1 says of them, in like-forge-isolated.json and like-forge-failing.json.

export const ISOLATED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { function expectRevert() external; function deal(address, uint256) external; function startStateDiffRecording() external; function snapshotState() external returns (uint256); function revertToState(uint256) external returns (bool); }
contract Asking { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log_uint(uint256); event log_bytes(bytes); event log_named_uint(string, uint256); }
contract Nop { uint256 public x; function nop() external {} function set(uint256 v) external { x = v; } function rev() external { revert(); } function call(address a) external { (bool ok,) = a.call(""); ok; } function back() external { OwnTest(msg.sender).hit(); } function inv() external { assembly { invalid() } } function read() external view returns (uint256) { return x; } }
contract RevO { fallback() external payable { revert(); } }
contract Nop2 { fallback() external payable { } }
contract Dying { function die(address payable to) external { selfdestruct(to); } receive() external payable {} }
contract Maker { Dying public made; function make() public payable { made = new Dying(); payable(address(made)).transfer(msg.value); } function makeAndEnd() external payable { make(); end(); } function end() public { made.die(payable(address(made))); } function code() external view returns (uint256) { return address(made).code.length; } }
contract EndingTest { Maker maker = new Maker();
  function test_sameCall() public { maker.makeAndEnd{value: 5}(); require(maker.code() == 0, "code"); require(address(maker.made()).balance == 0, "balance"); }
  function test_otherCall() public { maker.make{value: 5}(); maker.end(); require(maker.code() != 0, "code"); require(address(maker.made()).balance == 5, "balance"); }
  function test_twice() public { maker.makeAndEnd(); maker.makeAndEnd(); (bool ok,) = address(maker.made()).call{value: 1}(""); require(ok && maker.code() == 0, "code"); } }
contract OwnTest is Asking {
  Nop n = new Nop(); RevO r = new RevO(); Nop2 n2 = new Nop2(); uint256 own; uint256 other; uint256 pre = 7;
  function hit() external { other = 3; }
  function test_nop() public { own = 4; n.nop(); own = 5; }
  function test_set() public { own = 4; n.set(3); own = 5; }
  function test_rev() public { own = 4; try n.rev() {} catch {} own = 5; }
  function test_call() public { own = 4; n.call(address(r)); own = 5; }
  function test_call2() public { own = 4; n.call(address(n2)); own = 5; }
  function test_callTwice() public { own = 4; n.call(address(n2)); own = 5; n.call(address(n2)); own = 6; }
  function test_callEoa() public { own = 4; n.call(address(0x7777)); own = 5; }
  function test_back() public { own = 4; n.back(); own = 5; other = 4; }
  function test_backSet() public { other = 4; n.back(); own = 5; other = 4; }
  function test_read() public { own = 4; n.read(); own = 5; }
  function test_new() public { own = 4; new Nop(); own = 5; }
  function test_pre() public { pre = 4; n.nop(); pre = 5; n.nop(); pre = 6; }
  function test_pre2() public { n.nop(); pre = 5; pre = 6; n.nop(); pre = 7; }
  function test_preRead() public { uint256 z = pre; n.nop(); pre = 5; pre = z; }
  function test_preRead2() public { uint256 z = pre; n.call(address(n2)); pre = 5; pre = z; }
  function test_sets() public { n.set(3); n.set(4); n.set(0); n.set(1); }
  function test_all() public { emit log_uint(gasleft()); vm.expectRevert(); n.inv(); emit log_uint(gasleft()); }
  function test_all2() public { emit log_uint(gasleft()); vm.expectRevert(); n.inv{gas: 100000}(); emit log_uint(gasleft()); }
  function test_allRev() public { emit log_uint(gasleft()); vm.expectRevert(); n.rev(); emit log_uint(gasleft()); }
  function test_allRev2() public { emit log_uint(gasleft()); vm.expectRevert(); n.rev{gas: 100}(); emit log_uint(gasleft()); }
  function test_all4() public { emit log_uint(gasleft()); vm.expectRevert(); n.set{gas: 100}(3); emit log_uint(gasleft()); }
  function test_all5() public { emit log_uint(gasleft()); vm.expectRevert(); n.set{gas: 1000}(3); emit log_uint(gasleft()); }
}
contract Cr { event log_named_uint(string, uint256); constructor(uint256 k) { emit log_named_uint("in", gasleft()); if (k == 1) revert(); if (k == 2) assembly { invalid() } } }
contract Mid3 { event log_named_uint(string, uint256); fallback() external payable { emit log_named_uint("in", gasleft()); } }
contract Gas2Test is Asking {
  Mid3 m = new Mid3(); address e = address(0x7777);
  function start() internal { emit log_named_uint("start", gasleft()); }
  function end() internal { emit log_named_uint("end", gasleft()); }
  function test_create() public { start(); new Cr(0); end(); }
  function test_createFloor() public { start(); assembly { pop(create(0, 0, 20000)) } end(); }
  function test_createRev() public { start(); try new Cr(1) {} catch {} end(); }
  function test_createInv() public { start(); try new Cr(2) {} catch {} end(); }
  function low(uint256 g, bytes memory d) internal { start(); (bool ok, bytes memory r) = address(m).call{gas: g}(d); end(); emit log_named_uint(ok ? "ok" : "no", r.length); emit log_bytes(r); }
  function test_low0() public { low(0, ""); }
  function test_low1() public { low(50, hex"01020304"); }
  function test_low2() public { low(100, hex"01020304"); }
  function test_low3() public { low(2000, hex"01020304"); }
  function test_low4() public { low(5000, hex"01020304"); }
  function test_low5() public { low(500, new bytes(300)); }
  function test_low6() public { low(1300, new bytes(300)); }
  function test_low7() public { low(3100, new bytes(300)); }
  function test_low8() public { low(30000, new bytes(300)); }
  function test_eoa() public { start(); (bool ok,) = e.call(hex"01020304"); end(); ok; }
  function test_eoa0() public { start(); (bool ok,) = e.call{gas: 0}(hex"01020304"); end(); emit log_named_uint(ok ? "ok" : "no", 0); }
  function test_eoaV() public { start(); (bool ok,) = e.call{gas: 0, value: 1}(hex"01020304"); end(); emit log_named_uint(ok ? "ok" : "no", 0);}
  function test_transfer() public { start(); payable(address(m)).transfer(1);  end(); }
  function test_send() public { start(); bool ok = payable(address(m)).send(1);  end(); emit log_named_uint(ok ? "ok" : "no", 0); }
  function test_value() public { start(); (bool ok,) = address(m).call{gas: 10000, value: 1}("");  end(); emit log_named_uint(ok ? "ok" : "no", 0); }
  function test_big() public { start(); (bool ok,) = address(m).call(new bytes(5000));  end(); emit log_named_uint(ok ? "ok" : "no", 0); }
  function test_stat() public { start(); (bool ok,) = address(m).staticcall{gas: 3000}(new bytes(500));  end(); emit log_named_uint(ok ? "ok" : "no", 0); }
}
contract TgtS { uint256 public x = 1; function set(uint256 v) external { x = v; } }
contract Snap2Test is Asking { TgtS immutable t = new TgtS(); uint256 own = 5;
  function l() internal { emit log_uint(gasleft()); }
  function test_nested() public { l(); uint256 s = vm.snapshotState(); l(); t.set(2); l(); uint256 r = vm.snapshotState(); t.set(3); l(); emit log_uint(vm.revertToState(s) ? 1 : 0); l(); emit log_uint(t.x()); l(); emit log_uint(vm.revertToState(r) ? 1 : 0); l(); emit log_uint(t.x()); l(); emit log_uint(t.x()); l(); }
  function test_nestedCall() public { uint256 s = vm.snapshotState(); l(); this.sets(); l(); vm.revertToState(s); l(); emit log_uint(t.x()); l(); emit log_uint(t.x()); l(); } function sets() external { l(); t.set(6); l(); }
  function test_inner2() public { l(); uint256 s = vm.snapshotState(); l(); this.rev2(s); l(); emit log_uint(own); l(); } function rev2(uint256 s) external { l(); own = 9; l(); vm.revertToState(s); l(); }
  function test_simple() public { l(); uint256 s = vm.snapshotState(); l(); t.set(2); l(); vm.revertToState(s); l(); t.set(3); l(); t.x(); l(); vm.revertToState(s); l(); own = 7; l(); vm.revertToState(s); l(); own = 8; l(); }
}
contract TgtQ { uint256 public x = 1; function set(uint256 v) external { x = v; } }
contract Snap3Test is Asking { TgtQ immutable t = new TgtQ(); uint256 own = 5;
  function l() internal { emit log_uint(gasleft()); }
  function test_a() public { uint256 s = vm.snapshotState(); t.set(2); vm.revertToState(s); t.set(3); l(); t.x(); l(); }
  function test_b() public { uint256 s = vm.snapshotState(); vm.revertToState(s); t.set(3); l(); t.x(); l(); }
  function test_c() public { t.set(3); l(); t.x(); l(); }
  function test_d() public { t.set(2); uint256 s = vm.snapshotState(); t.set(4); vm.revertToState(s); t.set(3); l(); t.x(); l(); }
  function test_e() public { uint256 s = vm.snapshotState(); t.set(2); vm.revertToState(s); l(); t.x(); l(); }
  function test_f() public { uint256 s = vm.snapshotState(); t.x(); vm.revertToState(s); l(); t.x(); l(); t.set(4); l(); t.x(); l(); }
  function test_g() public { uint256 s = vm.snapshotState(); t.set(2); l(); t.x(); l(); vm.revertToState(s); l(); t.set(5); l(); t.x(); l(); t.x(); l(); }
  function test_h() public { uint256 s = vm.snapshotState(); t.set(2); vm.revertToState(s); l(); emit log_uint(address(t).balance); l(); t.set(3); l(); emit log_uint(address(t).balance); l(); }
}
`

export const FAILING = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { function expectRevert() external; function deal(address, uint256) external; function startStateDiffRecording() external; function snapshotState() external returns (uint256); function revertToState(uint256) external returns (bool); }
contract Asking { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log_uint(uint256); event log_bytes(bytes); }
contract O { uint256 x; event E(uint256, uint256);
  function loop() external { while (true) { x; } }
  function sstore(uint256 v) external { x = v; }
  function sload() external view returns (uint256) { return x; }
  function log() external { emit E(1, 2); }
  function mem(uint256 n) external pure returns (uint256 r) { bytes memory b = new bytes(n); r = b.length; }
  function keccak(uint256 n) external pure returns (bytes32 r) { assembly { r := keccak256(0, n) } }
  function callA(address a) external { assembly { pop(call(50, a, 0, 0, 0, 0, 0)) } }
  function callV(address a) external payable { assembly { pop(call(50, a, 1, 0, 0, 0, 0)) } }
  function bal(address a) external view returns (uint256) { return a.balance; }
  function exp(uint256 a) external pure returns (uint256 r) { unchecked { r = 3 ** a; } }
  function create(uint256 n) external { assembly { pop(create(0, 0, n)) } }
  function copy(uint256 n) external pure { assembly { calldatacopy(0, 0, n) } }
  function ext(address a) external view { assembly { pop(extcodesize(a)) } }
  function bad() external pure { assembly { invalid() } }
  function jump() external pure { assembly { mstore(0, 0x56) } assembly { invalid() } }
  function deep(uint256 n) external { if (n > 0) this.deep(n - 1); else assembly { invalid() } }
  function tl() external { assembly { tstore(0, 1) } }
  function inner() external { try this.bad() {} catch {} assembly { invalid() } }
  function returndata() external { assembly { returndatacopy(0, 0, 100) } }
}
contract OogTest is Asking { O o = new O(); 
  function t(uint256 g, bytes memory d) internal { uint256 b = gasleft(); vm.expectRevert(); (bool ok,) = address(o).call{gas: g}(d); emit log_uint(b - gasleft()); ok; }
  function test_loop() public { t(1000, abi.encodeCall(O.loop, ())); t(1001, abi.encodeCall(O.loop, ())); t(10005, abi.encodeCall(O.loop, ())); }
  function test_sstore() public { t(1000, abi.encodeCall(O.sstore, (3))); t(2600, abi.encodeCall(O.sstore, (3))); t(10000, abi.encodeCall(O.sstore, (3))); }
  function test_sload() public { t(1000, abi.encodeCall(O.sload, ())); t(230, abi.encodeCall(O.sload, ()));}
  function test_log() public { t(1000, abi.encodeCall(O.log, ())); t(500, abi.encodeCall(O.log, ())); }
  function test_call() public { t(1000, abi.encodeCall(O.callA, (address(0x999)))); t(3000, abi.encodeCall(O.callA, (address(0x998)))); t(2700, abi.encodeCall(O.callA, (address(0x998)))); }
  function test_callV() public { vm.deal(address(o), 10); t(1000, abi.encodeCall(O.callV, (address(0x999)))); t(3000, abi.encodeCall(O.callV, (address(0x998)))); t(13000, abi.encodeCall(O.callV, (address(0x998)))); }
  function test_bal() public { t(1000, abi.encodeCall(O.bal, (address(0x999)))); }
  function test_exp() public { t(1000, abi.encodeCall(O.exp, (type(uint256).max))); t(300, abi.encodeCall(O.exp, (type(uint64).max))); }
  function test_create() public { t(1000, abi.encodeCall(O.create, (0))); t(40000, abi.encodeCall(O.create, (100000))); t(30000, abi.encodeCall(O.create, (40000))); }
  function test_ext() public { t(1000, abi.encodeCall(O.ext, (address(0x999)))); }
  function test_bad() public { t(1000, abi.encodeCall(O.bad, ())); t(100000, abi.encodeCall(O.bad, ())); }
  function test_deep() public { t(1000, abi.encodeCall(O.deep, (0))); t(100000, abi.encodeCall(O.deep, (3))); t(5000, abi.encodeCall(O.deep, (3))); }
  function test_tl() public { t(220, abi.encodeCall(O.tl, ())); t(320, abi.encodeCall(O.tl, ())); }
  function test_inner() public { t(10000, abi.encodeCall(O.inner, ())); t(1000, abi.encodeCall(O.inner, ())); }
  function test_returndata() public { t(10000, abi.encodeCall(O.returndata, ())); t(200, abi.encodeCall(O.returndata, ()));}
}
`
