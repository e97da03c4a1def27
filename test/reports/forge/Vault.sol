// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IHook {
  function poke(uint256 n) external returns (uint256);
}

library Maths {
  function clamp(uint256 v, uint256 most) internal pure returns (uint256) {
    return v > most ? most : v;
  }
  function unused(uint256 v) internal pure returns (uint256) {
    return v + 1;
  }
  function sumTo(uint256 n) public pure returns (uint256 s) {
    for (uint256 i = 1; i <= n; i++) {
      s += i;
    }
  }
}

function twice(uint256 v) pure returns (uint256) {
  return v * 2;
}

abstract contract Owned {
  address public owner;
  uint256 internal guarded;

  constructor() {
    owner = msg.sender;
  }

  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner");
    _;
    guarded++;
  }

  function kind() public pure virtual returns (string memory);
}

contract Hook is IHook {
  function poke(uint256 n) external pure returns (uint256) {
    if (n == 13) revert("unlucky");
    return n;
  }
}

contract Vault is Owned {
  using Maths for uint256;

  error TooMuch(uint256 asked);
  event Put(uint256 amount, string note);

  mapping(address => uint256) public balances;
  uint256 public immutable limit;
  uint256 public total = 7;
  uint256[] internal list;

  constructor(uint256 limit_) {
    if (limit_ == 0) {
      limit_ = 1;
    }
    limit = limit_;
  }

  function put(uint256 amount, string calldata note) external {
    if (amount > limit) revert TooMuch(amount);
    balances[msg.sender] += amount;
    total = total + twice(amount);
    emit Put(amount, note);
  }

  function take(uint256 amount) external onlyOwner returns (bool ok) {
    uint256 have = balances[msg.sender];
    bool enough = have >= amount && amount > 0;
    if (enough) {
      balances[msg.sender] = have - amount;
      ok = true;
    } else {
      ok = false;
    }
  }

  function reset() external onlyOwner {
    total = 0;
    delete balances[msg.sender];
  }

  function loops(uint256 n) external returns (uint256 r) {
    uint256 i;
    while (i < n) {
      list.push(i);
      i++;
      if (i == 3) continue;
      if (i > 5) break;
    }
    do {
      r += i;
      i--;
    } while (i > 0);
    unchecked {
      r -= 1;
    }
    return r.clamp(50) + Maths.sumTo(n);
  }

  function hook(IHook h, uint256 n) external returns (uint256) {
    try h.poke(n) returns (uint256 v) {
      total += v;
      return v;
    } catch Error(string memory) {
      return 1;
    } catch {
      return 2;
    }
  }

  function low(uint256 a) external pure returns (uint256 r) {
    assembly {
      r := add(a, 1)
      if gt(a, 10) {
        r := 10
      }
      for { let k := 0 } lt(k, 2) { k := add(k, 1) } {
        r := add(r, k)
      }
    }
  }

  function never(uint256 a) external pure returns (uint256) {
    require(a > 0, "zero");
    return a;
  }

  function check(uint256 a, uint256 b) public pure returns (uint256) {
    require(a > 0 || b > 0, "both zero");
    assert(a != 99);
    return a == 1
      ? 10
      : 20;
  }

  function kind() public pure override returns (string memory) {
    return "vault";
  }

  function _hidden() private pure returns (uint256) {
    return 5;
  }

  receive() external payable {}

  fallback() external payable {
    total++;
  }
}

contract Unused {
  uint256 public x;

  function set(uint256 v) external {
    x = v;
  }
}
