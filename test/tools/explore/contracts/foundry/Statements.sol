// SPDX-License-Identifier: MIT
// What cheatcodes do in one call. Each function holds or fails as recorded.json says.
pragma solidity ^0.8.20;

import {Std, vm} from "./Std.sol";

contract Who {
    error Bad(uint256 number);
    uint256 public n;
    function who() external view returns (address) { return msg.sender; }
    function origin() external view returns (address) { return tx.origin; }
    function deepOrigin() external view returns (address) { return this.origin(); }
    function set() external { n++; }
    function bad(uint256 x) external { n++; if (x > 0) revert Bad(x); }
    function why() external pure { revert("why"); }
    function deeper() external view { this.why(); }
    function plain() external pure returns (uint256) { revert(); }
    function panic() external pure returns (uint256) { assert(false); return 1; }
}

contract Nobody { function who() external pure returns (address) { return address(0); } }

contract Fails { constructor() { revert("constructor"); } }

library Lib {
    function prank(address as_) public { vm.prank(as_); }
    function prankAndAsk(address as_, Who who) public returns (address) { vm.prank(as_); return who.who(); }
    function ask(Who who) public view returns (address) { return who.who(); }
    function start(address as_) public { vm.startPrank(as_); }
    function stop() public { vm.stopPrank(); }
    function assertWrong() public pure { vm.assertEq(uint256(1), 2); }
}

contract Statements is Std {
    function refused(bytes memory call, string memory words) internal {
        (bool ok, bytes memory data) = address(vm).call(call);
        require(!ok && keccak256(data) == keccak256(abi.encodeWithSignature("CheatcodeError(string)", words)), string(data));
    }
    function prankCall(address as_) internal pure returns (bytes memory) { return abi.encodeWithSignature("prank(address)", as_); }

    function test_prankFromALibraryIsOfItsDepth() external {
        Who w = new Who(); Lib.prank(address(1)); require(w.who() == address(this)); require(w.who() == address(this));
    }
    function test_prankWithinALibrary() external {
        Who w = new Who(); require(Lib.prankAndAsk(address(2), w) == address(2)); require(w.who() == address(this));
    }
    function test_prankFromALibraryStays() external {
        Who w = new Who(); Lib.prank(address(1)); Lib.prankAndAsk(address(2), w);
    }
    function test_prankIsNotThatOfALibrary() external {
        Who w = new Who(); vm.prank(address(3)); require(Lib.ask(w) == address(this)); require(w.who() == address(this));
    }
    function test_startPrankFromALibrary() external {
        Who w = new Who(); Lib.start(address(4)); require(w.who() == address(this)); require(Lib.ask(w) == address(4));
        vm.stopPrank(); require(w.who() == address(this)); require(Lib.ask(w) == address(4));
    }
    function test_stopPrankFromALibrary() external {
        Who w = new Who(); vm.startPrank(address(5)); require(Lib.ask(w) == address(this)); Lib.stop(); require(w.who() == address(5));
    }
    function test_delegatecallOfCheatcodesDoesNothing() external {
        Who w = new Who(); (bool ok, bytes memory data) = address(vm).delegatecall(prankCall(address(6)));
        require(ok && data.length == 0 && w.who() == address(this));
    }
    function test_prankTwice() external {
        vm.prank(address(1));
        refused(prankCall(address(2)), "vm.prank: cannot overwrite a prank until it is applied at least once");
    }
    function test_prankWhileAnotherLasts() external {
        Who w = new Who(); vm.startPrank(address(1)); w.who();
        refused(prankCall(address(2)), "vm.prank: cannot override an ongoing prank with a single vm.prank; use vm.startPrank to override the current prank");
        vm.startPrank(address(2)); require(w.who() == address(2));
    }
    function leavePrank() external { vm.prank(address(9)); }
    function test_prankOfACallThatIsOver() external { Who w = new Who(); this.leavePrank(); require(w.who() == address(this)); }
    function test_origin() external {
        Who w = new Who(); address before = tx.origin; vm.prank(address(1), address(2));
        require(w.deepOrigin() == address(2)); require(tx.origin == before && w.origin() == before);
        vm.startPrank(address(1), address(3)); require(w.origin() == address(3) && w.deepOrigin() == address(3));
        require(w.who() == address(1)); vm.stopPrank(); require(w.origin() == before);
    }
    function test_consoleDoesNotUseAPrank() external view_ {}
    modifier view_() {
        Who w = new Who(); vm.prank(address(7));
        (bool ok,) = 0x000000000000000000636F6e736F6c652e6c6f67.call(abi.encodeWithSignature("log(uint256)", 1));
        require(ok && w.who() == address(7)); _;
    }

    function test_expectAny() external { Who w = new Who(); vm.expectRevert(); w.bad(3); require(w.n() == 0); }
    function test_expectBytes() external {
        Who w = new Who();
        vm.expectRevert(abi.encodeWithSelector(Who.Bad.selector, 3)); w.bad(3);
        vm.expectRevert(bytes("why")); w.why(); vm.expectRevert(bytes("why")); w.deeper();
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "why")); w.why();
        vm.expectRevert(bytes("")); w.plain(); vm.expectPartialRevert(Who.Bad.selector); w.bad(4);
    }
    function test_expectSelectorOfAnErrorWithArguments() external { Who w = new Who(); vm.expectRevert(Who.Bad.selector); (bool ok,) = address(w).call(abi.encodeCall(w.bad, (3))); require(ok); }
    function test_expectOther() external { Who w = new Who(); vm.expectRevert(bytes("other")); w.why(); }
    function test_expectOfSuccess() external { Who w = new Who(); vm.expectRevert(); w.set(); }
    function test_expectOfNothing() external { vm.expectRevert(); }
    function test_expectTwice() external { vm.expectRevert(); vm.expectRevert(); }
    function test_expectOfAValue() external { Who w = new Who(); vm.expectRevert(); require(w.plain() == 0); vm.expectRevert(); require(w.panic() == 0); }
    function test_expectThenPrank() external {
        Who w = new Who(); vm.expectRevert(); vm.prank(address(1)); w.why(); require(w.who() == address(this));
        vm.prank(address(1)); vm.expectRevert(); w.why(); require(w.who() == address(this));
    }
    function test_expectOfACreation() external { vm.expectRevert(); Fails made = new Fails(); require(address(made) == address(1)); }
    function test_expectOfACheatcode() external { vm.expectRevert(); vm.assertTrue(false); }
    function test_expectOfALibrary() external { vm.expectRevert(); Lib.assertWrong(); }
    function test_expectOfALowLevelCall() external {
        Who w = new Who(); vm.expectRevert(); (bool ok, bytes memory data) = address(w).call(abi.encodeCall(w.why, ()));
        require(ok && data.length == 8192);
    }
    function expectTooMuch() external { Who w = new Who(); vm.expectRevert(); w.why(); vm.expectRevert(); }
    function test_expectOfACallThatIsOver() external { this.expectTooMuch(); }

    function test_words() external {
        refused(abi.encodeWithSignature("assertEq(uint256,uint256)", 1, 2), "assertion failed: 1 != 2");
        refused(abi.encodeWithSignature("assertEq(uint256,uint256,string)", 1, 2, "own"), "own: 1 != 2");
        refused(abi.encodeWithSignature("assertTrue(bool)", false), "assertion failed");
        refused(abi.encodeWithSignature("assertFalse(bool,string)", true, "own"), "own");
        refused(abi.encodeWithSignature("assertGe(int256,int256)", -2, 1), "assertion failed: -2 < 1");
        refused(abi.encodeWithSignature("assertEq(address,address)", 0xabcdef0123456789, 3),
            "assertion failed: 0x000000000000000000000000abCdEF0123456789 != 0x0000000000000000000000000000000000000003");
        refused(abi.encodeWithSignature("assertApproxEqAbs(int256,int256,uint256)", -10, 10, 5),
            "assertion failed: -10 !~= 10 (max delta: 5, real delta: 20)");
        refused(abi.encodeWithSignature("assertApproxEqRel(uint256,uint256,uint256,string)", 1000, 1003, 0.001e18, "own"),
            "own: 1000 !~= 1003 (max delta: 0.1000000000000000%, real delta: 0.2991026919242273%)");
        refused(abi.encodeWithSignature("assertApproxEqRel(int256,int256,uint256)", 10, -10, 0.1e18),
            "assertion failed: 10 !~= -10 (max delta: 10.0000000000000000%, real delta: 200.0000000000000000%)");
        refused(abi.encodeWithSignature("assertApproxEqRel(uint256,uint256,uint256)", 10, 0, 0.1e18),
            "assertion failed: 10 !~= 0 (max delta: 10.0000000000000000%, real delta: undefined)");
        refused(abi.encodeWithSignature("assertApproxEqRel(uint256,uint256,uint256)", type(uint256).max, 1, 1e18),
            "assertion failed: overflow in delta calculation");
        uint256[] memory two = new uint256[](2); two[1] = 5;
        refused(abi.encodeWithSignature("assertEq(uint256[],uint256[],string)", two, new uint256[](1), "own"), "own: [0, 5] != [0]");
        refused(abi.encodeWithSignature("addr(uint256)", 0), "vm.addr: private key cannot be 0");
        (bool ok, bytes memory data) = address(vm).call(abi.encodeWithSignature("assume(bool)", false));
        require(!ok && keccak256(data) == keccak256("FOUNDRY::ASSUME"));
    }
    function test_loadAndStore() external {
        Who w = new Who(); w.set(); require(vm.load(address(w), 0) == bytes32(uint256(1)));
        vm.store(address(w), 0, bytes32(uint256(7))); require(w.n() == 7); w.set(); require(vm.load(address(w), 0) == bytes32(uint256(8)));
        vm.store(address(0xabc), bytes32(uint256(5)), bytes32(uint256(6))); require(vm.load(address(0xabc), bytes32(uint256(5))) == bytes32(uint256(6)));
    }
    function test_etchAndNonce() external {
        Who w = new Who(); vm.etch(address(0xdef), address(w).code); require(Who(address(0xdef)).who() == address(this));
        uint64 nonce = vm.getNonce(address(this)); new Who(); require(vm.getNonce(address(this)) == nonce + 1);
    }
    function test_etchOfAnAccountThatWasCalled() external {
        Who w = new Who(); Nobody n = new Nobody(); for (uint256 i; i < 3; i++) require(w.who() == address(this));
        vm.etch(address(w), address(n).code); for (uint256 i; i < 3; i++) require(w.who() == address(0));
    }
    function test_toString() external pure { require(keccak256(bytes(vm.toString(uint256(12)))) == keccak256("12")); }
    function test_timeInOneFrame() external {
        uint256 time = block.timestamp; skip(100); require(block.timestamp == time + 100); rewind(50); require(block.timestamp == time + 50);
    }
    function test_names() external {
        require(makeAddr("alice") == 0x328809Bc894f92807417D2dAD6b7C998c1aFdac6);
        hoax(address(8), 3 ether); Who w = new Who(); require(w.who() == address(this) && address(8).balance == 3 ether);
    }
}
