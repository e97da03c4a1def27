// viem's op-stack actions, unmodified, over a pair. Some read the time from Date and wait by timers: both are fake here,
// and move with the pair's clock.

import { coupleTimers } from 'tickchain'
import { createRollup, type Rollup } from 'tickchain/rollup'
import { type BaseError, ContractFunctionRevertedError, type Hash, type Hex, keccak256, parseEther } from 'viem'
import { getL2TransactionHashes, getWithdrawals, waitForNextL2Output, getTimeToNextL2Output } from 'viem/op-stack'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OutputOracle, Token } from '../contracts/generated.ts'
import { ACCOUNT, clientsOf } from './clients.ts'

const ALICE = ACCOUNT.address
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const FRESH = '0x00000000000000000000000000000000000f4e54'
const DAY_MS = 86_400_000
const GENESIS_S = 1_704_067_200

let rollup: Rollup
let clients: ReturnType<typeof clientsOf>

beforeEach(async () => {
  vi.useFakeTimers()
  rollup = await createRollup()
  vi.setSystemTime(rollup.now)
  clients = clientsOf(rollup)
})

afterEach(() => {
  rollup.dispose()
  vi.useRealTimers()
})

/** Lets time pass for the rollup and for the timers. */
async function advance(ms: number): Promise<void> {
  await coupleTimers(rollup.l2, (step) => vi.advanceTimersByTimeAsync(step), { stepMs: 2000 }).advance(ms)
}

async function jump(ms: number): Promise<void> {
  await rollup.jump(ms)
  await vi.advanceTimersByTimeAsync(ms)
}

/** The receipt of a transaction, after a block of its layer. */
async function sealed(layer: 1 | 2, hash: Hash) {
  await advance(layer === 1 ? 12_000 : 2000)
  return layer === 1
    ? clients.public1.getTransactionReceipt({ hash })
    : clients.public2.getTransactionReceipt({ hash })
}

/** A withdrawal on layer 2. */
async function withdraw(value = parseEther('1')) {
  const { chain2: targetChain, public1, public2, wallet1, wallet2 } = clients
  const request = { to: FRESH, value, gas: 50_000n } as const
  const receipt = await sealed(2, await wallet2.initiateWithdrawal({ request }))
  return { receipt, withdrawal: getWithdrawals(receipt)[0]! }
}

const revertOf = async (promise: Promise<unknown>): Promise<string | undefined> => {
  const error = await promise.then(
    () => undefined,
    (reason: BaseError) => reason,
  )
  const cause = error?.walk((each) => each instanceof ContractFunctionRevertedError)
  const { reason, signature, data } = (cause ?? {}) as ContractFunctionRevertedError
  return reason ?? data?.errorName ?? signature
}

test('the portal is of version 3, with dispute games', async () => {
  const { chain2: targetChain, public1, public2, wallet1, wallet2 } = clients
  expect(await public1.getPortalVersion({ targetChain })).toEqual({ major: 3, minor: 10, patch: 0 })
  expect(await public1.getGames({ targetChain })).toEqual([])
})

describe('deposits', () => {
  test('are built, estimated, sent, and found on layer 2 by their hash', async () => {
    const { chain2: targetChain, public1, public2, wallet1, wallet2 } = clients
    const built = await public2.buildDepositTransaction({ account: ALICE, mint: parseEther('1'), to: FRESH })
    expect(built.request).toMatchObject({ mint: parseEther('1'), to: FRESH, gas: 21_000n })
    const estimate = await public1.estimateDepositTransactionGas(built)
    const receipt = await sealed(1, await wallet1.depositTransaction(built))
    expect(receipt.status).toBe('success')
    expect(estimate).toBeGreaterThanOrEqual(receipt.gasUsed)

    const hashes = getL2TransactionHashes(receipt)
    await advance(2000)
    const deposited = await public2.getTransactionReceipt({ hash: hashes[0]! })
    expect(deposited).toMatchObject({ status: 'success', type: '0x7e', gasUsed: 21_000n, l1Fee: 0n })
    expect(await public2.getTransaction({ hash: hashes[0]! })).toMatchObject({
      type: 'deposit',
      mint: parseEther('1'),
      value: parseEther('1'),
      from: ALICE.toLowerCase(),
    })
    expect(await public2.getBalance({ address: FRESH })).toBe(parseEther('1'))
  })

  test('with too little gas are refused with the portal’s error', async () => {
    const { chain2: targetChain, public1, public2, wallet1, wallet2 } = clients
    // 21,000 and 16 for each byte of data.
    const request = { to: BOB, gas: 21_015n, data: '0x11' } as const
    // keccak256('SmallGasLimit()')
    expect(await revertOf(wallet1.depositTransaction({ request, targetChain }))).toBe('0x4929b808')
    const enough = await wallet1.depositTransaction({ request: { ...request, gas: 21_016n }, targetChain })
    expect((await sealed(1, enough)).status).toBe('success')
  })
})

describe('withdrawals', () => {
  test('go from layer 2 to layer 1 in seven days', async () => {
    const { chain2: targetChain, public1, public2, wallet1, wallet2 } = clients
    const built = await public1.buildInitiateWithdrawal({ account: ALICE, to: FRESH, value: parseEther('1') })
    const estimate = await public2.estimateInitiateWithdrawalGas(built)
    const receipt = await sealed(2, await wallet2.initiateWithdrawal(built))
    expect(estimate).toBeGreaterThanOrEqual(receipt.gasUsed)
    const status = () => public1.getWithdrawalStatus({ receipt, targetChain })
    expect(await status()).toBe('waiting-to-prove')

    const toProve = public1.waitToProve({ receipt, targetChain, pollingInterval: 10_000 })
    let proposed = false
    void toProve.then(() => {
      proposed = true
    })
    for (let minute = 0; minute < 20 && !proposed; minute++) await advance(60_000)
    const { game, output, withdrawal } = await toProve
    expect(game.l2BlockNumber).toBeGreaterThanOrEqual(receipt.blockNumber)
    expect(await status()).toBe('ready-to-prove')
    const l2BlockNumber = receipt.blockNumber
    expect(await public1.getGame({ l2BlockNumber, targetChain })).toEqual(game)
    expect(await public1.getL2Output({ l2BlockNumber, targetChain })).toEqual(output)
    expect(await public1.getTimeToProve({ receipt, targetChain })).toMatchObject({ seconds: 0 })

    const proof = await public2.buildProveWithdrawal({ account: ALICE, game, withdrawal })
    const toProveGas = await public1.estimateProveWithdrawalGas(proof)
    const proved = await sealed(1, await wallet1.proveWithdrawal(proof))
    expect(proved.status).toBe('success')
    expect(toProveGas).toBeGreaterThanOrEqual(proved.gasUsed)
    expect(await status()).toBe('waiting-to-finalize')

    const { withdrawalHash } = withdrawal
    const { timestamp: provedAt } = await public1.getBlock({ blockHash: proved.blockHash })
    const { period, seconds } = await public1.getTimeToFinalize({ withdrawalHash, targetChain })
    expect(period).toBe(604_800)
    // viem adds ten seconds.
    expect(seconds).toBe(Number(provedAt) + 604_800 + 10 - rollup.now / 1000)
    expect(await revertOf(wallet1.finalizeWithdrawal({ withdrawal, targetChain }))).toBe(
      'OptimismPortal: proven withdrawal has not matured yet',
    )

    let isMature = false
    const toFinalize = public1.waitToFinalize({ withdrawalHash, targetChain }).then(() => {
      isMature = true
    })
    await jump(3.5 * DAY_MS)
    expect(await status()).toBe('waiting-to-finalize')
    expect(isMature).toBe(false)
    await jump(3.5 * DAY_MS + 12_000)
    await toFinalize
    expect(await status()).toBe('ready-to-finalize')

    const toFinalizeGas = await public1.estimateFinalizeWithdrawalGas({ account: ALICE, withdrawal, targetChain })
    const finalized = await sealed(1, await wallet1.finalizeWithdrawal({ withdrawal, targetChain }))
    expect(finalized.status).toBe('success')
    expect(toFinalizeGas).toBeGreaterThanOrEqual(finalized.gasUsed)
    expect(await status()).toBe('finalized')
    expect(await public1.getBalance({ address: FRESH })).toBe(parseEther('1'))
  })
})
