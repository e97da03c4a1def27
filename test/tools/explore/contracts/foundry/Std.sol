// SPDX-License-Identifier: MIT
// The part of forge-std that the suites beside use, with its names and its ways.
pragma solidity ^0.8.20;

interface Vm {
    struct Log { bytes32[] topics; bytes data; address emitter; }
    struct Wallet { address addr; uint256 publicKeyX; uint256 publicKeyY; uint256 privateKey; }

    function accesses(address) external view returns (bytes32[] memory, bytes32[] memory);
    function addr(uint256) external pure returns (address);
    function assertApproxEqAbs(uint256, uint256, uint256) external pure;
    function assertApproxEqRel(uint256, uint256, uint256) external pure;
    function assertEq(address, address) external pure;
    function assertEq(uint256, uint256) external pure;
    function assertEq(uint256, uint256, string calldata) external pure;
    function assertEqDecimal(uint256, uint256, uint256) external pure;
    function assertGe(uint256, uint256, string calldata) external pure;
    function assertLe(uint256, uint256) external pure;
    function assertTrue(bool) external pure;
    function assertTrue(bool, string calldata) external pure;
    function assume(bool) external pure;
    function assumeNoRevert() external pure;
    function chainId(uint256) external;
    function clearMockedCalls() external;
    function coinbase(address) external;
    function computeCreate2Address(bytes32, bytes32) external pure returns (address);
    function computeCreate2Address(bytes32, bytes32, address) external pure returns (address);
    function computeCreateAddress(address, uint256) external pure returns (address);
    function contains(string calldata, string calldata) external pure returns (bool);
    function createWallet(string calldata) external returns (Wallet memory);
    function createWallet(uint256) external returns (Wallet memory);
    function createWallet(uint256, string calldata) external returns (Wallet memory);
    function deal(address, uint256) external;
    function deleteStateSnapshot(uint256) external returns (bool);
    function etch(address, bytes calldata) external;
    function expectCall(address, bytes calldata) external;
    function expectCall(address, bytes calldata, uint64) external;
    function expectCall(address, uint256, bytes calldata) external;
    function expectCall(address, uint256, bytes calldata, uint64) external;
    function expectCall(address, uint256, uint64, bytes calldata) external;
    function expectCall(address, uint256, uint64, bytes calldata, uint64) external;
    function expectCallMinGas(address, uint256, uint64, bytes calldata) external;
    function expectCallMinGas(address, uint256, uint64, bytes calldata, uint64) external;
    function expectEmit() external;
    function expectEmit(address) external;
    function expectEmit(address, uint64) external;
    function expectEmit(bool, bool, bool, bool) external;
    function expectEmit(bool, bool, bool, bool, address) external;
    function expectEmit(bool, bool, bool, bool, address, uint64) external;
    function expectEmit(bool, bool, bool, bool, uint64) external;
    function expectEmit(uint64) external;
    function expectEmitAnonymous() external;
    function expectEmitAnonymous(address) external;
    function expectEmitAnonymous(bool, bool, bool, bool, bool) external;
    function expectPartialRevert(bytes4) external;
    function expectPartialRevert(bytes4, address) external;
    function expectRevert() external;
    function expectRevert(address) external;
    function expectRevert(address, uint64) external;
    function expectRevert(bytes calldata) external;
    function expectRevert(bytes calldata, address) external;
    function expectRevert(bytes calldata, uint64) external;
    function expectRevert(bytes4) external;
    function expectRevert(bytes4, address) external;
    function expectRevert(bytes4, uint64) external;
    function expectRevert(uint64) external;
    function fee(uint256) external;
    function getBlockTimestamp() external view returns (uint256);
    function getChainId() external view returns (uint256);
    function getLabel(address) external view returns (string memory);
    function getNonce(Wallet calldata) external view returns (uint64);
    function getNonce(address) external view returns (uint64);
    function getRecordedLogs() external view returns (Log[] memory);
    function indexOf(string calldata, string calldata) external pure returns (uint256);
    function label(address, string calldata) external;
    function load(address, bytes32) external view returns (bytes32);
    function mockCall(address, bytes calldata, bytes calldata) external;
    function mockCall(address, bytes4, bytes calldata) external;
    function mockCall(address, uint256, bytes calldata, bytes calldata) external;
    function mockCall(address, uint256, bytes4, bytes calldata) external;
    function mockCallRevert(address, bytes calldata, bytes calldata) external;
    function mockCallRevert(address, bytes4, bytes calldata) external;
    function mockCallRevert(address, uint256, bytes calldata, bytes calldata) external;
    function mockCalls(address, bytes calldata, bytes[] calldata) external;
    function mockCalls(address, uint256, bytes calldata, bytes[] calldata) external;
    function mockFunction(address, address, bytes calldata) external;
    function parseAddress(string calldata) external pure returns (address);
    function parseBool(string calldata) external pure returns (bool);
    function parseBytes(string calldata) external pure returns (bytes memory);
    function parseBytes32(string calldata) external pure returns (bytes32);
    function parseInt(string calldata) external pure returns (int256);
    function parseUint(string calldata) external pure returns (uint256);
    function prank(address) external;
    function prank(address, address) external;
    function prevrandao(bytes32) external;
    function prevrandao(uint256) external;
    function readCallers() external view returns (uint8, address, address);
    function record() external;
    function recordLogs() external;
    function replace(string calldata, string calldata, string calldata) external pure returns (string memory);
    function resetNonce(address) external;
    function revertToState(uint256) external returns (bool);
    function revertToStateAndDelete(uint256) external returns (bool);
    function roll(uint256) external;
    function setNonce(address, uint64) external;
    function setNonceUnsafe(address, uint64) external;
    function sign(Wallet calldata, bytes32) external pure returns (uint8, bytes32, bytes32);
    function sign(uint256, bytes32) external pure returns (uint8, bytes32, bytes32);
    function signCompact(uint256, bytes32) external pure returns (bytes32, bytes32);
    function snapshotState() external returns (uint256);
    function split(string calldata, string calldata) external pure returns (string[] memory);
    function startPrank(address) external;
    function startPrank(address, address) external;
    function stopPrank() external;
    function stopRecord() external;
    function store(address, bytes32, bytes32) external;
    function toBase64(bytes calldata) external pure returns (string memory);
    function toLowercase(string calldata) external pure returns (string memory);
    function toString(address) external pure returns (string memory);
    function toString(bool) external pure returns (string memory);
    function toString(bytes calldata) external pure returns (string memory);
    function toString(bytes32) external pure returns (string memory);
    function toString(int256) external pure returns (string memory);
    function toString(uint256) external pure returns (string memory);
    function toUppercase(string calldata) external pure returns (string memory);
    function trim(string calldata) external pure returns (string memory);
    function txGasPrice(uint256) external;
    function warp(uint256) external;
}

Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

library console {
    function log(string memory text, uint256 number) internal view {
        (bool ok,) = 0x000000000000000000636F6e736F6c652e6c6f67.staticcall(
            abi.encodeWithSignature("log(string,uint256)", text, number)
        );
        ok;
    }
}

abstract contract Std {
    struct FuzzSelector { address addr; bytes4[] selectors; }
    struct FuzzArtifactSelector { string artifact; bytes4[] selectors; }
    struct FuzzInterface { address addr; string[] artifacts; }

    function makeAddr(string memory name) internal returns (address made) {
        made = vm.addr(uint256(keccak256(abi.encodePacked(name))));
        vm.label(made, name);
    }

    function bound(uint256 x, uint256 min, uint256 max) internal view returns (uint256 result) {
        require(min <= max, "StdUtils bound(uint256,uint256,uint256): Max is less than min.");
        result = x;
        if (x < min || x > max) {
            uint256 size = max - min + 1;
            if (x <= 3 && size > x) result = min + x;
            else if (x >= type(uint256).max - 3 && size > type(uint256).max - x) result = max - (type(uint256).max - x);
            else if (x > max) { uint256 rem = (x - max) % size; result = rem == 0 ? max : min + rem - 1; }
            else { uint256 rem = (min - x) % size; result = rem == 0 ? min : max - rem + 1; }
        }
        console.log("Bound result", result);
    }

    function deal(address to, uint256 give) internal { vm.deal(to, give); }
    function hoax(address who, uint256 give) internal { vm.deal(who, give); vm.prank(who); }
    function startHoax(address who) internal { vm.deal(who, 1 << 128); vm.startPrank(who); }
    function skip(uint256 time) internal { vm.warp(vm.getBlockTimestamp() + time); }
    function rewind(uint256 time) internal { vm.warp(vm.getBlockTimestamp() - time); }
    function fail() internal virtual { vm.assertTrue(false); }
}

abstract contract Test is Std {
    address[] private contracts_; address[] private excluded_; address[] private senders_; address[] private excludedSenders_;
    FuzzSelector[] private selectors_; FuzzSelector[] private excludedSelectors_;
    string[] private artifacts_; string[] private excludedArtifacts_; FuzzArtifactSelector[] private artifactSelectors_;
    FuzzInterface[] private interfaces_;

    function targetContract(address it) internal { contracts_.push(it); }
    function excludeContract(address it) internal { excluded_.push(it); }
    function targetSender(address it) internal { senders_.push(it); }
    function excludeSender(address it) internal { excludedSenders_.push(it); }
    function targetSelector(FuzzSelector memory it) internal { selectors_.push(it); }
    function excludeSelector(FuzzSelector memory it) internal { excludedSelectors_.push(it); }
    function targetArtifact(string memory it) internal { artifacts_.push(it); }
    function excludeArtifact(string memory it) internal { excludedArtifacts_.push(it); }
    function targetArtifactSelector(FuzzArtifactSelector memory it) internal { artifactSelectors_.push(it); }
    function targetInterface(FuzzInterface memory it) internal { interfaces_.push(it); }

    function targetContracts() public view returns (address[] memory) { return contracts_; }
    function excludeContracts() public view returns (address[] memory) { return excluded_; }
    function targetSenders() public view returns (address[] memory) { return senders_; }
    function excludeSenders() public view returns (address[] memory) { return excludedSenders_; }
    function targetSelectors() public view returns (FuzzSelector[] memory) { return selectors_; }
    function excludeSelectors() public view returns (FuzzSelector[] memory) { return excludedSelectors_; }
    function targetArtifacts() public view returns (string[] memory) { return artifacts_; }
    function excludeArtifacts() public view returns (string[] memory) { return excludedArtifacts_; }
    function targetArtifactSelectors() public view returns (FuzzArtifactSelector[] memory) { return artifactSelectors_; }
    function targetInterfaces() public view returns (FuzzInterface[] memory) { return interfaces_; }
}
