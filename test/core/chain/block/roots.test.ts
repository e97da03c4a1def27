// Header commitments of a block, recomputed by other code from its JSON-RPC data.

import { type Hex, hexToBigInt, hexToNumber, keccak256, numberToHex, pad, sha256, toHex, toRlp } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { SELECTABLE_HARDFORKS, type SelectableHardfork } from '../../../../src/core/rollup/hardforks.ts'
import { createEmulator } from '../../../../src/index.ts'
import {
  dumpAccount,
  dumpAccounts,
  readBlock,
  readChain,
  readReceipts,
  readStorage,
  transactionsOf,
} from '../reads.ts'
import {
  bloomOf,
  encodeReceipt,
  encodeTransaction,
  hashOfHeader,
  type RpcBlock,
  type RpcReceipt,
  rootOfAccounts,
  rootOfList,
  rootOfStorage,
  sizeOfBlock,
} from '../recompute.ts'
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  candidates,
  isSince,
  ledgerCall,
  runWorkload,
  stranger,
  type Workload,
} from '../workload.ts'

const RING_SIZE = 8191

/** Slots that the protocol writes at the start of each block up to `number`. */
function protocolSlots(blocks: readonly RpcBlock[], number: number): Map<Hex, Hex[]> {
  const slot = (position: number): Hex => toHex(position, { size: 32 })
  const sealed = blocks.slice(1, number + 1)
  const roots = sealed.flatMap(({ timestamp }) => {
    const position = hexToNumber(timestamp) % RING_SIZE
    return [slot(position), slot(position + RING_SIZE)]
  })
  const hashes = sealed.map((block) => slot((hexToNumber(block.number) - 1) % RING_SIZE))
  return new Map([
    [BEACON_ROOTS, roots],
    [BLOCK_HASHES, hashes],
  ])
}

describe.each(SELECTABLE_HARDFORKS)('a chain of %s', (hardfork) => {
  let workload: Workload
  let blocks: readonly RpcBlock[]
  let receipts: readonly (readonly RpcReceipt[])[]

  beforeAll(async () => {
    workload = await runWorkload(hardfork)
    blocks = await readChain(workload.chain)
    receipts = await Promise.all(blocks.map((_, number) => readReceipts(workload.chain, number)))
  })

  test('contains everything that the fork allows', () => {
    const types = new Set(blocks.flatMap(transactionsOf).map(({ type }) => type))
    const expected = ['0x0', '0x1', '0x2', '0x4'].filter((_, index) =>
      isSince(hardfork, (['byzantium', 'berlin', 'london', 'prague'] as const)[index] as SelectableHardfork),
    )
    expect([...types].sort()).toEqual(expected)
    const all = receipts.flat()
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['0x0', '0x1']))
    expect(all.some(({ logs }) => logs.length > 0)).toBe(true)
    expect(blocks.length).toBeGreaterThan(4)
    expect(blocks.some(({ number, transactions }) => number !== '0x0' && transactions.length === 0)).toBe(
      true,
    )
  })

  test('links its blocks by parent hash, number and time', () => {
    for (const [number, block] of blocks.entries()) {
      expect(block.number).toBe(numberToHex(number))
      const parent = blocks[number - 1]
      expect(block.parentHash).toBe(parent?.hash ?? pad('0x', { size: 32 }))
      if (parent !== undefined) {
        expect(hexToNumber(block.timestamp)).toBe(hexToNumber(parent.timestamp) + 2)
      }
    }
  })

  test('commits to its transactions', async () => {
    for (const block of blocks) {
      const encoded = transactionsOf(block).map(encodeTransaction)
      expect(transactionsOf(block).map(({ hash }) => hash)).toEqual(encoded.map((bytes) => keccak256(bytes)))
      expect(block.transactionsRoot).toBe(await rootOfList(encoded))
    }
  })

  test('commits to its receipts', async () => {
    for (const [number, block] of blocks.entries()) {
      const ofBlock = receipts[number] ?? []
      expect(block.receiptsRoot).toBe(await rootOfList(ofBlock.map(encodeReceipt)))
      expect(ofBlock.map(({ transactionHash }) => transactionHash)).toEqual(
        transactionsOf(block).map(({ hash }) => hash),
      )
    }
  })

  test('adds up gas from receipt to receipt, and to the header', () => {
    for (const [number, block] of blocks.entries()) {
      let sum = 0n
      for (const receipt of receipts[number] ?? []) {
        sum += hexToBigInt(receipt.gasUsed)
        expect(hexToBigInt(receipt.cumulativeGasUsed)).toBe(sum)
      }
      expect(hexToBigInt(block.gasUsed)).toBe(sum)
    }
  })

  test('has correct log blooms in receipts and blocks, and log indexes that count through the block', () => {
    for (const [number, block] of blocks.entries()) {
      const ofBlock = receipts[number] ?? []
      for (const { logs, logsBloom } of ofBlock) expect(logsBloom).toBe(bloomOf(logs))
      const logs = ofBlock.flatMap((receipt) => receipt.logs)
      expect(block.logsBloom).toBe(bloomOf(logs))
      expect(logs.map(({ logIndex }) => logIndex)).toEqual(logs.map((_, index) => numberToHex(index)))
    }
  })

  test('has the hash of its headers', () => {
    for (const block of blocks) expect(hashOfHeader(block)).toBe(block.hash)
  })

  test('has the size of its blocks', () => {
    for (const block of blocks) expect(hexToNumber(block.size)).toBe(sizeOfBlock(block))
  })

  test('has the header fields of the fork and no others', () => {
    const expected = {
      baseFeePerGas: 'london',
      withdrawals: 'shanghai',
      withdrawalsRoot: 'shanghai',
      blobGasUsed: 'cancun',
      excessBlobGas: 'cancun',
      parentBeaconBlockRoot: 'cancun',
      requestsHash: 'prague',
    } as const
    for (const block of blocks) {
      for (const [field, since] of Object.entries(expected)) {
        expect(field in block, field).toBe(isSince(hardfork, since))
      }
      // An empty list and an empty trie: no uncles since the merge, no withdrawals or requests on a layer 2.
      expect(block.sha3Uncles).toBe(keccak256(toRlp([])))
      if (isSince(hardfork, 'shanghai')) expect(block.withdrawalsRoot).toBe(keccak256(toRlp('0x')))
      if (isSince(hardfork, 'prague')) expect(block.requestsHash).toBe(sha256('0x'))
      if (isSince(hardfork, 'cancun')) expect(block.excessBlobGas).toBe('0x0')
    }
  })

  test('has randomness in the mix hash since the merge, and zero before', () => {
    const mixes = new Set(blocks.slice(1).map(({ mixHash }) => mixHash))
    if (isSince(hardfork, 'paris')) expect(mixes.size).toBe(blocks.length - 1)
    else expect([...mixes]).toEqual([pad('0x', { size: 32 })])
  })

  test('commits to all accounts, at every block', { tags: 'gate' }, async () => {
    for (const [number, block] of blocks.entries()) {
      expect(
        await rootOfAccounts(await dumpAccounts(workload.chain, candidates(workload), number)),
        `block ${number}`,
      ).toBe(block.stateRoot)
    }
  })

  test('commits to all slots, at every block', { tags: 'gate' }, async () => {
    for (const number of blocks.keys()) {
      for (const [address, slots] of [...workload.slots, ...protocolSlots(blocks, number)]) {
        const storage = await readStorage(workload.chain, address, slots, number)
        const account = await dumpAccount(workload.chain, address, number)
        // A slot may have been written twice, as a ring buffer's is; a trie has it once.
        const root = await rootOfStorage([...new Map(storage)])
        if (account !== undefined) expect(account.storageHash, `${address} at ${number}`).toBe(root)
      }
    }
  })
})

test('a ledger has the code that was deployed, and the slots that were written and not cleared', async () => {
  const { chain, ledger } = await runWorkload('shanghai')
  const storage = await readStorage(
    chain,
    ledger,
    [1n, 2n, 3n, 4n, 5n].map((slot) => toHex(slot, { size: 32 })),
    'latest',
  )
  // 1 was cleared, the writes to 3 and 5 failed, 4 was cleared and written again in one partial block.
  expect(storage.map(([, value]) => hexToBigInt(value))).toEqual([0n, 2n ** 255n, 0n, 0xffn, 0n])
})

test('the block being built commits to what it holds so far', async () => {
  const workload = await runWorkload('prague')
  const { chain, wallets, ledger } = workload
  const [wallet] = wallets
  await wallet.send({ to: ledger, data: ledgerCall(1n, 77n), gas: 100_000n })
  await wallet.send({ to: stranger(1), value: 5n })
  await chain.advance(500)

  const block = await readBlock(chain, 'pending')
  const receipts = await readReceipts(chain, 'pending')
  expect(receipts).toHaveLength(2)
  expect(block.transactionsRoot).toBe(await rootOfList(transactionsOf(block).map(encodeTransaction)))
  expect(block.receiptsRoot).toBe(await rootOfList(receipts.map(encodeReceipt)))
  expect(block.logsBloom).toBe(bloomOf(receipts.flatMap(({ logs }) => logs)))
  expect(block.hash).toBe(hashOfHeader(block))
  expect(hexToNumber(block.size)).toBe(sizeOfBlock(block))
  expect(block.stateRoot).toBe(
    await rootOfAccounts(await dumpAccounts(chain, candidates(workload), 'pending')),
  )
})

test('a custom genesis commits to its accounts', async () => {
  const [rich, contract, empty] = [stranger(20), stranger(21), stranger(22)] as const
  const slot = pad('0x2', { size: 32 })
  const chain = await createEmulator({
    accounts: [],
    hardfork: 'london',
    chainId: 7,
    genesis: {
      timestamp: 1000,
      gasLimit: 30_000_000,
      baseFeePerGas: 7,
      coinbase: stranger(23),
      extraData: '0x746573740a',
      alloc: {
        [rich]: { balance: 10n ** 30n, nonce: 3 },
        [contract]: { code: '0x6001', storage: { '0x2': '0x0100', '0x3': '0x00' }, nonce: 1 },
        [empty]: {},
      },
    },
  })
  const storageHash = await rootOfStorage([[slot, '0x0100']])
  const emptyRoot = keccak256(toRlp('0x'))
  const stateRoot = await rootOfAccounts([
    { address: rich, nonce: '0x3', balance: toHex(10n ** 30n), code: '0x', storageHash: emptyRoot },
    { address: contract, nonce: '0x1', balance: '0x0', code: '0x6001', storageHash },
    // geth's genesis keeps an account that is named in it, empty or not.
    { address: empty, nonce: '0x0', balance: '0x0', code: '0x', storageHash: emptyRoot },
  ])
  const block = await readBlock(chain, 0)
  expect(block.stateRoot).toBe(stateRoot)
  expect(block.hash).toBe(hashOfHeader(block))
  expect(block).toMatchObject({
    number: '0x0',
    timestamp: '0x3e8',
    gasLimit: '0x1c9c380',
    baseFeePerGas: '0x7',
    miner: stranger(23),
    extraData: '0x746573740a',
    parentHash: pad('0x', { size: 32 }),
    transactionsRoot: emptyRoot,
    receiptsRoot: emptyRoot,
  })
})
