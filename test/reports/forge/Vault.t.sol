// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import "./Vault.sol";

contract VaultTest {
  Vault vault;
  Hook hook;

  function setUp() public {
    vault = new Vault(100);
    hook = new Hook();
  }

  function testPut() public {
    vault.put(5, "hello, a note that is longer than thirty-two bytes, for the encoder");
    vault.put(6, "");
    try vault.put(101, "") { revert("no"); } catch {}
  }

  function testTake() public {
    vault.put(5, "a");
    require(vault.take(2));
    require(!vault.take(50));
  }

  function testLoops() public {
    vault.loops(2);
    vault.loops(9);
  }

  function testHook() public {
    require(vault.hook(hook, 4) == 4);
    require(vault.hook(hook, 13) == 1);
  }

  function testLow() public view {
    require(vault.low(3) == 5);
    require(vault.check(1, 0) == 10);
  }

  function testFallback() public {
    (bool ok, ) = address(vault).call(hex"12345678");
    require(ok);
  }
}
