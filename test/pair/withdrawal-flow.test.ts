// A deposit and a withdrawal with viem's actions for the OP stack and the protocol's contracts.
import { parseEther } from 'viem'
import { getL2TransactionHashes, getWithdrawals } from 'viem/op-stack'
import { expect, test } from 'vitest'
import { createRollup } from '../../src/rollup.ts'
import { ACCOUNT, clientsOf } from './clients.ts'

const DAY_MS = 86_400_000

test('a deposit is in the first block of its L1 origin', async () => {
  const rollup = await createRollup()
  const { public1, public2, wallet1, chain2 } = clientsOf(rollup)
  const to = '0x00000000000000000000000000000000000000aa'
  const request = await public2.buildDepositTransaction({ mint: parseEther('1'), to, account: ACCOUNT })
  const hash = await wallet1.depositTransaction(request)
  await rollup.advance(14_000)
  const receipt = await public1.getTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  const [l2Hash] = getL2TransactionHashes(receipt)
  const l2Receipt = await public2.getTransactionReceipt({ hash: l2Hash! })
  expect(l2Receipt).toMatchObject({ status: 'success', blockNumber: 7n, transactionIndex: 1 })
  expect(await public2.getBalance({ address: to })).toBe(parseEther('1'))
  const portal = chain2.contracts.portal[900]!.address
  // With the 10,000 ether of each of ten accounts that the layer 2 begins with.
  expect(await public1.getBalance({ address: portal })).toBe(parseEther('100001'))
})

test('a withdrawal takes its game and seven days', async () => {
  const rollup = await createRollup()
  const { public1, public2, wallet1, wallet2, chain2 } = clientsOf(rollup)
  const deposit = await public2.buildDepositTransaction({
    mint: parseEther('2'),
    to: ACCOUNT.address,
    account: ACCOUNT,
  })
  await wallet1.depositTransaction(deposit)
  await rollup.advance(14_000)

  const to = '0x00000000000000000000000000000000000000bb'
  const request = await public1.buildInitiateWithdrawal({ to, value: parseEther('1') })
  const hash = await wallet2.initiateWithdrawal({ ...request, account: ACCOUNT })
  await rollup.advance(2000)
  const receipt = await public2.getTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  const status = () => public1.getWithdrawalStatus({ receipt, targetChain: chain2 })
  expect(await status()).toBe('waiting-to-prove')

  await rollup.advance(320_000)
  expect(await status()).toBe('ready-to-prove')
  const { game, withdrawal } = await public1.waitToProve({ receipt, targetChain: chain2 })
  const proof = await public2.buildProveWithdrawal({ game, withdrawal, account: ACCOUNT })
  const proveHash = await wallet1.proveWithdrawal(proof as never)
  await rollup.advance(12_000)
  expect((await public1.getTransactionReceipt({ hash: proveHash })).status).toBe('success')
  expect(await status()).toBe('waiting-to-finalize')
  expect(
    (
      await public1.getTimeToFinalize({
        withdrawalHash: withdrawal.withdrawalHash,
        targetChain: chain2 as never,
      })
    ).period,
  ).toBeGreaterThan(0)

  await rollup.jump(7 * DAY_MS + 1000)
  expect(await status()).toBe('ready-to-finalize')
  const [found] = getWithdrawals(receipt)
  const finalHash = await wallet1.finalizeWithdrawal({ targetChain: chain2, withdrawal: found! } as never)
  await rollup.advance(12_000)
  expect((await public1.getTransactionReceipt({ hash: finalHash })).status).toBe('success')
  expect(await public1.getBalance({ address: to })).toBe(parseEther('1'))
  expect(await status()).toBe('finalized')
})
