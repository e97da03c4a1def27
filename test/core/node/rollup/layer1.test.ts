// A layer 2 that is told its L1 blocks, without a layer 1.

import { type Hex, hexToBytes, pad, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Emulator } from '../../../../src/core/emulator/api.ts'
import { internalsOf } from '../../../../src/core/emulator/internals.ts'
import { base } from '../../../../src/core/emulator/options/base.ts'
import { unchanged } from '../../../../src/core/node/events.ts'
import type { NodeState } from '../../../../src/core/node/node-state.ts'
import { tellL1Blocks } from '../../../../src/core/node/rollup/layer1.ts'
import type { L1Block } from '../../../../src/core/node/rollup/origins.ts'
import { type Deposit, userSourceHash } from '../../../../src/core/rollup/deposit.ts'
import { createLayer2 } from '../../../../src/tools/solidity/create-emulator.ts'
import { attributesAt, blockAt, START_S } from './scene.ts'

const BOB: Hex = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
const ADDRESS: Hex = '0x1111111111111111111111111111111111111111'

const system: L1Block['system'] = {
  ...{
    batcherHash: pad('0x', { size: 32 }),
    overhead: 0n,
    scalar: 0n,
    baseFeeScalar: 1,
    blobBaseFeeScalar: 2,
  },
  ...{ gasLimit: 60_000_000n, eip1559: { denominator: 0, elasticity: 0 }, operatorFeeScalar: 0 },
  ...{ operatorFeeConstant: 0n, minBaseFee: 0n, daFootprintGasScalar: 0 },
}

/** The L1 block with a number: every 12 seconds, with a hash of its own. */
function l1Block(number: number, more: Partial<L1Block> = {}): L1Block {
  const hash = pad(toHex(0xa000 + number), { size: 32 })
  const timestamp = START_S + 12 * number
  return { number, timestamp, hash, baseFee: 7n, blobBaseFee: 1n, deposits: [], system, ...more }
}

function depositOf(mint: bigint, l1Hash: Hex): Deposit {
  const from = BOB
  return {
    ...{ sourceHash: userSourceHash(l1Hash, 0), from, to: from, mint, value: 0n, gasLimit: 100_000n },
    ...{ isSystem: false, data: hexToBytes('0x') },
  }
}

let chain: Emulator

function change(edit: (state: NodeState) => NodeState): Promise<undefined> {
  const { node } = internalsOf('test', chain).session
  return node.execute((state) => unchanged(edit(state)))
}

const tell = (from: number, ...blocks: L1Block[]) => change((state) => tellL1Blocks(state, from, blocks))

async function send(): Promise<Hex> {
  const [from = BOB] = await chain.request('eth_accounts')
  return (await chain.request('eth_sendTransaction', [{ from, to: ADDRESS, value: '0x1' }])) as Hex
}

async function originsFrom(first: number, last: number): Promise<number[][]> {
  const origins = []
  for (let number = first; number <= last; number++) {
    const { number: origin, sequenceNumber } = await attributesAt(chain, toHex(number))
    origins.push([origin, sequenceNumber])
  }
  return origins
}

function start(): Promise<Emulator> {
  return createLayer2(base({ fork: 'jovian' }), {
    chainId: 900,
    contracts: {
      portal: ADDRESS,
      systemConfig: ADDRESS,
      batchInbox: ADDRESS,
      sequencingWindow: 10,
      channelTimeout: 5,
    },
    founding: {
      genesis: l1Block(0),
      bridge: { chainId: 900, crossDomainMessenger: ADDRESS, standardBridge: ADDRESS, erc721Bridge: ADDRESS },
    },
  })
}

beforeEach(async () => {
  chain = await start()
})

describe('origins that are told', () => {
  test('are taken one at a time, once their time has come', async () => {
    await tell(
      1,
      l1Block(1),
      l1Block(2, { timestamp: START_S + 13 }),
      l1Block(3, { timestamp: START_S + 15 }),
    )
    await chain.advance(2000 * 9)
    expect(await originsFrom(5, 9)).toEqual([
      [0, 5],
      [1, 0],
      [2, 0],
      [3, 0],
      [3, 1],
    ])
  })

  test('are not made up', async () => {
    await chain.advance(2000 * 20)
    expect(await originsFrom(20, 20)).toEqual([[0, 20]])
  })

  test('bring their deposits with their first block, and change the block being built at once', async () => {
    await chain.advance(2000 * 5 + 400)
    const first = l1Block(1)
    await tell(1, { ...first, deposits: [depositOf(5n, first.hash)] })
    expect((await blockAt(chain, 'pending')).transactions).toHaveLength(2)
    await chain.advance(4000)
    expect(await chain.request('eth_getBalance', [BOB, 'latest'])).toBe('0x5')
    expect((await blockAt(chain, '0x7')).transactions).toHaveLength(1)
  })

  test('do not change a block that has begun', async () => {
    await chain.advance(2000 * 5)
    const hash = await send()
    await chain.advance(200)
    await tell(1, l1Block(1))
    expect(await attributesAt(chain, 'pending')).toMatchObject({ number: 0, sequenceNumber: 6 })
    await chain.advance(1800)
    expect((await blockAt(chain, '0x6')).transactions[1]?.hash).toBe(hash)
    expect(await attributesAt(chain, 'pending')).toMatchObject({ number: 1, sequenceNumber: 0 })
  })

  test('that are replaced bring the new ones, with other deposits', async () => {
    await chain.advance(2000 * 5)
    const [gone, here] = [l1Block(1, { hash: pad('0x01') }), l1Block(1, { hash: pad('0x02') })]
    await tell(1, { ...gone, deposits: [depositOf(5n, gone.hash)] })
    await tell(1, { ...here, deposits: [depositOf(6n, here.hash)] })
    await chain.advance(2000)
    expect(await attributesAt(chain, '0x6')).toMatchObject({ number: 1, hash: here.hash })
    expect(await chain.request('eth_getBalance', [BOB, 'latest'])).toBe('0x6')
  })

  test('set the gas limit by their system configuration', async () => {
    await tell(1, l1Block(1, { system: { ...system, gasLimit: 33_000_000n } }))
    await chain.advance(2000 * 6)
    const limits = [(await blockAt(chain, '0x5')).gasLimit, (await blockAt(chain, '0x6')).gasLimit]
    expect(limits).toEqual([toHex(60_000_000), toHex(33_000_000)])
  })
})

test('blocks too far ahead of their origin hold deposits alone, until the next origin', {
  tags: 'gate',
}, async () => {
  // From fjord on, 1800 seconds are the most.
  await chain.advance(1_800_000)
  const hash = await send()
  await chain.advance(4000)
  expect((await blockAt(chain, toHex(902))).transactions).toHaveLength(1)
  await tell(1, l1Block(1))
  await chain.advance(2000)
  expect((await blockAt(chain, toHex(903))).transactions[1]?.hash).toBe(hash)
})

test('imported blocks have the deposits of their L1 origins', async () => {
  await tell(1, l1Block(1))
  await chain.advance(2000 * 7)
  const blocks = await chain.exportBlocks()
  const first = l1Block(1)
  for (const deposits of [[], [depositOf(5n, first.hash)]]) {
    chain = await start()
    await tell(1, { ...first, deposits })
    const imported = chain.importBlocks(blocks)
    if (deposits.length === 0) await expect(imported).resolves.toBeUndefined()
    else await expect(imported).rejects.toMatchObject({ kind: 'layersApart' })
  }
  expect(await chain.request('eth_blockNumber')).toBe('0x0')
})

test('what the layer 1 decides is refused', async () => {
  await expect(chain.deposit({ from: BOB, to: BOB })).rejects.toMatchObject({ kind: 'layer1Decides' })
  await expect(chain.setSystemConfig({ minBaseFee: 1 })).rejects.toMatchObject({ kind: 'layer1Decides' })
})

test('the addresses on the layer 1 are in the configuration', async () => {
  expect(await chain.request('optimism_rollupConfig' as string)).toMatchObject({
    ...{ seq_window_size: 10, channel_timeout: 5 },
    ...{ l1_chain_id: 900, deposit_contract_address: ADDRESS, l1_system_config_address: ADDRESS },
  })
})
