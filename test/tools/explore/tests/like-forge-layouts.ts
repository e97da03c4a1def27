// Solidity tests of state differences with the names of slots, held against what forge 1.7.1 says of them, in
// like-forge-layouts.json.

export const LAYOUTS = String.raw`// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
struct ChainInfo { uint256 forkId; uint256 chainId; }
struct Storage { address account; bytes32 slot; bool isWrite; bytes32 previousValue; bytes32 newValue; bool reverted; }
struct Access { ChainInfo chainInfo; uint8 kind; address account; address accessor; bool initialized; uint256 oldBalance; uint256 newBalance; bytes deployedCode; uint256 value; bytes data; bool reverted; Storage[] storageAccesses; uint64 depth; uint64 oldNonce; uint64 newNonce; }
interface Vm {
  function startStateDiffRecording() external; function stopAndReturnStateDiff() external returns (Access[] memory); function getStateDiff() external view returns (string memory); function getStateDiffJson() external view returns (string memory);
  function getStorageAccesses() external view returns (Storage[] memory); function stopMappingRecording() external; function getMappingLength(address, bytes32) external returns (uint256); function store(address, bytes32, bytes32) external; function etch(address, bytes calldata) external;
  function deal(address, uint256) external; function startPrank(address) external; function prank(address, address) external; function label(address, string calldata) external;
}
contract Recorded { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log(string); event log_uint(uint256); event log_bytes(bytes); }
contract M1 { mapping(address => uint256) public balances; mapping(address => mapping(address => uint256)) public allowances; mapping(uint256=>bool) flags; mapping(bytes32=>int8) ints;
 struct S { uint256 a; uint256 b; } mapping(uint256=>S) ss; mapping(string=>uint256) names; mapping(uint256=>string) texts; mapping(bytes4=>address) sels; mapping(uint256=>uint256[]) lists; mapping(bool=>bytes32) bools; mapping(uint256=>mapping(uint256=>mapping(int256=>uint8))) three; mapping(uint256=>M1) cs; mapping(M1=>uint256) keyed;
  function put(address a, address b, uint256 n, bytes32 w, int256 i, bytes4 s, string memory t, bool o) external { balances[a] = 100; allowances[a][b] = 3; flags[n] = true; ints[w] = -4; ss[n] = S(1,2); names[t] = 5; texts[n] = t; sels[s] = address(7); lists[n].push(4); bools[o] = w; three[n][n][i] = 4; cs[n] = M1(b); keyed[M1(a)] = 6; }
  function set() external { balances[address(0xBEEF)] = 100; allowances[address(1)][address(2)] = 3; flags[5] = true; ints[bytes32(uint256(6))] = -4; }
  function set2() external { ss[3] = S(1,2); names["x"] = 5; texts[4] = "hi"; sels[0x12345678] = address(7); lists[2].push(4); bools[true] = bytes32(uint256(1)); three[1][2][-3] = 4; cs[1] = this; keyed[this] = 6; }
}
contract Small { uint256 x; struct P { uint128 a; uint128 b; } P p; struct Q { uint8 k; bool f; address w; bytes4 s; int16 z; } Q q; P[2] ps; struct R { P p; uint256 z; string s; } R r; uint8 y; uint8 z; int8 neg; bool b; uint256[2][2][2] cube; uint8[40] eight; bytes20 b20; address who; string[2] strs; uint256 last;
  enum E { A, B } struct W { E e; uint8 u; } W w; struct V { string s; } V v; struct U { E e; uint256 u; } U u;
  function setP() external { p = P(1, 2); q = Q(3, true, address(4), 0xaabbccdd, -5); }
  function setR() external { r.p = P(5, 6); r.z = 7; r.s = "text"; }
  function setY() external { y = 200; }
  function setZ() external { z = 200; neg = -1; }
  function setNeg() external { neg = -1; }
  function setCube() external { cube[1][0][1] = 5; cube[0][0][0] = 1; cube[0][1][0] = 7; eight[0] = 1; eight[33] = 2; }
  function setB() external { b20 = bytes20(address(5)); who = address(6); strs[1] = "s1"; last = 3; }
  function setW() external { w = W(E.B, 4); v.s = "vs"; u = U(E.B, 6); }
  function twice() external { p = P(1, 2); p = P(3, 4); r.s = "a"; r.s = "b"; strs[0] = "x"; x = 1; x = 2; }
}
contract Signed { bool b; bytes4 s; address a; bytes32 w; int128 i; uint8 after_; function setTrue() external { b = true; } function setS() external { s = 0x11223344; b = false; } function setI() external { i = -7; } function setI2() external { i = -7; after_ = 1; } function setB2() external { assembly { sstore(0, 2) } } 
  string text; bytes data;
  function bad() external { assembly { sstore(text.slot, 0xff00000000000000000000000000000000000000000000000000000000000002) } }
  function bad2() external { assembly { sstore(data.slot, 0xff000000000000000000000000000000000000000000000000000000000000fe) } }
  function longOnly() external { assembly { sstore(text.slot, 0x83) } }
  function rewrite() external { text = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"; text = "b"; text = "cccccccccccccccccccccccccccccccccccccccccccccccc"; }
  function part() external { bytes(text)[3] = "X"; }
  function partAndLength() external { text = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"; }
}
contract Base { uint256 inBase; } contract Child is Base { uint256 inChild; function set() external { inBase = 1; inChild = 2; } }
contract Impl { uint256 implVar; function set() external { implVar = 5; } }
contract Proxy { address impl; uint256 proxyVar; constructor(address i) { impl = i; } fallback() external { address i = impl; assembly { pop(delegatecall(gas(), i, 0, 0, 0, 0)) } } function set() external { address i = impl; (bool ok,) = i.delegatecall(abi.encodeWithSignature("set()")); require(ok); proxyVar = 4; } }
library L { function put(uint256[] storage a) external { a.push(3); } }
contract Immut { uint256 immutable k; uint256 v; constructor(uint256 x) { k = x; } function set() external { v = k; } }
contract MapTest is Recorded {
  function show() internal { emit log(vm.getStateDiff()); emit log(vm.getStateDiffJson()); vm.stopAndReturnStateDiff(); }
  function on(address a, bytes4 s) internal { vm.startStateDiffRecording(); (bool ok,) = a.call(abi.encodeWithSelector(s)); require(ok); show(); }
  function test_mapPut() public { M1 m = new M1(); vm.startStateDiffRecording(); m.put(address(0xaa), address(0xbb), 5, bytes32(uint256(6)), -3, 0x11223344, "nm", true); show(); m.put(address(0xaa), address(0xbb), 6, bytes32(uint256(6)), -3, 0x11223344, "nm", true); vm.stopMappingRecording(); m.put(address(0xaa), address(0xbb), 6, bytes32(uint256(6)), -3, 0x11223344, "nm", true);  show(); m.put(address(0xaa), address(0xbb), 6, bytes32(uint256(6)), -3, 0x11223344, "nm", true); show(); }
  function test_map() public { M1 m = new M1(); on(address(m), M1.set.selector); }
  function test_map2() public { M1 m = new M1(); on(address(m), M1.set2.selector); }
  function test_p() public { on(address(new Small()), Small.setP.selector); }
  function test_r() public { on(address(new Small()), Small.setR.selector); }
  function test_y() public { on(address(new Small()), Small.setY.selector); }
  function test_z() public { on(address(new Small()), Small.setZ.selector); }
  function test_neg() public { on(address(new Small()), Small.setNeg.selector); }
  function test_cube() public { on(address(new Small()), Small.setCube.selector); }
  function test_b() public { on(address(new Small()), Small.setB.selector); }
  function test_w() public { on(address(new Small()), Small.setW.selector); }
  function test_twice() public { on(address(new Small()), Small.twice.selector); }
  function test_true() public { on(address(new Signed()), Signed.setTrue.selector); }
  function test_s() public { on(address(new Signed()), Signed.setS.selector); }
  function test_i() public { on(address(new Signed()), Signed.setI.selector); }
  function test_i2() public { on(address(new Signed()), Signed.setI2.selector); }
  function test_b2() public { on(address(new Signed()), Signed.setB2.selector); }
  function test_bad() public { Signed s = new Signed(); on(address(s), Signed.bad.selector); on(address(s), Signed.longOnly.selector); }
  function test_rewrite() public { Signed s = new Signed(); on(address(s), Signed.rewrite.selector); on(address(s), Signed.part.selector); on(address(s), Signed.partAndLength.selector); }
  function test_child() public { on(address(new Child()), Child.set.selector); }
  function test_proxy() public { on(address(new Proxy(address(new Impl()))), Proxy.set.selector); }
  function test_immut() public { on(address(new Immut(9)), Immut.set.selector); }
  function test_mapBefore() public { M1 m = new M1(); m.set(); on(address(m), M1.set.selector); vm.stopMappingRecording(); m.set(); show(); }
  function test_mapLate() public { M1 m = new M1(); vm.startStateDiffRecording(); m.set(); vm.stopMappingRecording(); show(); }
}
type Price is uint64; enum Kind { A, B }
contract E1 { Price price; uint256 g0; function() external fn; uint256 g1; uint256[] dyn; bytes[] byt; uint256[][2] arrs; struct OnlyEnum { Kind k; } OnlyEnum oe; struct Mixed { uint256 a; Kind k; uint8 u; uint256 c; } Mixed mixed;
  struct Deep1 { Mixed m; uint128 x; uint128 y; } Deep1 deep; mapping(string => uint256) named; struct Two { OnlyEnum o; uint8 z; } Two two; string q; struct WithMap { uint256 a; mapping(uint256=>uint256) m; uint256[] l; } WithMap wm; Price[3] prices; address[2] adrs; bool[3] flags; bytes b; uint256 gap; int256 neg;
  struct Pay { address payable p; uint96 n; } Pay pay;
  struct Strs { string a; bytes b; uint256[2] two; } Strs strs;
  mapping(uint256 => string) longs; mapping(address => bytes) byteses; mapping(Kind => uint256) kinds; mapping(Price => uint256) pricy; mapping(uint8 => bool) small; mapping(int8 => bool) ints;
  function setA() external { price = Price.wrap(7); fn = this.setA; dyn.pop(); }
  function zero() external { delete dyn; assembly { sstore(dyn.slot, 0) sstore(arrs.slot, 0) sstore(add(arrs.slot, 1), 0) } }
  function push() external { dyn.push(1); byt.push(hex"aa"); arrs[1].push(5); }
  function structs() external { oe.k = Kind.B; mixed = Mixed(1, Kind.B, 2, 3); deep.m = mixed; deep.x = 4; deep.y = 5; two.o.k = Kind.B; two.z = 4; }
  function name32(string calldata s) external { named[s] = 4; }
  function quotes() external { q = unicode"it's \"q\" é\u200b \u0007 \x7f ✓"; b = hex"ff00"; }
  function notUtf() external { assembly { sstore(q.slot, 0xff41000000000000000000000000000000000000000000000000000000000004) } }
  function wms(uint256 k) external { wm.a = 1; wm.m[k] = 2; wm.l.push(3); }
  function arrays() external { prices[1] = Price.wrap(3); adrs[1] = address(9); flags[2] = true; neg = -1; gap = type(uint256).max; }
  function pays() external { pay = Pay(payable(address(5)), 6); strs.a = "a long text that has more than thirty-one bytes"; strs.b = hex"01"; strs.two[1] = 7; }
  function maps(uint256 k, address a, int8 i) external { longs[k] = "a long text that has more than thirty-one bytes"; byteses[a] = hex"1234"; kinds[Kind(k)] = 4; pricy[Price.wrap(uint64(k))] = 5; small[uint8(k)] = true; ints[i] = true; }
  function twice(string calldata s, string calldata t) external { q = s; this.again(t); q = s; }
  function again(string calldata t) external { q = t; }
  function gapTwice() external { gap = 1; this.gapAgain(); gap = 3; }
  function gapAgain() external { gap = 2; pay.n = 4; }
  function failing() external { gap = 9; try this.fails() {} catch {} }
  function fails() external { gap = 10; q = "x"; revert(); }
}
contract EdgeTest is Recorded {
  E1 e; function setUp() public { e = new E1(); e.push(); e.push(); vm.startStateDiffRecording(); }
  function show() internal { emit log(vm.getStateDiff()); emit log(vm.getStateDiffJson()); vm.stopAndReturnStateDiff(); }
  function test_a() public { e.setA(); show(); e.zero(); show(); e.zero(); show(); e.push(); show(); }
  function test_structs() public { e.structs(); show(); }
  function test_name32() public { e.name32("abcdefghijklmnopqrstuvwxyz123456"); e.name32("x"); show(); }
  function test_quotes() public { e.quotes(); show(); e.notUtf(); show(); }
  function test_wms() public { e.wms(3); show(); }
  function test_arrays() public { e.arrays(); show(); }
  function test_pays() public { e.pays(); show(); }
  function test_maps() public { e.maps(1, address(2), -3); show(); }
  function test_twice() public { e.twice("one", "two"); e.twice("a long text that has more than thirty-one bytes", "b"); e.twice("c", "another long text that has more than thirty-one bytes"); show(); }
  function test_gap() public { e.gapTwice(); e.gapTwice(); show(); e.failing(); show(); }
  function test_mappingLength() public { e.maps(1, address(2), -3); emit log_uint(vm.getMappingLength(address(e), bytes32(uint256(4)))); vm.stopMappingRecording(); show(); }
  function test_two() public { E1 f = new E1(); f.push(); f.gapTwice(); e.gapTwice(); vm.store(address(e), bytes32(uint256(0)), bytes32(uint256(3))); show(); }
  function test_etched() public { vm.etch(address(0x55), address(e).code); E1(address(0x55)).gapTwice(); show(); }
  function test_prank() public { vm.deal(address(this), 100); vm.startPrank(address(0x99)); e.push(); vm.deal(address(0x99), 50); payable(address(0x98)).transfer(5); show(); }
}
contract BoxR { uint256 x; function set(uint256 v) external payable { x = v; } }
contract Rec0Test is Recorded {
  BoxR b; uint256 own;
  function setUp() public { b = new BoxR(); vm.startStateDiffRecording(); }
  function show() internal { Access[] memory a = vm.stopAndReturnStateDiff(); emit log_uint(a.length); for (uint i; i < a.length; i++) emit log_bytes(abi.encode(a[i])); }
  function test_set() public { b.set(4); show(); b.set(5); show(); }
  function test_own() public { own = 4; b.set(4); own = 5; show(); }
  function test_none() public { show(); show(); }
  function test_value() public { b.set{value: 5}(4); emit log(vm.getStateDiff()); show(); emit log(vm.getStateDiff()); own = 6; emit log(vm.getStateDiff());}
  function test_ownJson() public { own = 4; emit log(vm.getStateDiffJson()); emit log_bytes(abi.encode(vm.getStorageAccesses())); }
  function test_prank() public { vm.prank(address(5), address(6)); b.set(7); show(); }
}
contract Rec1Test is Recorded {
  BoxR b; uint256 own;
  function setUp() public { vm.startStateDiffRecording(); b = new BoxR(); own = 5; b.set(1); }
  function show() internal { Access[] memory a = vm.stopAndReturnStateDiff(); emit log_uint(a.length); for (uint i; i < a.length; i++) emit log_bytes(abi.encode(a[i])); }
  function test_set() public { b.set(4); show(); b.set(5); show(); }
  function test_two() public { own = 7; emit log(vm.getStateDiff()); }
}
`
