// Bugs of the kinds that audits of contracts name most often, for the long run. Each is short, and so is its story.

import type { ContractsScene } from 'tickchain/explore'
import type { Planted } from './planted.ts'

const alone = (address: string, abi: readonly unknown[]): ContractsScene => ({
  contracts: { it: { address, abi } },
})

const asTest = (address: string, abi: readonly unknown[]): ContractsScene => ({ test: { address, abi } })

/** The handler alone is called. */
const ONLY_HANDLER = `function targetContracts() external view returns (address[] memory list) {
  list = new address[](1);
  list[0] = address(handler);
}`

const VM = `interface Vm {
  function sign(uint256 key, bytes32 digest) external returns (uint8 v, bytes32 r, bytes32 s);
  function addr(uint256 key) external returns (address);
}
Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);`

export const CLASSIC: readonly Planted[] = [
  {
    name: 'who is being paid gives the shares away before they are burnt',
    breaks: ['invariantBroken', 'test.invariant_backed'],
    // A deposit, the mind made up, a withdrawal.
    calls: 3,
    deploys: 'VaultTest',
    value: 10n ** 18n,
    source: `contract Shares {
      mapping(address => uint256) public held; address vault = msg.sender; uint256 public total;
      modifier onlyVault() { require(msg.sender == vault, 'vault'); _; }
      function mint(address who, uint256 n) external onlyVault { held[who] += n; total += n; }
      function burn(address who, uint256 n) external onlyVault {
        if (n > held[who]) n = held[who];
        held[who] -= n;
        total -= n;
      }
      function move(address to, uint256 n) external { held[msg.sender] -= n; held[to] += n; }
    }
    contract Vault {
      Shares public shares = new Shares();
      function deposit() external payable { shares.mint(msg.sender, msg.value); }
      function withdraw(uint256 n) external {
        require(n > 0 && shares.held(msg.sender) >= n, 'shares');
        BUG
      }
      function pay(uint256 n) internal { (bool ok, ) = msg.sender.call{value: n}(''); require(ok, 'call'); }
    }
    contract Handler {
      Vault vault; bool armed;
      constructor(Vault v) payable { vault = v; }
      function deposit(uint96 n) external { vault.deposit{value: uint256(n) % (address(this).balance + 1)}(); }
      function arm(bool on) external { armed = on; }
      function withdraw(uint96 n) external { vault.withdraw(n); }
      receive() external payable {
        if (!armed) return;
        Shares shares = vault.shares();
        shares.move(address(1), shares.held(address(this)));
      }
    }
    contract VaultTest {
      Vault vault; Handler handler;
      constructor() payable {}
      function setUp() external {
        vault = new Vault();
        handler = new Handler{value: address(this).balance}(vault);
      }
      ${ONLY_HANDLER}
      function invariant_backed() external view {
        require(address(vault).balance >= vault.shares().total(), 'not backed');
      }
    }`,
    planted: 'pay(n); shares.burn(msg.sender, n);',
    repaired: 'shares.burn(msg.sender, n); pay(n);',
    scene: asTest,
  },
  {
    name: 'a bid is taken in the second in which the auction ends',
    breaks: ['invariantBroken', 'it.invariant_late'],
    calls: 2,
    runs: 3000,
    deploys: 'Auction',
    source: `contract Auction {
      uint256 end = block.timestamp + 7 days; uint256 best; bool claimed; bool late;
      function bid(uint256 n) external {
        BUG
        require(n > best, 'less');
        best = n;
        if (claimed) late = true;
      }
      function claim() external {
        require(block.timestamp >= end, 'open');
        require(!claimed, 'claimed');
        claimed = true;
      }
      function invariant_late() external view { require(!late, 'a bid after the end'); }
    }`,
    planted: "require(block.timestamp <= end, 'closed');",
    repaired: "require(block.timestamp < end, 'closed');",
    scene: alone,
  },
  {
    name: 'a loan at the price of the moment',
    breaks: ['invariantBroken', 'it.invariant_solvent'],
    // Collateral, a large purchase, a loan.
    calls: 3,
    runs: 3000,
    deploys: 'Lender',
    source: `contract Lender {
      uint256 x = 1e24; uint256 y = 1e24; uint256 totalCollateral; uint256 totalDebt;
      mapping(address => uint256) collateral; mapping(address => uint256) debt;
      modifier bounded(uint256 n) { require(n > 0 && n <= 1e24, 'amount'); _; }
      function deposit(uint256 n) external bounded(n) { collateral[msg.sender] += n; totalCollateral += n; }
      function buy(uint256 n) external bounded(n) { uint256 k = x * y; y += n; x = k / y + 1; }
      function sell(uint256 n) external bounded(n) { uint256 k = x * y; x += n; y = k / x + 1; }
      function price() internal view returns (uint256) { BUG }
      function borrow(uint256 n) external bounded(n) {
        require((debt[msg.sender] + n) * 1e18 <= collateral[msg.sender] * price() * 8 / 10, 'limit');
        debt[msg.sender] += n;
        totalDebt += n;
      }
      function invariant_solvent() external view { require(totalDebt <= totalCollateral, 'insolvent'); }
    }`,
    planted: 'return y * 1e18 / x;',
    repaired: 'return 1e18;',
    scene: alone,
  },
  {
    name: 'a signature is used twice',
    breaks: ['invariantBroken', 'test.invariant_paid'],
    calls: 3,
    deploys: 'PayTest',
    source: `${VM}
    contract Bank {
      address owner; uint256 public paid; mapping(bytes32 => bool) used;
      constructor(address who) { owner = who; }
      function pay(uint256 n, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 digest = keccak256(abi.encode(n, nonce));
        require(ecrecover(digest, v, r, s) == owner, 'signature');
        BUG
        paid += n;
      }
    }
    contract Handler {
      Bank bank; uint256 public allowed; uint256 nonce; uint256 n; uint8 v; bytes32 r; bytes32 s;
      constructor(Bank b) { bank = b; }
      function allow(uint64 amount) external {
        n = amount;
        (v, r, s) = vm.sign(7, keccak256(abi.encode(n, ++nonce)));
        allowed += amount;
      }
      function submit() external { bank.pay(n, nonce, v, r, s); }
    }
    contract PayTest {
      Bank bank; Handler handler;
      function setUp() external { bank = new Bank(vm.addr(7)); handler = new Handler(bank); }
      ${ONLY_HANDLER}
      function invariant_paid() external view { require(bank.paid() <= handler.allowed(), 'paid twice'); }
    }`,
    planted: '',
    repaired: "require(!used[digest], 'used'); used[digest] = true;",
    scene: asTest,
  },
  {
    name: 'a proxy keeps its implementation where the implementation counts',
    breaks: ['invariantBroken', 'it.invariant_code'],
    calls: 1,
    deploys: 'Proxy',
    source: `contract Counter {
      uint256 gap; uint256 count;
      function set(uint256 n) external { count = n; }
    }
    contract Proxy {
      BUG address first;
      constructor() { implementation = address(new Counter()); first = implementation; }
      function set(uint256) external {
        (bool ok, ) = implementation.delegatecall(msg.data);
        require(ok, 'failed');
      }
      function invariant_code() external view { require(implementation == first, 'another code'); }
    }`,
    planted: 'uint256 other; address implementation;',
    repaired: 'address implementation; uint256 other;',
    scene: alone,
  },
  {
    name: 'the sum of a batch overflows',
    breaks: ['invariantBroken', 'it.invariant_rich'],
    // Half of 2²⁵⁶, twice.
    calls: 1,
    runs: 3000,
    deploys: 'Batch',
    source: `contract Batch {
      mapping(address => uint256) held; bool rich;
      constructor() { held[msg.sender] = 1000; }
      function batch(address[] calldata to, uint256 n) external {
        require(to.length > 0 && to.length <= 20 && n > 0, 'count');
        BUG
        require(held[msg.sender] >= total, 'balance');
        held[msg.sender] -= total;
        for (uint256 i; i < to.length; i++) {
          unchecked { held[to[i]] += n; }
          if (held[to[i]] > 1000) rich = true;
        }
      }
      function invariant_rich() external view { require(!rich, 'tokens out of nothing'); }
    }`,
    planted: 'uint256 total; unchecked { total = to.length * n; }',
    repaired: 'uint256 total = to.length * n;',
    scene: alone,
  },
  {
    name: 'an approval outlives what it was given for',
    breaks: ['invariantBroken', 'it.invariant_approved'],
    // Two proposals, with an approval of the first between them, and the execution.
    calls: 4,
    deploys: 'Council',
    source: `contract Council {
      uint256 proposed; uint256 approvedFor; bool approved; bool wrong;
      function propose(uint256 what) external {
        require(what != 0 && what != proposed, 'same');
        proposed = what;
        BUG
      }
      function approve(uint256 what) external {
        require(what != 0 && what == proposed, 'another');
        (approvedFor, approved) = (what, true);
      }
      function execute() external {
        require(approved, 'not approved');
        if (approvedFor != proposed) wrong = true;
        (approved, proposed) = (false, 0);
      }
      function invariant_approved() external view { require(!wrong, 'executed without approval'); }
    }`,
    planted: '',
    repaired: 'approved = false;',
    scene: alone,
  },
  {
    name: 'a gift makes the first share so dear that the next deposit has none',
    breaks: ['invariantBroken', 'it.invariant_shares'],
    calls: 3,
    deploys: 'Pool',
    source: `contract Pool {
      uint256 shares; uint256 assets; mapping(address => uint256) held; bool robbed;
      function deposit(uint128 n) external {
        require(n > 0, 'amount');
        uint256 minted = shares == 0 ? n : uint256(n) * shares / assets;
        BUG
        if (minted == 0) robbed = true;
        held[msg.sender] += minted;
        shares += minted;
        assets += n;
      }
      function give(uint128 n) external { assets += n; }
      function invariant_shares() external view { require(!robbed, 'a deposit without a share'); }
    }`,
    planted: '',
    repaired: "require(minted > 0, 'no share');",
    scene: alone,
  },
  {
    name: 'an order that was cancelled runs, and orders have numbers',
    breaks: ['invariantBroken', 'it.invariant_cancelled'],
    calls: 3,
    deploys: 'Timelock',
    source: `contract Timelock {
      mapping(uint256 => uint256) eta; mapping(uint256 => bool) cancelled; mapping(uint256 => bool) done;
      uint256 ids; bool wrong;
      function queue() external returns (uint256 id) { id = ++ids; eta[id] = block.timestamp + 2 days; }
      function cancel(uint256 id) external {
        require(eta[id] != 0 && !done[id], 'unknown');
        cancelled[id] = true;
        BUG
      }
      function execute(uint256 id) external {
        require(eta[id] != 0 && !done[id], 'unknown');
        require(block.timestamp >= eta[id] && block.timestamp <= eta[id] + 14 days, 'early or late');
        done[id] = true;
        if (cancelled[id]) wrong = true;
      }
      function invariant_cancelled() external view { require(!wrong, 'a cancelled order ran'); }
    }`,
    planted: '',
    repaired: 'eta[id] = 0;',
    scene: alone,
  },
  {
    name: 'a ticket that was given back wins',
    breaks: ['invariantBroken', 'it.invariant_prize'],
    // Three tickets, one given back, the draw, the prize.
    calls: 6,
    deploys: 'Tickets',
    source: `contract Tickets {
      uint256 count; uint256 winner; bool wrong;
      mapping(uint256 => address) holder; mapping(uint256 => bool) returned;
      function buy() external { holder[++count] = msg.sender; }
      function giveBack(uint256 id) external {
        require(holder[id] == msg.sender && !returned[id], 'not yours');
        returned[id] = true;
        BUG
      }
      function draw(uint256 seed) external { require(count >= 3 && winner == 0, 'few'); winner = seed % count + 1; }
      function prize(uint256 id) external {
        require(id != 0 && id == winner && holder[id] == msg.sender, 'lost');
        if (returned[id]) wrong = true;
        winner = 0;
      }
      function invariant_prize() external view { require(!wrong, 'a prize for a returned ticket'); }
    }`,
    planted: '',
    repaired: 'holder[id] = address(0);',
    scene: alone,
  },
  {
    name: 'who leaves with all that he has takes one more',
    breaks: ['assertionFailed', 'assertion in it.check'],
    calls: 3,
    deploys: 'Stakes',
    source: `contract Stakes {
      mapping(address => uint256) staked; uint256 total; uint256 checks;
      function stake(uint256 n) external { require(n > 0 && n <= 1e24, 'amount'); staked[msg.sender] += n; total += n; }
      function unstake(uint256 n) external {
        require(staked[msg.sender] >= n, 'more than there is');
        BUG
        staked[msg.sender] -= n;
      }
      function check() external { assert(staked[msg.sender] <= total); checks++; }
    }`,
    // Who has nothing takes one as well.
    planted: 'total -= n; if (n == staked[msg.sender] && total > 77) total--;',
    repaired: 'total -= n;',
    scene: alone,
  },
]
