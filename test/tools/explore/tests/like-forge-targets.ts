// Solidity tests of the targets of invariants, held against what forge 1.7.1 says
// of them, in like-forge-targets.json.

export const TARGETS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  
  function assertLt(uint256, uint256) external pure;
  function assertLt(uint256, uint256, string calldata) external pure;
  function assertLt(int256, int256) external pure;
  function assertLt(int256, int256, string calldata) external pure;
  function assume(bool) external pure;
  function deal(address, uint256) external;
  function skip(bool) external;
  function skip(bool, string calldata) external;
  function startPrank(address) external;
  function warp(uint256) external;
  function coinbase(address) external;
  function expectCall(address, bytes calldata) external;
}
contract Test { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);  }
contract Ctr { uint256 public n; uint256 public calls; function inc() external { n++; calls++; } function add(uint256 v) external { unchecked { n += v % 10; } calls++; } function fail() external { require(n > type(uint128).max, "always"); } function dec() external { require(n > 0, "zero"); n--; calls++; } function boom() external { calls++; assert(n < 1000000); } }
contract Ctr2 { uint256 public z; function bump() external { z++; } function bad() external pure { revert("bad"); } }
abstract contract Inv is Test { struct FuzzSelector { address addr; bytes4[] selectors; } struct FuzzArtifactSelector { string artifact; bytes4[] selectors; } struct FuzzInterface { address addr; string[] artifacts; } Ctr c; Ctr2 d; function setUp() public virtual { c = new Ctr(); d = new Ctr2(); } }
contract InvAllTest is Inv { function invariant_ok() public view { require(c.n() >= 0); } function invariant_small() public view { require(c.n() < 5, "n big"); } function invariant_z() public view { require(d.z() == 0, "z moved"); } }
contract InvTargetContractTest is Inv { function targetContracts() public view returns (address[] memory a) { a = new address[](1); a[0] = address(d); } function invariant_n() public view { require(c.n() == 0, "n"); } function invariant_z() public view { require(d.z() == 0, "z"); } }
contract InvExcludeContractTest is Inv { function excludeContracts() public view returns (address[] memory a) { a = new address[](1); a[0] = address(c); } function invariant_n() public view { require(c.n() == 0, "n"); } function invariant_z() public view { require(d.z() == 0, "z"); } }
contract InvSelectorTest is Inv { function targetSelectors() public view returns (FuzzSelector[] memory s) { s = new FuzzSelector[](1); bytes4[] memory b = new bytes4[](1); b[0] = Ctr.dec.selector; s[0] = FuzzSelector(address(c), b); } function invariant_n() public view { require(c.n() == 0, "n"); } function invariant_z() public view { require(d.z() == 0, "z"); } }
contract InvExcludeSelectorTest is Inv { function excludeSelectors() public view returns (FuzzSelector[] memory s) { s = new FuzzSelector[](2); bytes4[] memory b = new bytes4[](2); b[0] = Ctr.inc.selector; b[1] = Ctr.add.selector; s[0] = FuzzSelector(address(c), b); bytes4[] memory e = new bytes4[](1); e[0] = Ctr2.bump.selector; s[1] = FuzzSelector(address(d), e); } function invariant_n() public view { require(c.n() == 0, "n"); } function invariant_z() public view { require(d.z() == 0, "z"); } }
contract InvArtifactTest is Inv { function targetArtifacts() public pure returns (string[] memory s) { s = new string[](1); s[0] = "Ctr2"; } function invariant_n() public view { require(c.n() == 0, "n"); } function invariant_z() public view { require(d.z() == 0, "z"); } }
contract InvExcludeArtifactTest is Inv { function excludeArtifacts() public pure returns (string[] memory s) { s = new string[](1); s[0] = "Ctr2"; } function invariant_n() public view { require(c.n() == 0, "n"); } function invariant_z() public view { require(d.z() == 0, "z"); } }
contract InvArtifactSelectorTest is Inv { function targetArtifactSelectors() public pure returns (FuzzArtifactSelector[] memory s) { s = new FuzzArtifactSelector[](1); bytes4[] memory b = new bytes4[](1); b[0] = Ctr.dec.selector; s[0] = FuzzArtifactSelector("Ctr", b); } function invariant_n() public view { require(c.n() == 0, "n"); } function invariant_z() public view { require(d.z() == 0, "z"); } }
contract InvBadArtifactTest is Inv { function targetArtifacts() public pure returns (string[] memory s) { s = new string[](1); s[0] = "Nope"; } function invariant_n() public view { require(c.n() == 0, "n"); } }
contract InvInterfaceTest is Inv { Hidden h; function setUp() public override { h = new Hidden(); } function targetInterfaces() public view returns (FuzzInterface[] memory s) { s = new FuzzInterface[](1); string[] memory n = new string[](1); n[0] = "IHidden"; s[0] = FuzzInterface(address(h), n); } function invariant_h() public view { require(h.got() == 0, "got"); } }
interface IHidden { function hit() external; } contract Hidden { uint256 public got; fallback() external { got++; } }
contract InvSenderTest is Inv { SenderLog l; function setUp() public override { l = new SenderLog(); } function targetSenders() public pure returns (address[] memory a) { a = new address[](1); a[0] = address(0x1234); } function invariant_s() public view { require(l.last() == address(0) || l.last() == address(0x1234), "sender"); } }
contract SenderLog { address public last; function go() external { last = msg.sender; } }
contract InvExcludeSenderTest is Inv { SenderLog l; function setUp() public override { l = new SenderLog(); } function targetSenders() public pure returns (address[] memory a) { a = new address[](2); a[0] = address(0x1234); a[1] = address(0x5678); } function excludeSenders() public pure returns (address[] memory a) { a = new address[](1); a[0] = address(0x1234); } function invariant_s() public view { require(l.last() != address(0x1234), "sender"); } }
contract InvNoneTest is Test { function invariant_none() public {} }
contract InvAfterTest is Inv { function afterInvariant() public view { require(c.calls() < 3, "after"); } function invariant_ok() public view {} }
/// forge-config: default.invariant.runs = 1
/// forge-config: default.invariant.depth = 3
contract InvDepthTest is Inv { function afterInvariant() public view { require(c.calls() <= 3, "deep"); } function invariant_ok() public view {} }
contract InvAssertTest is Inv { Asserting a; function setUp() public override { a = new Asserting(); } function invariant_ok() public view {} }
contract Asserting { uint256 public k; function go() external { k++; require(k < 3, "k"); } function ass() external view { if (k == 2) assert(false); } }
contract InvVmAssertTest is Inv { VmAsserting a; function setUp() public override { a = new VmAsserting(); } function invariant_ok() public view {} }
contract VmAsserting is Test { uint256 public k; function go() external { k++; vm.assertLt(k, 3); } }
contract InvAssumeTest is Inv { Assuming a; function setUp() public override { a = new Assuming(); } function invariant_ok() public view { require(a.k() == 0, "k"); } }
contract Assuming is Test { uint256 public k; function go(uint256 x) external { vm.assume(x < 100); k++; } }
contract InvSetUpFailTest is Inv { function setUp() public override { revert("set"); } function invariant_ok() public view {} }
contract InvFirstTest is Inv { function invariant_bad() public pure { require(false, "first"); } function invariant_ok() public view {} }
contract InvPayTest is Inv { Payer a; function setUp() public override { a = new Payer(); vm.deal(address(0x1234), 100); } function targetSenders() public pure returns (address[] memory s) { s = new address[](1); s[0] = address(0x1234); } function invariant_ok() public view { require(a.got() == 0, "paid"); } }
contract Payer { uint256 public got; function pay() external payable { got += msg.value; } }
contract InvTimeTest is Inv { Timed a; function setUp() public override { a = new Timed(); } function invariant_t() public view { require(a.seen() < 100, "time"); } }
contract Timed is Test { uint256 public seen; function go() external { vm.warp(block.timestamp + 60); seen = block.timestamp; } }
contract InvSelfTest is Inv { uint256 k; function setUp() public override {} function go() public { k++; } function targetContracts() public view returns (address[] memory a) { a = new address[](1); a[0] = address(this); } function targetSelectors() public view returns (FuzzSelector[] memory s) { s = new FuzzSelector[](1); bytes4[] memory b = new bytes4[](1); b[0] = this.go.selector; s[0] = FuzzSelector(address(this), b); } function invariant_k() public view { require(k == 0, "k"); } }
contract InvStateful is Inv { function statefulFuzz_n() public view { require(c.n() < 2, "n"); } }
contract InvSkipTest is Inv { function invariant_skip() public { vm.${'skip'}(true); } function invariant_n() public view { require(c.n() == 0, "n"); } }
contract InvViewTest is Inv { ViewOnly v; function setUp() public override { v = new ViewOnly(); } function invariant_v() public view {} }
contract ViewOnly { function see() external pure returns (uint256) { return 1; } }
contract Guarded { address public owner = msg.sender; uint256 public n; address admin = address(0xabCDeF0123456789AbcdEf0123456789aBCDEF01); function byOwner() external { require(msg.sender == owner); n++; } function byAdmin() external { if (msg.sender == admin) n = 10; } }
contract InvOwnerTest is Inv { Guarded g; function setUp() public override { g = new Guarded(); } function invariant_owner() public view { require(g.n() == 0 || g.n() >= 10, "owner"); } function invariant_admin() public view { require(g.n() < 10, "admin"); } }
contract Joined { mapping(address => bool) joined; uint256 public users; bool public isContract; function join() external { if (!joined[msg.sender]) users++; joined[msg.sender] = true; if (msg.sender.code.length > 0) isContract = true; } }
contract InvUsersTest is Inv { Joined j; function setUp() public override { j = new Joined(); } function invariant_users() public view { require(j.users() < 6, "six"); } function invariant_contract() public view { require(!j.isContract(), "contract"); } }
contract InvNoSenderTest is Inv { Joined j; function setUp() public override { j = new Joined(); } function targetSenders() public pure returns (address[] memory a) { a = new address[](1); a[0] = address(5); } function excludeSenders() public pure returns (address[] memory a) { a = new address[](1); a[0] = address(5); } function invariant_users() public view { require(j.users() == 0, "one"); } }
contract Clock { uint256 public at; uint256 public number; function read() external { at = block.timestamp; number = block.number; } }
/// forge-config: default.invariant.max-time-delay = 86400
contract InvTimeDelayTest is Inv { Clock k; function setUp() public override { k = new Clock(); } function invariant_time() public view { require(k.at() < 1000, "late"); } function invariant_number() public view { require(k.number() <= 1, "rolled"); } }
/// forge-config: default.invariant.max-block-delay = 1000
contract InvBlockDelayTest is Inv { Clock k; function setUp() public override { k = new Clock(); } function invariant_time() public view { require(k.at() <= 1, "late"); } function invariant_number() public view { require(k.number() < 100, "rolled"); } }
contract InvOwnConfigTest is Inv { Asserting a; function setUp() public override { a = new Asserting(); }
  /// forge-config: default.invariant.fail-on-revert = true
  function invariant_strict() public pure {}
  function invariant_loose() public pure {} }
contract Factory { Ctr2 public made; function make() external { if (address(made) == address(0)) made = new Ctr2(); } }
contract InvMadeTest is Inv { Factory f; function setUp() public override { f = new Factory(); } function invariant_made() public view { require(address(f.made()) == address(0) || f.made().z() == 0, "later"); } }
contract InvMadeElsewhereTest is Inv { Factory f; function setUp() public override { f = new Factory(); } function targetContracts() public view returns (address[] memory a) { a = new address[](1); a[0] = address(f); } function invariant_made() public view { require(address(f.made()) == address(0) || f.made().z() == 0, "later"); } }
contract InvNoSelectorTest is Inv { function targetSelectors() public view returns (FuzzSelector[] memory s) { s = new FuzzSelector[](1); bytes4[] memory b = new bytes4[](1); b[0] = 0x12345678; s[0] = FuzzSelector(address(c), b); } function invariant_n() public view { require(c.n() == 0, "n"); } }
contract Locked { bool public isOpen; bytes32 key = keccak256(abi.encode(uint256(123456123456))); function open(uint256 code, address) external { if (keccak256(abi.encode(code)) == key) isOpen = true; } }
contract InvFixtureTest is Inv { Locked l; uint256[] public fixtureCode = [7, 123456123456]; function setUp() public override { l = new Locked(); } function invariant_locked() public view { require(!l.isOpen(), "open"); } }
contract Left is Test { SenderLog l = new SenderLog(); function fail() external { vm.startPrank(address(77)); vm.warp(123456); vm.coinbase(address(3)); vm.deal(address(88), 5); l.go(); revert('left'); } function look() external { l.go(); } function last() external view returns (address) { return l.last(); } }
contract InvLeftTest is Inv { Left l; function setUp() public override { l = new Left(); } function invariant_prank() public view { require(l.last() != address(77), "pranked"); } function invariant_time() public view { require(block.timestamp != 123456, "warped"); } function invariant_miner() public view { require(block.coinbase != address(3), "mined"); } function invariant_deal() public view { require(address(88).balance == 0, "dealt"); } }
contract InVain is Test { SenderLog l = new SenderLog(); function fail() external { vm.warp(123456); vm.expectCall(address(l), abi.encodeCall(l.go, ())); revert('left'); } function look() external { l.last(); } }
contract InvInVainTest is Inv { InVain l; function setUp() public override { l = new InVain(); } function targetContracts() public view returns (address[] memory a) { a = new address[](1); a[0] = address(l); } function invariant_time() public view { require(block.timestamp != 123456, "warped"); } }
`
