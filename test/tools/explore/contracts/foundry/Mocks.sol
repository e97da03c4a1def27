// SPDX-License-Identifier: MIT
// What mocks of calls and of functions do in one call. Each function holds or fails as recorded.json says.
pragma solidity ^0.8.20;

import {Std, vm} from "./Std.sol";

contract Token {
    mapping(address => uint256) public balanceOf; uint256 public total;
    function mint(address to, uint256 amount) external { balanceOf[to] += amount; total += amount; }
    function pay() external payable returns (uint256) { return msg.value; }
    function who() external view returns (address) { return msg.sender; }
    function why() external pure returns (uint256) { revert("why"); }
}

contract Model { uint256 gap; uint256 public total = 5; function mint(address, uint256 amount) external { total = 2 * amount; } function pay() external payable returns (uint256) { return 77; } }

contract Asker {
    Token immutable token;
    constructor(Token it) { token = it; }
    function balance(address who) external view returns (uint256) { return token.balanceOf(who); }
    function by() external returns (uint256) { (bool ok, bytes memory data) = address(token).delegatecall(abi.encodeCall(token.total, ())); require(ok); return abi.decode(data, (uint256)); }
}

contract Mocks is Std {
    Token t = new Token(); Asker a = new Asker(t); address constant NOBODY = address(0xabc);
    function balanceOf(address who) internal view returns (bytes memory) { return abi.encodeCall(t.balanceOf, (who)); }

    function test_mock() external { vm.mockCall(address(t), balanceOf(address(1)), abi.encode(7)); require(t.balanceOf(address(1)) == 7 && t.balanceOf(address(2)) == 0); }
    function test_mockInside() external { vm.mockCall(address(t), balanceOf(address(1)), abi.encode(7)); require(a.balance(address(1)) == 7); }
    function test_mockSelector() external { vm.mockCall(address(t), t.balanceOf.selector, abi.encode(7)); require(t.balanceOf(address(1)) == 7 && t.total() == 0); }
    function test_mockPrefix() external { vm.mockCall(address(t), abi.encodePacked(t.balanceOf.selector), abi.encode(7)); require(t.balanceOf(address(2)) == 7); }
    function test_mockAllCalls() external { vm.mockCall(address(t), bytes(""), abi.encode(9)); require(t.total() == 9 && t.balanceOf(address(2)) == 9); }
    function test_mockExactBeforePrefix() external {
        vm.mockCall(address(t), balanceOf(address(1)), abi.encode(7)); vm.mockCall(address(t), abi.encodePacked(t.balanceOf.selector), abi.encode(8));
        require(t.balanceOf(address(1)) == 7 && t.balanceOf(address(2)) == 8);
    }
    function test_mockAgain() external { vm.mockCall(address(t), balanceOf(address(1)), abi.encode(7)); vm.mockCall(address(t), balanceOf(address(1)), abi.encode(8)); require(t.balanceOf(address(1)) == 8); }
    function test_mockWithoutCode() external { vm.mockCall(NOBODY, balanceOf(address(1)), abi.encode(7)); require(Token(NOBODY).balanceOf(address(1)) == 7 && NOBODY.code.length == 1); }
    function test_mockWithoutCodeOtherCall() external { vm.mockCall(NOBODY, balanceOf(address(1)), abi.encode(7)); require(Token(NOBODY).balanceOf(address(2)) == 7); }
    function test_mockValueWithoutCode() external { vm.mockCall(NOBODY, 1, abi.encodeCall(t.pay, ()), abi.encode(7)); vm.deal(address(this), 5); require(Token(NOBODY).pay{value: 1}() == 7); }
    function test_mockRevertWithoutCode() external { vm.mockCallRevert(NOBODY, abi.encodeCall(t.pay, ()), bytes("no")); require(NOBODY.code.length == 0); }
    function test_mockDoesNotRunCode() external { vm.mockCall(address(t), t.mint.selector, ""); t.mint(address(1), 5); require(t.total() == 0); }
    function test_mockOfValue() external {
        vm.deal(address(this), 10); vm.mockCall(address(t), 5, abi.encodeCall(t.pay, ()), abi.encode(7));
        require(t.pay{value: 5}() == 7 && t.pay{value: 4}() == 4);
    }
    function test_mockMovesValue() external { vm.deal(address(this), 10); vm.mockCall(address(t), t.pay.selector, abi.encode(7)); t.pay{value: 4}(); require(address(t).balance == 4 && address(this).balance == 6); }
    function test_mockMovesNoValue() external { vm.deal(address(this), 10); vm.mockCall(address(t), t.pay.selector, abi.encode(7)); t.pay{value: 4}(); require(address(t).balance == 0 && address(this).balance == 10); }
    function test_mockValueOfNone() external { vm.mockCall(address(t), 0, abi.encodeCall(t.total, ()), abi.encode(7)); require(t.total() == 7); }
    function test_mockTheMoreSpecific() external {
        vm.deal(address(this), 10); vm.mockCall(address(t), abi.encodeCall(t.pay, ()), abi.encode(1)); vm.mockCall(address(t), 3, abi.encodeCall(t.pay, ()), abi.encode(2));
        require(t.pay{value: 3}() == 2 && t.pay{value: 4}() == 1);
    }
    function test_mockLongestPrefix() external {
        vm.mockCall(address(t), abi.encodePacked(t.balanceOf.selector), abi.encode(1)); vm.mockCall(address(t), abi.encodePacked(t.balanceOf.selector, bytes12(0)), abi.encode(2));
        require(t.balanceOf(address(3)) == 2);
    }
    function test_mockRevert() external { vm.mockCallRevert(address(t), balanceOf(address(1)), abi.encodeWithSignature("Error(string)", "mocked")); t.balanceOf(address(1)); }
    function test_mockRevertIsCaught() external {
        vm.mockCallRevert(address(t), t.balanceOf.selector, abi.encodeWithSignature("Error(string)", "mocked"));
        try t.balanceOf(address(1)) { revert("held"); } catch Error(string memory why) { require(keccak256(bytes(why)) == keccak256("mocked")); }
    }
    function test_mockRevertExpected() external { vm.mockCallRevert(address(t), t.balanceOf.selector, bytes("mocked")); vm.expectRevert(bytes("mocked")); t.balanceOf(address(1)); }
    function test_mockRevertExpectedInside() external { vm.mockCallRevert(address(t), t.balanceOf.selector, bytes("mocked")); vm.expectRevert(bytes("mocked")); a.balance(address(1)); }
    function test_mockThenRevert() external { vm.mockCall(address(t), balanceOf(address(1)), abi.encode(7)); vm.mockCallRevert(address(t), balanceOf(address(1)), abi.encodeWithSignature("Error(string)", "no")); t.balanceOf(address(1)); }
    function test_mocksInOrder() external {
        bytes[] memory list = new bytes[](2); list[0] = abi.encode(1); list[1] = abi.encode(2);
        vm.mockCalls(address(t), balanceOf(address(1)), list); require(t.balanceOf(address(1)) == 1 && t.balanceOf(address(1)) == 2 && t.balanceOf(address(1)) == 2);
    }
    function test_mocksOfValueInOrder() external {
        bytes[] memory list = new bytes[](2); list[0] = abi.encode(1); list[1] = abi.encode(2); vm.deal(address(this), 10);
        vm.mockCalls(address(t), 1, abi.encodeCall(t.pay, ()), list); require(t.pay{value: 1}() == 1 && t.pay{value: 2}() == 2 && t.pay{value: 1}() == 2);
    }
    function test_mocksNone() external { vm.mockCalls(address(t), balanceOf(address(1)), new bytes[](0)); require(t.balanceOf(address(1)) == 0); }
    function test_clear() external { vm.mockCall(address(t), balanceOf(address(1)), abi.encode(7)); vm.clearMockedCalls(); require(t.balanceOf(address(1)) == 0); }
    function test_mockAndPrank() external { vm.mockCall(address(t), t.total.selector, abi.encode(7)); vm.prank(address(9)); t.total(); require(t.who() == address(this)); }
    function test_mockAndStartPrank() external { vm.mockCall(address(t), t.total.selector, abi.encode(7)); vm.startPrank(address(9)); t.total(); vm.startPrank(address(8)); }
    function test_mockAndExpectCall() external { vm.mockCall(address(t), t.total.selector, abi.encode(7)); vm.expectCall(address(t), abi.encodeCall(t.total, ())); t.total(); }
    function test_mockByDelegatecall() external { vm.mockCall(address(t), t.total.selector, abi.encode(7)); require(a.by() == 7); }
    function mocking() external { vm.mockCall(address(t), t.total.selector, abi.encode(7)); revert("undone"); }
    function test_mockOfACallThatFails() external { try this.mocking() {} catch {} require(t.total() == 7); }
    function test_function() external { Model m = new Model(); vm.mockFunction(address(t), address(m), abi.encodeWithSelector(t.mint.selector)); t.mint(address(1), 4); require(t.total() == 8); }
    function test_functionOfOneArgument() external {
        Model m = new Model(); vm.mockFunction(address(t), address(m), abi.encodeCall(t.mint, (address(1), 4)));
        t.mint(address(1), 4); require(t.total() == 8); t.mint(address(1), 5); require(t.total() == 13);
    }
    function test_functionOfValue() external { Model m = new Model(); vm.deal(address(this), 5); vm.mockFunction(address(t), address(m), abi.encodeWithSelector(t.pay.selector)); require(t.pay{value: 2}() == 77 && address(t).balance == 2); }
    function test_functionIsNotCleared() external { Model m = new Model(); vm.mockFunction(address(t), address(m), abi.encodeWithSelector(t.mint.selector)); vm.clearMockedCalls(); t.mint(address(1), 4); require(t.total() == 8); }
    function test_functionAndMock() external { Model m = new Model(); vm.mockFunction(address(t), address(m), abi.encodeWithSelector(t.pay.selector)); vm.mockCall(address(t), t.pay.selector, abi.encode(5)); require(t.pay() == 5); }
    function test_mockOfACallWithValue() external { vm.deal(address(this), 5); vm.mockCall(address(t), abi.encodeCall(t.pay, ()), abi.encode(9)); require(t.pay{value: 2}() == 9 && address(t).balance == 2); }
    function test_mockOfAnUnpaidCall() external { vm.deal(address(this), 5); vm.mockCall(address(t), abi.encodeCall(t.pay, ()), abi.encode(9)); (bool ok,) = address(t).call{value: 6}(abi.encodeCall(t.pay, ())); require(!ok); }
    function test_mockRevertOfAnUnpaidCall() external { vm.deal(address(this), 5); vm.mockCallRevert(address(t), abi.encodeCall(t.pay, ()), "why"); (bool ok, bytes memory data) = address(t).call{value: 6}(abi.encodeCall(t.pay, ())); require(!ok && data.length == 3); }
}
