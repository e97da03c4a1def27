// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Fees {
  function of_(uint256 amount) internal pure returns (uint256) {
    return amount > 1000 ? 10 : 1;
  }
}

contract Bank {
  mapping(address => uint256) public balances;
  address public immutable owner;

  constructor() {
    owner = msg.sender;
  }

  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner");
    _;
  }

  function deposit() external payable {
    if (msg.value == 0) {
      revert("nothing");
    }
    balances[msg.sender] += msg.value - Fees.of_(msg.value);
  }

  function close(address account) external onlyOwner {
    delete balances[account];
  }

  function total(address[] calldata accounts) external view returns (uint256 sum) {
    for (uint256 i = 0; i < accounts.length; i++) {
      sum += balances[accounts[i]];
    }
  }
}
