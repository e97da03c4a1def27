// Cheatcodes that read the transactions of scripts from the folder `broadcast`. What they answer is recorded from forge 1.7.1, on
// the same files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import solc from 'solc'
import { runSolidityTests } from 'tickchain/solidity-tests'
import { expect, test } from 'vitest'

const TESTS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Vm {
  enum Kind { Call, Create, Create2 }
  struct Summary { bytes32 txHash; Kind kind; address contractAddress; uint64 blockNumber; bool success; }
  function getBroadcast(string calldata, uint64, Kind) external view returns (Summary memory);
  function getBroadcasts(string calldata, uint64, Kind) external view returns (Summary[] memory);
  function getBroadcasts(string calldata, uint64) external view returns (Summary[] memory);
  function getDeployment(string calldata) external view returns (address);
  function getDeployment(string calldata, uint64) external view returns (address);
  function getDeployments(string calldata, uint64) external view returns (address[] memory);
  function chainId(uint256) external;
  function toString(uint256) external view returns (string memory);
}
contract BroadcastsTest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  // Fails with numbers: the result is the reason.
  function say(Vm.Summary memory one) internal pure returns (string memory) {
    return string.concat(vm.toString(uint256(one.txHash)), '/', vm.toString(uint8(one.kind)), '/',
      vm.toString(uint160(one.contractAddress)), '/', vm.toString(one.blockNumber), one.success ? '' : ' failed');
  }
  function say(Vm.Summary[] memory all) internal pure returns (string memory text) {
    for (uint256 i; i < all.length; i++) text = string.concat(text, i == 0 ? '' : ' ', say(all[i]));
    text = string.concat('[', text, ']');
  }
  function say(address[] memory all) internal pure returns (string memory text) {
    for (uint256 i; i < all.length; i++) text = string.concat(text, i == 0 ? '' : ' ', vm.toString(uint160(all[i])));
    text = string.concat('[', text, ']');
  }
  function test_01() public pure { revert(say(vm.getBroadcast('Box', 5, Vm.Kind.Call))); }
  function test_02() public pure { revert(say(vm.getBroadcast('Box', 5, Vm.Kind.Create2))); }
  function test_03() public pure { revert(say(vm.getBroadcast('Box', 6, Vm.Kind.Call))); }
  function test_04() public pure { revert(say(vm.getBroadcasts('Box', 5))); }
  function test_05() public pure { revert(say(vm.getBroadcasts('Box', 5, Vm.Kind.Create))); }
  function test_06() public pure { revert(say(vm.getBroadcasts('Nothing', 5))); }
  function test_07() public pure { revert(vm.toString(uint160(vm.getDeployment('Box', 6)))); }
  function test_08() public { vm.chainId(5); revert(vm.toString(uint160(vm.getDeployment('Box')))); }
  function test_09() public pure { vm.getDeployment('Box'); }
  function test_10() public pure { revert(say(vm.getDeployments('Box', 5))); }
  function test_11() public pure { revert(say(vm.getDeployments('Box', 6))); }
  function test_12() public pure { vm.getDeployment('Lost', 6); }
}`
  .replaceAll(' public pure', ' public view')
  .replaceAll('internal pure', 'internal view')

type Sent = readonly [
  kind: 'CALL' | 'CREATE' | 'CREATE2',
  contract: string | null,
  id: number,
  block?: number,
  status?: 0,
]

const hashOf = (id: number): string => `0x${id.toString(16).padStart(64, '0')}`
const addressOf = (id: number): string => `0x${id.toString(16).padStart(40, '0')}`

/** A run of a script as forge writes it. A transaction without a block has no receipt. */
function sequence(chain: number, timestamp: number, ...sent: readonly Sent[]) {
  const transactions = sent.map(([transactionType, contractName, id]) => ({
    hash: hashOf(id),
    transactionType,
    contractName,
    contractAddress: addressOf(100 + id),
    function: null,
    arguments: null,
    transaction: {
      from: addressOf(1),
      gas: '0x5208',
      value: '0x0',
      input: '0x',
      nonce: '0x0',
      chainId: '0x5',
    },
    additionalContracts: [],
    isFixedGasLimit: false,
  }))
  const receipts = sent.flatMap(([, , id, block, status = 1]) => {
    if (block === undefined) return []
    const place = { transactionHash: hashOf(id), transactionIndex: '0x0', blockHash: hashOf(block) }
    const used = { cumulativeGasUsed: '0x1', gasUsed: '0x1', effectiveGasPrice: '0x1' }
    const parts = { type: '0x2', logs: [], logsBloom: `0x${'00'.repeat(256)}`, from: addressOf(1), to: null }
    return [
      {
        ...place,
        ...used,
        ...parts,
        blockNumber: `0x${block}`,
        status: `0x${status}`,
        contractAddress: null,
      },
    ]
  })
  return { transactions, receipts, libraries: [], pending: [], returns: {}, timestamp, chain, commit: null }
}

const OLD = sequence(
  5,
  1000,
  ['CREATE', 'Box', 1, 1],
  ['CALL', 'Box', 2, 2, 0],
  ['CREATE2', 'Box', 3, 2],
  ['CALL', null, 4, 2],
)
const NEW = sequence(
  5,
  2000,
  ['CALL', 'Box', 5, 7],
  ['CREATE', 'Box', 6, 8],
  ['CREATE', 'Jar', 7, 8],
  ['CREATE', 'Box', 8, 7],
)
const SEVERAL = {
  deployments: [
    sequence(5, 1500, ['CREATE', 'Box', 9, 3]),
    sequence(6, 1500, ['CREATE', 'Box', 10, 3], ['CREATE', 'Lost', 11]),
  ],
  path: 'run.json',
  timestamp: 1500,
}

const FILES: Readonly<Record<string, unknown>> = {
  'Old.s.sol/5/run-1000.json': OLD,
  'New.s.sol/5/run-2000.json': NEW,
  'New.s.sol/5/run-latest.json': NEW,
  'multi/Several.s.sol-1500/run.json': SEVERAL,
  'multi/Several.s.sol-latest/run.json': SEVERAL,
}

async function reasonsWith(files: typeof FILES) {
  const root = mkdtempSync(join(tmpdir(), 'tickchain-broadcasts-'))
  writeFileSync(join(root, 'foundry.toml'), '[profile.default]\nbroadcast = "sent"\n')
  const sources = { 'test/Broadcasts.t.sol': TESTS }
  const noted = Object.entries(files).map(([name, value]) => [`sent/${name}`, JSON.stringify(value)] as const)
  for (const [name, text] of [...Object.entries(sources), ...noted]) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const results = await runSolidityTests(root, { solc, cache: false })
  rmSync(root, { recursive: true })
  return results.map(({ reason }) => reason?.replaceAll(`${root}/`, ''))
}

test('transactions of scripts, and what they have deployed', { tags: 'gate' }, async () => {
  expect(await reasonsWith(FILES)).toEqual([
    '5/0/105/7',
    '3/2/103/2',
    'vm.getBroadcast: No broadcasts found',
    '[6/1/106/8 5/0/105/7 8/1/108/7 9/1/109/3 2/0/102/2 failed 3/2/103/2 1/1/101/1]',
    '[6/1/106/8 8/1/108/7 9/1/109/3 1/1/101/1]',
    '[]',
    '110',
    '106',
    'vm.getDeployment: No broadcasts found',
    '[106 108 109 103 101]',
    '[110]',
    'vm.getDeployment: no deployment found for Lost on chain 6',
  ])
})

test('files that are no runs of scripts', async () => {
  const [none] = await reasonsWith({})
  expect(none).toBe('vm.getBroadcast: broadcast dir does not exist or is not a directory')
  const [other] = await reasonsWith({ 'other.json': {} })
  expect(other).toContain(
    'vm.getBroadcast: failed to parse json file: "sent/other.json": missing field `transactions`',
  )
})
