// Solidity tests of versions of the EVM that tests choose, held against what forge 1.7.1 says
// of them, in like-forge-versions.json.

export const VERSIONS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  
  function etch(address, bytes calldata) external;
  function fee(uint256) external;
  function getEvmVersion() external pure returns (string memory);
  function revertToState(uint256) external returns (bool);
  function setEvmVersion(string calldata) external;
  function snapshotState() external returns (uint256);
}
contract Test { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log(string); event log_uint(uint256); event log_bytes(bytes); event log_address(address); }
contract EvmTest is Test {
  function code(bytes memory c) internal returns (address a) { assembly { a := create(0, add(c, 32), mload(c)) } }
  function setCode(address a, bytes memory c) internal { vm.etch(a, c); }
  function run(address a) internal { uint256 g = gasleft(); (bool ok, bytes memory r) = a.call{gas: 100000}(""); g -= gasleft(); emit log_uint(g); emit log_uint(ok ? 1 : 0); emit log_bytes(r); }
  function test_push0() public { setCode(address(0x99), hex"5f5f5260205ff3"); run(address(0x99)); vm.setEvmVersion("paris"); emit log(vm.getEvmVersion()); run(address(0x99)); vm.setEvmVersion("shanghai"); run(address(0x99)); }
  function test_tload() public { setCode(address(0x99), hex"5f5c5f5260205ff3"); run(address(0x99)); vm.setEvmVersion("shanghai"); run(address(0x99)); vm.setEvmVersion("cancun"); run(address(0x99)); }
  function test_clz() public { setCode(address(0x99), hex"60011e60005260206000f3"); run(address(0x99)); vm.setEvmVersion("osaka"); run(address(0x99)); }
  function test_basefee() public { vm.fee(99); setCode(address(0x99), hex"4860005260206000f3"); run(address(0x99)); vm.setEvmVersion("berlin"); run(address(0x99)); }
  function test_bls() public { (bool ok, bytes memory r) = address(0x0b).staticcall(new bytes(256)); emit log_bytes(r); vm.setEvmVersion("cancun"); (ok, r) = address(0x0b).staticcall(new bytes(256)); emit log_bytes(r); ok; }
  function test_own() public { vm.setEvmVersion("paris"); uint256 x; assembly { x := mcopyTest() function mcopyTest() -> r { mcopy(0, 32, 32) r := 1 } } emit log_uint(x); }
  function test_bad() public { try vm.setEvmVersion("nope") {} catch (bytes memory e) { assembly { e := add(e, 68) } emit log(string(e)); } }
  function test_names() public { string[20] memory n = ["homestead","tangerineWhistle","spuriousDragon","byzantium","constantinople","petersburg","istanbul","berlin","london","paris","shanghai","cancun","prague","osaka","Prague","amsterdam","merge","latest","", "bogota"]; for (uint256 i; i < 20; i++) try vm.setEvmVersion(n[i]) { emit log(vm.getEvmVersion()); } catch (bytes memory e) { assembly { e := add(e, 68) } emit log(string(e)); } }
  function test_create() public { setCode(address(0x99), hex"5f5ff3"); vm.setEvmVersion("paris"); address a = code(hex"5f5ff3"); emit log_address(a); vm.setEvmVersion("shanghai"); a = code(hex"5f5ff3"); emit log_address(a); }
  function test_selfdestruct() public { setCode(address(0x99), hex"33ff"); run(address(0x99)); vm.setEvmVersion("shanghai"); run(address(0x99)); }
  function inner() external { vm.setEvmVersion("paris"); }
  function test_nested() public { this.inner(); emit log(vm.getEvmVersion()); setCode(address(0x99), hex"5f5f5260205ff3"); run(address(0x99)); }
  function test_revert() public { try this.innerRevert() {} catch {} emit log(vm.getEvmVersion()); setCode(address(0x99), hex"5f5f5260205ff3"); run(address(0x99)); }
  function innerRevert() external { vm.setEvmVersion("paris"); revert(); }
  function test_snapshot() public { uint256 s = vm.snapshotState(); vm.setEvmVersion("paris"); vm.revertToState(s); emit log(vm.getEvmVersion()); setCode(address(0x99), hex"5f5f5260205ff3"); run(address(0x99)); }
  function test_keep() public { emit log(vm.getEvmVersion()); }
}
`
