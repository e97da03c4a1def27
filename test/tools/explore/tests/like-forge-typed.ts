// Solidity tests of the hashes of EIP-712, of values wider than their types as well, held against what forge 1.7.1 says
// of them, in like-forge-typed.json.

export const TYPED = String.raw`// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  
  function eip712HashStruct(string calldata, bytes calldata) external pure returns (bytes32);
  function eip712HashStruct(string calldata, string calldata, bytes calldata) external pure returns (bytes32);
  function eip712HashType(string calldata) external pure returns (bytes32);
  function eip712HashType(string calldata, string calldata) external pure returns (bytes32);
  function eip712HashTypedData(string calldata) external pure returns (bytes32);
}
contract Test { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log(string); event log_bytes(bytes); event log_bytes32(bytes32); }
contract EipTTest is Test {
  function hs(string memory t, bytes memory d) internal { try vm.eip712HashStruct(t, d) returns (bytes32 h) { emit log_bytes32(h); } catch (bytes memory e) { emit log_bytes(e); assembly { e := add(e, 68) } emit log(string(e)); } }
  function ht(string memory t) internal { try vm.eip712HashType(t) returns (bytes32 h) { emit log_bytes32(h); } catch (bytes memory e) { assembly { e := add(e, 68) } emit log(string(e)); } }
  function hd(string memory t) internal { try vm.eip712HashTypedData(t) returns (bytes32 h) { emit log_bytes32(h); } catch (bytes memory e) { assembly { e := add(e, 68) } emit log(string(e)); } }
  function test_wide() public { hs("A(uint8 x)", abi.encode(256)); hs("A(uint8 x)", abi.encode(255)); hs("A(int8 x)", abi.encode(-1)); hs("A(int8 x)", abi.encode(200)); hs("A(int8 x)", abi.encode(-200)); }
  function test_wideAddress() public { hs("A(address x)", abi.encode(type(uint256).max)); hs("A(address x)", abi.encode(address(5))); }
  function test_wideBool() public { hs("A(bool x)", abi.encode(2)); hs("A(bool x)", abi.encode(1)); }
  function test_wideBytes() public { hs("A(bytes4 x)", abi.encode(bytes32(type(uint256).max))); hs("A(bytes4 x)", abi.encode(bytes4(0x11223344))); }
  function test_wideArr() public { uint256[] memory a = new uint256[](2); a[0] = 256; a[1] = 1; hs("A(uint8[] x)", abi.encode(a)); hs("A(uint8[2] x)", abi.encode([uint256(256), 1])); }
  function test_nested() public { hs("A(B b)B(uint8 y)", abi.encode(uint256(300))); hs("A(B b,uint16 z)B(uint8 y,bool q)", abi.encode(uint256(300), uint256(7), uint256(70000))); }
  function test_short() public { hs("A(uint8 x)", ""); hs("A(uint8 x)", hex"01"); hs("A(uint8 x)", abi.encode(1, 2)); hs("A(string s)", abi.encode("x")); hs("A(string s)", abi.encode(uint256(32), uint256(1))); }
  function test_types() public { ht("A(uint8 x)"); ht("A(B b)B(uint8 y)"); ht("A(B b,C c)C(uint y)B(uint8 y)"); ht("A( uint8  x )"); ht("A(uint x)"); ht("A(int x)"); ht("A(B b)"); ht("A(uint8)"); ht("A(uint8 x) "); ht("B(uint8 y)A(B b)"); ht("A(A a)"); ht("A(B[] b)B(A a)"); ht("A()"); ht("A(uint8 x,)"); ht("A(foo x)"); ht("A(uint7 x)"); ht("A(bytes33 x)"); ht("A(mapping x)"); }
}
contract Eip2Test is Test {
  function ht(string memory t) internal { try vm.eip712HashType(t) returns (bytes32 h) { emit log_bytes32(h); } catch (bytes memory e) { assembly { e := add(e, 68) } emit log(string(e)); } }
  function hs(string memory t, bytes memory d) internal { try vm.eip712HashStruct(t, d) returns (bytes32 h) { emit log_bytes32(h); } catch (bytes memory e) { assembly { e := add(e, 68) } emit log(string(e)); } }
  function test_a() public { ht("A( uint8 x)"); ht("A(uint8  x)"); ht("A(uint8 x )"); ht("A(uint8 x, uint8 y)"); ht("A (uint8 x)"); ht("A(uint8 memory x)"); ht(" A(uint8 x)"); ht("A(uint8 x,uint8)"); ht("A(uint8\tx)"); }
  function test_b() public { hs("A(bytes4 x)", abi.encode(bytes32(type(uint256).max))); emit log_bytes32(keccak256(abi.encode(keccak256("A(bytes4 x)"), bytes32(type(uint256).max)))); hs("A(uint8 x)", abi.encode(256)); emit log_bytes32(keccak256(abi.encode(keccak256("A(uint8 x)"), 256)));  hs("A(int8 x)", abi.encode(200)); emit log_bytes32(keccak256(abi.encode(keccak256("A(int8 x)"), 200))); hs("A(string x)", abi.encode(bytes(hex"ff41"))); emit log_bytes32(keccak256(abi.encode(keccak256("A(string x)"), keccak256(hex"ff41")))); emit log_bytes32(keccak256(abi.encode(keccak256("A(string x)"), keccak256(hex"efbfbd41")))); }
  function test_c() public { hs("A(B[] b)B(uint8 y)", abi.encode([uint256(300), 2])); uint256[] memory a = new uint256[](2); a[0] = 300; hs("A(B[] b)B(uint8 y)", abi.encode(a)); hs("A(B[2] b)B(uint8 y)", abi.encode(uint256(300), uint256(4))); hs("A(B b,string s)B(string y)", abi.encode(uint256(1))); hs("A(function f)", abi.encode(this.test_a)); hs("A(uint8[][] b)", abi.encode(new uint8[][](1))); hs("A(uint8[2][] b)", abi.encode(new uint8[2][](1)));  }
  function test_d() public { hs("A(uint8 x,uint8 x)", abi.encode(1, 2)); hs("A(uint8 __proto__)", abi.encode(1)); hs("A()", ""); hs("A(B b)B(A a)", ""); hs("A(A[] a)", abi.encode(new uint256[](0))); hs("A(string memory x)", abi.encode("x")); }
}
`
