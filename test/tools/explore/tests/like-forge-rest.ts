// Solidity tests of what seldom matters: words of refusals, texts that are not UTF-8, accesses of calls that are mocked or
// expected to revert. Held against what forge 1.7.1 says of them, in like-forge-rest.json.

export const REST = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  struct ChainInfo { uint256 forkId; uint256 chainId; }
  struct Storage { address account; bytes32 slot; bool isWrite; bytes32 previousValue; bytes32 newValue; bool reverted; }
  struct Access { ChainInfo chainInfo; uint8 kind; address account; address accessor; bool initialized; uint256 oldBalance; uint256 newBalance; bytes deployedCode; uint256 value; bytes data; bool reverted; Storage[] storageAccesses; uint64 depth; uint64 oldNonce; uint64 newNonce; }
  function startStateDiffRecording() external; function stopAndReturnStateDiff() external returns (Access[] memory);
  function mockCall(address, bytes calldata, bytes calldata) external; function mockCallRevert(address, bytes calldata, bytes calldata) external; function mockFunction(address, address, bytes calldata) external;
  function expectRevert() external; function expectRevert(bytes calldata) external; function getCode(string calldata) external view returns (bytes memory); 
  function fee(uint256) external; function warp(uint256) external; function txGasPrice(uint256) external; function getRecordedLogsJson() external returns (string memory);
  function deployCode(string calldata, uint256) external returns (address); function deployCode(string calldata, bytes calldata) external returns (address);
}
contract Box {
  uint256 public x; event Set(uint256 v);
  function get() external view returns (uint256) { return x; }
  function set(uint256 v) external { x = v; emit Set(v); }
}
contract Picky { constructor(uint256 v) { require(v > 3, 'small'); } }
abstract contract Rest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  Box box;
  event log(string); event log_uint(uint256); event log_bytes(bytes); event log_address(address);
  function setUp() public { box = new Box(); }
  function ask(string memory signature, bytes memory args) internal {
    (bool ok, bytes memory data) = address(vm).call(abi.encodePacked(bytes4(keccak256(bytes(signature))), args));
    if (ok) { emit log_bytes(data); return; }
    assembly { data := add(data, 68) }
    emit log(string(data));
  }
}
contract TextsTest is Rest {
  function test_trimmed() public { ask('trim(string)', abi.encode(unicode'\\u0085 x \\ufeff')); }
  function test_notUtf8() public { ask('toLowercase(string)', abi.encode(bytes(hex'ff41'))); ask('toBase64(string)', abi.encode(bytes(hex'ff'))); ask('indexOf(string,string)', abi.encode(bytes(hex'e28041'), 'A')); }
}
contract RefusalsTest is Rest {
  function test_blockhash() public { ask('setBlockhash(uint256,bytes32)', abi.encode(type(uint256).max, 1)); ask('setBlockhash(uint256,bytes32)', abi.encode(uint256(type(uint64).max), 1)); }
  function raw(bytes memory data) internal { ask('broadcastRawTransaction(bytes)', abi.encode(data)); }
  function test_raw() public { raw(hex'00'); raw(hex'05'); raw(hex'0001'); raw(hex'0501'); raw(hex'7f7f'); }
  function nonce(uint256 value) internal { ask('signWithNonceUnsafe(uint256,bytes32,uint256)', abi.encode(1, 3, value)); }
  function test_nonces() public { nonce(0); nonce(type(uint256).max); nonce(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141); }
  function test_forks() public { ask('rollFork(uint256,uint256)', abi.encode(5, 5)); ask('rollFork(uint256,bytes32)', abi.encode(5, 0)); ask('selectFork(uint256)', abi.encode(5)); }
  function test_noFile() public { ask('getCode(string)', abi.encode('out/None.json')); ask('getDeployedCode(string)', abi.encode('out/None.json')); }
}
contract AccessesTest is Rest {
  function count() internal { emit log_uint(vm.stopAndReturnStateDiff().length); }
  function test_logs() public { emit log(vm.getRecordedLogsJson()); box.set(1); emit log(vm.getRecordedLogsJson()); }
  function test_mocked() public { vm.mockCall(address(box), abi.encodeCall(Box.get, ()), abi.encode(3)); vm.startStateDiffRecording(); box.get(); box.set(2); count(); }
  function test_mockedRevert() public { vm.mockCallRevert(address(box), abi.encodeCall(Box.get, ()), 'x'); vm.startStateDiffRecording(); try box.get() {} catch {} count(); }
  function test_mockedFunction() public { Box other = new Box(); vm.mockFunction(address(box), address(other), abi.encodeCall(Box.set, (4))); vm.startStateDiffRecording(); box.set(4); count(); }
  function fails() external { box.set(9); revert('x'); }
  function test_expected() public { vm.startStateDiffRecording(); vm.expectRevert(); this.fails(); box.set(1); emit log_bytes(abi.encode(vm.stopAndReturnStateDiff())); }
  function test_caught() public { vm.startStateDiffRecording(); try this.fails() {} catch {} box.set(1); emit log_bytes(abi.encode(vm.stopAndReturnStateDiff())); }
}
contract DeployedTest is Rest {
  function test_failed() public { try vm.deployCode('Like.t.sol:Picky', abi.encode(2)) {} catch {} emit log_address(address(new Box())); emit log_address(vm.deployCode('Like.t.sol:Picky', abi.encode(5))); }
}
library Doubling { function twice(uint256 x) external pure returns (uint256) { return 2 * x; } }
contract Linked { function four() external pure returns (uint256) { return Doubling.twice(2); } }
contract LinkedTest is Rest {
  function test_code() public { require(keccak256(vm.getCode('Like.t.sol:Linked')) == keccak256(type(Linked).creationCode), 'code'); emit log_uint(Linked(vm.deployCode('Like.t.sol:Linked', hex'')).four()); }
}
/// forge-config: default.isolate = true
contract IsolatedTest is Rest {
  function fees() public { emit log_uint(block.basefee); emit log_uint(tx.gasprice); emit log_uint(block.timestamp); }
  function viewed() external view returns (uint256, uint256) { return (block.basefee, tx.gasprice); }
  function inner() external { vm.warp(77); fees(); vm.fee(5); fees(); }
  function test_fees() public { vm.fee(9); vm.txGasPrice(10); this.fees(); this.inner(); fees(); (uint256 fee, uint256 price) = this.viewed(); emit log_uint(fee); emit log_uint(price); }
}
`

export const BROADCASTS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm { function getNonce(address) external view returns (uint64); function broadcast(address) external; function startBroadcast(address) external; function stopBroadcast() external; function prank(address) external; }
contract Box { uint256 public x; function set(uint256 v) external { x = v; } }
contract BroadcastsTest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  Box box = new Box();
  event log_uint(uint256);
  function nonce(address from) internal { emit log_uint(vm.getNonce(from)); }
  function test_nonces() public { vm.broadcast(address(9)); box.set(3); nonce(address(9)); vm.startBroadcast(address(9)); box.set(5); nonce(address(9)); new Box(); nonce(address(9)); vm.stopBroadcast(); vm.prank(address(8)); box.set(4); nonce(address(8)); box.set(6); nonce(address(this)); }
}
`

export const SLOTS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
struct Point { uint128 a; uint64 b; }
contract Kept {
  uint256 public first; uint8 public low; bool public flag; mapping(address => uint256) public by; uint256[] public list;
  uint128[3] public three; string public text = 'short'; bytes public data; Point public point; uint256[2][2] public grid; uint256[50] private gap; uint256 public last;
  function set(string calldata words, bytes calldata more) external { text = words; data = more; }
}
contract SlotsTest {
  address constant vm = 0x7109709ECfa91a80626fF3989D68f67F5b1DD12D;
  Kept kept = new Kept();
  event log(string); event log_bytes(bytes);
  function ask(address at, string memory name) internal {
    (bool ok, bytes memory data) = vm.call(abi.encodeWithSignature('getStorageSlots(address,string)', at, name));
    if (ok) { emit log_bytes(data); return; }
    assembly { data := add(data, 68) }
    emit log(string(data));
  }
  function all(string[7] memory names) internal { for (uint256 i; i < 7; i++) ask(address(kept), names[i]); }
  function test_slots() public { all(['first', 'low', 'three', 'text', 'data', 'point', 'grid']); all(['by', 'list', 'gap', 'last', 'none', '', 'flag']); ask(address(this), 'kept'); ask(address(0x99), 'x'); }
  function test_long() public { kept.set('a text that takes more than the thirty-two bytes of a word in storage', hex'00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'); ask(address(kept), 'text'); ask(address(kept), 'data'); }
}
`

export const COLD = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Seen { uint256 public x = 3; }
contract Other { function look() external view returns (uint256) { return block.number; } }
contract Looking {
  Seen seen = new Seen();
  uint256 last;
  function look() external { last = seen.x(); }
  function where() external view returns (Seen) { return seen; }
}
contract ColdTest {
  Looking looking = new Looking();
  Other other = new Other();
  Seen seen = looking.where();
  function balance() internal view { require(address(seen).balance == 0); }
  function test_call() public { looking.look(); seen.x(); }
  uint256 own;
  function test_dirty() public { own = 1; seen.x(); own = 2; seen.x(); own = 3; }
  function test_cleared() public { seen.x(); own = 3; seen.x(); own = 0; }
  function test_staticCallStatic() public { seen.x(); looking.look(); seen.x(); }
  function test_staticTestCall() public { seen.x(); balance(); looking.look(); balance(); }
  function test_testStaticCall() public { balance(); other.look(); looking.look(); balance(); }
  function test_callStaticCall() public { looking.look(); other.look(); looking.look(); balance(); }
}
`
