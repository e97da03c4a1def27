// Foundry's cheatcodes in setUp, handlers and invariants: what they do, and what is refused. The same contracts pass with
// forge 1.7.1, and its invariant fails there.

import { createEmulator } from 'tickchain'
import { exploreContracts, replay } from 'tickchain/explore'
import { describe, expect, test } from 'vitest'
import { testInLong } from '../../../size.ts'
import { compile } from '../../solidity/compile.ts'

const AT = `0x${'c1'.repeat(20)}` as const
const VM = `
interface Vm {
  function prank(address) external; function startPrank(address) external; function stopPrank() external;
  function deal(address, uint256) external; function warp(uint256) external; function roll(uint256) external;
  function assume(bool) external pure; function label(address, string calldata) external;
  function addr(uint256) external pure returns (address);
  function getBlockTimestamp() external view returns (uint256);
  function assertTrue(bool) external pure; function assertEq(uint256, uint256) external pure;
  function assertEq(uint256, uint256, string calldata) external pure; function assertLe(int256, int256) external pure;
  function assertEq(address, address) external pure;
  function assertApproxEqAbs(uint256, uint256, uint256) external pure; function ffi(string[] calldata) external returns (bytes memory);
}
Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);`

async function deployed(contracts: string, name = 'ItTest') {
  const { input, output } = compile({ 'it.sol': `pragma solidity ^0.8.20; ${VM} ${contracts}` })
  const it = output.contracts['it.sol']?.[name]
  const chain = await createEmulator()
  await chain.setCode(AT, `0x${it.evm.deployedBytecode.object}`)
  await chain.addContracts({ input, output })
  return { chain, test: { address: AT, abi: it.abi } }
}

async function failureOf(exploring: Promise<unknown>) {
  return exploring.then(
    () => expect.unreachable(),
    (error: { kind: string; message: string; story: string }) => error,
  )
}

/** Statements of setUp, with an account Who that says who calls. */
const WHO = `
contract Who { function who() external view returns (address) { return msg.sender; }
  function nested() external view returns (address) { return this.who(); } function set() external {} }
contract Made { address public owner = msg.sender; }`

const inSetUp = (statements: string) =>
  deployed(`${WHO} contract ItTest {
    function setUp() external { Who who = new Who(); ${statements} }
    function wrong() external { vm.assertEq(uint256(1), 2, 'one'); } }`)

describe('cheatcodes', { tags: 'gate' }, () => {
  test.each([
    [
      'prank: the next call alone',
      'vm.prank(address(1)); require(who.who() == address(1)); require(who.who() == address(this));',
    ],
    ['prank: not what it calls', 'vm.prank(address(2)); require(who.nested() == address(who));'],
    [
      'startPrank and stopPrank',
      `vm.startPrank(address(3)); require(who.who() == address(3)); require(who.nested() == address(who));
       require(who.who() == address(3)); vm.stopPrank(); require(who.who() == address(this));`,
    ],
    [
      'deal, and a payment by who is pranked',
      `vm.deal(address(44), 5 ether); vm.prank(address(44)); payable(address(55)).transfer(1 ether);
       require(address(44).balance == 4 ether && address(55).balance == 1 ether);`,
    ],
    [
      'prank: a creation, with the nonce of its creator',
      `vm.prank(address(66)); Made made = new Made(); require(made.owner() == address(66)); Made own = new Made();
       require(own.owner() == address(this));
       require(address(made) == address(uint160(uint256(keccak256(abi.encodePacked(hex'd694', address(66), hex'80'))))));`,
    ],
    [
      'warp and roll',
      `uint256 time = vm.getBlockTimestamp(); require(time == block.timestamp); vm.warp(time + 100); vm.roll(77);
       require(block.timestamp == time + 100 && block.number == 77 && vm.getBlockTimestamp() == time + 100);`,
    ],
    // The address of the private key 1.
    [
      'addr and label',
      `require(vm.addr(1) == 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf); vm.label(address(1), 'one');`,
    ],
    [
      'assertions that hold',
      `vm.assertTrue(true); vm.assertEq(uint256(2), 2); vm.assertLe(int256(-2), -1); vm.assertEq(address(1), address(1));
       vm.assertApproxEqAbs(uint256(10), 12, 2);`,
    ],
    [
      'assertions that do not',
      `try this.wrong() { revert('held'); } catch (bytes memory why) {
       require(keccak256(why) == keccak256(abi.encodeWithSignature('CheatcodeError(string)', 'one: 1 != 2'))); }`,
    ],
    ['assume', `try vm.assume(false) { revert('held'); } catch {} vm.assume(true);`],
  ])('%s', async (_, statements) => {
    const { chain, test: it } = await inSetUp(statements)
    // All statements hold: what is missing then is something to call.
    const none = { invariants: {}, runs: 1, contracts: {} }
    const failed = await failureOf(
      exploreContracts(chain, { ...none, test: it, until: 'end' }).then(() => expect.unreachable()),
    )
    expect(failed.message).not.toContain('setUp() fails')
  })

  test('that are not there are refused by their name', async () => {
    const { chain, test: it } = await inSetUp('vm.ffi(new string[](0)); who.set();')
    expect(await failureOf(exploreContracts(chain, { test: it }))).toMatchObject({
      kind: 'invalidOption',
      message: "invalid option test: ffi(string[]) of Foundry's cheatcodes is not there",
    })
  })
})

test('no arguments are drawn that make contracts call cheatcodes', { tags: 'gate' }, async () => {
  const { chain, test: it } = await deployed(`
    contract Wallet { function execute(address to, bytes calldata data) external { (bool ok,) = to.call(data); ok; } }
    contract ItTest {
      Wallet wallet = new Wallet();
      function setUp() external { wallet = new Wallet(); vm.deal(address(wallet), 5); }
      function execute(address to, bytes calldata data) external { vm.warp(7); wallet.execute(to, data); }
      function invariant_time() external view { require(block.timestamp < 1 << 40); } }`)
  const { calls } = await exploreContracts(chain, { test: it, runs: 60, seed: 1 })
  expect(calls).toBeGreaterThan(1000)
})

/** A vault from which its owner alone takes money, after a day. A handler deals, pranks and warps. */
const suite = (bug: string) => `
contract Vault {
  address public owner = msg.sender; uint256 unlock = block.timestamp + 1 days; uint256 public sum;
  mapping(address => uint256) public deposits;
  function deposit() external payable { deposits[msg.sender] += msg.value; sum += msg.value; }
  function withdraw() external {
    require(block.timestamp >= unlock, 'locked');
    uint256 amount = deposits[msg.sender]; require(amount > 0, 'nothing');
    deposits[msg.sender] = 0; ${bug} sum -= amount; payable(msg.sender).transfer(amount);
  }
}
contract Handler {
  Vault vault; address[3] actors = [address(0xa11ce), address(0xb0b), address(0xca401)];
  constructor(Vault made) { vault = made; }
  function deposit(uint256 seed, uint96 amount) external {
    address actor = actors[seed % 3]; vm.assume(amount > 0); vm.deal(actor, amount);
    vm.prank(actor); vault.deposit{value: amount}();
  }
  function withdraw(uint256 seed) external { vm.startPrank(actors[seed % 3]); vault.withdraw(); vm.stopPrank(); }
  function wait_(uint256 time) external { vm.warp(block.timestamp + time % 2 days); }
}
contract ItTest {
  Vault vault; Handler handler;
  function setUp() external { vault = new Vault(); handler = new Handler(vault); }
  function targetContracts() external view returns (address[] memory list) { list = new address[](1); list[0] = address(handler); }
  function invariant_solvent() external view { vm.assertEq(vault.sum(), address(vault).balance, 'sum'); }
}`

describe('a suite with handlers', () => {
  // No time passes but by the handler.
  const options = { longestWait: 0, runs: 128, seed: 3 }

  test('is broken by deposit, wait and withdrawal, and its story fails again', { tags: 'gate' }, async () => {
    const { chain, test: it } = await deployed(suite('if (amount > 1000) sum += 1;'))
    const failed = await failureOf(exploreContracts(chain, { ...options, test: it }))
    expect(failed.kind).toBe('invariantBroken')
    expect(failed.message).toMatch(
      /^the invariant test\.invariant_solvent is broken: it failed: execution reverted: sum: 1 != 0\n/,
    )
    // The trace is that of the call with its cheatcodes: the withdrawal is the actor's, after the wait.
    expect(failed.message).toMatch(/The last call:\n.*Handler::withdraw\(.*\n.*VM::startPrank\(/)
    expect(failed.message).toMatch(/test.invariant_solvent:\n[\s\S]*VM::assertEq\(1, 0, "sum"\)/)
    const names = JSON.parse(failed.story).calls.map(({ call }: { call: string }) => call.split('(')[0])
    expect(names.sort()).toEqual(['deposit', 'wait_', 'withdraw'])
    await expect(replay(chain, { test: it, longestWait: 0 } as never, failed.story)).rejects.toMatchObject({
      kind: 'invariantBroken',
      story: failed.story,
    })
  })

  testInLong('holds when it is repaired', { tags: 'gate' }, async () => {
    const { chain, test: it } = await deployed(suite(''))
    const { calls, failed, broken } = await exploreContracts(chain, { ...options, runs: 32, test: it })
    expect(broken).toBe(0)
    expect(calls - failed).toBeGreaterThan(100)
  })
})
