// Fees of ordinary transactions on the OP stack: charged before they run, paid to the vaults after. Amounts by the
// formulas of the specification (fjord, isthmus, jovian; execution engine), worked out beside them.

import { concatHex, type Hex, numberToBytes, numberToHex, padHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { blobGasIn, maximumCostOn } from '../../../../src/core/execution/transaction/rollup-fees.ts'
import type { Transaction } from '../../../../src/core/execution/transaction/transaction.ts'
import { unmetPrecondition } from '../../../../src/core/execution/transaction/validity.ts'
import { decodeTransaction } from '../../../../src/core/pool/decode.ts'
import { hexToBytes } from '../../../../src/core/primitives/hex.ts'
import type { OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { readAccount, type WorldState } from '../../../../src/core/state/world-state.ts'
import {
  BOB,
  CHAIN_ID,
  COINBASE,
  ENVIRONMENT,
  opRules,
  runAll,
  type SimpleAccount,
  stateOf,
} from '../op-chain.ts'

const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const SENDER = signer.address.toLowerCase() as Hex
const L1_BLOCK: Hex = '0x4200000000000000000000000000000000000015'
const BASE_FEE_VAULT: Hex = '0x4200000000000000000000000000000000000019'
const L1_FEE_VAULT: Hex = '0x420000000000000000000000000000000000001a'
const OPERATOR_FEE_VAULT: Hex = '0x420000000000000000000000000000000000001b'
const ETHER = 10n ** 18n

/** L1Block with an L1 base fee of 10 gwei and a base fee scalar of 2269; operator fee scalar 1000, constant 10; DA 400. */
const L1_ATTRIBUTES: SimpleAccount = {
  nonce: 1n,
  storage: {
    '0x01': numberToHex(10_000_000_000n),
    '0x03': concatHex([padHex(numberToHex(2269), { size: 4 }), padHex('0x', { size: 12 })]),
    '0x08': concatHex([
      numberToHex(400, { size: 2 }),
      numberToHex(1000, { size: 4 }),
      numberToHex(10, { size: 8 }),
    ]),
  },
}
/** A transfer is estimated at the least size, 100 bytes: 100 × 16 × 2269 × 10^10 / 10^6. */
const L1_FEE = 36_304_000_000n

/** A transfer of 5 wei with 50,000 gas, a fee cap of 100 wei and a tip of 3 wei; the base fee is 7 wei. */
async function transfer(to: Hex = BOB, nonce = 0): Promise<Transaction> {
  const raw = await signer.signTransaction({
    ...{ type: 'eip1559', chainId: CHAIN_ID, nonce, to, value: 5n, gas: 50_000n },
    ...{ maxFeePerGas: 100n, maxPriorityFeePerGas: 3n },
  })
  return decodeTransaction(hexToBytes(raw))
}

function stateWith(balance: bigint, more: Readonly<Record<Hex, SimpleAccount>> = {}): WorldState {
  return stateOf({ [SENDER]: { balance }, [L1_BLOCK]: L1_ATTRIBUTES, ...more })
}

/** The operator fee at 50,000 gas, and at the 21,000 that the transfer uses. */
const OPERATOR_FEES: Readonly<Partial<Record<OpFork, readonly [bigint, bigint]>>> = {
  // gas × 1000 / 10^6 + 10
  isthmus: [60n, 31n],
  // gas × 1000 × 100 + 10
  jovian: [5_000_000_010n, 2_100_000_010n],
}

describe.each(['wasm', 'reference'] as const)('interpreter %s', (interpreter) => {
  test.each(['fjord', 'granite', 'holocene', 'isthmus', 'jovian'] as const)(
    '%s: the sender pays, the vaults earn',
    async (fork) => {
      const [, operatorFee] = OPERATOR_FEES[fork] ?? [0n, 0n]
      const start = stateWith(ETHER)
      const { executed, state } = await runAll(opRules(fork), start, [await transfer()], interpreter)
      const balanceOf = (address: Hex) => readAccount(state, address).balance
      expect(executed[0]?.receipt).toMatchObject({ status: 1, gasUsed: 21_000n, effectiveGasPrice: 10n })
      expect(balanceOf(COINBASE)).toBe(21_000n * 3n)
      expect(balanceOf(BASE_FEE_VAULT)).toBe(21_000n * 7n)
      expect(balanceOf(L1_FEE_VAULT)).toBe(L1_FEE)
      expect(balanceOf(OPERATOR_FEE_VAULT)).toBe(operatorFee)
      expect(balanceOf(SENDER)).toBe(ETHER - 5n - 21_000n * 10n - L1_FEE - operatorFee)
      // A vault that has earned nothing does not come into being.
      expect(state.has(OPERATOR_FEE_VAULT)).toBe(operatorFee > 0n)
    },
  )

  test('a contract sees what the sender has left after all fees up front', async () => {
    // CALLER BALANCE PUSH1 0 SSTORE
    const reader: SimpleAccount = { code: '0x333160005500' }
    const { state } = await runAll(
      opRules('jovian'),
      stateWith(ETHER, { [BOB]: reader }),
      [await transfer()],
      interpreter,
    )
    const seen = ETHER - 5n - 50_000n * 10n - L1_FEE - 5_000_000_010n
    expect(readAccount(state, BOB).storage.get(padHex('0x00', { size: 32 }))).toEqual(numberToBytes(seen))
  })

  test('a failed transaction pays the same fees', async () => {
    const start = stateWith(ETHER, { [BOB]: { code: '0xfe' } })
    const { executed, state } = await runAll(opRules('jovian'), start, [await transfer()], interpreter)
    expect(executed[0]?.receipt).toMatchObject({ status: 0, gasUsed: 50_000n })
    expect(readAccount(state, SENDER).balance).toBe(ETHER - 50_000n * 10n - L1_FEE - 5_000_000_010n)
    expect(readAccount(state, L1_FEE_VAULT).balance).toBe(L1_FEE)
    expect(readAccount(state, OPERATOR_FEE_VAULT).balance).toBe(5_000_000_010n)
  })
})

test.each(['fjord', 'isthmus', 'jovian'] as const)('%s: needs funds for both fees', async (fork) => {
  const [operatorFee] = OPERATOR_FEES[fork] ?? [0n]
  const needed = 5n + 50_000n * 100n + L1_FEE + operatorFee
  const [rules, transaction] = [opRules(fork), await transfer()]
  expect(maximumCostOn(rules, stateWith(0n), transaction)).toBe(needed)
  expect(unmetPrecondition(rules, stateWith(needed), ENVIRONMENT, transaction)).toBeUndefined()
  expect(unmetPrecondition(rules, stateWith(needed - 1n), ENVIRONMENT, transaction)).toBe('insufficientFunds')
})

test('the DA footprint counts as blob gas from jovian on', async () => {
  const transaction = await transfer()
  // 100 bytes at 400 gas each.
  const expected = { isthmus: 0n, jovian: 40_000n } as const
  for (const fork of ['isthmus', 'jovian'] as const) {
    const state = stateWith(ETHER)
    expect(blobGasIn(opRules(fork), state, transaction)).toBe(expected[fork])
    const { executed } = await runAll(opRules(fork), state, [transaction])
    expect(executed[0]?.receipt.blobGasUsed).toBe(expected[fork])
  }
})

test('before ecotone overhead and scalar count', async () => {
  const transaction = await transfer()
  const start = stateOf({
    [SENDER]: { balance: ETHER },
    [L1_BLOCK]: {
      nonce: 1n,
      storage: { '0x01': numberToHex(1000), '0x05': numberToHex(188), '0x06': numberToHex(684_000) },
    },
  })
  const calldata = transaction.raw.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n)
  const { state } = await runAll(opRules('canyon'), start, [transaction])
  expect(readAccount(state, L1_FEE_VAULT).balance).toBe(((calldata + 188n) * 1000n * 684_000n) / 1_000_000n)
})
