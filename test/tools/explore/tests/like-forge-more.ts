// More Solidity tests that are held against what forge 1.7.1 says of them, in like-forge-more.json: what is recorded of an
// execution, what the console prints, what copies are warm.

export const MORE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  enum Kind { Call } struct ChainInfo { uint256 forkId; uint256 chainId; }
  struct Slot { address account; bytes32 slot; bool isWrite; bytes32 previousValue; bytes32 newValue; bool reverted; }
  struct Access { ChainInfo chainInfo; uint8 kind; address account; address accessor; bool initialized; uint256 oldBalance; uint256 newBalance; bytes deployedCode; uint256 value; bytes data; bool reverted; Slot[] storageAccesses; uint64 depth; uint64 oldNonce; uint64 newNonce; }
  function startStateDiffRecording() external; function stopAndReturnStateDiff() external returns (Access[] memory);
  function startSnapshotGas(string calldata) external; function stopSnapshotGas() external returns (uint256); function stopSnapshotGas(string calldata) external returns (uint256);
  function startSnapshotGas(string calldata, string calldata) external; function stopSnapshotGas(string calldata, string calldata) external returns (uint256);
  function cloneAccount(address, address) external; function copyStorage(address, address) external; function etch(address, bytes calldata) external; function mockFunction(address, address, bytes calldata) external;
  function parseJson(string calldata) external returns (bytes memory); function parseJson(string calldata, string calldata) external returns (bytes memory); function parseToml(string calldata) external returns (bytes memory);
  function parseJsonType(string calldata, string calldata) external returns (bytes memory); function serializeJsonType(string calldata, bytes calldata) external returns (string memory); function expectRevert() external; function expectRevert(bytes calldata) external;
  function breakpoint(string calldata) external; function breakpoint(string calldata, bool) external;
}
contract Box {
  uint256 public x = 3;
  function setX(uint256 v) external { x = v; }
  function on(Box other) external { other.setX(4); }
  function start() external { Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).startStateDiffRecording(); }
}
contract Model { uint256 public x; function setX(uint256 v) external { x = 2 * v; } }
abstract contract Base {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  Box box; Box other;
  event log(string); event logs(bytes); event log_uint(uint256); event log_named_string(string key, string val);
  function setUp() public virtual { box = new Box(); other = new Box(); }
}
contract AccessesTest is Base {
  function tell() internal { Vm.Access[] memory all = vm.stopAndReturnStateDiff(); for (uint256 i = 0; i < all.length; i++) { emit log_uint(all[i].kind); emit log_uint(all[i].depth); } }
  function test_depths() public { vm.startStateDiffRecording(); box.on(other); address(box).balance; new Box(); tell(); }
  function test_startedBelow() public { box.start(); box.on(other); tell(); }
  function test_goesOn() public { vm.startStateDiffRecording(); box.setX(1); tell(); other.setX(2); tell(); tell(); }
  function test_stoppedFirst() public { tell(); box.setX(5); tell(); }
}
contract MeasuredTest is Base {
  function test_one() public { vm.startSnapshotGas('a'); box.setX(2); emit log_uint(vm.stopSnapshotGas()); }
  function test_two() public { vm.startSnapshotGas('a'); box.setX(2); emit log_uint(vm.stopSnapshotGas()); vm.startSnapshotGas('b'); box.setX(3); emit log_uint(vm.stopSnapshotGas()); }
  function test_between() public { vm.startSnapshotGas('g', 'a'); box.setX(2); emit log_uint(vm.stopSnapshotGas('g', 'a')); new Box(); vm.startSnapshotGas('b'); emit log_uint(vm.stopSnapshotGas()); }
  function inner() external { vm.startSnapshotGas('a'); box.setX(7); emit log_uint(vm.stopSnapshotGas()); }
  function test_frames() public { this.inner(); this.inner(); new Box(); this.inner(); }
}
contract CopiedTest is Base {
  function test_clone() public { box.setX(4); vm.cloneAccount(address(box), address(0x500)); emit log_uint(Box(address(0x500)).x()); }
  function test_coldClone() public { vm.cloneAccount(address(box), address(0x500)); emit log_uint(Box(address(0x500)).x()); }
  function test_coldCopy() public { vm.copyStorage(address(box), address(0x500)); vm.cloneAccount(address(other), address(0x600)); vm.etch(address(0x500), address(box).code); emit log_uint(Box(address(0x500)).x()); emit log_uint(box.x()); }
  function test_copyToItself() public { box.setX(9); vm.copyStorage(address(box), address(box)); emit log_uint(box.x()); }
  function test_warmCopy() public { box.x(); vm.copyStorage(address(box), address(other)); emit log_uint(other.x()); }
  function test_copyOver() public { other.setX(77); vm.copyStorage(address(box), address(other)); emit log_uint(other.x()); }
  function test_cloneOver() public { other.setX(77); vm.cloneAccount(address(box), address(other)); emit log_uint(other.x()); }
  function test_cloneLater() public { vm.cloneAccount(address(box), address(other)); emit log_uint(box.x()); emit log_uint(other.x()); }
  function test_mockedFunction() public { Model model = new Model(); vm.mockFunction(address(box), address(model), abi.encodeWithSelector(Box.setX.selector)); box.setX(5); emit log_uint(box.x()); }
  function test_warmModel() public { vm.mockFunction(address(box), address(other), abi.encodeWithSelector(Box.setX.selector)); box.setX(5); emit log_uint(other.x()); }
}
contract PrintedTest is Base {
  function c(string memory types, bytes memory args) internal view { address(0x000000000000000000636F6e736F6c652e6c6f67).staticcall(abi.encodePacked(bytes4(keccak256(abi.encodePacked('log(', types, ')'))), args)); }
  function s(string memory text) internal view { c('string', abi.encode(text)); }
  function test_empty() public { s(''); emit log(''); emit log_named_string('', ''); c('', ''); c('string,string', abi.encode('', '')); c('string,uint256', abi.encode('', 5)); s(' '); s('last'); }
  function test_lines() public view { s('a\\nb'); s('c\\n'); s('\\n'); s('d\\r\\ne'); s('\\n\\nf'); }
}
contract BreakpointTest is Base {
  function test_letter() public { vm.breakpoint('a'); vm.breakpoint('b', true); vm.breakpoint(unicode'é'); }
  function test_two() public { vm.breakpoint('ab'); } function test_none() public { vm.breakpoint('', false); } function test_digit() public { vm.breakpoint('7'); }
}
struct Pair { uint256 b; uint256 a; string name; }
struct Pairs { Pair one; Pair[] more; uint256 total; }
contract Failing {
  uint256 x; error Odd(Pair pair, Pair[] pairs); error Loose(uint256[] list);
  function odd() external pure { Pair[] memory more = new Pair[](1); revert Odd(Pair(10001, 2, 'n'), more); }
  function store() external { x = 5; } function load() external view returns (uint256) { return x; } function create() external { new Box(); }
  function loop() external pure { uint256 i; while (true) i++; } function hash() external pure { assembly { pop(keccak256(0, 40000)) } }
  function calls() external { this.store(); } function log() external { assembly { log0(0, 1000) } } function stops() external pure { assembly { invalid() } }
}
contract DefinedStructsTest is Base {
  function test_objects() public {
    Pair memory p = abi.decode(vm.parseJson('{"a": 1, "b": 2, "name": "x"}'), (Pair)); emit log_uint(p.b); emit log_uint(p.a); emit log(p.name);
    Pair[] memory all = abi.decode(vm.parseJson('{"list": [{"name": "x", "b": 2, "a": 1}, {"a": 3, "name": "y", "b": 4}]}', '.list'), (Pair[])); emit log_uint(all[1].b);
    Pairs memory deep = abi.decode(vm.parseToml('total = 9\\none = { a = 1, b = 2, name = "z" }\\nmore = []\\n'), (Pairs)); emit log_uint(deep.one.b); emit log_uint(deep.total);
  }
  function test_others() public { emit logs(vm.parseJson('{"b": 2, "a": 1}')); emit logs(vm.parseJson('{"b": 2, "a": 1, "nome": "x"}')); }
  function test_described() public {
    emit logs(vm.parseJsonType('{"b": 2, "a": 1, "name": "x"}', 'Pair(string name,uint256 a,uint256 b)')); emit log(vm.serializeJsonType('Pair(uint256 a,uint256 b,string name)', abi.encode(Pair(1, 2, 'n'))));
    try vm.parseJsonType('{"b": 2, "a": 1, "name": "x"}', 'Pair(uint256 b,uint256 a)') {} catch (bytes memory e) { emit logs(e); }
  }
  function test_error() public { new Failing().odd(); }
  function test_expectedError() public { Failing f = new Failing(); vm.expectRevert(abi.encodeWithSelector(Failing.Loose.selector, new uint256[](1))); f.odd(); }
}
contract ShortOfGasTest is Base {
  Failing f = new Failing();
  function short(uint256 gas, bytes memory data) internal { vm.expectRevert(); (bool ok, bytes memory out) = address(f).call{gas: gas}(data); emit log_uint(ok ? 1 : 0); emit log_uint(out.length); }
  function test_store() public { short(3000, abi.encodeCall(f.store, ())); } function test_load() public { short(1500, abi.encodeCall(f.load, ())); } function test_create() public { short(3000, abi.encodeCall(f.create, ())); }
  function test_loop() public { short(3000, abi.encodeCall(f.loop, ())); } function test_hash() public { short(3000, abi.encodeCall(f.hash, ())); }
  function test_calls() public { short(3000, abi.encodeCall(f.calls, ())); } function test_log() public { short(3000, abi.encodeCall(f.log, ())); } function test_stops() public { short(3000, abi.encodeCall(f.stops, ())); } function test_creating() public { vm.expectRevert(); this.creates{gas: 40000}(); } function creates() external { new Failing(); }
}
contract Transient { uint256 public n; function inc() external { n++; } function put(uint256 v) external { assembly { tstore(0, v) } } function get() external view returns (uint256 v) { assembly { v := tload(0) } } }
/// forge-config: default.isolate = true
contract AloneTest is PrintedTest {
  Transient t = new Transient();
  function test_printsBetween() public { s('a'); t.inc(); s('b'); t.inc(); s('c'); box.x(); s('d'); box.x(); }
  function test_transient() public { t.put(5); emit log_uint(t.get()); }
  function test_poor() public { (bool ok, bytes memory out) = address(box).call{value: 1 << 250}(''); emit log_uint(ok ? 1 : 0); emit log_uint(out.length); }
  function test_salted() public { new Transient{salt: 0}(); new Transient(); emit log_uint(address(new Transient{salt: bytes32(uint256(1))}()).code.length); }
}
contract RefusedTextsTest is Base {
  string constant words = 'test test test test test test test test test test test junk';
  function t(bytes memory data) internal { (bool ok, bytes memory out) = address(vm).call(data); if (!ok) assembly { mstore(add(out, 4), sub(mload(out), 4)) out := add(out, 4) } if (ok) emit logs(out); else emit log(abi.decode(out, (string))); }
  function key(string memory phrase, string memory path) internal { t(abi.encodeWithSignature('deriveKey(string,string,uint32)', phrase, path, 1)); }
  function path(string memory name, string memory text, string memory at_) internal { t(abi.encodeWithSignature(string.concat(name, '(string,string)'), text, at_)); }
  function test_paths() public { key(words, "m/44'/60'/0'/0/"); key(words, "44'/60'/0'/0"); key(words, 'm/44h/60h/0h/0/'); key(words, 'x/1'); key(words, ''); key(words, 'm/1//2/'); key(words, 'm/-1/'); key(words, 'm'); key(words, 'm/99999999999/'); }
  function test_phrases() public { key('nope', 'm/'); key('', 'm/'); key('test test test test test test test test test test test test', 'm/'); key('test  test', 'm/'); key('Test', 'm/'); }
  function test_selections() public { path('parseJson', '{"a":1}', 'a'); path('parseJsonUint', '{"a":1}', 'abc.d'); path('keyExistsJson', '{"a":1}', 'a'); path('parseToml', 'a = 1', 'a'); path('parseJsonKeys', '{"a":1}', 'a'); path('parseJsonUint', '{"a":1}', '.a'); path('keyExistsToml', 'a = 1', ''); }
}
contract NamedMeasurementsTest is Base {
  function test_otherName() public { vm.startSnapshotGas('a'); box.setX(2); emit log_uint(vm.stopSnapshotGas('b')); }
  function test_ownName() public { vm.startSnapshotGas('g', 'a'); box.setX(2); emit log_uint(vm.stopSnapshotGas('a')); }
  function test_ownGroup() public { vm.startSnapshotGas('a'); box.setX(2); emit log_uint(vm.stopSnapshotGas('NamedMeasurementsTest', 'a')); }
  function test_otherGroup() public { vm.startSnapshotGas('a'); vm.stopSnapshotGas('h', 'a'); }
  function test_none() public { vm.stopSnapshotGas('b'); } function test_noneOfGroup() public { vm.stopSnapshotGas('g', 'b'); }
}
`

/** Fuzz tests that forge fails with each of a dozen seeds, but for the last one, which it passes with each. */
export const LITERALS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract LiteralsTest {
  function testFuzz_number(uint256 a) public pure { require(a != 1_234_567, 'found'); }
  function testFuzz_unit(uint256 a) public pure { require(a != 3.5 ether, 'found'); }
  function testFuzz_days(uint128 a) public pure { require(a != 17 days, 'found'); }
  function testFuzz_negative(int256 a) public pure { require(a != -17, 'found'); }
  function testFuzz_address(address a) public pure { require(a != 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045, 'found'); }
  function testFuzz_text(string memory a) public pure { require(keccak256(bytes(a)) != keccak256('magic words'), 'found'); }
  function testFuzz_hash(bytes32 a) public pure { require(a != keccak256('magic words'), 'found'); }
  function testFuzz_padded(bytes32 a) public pure { require(a != 'thirty-two', 'found'); }
  function testFuzz_bytes(bytes memory a) public pure { require(keccak256(a) != keccak256(hex'11223344556677'), 'found'); }
  function testFuzz_zeroAddress(address a) public pure { require(a != address(0), 'found'); }
}
`

/** Values of the settings that `SETTINGS` has, as forge prints them. */
export const SETTLED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract SettledTest {
  event log_uint(uint256); event log_address(address);
  function test_values() public {
    emit log_uint(tx.gasprice); emit log_address(tx.origin); emit log_address(msg.sender); emit log_uint(address(this).balance); emit log_uint(msg.sender.balance);
  }
}
`
export const SETTINGS = `
gas_price = 9
initial_balance = '0xde0b6b3a7640000'
sender = '0x00000000000000000000000000000000000005ed'
`
