// Fields of the OP stack. Expected amounts: the specification's formulas by hand, and a transaction of Base whose fee is
// known.

import { base, type Emulator, type EmulatorOptions, type RollupOptions } from 'tickchain'
import { type Hex, hexToBigInt, keccak256, parseGwei, toHex } from 'viem'
import { chainConfig, serializeTransaction } from 'viem/op-stack'
import { describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, bob, type Scene, startScene } from '../scene.ts'

const L1_FEE_VAULT: Hex = '0x420000000000000000000000000000000000001a'
const BASE_FEE_VAULT: Hex = '0x4200000000000000000000000000000000000019'
const SEQUENCER_FEE_VAULT: Hex = '0x4200000000000000000000000000000000000011'
const OPERATOR_FEE_VAULT: Hex = '0x420000000000000000000000000000000000001b'

type Receipt = Readonly<Record<string, Hex>>

/** The L1 fees of a block of Base, with which a short transaction has paid 191150293412 wei. */
const l1 = { baseFee: 14_121_491_676n, blobBaseFee: 1_324_954_204n }

function startBase(rollup: Partial<RollupOptions> = {}, options: EmulatorOptions = {}): Promise<Scene> {
  return startScene(base({ fork: 'jovian', ...options, rollup: { stack: 'op', l1, ...rollup } }))
}

function transferTo(to: Hex, nonce: number) {
  const fees = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: parseGwei('1') }
  return { ...fees, chainId: 8453, type: 'eip1559', gas: 21_000n, to, nonce, value: 1n } as const
}

/** A transfer in a block, with its receipt. */
async function transferred({ chain, ask, send }: Scene): Promise<Receipt> {
  const hash = await send(alice, transferTo(BOB, 0))
  await chain.advance(2000)
  return ask('eth_getTransactionReceipt', hash)
}

async function balanceOf(chain: Emulator, address: Hex): Promise<bigint> {
  return hexToBigInt((await chain.request('eth_getBalance', [address, 'latest'])) as Hex)
}

describe('the receipt of a transaction', () => {
  test('has the L1 data fee, its price and the DA footprint', async () => {
    const scene = await startBase()
    const receipt = await transferred(scene)
    expect(receipt).toMatchObject({
      l1GasPrice: toHex(14_121_491_676),
      l1GasUsed: toHex(1600),
      l1Fee: toHex(191_150_293_412),
      l1BaseFeeScalar: toHex(2269),
      l1BlobBaseFee: toHex(1_324_954_204),
      l1BlobBaseFeeScalar: toHex(1_055_762),
      daFootprintGasScalar: toHex(400),
      // 100 bytes at least, 400 gas each.
      blobGasUsed: toHex(40_000),
    })
    for (const absent of [
      'l1FeeScalar',
      'operatorFeeScalar',
      'operatorFeeConstant',
      'depositNonce',
      'blobGasPrice',
    ]) {
      expect(receipt).not.toHaveProperty(absent)
    }
    expect(await scene.ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({
      blobGasUsed: toHex(40_000),
    })
    expect(await scene.ask('eth_getBlockReceipts', 'latest')).toContainEqual(receipt)
  })

  test('and the vaults and the sender agree with it', async () => {
    const { chain, ask, send } = await startBase({
      systemConfig: { operatorFeeScalar: 1000, operatorFeeConstant: 10 },
    })
    const before = await balanceOf(chain, ALICE)
    const hash = await send(alice, transferTo(BOB, 0))
    await chain.advance(2000)
    const receipt = await ask<Receipt>('eth_getTransactionReceipt', hash)
    expect(receipt).toMatchObject({ operatorFeeScalar: toHex(1000), operatorFeeConstant: toHex(10) })
    const paid = {
      [L1_FEE_VAULT]: 191_150_293_412n,
      [BASE_FEE_VAULT]: 21_000n * 5_000_000n,
      [SEQUENCER_FEE_VAULT]: 21_000n * parseGwei('1'),
      // Jovian: gas, times scalar, times 100, and the constant.
      [OPERATOR_FEE_VAULT]: 21_000n * 1000n * 100n + 10n,
    }
    for (const [vault, amount] of Object.entries(paid))
      expect(await balanceOf(chain, vault as Hex)).toBe(amount)
    const fees = Object.values(paid).reduce((sum, amount) => sum + amount)
    expect(before - (await balanceOf(chain, ALICE))).toBe(fees + 1n)
  })

  test.each([
    [
      'isthmus',
      { operatorFeeScalar: '0x3e8', operatorFeeConstant: '0xa' },
      ['daFootprintGasScalar', 'blobGasUsed'],
    ],
    [
      'holocene',
      { l1BaseFeeScalar: toHex(2269) },
      ['operatorFeeScalar', 'operatorFeeConstant', 'daFootprintGasScalar'],
    ],
    ['ecotone', { l1BlobBaseFeeScalar: toHex(1_055_762) }, ['l1FeeScalar', 'operatorFeeScalar']],
    [
      'canyon',
      { l1FeeScalar: '0.684', l1GasPrice: toHex(14_121_491_676) },
      ['l1BaseFeeScalar', 'l1BlobBaseFee'],
    ],
  ] as const)('at %s', async (fork, fields, absent) => {
    const receipt = await transferred(
      await startBase({ fork, systemConfig: { operatorFeeScalar: 1000, operatorFeeConstant: 10 } }),
    )
    expect(receipt).toMatchObject(fields)
    for (const name of absent) expect(receipt).not.toHaveProperty(name)
  })

  test('at canyon, the fee is that of calldata and overhead', async () => {
    const { chain, ask, send } = await startBase({ fork: 'canyon' })
    const raw = await alice.signTransaction(transferTo(BOB, 0))
    const hash = await send(alice, transferTo(BOB, 0))
    await chain.advance(2000)
    const bytes = raw.slice(2).match(/../g) ?? []
    const gas = bytes.reduce((sum, byte) => sum + (byte === '00' ? 4 : 16), 188)
    const fee = (BigInt(gas) * 14_121_491_676n * 684_000n) / 1_000_000n
    expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({
      l1GasUsed: toHex(gas),
      l1Fee: toHex(fee),
    })
  })
})

describe('a deposit', () => {
  const order = { from: BOB, to: ALICE, mint: 10n, value: 3n, gasLimit: 50_000, data: '0x1234' } as const

  async function deposited(fork: RollupOptions['fork'] = 'jovian', more: object = {}) {
    const scene = await startBase({ fork })
    const { hash } = await scene.chain.deposit({ ...order, ...more })
    await scene.chain.advance(2000)
    const transaction = await scene.ask<Receipt>('eth_getTransactionByHash', hash)
    return {
      ...scene,
      hash,
      transaction,
      receipt: await scene.ask<Receipt>('eth_getTransactionReceipt', hash),
    }
  }

  test('as a transaction', async () => {
    const { hash, transaction, ask } = await deposited()
    const { hash: blockHash, timestamp } = await ask<Receipt>('eth_getBlockByNumber', 'latest', false)
    expect(transaction).toEqual({
      ...{
        hash,
        type: '0x7e',
        from: BOB,
        to: ALICE,
        mint: '0xa',
        value: '0x3',
        gas: toHex(50_000),
        input: '0x1234',
      },
      ...{
        nonce: '0x0',
        sourceHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        depositReceiptVersion: '0x1',
      },
      ...{ gasPrice: '0x0', v: '0x0', r: '0x0', s: '0x0', yParity: '0x0' },
      ...{ blockHash, blockNumber: '0x1', blockTimestamp: timestamp, transactionIndex: '0x1' },
    })
  })

  test('has the hash that viem computes of its fields', async () => {
    const { hash, transaction, ask } = await deposited()
    const serialized = serializeTransaction({
      ...{ type: 'deposit', from: BOB, to: ALICE, mint: 10n, value: 3n, gas: 50_000n, data: '0x1234' },
      ...{ isSystemTx: false, sourceHash: transaction['sourceHash'] as Hex },
    })
    expect(keccak256(serialized)).toBe(hash)
    expect(await ask('debug_getRawTransaction', hash)).toBe(serialized)
  })

  test('as a receipt', async () => {
    const { receipt } = await deposited()
    expect(receipt).toMatchObject({
      ...{ type: '0x7e', status: '0x1', depositNonce: '0x0', depositReceiptVersion: '0x1' },
      ...{ effectiveGasPrice: '0x0', l1Fee: '0x0', l1GasPrice: toHex(14_121_491_676), blobGasUsed: '0x0' },
    })
    const parsed = chainConfig.formatters.transactionReceipt.format(receipt as never)
    expect(parsed).toMatchObject({ l1Fee: 0n, l1GasPrice: 14_121_491_676n, status: 'success' })
  })

  test('that creates a contract has no `to` as a transaction, and null in its receipt', async () => {
    const { transaction, receipt } = await deposited('jovian', {
      to: undefined,
      data: '0x00',
      gasLimit: 100_000,
    })
    expect(transaction).not.toHaveProperty('to')
    expect(receipt).toMatchObject({ to: null, contractAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/) })
  })

  test('has its nonce since regolith, and a version since canyon', async () => {
    const fields = async (fork: 'bedrock' | 'regolith' | 'canyon') => {
      const { transaction, receipt } = await deposited(fork)
      return [transaction['nonce'], receipt['depositNonce'], receipt['depositReceiptVersion']]
    }
    expect(await fields('bedrock')).toEqual(['0x0', undefined, undefined])
    expect(await fields('regolith')).toEqual(['0x0', '0x0', undefined])
    expect(await fields('canyon')).toEqual(['0x0', '0x0', '0x1'])
  })

  test('shows the sender’s nonce, which the sender’s own transactions continue', async () => {
    const { chain, ask, send } = await startBase()
    await send(bob, transferTo(ALICE, 0))
    await chain.advance(2000)
    const { hash } = await chain.deposit({ from: BOB, to: ALICE })
    await chain.advance(2000)
    expect(await ask('eth_getTransactionByHash', hash)).toMatchObject({ nonce: '0x1' })
    expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ depositNonce: '0x1' })
    expect(await ask('eth_getTransactionBySenderAndNonce', BOB, '0x1')).toMatchObject({ hash })
    const sent = await send(bob, transferTo(ALICE, 2))
    await chain.advance(2000)
    expect(await ask('eth_getTransactionReceipt', sent)).toMatchObject({ status: '0x1' })
  })

  test('is traced and shown like other transactions', async () => {
    const { hash, ask, chain } = await deposited()
    expect(await ask('debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject({
      ...{ from: BOB, to: ALICE, value: '0x3', gas: toHex(50_000), input: '0x1234' },
    })
    expect(await ask('trace_transaction', hash)).toMatchObject([
      { action: { from: BOB, to: ALICE, value: '0x3' } },
    ])
    const traced = await ask<readonly unknown[]>('debug_traceBlockByNumber', 'latest', {
      tracer: 'callTracer',
    })
    expect(traced).toHaveLength(2)
    await chain.deposit({ from: BOB, to: ALICE })
    expect(await ask('debug_traceBlockByNumber', 'pending', { tracer: 'callTracer' })).toHaveLength(2)
  })

  test('has logs that filters find', async () => {
    const { chain, ask } = await startBase()
    const emitter: Hex = '0xcccccccccccccccccccccccccccccccccccccccc'
    await chain.setCode(emitter, '0x5f5fa0')
    const filter = await ask('eth_newFilter', { address: emitter })
    const { hash } = await chain.deposit({ from: BOB, to: emitter })
    const log = { address: emitter, transactionHash: hash, transactionIndex: '0x1', logIndex: '0x0' }
    expect(
      await ask('eth_getLogs', { fromBlock: 'pending', toBlock: 'pending', address: emitter }),
    ).toMatchObject([log])
    await chain.advance(2000)
    expect(await ask('eth_getFilterChanges', filter)).toMatchObject([log])
    expect(await ask('eth_getLogs', { fromBlock: '0x0', address: emitter })).toMatchObject([log])
  })

  test('is refused as a raw transaction, as nodes refuse it', async () => {
    const { ask, hash } = await deposited()
    const raw = await ask('debug_getRawTransaction', hash)
    await expect(ask('eth_sendRawTransaction', raw)).rejects.toMatchObject({
      kind: 'transactionTypeNotSupported',
      message: expect.stringContaining('transaction type not supported'),
    })
  })
})

describe('with the rest of the interface', () => {
  test('the suggested tip is 0.001 gwei', async () => {
    const { ask } = await startBase()
    expect(await ask('eth_maxPriorityFeePerGas')).toBe(toHex(1_000_000))
    expect(await ask('eth_gasPrice')).toBe(toHex(6_000_000))
  })

  test('the suggested tip is a tenth above the median once blocks are full', async () => {
    const { chain, ask, send } = await startBase({}, { genesis: { gasLimit: 21_000_000 } })
    const burner: Hex = '0xcccccccccccccccccccccccccccccccccccccccc'
    await chain.setCode(burner, '0x5b600056')
    await send(alice, { ...transferTo(burner, 0), gas: 12_000_000n, maxPriorityFeePerGas: parseGwei('2') })
    await chain.advance(2000)
    // 12 million and another 12 million do not fit. Of two tips, that of the attributes is zero.
    expect(await ask('eth_maxPriorityFeePerGas')).toBe(toHex(parseGwei('2.2')))
  })

  test('a deposit gives no tip', async () => {
    const { chain, ask } = await startBase()
    await chain.advance(2000)
    expect(await ask('eth_feeHistory', '0x1', 'latest', [50])).toMatchObject({ reward: [['0x0']] })
  })

  test('a block built for the engine opens like the one being built', async () => {
    const { chain, ask, send } = await startBase()
    await chain.deposit({ from: BOB, to: ALICE, mint: 1n })
    await send(alice, transferTo(BOB, 0))
    await chain.advance(200)
    const pending = await ask<Receipt>('eth_getBlockByNumber', 'pending', false)
    const build = (transactions?: readonly Hex[]) =>
      ask(
        'testing_buildBlockV1',
        pending['parentHash'],
        {
          timestamp: pending['timestamp'],
          prevRandao: pending['mixHash'],
          suggestedFeeRecipient: pending['miner'],
          withdrawals: [],
          parentBeaconBlockRoot: pending['parentBeaconBlockRoot'],
        },
        transactions,
      )
    // Deposits that have begun a block are of a known L1 block, and open this one too.
    expect(await build()).toMatchObject({ executionPayload: { blockHash: pending['hash'] } })
    const raw = await alice.signTransaction(transferTo(BOB, 0))
    expect(await build([raw])).toMatchObject({ executionPayload: { blockHash: pending['hash'] } })
    expect(await build([])).toMatchObject({
      executionPayload: { transactions: [/^0x7e/, /^0x7e/].map((each) => expect.stringMatching(each)) },
      blockValue: '0x0',
    })
  })

  test('a node that lags behind shows the opening of its own next block', async () => {
    const { chain, ask } = await startBase()
    await chain.advance(6000)
    const before = await ask<Receipt>('eth_getBlockByNumber', '0x3', false)
    await chain.fault({ method: 'eth_getBlockByNumber', blocksBehind: 1 })
    const shown = await ask<Receipt>('eth_getBlockByNumber', 'pending', false)
    expect(shown['transactions']).toEqual(before['transactions'])
  })

  test('proofs of predeploys hold against the header', async () => {
    const { chain, ask } = await startBase()
    await chain.advance(2000)
    const passer = '0x4200000000000000000000000000000000000016'
    const { withdrawalsRoot } = await ask<Receipt>('eth_getBlockByNumber', 'latest', false)
    expect(await ask('eth_getProof', passer, [], 'latest')).toMatchObject({ storageHash: withdrawalsRoot })
  })

  test('L1Block says what the attributes say', async () => {
    const { chain, ask } = await startBase()
    await chain.advance(14_000)
    // number() and sequenceNumber(), by their selectors.
    const read = (data: Hex) =>
      ask<Hex>('eth_call', { to: '0x4200000000000000000000000000000000000015', data }, 'latest')
    expect(BigInt(await read('0x8381f58a'))).toBe(1n)
    expect(BigInt(await read('0x64ca23ef'))).toBe(1n)
  })

  test('fee history and the block being built agree on the next base fee', async () => {
    const { chain, ask } = await startBase()
    await chain.advance(6000)
    const { baseFeePerGas } = await ask<{ baseFeePerGas: readonly Hex[] }>(
      'eth_feeHistory',
      '0x2',
      'latest',
      [],
    )
    expect(baseFeePerGas.at(-1)).toBe(
      (await ask<Receipt>('eth_getBlockByNumber', 'pending', false))['baseFeePerGas'],
    )
  })

  test('the configuration names the active fork and the next', async () => {
    const at = 1_704_067_200 + 100
    const fork = { regolith: 0, canyon: 0, ecotone: 0, fjord: 0, granite: 0, holocene: 0, isthmus: at }
    const { ask } = await startBase({ fork })
    expect(await ask('eth_config')).toMatchObject({
      current: { activationTime: 0 },
      next: { activationTime: at },
    })
  })
})
