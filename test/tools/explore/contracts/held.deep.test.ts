// Invariants of contracts that are not asked again: what exploring finds and counts is the same as if they were.

import { createEmulator } from 'tickchain'
import { exploreContracts } from 'tickchain/explore'
import { beforeEach, expect, test, vi } from 'vitest'
import { allInLong } from '../../../size.ts'
import { compile } from '../../solidity/compile.ts'

const held = { isAllowed: true, count: 0 }

vi.mock('../../../../src/tools/explore/contracts/call.ts', async (original) => {
  const module = await original<typeof import('../../../../src/tools/explore/contracts/call.ts')>()
  return {
    ...module,
    isSameFor: (...args: Parameters<typeof module.isSameFor>) => {
      const isSame = held.isAllowed && module.isSameFor(...args)
      if (isSame) held.count++
      return isSame
    },
  }
})

beforeEach(() => {
  held.count = 0
})

/** Each invariant reads something else, and is broken by a call that changes nothing else. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Store {
  mapping(uint256 => uint256) public values;
  function set(uint256 key, uint256 value) external { values[key % 4] = value; }
  receive() external payable {}
}
contract Reader {
  Store store = new Store();
  address made;
  uint256 public last;
  uint256 public noise;
  uint256 deadline = type(uint256).max;
  mapping(uint256 => uint256) marks;
  function writeOther(uint256 key, uint256 value) external { store.set(key, value); }
  function writeNoise(uint256 value) external { noise = value; }
  function writeMark(uint256 key) external { marks[key % 8] = key; }
  function pay() external payable { payable(address(store)).transfer(msg.value); }
  function open(uint256 time) external { deadline = block.timestamp + time % 1000; }
  function make() external { made = address(new Store()); }
  function writeBack(uint256 value) external { uint256 was = last; last = value; last = was; }
  function invariant_other() external view { require(store.values(1) < 1000, 'other'); }
  function invariant_balance() external view { require(address(store).balance < 5, 'balance'); }
  function invariant_time() external view { require(block.timestamp <= deadline, 'time'); }
  function invariant_code() external view { require(made.code.length == 0, 'code'); }
  function invariant_mark() external view returns (bool) { return marks[3] == 0 || marks[5] == 0; }
  function invariant_writes() external returns (bool) { last++; return last < 3; }
  function invariant_caught() external view { try this.fails() {} catch {} }
  function fails() external view { require(marks[6] == 0, 'six'); revert('always'); }
}`

interface Told {
  readonly stories?: readonly string[]
  readonly message?: string
  readonly calls?: number
}

/** What is found and counted, and how often an invariant was not asked. */
async function explored(
  isAllowed: boolean,
  explore: (progress: (latest: unknown) => void) => Promise<unknown>,
) {
  held.isAllowed = isAllowed
  let last: unknown
  const told = await explore((latest) => {
    last = latest
  }).then(
    (report) => report as Told,
    ({ message, stories }: Told) => ({ message, stories }),
  )
  return { told, last }
}

test.each(allInLong([1], [1, 2]))('contracts that read all kinds of things, with seed %i', async (seed) => {
  const { input, output } = compile({ 'it.sol': SOURCE })
  const { abi, evm } = output.contracts['it.sol']?.['Reader'] ?? {}
  const run = async (isAllowed: boolean) => {
    const chain = await createEmulator({ production: 'auto' })
    await chain.addContracts({ input, output })
    const [from = '0x'] = await chain.listAccounts()
    const data = `0x${evm.bytecode.object}` as const
    const hash = await chain.request('eth_sendTransaction', [{ from, data, gas: '0x1c9c380' }])
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    const contracts = { reader: { address: `${receipt?.contractAddress}`, abi } }
    return explored(isAllowed, (progress) =>
      exploreContracts(chain, { contracts, seed, runs: 96, until: 'end', progress }),
    )
  }
  const asked = await run(false)
  expect(held.count).toBe(0)
  expect(await run(true)).toEqual(asked)
  expect(held.count).toBeGreaterThan(100)
  for (const name of ['other', 'balance', 'time', 'code', 'mark']) {
    expect(asked.told.message, name).toContain(`invariant_${name}`)
  }
})
