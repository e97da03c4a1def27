// SPDX-License-Identifier: MIT
// What the expectations of cheatcodes do in one call. Each function holds or fails as recorded.json says.
pragma solidity ^0.8.20;

import {Std, vm} from "./Std.sol";

contract Emitter {
    event Sent(address indexed from, address indexed to, uint256 amount);
    event Other(uint256 number);
    event Nameless(uint256 indexed number, uint256 data) anonymous;
    error Bad(uint256 number);
    receive() external payable {}
    function send(address to, uint256 amount) public payable { emit Sent(msg.sender, to, amount); }
    function sendTimes(address to, uint256 amount, uint256 times) external { for (uint256 i; i < times; i++) emit Sent(msg.sender, to, amount); }
    function other(uint256 number) external payable returns (uint256) { emit Other(number); return number; }
    function both(address to, uint256 amount) external { emit Other(1); emit Sent(msg.sender, to, amount); emit Other(2); }
    function nameless(uint256 number, uint256 data) external { emit Nameless(number, data); }
    function sendAndFail(address to, uint256 amount) external { emit Sent(msg.sender, to, amount); revert("after"); }
    function quiet() external pure returns (uint256) { return 5; }
    function bad(uint256 number) external pure { revert Bad(number); }
    function why() external pure { revert("why"); }
    function empty() external pure { revert(); }
}

contract Forwarder {
    Emitter immutable to;
    constructor(Emitter it) { to = it; }
    function send(address who, uint256 amount) external { to.send(who, amount); }
    function tried(address who, uint256 amount) external { try to.sendAndFail(who, amount) {} catch {} }
    function pay(uint256 number) external payable { to.other{value: msg.value}(number); }
    function twice(uint256 number) external { to.other(number); to.other(number); }
    function by(uint256 number) external { (bool ok,) = address(to).delegatecall(abi.encodeCall(to.other, (number))); require(ok); }
    function quiet() external view returns (uint256) { return to.quiet(); }
    function bad(uint256 number) external view { to.bad(number); }
    function caught(uint256 number) external view { try to.bad(number) {} catch {} revert("own"); }
}

contract Paid { constructor() payable {} }

contract Created { constructor(Emitter it) { it.other(7); } }

contract Expectations is Std {
    event Sent(address indexed from, address indexed to, uint256 amount);
    event Other(uint256 number);
    event Nameless(uint256 indexed number, uint256 data) anonymous;
    Emitter e = new Emitter(); Forwarder f = new Forwarder(e);

    function test_emit() external { vm.expectEmit(); emit Sent(address(this), address(1), 2); e.send(address(1), 2); }
    function test_emitWithFlags() external { vm.expectEmit(true, true, true, true); emit Sent(address(this), address(1), 2); e.send(address(1), 2); }
    function test_emitOfEmitter() external { vm.expectEmit(address(e)); emit Sent(address(this), address(1), 2); e.send(address(1), 2); }
    function test_emitWithFlagsOfEmitter() external { vm.expectEmit(true, true, false, true, address(e)); emit Sent(address(this), address(1), 2); e.send(address(1), 2); }
    function test_emitOfACallInside() external { vm.expectEmit(address(e)); emit Sent(address(f), address(1), 2); f.send(address(1), 2); }
    function test_emitOtherAmount() external { vm.expectEmit(); emit Sent(address(this), address(1), 2); e.send(address(1), 3); }
    function test_emitOtherAmountUnchecked() external { vm.expectEmit(true, true, false, false); emit Sent(address(this), address(1), 2); e.send(address(1), 3); }
    function test_emitOtherTopic() external { vm.expectEmit(); emit Sent(address(this), address(1), 2); e.send(address(3), 2); }
    function test_emitOtherTopicAndAmount() external { vm.expectEmit(); emit Sent(address(this), address(1), 2); e.send(address(3), 4); }
    function test_emitOtherTopicUnchecked() external { vm.expectEmit(true, false, true, true); emit Sent(address(this), address(1), 2); e.send(address(3), 2); }
    function test_emitOtherEvent() external { vm.expectEmit(); emit Sent(address(this), address(1), 2); e.other(1); }
    function test_emitOtherEmitter() external { vm.expectEmit(address(0x1234)); emit Sent(address(this), address(1), 2); e.send(address(1), 2); }
    function test_emitAmongOthers() external { vm.expectEmit(); emit Sent(address(this), address(1), 2); e.both(address(1), 2); }
    function test_emitTwo() external { vm.expectEmit(); emit Other(1); vm.expectEmit(); emit Sent(address(this), address(1), 2); e.both(address(1), 2); }
    function test_emitTwoInOtherOrder() external { vm.expectEmit(); emit Sent(address(this), address(1), 2); vm.expectEmit(); emit Other(1); e.both(address(1), 2); }
    function test_emitNothing() external { vm.expectEmit(); emit Other(1); e.quiet(); }
    function test_emitWithoutACall() external { vm.expectEmit(); emit Other(1); }
    function test_emitWithoutAnEvent() external { vm.expectEmit(); }
    function test_emitWithoutAnEventThenACall() external { vm.expectEmit(); e.other(1); }
    function test_emitOfOwnAfterwards() external { vm.expectEmit(); emit Other(1); emit Other(1); }
    function test_emitInALaterCall() external { vm.expectEmit(); emit Other(1); e.send(address(1), 2); e.other(1); }
    function test_emitAfterAStaticCall() external { vm.expectEmit(); emit Other(1); require(f.quiet() == 5); e.other(1); }
    function test_emitOfAFailedCall() external { vm.expectEmit(); emit Sent(address(this), address(1), 2); e.sendAndFail(address(1), 2); }
    function test_emitOfAFailedCallInside() external { vm.expectEmit(); emit Sent(address(f), address(1), 2); f.tried(address(1), 2); }
    function test_emitThenRevert() external { vm.expectEmit(); emit Other(1); revert("own"); }
    function test_emitAndPrank() external { vm.expectEmit(address(e)); emit Sent(address(9), address(1), 2); vm.prank(address(9)); e.send(address(1), 2); }
    function test_emitOfACreation() external { vm.expectEmit(); emit Other(7); new Created(e); }
    function test_emitOfAnotherCreation() external { vm.expectEmit(); emit Other(8); new Created(e); }
    function test_emitTwiceInARow() external {
        vm.expectEmit(); emit Other(1); e.other(1);
        vm.expectEmit(); emit Other(2); e.other(2);
    }
    function expecting() external { vm.expectEmit(); emit Other(1); }
    function test_emitOfACallThatIsOver() external { this.expecting(); e.other(1); }
    function test_emitCount() external { vm.expectEmit(uint64(2)); emit Sent(address(f), address(1), 2); f.send(address(1), 2); }
    function test_emitTimes() external { vm.expectEmit(uint64(3)); emit Sent(address(this), address(1), 2); e.sendTimes(address(1), 2, 3); }
    function test_emitTooFewTimes() external { vm.expectEmit(uint64(3)); emit Sent(address(this), address(1), 2); e.sendTimes(address(1), 2, 2); }
    function test_emitTooManyTimes() external { vm.expectEmit(address(e), 2); emit Sent(address(this), address(1), 2); e.sendTimes(address(1), 2, 3); }
    function test_emitNever() external { vm.expectEmit(uint64(0)); emit Sent(address(this), address(1), 2); e.send(address(1), 3); }
    function test_emitNeverButOnce() external { vm.expectEmit(true, true, true, true, address(e), 0); emit Sent(address(this), address(1), 2); e.send(address(1), 2); }
    function test_emitAnonymous() external { vm.expectEmitAnonymous(); emit Nameless(1, 2); e.nameless(1, 2); }
    function test_emitOtherAnonymous() external { vm.expectEmitAnonymous(); emit Nameless(1, 2); e.nameless(2, 2); }
    function test_emitAnonymousUnchecked() external { vm.expectEmitAnonymous(false, true, true, true, true); emit Nameless(1, 2); e.nameless(2, 2); }

    function call(uint256 number) internal view returns (bytes memory) { return abi.encodeCall(e.other, (number)); }
    function test_call() external { vm.expectCall(address(e), call(1)); e.other(1); }
    function test_callPrefix() external { vm.expectCall(address(e), abi.encodePacked(e.other.selector)); e.other(1); }
    function test_callOtherData() external { vm.expectCall(address(e), call(1)); e.other(2); }
    function test_callNone() external { vm.expectCall(address(e), call(1)); }
    function test_callInside() external { vm.expectCall(address(e), call(3)); f.pay(3); }
    function test_callBefore() external { e.other(1); vm.expectCall(address(e), call(1)); }
    function test_callOfValue() external { vm.deal(address(this), 5); vm.expectCall(address(e), 5, call(3)); f.pay{value: 5}(3); }
    function test_callOfOtherValue() external { vm.deal(address(this), 5); vm.expectCall(address(e), 5, call(3)); f.pay{value: 4}(3); }
    function test_callTwice() external { vm.expectCall(address(e), call(3)); vm.expectCall(address(e), call(3)); f.twice(3); }
    function test_callTwiceButOnce() external { vm.expectCall(address(e), call(3)); vm.expectCall(address(e), call(3)); f.pay(3); }
    function test_callMoreThanOnce() external { vm.expectCall(address(e), call(3)); f.twice(3); }
    function test_callCount() external { vm.expectCall(address(e), call(3), 2); f.twice(3); }
    function test_callCountTooMany() external { vm.expectCall(address(e), call(3), 1); f.twice(3); }
    function test_callCountNone() external { vm.expectCall(address(e), call(3), 0); f.pay(4); }
    function test_callCountNoneButOne() external { vm.expectCall(address(e), call(3), 0); f.pay(3); }
    function test_callCountTwice() external { vm.expectCall(address(e), call(3), 1); vm.expectCall(address(e), call(3), 1); }
    function test_callCountThenNot() external { vm.expectCall(address(e), call(3), 1); vm.expectCall(address(e), call(3)); }
    function test_callByDelegatecall() external { vm.expectCall(address(e), call(3)); f.by(3); }
    function test_callOfAnAccountWithoutCode() external { vm.deal(address(this), 5); vm.expectCall(address(0xabc), 1, ""); payable(address(0xabc)).transfer(1); }
    function test_callWithGas() external { vm.expectCall(address(e), 0, 50_000, call(3)); e.other{gas: 50_000}(3); }
    function test_callWithOtherGas() external { vm.expectCall(address(e), 0, 50_000, call(3)); e.other{gas: 50_001}(3); }
    function test_callWithGasAndValue() external { vm.deal(address(this), 5); vm.expectCall(address(e), 1, 50_000, call(3)); e.other{gas: 50_000, value: 1}(3); }
    function test_callWithMinGas() external { vm.expectCallMinGas(address(e), 0, 50_000, call(3)); e.other{gas: 50_001}(3); }
    function test_callWithLessThanMinGas() external { vm.expectCallMinGas(address(e), 0, 50_000, call(3), 1); e.other{gas: 49_999}(3); }
    function test_callThatFails() external { vm.expectCall(address(e), abi.encodeCall(e.why, ())); try e.why() {} catch {} }
    function test_callThenRevert() external { vm.expectCall(address(e), call(3)); revert("own"); }
    function expectingCall() external { vm.expectCall(address(e), call(3)); }
    function test_callExpectedInACallThatIsOver() external { this.expectingCall(); e.other(3); }

    function test_revertBy() external { vm.expectRevert(address(e)); e.why(); }
    function test_revertByAnother() external { vm.expectRevert(address(f)); e.why(); }
    function test_revertByInside() external { vm.expectRevert(address(e)); f.bad(3); }
    function test_revertByCaughtInside() external { vm.expectRevert(address(e)); f.caught(3); }
    function test_revertReasonBy() external { vm.expectRevert(bytes("why"), address(e)); e.why(); }
    function test_revertSelectorBy() external { vm.expectRevert(abi.encodeWithSelector(Emitter.Bad.selector, 1), address(e)); e.bad(1); }
    function test_revertPartialBy() external { vm.expectPartialRevert(Emitter.Bad.selector, address(e)); f.bad(1); }
    function test_revertTimes() external { vm.expectRevert(uint64(2)); e.why(); e.bad(1); }
    function test_revertTimesTooFew() external { vm.expectRevert(uint64(2)); e.why(); e.quiet(); }
    function test_revertTimesAndNoMore() external { vm.expectRevert(uint64(2)); e.why(); }
    function test_revertReasonTimes() external { vm.expectRevert(bytes("why"), 2); e.why(); e.why(); }
    function test_revertReasonTimesOther() external { vm.expectRevert(bytes("why"), 2); e.why(); e.empty(); }
    function test_revertByTimes() external { vm.expectRevert(address(e), 2); e.why(); e.bad(1); }
    uint256 kept = 1;
    /// Storage that is cleared gives gas back, and takes it again when it has its value again.
    function test_revertKeepsRefunds() external { delete kept; vm.expectRevert(bytes("why")); e.why(); kept = 1; }
    function test_revertNever() external { vm.expectRevert(uint64(0)); require(e.quiet() == 0); }
    function test_revertNeverButOnce() external { vm.expectRevert(uint64(0)); e.why(); }
    function test_revertReasonNever() external { vm.expectRevert(bytes("why"), 0); e.quiet(); }
    function test_revertReasonNeverButOnce() external { vm.expectRevert(bytes("why"), 0); e.why(); }
    function test_revertReasonNeverButOther() external { vm.expectRevert(bytes("other"), 0); e.why(); }
    function test_revertWithoutData() external { vm.expectRevert(bytes("why")); e.empty(); }
    function test_revertOtherSelector() external { vm.expectRevert(Emitter.Bad.selector); e.why(); }
    function test_revertAndCall() external { vm.expectCall(address(e), abi.encodeCall(e.why, ())); vm.expectRevert(bytes("why")); e.why(); }
    function test_revertAndEmit() external { vm.expectEmit(); emit Sent(address(this), address(1), 2); vm.expectRevert(bytes("after")); e.sendAndFail(address(1), 2); }
    function test_assumeNoRevert() external { vm.assumeNoRevert(); e.quiet(); }
    /// A call that its sender cannot pay.
    function unpaid() internal returns (bool ok, bytes memory data) { (ok, data) = address(e).call{value: address(this).balance + 1}(abi.encodeCall(e.other, (1))); }
    function test_revertOfAnUnpaidCall() external { vm.expectRevert(); (bool ok,) = unpaid(); require(ok); }
    function test_unpaidCallFails() external { (bool ok, bytes memory data) = unpaid(); require(!ok && data.length == 0); require(e.other(2) == 2); }
    function test_callThatIsUnpaid() external { vm.expectCall(address(e), address(this).balance + 1, abi.encodeCall(e.other, (1))); unpaid(); }
    function test_prankOfAnUnpaidCall() external { vm.prank(address(1)); (bool ok,) = address(e).call{value: 1}(""); require(!ok); vm.expectEmit(); emit Sent(address(this), address(1), 2); e.send(address(1), 2); }
    function test_prankOfAnUnpaidCreation() external { vm.prank(address(1)); try new Paid{value: 1}() { revert("paid"); } catch {} vm.expectEmit(); emit Sent(address(this), address(1), 2); e.send(address(1), 2); }
    function test_revertOfAnUnpaidCreation() external { vm.expectRevert(); new Paid{value: address(this).balance + 1}(); }
    function test_nonceOfAnUnpaidCreation() external { uint64 nonce = vm.getNonce(address(this)); try new Paid{value: address(this).balance + 1}() { revert("paid"); } catch {} require(vm.getNonce(address(this)) == nonce); }
}
