// viem's op-stack actions, unmodified, over a pair. Some read the time from Date and wait by timers: both are fake here,
// and move with the pair's clock.

import { coupleTimers } from 'tickchain'
import { createRollup, type Rollup } from 'tickchain/rollup'
import {
  type BaseError,
  type ChainContract,
  ContractFunctionRevertedError,
  encodeFunctionData,
  type Hash,
  parseAbi,
  parseEther,
  zeroHash,
} from 'viem'
import {
  getL2TransactionHashes,
  publicActionsL1,
  publicActionsL2,
  walletActionsL1,
  walletActionsL2,
} from 'viem/op-stack'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OutputOracle, Token } from '../../contracts/generated.ts'
import { expectRecomputable } from '../../core/chain/recomputable.ts'
import { read } from '../../tidy/repository.ts'
import { ACCOUNT, clientsOf } from './clients.ts'

const ALICE = ACCOUNT.address
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const FRESH = '0x00000000000000000000000000000000000f4e54'
const DAY_MS = 86_400_000

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
  const clock = coupleTimers(rollup.l2, (step) => vi.advanceTimersByTimeAsync(step), { stepMs: 2000 })
  await clock.advance(ms)
}

async function jump(ms: number): Promise<void> {
  await rollup.jump(ms)
  await vi.advanceTimersByTimeAsync(ms)
}

/** The end of what waits for proposals, which come every five minutes. */
async function advanceUntil<Result>(waiting: Promise<Result>): Promise<Result> {
  let isOver = false
  const over = waiting.finally(() => {
    isOver = true
  })
  for (let minute = 0; minute < 20 && !isOver; minute++) await advance(60_000)
  expect(isOver).toBe(true)
  return over
}

/** The receipt of a transaction on layer 1 after its block. */
async function sealedOn1(hash: Hash) {
  await advance(12_000)
  return clients.public1.getTransactionReceipt({ hash })
}

async function sealedOn2(hash: Hash) {
  await advance(2000)
  return clients.public2.getTransactionReceipt({ hash })
}

/** Initiates a withdrawal of ether, and waits until it can be proved. */
async function withdraw(value = parseEther('1')) {
  const { chain2: targetChain, public1, public2, wallet2 } = clients
  const request = { to: FRESH, value, gas: 50_000n } as const
  const receipt = await sealedOn2(await wallet2.initiateWithdrawal({ request }))
  const waiting = public1.waitToProve({ receipt, targetChain, pollingInterval: 10_000 })
  const { game, withdrawal } = await advanceUntil(waiting)
  const proof = await public2.buildProveWithdrawal({ account: ACCOUNT, game, withdrawal })
  return { receipt, game, withdrawal, proof }
}

/** What a contract says when a call of it fails: a reason, an error's name, or its selector. */
async function revertOf(promise: Promise<unknown>): Promise<string | undefined> {
  const error = await promise.then(
    () => undefined,
    (reason: BaseError) => reason,
  )
  const cause = error?.walk((each) => each instanceof ContractFunctionRevertedError)
  if (!(cause instanceof ContractFunctionRevertedError)) throw new Error(`not a revert: ${error}`)
  return cause.reason ?? cause.data?.errorName ?? cause.signature
}

test('the portal is of version 3, with dispute games', async () => {
  const { chain2: targetChain, public1 } = clients
  expect(await public1.getPortalVersion({ targetChain })).toEqual({ major: 3, minor: 10, patch: 0 })
  expect(await public1.getGames({ targetChain })).toEqual([])
  expect(await public1.getTimeToNextGame({ l2BlockNumber: 1n, targetChain })).toEqual({
    interval: 0,
    seconds: 0,
    timestamp: undefined,
  })
})

describe('deposits', () => {
  test('are built, estimated, sent, and found on layer 2 by their hash', async () => {
    const { chain2: targetChain, public1, public2, wallet1 } = clients
    const built = await public2.buildDepositTransaction({
      account: ALICE,
      mint: parseEther('1'),
      to: FRESH,
    })
    expect(built.request).toMatchObject({ mint: parseEther('1'), to: FRESH, gas: 21_000n })
    const estimate = await public1.estimateDepositTransactionGas({
      account: ALICE,
      request: built.request,
      targetChain,
    })
    const receipt = await sealedOn1(await wallet1.depositTransaction({ ...built, account: ACCOUNT }))
    expect(receipt.status).toBe('success')
    expect(estimate).toBeGreaterThanOrEqual(receipt.gasUsed)

    const [hash] = getL2TransactionHashes(receipt)
    await advance(2000)
    const deposited = await public2.getTransactionReceipt({ hash: hash! })
    expect(deposited).toMatchObject({ status: 'success', type: '0x7e', gasUsed: 21_000n, l1Fee: 0n })
    // The first block after 12 s, after the attributes.
    expect(deposited).toMatchObject({ blockNumber: 7n, transactionIndex: 1 })
    expect(await public2.getTransaction({ hash: hash! })).toMatchObject({
      type: 'deposit',
      from: ALICE.toLowerCase(),
      mint: parseEther('1'),
      value: parseEther('1'),
    })
    expect(await public2.getBalance({ address: FRESH })).toBe(parseEther('1'))
    const request = (method: string, params: readonly unknown[] = []) =>
      rollup.l2.request(method as never, params as never)
    // The attributes of seven blocks, and the deposit.
    expect(await expectRecomputable(request)).toEqual({ blocks: 7, deposits: 8 })
  })

  test('with too little gas are refused with the error of the portal', async () => {
    const { chain2: targetChain, wallet1 } = clients
    // 21,000 and 16 for each byte of data.
    const request = { to: BOB, gas: 21_015n, data: '0x11' } as const
    // The selector of SmallGasLimit(), which viem's ABI lacks; the node names it.
    const refused = wallet1.depositTransaction({ request, targetChain })
    await expect(refused).rejects.toThrow('SmallGasLimit()')
    expect(await revertOf(refused)).toBe('0x4929b808')
    const enough = await wallet1.depositTransaction({ request: { ...request, gas: 21_016n }, targetChain })
    expect((await sealedOn1(enough)).status).toBe('success')
  })
})

test('fees follow the base fee of the L1 origin', async () => {
  const { public1, public2, wallet2 } = clients
  // Layer 1 is idle, so its base fee falls. Its next block comes after 72 seconds.
  await advance(64_000)
  const abi = parseAbi(['function number() view returns (uint64)'])
  const address = rollup.contracts.l1Block.address
  const blockNumber = await public2.readContract({ abi, address, functionName: 'number' })
  const { baseFeePerGas } = await public1.getBlock({ blockNumber })
  expect(await public2.getL1BaseFee()).toBe(baseFeePerGas)
  // Fjord's formula for at most 100 bytes, with scalars 1368 and 810949 and a blob base fee of one wei.
  const l1Fee = (10n ** 8n * (1368n * 16n * baseFeePerGas! + 810_949n)) / 10n ** 12n
  const transfer = { account: ALICE, to: BOB, value: 1n } as const
  expect(await public2.estimateL1Fee(transfer)).toBe(l1Fee)
  expect(await public2.estimateL1Gas(transfer)).toBe(1600n)
  expect(await public2.estimateOperatorFee(transfer)).toBe(0n)
  expect(await public2.estimateTotalGas(transfer)).toBe(22_600n)
  expect(await public2.estimateTotalFee(transfer)).toBe(l1Fee + 21_000n * (await public2.getGasPrice()))

  const { abi: tokenAbi, bytecode } = Token
  const deployment = await wallet2.deployContract({ abi: tokenAbi, bytecode, args: [1000n] })
  const { contractAddress } = await sealedOn2(deployment)
  const contract = {
    account: ALICE,
    abi: tokenAbi,
    address: contractAddress!,
    functionName: 'transfer',
    args: [BOB, 5n],
  } as const
  const gas = await public2.estimateContractGas(contract)
  expect(await public2.estimateContractL1Fee(contract)).toBe(l1Fee)
  expect(await public2.estimateContractL1Gas(contract)).toBe(1600n)
  expect(await public2.estimateContractTotalGas(contract)).toBe(gas + 1600n)
  expect(await public2.estimateContractTotalFee(contract)).toBe(l1Fee + gas * (await public2.getGasPrice()))
  const sent = await sealedOn2(await wallet2.writeContract({ ...contract, account: ACCOUNT }))
  expect(sent).toMatchObject({ l1Fee, l1GasPrice: baseFeePerGas, l1GasUsed: 1600n })
})

describe('withdrawals', () => {
  test('go from layer 2 to layer 1 in seven days', { tags: 'gate' }, async () => {
    const { chain2: targetChain, public1, public2, wallet1, wallet2 } = clients
    const built = await public1.buildInitiateWithdrawal({
      account: ACCOUNT,
      to: FRESH,
      value: parseEther('1'),
    })
    const estimate = await public2.estimateInitiateWithdrawalGas({ account: ACCOUNT, request: built.request })
    const receipt = await sealedOn2(await wallet2.initiateWithdrawal(built))
    expect(estimate).toBeGreaterThanOrEqual(receipt.gasUsed)
    const status = () => public1.getWithdrawalStatus({ receipt, targetChain })
    expect(await status()).toBe('waiting-to-prove')

    const waiting = public1.waitToProve({ receipt, targetChain, pollingInterval: 10_000 })
    const { game, output, withdrawal } = await advanceUntil(waiting)
    const l2BlockNumber = receipt.blockNumber
    // viem's types ask for the oracle that portals before version 3 have.
    const withOracle = targetChain as never as {
      contracts: {
        portal: Record<number, ChainContract>
        disputeGameFactory: Record<number, ChainContract>
        l2OutputOracle: Record<number, ChainContract>
      }
    }
    expect(game.l2BlockNumber).toBeGreaterThanOrEqual(l2BlockNumber)
    expect(await status()).toBe('ready-to-prove')
    expect(await public1.getGame({ l2BlockNumber, targetChain })).toEqual(game)
    expect(await public1.getL2Output({ l2BlockNumber, targetChain: withOracle })).toEqual(output)
    expect(await public1.getTimeToProve({ receipt, targetChain: withOracle })).toMatchObject({ seconds: 0 })

    const proof = await public2.buildProveWithdrawal({ account: ACCOUNT, game, withdrawal })
    const gasToProve = await public1.estimateProveWithdrawalGas(proof)
    const proved = await sealedOn1(await wallet1.proveWithdrawal(proof))
    expect(proved.status).toBe('success')
    expect(gasToProve).toBeGreaterThanOrEqual(proved.gasUsed)
    expect(await status()).toBe('waiting-to-finalize')

    const { withdrawalHash } = withdrawal
    const { timestamp: provedAt } = await public1.getBlock({ blockHash: proved.blockHash })
    const { period, seconds } = await public1.getTimeToFinalize({ withdrawalHash, targetChain: withOracle })
    expect(period).toBe(604_800)
    // viem adds ten seconds.
    expect(seconds).toBe(Number(provedAt) + 604_800 + 10 - rollup.now / 1000)
    expect(await revertOf(wallet1.finalizeWithdrawal({ withdrawal, targetChain }))).toBe(
      'OptimismPortal: proven withdrawal has not matured yet',
    )

    let isMature = false
    const maturity = public1.waitToFinalize({ withdrawalHash, targetChain: withOracle }).then(() => {
      isMature = true
    })
    await jump(3.5 * DAY_MS)
    expect(await status()).toBe('waiting-to-finalize')
    expect(isMature).toBe(false)
    await jump(3.5 * DAY_MS + 12_000)
    await maturity
    expect(await status()).toBe('ready-to-finalize')

    const finalization = { account: ACCOUNT, withdrawal, targetChain } as const
    const gasToFinalize = await public1.estimateFinalizeWithdrawalGas(finalization)
    const finalized = await sealedOn1(await wallet1.finalizeWithdrawal(finalization))
    expect(finalized.status).toBe('success')
    expect(gasToFinalize).toBeGreaterThanOrEqual(finalized.gasUsed)
    expect(await status()).toBe('finalized')
    expect(await public1.getBalance({ address: FRESH })).toBe(parseEther('1'))
    expect(await revertOf(wallet1.finalizeWithdrawal(finalization))).toBe(
      'OptimismPortal: withdrawal has already been finalized',
    )
  })

  test('are not proved by a proof for another root', { tags: 'gate' }, async () => {
    const { wallet1, chain2: targetChain } = clients
    const { proof, withdrawal } = await withdraw()
    const otherRoot = { ...proof.outputRootProof, stateRoot: zeroHash }
    expect(await revertOf(wallet1.proveWithdrawal({ ...proof, outputRootProof: otherRoot }))).toBe(
      'OptimismPortal: invalid output root proof',
    )
    const other = { ...withdrawal, value: parseEther('2') }
    expect(await revertOf(wallet1.proveWithdrawal({ ...proof, withdrawal: other }))).toBeDefined()
    expect(await revertOf(wallet1.finalizeWithdrawal({ withdrawal, targetChain }))).toBe(
      'OptimismPortal: withdrawal has not been proven by proof submitter address yet',
    )
  })

  test('are finalised by one account with the proof of another', { tags: 'gate' }, async () => {
    const { public1, wallet1, chain2: targetChain } = clients
    const { proof, withdrawal } = await withdraw(parseEther('3'))
    await sealedOn1(await wallet1.proveWithdrawal(proof))
    await jump(3.5 * DAY_MS)
    await jump(3.5 * DAY_MS + 12_000)
    const parameters = { account: BOB, withdrawal, targetChain } as const
    expect(await revertOf(wallet1.finalizeWithdrawal(parameters))).toBe(
      'OptimismPortal: withdrawal has not been proven by proof submitter address yet',
    )
    const hash = await wallet1.finalizeWithdrawal({ ...parameters, proofSubmitter: ALICE })
    expect((await sealedOn1(hash)).status).toBe('success')
    expect(await public1.getBalance({ address: FRESH })).toBe(parseEther('3'))
  })
})

test('the next proposal is waited for, and foretold from those before', { tags: 'gate' }, async () => {
  const { chain2: targetChain, public1 } = clients
  const first = await advanceUntil(
    public1.waitForNextGame({ l2BlockNumber: 1n, targetChain, pollingInterval: 10_000 }),
  )
  const second = await advanceUntil(
    public1.waitForNextGame({
      l2BlockNumber: first.l2BlockNumber + 1n,
      targetChain,
      pollingInterval: 10_000,
    }),
  )
  expect(second.timestamp - first.timestamp).toBe(300n)
  expect(second.index).toBe(1n)
  const { interval } = await public1.getTimeToNextGame({
    l2BlockNumber: second.l2BlockNumber + 1n,
    targetChain,
  })
  // 300 seconds between two games, which viem divides by the number of pauses between them.
  expect(interval).toBe(300)
})

// Portals before version 3 prove against an oracle. Of one, these actions read only when outputs come.
test('the next output of an oracle is foretold, and waited for', { tags: 'gate' }, async () => {
  const { chain2, public1, wallet1 } = clients
  const { abi, bytecode } = OutputOracle
  const { contractAddress } = await sealedOn1(await wallet1.deployContract({ abi, bytecode }))
  const l2OutputOracleAddress = contractAddress!
  const data = encodeFunctionData({ abi, functionName: 'propose', args: [zeroHash, 30n] })
  await sealedOn1(await wallet1.sendTransaction({ to: l2OutputOracleAddress, data }))
  const l2OutputOracle = { 900: { address: l2OutputOracleAddress } }
  const targetChain = { ...chain2, contracts: { ...chain2.contracts, l2OutputOracle } }
  // 30 blocks of 2 seconds, and a tenth.
  expect(await public1.getTimeToNextL2Output({ l2BlockNumber: 31n, targetChain })).toMatchObject({
    interval: 60,
    seconds: 66,
  })
  const game = await advanceUntil(
    public1.waitForNextGame({ l2BlockNumber: 1n, targetChain, pollingInterval: 10_000 }),
  )
  const waiting = public1.waitForNextL2Output({ l2BlockNumber: 1n, targetChain, pollingInterval: 10_000 })
  expect(await advanceUntil(waiting)).toEqual({
    l2BlockNumber: game.l2BlockNumber,
    outputIndex: 0n,
    outputRoot: game.rootClaim,
    timestamp: game.timestamp,
  })
})

test('every action of viem is called above', () => {
  const client = {} as never
  const actions = [
    publicActionsL1()(client),
    publicActionsL2()(client),
    walletActionsL1()(client),
    walletActionsL2()(client),
  ].flatMap((each) => Object.keys(each))
  const source = read('test/tools/pair/viem.test.ts')
  expect(actions.length).toBe(34)
  expect(
    actions.filter((action) => !new RegExp(`\\b(public|wallet)[12]\\.${action}\\(`).test(source)),
  ).toEqual([])
})
