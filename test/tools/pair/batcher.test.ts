// The batcher's transactions, and batches that do not come from it.
import { encodeFunctionData, parseAbi, parseEther, parseGwei, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from '../../../src/core/primitives/hex.ts'
import { createRollup } from '../../../src/rollup.ts'
import { type Batch, encodeBatch, encodeChannel, frameTransactions } from '../../../src/tools/pair/batches.ts'
import type { Rollup } from '../../../src/tools/pair/rollup.ts'
import { ACCOUNT, blockOf, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'
const INBOX = '0xff00000000000000000000000000000000000901'

test('a channel that does not fit into a transaction is sent in frames', async () => {
  const rollup = await createRollup({ batcher: { intervalS: 60, maxTransactionBytes: 300 } })
  await rollup.advance(60_000)
  await rollup.advance(12_000)
  const { transactions } = await blockOf(rollup.l1, 6)
  const toInbox = transactions as unknown as { to: string; from: string; input: string }[]
  expect(toInbox.length).toBeGreaterThan(3)
  for (const { to, from, input } of toInbox) {
    expect([to, from]).toEqual([INBOX, rollup.batcher.address])
    expect(input.length).toBeLessThanOrEqual(2 + 2 * 300)
  }
  expect(await numberOf(rollup.l2, 'safe')).toBe(30)
})

test('it tries again after the layer 1 has refused its transaction', async () => {
  const rollup = await createRollup({ batcher: { intervalS: 12 } })
  await rollup.l1.setPoolLimit(0)
  await rollup.advance(48_000)
  expect(await numberOf(rollup.l2, 'safe')).toBe(0)
  await rollup.l1.setPoolLimit(5000)
  await rollup.advance(24_000)
  expect(await numberOf(rollup.l2, 'safe')).toBe(30)
})

test('it replaces a transaction that the base fee has outgrown, with fees raised as op-batcher raises them', async () => {
  const rollup = await createRollup({ batcher: { intervalS: 12 } })
  const replaced: string[] = []
  rollup.l1.on('replacedTransaction', ({ transactionHash }) => replaced.push(transactionHash))
  await rollup.advance(12_000)
  await rollup.l1.setNextBlockBaseFee(parseGwei('1000'))
  await rollup.advance(12_000)
  expect((await blockOf(rollup.l1, 2)).transactions).toEqual([])
  await rollup.advance(12_000)
  const [first, second, ...others] = (await blockOf(rollup.l1, 3)).transactions
  // An empty block lowers the base fee by an eighth, to 875 gwei; the cap is twice that and the tip, 10 % more than 1 gwei.
  expect(first).toMatchObject({
    ...{ nonce: '0x0', from: rollup.batcher.address },
    maxPriorityFeePerGas: toHex(parseGwei('1.1')),
    maxFeePerGas: toHex(parseGwei('1751.1')),
  })
  expect(second).toMatchObject({ nonce: '0x1', maxFeePerGas: toHex(parseGwei('1751')) })
  expect(others).toEqual([])
  expect(replaced).toHaveLength(1)
  expect(await numberOf(rollup.l2, 'safe')).toBe(12)
})

test('it posts again what has not become safe: a channel whose frames came too late', {
  tags: 'gate',
}, async () => {
  const rollup = await createRollup({
    batcher: { intervalS: 24, maxTransactionBytes: 100 },
    channelTimeout: 1,
  })
  // A block of 60,000 gas takes two frames of 100 bytes, of which a channel has more.
  await rollup.l1.request('evm_setBlockGasLimit', ['0xea60'])
  await rollup.advance(84_000)
  expect(await numberOf(rollup.l2, 'safe')).toBe(0)
  const block = await blockOf(rollup.l2, 1)
  await rollup.l1.request('evm_setBlockGasLimit', ['0x3938700'])
  await rollup.advance(120_000)
  expect(await numberOf(rollup.l2, 'safe')).toBeGreaterThan(80)
  expect(await blockOf(rollup.l2, 1)).toEqual(block)
})

test('it waits while the configuration names another, and then posts everything', async () => {
  const rollup = await createRollup({ batcher: { intervalS: 24 } })
  const { wallet1, public1, chain2 } = clientsOf(rollup)
  const abi = parseAbi(['function setBatcherHash(bytes32 batcherHash)'])
  const setTo = (address: string) => {
    const args = [`0x${address.slice(2).padStart(64, '0')}`] as const
    const data = encodeFunctionData({ abi, args })
    return wallet1.sendTransaction({ to: chain2.contracts.systemConfig[900]!.address, data, gas: 200_000n })
  }
  await setTo(TO)
  await rollup.advance(118_000)
  // Posted at 12 s is nothing, and later it is not named.
  expect(await numberOf(rollup.l2, 'safe')).toBe(0)
  expect(await public1.getTransactionCount({ address: rollup.batcher.address })).toBe(0)
  await setTo(rollup.batcher.address)
  await rollup.advance(38_000)
  expect(await numberOf(rollup.l2, 'safe')).toBe(72)
})

/** Posts a channel as the batcher would, and lets the layer 1 take it. */
async function post({ l1, batcher }: Rollup, channel: Uint8Array): Promise<void> {
  const [input] = frameTransactions('0x0102030405060708090a0b0c0d0e0f10', channel, 100_000)
  await l1.impersonate(batcher.address)
  const request = { from: batcher.address, to: INBOX, data: bytesToHex(input!) } as const
  await l1.request('eth_sendTransaction', [request])
  await l1.mine(1)
}

/** What a batch for the block after genesis has to say. */
async function nextBatch({ l1, l2 }: Rollup, transactions: readonly Uint8Array[]): Promise<Batch> {
  const [origin, parent] = [await blockOf(l1, 0), await blockOf(l2, 0)]
  const timestamp = Number(parent.timestamp) + 2
  return { parentHash: parent.hash, epochNumber: 0, epochHash: origin.hash, timestamp, transactions }
}

describe('a batch that says something else than the sequencer', () => {
  const withheld = async () => {
    const rollup = await createRollup()
    await rollup.batcher.withhold()
    await rollup.advance(4000)
    return rollup
  }

  test('is the block', async () => {
    const rollup = await withheld()
    const raw = await ACCOUNT.signTransaction({
      ...{ chainId: 901, nonce: 0, gas: 21_000n, to: TO, value: parseEther('1') },
      maxFeePerGas: parseGwei('10'),
    })
    const before = await blockOf(rollup.l2, 1)
    await post(rollup, encodeChannel([await nextBatch(rollup, [hexToBytes(raw)])]))
    const after = await blockOf(rollup.l2, 1)
    expect(after.hash).not.toBe(before.hash)
    expect(after.transactions).toHaveLength(2)
    expect(await numberOf(rollup.l2, 'safe')).toBe(1)
    expect(await numberOf(rollup.l2, 'latest')).toBe(6)
    expect(await clientsOf(rollup).public2.getBalance({ address: TO })).toBe(parseEther('1'))
  })

  test('is a block of deposits alone if a transaction cannot be executed', async () => {
    const rollup = await withheld()
    const raw = await ACCOUNT.signTransaction({
      ...{ chainId: 901, nonce: 7, gas: 21_000n, to: TO, maxFeePerGas: parseGwei('10') },
    })
    const before = await blockOf(rollup.l2, 1)
    const batch = await nextBatch(rollup, [hexToBytes(raw)])
    // The rest of its channel does not count.
    const next = { ...batch, parentHash: before.hash, timestamp: batch.timestamp + 2, transactions: [] }
    await post(rollup, encodeChannel([batch, next]))
    expect((await blockOf(rollup.l2, 1)).transactions).toHaveLength(1)
    expect(await numberOf(rollup.l2, 'safe')).toBe(1)
  })

  test('does not count if it is not valid', async () => {
    const rollup = await withheld()
    const batch = await nextBatch(rollup, [])
    await post(rollup, encodeChannel([{ ...batch, epochHash: batch.parentHash }, batch]))
    expect(await numberOf(rollup.l2, 'safe')).toBe(0)
    await post(rollup, Uint8Array.of(...encodeBatch(batch)))
    expect(await numberOf(rollup.l2, 'safe')).toBe(0)
    await post(rollup, encodeChannel([batch]))
    expect(await numberOf(rollup.l2, 'safe')).toBe(1)
  })
})

describe('the layers stay together:', () => {
  test('safe blocks of the layer 2 are not replaced there', async () => {
    const rollup = await createRollup({ batcher: { intervalS: 12 } })
    await rollup.advance(24_000)
    expect(await numberOf(rollup.l2, 'safe')).toBe(6)
    await expect(rollup.l2.reorg({ depth: 7 })).rejects.toMatchObject({ kind: 'layersApart' })
    expect(await numberOf(rollup.l2, 'latest')).toBe(12)
    const [six, seven] = [await blockOf(rollup.l2, 6), await blockOf(rollup.l2, 7)]
    await rollup.l2.setBalance(TO, 1n)
    await rollup.l2.reorg({ depth: 6 })
    expect(await blockOf(rollup.l2, 6)).toEqual(six)
    expect((await blockOf(rollup.l2, 7)).timestamp).toBe(seven.timestamp)
    await rollup.advance(24_000)
    expect(await numberOf(rollup.l2, 'safe')).toBe(18)
  })

  test('another layer 1 is not loaded', async () => {
    const other = await createRollup({ withdrawals: { finalityDelayS: 1 } })
    const rollup = await createRollup()
    const dump = await other.l1.dump()
    await expect(rollup.l1.load(dump)).rejects.toMatchObject({ kind: 'layersApart' })
  })
})

test('a call makes no more blocks than its limit', async () => {
  const rollup = await createRollup({ l2: { limits: { stepsPerCall: 10 } } })
  await expect(rollup.advance(22_000)).rejects.toMatchObject({ kind: 'tooManySteps' })
  await rollup.advance(20_000)
  expect(await numberOf(rollup.l2, 'latest')).toBe(10)
})

test('batches of blocks that were archived long before keep the blocks, with their transactions', {
  tags: 'gate',
}, async () => {
  const rollup = await createRollup()
  const { l2 } = rollup
  const { wallet2 } = clientsOf(rollup)
  await rollup.batcher.withhold()
  for (let sent = 0; sent < 5; sent++) {
    await wallet2.sendTransaction({ to: TO, value: 1n })
    await rollup.advance(100_000)
  }
  const numbers = [0, 1, 2, 51, 101, 151, 201, 202, 250]
  const before = await Promise.all(numbers.map((number) => blockOf(l2, number)))
  expect(before.flatMap(({ transactions }) => transactions.slice(1))).toHaveLength(5)
  expect(await numberOf(l2, 'safe')).toBe(0)
  await rollup.batcher.submit()
  await rollup.advance(12_000)
  expect(await numberOf(l2, 'safe')).toBe(250)
  expect(await Promise.all(numbers.map((number) => blockOf(l2, number)))).toEqual(before)
})
