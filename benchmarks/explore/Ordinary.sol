// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

// Contracts of ordinary size, without bugs, each with a test contract as Foundry's: what exploring costs for a call.

contract Token {
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  uint256 public totalSupply;
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  function mint(address to, uint256 value) external {
    require(totalSupply + value < 2 ** 128, 'cap');
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function transfer(address to, uint256 value) external returns (bool) {
    move(msg.sender, to, value);
    return true;
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    allowance[from][msg.sender] -= value;
    move(from, to, value);
    return true;
  }

  function move(address from, address to, uint256 value) private {
    require(balanceOf[from] >= value, 'balance');
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }
}

contract Vault {
  Token public immutable asset;
  mapping(address => uint256) public sharesOf;
  uint256 public shares;

  constructor(Token token) {
    asset = token;
  }

  function total() public view returns (uint256) {
    return asset.balanceOf(address(this));
  }

  function deposit(uint256 amount) external returns (uint256 minted) {
    uint256 held = total();
    minted = shares == 0 || held == 0 ? amount : (amount * shares) / held;
    asset.transferFrom(msg.sender, address(this), amount);
    shares += minted;
    sharesOf[msg.sender] += minted;
  }

  function redeem(uint256 burned) external returns (uint256 amount) {
    require(burned <= sharesOf[msg.sender], 'shares');
    amount = (burned * total()) / shares;
    sharesOf[msg.sender] -= burned;
    shares -= burned;
    asset.transfer(msg.sender, amount);
  }
}

contract Exchange {
  Token public immutable a;
  Token public immutable b;
  uint112 public reserveA;
  uint112 public reserveB;
  mapping(address => uint256) public liquidityOf;
  uint256 public liquidity;

  constructor(Token first, Token second) {
    a = first;
    b = second;
  }

  function root(uint256 y) private pure returns (uint256 z) {
    if (y < 4) return y == 0 ? 0 : 1;
    z = y;
    for (uint256 x = y / 2 + 1; x < z; x = (y / x + x) / 2) z = x;
  }

  function add(uint112 amountA, uint112 amountB) external {
    a.transferFrom(msg.sender, address(this), amountA);
    b.transferFrom(msg.sender, address(this), amountB);
    uint256 minted = liquidity == 0
      ? root(uint256(amountA) * amountB)
      : least((amountA * liquidity) / reserveA, (amountB * liquidity) / reserveB);
    require(minted > 0, 'liquidity');
    liquidity += minted;
    liquidityOf[msg.sender] += minted;
    reserveA += amountA;
    reserveB += amountB;
  }

  function least(uint256 x, uint256 y) private pure returns (uint256) {
    return x < y ? x : y;
  }

  function remove(uint256 amount) external {
    require(amount > 0 && amount <= liquidityOf[msg.sender], 'liquidity');
    uint256 outA = (amount * reserveA) / liquidity;
    uint256 outB = (amount * reserveB) / liquidity;
    liquidityOf[msg.sender] -= amount;
    liquidity -= amount;
    reserveA -= uint112(outA);
    reserveB -= uint112(outB);
    a.transfer(msg.sender, outA);
    b.transfer(msg.sender, outB);
  }

  function swap(uint112 amountIn) external returns (uint256 out) {
    require(amountIn > 0, 'amount');
    uint256 fed = uint256(amountIn) * 997;
    out = (fed * reserveB) / (uint256(reserveA) * 1000 + fed);
    a.transferFrom(msg.sender, address(this), amountIn);
    b.transfer(msg.sender, out);
    reserveA += amountIn;
    reserveB -= uint112(out);
  }
}

/** Two tokens of about the same worth: the invariant of stable pools, solved by Newton's method in each call. */
contract StablePool {
  uint256 private constant AMPLIFICATION = 200 * 2;
  Token public immutable a;
  Token public immutable b;
  uint256[2] public reserves;
  mapping(address => uint256) public liquidityOf;
  uint256 public liquidity;

  constructor(Token first, Token second) {
    a = first;
    b = second;
  }

  function invariantOf(uint256 x, uint256 y) private pure returns (uint256 d) {
    uint256 sum = x + y;
    if (sum == 0) return 0;
    d = sum;
    for (uint256 i = 0; i < 255; i++) {
      uint256 product = (d * d) / (x * 2 + 1);
      product = (product * d) / (y * 2 + 1);
      uint256 last = d;
      d = ((AMPLIFICATION * sum + product * 2) * d) / ((AMPLIFICATION - 1) * d + 3 * product);
      if (d > last ? d - last <= 1 : last - d <= 1) break;
    }
  }

  function reserveAfter(uint256 x, uint256 d) private pure returns (uint256 y) {
    uint256 c = (((d * d) / (x * 2)) * d) / (AMPLIFICATION * 2);
    uint256 sum = x + d / AMPLIFICATION;
    y = d;
    for (uint256 i = 0; i < 255; i++) {
      uint256 last = y;
      y = (y * y + c) / (2 * y + sum - d);
      if (y > last ? y - last <= 1 : last - y <= 1) break;
    }
  }

  function add(uint96 amountA, uint96 amountB) external {
    require(amountA > 0 && amountB > 0, 'amounts');
    uint256 before = invariantOf(reserves[0], reserves[1]);
    a.transferFrom(msg.sender, address(this), amountA);
    b.transferFrom(msg.sender, address(this), amountB);
    reserves[0] += amountA;
    reserves[1] += amountB;
    uint256 d = invariantOf(reserves[0], reserves[1]);
    uint256 minted = liquidity == 0 ? d : (liquidity * (d - before)) / before;
    liquidity += minted;
    liquidityOf[msg.sender] += minted;
  }

  function remove(uint256 amount) external {
    require(amount > 0 && amount <= liquidityOf[msg.sender], 'liquidity');
    uint256 outA = (amount * reserves[0]) / liquidity;
    uint256 outB = (amount * reserves[1]) / liquidity;
    liquidityOf[msg.sender] -= amount;
    liquidity -= amount;
    reserves[0] -= outA;
    reserves[1] -= outB;
    a.transfer(msg.sender, outA);
    b.transfer(msg.sender, outB);
  }

  function swap(uint96 amountIn) external returns (uint256 out) {
    require(amountIn > 0 && reserves[1] > 1, 'amount');
    uint256 d = invariantOf(reserves[0], reserves[1]);
    uint256 y = reserveAfter(reserves[0] + amountIn, d);
    out = reserves[1] - y - 1;
    a.transferFrom(msg.sender, address(this), amountIn);
    b.transfer(msg.sender, out);
    reserves[0] += amountIn;
    reserves[1] -= out;
  }
}

contract Targets {
  address[] internal targets;
  address[] internal senders = [
    0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266,
    0x70997970C51812dc3A010C7d01b50e0d17dc79C8,
    0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC
  ];

  function targetContracts() external view returns (address[] memory) {
    return targets;
  }

  function targetSenders() external view returns (address[] memory) {
    return senders;
  }
}

contract TokenTest is Targets {
  Token token;

  function setUp() external {
    token = new Token();
    targets.push(address(token));
  }

  function invariant_supply() external view {
    uint256 sum;
    for (uint256 i = 0; i < 3; i++) sum += token.balanceOf(senders[i]);
    require(sum <= token.totalSupply(), 'supply');
  }
}

contract VaultTest is Targets {
  Token token;
  Vault vault;

  function setUp() external {
    token = new Token();
    vault = new Vault(token);
    targets.push(address(token));
    targets.push(address(vault));
  }

  function invariant_shares() external view {
    uint256 sum;
    for (uint256 i = 0; i < 3; i++) sum += vault.sharesOf(senders[i]);
    require(sum == vault.shares(), 'shares');
  }
}

contract ExchangeTest is Targets {
  Token a;
  Token b;
  Exchange exchange;

  function setUp() external {
    a = new Token();
    b = new Token();
    exchange = new Exchange(a, b);
    targets.push(address(a));
    targets.push(address(b));
    targets.push(address(exchange));
  }

  function invariant_reserves() external view {
    require(exchange.reserveA() <= a.balanceOf(address(exchange)), 'reserve of a');
    require(exchange.reserveB() <= b.balanceOf(address(exchange)), 'reserve of b');
  }
}

/** Calls the pool with amounts that it can pay, as handlers do. */
contract StableHandler {
  StablePool immutable pool;

  constructor(Token a, Token b) {
    pool = new StablePool(a, b);
    a.mint(address(this), 1e30);
    b.mint(address(this), 1e30);
    a.approve(address(pool), type(uint256).max);
    b.approve(address(pool), type(uint256).max);
    pool.add(1e24, 1e24);
  }

  function add(uint256 amountA, uint256 amountB) external {
    pool.add(uint96(1 + amountA % 1e24), uint96(1 + amountB % 1e24));
  }

  function remove(uint256 amount) external {
    pool.remove(1 + amount % pool.liquidityOf(address(this)));
  }

  function swap(uint256 amountIn) external {
    pool.swap(uint96(1 + amountIn % 1e22));
  }

  function exceeds(Token token, uint256 index) external view returns (bool) {
    return pool.reserves(index) > token.balanceOf(address(pool));
  }
}

contract StablePoolTest is Targets {
  Token a;
  Token b;
  StableHandler handler;

  function setUp() external {
    a = new Token();
    b = new Token();
    handler = new StableHandler(a, b);
    targets.push(address(handler));
  }

  function invariant_reserves() external view {
    require(!handler.exceeds(a, 0), 'reserve of a');
    require(!handler.exceeds(b, 1), 'reserve of b');
  }
}
