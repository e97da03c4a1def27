// A rollup with the parameters of Base over Ethereum's chain id, for clients with viem's own definitions of both.

import { base as baseOptions } from 'tickchain'
import { createRollup } from 'tickchain/rollup'
import { emulatorTransport } from 'tickchain/viem'
import { createPublicClient, createWalletClient, parseEther } from 'viem'
import { base, mainnet } from 'viem/chains'
import {
  getL2TransactionHashes,
  getWithdrawals,
  publicActionsL1,
  publicActionsL2,
  walletActionsL1,
  walletActionsL2,
} from 'viem/op-stack'
import { expect, test } from 'vitest'
import { ACCOUNT } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'
const DAY_MS = 86_400_000
const FAST = { cacheTime: 0, pollingInterval: 10 }

test('code for Base runs on it: a deposit, and a withdrawal to its end', { tags: 'gate' }, async () => {
  const rollup = await createRollup({ l2: baseOptions() })
  const transport = { l1: emulatorTransport(rollup.l1), l2: emulatorTransport(rollup.l2) }
  const below = createPublicClient({ ...FAST, chain: mainnet, transport: transport.l1 }).extend(
    publicActionsL1(),
  )
  const above = createPublicClient({ ...FAST, chain: base, transport: transport.l2 }).extend(
    publicActionsL2(),
  )
  const wallet1 = createWalletClient({ account: ACCOUNT, chain: mainnet, transport: transport.l1 }).extend(
    walletActionsL1(),
  )
  const wallet2 = createWalletClient({ account: ACCOUNT, chain: base, transport: transport.l2 }).extend(
    walletActionsL2(),
  )
  expect(await below.getChainId()).toBe(1)

  const deposit = await above.buildDepositTransaction({ mint: parseEther('1'), to: TO, account: ACCOUNT })
  const deposited = await wallet1.depositTransaction(deposit)
  await rollup.advance(14_000)
  const [hash] = getL2TransactionHashes(await below.getTransactionReceipt({ hash: deposited }))
  expect(await above.getTransactionReceipt({ hash: hash! })).toMatchObject({ status: 'success' })

  const request = { to: TO, value: parseEther('2'), gas: 21_000n } as const
  const initiated = await wallet2.initiateWithdrawal({ request })
  await rollup.advance(600_000)
  const receipt = await above.getTransactionReceipt({ hash: initiated })
  const withdrawal = getWithdrawals(receipt)[0]!
  const game = await below.getGame({ l2BlockNumber: receipt.blockNumber, targetChain: base })
  const proof = await above.buildProveWithdrawal({ account: ACCOUNT, game, withdrawal })
  await wallet1.proveWithdrawal(proof)
  await rollup.advance(12_000)
  await rollup.jump(7 * DAY_MS + 12_000)
  await wallet1.finalizeWithdrawal({ withdrawal, targetChain: base })
  await rollup.advance(12_000)
  expect(await below.getWithdrawalStatus({ receipt, targetChain: base })).toBe('finalized')
  expect(await below.getBalance({ address: TO })).toBe(parseEther('2'))
})

test.each([{ number: 5 }, { timestamp: 1 }, { baseFee: 1 }, { blobBaseFee: 1 }, { blockTimeS: 2 }])(
  'its layer 1 is not made up: %j is refused',
  async (l1) => {
    const options = { l2: { rollup: { l1 } } } as never
    await expect(createRollup(options)).rejects.toMatchObject({ kind: 'invalidOption' })
  },
)
