// viem's op-stack actions, serializers and formatters over a rollup without a layer 1 beside it.

import { verifyMerkleProof } from '@ethereumjs/mpt'
import { base, createEmulator, type Emulator } from 'tickchain'
import { emulatorActions, emulatorTransport } from 'tickchain/viem'
import {
  concatHex,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  keccak256,
  parseEther,
  publicActions,
  zeroHash,
} from 'viem'
import {
  chainConfig,
  getWithdrawalHashStorageSlot,
  getWithdrawals,
  parseTransaction,
  publicActionsL2,
  serializeTransaction,
  base as viemBase,
  walletActionsL2,
} from 'viem/op-stack'
import { describe, expect, test } from 'vitest'
import { Token } from '../contracts/generated.ts'
import { expectRecomputable } from '../core/chain/recomputable.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const { l1Block, l2ToL1MessagePasser } = chainConfig.contracts

// Base's scalars over an L1 base fee of 1 gwei and a blob base fee of 1 wei, by hand, times 10^12: fjord's formula.
const FEE_SCALED = 2269n * 16n * 10n ** 9n + 1_055_762n
/** Of a transaction that compresses to at most 170 bytes: 100 bytes are the least that is paid for. */
const LEAST_L1_FEE = (100n * 10n ** 6n * FEE_SCALED) / 10n ** 12n
const [OPERATOR_SCALAR, OPERATOR_CONSTANT] = [77n, 88n]

const operatorFee = (gas: bigint): bigint => gas * OPERATOR_SCALAR * 100n + OPERATOR_CONSTANT

async function start(): Promise<Emulator> {
  const systemConfig = { operatorFeeScalar: 77, operatorFeeConstant: 88 }
  const chain = await createEmulator(
    base({ fork: 'jovian', production: 'auto', rollup: { stack: 'op', systemConfig } }),
  )
  // In genesis L1Block knows nothing yet.
  await chain.mine()
  return chain
}

/** With viem's own definition of Base. */
function connect(chain: Emulator) {
  return createWalletClient({
    account: ALICE,
    chain: viemBase,
    transport: emulatorTransport(chain),
    cacheTime: 0,
    pollingInterval: 10,
  })
    .extend(publicActions)
    .extend(publicActionsL2())
    .extend(walletActionsL2())
    .extend(emulatorActions(chain))
}

describe('fees', () => {
  test('of a transfer are estimated as by hand, and what it pays', async () => {
    const client = connect(await start())
    const transfer = { account: ALICE, to: BOB, value: 1n } as const
    expect(LEAST_L1_FEE).toBe(3_630_400_105n)
    expect(await client.getL1BaseFee()).toBe(10n ** 9n)
    expect(await client.estimateL1Fee(transfer)).toBe(LEAST_L1_FEE)
    expect(await client.estimateL1Gas(transfer)).toBe(1600n)
    expect(await client.estimateOperatorFee(transfer)).toBe(operatorFee(21_000n))
    expect(await client.estimateOperatorFee({ ...transfer, l1BlockAddress: l1Block.address })).toBe(
      operatorFee(21_000n),
    )
    expect(await client.estimateTotalGas(transfer)).toBe(21_000n + 1600n)
    const gasPrice = await client.getGasPrice()
    const total = LEAST_L1_FEE + operatorFee(21_000n) + 21_000n * gasPrice
    expect(await client.estimateTotalFee(transfer)).toBe(total)

    const before = await client.getBalance({ address: ALICE })
    const receipt = await client.waitForTransactionReceipt({ hash: await client.sendTransaction(transfer) })
    expect(receipt).toMatchObject({
      status: 'success',
      l1Fee: LEAST_L1_FEE,
      l1GasUsed: 1600n,
      l1GasPrice: 10n ** 9n,
    })
    const paid = before - (await client.getBalance({ address: ALICE }))
    expect(paid).toBe(1n + LEAST_L1_FEE + operatorFee(21_000n) + 21_000n * receipt.effectiveGasPrice)
  })

  test('of a call of a contract are estimated from its calldata', async () => {
    const client = connect(await start())
    const deployed = await client.waitForTransactionReceipt({
      hash: await client.deployContract({ abi: Token.abi, bytecode: Token.bytecode, args: [1000n] }),
    })
    const contract = {
      account: ALICE,
      abi: Token.abi,
      address: deployed.contractAddress as Hex,
      functionName: 'transfer',
      args: [BOB, 5n],
    } as const
    const data = encodeFunctionData(contract)
    const call = { account: ALICE, to: contract.address, data } as const
    const gas = await client.estimateGas(call)
    expect(await client.estimateContractL1Fee(contract)).toBe(await client.estimateL1Fee(call))
    expect(await client.estimateContractL1Gas(contract)).toBe(await client.estimateL1Gas(call))
    expect(await client.estimateContractTotalGas(contract)).toBe(gas + (await client.estimateL1Gas(call)))
    const [l1Fee, price] = [await client.estimateL1Fee(call), await client.getGasPrice()]
    expect(await client.estimateContractTotalFee(contract)).toBe(l1Fee + operatorFee(gas) + gas * price)

    const receipt = await client.waitForTransactionReceipt({ hash: await client.writeContract(contract) })
    expect(receipt.l1Fee).toBe(LEAST_L1_FEE)
    expect(l1Fee).toBe(LEAST_L1_FEE)
  })

  test('of incompressible calldata are those of all its bytes', async () => {
    const chain = await start()
    const client = connect(chain)
    // Hashes do not repeat three bytes here, so FastLZ copies everything, with a byte before every 32.
    const data = concatHex(
      Array.from({ length: 60 }, (_, index) => keccak256(`0x${index.toString(16).padStart(64, '0')}`)),
    )
    const hash = await client.sendTransaction({ to: BOB, data })
    const { l1Fee } = await client.waitForTransactionReceipt({ hash })
    const raw = await chain.request('eth_getRawTransactionByHash', [hash])
    const bytes = BigInt((String(raw).length - 2) / 2)
    const compressed = bytes + (bytes + 31n) / 32n
    const expected = ((836_500n * compressed - 42_585_600n) * FEE_SCALED) / 10n ** 12n
    expect(l1Fee).toBe(expected)
    // The oracle adds 68 bytes for the signature of a transaction that is not signed yet.
    const estimate = await client.estimateL1Fee({ account: ALICE, to: BOB, data })
    expect(Number(estimate) / Number(expected)).toBeCloseTo(1, 1)
  })
})

describe('deposits', () => {
  test('are transactions of type deposit, and their hash is that of viem', async () => {
    const chain = await start()
    const client = connect(chain)
    const { hash } = await chain.deposit({ from: ALICE, to: BOB, mint: 10n, value: 4n, gasLimit: 50_000 })
    const transaction = await client.getTransaction({ hash })
    expect(transaction).toMatchObject({
      type: 'deposit',
      mint: 10n,
      value: 4n,
      gas: 50_000n,
      typeHex: '0x7e',
    })
    const { sourceHash, from, to, mint, value, gas } = transaction as never as Parameters<
      typeof serializeTransaction
    >[0] & { sourceHash: Hex; from: Hex; mint: bigint }
    const raw = serializeTransaction({
      type: 'deposit',
      sourceHash,
      from,
      to,
      mint,
      value,
      gas,
    } as never) as `0x7e${string}`
    expect(keccak256(raw)).toBe(hash)
    expect(await chain.request('eth_getRawTransactionByHash', [hash])).toBe(raw)
    expect(parseTransaction(raw)).toMatchObject({
      type: 'deposit',
      sourceHash,
      mint: 10n,
      value: 4n,
      gas: 50_000n,
    })
    const receipt = await client.getTransactionReceipt({ hash })
    expect(receipt).toMatchObject({
      type: '0x7e',
      status: 'success',
      l1Fee: 0n,
      gasUsed: 21_000n,
      effectiveGasPrice: 0n,
    })
    const block = await client.getBlock({ blockHash: receipt.blockHash, includeTransactions: true })
    expect(block.transactions.map(({ type }) => type)).toEqual(['deposit', 'deposit'])
    await expect(client.sendRawTransaction({ serializedTransaction: raw })).rejects.toThrow(
      'transaction type not supported',
    )
  })
})

describe('withdrawals', () => {
  test('are initiated, estimated, and proved against the root of the message passer', async () => {
    const chain = await start()
    const client = connect(chain)
    const request = { to: BOB, value: parseEther('1'), gas: 21_000n, data: '0x' } as const
    const estimate = await client.estimateInitiateWithdrawalGas({ account: ALICE, request })
    const hash = await client.initiateWithdrawal({ request })
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    expect(estimate).toBeGreaterThanOrEqual(receipt.gasUsed)
    const [withdrawal] = getWithdrawals(receipt)
    expect(withdrawal).toMatchObject({
      sender: ALICE,
      target: BOB,
      value: parseEther('1'),
      gasLimit: 21_000n,
    })
    // Many blocks later the proof is still of the block of the output.
    await chain.mine(200)
    const output = {
      l2BlockNumber: receipt.blockNumber,
      outputIndex: 7n,
      outputRoot: zeroHash,
      timestamp: 0n,
    }
    const proof = await client.buildProveWithdrawal({ withdrawal: withdrawal!, output })
    const block = await client.getBlock({ blockNumber: receipt.blockNumber })
    expect(proof.l2OutputIndex).toBe(7n)
    expect(proof.outputRootProof).toEqual({
      latestBlockhash: block.hash,
      messagePasserStorageRoot: block.withdrawalsRoot,
      stateRoot: block.stateRoot,
      version: zeroHash,
    })
    const slot = getWithdrawalHashStorageSlot(withdrawal!)
    const value = await verifyMerkleProof(
      hexToBytes(keccak256(slot)),
      proof.withdrawalProof.map((node) => hexToBytes(node)),
    )
    expect(value).toEqual(Uint8Array.of(1))
    expect(await client.getStorageAt({ address: l2ToL1MessagePasser.address, slot })).toBe(
      `0x${'1'.padStart(64, '0')}`,
    )

    const { version, stateRoot, messagePasserStorageRoot, latestBlockhash } = proof.outputRootProof
    const said = await chain.request(
      'optimism_outputAtBlock' as never,
      [`0x${receipt.blockNumber.toString(16)}`] as never,
    )
    expect(said).toMatchObject({
      outputRoot: keccak256(concatHex([version, stateRoot, messagePasserStorageRoot, latestBlockhash])),
    })
  })

  test('a deposit to layer 2 is built with the gas that it needs', async () => {
    const client = connect(await start())
    const built = await client.buildDepositTransaction({ mint: 1n, to: BOB })
    expect(built.request).toMatchObject({ mint: 1n, to: BOB, gas: 21_000n })
    expect(built.targetChain).toMatchObject({ id: 8453 })
  })
})

test.each([
  'bedrock',
  'regolith',
  'canyon',
  'ecotone',
  'fjord',
  'granite',
  'holocene',
  'isthmus',
  'jovian',
] as const)('blocks of %s are recomputed by other code', async (fork) => {
  const chain = await createEmulator({ rollup: { stack: 'op', fork } })
  for (let block = 0; block < 3; block++) {
    await chain.deposit({ from: ALICE, to: BOB, mint: 10n, value: block === 1 ? 10n ** 30n : 4n })
    await chain.request('eth_sendTransaction', [{ from: BOB, to: ALICE, value: '0x1' }])
    await chain.advance(2000)
  }
  const request = (method: string, params: readonly unknown[] = []) =>
    chain.request(method as never, params as never)
  // The attributes of each of four blocks, and three deposits.
  const { blocks, deposits } = await expectRecomputable(request)
  expect(deposits).toBe(blocks + 3)
})
