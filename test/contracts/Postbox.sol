// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface Messenger {
    function xDomainMessageSender() external view returns (address);
}

interface Portal {
    function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes calldata data)
        external
        payable;
}

/// Target of messages between layers, and a contract that makes deposits.
contract Postbox {
    bool public isOpen = true;

    event Told(address indexed caller, address indexed sender, uint256 value, bytes32 note);

    error Closed();

    function setOpen(bool open) external {
        isOpen = open;
    }

    /// Logs who called, and whom a messenger names as the sender on the other layer.
    function tell(bytes32 note) external payable {
        if (!isOpen) revert Closed();
        address sender = msg.sender.code.length == 0 ? address(0) : Messenger(msg.sender).xDomainMessageSender();
        emit Told(msg.sender, sender, msg.value, note);
    }

    /// A deposit whose sender is this contract: on layer 2 its address is aliased.
    function deposit(Portal portal, address to, uint256 value, uint64 gasLimit, bytes calldata data) external payable {
        portal.depositTransaction{value: msg.value}(to, value, gasLimit, false, data);
    }
}
