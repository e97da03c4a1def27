// What an explorer asks: controls over JSON-RPC, the clock, names, storage and decoded traces.

import { createEmulator, type Emulator } from 'tickchain'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { compile } from '../../../tools/solidity/compile.ts'

// 2024-01-01T00:00:00Z, where a chain begins, and the first accounts of the "test … junk" mnemonic.
const START_MS = Date.UTC(2024, 0, 1)
const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
/** The first contract of Alice. */
const BANK = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Bank {
  bool public isOpen = true;
  uint64 public fee = 7;
  mapping(address => uint256) public balances;
  mapping(address => mapping(uint256 => uint256)) public notes;
  uint256[] public list;
  event Paid(address indexed to, uint256 amount);
  function pay(address to, uint256 amount) external returns (uint256) {
    balances[to] += amount;
    notes[to][3] = 5;
    list.push(9);
    emit Paid(to, amount);
    return fee;
  }
}`
const build = compile({ 'Bank.sol': SOURCE })
const { abi, evm } = build.output.contracts['Bank.sol']!['Bank'] as {
  abi: Abi
  evm: { bytecode: { object: string } }
}
const PAY = encodeFunctionData({ abi, functionName: 'pay', args: [BOB, 2n ** 130n] })

function send(chain: Emulator, fields: { to?: Hex; data?: Hex; value?: Hex }): Promise<Hex> {
  return chain.request('eth_sendTransaction', [{ from: ALICE, gas: '0x100000', ...fields }])
}

/** A chain with the bank sealed in block 1 and a payment pre-confirmed. */
async function bank(): Promise<{ chain: Emulator; paid: Hex }> {
  const chain = await createEmulator()
  await chain.addContracts(build)
  chain.label(BOB, 'Bob')
  await send(chain, { data: `0x${evm.bytecode.object}` })
  await chain.advance(2000)
  const paid = await send(chain, { to: BANK, data: PAY })
  await chain.advance(200)
  return { chain, paid }
}

describe('controls', () => {
  test('advance and next do what the functions of these names do', async () => {
    const chain = await createEmulator()
    expect(await chain.request('tickchain_advance', [4200])).toBeNull()
    expect(chain.now).toBe(START_MS + 4200)
    expect(await chain.request('eth_blockNumber')).toBe('0x2')
    await chain.request('tickchain_advance', ['0x64'])
    expect(chain.now).toBe(START_MS + 4300)
    expect(await chain.request('tickchain_next')).toBeNull()
    expect(chain.now).toBe(START_MS + 4400)
    await expect(chain.request('tickchain_advance', ['?'])).rejects.toMatchObject({
      kind: 'invalidParameter',
    })
    await expect(chain.request('tickchain_next', [1] as never)).rejects.toMatchObject({
      kind: 'tooManyParameters',
    })
    expect(chain.now).toBe(START_MS + 4400)
  })

  test('reorg returns transactions to the pool', async () => {
    const chain = await createEmulator()
    const hash = await send(chain, { to: BOB, value: '0x1' })
    await chain.advance(4000)
    await chain.request('tickchain_reorg', [2])
    expect(await chain.request('eth_blockNumber')).toBe('0x2')
    expect(await chain.request('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject({ blockNumber: null })
    await expect(chain.request('tickchain_reorg', [0])).rejects.toMatchObject({ kind: 'invalidParameter' })
    await expect(chain.request('tickchain_reorg', [9])).rejects.toMatchObject({ kind: 'reorgTooDeep' })
  })

  test('no fault hits them', async () => {
    const chain = await createEmulator()
    const fault = await chain.fault({ method: '*', error: { code: -32005, message: 'slow down' } })
    await chain.request('tickchain_next')
    await chain.request('tickchain_status')
    expect(await fault.fired()).toBe(0)
  })
})

test('the status has the clock and the partial blocks with transactions', async () => {
  const chain = await createEmulator()
  const first = await send(chain, { to: BOB, value: '0x1' })
  await chain.advance(200)
  await chain.advance(200)
  const second = await send(chain, { to: BOB, value: '0x1' })
  await chain.advance(350)
  expect(await chain.request('tickchain_status')).toEqual({
    now: START_MS + 750,
    nextDueAt: START_MS + 800,
    blockTimeMs: 2000,
    partialBlockTimeMs: 200,
    partialBlocksClosed: 3,
    partialBlocks: [
      { index: 1, transactionHashes: [first] },
      { index: 3, transactionHashes: [second] },
    ],
  })
  const automining = await createEmulator({ production: 'auto' })
  expect(await automining.request('tickchain_status')).toMatchObject({ nextDueAt: null, partialBlocks: [] })
})

test('accounts are described by label, position and code', async () => {
  const { chain } = await bank()
  const nobody = `0x${'77'.repeat(20)}` as const
  expect(await chain.request('tickchain_describeAccounts', [[ALICE, BOB, BANK, nobody]])).toEqual([
    { address: ALICE, name: 'account0', contract: null },
    { address: BOB, name: 'Bob', contract: null },
    { address: BANK, name: null, contract: 'Bank' },
    { address: nobody, name: null, contract: null },
  ])
})

describe('storage', () => {
  const named = (slots: readonly { readonly variables: readonly { name: string; value: string }[] }[]) =>
    Object.fromEntries(slots.flatMap(({ variables }) => variables.map(({ name, value }) => [name, value])))

  test('has the names of variables, of both states', async () => {
    const { chain } = await bank()
    expect(named(await chain.request('tickchain_getStorage', [BANK]))).toEqual({ isOpen: 'true', fee: '7' })
    expect(named(await chain.request('tickchain_getStorage', [BANK, 'pending']))).toEqual({
      isOpen: 'true',
      fee: '7',
      // 2^130
      'balances[Bob]': '1361129467683753853853498429727072845824 [1.361e39]',
      'notes[Bob][3]': '5',
      list: '1 element',
      'list[0]': '9',
    })
  })

  test('is listed by slot without a layout', async () => {
    const { chain } = await bank()
    const bare = chain.clone()
    const foreign = await createEmulator({ state: await bare.dump() })
    // isOpen in the first byte, fee in the eight bytes beside it.
    const value = `0x${'0'.repeat(46)}000000000000000701`
    expect(await foreign.request('tickchain_getStorage', [BANK])).toEqual([
      { slot: `0x${'0'.repeat(64)}`, value, variables: [] },
    ])
    expect(await foreign.request('tickchain_getStorage', [ALICE])).toEqual([])
  })
})

test('a trace is that of chain.trace, as JSON', async () => {
  const { chain, paid } = await bank()
  const trace = await chain.request('tickchain_traceTransaction', [paid])
  expect(JSON.parse(JSON.stringify(trace))).toEqual(trace)
  expect(trace).toMatchObject({
    transactionHash: paid,
    status: 'success',
    isCut: false,
    call: {
      kind: 'CALL',
      from: ALICE,
      to: BANK,
      name: 'Bank',
      value: '0',
      functionName: 'pay',
      args: [{ name: 'to' }, { name: 'amount', value: (2n ** 130n).toString() }],
      results: [{ value: '7' }],
      error: null,
      entries: [{ type: 'event', name: 'Paid' }],
    },
  })
})
