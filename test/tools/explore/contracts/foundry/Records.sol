// SPDX-License-Identifier: MIT
// What cheatcodes record in one call, and what snapshots bring back. Each function holds or fails as recorded.json says.
pragma solidity ^0.8.20;

import {Std, vm, Vm} from "./Std.sol";

contract Store {
    event Put(uint256 indexed slot, uint256 value);
    uint256 public first = 11; uint256 public second; mapping(address => uint256) public balanceOf; uint256 public totalSupply = 100; uint128 public low = 3; uint128 public high = 4;
    uint256 transient fleeting;
    function put(uint256 value) external payable { first = value; emit Put(0, value); }
    function twice() external view returns (uint256) { return first + first + second; }
    function rise() external { first++; }
    function none() external pure returns (uint256) { return 1; }
    function putAndFail(uint256 value) external { first = value; emit Put(0, value); revert("after"); }
    function put2(uint256 value) external { second = value; fleeting = value; }
    function last() external view returns (uint256) { return fleeting; }
}

contract Deep { Store immutable to; uint256 own = 1; constructor(Store it) { to = it; } function twice() external view returns (uint256) { return own + to.twice(); } }

/// The ways of forge-std with a slot that it does not know: stdStorage finds it by what a call reads.
abstract contract Finder is Std {
    function find(address who, bytes memory call) internal returns (bytes32 slot) {
        vm.record(); (bool ok, bytes memory data) = who.staticcall(call); (bytes32[] memory reads,) = vm.accesses(who); vm.stopRecord();
        require(ok && reads.length > 0, "no storage");
        for (uint256 i = reads.length; i > 0;) { slot = reads[--i]; if (mutates(who, call, slot) && vm.load(who, slot) == abi.decode(data, (bytes32))) return slot; }
        revert("not found");
    }
    function mutates(address who, bytes memory call, bytes32 slot) private returns (bool) {
        bytes32 before = vm.load(who, slot); (, bytes memory data) = who.staticcall(call);
        vm.store(who, slot, abi.decode(data, (uint256)) == 0 ? bytes32(type(uint256).max) : bytes32(0));
        (, bytes memory other) = who.staticcall(call); vm.store(who, slot, before);
        return keccak256(data) != keccak256(other);
    }
    function deal(address token, address to, uint256 amount) internal {
        uint256 before = Store(token).balanceOf(to);
        vm.store(token, find(token, abi.encodeCall(Store(token).balanceOf, (to))), bytes32(amount));
        bytes32 total = find(token, abi.encodeCall(Store(token).totalSupply, ()));
        vm.store(token, total, bytes32(Store(token).totalSupply() + amount - before));
    }
}

contract Records is Finder {
    Store s = new Store();
    event Put(uint256 indexed slot, uint256 value);
    event Own(bytes data);
    function slots(bytes32[] memory list, uint256 length, uint256 first) internal pure { require(list.length == length, "length"); require(length == 0 || uint256(list[0]) == first, "first"); }

    function test_accesses() external {
        vm.record(); s.put(5); s.twice(); (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(s));
        slots(reads, 4, 0); slots(writes, 1, 0); require(uint256(reads[1]) == 1 && uint256(reads[2]) == 0 && uint256(reads[3]) == 0);
    }
    function test_accessesOfARise() external { vm.record(); s.rise(); (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(s)); slots(reads, 2, 0); slots(writes, 1, 0); }
    function test_accessesWithoutRecord() external { s.twice(); (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(s)); slots(reads, 0, 0); slots(writes, 0, 0); }
    function test_accessesBeforeRecord() external { s.put(1); vm.record(); (bytes32[] memory reads,) = vm.accesses(address(s)); slots(reads, 0, 0); }
    function test_recordAgain() external { vm.record(); s.twice(); vm.record(); s.first(); (bytes32[] memory reads,) = vm.accesses(address(s)); slots(reads, 1, 0); }
    function test_stopRecord() external { vm.record(); s.first(); vm.stopRecord(); s.second(); (bytes32[] memory reads,) = vm.accesses(address(s)); slots(reads, 1, 0); }
    function test_accessesTwice() external { vm.record(); s.first(); vm.accesses(address(s)); s.second(); (bytes32[] memory reads,) = vm.accesses(address(s)); slots(reads, 2, 0); }
    function test_accessesOfACallInside() external { Deep d = new Deep(s); vm.record(); d.twice(); (bytes32[] memory reads,) = vm.accesses(address(s)); slots(reads, 3, 1); (reads,) = vm.accesses(address(d)); slots(reads, 1, 0); }
    function test_accessesOfAFailedCall() external { vm.record(); try s.putAndFail(1) {} catch {} (, bytes32[] memory writes) = vm.accesses(address(s)); slots(writes, 1, 0); }
    function test_accessesAreNotLoads() external { vm.record(); vm.load(address(s), 0); vm.store(address(s), 0, 0); (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(s)); slots(reads, 0, 0); slots(writes, 0, 0); }
    function test_accessesOfOwn() external { vm.record(); s.first(); (bytes32[] memory reads,) = vm.accesses(address(this)); slots(reads, 1, 0); }
    function test_accessesOfMany() external {
        vm.record(); for (uint256 i; i < 3000; i++) s.first(); s.put(3); (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(s));
        slots(reads, 3001, 0); slots(writes, 1, 0);
    }
    function test_accessesOfTransient() external { vm.record(); s.put2(4); s.last(); (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(s)); slots(reads, 1, 1); slots(writes, 1, 1); }
    function recording() external { vm.record(); s.first(); }
    function test_accessesRecordedInACallThatIsOver() external { this.recording(); s.second(); (bytes32[] memory reads,) = vm.accesses(address(s)); slots(reads, 2, 0); }
    function test_dealToken() external {
        deal(address(s), address(7), 55); require(s.balanceOf(address(7)) == 55 && s.totalSupply() == 155 && s.balanceOf(address(8)) == 0);
        deal(address(s), address(7), 5); require(s.balanceOf(address(7)) == 5 && s.totalSupply() == 105);
    }
    function test_findNothing() external { find(address(s), abi.encodeCall(s.none, ())); }
    function test_findPacked() external { find(address(s), abi.encodeCall(s.low, ())); }

    function test_logs() external {
        vm.recordLogs(); s.put(5); emit Own("x"); Vm.Log[] memory logs = vm.getRecordedLogs(); require(logs.length == 2 && logs[0].emitter == address(s) && logs[1].emitter == address(this));
        require(logs[0].topics.length == 2 && logs[0].topics[0] == Put.selector && logs[0].topics[1] == 0 && abi.decode(logs[0].data, (uint256)) == 5);
        require(keccak256(abi.decode(logs[1].data, (bytes))) == keccak256("x") && vm.getRecordedLogs().length == 0);
    }
    function test_logsWithoutRecording() external { s.put(5); require(vm.getRecordedLogs().length == 0); }
    function test_logsAfterTheyAreTaken() external { vm.recordLogs(); s.put(5); vm.getRecordedLogs(); s.put(6); require(vm.getRecordedLogs().length == 1); }
    function test_logsOfAFailedCall() external { vm.recordLogs(); try s.putAndFail(1) {} catch {} require(vm.getRecordedLogs().length == 1); }
    function test_logsOfMany() external {
        vm.recordLogs(); for (uint256 i; i < 5; i++) { s.put(i); vm.prank(address(9)); s.put(i); }
        Vm.Log[] memory logs = vm.getRecordedLogs(); require(logs.length == 10);
        for (uint256 i; i < 10; i++) require(logs[i].emitter == address(s) && abi.decode(logs[i].data, (uint256)) == i / 2);
    }
    function test_logsAgain() external { vm.recordLogs(); s.put(5); vm.recordLogs(); require(vm.getRecordedLogs().length == 0); }

    function test_snapshot() external {
        s.put(1); vm.deal(address(9), 3); uint256 id = vm.snapshotState(); s.put(2); s.put2(7); vm.deal(address(9), 4); Store other = new Store();
        require(vm.revertToState(id) && s.first() == 1 && s.second() == 0 && address(9).balance == 3 && address(other).code.length == 0);
        s.put(4); require(s.first() == 4 && vm.revertToState(id) && s.first() == 1);
    }
    function test_snapshotOfATime() external { uint256 time = block.timestamp; uint256 id = vm.snapshotState(); vm.warp(time + 100); require(vm.revertToState(id) && block.timestamp == time); }
    function test_snapshotThatIsNot() external { require(!vm.revertToState(77)); }
    function test_snapshotIds() external { uint256 a = vm.snapshotState(); uint256 b = vm.snapshotState(); require(a == 0 && b == 1); }
    function test_snapshotDeleted() external { uint256 id = vm.snapshotState(); require(vm.deleteStateSnapshot(id) && !vm.revertToState(id) && !vm.deleteStateSnapshot(id)); }
    function test_snapshotRevertedAndDeleted() external { s.put(1); uint256 id = vm.snapshotState(); s.put(2); require(vm.revertToStateAndDelete(id) && s.first() == 1 && !vm.revertToState(id)); }
    function test_snapshotsNested() external {
        s.put(1); uint256 a = vm.snapshotState(); s.put(2); uint256 b = vm.snapshotState(); s.put(3);
        require(vm.revertToState(a) && s.first() == 1); require(vm.revertToState(b) && s.first() == 2);
    }
    function test_snapshotsInOrder() external {
        s.put(1); uint256 a = vm.snapshotState(); s.put(2); uint256 b = vm.snapshotState(); s.put(3);
        require(vm.revertToState(b) && s.first() == 2 && vm.revertToState(a) && s.first() == 1);
    }
    function snapping() external returns (uint256 id) { s.put(6); id = vm.snapshotState(); s.put(7); }
    function test_snapshotOfACallThatIsOver() external { uint256 id = this.snapping(); s.put(8); require(vm.revertToState(id) && s.first() == 6); }
    function test_snapshotOfOwnStorage() external { kept = 1; uint256 id = vm.snapshotState(); kept = 2; require(vm.revertToState(id) && kept == 1); }
    uint256 kept;
    function reverting(uint256 id) external { s.put(9); vm.revertToState(id); }
    function test_snapshotFromInside() external { s.put(1); uint256 id = vm.snapshotState(); s.put(2); this.reverting(id); require(s.first() == 1); s.put(3); require(s.first() == 3); }
    function test_logsAreRecordedOnceAsked() external { require(vm.getRecordedLogs().length == 0); s.put(1); require(vm.getRecordedLogs().length == 1); }
    function test_snapshotOfChainAndPrice() external {
        uint256 chain = block.chainid; vm.txGasPrice(3); uint256 id = vm.snapshotState(); vm.chainId(77); vm.txGasPrice(5); vm.fee(7);
        require(vm.revertToState(id) && block.chainid == chain && tx.gasprice == 5 && block.basefee == 0);
    }
    function test_snapshotOfAnotherChain() external { vm.chainId(77); uint256 id = vm.snapshotState(); vm.chainId(78); require(vm.revertToState(id) && block.chainid == 77 && vm.getChainId() == 77); }
    function test_snapshotOfFleeting() external { s.put2(4); uint256 id = vm.snapshotState(); s.put2(5); require(vm.revertToState(id) && s.second() == 4 && s.last() == 4); }
}
