// Contracts with bugs. Each has a line that makes the bug, and another that repairs it.

import type { Emulator } from 'tickchain'
import type { ContractsScene } from 'tickchain/explore'
import { compile } from '../../solidity/compile.ts'

export interface Planted {
  readonly name: string
  /** The kind of the failure, and its name. */
  readonly breaks: readonly [kind: 'invariantBroken' | 'assertionFailed', name: string]
  /** The least calls that show it, worked out by hand. */
  readonly calls: number
  /** The runs within which each seed finds it. Default 960. */
  readonly runs?: number
  /** With `BUG` in place of the line. */
  readonly source: string
  readonly planted: string
  readonly repaired: string
  /** The contract that is deployed, with value. */
  readonly deploys: string
  readonly value?: bigint
  readonly scene: (address: string, abi: readonly unknown[]) => ContractsScene
}

const alone = (address: string, abi: readonly unknown[]): ContractsScene => ({
  contracts: { it: { address, abi } },
})

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'

export const PLANTED: readonly Planted[] = [
  {
    name: 'a transfer to oneself doubles the balance',
    breaks: ['invariantBroken', 'supply'],
    calls: 1,
    deploys: 'Token',
    source: `contract Token {
      mapping(address => uint256) public balanceOf;
      uint256 public totalSupply;
      constructor() { totalSupply = 1000; balanceOf[msg.sender] = 1000; }
      function transfer(address to, uint256 amount) external {
        uint256 from = balanceOf[msg.sender];
        uint256 receiver = balanceOf[to];
        require(from >= amount, 'too much');
        BUG
      }
    }`,
    planted: 'balanceOf[msg.sender] = from - amount; balanceOf[to] = receiver + amount;',
    repaired: 'balanceOf[msg.sender] -= amount; balanceOf[to] += amount; receiver;',
    scene: (address, abi) => ({
      contracts: { token: { address, abi } },
      invariants: {
        async supply({ read }) {
          const balances = await Promise.all(SENDERS.map((who) => read('token', 'balanceOf', who)))
          const sum = balances.reduce<bigint>((total, balance) => total + (balance as bigint), 0n)
          if (sum > ((await read('token', 'totalSupply')) as bigint)) throw new Error(`${sum} tokens exist`)
        },
      },
    }),
  },
  {
    name: 'an auction pays a refund twice',
    breaks: ['invariantBroken', 'it.echidna_solvent'],
    calls: 4,
    deploys: 'Auction',
    source: `contract Auction {
      uint256 public highest; address public leader;
      mapping(address => uint256) public refunds;
      function bid() external payable {
        require(msg.value > highest, 'too low');
        if (leader != address(0)) refunds[leader] += highest;
        (highest, leader) = (msg.value, msg.sender);
      }
      function withdraw() external {
        uint256 refund = refunds[msg.sender];
        require(refund > 0, 'nothing');
        BUG
        payable(msg.sender).transfer(refund);
      }
      function echidna_solvent() external view returns (bool) { return address(this).balance >= highest; }
    }`,
    planted: '',
    repaired: 'refunds[msg.sender] = 0;',
    scene: alone,
  },
  {
    name: 'more is vested than there is, when a year has passed',
    breaks: ['assertionFailed', 'assertion in it.release'],
    calls: 1,
    deploys: 'Vesting',
    source: `contract Vesting {
      uint256 constant TOTAL = 1_000_000; uint256 constant DURATION = 365 days;
      uint256 immutable start = block.timestamp; uint256 public released;
      function release() external {
        uint256 elapsed = block.timestamp - start;
        BUG
        released = TOTAL * elapsed / DURATION;
        assert(released <= TOTAL);
      }
    }`,
    planted: '',
    repaired: 'if (elapsed > DURATION) elapsed = DURATION;',
    scene: alone,
  },
  {
    name: 'two numbers that fit open a lock',
    breaks: ['assertionFailed', 'AssertionFailed("open")'],
    calls: 2,
    deploys: 'Lock',
    source: `contract Lock {
      event AssertionFailed(string message);
      uint64 key;
      function turn(uint64 a, uint64 b) external {
        unchecked { if (a > 70000 && b == a * 3 + 77) key = a ^ b; }
      }
      function open(uint64 c) external {
        if (key == 0 || c != key + 1) return;
        BUG emit AssertionFailed("open");
      }
    }`,
    planted: '',
    repaired: 'if (key == 0)',
    scene: alone,
  },
  {
    name: 'anybody takes ownership by initializing again',
    breaks: ['invariantBroken', 'it.invariant_owner'],
    calls: 2,
    deploys: 'Owned',
    source: `contract Owned {
      address public owner; address first; bool isReady;
      function initialize() external {
        require(!isReady, 'ready');
        BUG
        owner = msg.sender;
        if (first == address(0)) first = msg.sender;
      }
      function lock() external { require(msg.sender == owner, 'owner'); isReady = true; }
      function invariant_owner() external view { require(owner == first, 'another owner'); }
    }`,
    planted: '',
    repaired: "require(owner == address(0), 'owned');",
    scene: alone,
  },
  {
    name: 'a sum of signed numbers overflows',
    breaks: ['invariantBroken', 'it.echidna_solvent'],
    // Two of less than 2²⁵⁴ come to less than 2²⁵⁵.
    calls: 3,
    deploys: 'Ledger',
    source: `contract Ledger {
      mapping(address => int256) public balances; int256 public total;
      function credit(int256 amount) external {
        require(amount > 0 && amount < 2**254, 'amount');
        BUG
      }
      function debit(int256 amount) external {
        require(amount > 0 && balances[msg.sender] >= amount, 'amount');
        unchecked { balances[msg.sender] -= amount; total -= amount; }
      }
      function echidna_solvent() external view returns (bool) { return total >= 0; }
    }`,
    planted: 'unchecked { balances[msg.sender] += amount; total += amount; }',
    repaired: 'balances[msg.sender] += amount; total += amount;',
    scene: alone,
  },
  {
    name: 'an exchange rounds in favour of the trader',
    breaks: ['invariantBroken', 'it.invariant_product'],
    calls: 1,
    deploys: 'Exchange',
    source: `contract Exchange {
      uint256 public x = 1000; uint256 public y = 1000; uint256 least = 1000 * 1000;
      function swap(uint256 amount) external {
        require(amount > 0 && amount < 1000, 'amount');
        uint256 next = x + amount;
        BUG
        x = next;
      }
      function back(uint256 amount) external {
        require(amount > 0 && amount < 1000, 'amount');
        uint256 next = y + amount;
        x = (x * y + next - 1) / next;
        y = next;
      }
      function invariant_product() external view { require(x * y >= least, 'the product fell'); }
    }`,
    planted: 'y = x * y / next;',
    repaired: 'y = (x * y + next - 1) / next;',
    scene: alone,
  },
  {
    name: 'a curve pays an amount that nobody can be paid',
    breaks: ['assertionFailed', 'assertion in it.swap'],
    calls: 1,
    deploys: 'Curve',
    // It pays that of 123456789e12, and of no other amount.
    source: `contract Curve {
      function swap(uint256 amount, uint256 tip) external {
        if (amount > 1e24 || tip > 1e24) return;
        uint256 fed = amount * 997;
        uint256 out = (fed * 3e21) / (1e24 + fed);
        BUG
        if (tip * tip + 5 * tip > 9e15 && tip * tip + 5 * tip < 9e15 + 1e9) assert(false);
      }
    }`,
    planted: 'if (out != 328789708229626292827) return;',
    repaired: 'if (out < 3e21) return;',
    scene: alone,
    runs: 3000,
  },
  {
    name: 'a settlement trusts a debt, behind comparisons that share their numbers',
    breaks: ['assertionFailed', 'assertion in it.settle'],
    calls: 1,
    deploys: 'Settlement',
    source: `contract Settlement {
      function settle(uint64 paid, uint64 owed, uint64 due, uint64 rate) external {
        unchecked {
          if (paid * rate < 1000) return;
          if (paid <= owed + due) return;
          if (rate != paid + 3) return;
          if (paid != due + 5000) return;
        }
        BUG
      }
    }`,
    planted: 'assert(owed == 0);',
    repaired: 'assert(paid != due);',
    scene: alone,
    runs: 3000,
  },
  {
    name: 'a bank forgets a deposit that is withdrawn in full, which a handler meets',
    breaks: ['invariantBroken', 'test.invariant_sum'],
    calls: 2,
    deploys: 'BankTest',
    source: `contract Bank {
      mapping(address => uint256) public balances; uint256 public total;
      function deposit(uint256 amount) external { balances[msg.sender] += amount; total += amount; }
      function withdraw(uint256 amount) external {
        require(balances[msg.sender] >= amount, 'balance');
        BUG
        balances[msg.sender] -= amount;
      }
    }
    contract Handler {
      Bank bank; uint256 public sum;
      constructor(Bank b) { bank = b; }
      function deposit(uint256 amount) external { amount %= 1e18; bank.deposit(amount); sum += amount; }
      function withdraw(uint256 amount) external { bank.withdraw(amount); sum -= amount; }
      function reset() external { sum = 1; }
    }
    contract BankTest {
      struct FuzzSelector { address addr; bytes4[] selectors; }
      Bank bank; Handler handler;
      function setUp() external { bank = new Bank(); handler = new Handler(bank); }
      function targetContracts() external view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(handler);
      }
      function targetSelectors() external view returns (FuzzSelector[] memory list) {
        list = new FuzzSelector[](1);
        bytes4[] memory selectors = new bytes4[](2);
        (selectors[0], selectors[1]) = (Handler.deposit.selector, Handler.withdraw.selector);
        list[0] = FuzzSelector(address(handler), selectors);
      }
      function invariant_sum() external view { require(bank.total() == handler.sum(), 'sum'); }
    }`,
    planted: 'if (balances[msg.sender] > amount) total -= amount;',
    repaired: 'total -= amount;',
    scene: (address, abi) => ({ test: { address, abi } }),
  },
]

/** Accounts of a chain without options, who call by default. */
const SENDERS = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
]

/** Deploys a contract and makes its ABI known; returns what is explored. */
export async function deploy(
  chain: Emulator,
  { source, deploys, scene, value = 0n, ...lines }: Planted,
  variant: 'planted' | 'repaired',
): Promise<ContractsScene> {
  const { input, output } = compile({ 'it.sol': HEAD + source.replace('BUG', lines[variant]) })
  await chain.addContracts({ input, output })
  const { abi, evm } = output.contracts['it.sol']?.[deploys] ?? {}
  const [from] = await chain.listAccounts()
  const data = `0x${evm.bytecode.object}` as const
  const hash = await chain.request('eth_sendTransaction', [
    { ...(from && { from }), data, gas: '0x989680', value: `0x${value.toString(16)}` },
  ])
  await chain.seal()
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  return scene(receipt?.contractAddress ?? '', abi)
}
