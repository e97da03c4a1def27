// Tables and fuzz tests with fixtures of all kinds, and ends of invariants, held against what forge 1.7.1 says
// of them, in like-forge-tables.json.

export const TABLES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  
  
}
contract Test { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log_uint(uint256); }
struct Pair { uint256 a; uint256 b; }
contract GetterTest is Test {
  Pair[] public fixtureP; string[] public fixtureS = ['a', 'b']; uint8[] public fixtureU = [1, 2]; uint256 public fixtureOne = 5; uint256[][] public fixtureNest; uint256[] public fixtureK = [1, 2, 3];
  function setUp() public { fixtureP.push(Pair(1, 2)); fixtureP.push(Pair(3, 4)); fixtureNest.push([1, 2]); }
  function tablePairs(Pair memory p) public { emit log_uint(p.b); }
  function tableTexts(uint256 s) public { emit log_uint(s); }
  function tableSmall(uint256 u) public { emit log_uint(u); }
  function tableOne(uint256 one) public { emit log_uint(one); }
  function tableNested(uint256[] memory nest) public { emit log_uint(nest.length); }
  function tableFields(uint256 p) public { emit log_uint(p); }
  function tableLogs(uint256 k) public { emit log_uint(k); require(k != 2, 'two'); }
  function testFuzz_pairs(Pair memory p) public pure { require(p.b != 4, 'four'); }
  function testFuzz_texts(uint256 s) public pure { }
  function testFuzz_nested(uint256[] memory nest) public pure { }
}
contract FunctionTest is Test {
  function fixtureN() public pure returns (string[] memory s) { s = new string[](1); s[0] = 'x'; }
  function fixtureQ() public pure returns (uint256) { return 7; }
  function fixtureR() public pure returns (uint256[] memory r, uint256[] memory s) { r = new uint256[](1); r[0] = 9; s = new uint256[](1); }
  function fixtureW() public pure returns (uint256[] memory) { revert('w'); }
  function tableTexts(uint256 n) public { emit log_uint(n); }
  function tableOne(uint256 q) public { emit log_uint(q); }
  function tableTwo(uint256 r) public { emit log_uint(r); }
  function tableReverts(uint256 w) public { emit log_uint(w); }
}
contract Counter { uint256 public n; function inc() external { n++; } }
contract TwoEndsTest is Test { Counter c = new Counter(); function afterInvariant() public {} function afterInvariant(uint256) public {} function invariant_x() public view {} }
contract OtherEndTest is Test { Counter c = new Counter(); function afterInvariant(uint256) public {} function invariant_x() public view {} }
contract OddGetterTest is Test {
  mapping(address => uint256) public fixtureFoo; function fixtureBar(string memory) public pure returns (uint256) { return 1; } function fixtureBaz(uint8) public pure returns (uint256) { return 1; } function fixtureTwo(uint256, uint256) public pure returns (uint256) { return 1; }
  function tableFoo(uint256 foo) public pure {} function tableBar(uint256 bar) public pure {} function tableBaz(uint256 baz) public pure {} function tableTwo(uint256 two) public pure {} function testFuzz_foo(uint256 foo) public pure {}
}
`
