// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

/// Operator fees (isthmus), with the interface of the protocol's fee vaults. It pays into the vault of base fees.
contract OperatorFeeVault {
    enum WithdrawalNetwork {
        L1,
        L2
    }

    event Withdrawal(uint256 value, address to, address from);
    event Withdrawal(uint256 value, address to, address from, WithdrawalNetwork withdrawalNetwork);

    string public constant version = "1.0.0+tickchain";
    address public constant RECIPIENT = 0x4200000000000000000000000000000000000019;
    uint256 public constant MIN_WITHDRAWAL_AMOUNT = 0;
    WithdrawalNetwork public constant WITHDRAWAL_NETWORK = WithdrawalNetwork.L2;

    uint256 public totalProcessed;

    receive() external payable {}

    function recipient() external pure returns (address) {
        return RECIPIENT;
    }

    function minWithdrawalAmount() external pure returns (uint256) {
        return MIN_WITHDRAWAL_AMOUNT;
    }

    function withdrawalNetwork() external pure returns (WithdrawalNetwork) {
        return WITHDRAWAL_NETWORK;
    }

    function withdraw() external {
        uint256 value = address(this).balance;
        totalProcessed += value;
        emit Withdrawal(value, RECIPIENT, msg.sender);
        emit Withdrawal(value, RECIPIENT, msg.sender, WITHDRAWAL_NETWORK);
        (bool success,) = RECIPIENT.call{ value: value }("");
        require(success, "FeeVault: failed to send ETH to L2 fee recipient");
    }
}
