// Solidity tests of typed data in JSON and of descriptions of types, held against what forge 1.7.1 says
// of them, in like-forge-typed-json.json.

export const TYPED_JSON = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  
  
}
contract Test { Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D); event log(string); event log_bytes(bytes); }
abstract contract Asking is Test {
  function ask(string memory signature, bytes memory args) internal {
    (bool ok, bytes memory data) = address(vm).call(abi.encodePacked(bytes4(keccak256(bytes(signature))), args));
    if (ok) { emit log_bytes(data); return; }
    assembly { data := add(data, 68) }
    emit log(string(data));
  }
  function digest(string memory json) internal { ask('eip712HashTypedData(string)', abi.encode(json)); }
  function value(string memory type_, string memory given) internal { digest(string.concat('{"types":{"EIP712Domain":[{"name":"name","type":"string"}],"P":[{"name":"x","type":"', type_, '"}]},"primaryType":"P","domain":{"name":"n"},"message":{"x":', given, '}}')); }
  function shape(string memory rest) internal { digest(string.concat('{"types":{"P":[{"name":"x","type":"uint256"}]},', rest, '}')); }
}
contract ValuesTest is Asking {
  function test_fixedBytes() public { value('bytes4', '"0x11223344"'); value('bytes4', '"0x1122"'); value('bytes4', '"0x112233445566"'); value('bytes4', '"0x"'); value('bytes4', '"0x1"'); value('bytes4', '5'); value('bytes4', '[1,2,3,4]'); value('bytes4', '"11223344"'); value('bytes32', '"0x11"'); value('bytes', '"11"'); value('bytes', '[1,2]'); value('bytes', '[1,256]'); value('bytes', '"hi"'); }
  function test_numbers() public { value('uint8', '256'); value('uint8', '"0x5"'); value('uint8', '-1'); value('uint256', '1.5'); value('uint256', 'null'); value('int8', '-129'); value('int8', '"-5"'); value('int256', '"-0x5"'); value('uint256', '1e3'); value('uint256', '123456789012345678901234567890'); value('uint256', '"123456789012345678901234567890"'); value('uint256', '""'); value('uint256', '"0b11"'); value('uint', '5'); value('uint7', '5'); }
  function test_others() public { value('bool', '"true"'); value('bool', '1'); value('address', '"0x01"'); value('address', '"0000000000000000000000000000000000000001"'); value('string', '5'); value('string', '"hi"'); value('Q', '{}'); value('uint256[]', '5'); value('uint256[2]', '[1,2]'); value('uint256[2]', '[1]'); value('string[]', '["a",1]'); value('uint256[][]', '[[1],[2,3]]'); value('P', '{"x":null}'); value('P[]', '[]'); }
}
contract ShapesTest is Asking {
  function test_wholes() public { digest('{}'); digest('[]'); digest('{"types":{},"primaryType":"P","domain":{},"message":{}}'); digest('{"types":{"P":[]},"primaryType":"P","domain":{},"message":{}}'); digest('{"types":{"P":[{"name":"x"}]},"primaryType":"P","domain":{},"message":{"x":1}}'); }
  function test_parts() public { shape('"primaryType":"P","domain":{},"message":{}'); shape('"primaryType":"P","domain":{"name":"n","chainId":1},"message":{"x":1,"y":2}'); shape('"primaryType":"P","domain":{"name":5},"message":{"x":1}'); shape('"primaryType":"P","message":{"x":1}'); shape('"primaryType":"P","domain":{}'); shape('"primaryType":"P","domain":{"foo":1},"message":{"x":1}'); shape('"primaryType":"P","domain":{"salt":"0x01"},"message":{"x":1}'); shape('"primaryType":"P","domain":{},"message":5'); shape('"primaryType":"EIP712Domain","domain":{"name":"n"},"message":{}'); }
  function test_structs() public { ask('eip712HashStruct(string,bytes)', abi.encode('P(uint256 x)Q(uint256 y)', abi.encode(1))); ask('eip712HashType(string)', abi.encode('P(uint256 x)Q(uint256 y)')); ask('parseJsonType(string,string)', abi.encode('{"a":1}', 'A(A a)')); ask('parseJsonType(string,string)', abi.encode('{"a":1}', 'A(B a)B(A b)')); ask('parseJsonType(string,string)', abi.encode('{"a":1}', 'A(uint257 a)')); ask('parseJsonType(string,string)', abi.encode('{"a":[{"b":1}]}', 'A(B[] a)')); }
}
`
