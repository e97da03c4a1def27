// SPDX-License-Identifier: MIT
// Three invariant suites in the styles that are usual, each with a bug and without: handlers with ghost variables and
// actors, handlers that expect reverts, and a test without handlers.
pragma solidity ^0.8.20;

import {Std, Test, vm} from "./Std.sol";

/// Wrapped ether, which a bug lets pay out twice.
contract Weth {
    mapping(address => uint256) public balanceOf; bool immutable isBroken;
    event Deposit(address indexed who, uint256 amount);
    constructor(bool broken) { isBroken = broken; }
    function totalSupply() external view returns (uint256) { return address(this).balance; }
    receive() external payable { deposit(); }
    function deposit() public payable { balanceOf[msg.sender] += msg.value; emit Deposit(msg.sender, msg.value); }
    function transfer(address to, uint256 amount) external returns (bool) {
        require(balanceOf[msg.sender] >= amount, "balance");
        if (isBroken && to == msg.sender) { balanceOf[to] += amount; return true; }
        balanceOf[msg.sender] -= amount; balanceOf[to] += amount; return true;
    }
    function withdraw(uint256 amount) external {
        require(balanceOf[msg.sender] >= amount, "balance");
        balanceOf[msg.sender] -= amount; (bool ok,) = msg.sender.call{value: amount}(""); require(ok, "payment");
    }
}

contract WethHandler is Std {
    Weth weth; uint256 public ghostDeposits; uint256 public ghostWithdrawals; mapping(bytes32 => uint256) public calls;
    address[] public actors; mapping(address => bool) isActor; address internal currentActor;
    uint256 constant SUPPLY = 1000 ether;
    constructor(Weth it) { weth = it; deal(address(this), SUPPLY); }
    modifier createActor() { currentActor = msg.sender; if (!isActor[currentActor]) { isActor[currentActor] = true; actors.push(currentActor); } _; }
    modifier useActor(uint256 seed) {
        currentActor = actors.length == 0 ? makeAddr("nobody") : actors[bound(seed, 0, actors.length - 1)];
        vm.startPrank(currentActor); _; vm.stopPrank();
    }
    modifier countCall(bytes32 key) { calls[key]++; _; }
    function deposit(uint256 amount) external createActor countCall("deposit") {
        amount = bound(amount, 0, address(this).balance);
        (bool ok,) = currentActor.call{value: amount}(""); vm.assume(ok);
        vm.prank(currentActor); weth.deposit{value: amount}(); ghostDeposits += amount;
    }
    function withdraw(uint256 seed, uint256 amount) external useActor(seed) countCall("withdraw") {
        amount = bound(amount, 0, weth.balanceOf(currentActor));
        weth.withdraw(amount); (bool ok,) = address(this).call{value: amount}(""); require(ok, "return");
        ghostWithdrawals += amount;
    }
    function transfer(uint256 seed, uint256 toSeed, uint256 amount) external useActor(seed) countCall("transfer") {
        amount = bound(amount, 0, weth.balanceOf(currentActor));
        weth.transfer(actors.length == 0 ? currentActor : actors[toSeed % actors.length], amount);
    }
    function sumOfBalances() external view returns (uint256 sum) { for (uint256 i; i < actors.length; i++) sum += weth.balanceOf(actors[i]); }
    receive() external payable {}
}

abstract contract WethSuite is Test {
    Weth weth; WethHandler handler;
    function build(bool broken) internal {
        weth = new Weth(broken); handler = new WethHandler(weth);
        bytes4[] memory list = new bytes4[](3);
        list[0] = WethHandler.deposit.selector; list[1] = WethHandler.withdraw.selector; list[2] = WethHandler.transfer.selector;
        targetSelector(FuzzSelector(address(handler), list)); targetContract(address(handler)); excludeSender(address(weth));
    }
    function invariant_solvent() external view { vm.assertEq(address(weth).balance, handler.ghostDeposits() - handler.ghostWithdrawals()); }
    function invariant_sum() external view { vm.assertGe(weth.totalSupply(), handler.sumOfBalances(), "more than there is"); }
}
contract WethTest is WethSuite { function setUp() external { build(false); } }
contract BrokenWethTest is WethSuite { function setUp() external { build(true); } }

/// An auction with a deadline, in which a bug takes late bids.
contract Auction {
    error TooLate(); error TooLow(uint256 least);
    uint256 public immutable end = block.timestamp + 3 days; uint256 public best; address public leader; uint256 public lastBid; bool immutable isBroken;
    mapping(address => uint256) public owed;
    constructor(bool broken) { isBroken = broken; lastBid = block.timestamp; }
    function bid() external payable {
        if (block.timestamp >= end && !(isBroken && msg.value > 50 ether)) revert TooLate();
        if (msg.value <= best) revert TooLow(best + 1);
        owed[leader] += best; best = msg.value; leader = msg.sender; lastBid = block.timestamp;
    }
    function refund() external { uint256 amount = owed[msg.sender]; owed[msg.sender] = 0; payable(msg.sender).transfer(amount); }
}

contract AuctionHandler is Std {
    Auction auction; address[3] actors = [makeAddr("alice"), makeAddr("bob"), makeAddr("carol")];
    constructor(Auction it) { auction = it; }
    function bid(uint256 seed, uint256 amount) external {
        address actor = actors[bound(seed, 0, 2)]; uint256 best = auction.best();
        amount = bound(amount, best + 1, best + 100 ether);
        if (block.timestamp >= auction.end() && amount <= 50 ether) { hoax(actor, amount); vm.expectRevert(Auction.TooLate.selector); auction.bid{value: amount}(); return; }
        if (block.timestamp >= auction.end()) { startHoax(actor); try auction.bid{value: amount}() {} catch {} vm.stopPrank(); return; }
        hoax(actor, amount); auction.bid{value: amount}();
        vm.assertEq(auction.leader(), actor);
    }
    function bidTooLow(uint256 seed, uint256 amount) external {
        uint256 best = auction.best(); if (best == 0 || block.timestamp >= auction.end()) return;
        amount = bound(amount, 0, best); hoax(actors[seed % 3], amount);
        vm.expectRevert(abi.encodeWithSelector(Auction.TooLow.selector, best + 1)); auction.bid{value: amount}();
    }
    function refund(uint256 seed) external { vm.prank(actors[seed % 3]); auction.refund(); }
    function passTime(uint256 time) external { skip(bound(time, 1 hours, 1 days)); }
}

abstract contract AuctionSuite is Test {
    Auction auction; AuctionHandler handler;
    function build(bool broken) internal { auction = new Auction(broken); handler = new AuctionHandler(auction); targetContract(address(handler)); }
    function invariant_time() external view { vm.assertTrue(auction.lastBid() < auction.end(), "a late bid"); }
    function afterInvariant() external { skip(10 days); vm.expectRevert(Auction.TooLate.selector); auction.bid(); }
}
contract AuctionTest is AuctionSuite { function setUp() external { build(false); } }
contract BrokenAuctionTest is AuctionSuite { function setUp() external { build(true); } }

/// A staking contract without handlers: senders are chosen, and its own functions are called.
contract Staking {
    mapping(address => uint256) public stakes; uint256 public total; address public owner; bool public isPaused; bool immutable isBroken;
    constructor(address first, bool broken) { owner = first; isBroken = broken; }
    function stake(uint96 amount) external { require(!isPaused, "paused"); stakes[msg.sender] += amount; total += amount; }
    function unstake(uint96 amount) external { stakes[msg.sender] -= amount; total -= amount; }
    function pause(bool on) external { require(msg.sender == owner || (isBroken && stakes[msg.sender] > 1e20), "owner"); isPaused = on; }
    function drop(address who) external { require(msg.sender == owner, "owner"); total -= stakes[who]; stakes[who] = 0; }
}
abstract contract StakingSuite is Test {
    address owner = makeAddr("owner"); address[] stakers; Staking staking;
    function build(bool broken) internal {
        stakers.push(makeAddr("first")); stakers.push(makeAddr("second")); staking = new Staking(owner, broken);
        for (uint256 i; i < stakers.length; i++) targetSender(stakers[i]);
    }
    function invariant_total() external view { uint256 sum; for (uint256 i; i < stakers.length; i++) sum += staking.stakes(stakers[i]); vm.assertEq(staking.total(), sum); }
    function invariant_pause() external view { vm.assertTrue(!staking.isPaused(), "paused by a staker"); }
}
contract StakingTest is StakingSuite { function setUp() external { build(false); } }
contract BrokenStakingTest is StakingSuite { function setUp() external { build(true); } }
