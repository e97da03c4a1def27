// Solidity tests of what cheatcodes do at their edges, held against what forge 1.7.1 says of them, in like-forge-edges.json.
// Steps are recorded with -vvv, without which forge has none.

export const EDGES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  struct Step { uint256[] stack; bytes memoryInput; uint8 opcode; uint64 depth; bool isOutOfGas; address at; }
  struct Signed { uint8 v; bytes32 r; bytes32 s; uint64 nonce; address implementation; }
  function startDebugTraceRecording() external; function stopAndReturnDebugTraceRecording() external returns (Step[] memory);
  function interceptInitcode() external; function getNonce(address) external view returns (uint64);
  function expectSafeMemory(uint64, uint64) external; function expectSafeMemoryCall(uint64, uint64) external;
  function pauseGasMetering() external; function resumeGasMetering() external;
  function startSnapshotGas(string calldata) external; function stopSnapshotGas() external returns (uint256);
  function startStateDiffRecording() external; function getStateDiff() external view returns (string memory);
  function signAndAttachDelegation(address, uint256) external returns (Signed memory); function addr(uint256) external pure returns (address);
  function expectRevert() external; function broadcast(address) external; function startBroadcast(address) external; function setEnv(string calldata, string calldata) external;
}
contract Box {
  uint256 public x = 3;
  function set(uint256 v) external { x = v; }
  function sum(uint256 n) external pure returns (uint256 s) { uint256[] memory all = new uint256[](n); for (uint256 i; i < n; i++) { all[i] = i; s += all[i]; } }
}
contract Odd {}
abstract contract Edge {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  Box box;
  event log(string); event log_uint(uint256); event log_bytes(bytes);
  function setUp() public virtual { box = new Box(); }
  /** Logs what a cheatcode returns, or why it is refused. */
  function ask(string memory signature, bytes memory args) internal {
    (bool ok, bytes memory data) = address(vm).call(abi.encodePacked(bytes4(keccak256(bytes(signature))), args));
    if (ok) { emit log_bytes(data); return; }
    assembly { data := add(data, 68) }
    emit log(string(data));
  }
}
contract StepsTest is Edge {
  function tell() internal { Vm.Step[] memory all = vm.stopAndReturnDebugTraceRecording(); emit log_uint(all.length); emit log_bytes(abi.encode(keccak256(abi.encode(all)))); }
  function test_steps() public { vm.startDebugTraceRecording(); box.set(5); new Box(); tell(); }
  function test_outOfGas() public { vm.startDebugTraceRecording(); try box.sum{gas: 1000}(30) {} catch {} tell(); }
  function test_twice() public { vm.startDebugTraceRecording(); vm.startDebugTraceRecording(); }
}
contract InterceptedTest is Edge {
  function test_code() public { vm.interceptInitcode(); try new Box() {} catch (bytes memory code) { emit log_bytes(abi.encode(keccak256(code))); } emit log_uint(vm.getNonce(address(this))); new Box(); emit log_uint(vm.getNonce(address(this))); }
  function test_salted() public { vm.interceptInitcode(); uint256 before = gasleft(); try new Box{salt: 0}() {} catch {} emit log_uint(before - gasleft()); }
  function make() external { new Box(); }
  function test_below() public { vm.interceptInitcode(); try this.make() {} catch (bytes memory code) { emit log_uint(code.length); } }
}
contract GuardedTest is Edge {
  function write(uint256 at) external pure { assembly { mstore(at, 1) } }
  function test_here() public { vm.expectSafeMemory(0x80, 0xa0); assembly { mstore(0xa0, 1) } }
  function test_copied() public { vm.expectSafeMemory(0x80, 0xa0); assembly { calldatacopy(0x90, 0, 32) } }
  function test_called() public { vm.expectSafeMemoryCall(0x80, 0xa0); this.write(0x100); }
  function test_caught() public { vm.expectSafeMemoryCall(0x80, 0xa0); try this.write(0x100) {} catch (bytes memory words) { emit log(string(words)); } }
}
contract PausedTest is Edge {
  function test_measured() public { vm.pauseGasMetering(); vm.startSnapshotGas('a'); box.sum(40); emit log_uint(vm.stopSnapshotGas()); vm.resumeGasMetering(); box.sum(3); }
  function test_stopsInPause() public { vm.startSnapshotGas('a'); box.set(7); vm.pauseGasMetering(); box.set(9); emit log_uint(vm.stopSnapshotGas()); vm.resumeGasMetering(); }
}
contract ChangesTest is Edge {
  function test_made() public { vm.startStateDiffRecording(); new Box(); new Odd(); box.set(1); box.set(9); emit log(vm.getStateDiff()); }
}
contract KeysTest is Edge {
  string constant WORDS = 'test test test test test test test test test test test junk';
  function path(string memory text) internal { ask('deriveKey(string,string,uint32)', abi.encode(WORDS, text, 0)); }
  function test_paths() public { path('m/2147483648/'); path("m/2147483648'/"); path('m/+1/'); path('m/44h/'); path('m/4294967296/'); path('m/x/'); }
  function test_languages() public { ask('deriveKey(string,uint32,string)', abi.encode(unicode'的 的 的 的 的 的 的 的 的 的 的 在', 1, 'chinese_simplified')); ask('deriveKey(string,uint32,string)', abi.encode(WORDS, 0, 'klingon')); ask('deriveKey(string,uint32,string)', abi.encode(WORDS, 0, 'italian')); }
  function test_ownDelegation() public { vm.signAndAttachDelegation(address(box), 9); vm.broadcast(vm.addr(9)); box.set(1); emit log_uint(vm.getNonce(vm.addr(9))); }
  function test_refused() public { ask('attachDelegation((uint8,bytes32,bytes32,uint64,address))', abi.encode(uint8(5), bytes32(uint256(1)), bytes32(uint256(1)), uint64(0), address(1))); ask('signDelegation(address,uint256)', abi.encode(address(1), 0)); ask('eip712HashStruct(string,bytes)', abi.encode('Point(uint256 x)', hex'00')); }
}
contract PathsTest is Edge {
  string constant DATA = '{"c":[1,2,3],"o":{"a":1,"b":2,"k":2},"l":[{"k":1,"v":"a"},{"k":2,"v":"b"},{"k":3,"v":"c"}],"two words":5}';
  function at(string memory text) internal { ask('parseJson(string,string)', abi.encode(DATA, text)); }
  function test_slices() public { at('.c[0:2]'); at('.c[1:]'); at('.c[:1]'); at('.c[-2:]'); at('.c[0:4:2]'); at('.c[0,2]'); at(".o['a','b']"); at('.c]'); }
  function test_conditions() public { at('.l[?(@.k==2)].v'); at('.l[?(@.k>1)].v'); at('.l[?(@.k>=1 && @.k<3)].v'); at(".l[?(@.v=='b')].k"); at('.l[?(@.v)].k'); at('.l[?(@.none)]'); at('.l[?(@.k!=1)].v'); at('.l[?(@.k==1 || @.k==3)].v'); at('.o[?(@.k==2)]'); }
  function test_wrong() public { at('$.'); at('.c['); at('.c[x]'); at('..'); at('$$'); at('c'); at(".'c'"); at('.l[?@.k>1]'); at('.two words'); at(".['two words']"); }
  function number(string memory text) internal { ask('parseJson(string)', abi.encode(text)); ask('parseJsonString(string,string)', abi.encode(string.concat('{"a":', text, '}'), '.a')); }
  function test_numbers() public { number('1E5'); number('1e78'); number('-0'); number('"18446744073709551616"'); number('"-9223372036854775809"'); number('"9223372036854775807"'); number('"+18446744073709551616"'); number('"18446744073709551616 "'); }
  function test_types() public { ask('parseJsonType(string,string)', abi.encode('[{"a":1}]', 'One(uint256 a)')); ask('parseJsonTypeArray(string,string,string)', abi.encode('{"o":{"a":1}}', '.o', 'One(uint256 a)')); ask('parseBytes(string)', abi.encode('0xabz')); ask('parseBytes(string)', abi.encode('1.5')); ask('parseBytes32(string)', abi.encode('0xzz')); }
}
contract Made { constructor(bool fails) { require(!fails, 'made'); } }
contract CollisionTest is Edge {
  function make() external { new Made{salt: 0}(false); }
  function test_twice() public { this.make(); new Made{salt: bytes32(uint256(1))}(false); vm.expectRevert(); new Made{salt: bytes32(uint256(1))}(false); }
  function test_below() public { this.make(); vm.expectRevert(); this.make(); }
  function test_caught() public { new Made{salt: 0}(false); uint256 before = gasleft(); try new Made{salt: 0}(false) {} catch {} emit log_uint(before - gasleft()); }
}
contract OddTest is Edge {
  function test_broadcast() public { vm.startBroadcast(address(5)); ask('stopPrank()', ''); ask('stopBroadcast()', ''); ask('stopBroadcast()', ''); }
  function etch(bytes memory code) internal { ask('etch(address,bytes)', abi.encode(address(0x77), code)); }
  function test_delegations() public { etch(hex'ef0100aa'); etch(hex'ef01010000000000000000000000000000000000001234'); etch(hex'ef01000000000000000000000000000000000000001234'); }
  function test_variables() public { vm.setEnv('NUMBERS', '1,2,x'); ask('envUint(string,string)', abi.encode('NUMBERS', ',')); ask('envUint(string)', abi.encode('NUMBERS')); }
  function test_oneOfList() public { vm.setEnv('ONE', 'x'); ask('envBool(string,string)', abi.encode('ONE', ',')); vm.setEnv('ONE', ' x'); ask('envBool(string,string)', abi.encode('ONE', ',')); }
  function test_languages() public { string memory words = 'test test test test test test test test test test test junk'; ask('deriveKey(string,uint32,string)', abi.encode(words, 0, 'constructor')); ask('deriveKey(string,uint32,string)', abi.encode(words, 0, 'english')); }
  function test_versions() public { ask('setEvmVersion(string)', abi.encode('none')); ask('setEvmVersion(string)', abi.encode('cancun')); ask('getEvmVersion()', ''); ask('rollFork(uint256)', abi.encode(1)); }
}
`
