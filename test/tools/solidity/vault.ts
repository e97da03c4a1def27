// A compilation that several tests read: two files, a library, an immutable, a base contract.
import { compile, type StandardJson } from './compile.ts'

export const TOKEN = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IToken {
  function transfer(address to, uint256 amount) external returns (bool);
}

abstract contract Owned {
  address public owner;
  constructor() { owner = msg.sender; }
  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner");
    _;
  }
}

function half(uint256 value) pure returns (uint256) {
  return value / 2;
}

contract Token is Owned, IToken {
  error TooMuch(uint256 asked, uint256 most);
  event Moved(address indexed to, uint256 amount);
  mapping(address => uint256) public balances;
  uint256 public immutable most;
  constructor(uint256 most_) { most = most_; }
  function transfer(address to, uint256 amount) external override returns (bool) {
    if (amount > most) revert TooMuch(amount, most);
    balances[to] += half(amount);
    emit Moved(to, amount);
    return true;
  }
  receive() external payable {}
}
`

export const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import "./Token.sol";

library Lists {
  function sum(uint256[] storage list) public view returns (uint256 total) {
    for (uint256 i = 0; i < list.length; i++) total += list[i];
  }
}

contract Vault {
  uint256[] list;
  Token public token;
  constructor() payable { token = new Token(5); }
  function total() public view returns (uint256) { return Lists.sum(list); }
  fallback() external payable {}
}
`

let compiled: StandardJson | undefined

export function vaultBuild(): StandardJson {
  compiled ??= compile({ 'contracts/Token.sol': TOKEN, 'contracts/Vault.sol': VAULT })
  return compiled
}
