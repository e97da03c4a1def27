// Contracts that fail in every way that a stack trace tells apart. Lines that traces name end in a mark.

export const FAILURES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Numbers {
  function twice(uint256 value) public pure returns (uint256) { return 2 * value; } // @twice
}

function checkFree(bool isRight) pure { // @free
  require(isRight, "free"); // @free-require
}

contract Target {
  error Rejected(uint256 amount, string why, address who); // @error
  function hit(uint256 amount) external pure {
    require(amount > 5, "too small"); // @hit
  }
  function loop() external pure {
    while (true) {} // @loop
  }
  function plain() external pure { // @plain
    revert(); // @plain-revert
  }
  function reject(uint256 amount) external view {
    revert Rejected(amount, "no", msg.sender); // @reject
  }
}

interface IOther {
  function hit(uint256 amount) external;
  function missing() external returns (uint256);
  function plain() external returns (uint256);
}

contract Ignored {
  function pass(address to) external { IOther(to).hit(1); }
  function fail() external pure { revert("of a stranger"); }
}

contract IgnoredAtBirth {
  constructor(address to) { IOther(to).hit(1); }
}

contract Failures { // @contract
  Target target = new Target();
  function(uint256) internal pure returns (uint256) unset;
  modifier positive(uint256 value) {
    require(value > 0, "not positive"); // @modifier
    _;
  }
  function hit(uint256 amount) external view { // @call-hit
    inner(amount); // @call-inner
  }
  function inner(uint256 amount) internal view {
    target.hit(amount); // @target-hit
  }
  function silent() external pure {
    revert(); // @silent
  }
  function divide(uint256 by) external pure returns (uint256) {
    return 1 / by; // @divide
  }
  function callUnset() external view returns (uint256) {
    return unset(1); // @unset
  }
  function reject() external view {
    target.reject(7); // @call-reject
  }
  function modified(uint256 value) external pure positive(value) returns (uint256) { // @modified
    return value;
  }
  function free() external pure {
    checkFree(false); // @call-free
  }
  function recurse(uint256 depth) external pure {
    if (depth == 0) revert("deep"); // @recurse-revert
    down(depth); // @recurse
  }
  function down(uint256 depth) internal pure {
    if (depth == 0) revert("deep"); // @down-revert
    down(depth - 1); // @down
  }
  function callNothing(address to) external {
    IOther(to).hit(1); // @nothing
  }
  function badReturn(address to) external returns (uint256) {
    return IOther(to).plain(); // @bad-return
  }
  function strange(Ignored to) external pure {
    to.fail(); // @strange
  }
  function through(Ignored to) external {
    to.pass(address(target)); // @through
  }
  function burn() external view {
    target.loop{gas: 1000}(); // @burn
  }
  function pay(address payable to) external {
    to.transfer(5 ether); // @pay
  }
  function create(uint256 value) external {
    new Payable{value: value}(); // @create
  }
  function needs(uint8 small) external pure returns (uint8) { // @needs
    return small;
  }
}

contract Payable {
  constructor() payable {}
}

contract WithFallback {
  fallback() external {} // @fallback
}

contract WithReceive {
  receive() external payable { revert("received"); } // @receive
}

contract WithBoth {
  receive() external payable {}
  fallback() external { require(msg.data.length == 0, "fell"); } // @both
}

contract Silent {
  fallback() external {}
}

contract Base {
  constructor(uint256 value) {
    require(value > 3, "small base"); // @base
  }
}

contract Derived is Base { // @derived
  constructor(uint256 value) Base(value) {} // @constructor
}

contract Large {
  constructor() { // @large
    assembly { return(0, 30000) }
  }
}
`

/** The place of a mark: `Failures.sol` and its line. */
export function at(mark: string): string {
  const line = FAILURES.split('\n').findIndex((text) => text.endsWith(`// @${mark}`)) + 1
  if (line === 0) throw new Error(`no line is marked ${mark}`)
  return `contracts/Failures.sol:${line}`
}
