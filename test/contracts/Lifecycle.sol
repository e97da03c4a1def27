// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Child {
    uint256 public bornInBlock;

    constructor() payable {
        bornInBlock = block.number;
    }

    receive() external payable {}

    function destroy(address payable beneficiary) external {
        selfdestruct(beneficiary);
    }
}

/// Accounts and storage that come and go.
contract Lifecycle {
    mapping(uint256 => uint256) public slots;

    event Deployed(address indexed child);

    error DeploymentFailed();

    /// CREATE2 (EIP-1014).
    function deploy(bytes32 salt, bytes calldata initCode) external payable returns (address child) {
        bytes memory code = initCode;
        assembly {
            child := create2(callvalue(), add(code, 0x20), mload(code), salt)
        }
        if (child == address(0)) revert DeploymentFailed();
        emit Deployed(child);
    }

    function createChild() external payable returns (address child) {
        child = address(new Child{value: msg.value}());
        emit Deployed(child);
    }

    /// EIP-6780: an account is deleted only when it was created in the same transaction.
    function createAndDestroy(address payable beneficiary) external payable returns (address child) {
        Child created = new Child{value: msg.value}();
        child = address(created);
        emit Deployed(child);
        created.destroy(beneficiary);
    }

    /// slots[i] = i + 1 for `count` slots, so that none of them is zero.
    function fill(uint256 from, uint256 count) external {
        for (uint256 i = from; i < from + count; i++) slots[i] = i + 1;
    }

    function clear(uint256 from, uint256 count) external {
        for (uint256 i = from; i < from + count; i++) delete slots[i];
    }

    /// EIP-1153: adds to a transient slot `times` times and keeps the result in slots[0].
    function addTransient(uint256 times) external returns (uint256 value) {
        for (uint256 i = 0; i < times; i++) {
            assembly {
                tstore(0, add(tload(0), 1))
            }
        }
        value = readTransient();
        slots[0] = value;
    }

    function readTransient() public view returns (uint256 value) {
        assembly {
            value := tload(0)
        }
    }
}
