// SPDX-License-Identifier: MIT
// The part of forge-std that the suites beside use, with its names and its ways.
pragma solidity ^0.8.20;

interface Vm {
    function addr(uint256) external pure returns (address);
    function assertApproxEqAbs(uint256, uint256, uint256) external pure;
    function assertApproxEqRel(uint256, uint256, uint256) external pure;
    function assertEq(uint256, uint256) external pure;
    function assertEq(uint256, uint256, string calldata) external pure;
    function assertEq(address, address) external pure;
    function assertGe(uint256, uint256, string calldata) external pure;
    function assertLe(uint256, uint256) external pure;
    function assertTrue(bool) external pure;
    function assertTrue(bool, string calldata) external pure;
    function assume(bool) external pure;
    function deal(address, uint256) external;
    function etch(address, bytes calldata) external;
    function expectPartialRevert(bytes4) external;
    function expectRevert() external;
    function expectRevert(bytes4) external;
    function expectRevert(bytes calldata) external;
    function getBlockTimestamp() external view returns (uint256);
    function getNonce(address) external view returns (uint64);
    function label(address, string calldata) external;
    function load(address, bytes32) external view returns (bytes32);
    function prank(address) external;
    function prank(address, address) external;
    function startPrank(address) external;
    function startPrank(address, address) external;
    function stopPrank() external;
    function store(address, bytes32, bytes32) external;
    function toString(uint256) external pure returns (string memory);
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
