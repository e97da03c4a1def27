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

contract Bell {
    event Rung(uint256 times); uint256 public times;
    function ring() external payable { emit Rung(++times); }
    function silent() external { times++; }
    function value() external pure returns (uint256) { return 1; }
}
abstract contract BellHandler is Handler { event Rung(uint256 times); Bell public bell = new Bell(); }

contract EmitMissingHandler is BellHandler { function go(uint256 x) external { if (rise(x)) { vm.expectEmit(); emit Rung(bell.times() + 2); bell.ring(); } } }
contract EmitMissingTest is OfHandler { function setUp() external { start(new EmitMissingHandler()); } }

contract EmitNeverHandler is BellHandler { function go(uint256 x) external { if (rise(x)) { vm.expectEmit(); emit Rung(1); } } }
contract EmitNeverTest is OfHandler { function setUp() external { start(new EmitNeverHandler()); } }

contract EmittedHandler is BellHandler { function go(uint256 x) external { if (rise(x)) { vm.expectEmit(address(bell)); emit Rung(bell.times() + 1); bell.ring(); } } }
contract EmittedTest is OfHandler { function setUp() external { start(new EmittedHandler()); } }

contract CallMissingHandler is BellHandler { function go(uint256 x) external { if (rise(x)) { vm.expectCall(address(bell), abi.encodeCall(bell.ring, ())); bell.silent(); } } }
contract CallMissingTest is OfHandler { function setUp() external { start(new CallMissingHandler()); } }

contract CalledHandler is BellHandler { function go(uint256 x) external { if (rise(x)) { vm.expectCall(address(bell), abi.encodeCall(bell.ring, ())); bell.ring(); } } }
contract CalledTest is OfHandler { function setUp() external { start(new CalledHandler()); } }

/// Is the call that one handler has counted still counted in the next?
contract CountedHandler is BellHandler {
    bool isExpected;
    function expectOne() external { require(!isExpected); isExpected = true; vm.expectCall(address(bell), abi.encodeCall(bell.ring, ()), 1); bell.ring(); }
    function ring() external { require(isExpected); bell.ring(); }
}
contract CountedTest is OfHandler { function setUp() external { start(new CountedHandler()); } }

/// Mocks outlive the call in which they were made.
contract MockHandler is BellHandler {
    function go() external { vm.mockCall(address(bell), bell.value.selector, abi.encode(2)); }
    function see() external { if (bell.value() == 2) n = 5000; }
}
contract MockTest is OfHandler { function setUp() external { start(new MockHandler()); } }

contract FailedMockHandler is BellHandler {
    function go() external { vm.mockCall(address(bell), bell.value.selector, abi.encode(2)); revert("undone"); }
    function see() external { if (bell.value() == 2) n = 5000; }
}
contract FailedMockTest is OfHandler { function setUp() external { start(new FailedMockHandler()); } }

contract SeeHandler is BellHandler { function see() external { if (bell.value() == 2) n = 5000; } }
contract SetUpMockTest is OfHandler {
    function setUp() external { SeeHandler made = new SeeHandler(); start(made); vm.mockCall(address(made.bell()), Bell.value.selector, abi.encode(2)); }
    function invariant_mocked() external view { require(SeeHandler(address(handler)).bell().value() == 1, "mocked"); }
}

contract BlockHandler is Handler {
    function go() external { vm.fee(7); vm.chainId(78); vm.coinbase(address(79)); vm.prevrandao(uint256(80)); vm.txGasPrice(81); }
    function fee() external { if (block.basefee == 7) n = 1001; }
    function chain() external { if (block.chainid == 78) n = 1002; }
    function coinbase() external { if (block.coinbase == address(79)) n = 1003; }
    function random() external { if (block.prevrandao == 80) n = 1004; }
    function price() external { if (tx.gasprice == 81) n = 1005; }
}
abstract contract OfBlock is OfHandler {
    function choose(bytes4 it) internal {
        start(new BlockHandler()); bytes4[] memory list = new bytes4[](2); list[0] = BlockHandler.go.selector; list[1] = it; targetSelector(FuzzSelector(address(handler), list));
    }
}
contract BlockFeeTest is OfBlock { function setUp() external { choose(BlockHandler.fee.selector); } }
contract BlockChainTest is OfBlock { function setUp() external { choose(BlockHandler.chain.selector); } }
contract BlockCoinbaseTest is OfBlock { function setUp() external { choose(BlockHandler.coinbase.selector); } }
contract BlockRandomTest is OfBlock { function setUp() external { choose(BlockHandler.random.selector); } }
contract BlockPriceTest is OfBlock { function setUp() external { choose(BlockHandler.price.selector); } }

contract LogsHandler is BellHandler {
    function begin() external { vm.recordLogs(); bell.ring(); }
    function see() external { if (vm.getRecordedLogs().length > 0) n = 5000; }
}
contract LogsTest is OfHandler { function setUp() external { start(new LogsHandler()); } }

contract AccessesHandler is BellHandler {
    function begin() external { vm.record(); bell.silent(); }
    function see() external { (, bytes32[] memory writes) = vm.accesses(address(bell)); if (writes.length > 0) n = 5000; }
}
contract AccessesTest is OfHandler { function setUp() external { start(new AccessesHandler()); } }

contract SnapshotHandler is Handler {
    uint256 id; bool isMade;
    function go() external { require(!isMade); isMade = true; id = vm.snapshotState(); n = 1; }
    function back() external { require(isMade); if (vm.revertToState(id) && n == 0) n = 5000; }
}
contract SnapshotTest is OfHandler { function setUp() external { start(new SnapshotHandler()); } }

contract NonceHandler is Handler { function go() external { vm.setNonce(address(9), vm.getNonce(address(9)) + 1); if (vm.getNonce(address(9)) > 1) n = 5000; } }
contract NonceTest is OfHandler { function setUp() external { start(new NonceHandler()); } }

// What is left of a call that fails: mocks tell of it.
abstract contract LeftHandler is BellHandler {
    modifier marked() { vm.mockCall(address(bell), bell.value.selector, abi.encode(2)); _; }
    function see() external { if (bell.value() == 2) n = 5000; }
}
contract EmitLeftHandler is LeftHandler { function go() external marked { vm.expectEmit(); emit Rung(1); } }
contract EmitLeftTest is OfHandler { function setUp() external { start(new EmitLeftHandler()); } }
contract CallLeftHandler is LeftHandler { function go() external marked { vm.expectCall(address(bell), abi.encodeCall(bell.ring, ())); } }
contract CallLeftTest is OfHandler { function setUp() external { start(new CallLeftHandler()); } }
contract RevertLeftHandler is LeftHandler { function go() external marked { vm.expectRevert(); revert("own"); } }
contract RevertLeftTest is OfHandler { function setUp() external { start(new RevertLeftHandler()); } }
contract TimeLeftHandler is LeftHandler {
    uint256 until = block.timestamp + 1 days;
    function go() external { vm.warp(until); vm.fee(55); revert("undone"); }
    function late() external { if (block.timestamp >= until || block.basefee == 55) n = 5000; }
}
contract TimeLeftTest is OfHandler { function setUp() external { start(new TimeLeftHandler()); } }
contract PrankLeftHandler is Handler {
    Asked asked = new Asked();
    function go() external { vm.startPrank(address(7)); revert("undone"); }
    function see() external { if (asked.who() == address(7)) n = 5000; }
}
contract PrankLeftTest is OfHandler { function setUp() external { start(new PrankLeftHandler()); } }
contract SnapshotLeftHandler is LeftHandler {
    bool isMade;
    function go() external { isMade = true; vm.snapshotState(); }
    function back() external { require(isMade); if (vm.revertToState(0)) vm.mockCall(address(bell), bell.value.selector, abi.encode(2)); }
}
contract SnapshotLeftTest is OfHandler { function setUp() external { start(new SnapshotLeftHandler()); } }
contract SetUpChainTest is OfHandler { function setUp() external { start(new FineHandler()); vm.chainId(55); vm.fee(3); } function invariant_chain() external view { require(block.chainid != 55, "chain"); } function invariant_fee() external view { require(block.basefee != 3, "fee"); } }
/// A failure inside of a call that succeeds.
contract TimeInsideHandler is Handler {
    uint256 until = block.timestamp + 1 days;
    function go() external { try this.move() {} catch {} }
    function move() external { vm.warp(until); revert("undone"); }
    function late() external { if (block.timestamp >= until) n = 5000; }
}
contract TimeInsideTest is OfHandler { function setUp() external { start(new TimeInsideHandler()); bytes4[] memory list = new bytes4[](2); list[0] = TimeInsideHandler.go.selector; list[1] = TimeInsideHandler.late.selector; targetSelector(FuzzSelector(address(handler), list)); } }
