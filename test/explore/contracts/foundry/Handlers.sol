// SPDX-License-Identifier: MIT
// Invariant tests whose handlers fail in different ways. What becomes of each, recorded.json says.
pragma solidity ^0.8.20;

import {Std, Test, vm} from "./Std.sol";

abstract contract Handler is Std {
    uint256 public n;
    function rise(uint256 x) internal returns (bool) { n++; return x > 0; }
    modifier onlySelf() { if (msg.sender == address(this)) _; }
}

abstract contract OfHandler is Test {
    Handler handler;
    function invariant_low() external view { require(handler.n() < 1000, "high"); }
    function start(Handler made) internal { handler = made; targetContract(address(made)); }
}

contract AssertHandler is Handler { function go(uint256 x) external { if (rise(x)) vm.assertEq(uint256(1), 2); } }
contract AssertTest is OfHandler { function setUp() external { start(new AssertHandler()); } }

contract OwnWordsHandler is Handler { function go(uint256 x) external { if (rise(x)) vm.assertEq(uint256(1), 2, "own"); } }
contract OwnWordsTest is OfHandler { function setUp() external { start(new OwnWordsHandler()); } }

contract BubbledHandler is Handler {
    function go(uint256 x) external { if (rise(x)) this.deep(); }
    function deep() external onlySelf { vm.assertEq(uint256(1), 2); }
}
contract BubbledTest is OfHandler { function setUp() external { start(new BubbledHandler()); } }

contract CaughtHandler is Handler {
    function go(uint256 x) external { if (rise(x)) try this.deep() {} catch {} }
    function deep() external onlySelf { vm.assertEq(uint256(1), 2); }
}
contract CaughtTest is OfHandler { function setUp() external { start(new CaughtHandler()); targetSender(address(77)); } }

contract ReplacedHandler is Handler {
    function go(uint256 x) external { if (rise(x)) try this.deep() {} catch { revert("other"); } }
    function deep() external onlySelf { vm.assertEq(uint256(1), 2); }
}
contract ReplacedTest is OfHandler { function setUp() external { start(new ReplacedHandler()); targetSender(address(77)); } }

contract ImitatedHandler is Handler {
    error CheatcodeError(string);
    function go(uint256 x) external { if (rise(x)) revert CheatcodeError("assertion failed: 1 != 2"); }
}
contract ImitatedTest is OfHandler { function setUp() external { start(new ImitatedHandler()); } }

contract PanicHandler is Handler { function go(uint256 x) external { if (rise(x)) assert(false); } }
contract PanicTest is OfHandler { function setUp() external { start(new PanicHandler()); } }

contract OverflowHandler is Handler { function go(uint256 x) external { if (rise(x)) n -= type(uint256).max; } }
contract OverflowTest is OfHandler { function setUp() external { start(new OverflowHandler()); } }

contract RequireHandler is Handler { function go(uint256 x) external { require(!rise(x), "no"); } }
contract RequireTest is OfHandler { function setUp() external { start(new RequireHandler()); } }

contract AssumeHandler is Handler { function go(uint256 x) external { vm.assume(!rise(x)); } }
contract AssumeTest is OfHandler { function setUp() external { start(new AssumeHandler()); } }

contract ExpectMissingHandler is Handler {
    function go(uint256 x) external { if (rise(x)) { vm.expectRevert(); this.fine(); } }
    function fine() external {}
}
contract ExpectMissingTest is OfHandler { function setUp() external { start(new ExpectMissingHandler()); } }

contract ExpectedHandler is Handler {
    function go(uint256 x) external { if (rise(x)) { vm.expectRevert(bytes("b")); this.bad(); } }
    function bad() external onlySelf { revert("b"); }
}
contract ExpectedTest is OfHandler { function setUp() external { start(new ExpectedHandler()); targetSender(address(77)); } }

contract FailHandler is Handler { function go(uint256 x) external { if (rise(x)) fail(); } }
contract FailTest is OfHandler { function setUp() external { start(new FailHandler()); } }

/// As `fail` of forge-std was until 1.7.
contract StoredFailHandler is Handler {
    function go(uint256 x) external { if (rise(x)) vm.store(address(vm), bytes32("failed"), bytes32(uint256(1))); }
}
contract StoredFailTest is OfHandler { function setUp() external { start(new StoredFailHandler()); } }

contract StoredThenRevertedHandler is Handler {
    function go(uint256 x) external { if (rise(x)) { vm.store(address(vm), bytes32("failed"), bytes32(uint256(1))); revert("r"); } }
}
contract StoredThenRevertedTest is OfHandler { function setUp() external { start(new StoredThenRevertedHandler()); } }

contract Asked { function who() external view returns (address) { return msg.sender; } }
contract LastingPrankHandler is Handler {
    Asked asked = new Asked();
    function go(uint256) external { vm.startPrank(address(7)); }
    function see() external { if (asked.who() == address(7)) n = 5000; }
}
contract LastingPrankTest is OfHandler { function setUp() external { start(new LastingPrankHandler()); } }

contract SetUpPrankTest is OfHandler {
    Asked asked = new Asked();
    function setUp() external { start(new FineHandler()); vm.startPrank(address(8)); }
    function invariant_own() external view { require(asked.who() != address(8), "of setUp"); }
}

contract FineHandler is Handler { function go(uint256 x) external { rise(x); } function other(uint256 x) external { if (x > 5) n = 2000; } }
contract AfterTest is OfHandler {
    function setUp() external { start(new FineHandler()); excludeSelector(FuzzSelector(address(handler), list(FineHandler.other.selector))); }
    function afterInvariant() external view { require(handler.n() < 3, "after"); }
    function list(bytes4 one) internal pure returns (bytes4[] memory made) { made = new bytes4[](1); made[0] = one; }
}
contract PrefixTest is Test {
    FineHandler handler = new FineHandler();
    function setUp() external { targetContract(address(handler)); }
    function invariantOfAnyName() external view { require(handler.n() < 2000, "prefix"); }
}
contract StatefulFuzzTest is Test {
    FineHandler handler = new FineHandler();
    function setUp() external { targetContract(address(handler)); }
    function statefulFuzzToo() external view { require(handler.n() < 2000, "stateful"); }
}
/// Fields are set by the constructor, with cheatcodes.
contract FieldsTest is Test {
    address alice = makeAddr("alice"); FineHandler handler = new FineHandler(); uint256 most = 1999;
    function setUp() external { targetContract(address(handler)); targetSender(alice); }
    function invariant_fields() external view { require(alice == 0x328809Bc894f92807417D2dAD6b7C998c1aFdac6, "alice"); require(handler.n() <= most, "fields"); }
}
/// Without a choice, all that was created is called: in the constructor too, but not the test itself.
contract CreatedTest is Test {
    FineHandler handler = new FineHandler();
    function setUp() external {}
    function change() external { handler = FineHandler(address(0)); }
    function invariant_created() external view { require(address(handler) != address(0), "change"); require(handler.n() < 2000, "created"); }
}
contract ArtifactTest is Test {
    FineHandler handler; AssertHandler other;
    function setUp() external { handler = new FineHandler(); other = new AssertHandler(); targetArtifact("FineHandler"); }
    function invariant_artifact() external view { require(handler.n() < 2000, "artifact"); }
}
contract ExcludedArtifactTest is Test {
    FineHandler handler; RequireHandler other;
    function setUp() external { handler = new FineHandler(); other = new RequireHandler(); excludeArtifact("FineHandler"); }
    function invariant_excluded() external view { require(handler.n() == 0, "excluded"); }
}
contract ArtifactSelectorTest is Test {
    FineHandler handler;
    function setUp() external { handler = new FineHandler(); bytes4[] memory list = new bytes4[](1); list[0] = FineHandler.go.selector; targetArtifactSelector(FuzzArtifactSelector("FineHandler", list)); }
    function invariant_selector() external view { require(handler.n() < 1000, "other was called"); }
}
contract Proxy {
    address immutable to; constructor(address it) { to = it; }
    fallback() external payable {
        address it = to;
        assembly { calldatacopy(0, 0, calldatasize()) let ok := delegatecall(gas(), it, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) if iszero(ok) { revert(0, returndatasize()) } return(0, returndatasize()) }
    }
}
contract InterfaceTest is Test {
    Proxy proxy;
    function setUp() external { proxy = new Proxy(address(new FineHandler())); string[] memory list = new string[](1); list[0] = "FineHandler"; targetInterface(FuzzInterface(address(proxy), list)); excludeArtifact("FineHandler"); }
    function invariant_proxy() external view { require(FineHandler(address(proxy)).n() < 2000, "proxy"); }
}
/// With selectors of one contract alone, is the other called?
contract SelectorAloneTest is Test {
    FineHandler handler; FineHandler other;
    function setUp() external { handler = new FineHandler(); other = new FineHandler(); bytes4[] memory list = new bytes4[](1); list[0] = FineHandler.go.selector; targetSelector(FuzzSelector(address(handler), list)); }
    function invariant_other() external view { require(other.n() == 0, "other"); }
}
