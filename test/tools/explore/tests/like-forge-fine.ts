// Solidity tests of gas that is not metered, of slots that are warm again, of creations that are intercepted, and of paths into
// JSON, held against what forge 1.7.1 says of them, in like-forge-fine.json. They are recorded with -vvv.

export const FINE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  struct Gas { uint64 gasLimit; uint64 gasTotalUsed; uint64 gasMemoryUsed; int64 gasRefunded; uint64 gasRemaining; }
  struct Step { uint256[] stack; bytes memoryInput; uint8 opcode; uint64 depth; bool isOutOfGas; address at; }
  function startDebugTraceRecording() external; function stopAndReturnDebugTraceRecording() external returns (Step[] memory);
  function interceptInitcode() external; function getNonce(address) external view returns (uint64);
  function pauseGasMetering() external; function resumeGasMetering() external; function resetGasMetering() external;
  function startSnapshotGas(string calldata) external; function stopSnapshotGas() external returns (uint256); function stopSnapshotGas(string calldata) external returns (uint256);
  function snapshotGasLastCall(string calldata) external returns (uint256); function lastCallGas() external returns (Gas memory);
  function expectRevert() external; function expectRevert(bytes calldata) external; 
  function cool(address) external; function warmSlot(address, bytes32) external; function coolSlot(address, bytes32) external;
  function store(address, bytes32, bytes32) external; function load(address, bytes32) external returns (bytes32);
  function etch(address, bytes calldata) external; function deal(address, uint256) external;
  function prank(address) external;
}
contract Box {
  uint256 public x = 3;
  function set(uint256 v) external { x = v; }
  function sum(uint256 n) external pure returns (uint256 s) { uint256[] memory all = new uint256[](n); for (uint256 i; i < n; i++) { all[i] = i; s += all[i]; } }
}
contract PayBox { uint256 public y; constructor() payable { y = 9; } }
abstract contract Edge {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  Box box;
  event log(string); event log_uint(uint256); event log_bytes(bytes);
  function setUp() public virtual { box = new Box(); }
  function ask(string memory signature, bytes memory args) internal {
    (bool ok, bytes memory data) = address(vm).call(abi.encodePacked(bytes4(keccak256(bytes(signature))), args));
    if (ok) { emit log_bytes(data); return; }
    assembly { data := add(data, 68) }
    emit log(string(data));
  }
}
contract InterceptTest is Edge {
  function test_twice() public { vm.interceptInitcode(); ask("interceptInitcode()", ""); try new Box() { emit log("made"); } catch (bytes memory code) { emit log_bytes(abi.encode(code.length, keccak256(code))); } }
  function test_twicePlain() public { vm.interceptInitcode(); vm.interceptInitcode(); }
  function test_afterUse() public { vm.interceptInitcode(); try new Box() {} catch {} vm.interceptInitcode(); try new PayBox() {} catch (bytes memory code) { emit log_uint(code.length); } }
  function test_value() public { vm.deal(address(this), 1); vm.interceptInitcode(); try new PayBox{value: 1}() { emit log("made"); } catch (bytes memory code) { emit log_uint(code.length); } emit log_uint(vm.getNonce(address(this))); emit log_uint(address(this).balance); }
  function test_noBalance() public { vm.deal(address(this), 0); vm.interceptInitcode(); try new PayBox{value: 1}() { emit log("made"); } catch (bytes memory code) { emit log_uint(code.length); } emit log_uint(vm.getNonce(address(this))); }
  function test_noBalanceThen() public { vm.deal(address(this), 0); vm.interceptInitcode(); try new PayBox{value: 1}() { emit log("made"); } catch (bytes memory code) { emit log_uint(code.length); } try new Box() { emit log("made"); } catch (bytes memory code) { emit log_uint(code.length); } }
  function test_beforeExpectRevert() public { vm.interceptInitcode(); vm.expectRevert(); new Box(); emit log_uint(vm.getNonce(address(this))); }
  function test_afterExpectRevert() public { vm.expectRevert(); vm.interceptInitcode(); new Box(); emit log_uint(vm.getNonce(address(this))); }
  function test_never() public { vm.interceptInitcode(); }
  function test_prank() public { vm.prank(address(77)); vm.interceptInitcode(); try new Box() {} catch (bytes memory code) { emit log_uint(code.length); } emit log_uint(vm.getNonce(address(77))); emit log_uint(vm.getNonce(address(this))); }
  function test_call() public { vm.interceptInitcode(); box.set(4); try new Box() {} catch (bytes memory code) { emit log_uint(code.length); } }
  function test_gas() public { vm.interceptInitcode(); uint256 g = gasleft(); try new Box() {} catch {} emit log_uint(g - gasleft()); g = gasleft(); new Box(); emit log_uint(g - gasleft()); }
}
contract MeterTest is Edge {
  function below() external returns (uint256 a, uint256 b) { a = gasleft(); box.set(8); b = gasleft(); emit log_uint(a - b); }
  function pauses() external { vm.pauseGasMetering(); box.sum(30); }
  function resumes() external { box.sum(10); vm.resumeGasMetering(); }
  function test_here() public { vm.pauseGasMetering(); uint256 a = gasleft(); box.set(8); emit log_uint(a - gasleft()); vm.resumeGasMetering(); emit log_uint(a - gasleft()); }
  function test_below() public { vm.pauseGasMetering(); (uint256 a, uint256 b) = this.below(); emit log_uint(a - b); uint256 g = gasleft(); vm.resumeGasMetering(); emit log_uint(g - gasleft()); }
  function test_pausedBelow() public { uint256 a = gasleft(); this.pauses(); emit log_uint(a - gasleft()); box.sum(20); emit log_uint(a - gasleft()); vm.resumeGasMetering(); emit log_uint(a - gasleft()); }
  function measured() external returns (uint256) { vm.startSnapshotGas('in'); box.set(9); return vm.stopSnapshotGas(); }
  function test_measuredBelow() public { vm.pauseGasMetering(); emit log_uint(this.measured()); vm.resumeGasMetering(); }
  function startsBelow() external { vm.startSnapshotGas('in'); box.set(9); }
  function test_startsBelow() public { vm.pauseGasMetering(); this.startsBelow(); box.set(3); emit log_uint(vm.stopSnapshotGas()); vm.resumeGasMetering(); }
  function test_startsBelowNoPause() public { this.startsBelow(); box.set(3); emit log_uint(vm.stopSnapshotGas()); }
  function test_last() public { vm.pauseGasMetering(); box.set(3); Vm.Gas memory g = vm.lastCallGas(); emit log_uint(g.gasLimit); emit log_uint(g.gasTotalUsed); emit log_uint(g.gasRemaining); vm.resumeGasMetering(); }
  function test_lastBelow() public { vm.pauseGasMetering(); this.below(); Vm.Gas memory g = vm.lastCallGas(); emit log_uint(g.gasTotalUsed); vm.resumeGasMetering(); }
  function test_resumesBelow() public { vm.pauseGasMetering(); box.sum(20); this.resumes(); box.sum(20); }
  function test_new() public { vm.pauseGasMetering(); new Box(); uint256 g = gasleft(); new Box(); emit log_uint(g - gasleft()); vm.resumeGasMetering(); }
  function test_neverResumed() public { box.sum(10); vm.pauseGasMetering(); box.sum(90); }
  function test_reset() public { box.sum(30); vm.resetGasMetering(); box.sum(30); }
  function resets() external { box.sum(30); vm.resetGasMetering(); box.sum(3); }
  function test_resetBelow() public { box.sum(30); uint256 a = gasleft(); this.resets(); emit log_uint(a - gasleft()); box.sum(30); }
  function test_pauseTwice() public { vm.pauseGasMetering(); box.sum(30); vm.resumeGasMetering(); vm.pauseGasMetering(); box.sum(30); vm.resumeGasMetering(); }
}
contract WarmTest is Edge {
  function cost() internal returns (uint256) { uint256 g = gasleft(); box.set(11); return g - gasleft(); }
  function read() internal returns (uint256) { uint256 g = gasleft(); box.x(); return g - gasleft(); }
  function test_cool() public { box.set(5); vm.cool(address(box)); emit log_uint(cost()); }
  function test_coolWarm() public { box.set(5); vm.cool(address(box)); vm.warmSlot(address(box), 0); emit log_uint(cost()); }
  function test_coolWarmRead() public { box.set(5); vm.cool(address(box)); vm.warmSlot(address(box), 0); emit log_uint(read()); emit log_uint(cost()); }
  function test_warm() public { vm.warmSlot(address(box), 0); emit log_uint(cost()); }
  function test_warmRead() public { vm.warmSlot(address(box), 0); emit log_uint(read()); }
  function test_warmTouched() public { box.sum(1); vm.warmSlot(address(box), 0); emit log_uint(cost()); }
  function test_coolSlot() public { box.set(5); vm.coolSlot(address(box), 0); emit log_uint(cost()); }
  function test_coolSlotWarm() public { box.set(5); vm.coolSlot(address(box), 0); vm.warmSlot(address(box), 0); emit log_uint(cost()); }
  function test_coolReset() public { box.set(5); vm.cool(address(box)); box.set(3); emit log_uint(cost()); }
  function test_coolTwice() public { box.set(5); vm.cool(address(box)); emit log_uint(cost()); vm.cool(address(box)); emit log_uint(cost()); }
  function test_coolStore() public { vm.store(address(box), 0, bytes32(uint256(6))); vm.cool(address(box)); emit log_uint(cost()); }
  function test_coolAndLoad() public { box.set(5); vm.cool(address(box)); vm.load(address(box), 0); emit log_uint(cost()); }
  function test_etchRefused() public { ask("etch(address,bytes)", abi.encode(address(1), hex"00")); address a = address(0xabc123); ask("etch(address,bytes)", abi.encode(a, hex"ef01")); uint256 g = gasleft(); a.balance; emit log_uint(g - gasleft()); }
  function test_etch() public { address a = address(0xabc123); ask("etch(address,bytes)", abi.encode(a, hex"01")); uint256 g = gasleft(); uint256 b = a.balance; emit log_uint(g - gasleft() + b); }
  function test_etchRefused2() public { address a = address(0xabc123); ask("etch(address,bytes)", abi.encode(a, hex"ef01")); uint256 g = gasleft(); uint256 b = a.balance; emit log_uint(g - gasleft() + b); }
  function test_nonceRefused() public { address a = address(box); ask("setNonce(address,uint64)", abi.encode(address(this), 0)); uint256 g = gasleft(); uint256 b = a.balance; emit log_uint(g - gasleft() + b); }
}
contract StepsTest is Edge {
  function tell() internal { Vm.Step[] memory all = vm.stopAndReturnDebugTraceRecording(); emit log_uint(all.length); for (uint256 i; i < all.length; i++) if (all[i].memoryInput.length > 0) { emit log_uint(all[i].opcode); emit log_bytes(all[i].memoryInput); } }
  function test_mcopy() public { bytes memory a = hex"112233"; vm.startDebugTraceRecording(); assembly { mcopy(0x200, a, 35) } tell(); }
  function test_empty() public { vm.startDebugTraceRecording(); assembly { pop(create(0, 0, 0)) } tell(); }
  function test_kinds() public { vm.startDebugTraceRecording(); assembly { mstore(0x300, 5) mstore8(0x340, 3) pop(keccak256(0x300, 64)) pop(mload(0x300)) calldatacopy(0x380, 0, 4) codecopy(0x400, 0, 4) returndatacopy(0x400, 0, 0) extcodecopy(address(), 0x400, 0, 4) pop(call(gas(), 4, 0, 0x300, 32, 0x420, 32)) pop(create2(0, 0x300, 5, 1)) } tell(); }
}
contract PathsTest is Edge {
  string constant J = '{"a":[1,2,3,4],"b":{"c":"x","d":null,"e":true},"list":[{"n":1,"s":"one"},{"n":2,"s":"two"},{"n":null},{"s":"none"},{"n":2.5}],"odd key":5,"k-1":6,"0":7,"n":{"a":{"b":{"c":9}}},"e":[],"o":{},"m":[[1,2],[3,4]],"t":["x","y"],"arr":[[{"v":1},{"v":2}],[{"v":1},{"w":3}]],"deep":[{"a":{"b":1,"c":2}},{"a":{"b":1,"c":3}},{"a":{"b":2,"c":2}},{"a":[{"b":1}]},{"x":{"a":{"b":1}}}],"neg":-3,"f":1.5,"store":{"book":[{"cat":"ref","price":8.95,"author":"A"},{"cat":"fic","price":12.99,"author":"B"},{"cat":"fic","price":8.99,"isbn":"0-5","author":"C"}],"bike":{"color":"red","price":19.95}}}';
  function one(string memory path) internal { ask("parseJson(string,string)", abi.encode(J, path)); }
  function test_paths0() public {
    one('$');
    one('.');
    one('');
    one('$.');
    one('a');
    one('.a');
    one('$.a');
    one('$a');
    one('$..');
    one('..');
    one('$..a');
    one('$.a[0]');
    one('$.a[-1]');
    one('$.a[4]');
    one('$.a[-5]');
    one('$.a[9]');
    one('$.a[0,1]');
    one('$.a[0, 1]');
    one('$.a[ 0 ]');
    one('$.a[0 ]');
    one('$.a[ 0]');
    one('$.a[+1]');
    one('$.a[1:2]');
    one('$.a[1:]');
    one('$.a[:2]');
    one('$.a[:]');
    one('$.a[::2]');
    one('$.a[-2:]');
    one('$.a[:-1]');
    one('$.a[1:3:2]');
    one('$.a[1 : 3]');
    one('$.a[-1:0]');
    one('$.a[3:1]');
    one('$.a[0:9]');
    one('$.a[0:2,3]');
    one('$.a[*]');
    one('$.a.*');
    one('$.a[?(@>2)]');
    one('$.a[?(@ > 2)]');
    one('$.a[?(@==2)]');
    one('$.a[?(@>=2 && @<4)]');
    one('$.a[?(@<2 || @>3)]');
    one('$.a[?((@<2 || @>3) && @!=4)]');
    one('$.a[?(2<@)]');
    one('$.a[?(@>"x")]');
    one('$.a[?@>2]');
    one('$.a[?(@>2');
    one('$.a[?()]');
    one('$.list[?(@.n==null)]');
    one('$.list[?(@.n!=null)]');
    one('$.list[?(@.n)]');
    one('$.list[?(@.n==2)]');
    one('$.list[?(@.n==2.0)]');
    one('$.list[?(@.n>1)].s');
    one('$.list[?(@.s=="one")]');
    one("$.list[?(@.s=='one')]");
    one('$.list[?(@.s>"one")].s');
    one('$.list[?(@.n==@.n)]');
    one('$.list[?(@.n>$.neg)]');
    one('$.list[?(@.n==1 || @.s=="two")].s');
  }
  function test_paths1() public {
    one('$.list[?(@.n==1 && @.s=="one")].s');
    one('$.list[?(@.n>=1 && (@.s=="one" || @.s=="two"))].s');
    one('$.list[?(!@.n)]');
    one('$.list[?(@.n == 1 && @.n == 2)]');
    one('$.list[?(@.x)]');
    one('$.list[?(@.x==1)]');
    one('$.list[?(@.x!=1)]');
    one('$.list[?(@["n"]==1)]');
    one('$.list[?(@.n<2.5)].n');
    one('$.list[?(@.n<=2.5)].n');
    one('$.list[?(@.e==true)]');
    one('$.b[?(@.e==true)].c');
    one('$.b[?(@.c=="x")]');
    one('$.b[?(@=="x")]');
    one('$[?(@.c)]');
    one('$[?(@.c)].c');
    one('$.b.c');
    one('$.b.d');
    one('$.b.e');
    one('$.b["c"]');
    one("$.b['c']");
    one("$.b['c','e']");
    one('$.b["c", "e"]');
    one("$['b']['c']");
    one("$['b'].c");
    one('$["odd key"]');
    one('$.odd key');
    one('$."odd key"');
    one("$.'odd key'");
    one("['odd key']");
    one('["odd key"]');
    one('$.k-1');
    one('.k-1');
    one('k-1');
    one('$["k-1"]');
    one('$.0');
    one('.0');
    one('$["0"]');
    one('$[0]');
    one('$.b.x');
    one('$.b.c.d');
    one('$.x');
    one('$.x.y');
    one('$..c');
    one('$..n');
    one('$..*');
    one('$.*');
    one('$.**');
    one('$.b.*');
    one('$.n..c');
    one('$.n.a.b.c');
    one('$..b.c');
    one('$..[0]');
    one('$..a[0]');
    one('$.m[0][1]');
    one('$.m[*][0]');
    one('$.m..[1]');
    one('$.m[0,1][0]');
    one('$.t[0]');
    one('$.e');
  }
  function test_paths2() public {
    one('$.o');
    one('$.e[0]');
    one('$.e[*]');
    one('$.o.*');
    one('$.neg');
    one('$.f');
    one('$.store.book[*].author');
    one('$..author');
    one('$.store..price');
    one('$..book[2]');
    one('$..book[-1:]');
    one('$..book[0,1].cat');
    one('$..book[:2].cat');
    one('$..book[?(@.isbn)].author');
    one('$.store.book[?(@.price<10)].author');
    one('$..book[?(@.price<10)].cat');
    one('$.store.book[?(@.price < 10 && @.cat == "fic")].author');
    one('$.store.*.price');
    one('$.store.book.length');
    one('$.store.book.length()');
    one('$.store.book[(@.length-1)]');
    one('$.store.bike["color","price"]');
    one('$. a');
    one('$ .a');
    one('$.a ');
    one(' $.a');
    one('$.a[0] ');
    one('$.a [0]');
    one('$.b . c');
    one('$.A');
    one('$.a.0');
    one('$.a.1');
    one('$.b[c]');
    one('$.b[*]');
    one('$.[a]');
    one('$.["a"]');
    one(".['a']");
    one('$..["c"]');
    one("$..['c']");
    one('$...c');
    one('$.a..');
    one('$.a.');
    one('$[');
    one('$]');
    one('$.a[');
    one('$.a]');
    one('$.a[]');
    one('$.a[a]');
    one('$.a[1.5]');
    one('$.a[-]');
    one('$.a["0"]');
    one('$.b.c"');
    one('$$');
    one('@');
    one('@.a');
    one('$.a[0][0]');
    one('$.a.[0]');
    one('.a[0]');
    one('a[0]');
    one('b.c');
  }
  function test_paths3() public {
    one('a.');
    one('[0]');
    one('["a"]');
    one('*');
    one('.*');
    one(unicode'$.é');
    one(unicode'é');
    one('$._x');
    one('$.a_b');
    one('$.a[0,9]');
    one('$.a[9,0]');
    one('$.a[0,0]');
    one('$.list[0]["n","s"]');
    one('$.list[*].n');
    one('$.list[0:2].n');
    one('$.list..s');
    one('$.list[1].s');
    one('$.b["c"]["d"]');
    one("$.b['c'].d");
    one('$.b["x","c"]');
    one('$.a[00]');
    one('$.a[01]');
    one('$.a[1e0]');
    one('$.a[0x1]');
    one('$.a[99999999999999999999]');
    one('$.list[?(@.n in [1])]');
    one('$.list[?(@.s =~ /o/)]');
    one('$.list[?(@.n===1)]');
    one('$.list[?(@.n=1)]');
    one('$.list[?(@.s==one)]');
    one('$.list[?(@.n==-1)]');
    one('$.list[?(@.n==+1)]');
    one('$.list[?(@.n==1e0)]');
    one('$.list[?(@.n==.5)]');
    one('$.list[?(@.s=="")]');
    one('$.list[?(@.n==1 and @.s)]');
    one('$.list[?(true)]');
    one('$.list[?(1==1)]');
    one('$.list[?(@.n==1),1]');
    one('$.deep[?(@.a.b==1)]');
    one('$.deep[?(@.a.b)]');
    one('$.deep[?(@..b==1)]');
    one('$.deep[?(@..b)]');
    one('$.deep[?(@.a["b"]==1)]');
    one('$.list[?(@.s!=1)]');
    one('$.list[?(@.n!=1 && @.s)]');
    one('$.list[?(@.n==1 || @.s=="zzz")].s');
    one('$.list[?(@.s=="zzz" || @.n==1)].s');
    one('$.list[?(1==@.n)].s');
    one('$.list[?(1<@.n)].s');
    one("$.list[?(@.s=='two' || @.n==1 || @.n==2.5)]");
    one('$.arr[?(@.v==1)]');
    one('$.arr[?(@.v)]');
    one('$.arr[*][?(@.v==1)]');
    one('$.list[?(@)]');
    one('$.list[?(@.n)][?(@.s)]');
    one('$.list[?(@.n)].n');
    one('$.list[?(@.n==1)]..s');
    one('$.deep[0]["a"]["b","c"]');
    one('$.deep..b');
  }
  function test_paths4() public {
    one('$.deep.*.a.b');
    one('$.deep[*]["a"]');
    one('$.list[0:1,2]');
    one('$.list[?(@.n==1)][0]');
    one('$.a[0] == 1');
    one('$.deep[?(@.a==@.a)]');
  }
}
contract TomlTest is Edge {
  function one(string memory toml, string memory path) internal { emit log(toml); ask("parseToml(string,string)", abi.encode(toml, path)); ask("parseTomlUint(string,string)", abi.encode(toml, path)); ask("parseTomlInt(string,string)", abi.encode(toml, path)); ask("parseTomlString(string,string)", abi.encode(toml, path)); }
  function test_exp() public { one("a = 1e3", ".a"); }
  function test_inf() public { one("a = inf", ".a"); }
  function test_nan() public { one("a = nan", ".a"); }
  function test_minf() public { one("a = -inf", ".a"); }
  function test_float() public { one("a = 1.5", ".a"); one("a = 1.0", ".a"); one("a = 1e20", ".a"); one("a = -0.0", ".a"); one("a = 1e-7", ".a"); one("a = 1e15", ".a"); one("a = 1e16", ".a"); one("a = 123456789012345680.0", ".a"); }
  function test_hex() public { one("a = 0xff", ".a"); one("a = 0o17", ".a"); one("a = 0b11", ".a"); one("a = 1_000", ".a"); one("a = +5", ".a"); }
  function test_date() public { one("a = 1979-05-27T07:32:00Z", ".a"); one("a = 1979-05-27", ".a"); one("a = 07:32:00", ".a"); one("a = 1979-05-27T07:32:00.5-07:00", ".a"); one("a = 1979-05-27 07:32:00", ".a"); }
}
contract KeysTest is Edge {
  string constant M = "test test test test test test test test test test test junk";
  function d(string memory p) internal { ask("deriveKey(string,string,uint32)", abi.encode(M, p, uint32(0))); }
  function test_paths() public { d("m/00000000001/"); d("m/0"); d("m"); d(""); d("m/"); d("m/44'/60'"); d("m/2147483648'"); d("m/2147483648"); d("m/2147483647'"); d("m/4294967295"); d("m/4294967296"); d("m/+1/"); d("m/-1/"); d("m/0h/"); d("m/0H/"); d("m/x"); d("44'/60'"); d("/0"); d("m//0"); d("m/0//"); d("m/0000000000000000000000001'"); d("M/0"); d("m/ 1"); d("m/01/"); d("m/m/1/"); }
}
`
