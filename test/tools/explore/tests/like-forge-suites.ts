// Solidity tests of what the suites of other projects do, held against what forge 1.7.1 says of them, in
// like-forge-suites.json.

export const SUITES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  function accesses(address) external returns (bytes32[] memory, bytes32[] memory);
  function expectCall(address, bytes calldata) external;
  function expectCall(address, bytes calldata, uint64) external;
  function expectCreate(bytes calldata, address) external;
  function expectEmit() external;
  function record() external;
  function startBroadcast(address) external;
  function startPrank(address) external;
  function startPrank(address, address) external;
  function startPrank(address, bool) external;
  function stopPrank() external;
}
contract Base {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
}
contract Looker {
  uint256 public size;
  function look() external { size = msg.sender.code.length; }
  function lookAtOrigin() external { size = tx.origin.balance; }
}
contract Looking {
  uint256 public size;
  constructor() { size = msg.sender.balance; }
}
contract PrankedBefore is Base {
  Looker looker;
  function setUp() public virtual { looker = new Looker(); vm.startPrank(address(0xaaaa)); }
  function test_call() public { looker.look(); }
  function test_callTwice() public { looker.look(); looker.look(); }
  function test_creation() public { new Looking(); }
  function test_stopped() public { vm.stopPrank(); looker.look(); }
  function test_other() public view returns (uint256) { return address(0xaaaa).balance; }
}
contract PrankedWithOriginBefore is PrankedBefore {
  function setUp() public override { looker = new Looker(); vm.startPrank(address(0xaaaa), address(0xbbbb)); }
  function test_origin() public { looker.lookAtOrigin(); }
}
contract PrankedDelegatesBefore is PrankedBefore {
  function setUp() public override { looker = new Looker(); vm.startPrank(address(looker), true); }
  function test_delegate() public { (bool isOk,) = address(looker).delegatecall(abi.encodeCall(Looker.look, ())); require(isOk); }
}
contract BroadcastBefore is PrankedBefore {
  function setUp() public override { looker = new Looker(); vm.startBroadcast(address(0xaaaa)); }
}
contract RecordedBefore is Base {
  event log_uint(uint256);
  function setUp() public { vm.record(); }
  function test_manyAccounts() public { for (uint256 i = 0; i < 2000; i++) new Looking(); }
  function test_manySlots() public {
    assembly { for { let i := 0 } lt(i, 20000) { i := add(i, 1) } { sstore(i, 1) } }
    (, bytes32[] memory writes) = vm.accesses(address(this));
    emit log_uint(writes.length);
  }
  function test_manySlotsAtTheEnd() public { assembly { for { let i := 0 } lt(i, 20000) { i := add(i, 1) } { sstore(i, 1) } } }
}
contract Halting is Base {
  Looker looker;
  event Said(uint256 what);
  function setUp() public { looker = new Looker(); }
  function test_invalid() public { vm.expectCall(address(looker), hex""); assembly { invalid() } }
  function test_invalidCounted() public { looker.look(); vm.expectCall(address(looker), hex"", 2); looker.look(); assembly { invalid() } }
  function test_outOfGas() public { vm.expectCall(address(looker), hex"1234"); assembly { for {} 1 {} {} } }
  function test_revert() public { vm.expectCall(address(looker), hex""); assembly { revert(0, 0) } }
  function test_emit() public { vm.expectEmit(); emit Said(1); assembly { invalid() } }
  function test_emitBefore() public { vm.expectEmit(); assembly { invalid() } }
  function test_create() public { vm.expectCreate(hex"6000", address(this)); assembly { invalid() } }
  function test_met() public { vm.expectCall(address(looker), hex""); looker.look(); assembly { invalid() } }
  function test_nested() public { vm.expectCall(address(looker), hex""); this.halts(); }
  function halts() external { looker.look(); assembly { invalid() } }
}
`
