// The option stateHistory: the last blocks keep their state, and reads of older states are refused.

import { encodeFunctionData, type Hex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../../src/index.ts'
import { Logger } from '../../../contracts/generated.ts'
import { stranger } from '../workload.ts'

const GONE = { code: -32000, kind: 'stateNotAvailable' }
const LOG = encodeFunctionData({ abi: Logger.abi, functionName: 'emitMany', args: [1n] })

async function heightOf(chain: Emulator): Promise<number> {
  return Number(await chain.request('eth_blockNumber'))
}

/** A chain whose block 1 deploys a contract, and whose blocks 2 to 10 call it and move ether. */
async function build(options: EmulatorOptions) {
  const chain = await createEmulator({ production: 'manual', ...options })
  const [from = '0x', to = '0x'] = await chain.request('eth_accounts')
  const hashes: Hex[] = []
  const send = async (request: object): Promise<void> => {
    hashes.push(await chain.request('eth_sendTransaction', [{ from, gas: '0x100000', ...request }]))
  }
  await send({ data: Logger.bytecode })
  await chain.seal()
  const receipt = await chain.request('eth_getTransactionReceipt', [hashes[0] as Hex])
  const logger = receipt?.contractAddress as Hex
  for (let number = 2; number <= 10; number++) {
    await send({ to: logger, data: LOG })
    await send({ to, value: '0x1' })
    await chain.seal()
  }
  return { chain, from, to, logger, hashes }
}

type Built = Awaited<ReturnType<typeof build>>

/** Every method that reads the state of a block. */
function stateReads({ from, to, logger }: Built, block: unknown): Record<string, unknown[]> {
  const call = { from, to: logger, data: LOG }
  return {
    eth_getBalance: [to, block],
    eth_getTransactionCount: [from, block],
    eth_getCode: [logger, block],
    eth_getStorageAt: [logger, '0x0', block],
    eth_getStorageValues: [{ [logger]: ['0x0'] }, block],
    eth_getAccount: [to, block],
    eth_getAccountInfo: [to, block],
    eth_getProof: [logger, ['0x0'], block],
    eth_call: [call, block],
    eth_estimateGas: [call, block],
    eth_createAccessList: [call, block],
    eth_simulateV1: [{ blockStateCalls: [{ calls: [call] }] }, block],
  }
}

describe('a chain that keeps the states of three blocks', () => {
  test('answers every read of those, and refuses reads of all others', async () => {
    const built = await build({ stateHistory: 3 })
    const all = await build({})
    const { chain } = built
    const hash = (number: number) =>
      chain.request('eth_getBlockByNumber', [toHex(number), false]).then((block) => block?.hash)
    for (const number of [8, 9, 10]) {
      for (const [method, params] of Object.entries(stateReads(built, toHex(number)))) {
        expect(await chain.request(method, params), method).toEqual(await all.chain.request(method, params))
      }
    }
    for (const block of [toHex(7), toHex(0), 'earliest', { blockHash: await hash(7) }, 'safe', 'finalized']) {
      for (const [method, params] of Object.entries(stateReads(built, block))) {
        const refusal = chain.request(method, params)
        await expect(refusal, `${method} ${JSON.stringify(block)}`).rejects.toMatchObject(GONE)
        await expect(refusal).rejects.toThrow(/historical state .* is not available/)
      }
    }
  })

  test('still returns its blocks, transactions, receipts and logs', async () => {
    const [few, all] = [await build({ stateHistory: 3 }), await build({})]
    for (let number = 0; number <= 10; number++) {
      const tag = toHex(number)
      const reads: [string, unknown[]][] = [
        ['eth_getBlockByNumber', [tag, true]],
        ['eth_getBlockReceipts', [tag]],
        ['eth_getLogs', [{ fromBlock: tag, toBlock: tag }]],
        ['debug_getRawBlock', [tag]],
        ['eth_feeHistory', ['0x1', tag, [50]]],
      ]
      for (const [method, params] of reads) {
        expect(await few.chain.request(method, params), method).toEqual(
          await all.chain.request(method, params),
        )
      }
    }
    for (const hash of few.hashes) {
      expect(await few.chain.request('eth_getTransactionByHash', [hash])).toEqual(
        await all.chain.request('eth_getTransactionByHash', [hash]),
      )
    }
    expect(await few.chain.exportBlocks()).toEqual(await all.chain.exportBlocks())
  })

  test('can be rolled back as far as a state is kept', async () => {
    const { chain, to } = await build({ stateHistory: 3 })
    const before = await chain.request('eth_getBlockByNumber', ['latest', true])
    await expect(chain.reorg({ depth: 3 })).rejects.toMatchObject(GONE)
    await expect(chain.rollback(3)).rejects.toMatchObject(GONE)
    await expect(chain.request('anvil_reorg', [5, []])).rejects.toMatchObject(GONE)
    expect(await chain.request('eth_getBlockByNumber', ['latest', true])).toEqual(before)
    await chain.rollback(2)
    expect(await heightOf(chain)).toBe(8)
    // Seven transfers of 1 wei are left of nine.
    expect(await chain.request('eth_getBalance', [to, 'latest'])).toBe(toHex(10_000n * 10n ** 18n + 7n))
    // What was forgotten does not come back with the blocks above it.
    await expect(chain.request('eth_getBalance', [to, '0x7'])).rejects.toMatchObject(GONE)
    await expect(chain.rollback(1)).rejects.toMatchObject(GONE)
    await chain.seal()
    await chain.reorg({ depth: 1 })
    expect(await heightOf(chain)).toBe(9)
  })

  test('cannot be dumped, because a dump has all states', async () => {
    const { chain } = await build({ stateHistory: 3 })
    await expect(chain.dump()).rejects.toMatchObject(GONE)
    await expect(chain.request('anvil_dumpState')).rejects.toMatchObject(GONE)
  })

  test('keeps three states of a chain that it loads', async () => {
    const { chain, to } = await build({})
    const loaded = await createEmulator({ state: await chain.dump(), stateHistory: 3 })
    await expect(loaded.request('eth_getBalance', [to, '0x7'])).rejects.toMatchObject(GONE)
    expect(await loaded.request('eth_getBalance', [to, '0x8'])).toBe(
      await chain.request('eth_getBalance', [to, '0x8']),
    )
  })

  test('keeps the states of a snapshot for its reverts', async () => {
    const chain = await createEmulator({ production: 'manual', stateHistory: 3 })
    const read = (number: number) => chain.request('eth_getBalance', [stranger(1), toHex(number)])
    await chain.seal()
    const [snapshot, clone] = [chain.snapshot(), chain.clone()]
    for (let number = 2; number <= 9; number++) await chain.seal()
    await expect(read(1)).rejects.toMatchObject(GONE)
    expect(await clone.request('eth_getBalance', [stranger(1), '0x0'])).toBe('0x0')
    await chain.revert(snapshot)
    expect([await read(0), await read(1)]).toEqual(['0x0', '0x0'])
  })
})

test('blocks of a run lose their states, too, and stay readable', async () => {
  const chain = await createEmulator({ stateHistory: 3 })
  const [account = '0x'] = await chain.request('eth_accounts')
  await chain.advance(20_000)
  await chain.setBalance(account, 5n)
  await chain.mine(400)
  await chain.seal()
  const plain = await createEmulator()
  await plain.advance(20_000)
  await plain.setBalance(account, 5n)
  await plain.mine(400)
  await plain.seal()
  expect(await heightOf(chain)).toBe(411)
  for (const number of [409, 410, 411]) {
    expect(await chain.request('eth_getBalance', [account, toHex(number)])).toBe('0x5')
  }
  for (const number of [0, 1, 9, 10, 11, 300, 408]) {
    await expect(chain.request('eth_getBalance', [account, toHex(number)])).rejects.toMatchObject(GONE)
    const read = ['eth_getBlockByNumber', [toHex(number), true]] as const
    expect(await chain.request(...read)).toEqual(await plain.request(...read))
  }
})

test('blocks of a run under a block with a transaction lose their states, too', async () => {
  const [few, all] = [await createEmulator({ stateHistory: 3 }), await createEmulator()]
  for (const chain of [few, all]) {
    const [from = '0x', to = '0x'] = await chain.request('eth_accounts')
    await chain.advance(12_000)
    await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
    await chain.advance(2000)
  }
  for (let number = 0; number <= 7; number++) {
    const block = await all.request('eth_getBlockByNumber', [toHex(number), true])
    expect(await few.request('eth_getBlockByHash', [block?.hash as Hex, true])).toEqual(block)
    const balance = few.request('eth_getBalance', [stranger(1), toHex(number)])
    if (number < 5) await expect(balance).rejects.toMatchObject(GONE)
    else expect(await balance).toBe('0x0')
  }
})

test('a chain with only the state of the head continues, and cannot be rolled back', async () => {
  const { chain, from, to } = await build({ stateHistory: 1 })
  expect(await chain.request('eth_getBalance', [to, 'latest'])).toBe(toHex(10_000n * 10n ** 18n + 9n))
  await expect(chain.request('eth_getBalance', [to, '0x9'])).rejects.toMatchObject(GONE)
  await expect(chain.reorg({ depth: 1 })).rejects.toMatchObject(GONE)
  await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
  await chain.request('evm_increaseTime', [100])
  await chain.seal()
  expect(await chain.request('eth_getBalance', [to, 'pending'])).toBe(toHex(10_000n * 10n ** 18n + 10n))
})

test('without the option all states are kept', { tags: 'gate' }, async () => {
  const { chain, to } = await build({})
  for (let number = 0; number < 300; number++) await chain.seal()
  // Block n holds the (n - 1)th transfer of 1 wei.
  expect(await chain.request('eth_getBalance', [to, '0x4'])).toBe(toHex(10_000n * 10n ** 18n + 3n))
  expect(await chain.request('eth_getBalance', [to, 'earliest'])).toBe(toHex(10_000n * 10n ** 18n))
})
