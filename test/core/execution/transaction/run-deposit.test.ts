// Deposits, by the rules of the OP stack specification (deposits.md, regolith, canyon) and op-geth's state transition.

import { getContractAddress, type Hex, hexToBytes, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  type ExecutedTransaction,
  encodeReceipt,
} from '../../../../src/core/execution/transaction/transaction.ts'
import type { OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { readAccount } from '../../../../src/core/state/world-state.ts'
import { ALICE, BOB, COINBASE, deposit, opRules, runAll, type SimpleAccount, stateOf } from '../op-chain.ts'

const ETHER = 10n ** 18n
/** PUSH1 0 PUSH1 0 REVERT: 6 gas. */
const REVERTING: SimpleAccount = { code: '0x60006000fd' }
const INVALID: SimpleAccount = { code: '0xfe' }
const FORKS: readonly OpFork[] = [
  'regolith',
  'canyon',
  'ecotone',
  'fjord',
  'granite',
  'holocene',
  'isthmus',
  'jovian',
]

describe.each(['wasm', 'reference'] as const)('interpreter %s', (interpreter) => {
  async function run(
    fork: OpFork,
    fields: Parameters<typeof deposit>[0],
    accounts: Readonly<Record<Hex, SimpleAccount>> = {},
  ) {
    const { executed, state } = await runAll(opRules(fork), stateOf(accounts), [deposit(fields)], interpreter)
    const only = executed[0] as ExecutedTransaction
    return { ...only, state, balanceOf: (address: Hex) => readAccount(state, address).balance }
  }

  test.each(FORKS)('%s: mints, transfers, and takes no fee', async (fork) => {
    const { receipt, state, balanceOf } = await run(fork, { mint: 5n * ETHER, value: ETHER })
    expect(receipt.status).toBe(1)
    expect(receipt.gasUsed).toBe(21_000n)
    expect(receipt.effectiveGasPrice).toBe(0n)
    expect(balanceOf(ALICE)).toBe(4n * ETHER)
    expect(balanceOf(BOB)).toBe(ETHER)
    expect(readAccount(state, ALICE).nonce).toBe(1n)
    // No other account: neither coinbase nor vaults.
    expect([...state.entries()].map(([address]) => address).sort()).toEqual([BOB, ALICE].sort())
    expect(receipt.deposit).toEqual({ nonce: 0n, version: fork === 'regolith' ? undefined : 1 })
  })

  test('the value may be of the mint and of the balance', async () => {
    const { receipt, balanceOf } = await run('jovian', { mint: 2n, value: 5n }, { [ALICE]: { balance: 4n } })
    expect(receipt.status).toBe(1)
    expect([balanceOf(ALICE), balanceOf(BOB)]).toEqual([1n, 5n])
  })

  test.each(FORKS)('%s: one without the value fails with its mint and all its gas', async (fork) => {
    const { receipt, failure, state, balanceOf } = await run(
      fork,
      { mint: 3n, value: 6n },
      { [ALICE]: { balance: 2n, nonce: 9n } },
    )
    expect(receipt).toMatchObject({ status: 0, gasUsed: 100_000n, cumulativeGasUsed: 100_000n, logs: [] })
    expect(receipt.deposit?.nonce).toBe(9n)
    expect(failure).toBe(`failed deposit: insufficient funds for transfer: address ${ALICE}`)
    expect([balanceOf(ALICE), balanceOf(BOB)]).toEqual([5n, 0n])
    expect(readAccount(state, ALICE).nonce).toBe(10n)
  })

  test('one with less than the intrinsic gas fails with its mint and all its gas', async () => {
    const { receipt, failure, state, balanceOf } = await run('jovian', {
      gasLimit: 20_999n,
      mint: 7n,
      value: 1n,
    })
    expect(receipt).toMatchObject({ status: 0, gasUsed: 20_999n })
    expect(failure).toBe('failed deposit: intrinsic gas too low: have 20999, want 21000')
    expect([balanceOf(ALICE), balanceOf(BOB)]).toEqual([7n, 0n])
    expect(readAccount(state, ALICE).nonce).toBe(1n)
  })

  test('the floor of calldata holds for deposits, from isthmus on', async () => {
    // 1000 zero bytes: intrinsic 21000 + 4 · 1000, floor 21000 + 10 · 1000 (EIP-7623).
    const fields = { data: new Uint8Array(1000), gasLimit: 31_000n }
    expect((await run('holocene', fields)).receipt).toMatchObject({ status: 1, gasUsed: 25_000n })
    expect((await run('isthmus', fields)).receipt).toMatchObject({ status: 1, gasUsed: 31_000n })
    const below = await run('isthmus', { ...fields, gasLimit: 30_999n })
    expect(below.receipt).toMatchObject({ status: 0, gasUsed: 30_999n })
    expect(below.failure).toBe(
      'failed deposit: insufficient gas for floor data gas cost: have 30999, want 31000',
    )
  })

  test('one that reverts keeps its mint and its value, and pays for what it has used', async () => {
    const { receipt, failure, state, balanceOf } = await run(
      'jovian',
      { mint: 7n, value: 2n },
      { [BOB]: REVERTING },
    )
    expect(receipt).toMatchObject({ status: 0, gasUsed: 21_006n })
    expect(failure).toBe('execution reverted')
    expect([balanceOf(ALICE), balanceOf(BOB)]).toEqual([7n, 0n])
    expect(readAccount(state, ALICE).nonce).toBe(1n)
  })

  test('one that halts uses all its gas', async () => {
    const { receipt, state, balanceOf } = await run('jovian', { mint: 7n, value: 2n }, { [BOB]: INVALID })
    expect(receipt).toMatchObject({ status: 0, gasUsed: 100_000n })
    expect([balanceOf(ALICE), balanceOf(BOB)]).toEqual([7n, 0n])
    expect(readAccount(state, ALICE).nonce).toBe(1n)
  })

  test('contracts may send, and more than 2^24 gas may be sent', async () => {
    const fields = { value: 1n, gasLimit: 20_000_000n }
    const { receipt } = await run('jovian', fields, { [ALICE]: { balance: 1n, nonce: 1n, code: '0x00' } })
    expect(receipt).toMatchObject({ status: 1, gasUsed: 21_000n, deposit: { nonce: 1n, version: 1 } })
  })

  test('creates a contract at the address of the nonce before', async () => {
    // Init code that returns one byte, zero: STOP.
    const data = hexToBytes('0x60016000f3')
    const { receipt, state } = await run('jovian', { to: undefined, data }, { [ALICE]: { nonce: 41n } })
    const address = getContractAddress({ from: ALICE, nonce: 41n }).toLowerCase() as Hex
    expect(receipt).toMatchObject({ status: 1, contractAddress: address, deposit: { nonce: 41n } })
    expect(readAccount(state, address).code.bytes).toEqual(Uint8Array.of(0))
    expect(readAccount(state, ALICE).nonce).toBe(42n)
  })

  test('init code above the limit fails, at the address that it would have had', async () => {
    const data = new Uint8Array(49_153)
    const { receipt, failure } = await run('ecotone', { to: undefined, data, gasLimit: 5_000_000n })
    expect(receipt).toMatchObject({ status: 0, gasUsed: 5_000_000n })
    expect(receipt.contractAddress).toBe(getContractAddress({ from: ALICE, nonce: 0n }).toLowerCase())
    expect(failure).toBe('failed deposit: max initcode size exceeded: code size 49153 limit 49152')
  })

  test('the code reads a gas price of zero', async () => {
    // GASPRICE PUSH1 0 SSTORE PUSH1 1 PUSH1 1 SSTORE
    const { state } = await run('jovian', {}, { [BOB]: { code: '0x3a600055600160015500' } })
    expect([...readAccount(state, BOB).storage.entries()].map(([, value]) => value)).toEqual([
      Uint8Array.of(1),
    ])
  })

  test('before regolith a deposit takes all its gas, and its receipt has no nonce', async () => {
    for (const accounts of [{}, { [BOB]: REVERTING }, { [BOB]: INVALID }]) {
      const { receipt } = await run('bedrock', {}, accounts)
      expect(receipt.gasUsed).toBe(100_000n)
      expect(receipt).not.toHaveProperty('deposit')
    }
  })

  test('before regolith a system transaction takes no gas, even if it fails', async () => {
    const succeeding = await run('bedrock', { isSystem: true })
    expect(succeeding.receipt).toMatchObject({ status: 1, gasUsed: 0n, cumulativeGasUsed: 0n })
    const poor = await run('bedrock', { isSystem: true, value: 1n })
    expect(poor.receipt).toMatchObject({ status: 0, gasUsed: 0n })
  })

  test('from regolith on a system transaction fails', async () => {
    const { receipt, failure, balanceOf } = await run('regolith', { isSystem: true, mint: 3n })
    expect(receipt).toMatchObject({ status: 0, gasUsed: 100_000n })
    expect(failure).toBe(`failed deposit: system tx not supported: address ${ALICE}`)
    expect(balanceOf(ALICE)).toBe(3n)
  })

  test('deposits of one sender follow one another', async () => {
    const deposits = [deposit({ mint: 1n, value: 2n }), deposit({ mint: 1n, value: 2n }), deposit()]
    const { executed, state } = await runAll(opRules('jovian'), stateOf({}), deposits, interpreter)
    expect(executed.map(({ receipt }) => [receipt.status, receipt.cumulativeGasUsed])).toEqual([
      [0, 100_000n],
      [1, 121_000n],
      [1, 142_000n],
    ])
    expect(executed.map(({ receipt }) => receipt.deposit?.nonce)).toEqual([0n, 1n, 2n])
    expect(readAccount(state, BOB).balance).toBe(2n)
    expect(state.has(COINBASE)).toBe(false)
  })
})

test('the encoded receipt has nonce and version from canyon on', async () => {
  const accounts = stateOf({ [ALICE]: { nonce: 0x1234n } })
  const bloom: Hex = `0x${'00'.repeat(256)}`
  for (const [fork, more] of [
    ['bedrock', []],
    ['regolith', []],
    ['canyon', ['0x1234', '0x01']],
    ['jovian', ['0x1234', '0x01']],
  ] as const) {
    const { executed } = await runAll(opRules(fork), accounts, [deposit()])
    // 21000 gas, or before regolith 100000.
    const gas = fork === 'bedrock' ? '0x0186a0' : '0x5208'
    const payload = toRlp(['0x01', gas, bloom, [], ...more])
    expect(encodeReceipt(executed[0] as ExecutedTransaction)).toEqual(hexToBytes(`0x7e${payload.slice(2)}`))
  }
})
