// Reverts to snapshots, and forward to later ones: restored state, and events.

import { createEmulator, type Emulator, type EmulatorEvents } from 'tickchain'
import type { Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RpcLog } from '../../../../src/core/rpc/format/receipt.ts'
import { COUNTER, increment, type Scene, start } from '../../../specification/setup.ts'

let scene: Scene
let chain: Emulator

beforeEach(async () => {
  scene = await start()
  chain = scene.chain
})

/** Collects the events of some names, with their names. */
function record(...names: (keyof EmulatorEvents)[]): [string, unknown][] {
  const seen: [string, unknown][] = []
  for (const name of names) chain.on(name, (payload) => seen.push([name, payload]))
  return seen
}

function changesOf(filter: Hex) {
  return chain.request({ method: 'eth_getFilterChanges', params: [filter] })
}

async function headHash(): Promise<Hex | undefined> {
  return (await chain.request('eth_getBlockByNumber', ['latest', false]))?.hash ?? undefined
}

/** A block with a log of the count 1, and one with that of 2; their hashes, and those of their transactions. */
async function sealTwo(): Promise<{ blocks: (Hex | undefined)[]; transactions: Hex[] }> {
  const transactions = [await increment(scene.wallets[0])]
  await chain.seal()
  const blocks = [await headHash()]
  transactions.push(await increment(scene.wallets[0]))
  await chain.seal()
  return { blocks: [...blocks, await headHash()], transactions }
}

describe.each(['evm_revert', 'chain.revert'])('%s', (way) => {
  /** Takes a snapshot; gives what goes back to it. */
  async function mark(): Promise<() => Promise<void>> {
    if (way === 'chain.revert') {
      const handle = chain.snapshot()
      return () => chain.revert(handle)
    }
    const id = await chain.request('evm_snapshot')
    return async () => {
      expect(await chain.request('evm_revert', [id, { keep: true }])).toBe(true)
    }
  }

  test('reports removed logs to subscriptions and filters, last first', async () => {
    const goBack = await mark()
    const filter = await chain.request('eth_newFilter', [{ address: COUNTER }])
    const subscription = await chain.request('eth_subscribe', ['logs', { address: COUNTER }])
    const { blocks } = await sealTwo()
    await changesOf(filter)
    const messages: RpcLog[] = []
    chain.on('message', ({ data }) => {
      if (data.subscription === subscription) messages.push(data.result as RpcLog)
    })
    await goBack()
    const gone = [
      { removed: true, blockNumber: '0x2', blockHash: blocks[1], logIndex: '0x0' },
      { removed: true, blockNumber: '0x1', blockHash: blocks[0], logIndex: '0x0' },
    ]
    expect(messages).toMatchObject(gone)
    expect(await changesOf(filter)).toMatchObject(gone)
    expect(await chain.request('eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'latest' }])).toEqual([])
  })

  test('reports orphaned blocks and unincluded transactions', async () => {
    const goBack = await mark()
    const { blocks, transactions } = await sealTwo()
    transactions.push(await increment(scene.wallets[0]))
    await chain.advance(200)
    const seen = record('orphanedBlocks', 'unincludedTransaction', 'sealedBlock')
    await goBack()
    expect(seen).toEqual([
      [
        'orphanedBlocks',
        {
          blocks: [
            { number: 2, hash: blocks[1] },
            { number: 1, hash: blocks[0] },
          ],
          atMs: chain.now,
        },
      ],
      ...transactions.map((transactionHash) => [
        'unincludedTransaction',
        { transactionHash, reason: 'reverted', isPooled: false },
      ]),
    ])
  })

  test('reports a transaction that was pooled at the snapshot as pooled again', async () => {
    const transactionHash = await increment(scene.wallets[0])
    const goBack = await mark()
    await chain.seal()
    const seen = record('unincludedTransaction')
    await goBack()
    expect(seen).toEqual([['unincludedTransaction', { transactionHash, reason: 'reverted', isPooled: true }]])
    expect(await chain.request('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
  })

  test('forward reports the blocks that return', async () => {
    const early = await mark()
    const { blocks } = await sealTwo()
    const late = await mark()
    await early()
    const filter = await chain.request('eth_newFilter', [{}])
    const blockFilter = await chain.request('eth_newBlockFilter')
    const seen = record('orphanedBlocks', 'unincludedTransaction', 'sealedBlock')
    await late()
    expect(seen.map(([name, payload]) => [name, (payload as { hash: Hex }).hash])).toEqual([
      ['sealedBlock', blocks[0]],
      ['sealedBlock', blocks[1]],
    ])
    expect(await changesOf(blockFilter)).toEqual(blocks)
    expect(await changesOf(filter)).toMatchObject([
      { removed: false, blockHash: blocks[0] },
      { removed: false, blockHash: blocks[1] },
    ])
  })

  test('to another branch reports removed and added blocks from the last common one on', async () => {
    await increment(scene.wallets[0])
    await chain.seal()
    const common = await mark()
    await increment(scene.wallets[0])
    await chain.seal()
    const onLeft = await headHash()
    const left = await mark()
    await common()
    const right = await increment(scene.wallets[1])
    await chain.seal()
    const onRight = await headHash()
    const filter = await chain.request('eth_newFilter', [{}])
    const seen = record('unincludedTransaction')
    await left()
    expect(await changesOf(filter)).toMatchObject([
      { removed: true, blockHash: onRight },
      { removed: false, blockHash: onLeft },
    ])
    expect(seen).toMatchObject([['unincludedTransaction', { transactionHash: right }]])
  })

  test('without differences reports nothing', async () => {
    await sealTwo()
    const goBack = await mark()
    const filter = await chain.request('eth_newFilter', [{}])
    const seen = record('orphanedBlocks', 'unincludedTransaction', 'sealedBlock', 'message')
    await chain.advance(400)
    await goBack()
    expect(seen).toEqual([])
    expect(await changesOf(filter)).toEqual([])
  })

  test('keeps the remaining time of a wait for a receipt', async () => {
    const goBack = await mark()
    await chain.advance(1000)
    // Behind a gap: it can be in no block.
    const raw = await scene.wallets[0].sign({ to: COUNTER, nonce: 5 })
    const outcome = chain.request({ method: 'eth_sendRawTransactionSync', params: [raw, 3000] }).then(
      () => 'a receipt',
      () => `timed out at ${chain.now - 1_704_067_200_000}`,
    )
    await chain.advance(1000)
    await goBack()
    await chain.advance(1999)
    expect(await Promise.race([outcome, chain.request('eth_chainId')])).toBe('0x7a69')
    await chain.advance(1)
    expect(await outcome).toBe('timed out at 2000')
  })

  test('ends a wait for a receipt if the block with it returns', async () => {
    const raw = await scene.wallets[0].sign({ to: COUNTER, gas: 100_000n, data: '0xd09de08a' })
    const before = await mark()
    await chain.request('eth_sendRawTransaction', [raw])
    await chain.seal()
    const after = await mark()
    await before()
    const waiting = chain.request({ method: 'eth_sendRawTransactionSync', params: [raw] })
    await chain.request('eth_chainId')
    await after()
    expect(await waiting).toMatchObject({ blockNumber: '0x1', status: '0x1' })
  })
})

describe('evm_snapshot', () => {
  const snapshot = () => chain.request('evm_snapshot')
  const revert = (id: Hex, options?: { keep: boolean }) =>
    chain.request({ method: 'evm_revert', params: options === undefined ? [id] : [id, options] })

  test.each([
    ['anvil', ['0x0', '0x1', '0x2']],
    ['hardhat', ['0x1', '0x2', '0x3']],
    ['ganache', ['0x1', '0x2', '0x3']],
  ] as const)('counts like %s, and never reuses an id', async (flavor, ids) => {
    chain = await createEmulator({ flavor })
    const first = await snapshot()
    const second = await snapshot()
    expect(await revert(first)).toBe(true)
    expect([first, second, await snapshot()]).toEqual(ids)
    expect(await revert(first)).toBe(false)
    expect(await revert(second)).toBe(false)
  })

  test('an outer revert uses up the inner snapshots, an inner one keeps the outer ones', async () => {
    const outer = await snapshot()
    await chain.seal()
    const inner = await snapshot()
    await chain.seal()
    expect(await revert(inner)).toBe(true)
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
    expect(await revert(inner)).toBe(false)
    const again = await snapshot()
    expect(await revert(outer)).toBe(true)
    expect(await chain.request('eth_blockNumber')).toBe('0x0')
    expect(await revert(again)).toBe(false)
    expect(await revert(outer)).toBe(false)
  })

  test('a kept snapshot can be reverted to any number of times, in any order', async () => {
    const early = await snapshot()
    await chain.seal()
    const late = await snapshot()
    for (const [id, number] of [
      [early, '0x0'],
      [late, '0x1'],
      [early, '0x0'],
      [late, '0x1'],
    ] as const) {
      await chain.advance(6000)
      expect(await revert(id, { keep: true })).toBe(true)
      expect(await chain.request('eth_blockNumber')).toBe(number)
    }
    expect(await revert(early)).toBe(true)
    expect(await revert(late, { keep: true })).toBe(false)
  })

  test('is anvil_snapshot too', async () => {
    const id = await chain.request('anvil_snapshot')
    await chain.seal()
    expect(await chain.request('anvil_revert', [id])).toBe(true)
    expect(await chain.request('eth_blockNumber')).toBe('0x0')
  })
})

/** As in @nomicfoundation/hardhat-network-helpers: the first use runs the fixture, later ones go back to its end. */
function makeLoader() {
  let taken: { fixture: unknown; id: Hex; data: unknown }[] = []
  return async <Data>(fixture: () => Promise<Data>): Promise<Data> => {
    const index = taken.findIndex((entry) => entry.fixture === fixture)
    const found = taken[index]
    if (found === undefined) {
      const data = await fixture()
      taken.push({ fixture, id: await chain.request('evm_snapshot'), data })
      return data
    }
    taken = taken.slice(0, index + 1)
    expect(await chain.request('evm_revert', [found.id])).toBe(true)
    found.id = await chain.request('evm_snapshot')
    return found.data as Data
  }
}

describe('nested fixtures', () => {
  test('work like loadFixture of Hardhat', async () => {
    const load = makeLoader()
    const count = async () => Number(await chain.request('eth_getStorageAt', [COUNTER, '0x0', 'latest']))
    const one = async () => {
      await increment(scene.wallets[0])
      await chain.seal()
    }
    const three = async () => {
      await load(one)
      await increment(scene.wallets[1])
      await increment(scene.wallets[2])
      await chain.seal()
    }
    const seen: number[] = []
    for (const fixture of [one, three, three, one, one, three]) {
      await load(fixture)
      seen.push(await count())
      await increment(scene.wallets[3])
      await chain.seal()
      scene.wallets[3].nonce = 0
      scene.wallets[1].nonce = 0
      scene.wallets[2].nonce = 0
    }
    expect(seen).toEqual([1, 3, 3, 1, 1, 3])
  })
})
