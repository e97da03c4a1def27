// Solidity tests on forks of two chains of tickchain, held against what forge 1.7.1 says of them, in like-forge-forks.json: it
// was recorded over HTTP from the chains that `forkedChain` makes.

/** The contract that the forked chains have. */
export const MAIN = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Main { uint256 public x = 7; mapping(address => uint256) public by; event Set(uint256 v); function set(uint256 v) external { x = v; by[msg.sender] = v; emit Set(v); } }
`

export const FORKS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  function createFork(string calldata) external returns (uint256); function createSelectFork(string calldata) external returns (uint256); function createSelectFork(string calldata, uint256) external returns (uint256); function createSelectFork(string calldata, bytes32) external returns (uint256);
  function selectFork(uint256) external; function rollFork(uint256) external; function rollFork(uint256, uint256) external; function activeFork() external view returns (uint256); function makePersistent(address) external;
  function deal(address, uint256) external; function warp(uint256) external; function roll(uint256) external; function startPrank(address) external; function snapshotState() external returns (uint256); function revertToState(uint256) external returns (bool);
}
interface Main { function x() external view returns (uint256); function by(address) external view returns (uint256); function set(uint256) external; }
contract Box { uint256 public v; function set(uint256 x) external { v = x; } }
abstract contract Forking {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  Main constant main = Main(0x5FbDB2315678afecb367f032d93F642f64180aa3);
  event log_uint(uint256); event log_bytes32(bytes32);
  function tellBlock() internal { emit log_uint(block.number); emit log_uint(block.timestamp); emit log_uint(block.basefee); emit log_uint(block.chainid); }
  function spent(uint256 before) internal { emit log_uint(before - gasleft()); }
  function print() internal view { (bool ok,) = address(0x000000000000000000636F6e736F6c652e6c6f67).staticcall(abi.encodeWithSignature('log(uint256)', 1)); require(ok); }
}
contract ForksTest is Forking {
  uint256 own;
  Box box = new Box();
  function test_block() public { vm.createSelectFork('main', 3); emit log_uint(main.x()); tellBlock(); for (uint256 i = 1; i < 5; i++) emit log_bytes32(blockhash(i)); }
  function test_gas() public { vm.createSelectFork('main'); uint256 left = gasleft(); main.set(50); spent(left); left = gasleft(); main.set(7); spent(left); left = gasleft(); main.set(50); spent(left); }
  function test_twoWorlds() public {
    uint256 a = vm.createFork('main'); uint256 b = vm.createFork('two'); vm.selectFork(a);
    uint256 left = gasleft(); main.set(99); spent(left); vm.selectFork(b); left = gasleft(); emit log_uint(main.x()); main.set(98); spent(left);
    vm.selectFork(a); left = gasleft(); emit log_uint(main.x()); main.set(97); spent(left); vm.selectFork(b); left = gasleft(); emit log_uint(main.x()); spent(left); emit log_bytes32(blockhash(1));
  }
  function test_rolled() public { vm.createSelectFork('main'); main.set(77); vm.rollFork(3); uint256 left = gasleft(); emit log_uint(main.x()); spent(left); tellBlock(); vm.rollFork(5); emit log_uint(main.x()); }
  function test_rolledOther() public { uint256 a = vm.createFork('main'); vm.createSelectFork('two'); vm.rollFork(a, 2); emit log_uint(main.x()); vm.selectFork(a); emit log_uint(main.x()); tellBlock(); }
  function test_changedBefore() public { own = 5; vm.deal(address(5), 4); uint256 a = vm.createSelectFork('main'); emit log_uint(address(5).balance); emit log_uint(own); own = 6; vm.createSelectFork('two'); emit log_uint(address(5).balance); emit log_uint(own); vm.selectFork(a); emit log_uint(own); }
  function test_pranked() public { vm.startPrank(address(8)); vm.createSelectFork('main'); main.set(55); emit log_uint(main.by(address(8))); vm.createSelectFork('two'); main.set(54); emit log_uint(main.by(address(8))); }
  function test_persistent() public { vm.makePersistent(address(box)); vm.createSelectFork('main'); box.set(9); vm.createSelectFork('two'); uint256 left = gasleft(); emit log_uint(box.v()); spent(left); }
  function test_made() public { uint256 a = vm.createSelectFork('main'); Box made = new Box(); made.set(4); vm.createSelectFork('two'); emit log_uint(address(made).code.length); vm.selectFork(a); emit log_uint(made.v()); }
  function test_snapshot() public { vm.createSelectFork('main'); uint256 id = vm.snapshotState(); main.set(9); vm.createSelectFork('two'); vm.revertToState(id); emit log_uint(vm.activeFork()); emit log_uint(main.x()); }
  function test_printed() public { uint256 a = vm.createFork('main'); uint256 b = vm.createSelectFork('two'); print(); vm.selectFork(a); uint256 left = gasleft(); print(); spent(left); left = gasleft(); print(); spent(left); vm.selectFork(b); left = gasleft(); print(); spent(left); vm.rollFork(3); left = gasleft(); print(); spent(left); }
  function test_ofTransaction() public { vm.createSelectFork('main', bytes32(0x5ba55f00dadcec1bfb75055729c8e841322a69dd3a43f2f444551a7f86e8c2ed)); emit log_uint(main.x()); tellBlock(); emit log_uint(block.prevrandao); emit log_uint(uint160(address(block.coinbase))); emit log_bytes32(blockhash(block.number - 1)); }
  function test_ahead() public { vm.createSelectFork('main', 4); vm.roll(500); emit log_bytes32(blockhash(499)); vm.roll(6); emit log_bytes32(blockhash(3)); vm.createSelectFork('two'); vm.roll(9); emit log_bytes32(blockhash(8)); }
  function test_elsewhere() public { vm.createSelectFork('main'); Box made = new Box(); vm.createSelectFork('two'); made.v(); }
  function test_nowhere() public { vm.createFork('two'); vm.createSelectFork('main'); Box(address(0x1234)).v(); }
  function test_nowhereAlone() public { vm.createSelectFork('main'); Box(address(0x1234)).v(); }
  function test_nowherePersistent() public { vm.makePersistent(address(0x1234)); vm.createSelectFork('main'); Box(address(0x1234)).v(); }
  function test_leftBehind() public { vm.createSelectFork('main'); box.v(); }
  function test_elsewhereUnread() public { vm.createSelectFork('main'); Box made = new Box(); vm.createSelectFork('two'); made.set(1); }
  function test_elsewhereThenOther() public { vm.createSelectFork('main'); Box made = new Box(); vm.createSelectFork('two'); (bool ok,) = address(made).call(abi.encodeCall(made.v, ())); ok; main.set(5); require(false); }
  function test_elsewhereThenReason() public { vm.createSelectFork('main'); Box made = new Box(); vm.createSelectFork('two'); (bool ok,) = address(made).call(abi.encodeCall(made.v, ())); ok; require(false, 'mine'); }
  function test_paidThenBare() public { vm.createSelectFork('main'); vm.deal(address(this), 1); payable(address(0x777)).transfer(1); require(false); }
  function test_elsewhereInside() public { vm.createSelectFork('main'); Box made = new Box(); vm.createSelectFork('two'); this.inside(made); }
  function inside(Box made) external view { made.v(); }
  function test_elsewhereCaught() public { vm.createSelectFork('main'); Box made = new Box(); vm.createSelectFork('two'); try this.inside(made) {} catch {} require(false); }
  function test_warped() public { uint256 a = vm.createSelectFork('main'); vm.warp(5); vm.createSelectFork('two'); tellBlock(); vm.selectFork(a); tellBlock(); }
}
contract SetUpTest is Forking {
  Box box;
  function setUp() public { vm.createSelectFork('main', 4); box = new Box(); box.set(3); vm.deal(address(7), 8); }
  function test_kept() public { emit log_uint(vm.activeFork()); emit log_uint(main.x()); emit log_uint(box.v()); emit log_uint(address(7).balance); tellBlock(); }
  function test_rolled() public { main.set(4); vm.rollFork(5); emit log_uint(main.x()); emit log_uint(box.v()); }
}
`
