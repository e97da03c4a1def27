// viem's op-stack actions, unmodified, over a pair. Some read the time from Date and wait by timers: both are fake here,
// and move with the pair's clock.

import { coupleTimers } from 'tickchain'
import { createRollup, type Rollup } from 'tickchain/rollup'
import { type BaseError, ContractFunctionRevertedError, type Hash, type Hex, keccak256, parseEther } from 'viem'
import { getL2TransactionHashes, getWithdrawals, waitForNextL2Output, getTimeToNextL2Output } from 'viem/op-stack'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OutputOracle, Token } from '../contracts/generated.ts'
import { connect } from './clients.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const FRESH = '0x00000000000000000000000000000000000f4e54'
const DAY_MS = 86_400_000
const GENESIS_S = 1_704_067_200

let rollup: Rollup
let clients: ReturnType<typeof connect>

beforeEach(async () => {
  vi.useFakeTimers()
  rollup = await createRollup()
  vi.setSystemTime(rollup.now)
  clients = connect(rollup, ALICE)
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
async function sealed(layer: 'above' | 'below', hash: Hash) {
  await advance(layer === 'above' ? 2000 : 12_000)
  return clients[layer].getTransactionReceipt({ hash }) as never as ReturnType<
    (typeof clients)['above']['getTransactionReceipt']
  >
}

/** A withdrawal on layer 2. */
async function withdraw(value = parseEther('1')) {
  const { above } = clients
  const request = { to: FRESH, value, gas: 50_000n } as const
  const receipt = await sealed('above', await above.initiateWithdrawal({ request }))
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
  const { below, targetChain } = clients
  expect(await below.getPortalVersion({ targetChain })).toEqual({ major: 3, minor: 10, patch: 0 })
  expect(await below.getGames({ targetChain })).toEqual([])
})

describe('deposits', () => {
  test('are built, estimated, sent, and found on layer 2 by their hash', async () => {
    const { above, below } = clients
    const built = await above.buildDepositTransaction({ account: ALICE, mint: parseEther('1'), to: FRESH })
    expect(built.request).toMatchObject({ mint: parseEther('1'), to: FRESH, gas: 21_000n })
    const estimate = await below.estimateDepositTransactionGas(built)
    const receipt = await sealed('below', await below.depositTransaction(built))
    expect(receipt.status).toBe('success')
    expect(estimate).toBeGreaterThanOrEqual(receipt.gasUsed)

    const hashes = getL2TransactionHashes(receipt)
    await advance(2000)
    const deposited = await above.getTransactionReceipt({ hash: hashes[0]! })
    expect(deposited).toMatchObject({ status: 'success', type: '0x7e', gasUsed: 21_000n, l1Fee: 0n })
    expect(await above.getTransaction({ hash: hashes[0]! })).toMatchObject({
      type: 'deposit',
      mint: parseEther('1'),
      value: parseEther('1'),
      from: ALICE.toLowerCase(),
    })
    expect(await above.getBalance({ address: FRESH })).toBe(parseEther('1'))
  })

  test('with too little gas are refused with the portal’s error', async () => {
    const { below, targetChain } = clients
    // 21,000 and 40 for each byte of data.
    const request = { to: BOB, gas: 21_039n, data: '0x11' } as const
    // keccak256('SmallGasLimit()')
    expect(await revertOf(below.depositTransaction({ request, targetChain }))).toBe('0x4929b808')
    const enough = await below.depositTransaction({ request: { ...request, gas: 21_040n }, targetChain })
    expect((await sealed('below', enough)).status).toBe('success')
  })
})

describe('withdrawals', () => {
  test('go from layer 2 to layer 1 in seven days', async () => {
    const { above, below, targetChain } = clients
    const built = await below.buildInitiateWithdrawal({ account: ALICE, to: FRESH, value: parseEther('1') })
    const estimate = await above.estimateInitiateWithdrawalGas(built)
    const receipt = await sealed('above', await above.initiateWithdrawal(built))
    expect(estimate).toBeGreaterThanOrEqual(receipt.gasUsed)
    const status = () => below.getWithdrawalStatus({ receipt, targetChain })
    expect(await status()).toBe('waiting-to-prove')

    const toProve = below.waitToProve({ receipt, targetChain })
    let proposed = false
    void toProve.then(() => {
      proposed = true
    })
    for (let minute = 0; minute < 20 && !proposed; minute++) await advance(60_000)
    const { game, output, withdrawal } = await toProve
    expect(game.l2BlockNumber).toBeGreaterThanOrEqual(receipt.blockNumber)
    expect(await status()).toBe('ready-to-prove')
    const l2BlockNumber = receipt.blockNumber
    expect(await below.getGame({ l2BlockNumber, targetChain })).toEqual(game)
    expect(await below.getL2Output({ l2BlockNumber, targetChain })).toEqual(output)
    expect(await below.getTimeToProve({ receipt, targetChain })).toMatchObject({ seconds: 0 })

    const proof = await above.buildProveWithdrawal({ account: ALICE, game, withdrawal })
    const toProveGas = await below.estimateProveWithdrawalGas(proof)
    const proved = await sealed('below', await below.proveWithdrawal(proof))
    expect(proved.status).toBe('success')
    expect(toProveGas).toBeGreaterThanOrEqual(proved.gasUsed)
    expect(await status()).toBe('waiting-to-finalize')

    const { withdrawalHash } = withdrawal
    const { timestamp: provedAt } = await below.getBlock({ blockHash: proved.blockHash })
    const { period, seconds } = await below.getTimeToFinalize({ withdrawalHash, targetChain })
    expect(period).toBe(604_800)
    // viem adds ten seconds.
    expect(seconds).toBe(Number(provedAt) + 604_800 + 10 - rollup.now / 1000)
    expect(await revertOf(below.finalizeWithdrawal({ withdrawal, targetChain }))).toBe(
      'OptimismPortal: proven withdrawal has not matured yet',
    )

    let isMature = false
    const toFinalize = below.waitToFinalize({ withdrawalHash, targetChain }).then(() => {
      isMature = true
    })
    await jump(3.5 * DAY_MS)
    expect(await status()).toBe('waiting-to-finalize')
    expect(isMature).toBe(false)
    await jump(3.5 * DAY_MS + 12_000)
    await toFinalize
    expect(await status()).toBe('ready-to-finalize')

    const toFinalizeGas = await below.estimateFinalizeWithdrawalGas({ account: ALICE, withdrawal, targetChain })
    const finalized = await sealed('below', await below.finalizeWithdrawal({ withdrawal, targetChain }))
    expect(finalized.status).toBe('success')
    expect(toFinalizeGas).toBeGreaterThanOrEqual(finalized.gasUsed)
    expect(await status()).toBe('finalized')
    expect(await below.getBalance({ address: FRESH })).toBe(parseEther('1'))
  })
})
