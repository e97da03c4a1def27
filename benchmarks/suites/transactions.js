// @ts-check
// Benchmarks of a transaction (sent, pre-confirmed, sealed) with growing block, history and state.

import { collectGarbage, quantile, timeOf, toRow } from '../measure.js'
import { createChain, createTransferSource } from '../workload.js'

/** @typedef {import('../measure.js').Row} Row */
/** @typedef {import('../workload.js').Asset} Asset */

const ASSETS = /** @type {const} */ (['ether', 'token'])
const BLOCK_MS = 2000
/** Accounts of the chains whose state does not grow. */
const ACCOUNTS = 1000
/** Block size of the chains whose blocks do not grow. */
const BATCH = 100
const HISTORIES = [10, 100, 1000, 10_000]

/**
 * Sends transactions and advances by a block time; returns microseconds for each transaction.
 * @param {import('tickchain').Emulator} chain @param {readonly `0x${string}`[]} batch
 */
async function makeBlock(chain, batch) {
  const sending = await timeOf(async () => {
    for (const raw of batch) await chain.request('eth_sendRawTransaction', [raw])
  })
  const building = await timeOf(() => chain.advance(BLOCK_MS))
  return { sending: sending / batch.length, building: building / batch.length }
}

/** @param {import('tickchain').Emulator} chain @param {number} expected */
async function checkHead(chain, expected) {
  const block = await chain.request('eth_getBlockByNumber', ['latest', false])
  if (block?.transactions.length !== expected) {
    throw new Error(`a block has ${block?.transactions.length} transactions, not ${expected}`)
  }
}

/**
 * @param {import('tickchain').Emulator} chain @param {ReturnType<typeof createTransferSource>} source
 * @param {{ size: number, rounds: number, warmUp: number }} choice
 */
async function measureBlocks(chain, source, { size, rounds, warmUp }) {
  const batches = Array.from({ length: warmUp + rounds }, () => source.take(size))
  collectGarbage()
  const times = []
  for (const [index, batch] of batches.entries()) {
    const time = await makeBlock(chain, batch)
    if (index >= warmUp) times.push(time)
  }
  await checkHead(chain, size)
  return times
}

/**
 * @param {string} name @param {readonly { sending: number, building: number }[]} times @param {Partial<Row>} more
 */
function blockRow(name, times, more) {
  const sending = quantile(
    times.map((time) => time.sending),
    0.5,
  )
  const totals = times.map((time) => time.sending + time.building)
  return toRow(name, totals, { unit: 'transaction', note: `${sending.toFixed(0)} µs of it sending`, ...more })
}

/** @type {import('../measure.js').Suite} */
export const blockSizes = {
  title: 'A transaction, by transactions in its block',
  async run(report, progress) {
    for (const asset of ASSETS) {
      const chain = await createChain(ACCOUNTS)
      const source = createTransferSource({ asset, accounts: ACCOUNTS })
      const nameOf = (/** @type {number} */ size) => `${asset}, ${size.toLocaleString('en')} a block`
      progress(`${asset}: warming up`)
      await measureBlocks(chain, source, { size: BATCH, rounds: 1, warmUp: 40 })
      for (const [size, rounds] of /** @type {const} */ ([
        [1, 301],
        [10, 101],
        [100, 31],
        [1000, 9],
      ])) {
        progress(nameOf(size))
        const times = await measureBlocks(chain, source, { size, rounds, warmUp: 2 })
        const point = { panel: 'transactions in the block', line: asset, x: size }
        report(blockRow(nameOf(size), times, { compareWith: nameOf(1000), point }))
      }
    }
  },
}

/** @type {import('../measure.js').Suite} */
export const histories = {
  title: `A transaction, ${BATCH} in its block, by blocks before it`,
  async run(report, progress) {
    for (const asset of ASSETS) {
      const chain = await createChain(ACCOUNTS)
      const source = createTransferSource({ asset, accounts: ACCOUNTS })
      const nameOf = (/** @type {number} */ blocks) => `${asset}, ${blocks.toLocaleString('en')} blocks`
      progress(`${asset}: warming up`)
      const warm = await createChain(ACCOUNTS)
      const other = createTransferSource({ asset, accounts: ACCOUNTS })
      await measureBlocks(warm, other, { size: BATCH, rounds: 1, warmUp: 40 })
      for (const blocks of asset === 'ether' ? [...HISTORIES, 100_000] : HISTORIES) {
        progress(`${nameOf(blocks)}: making them`)
        while (Number(await chain.request('eth_blockNumber')) < blocks) await makeBlock(chain, source.take(1))
        progress(nameOf(blocks))
        const times = await measureBlocks(chain, source, { size: BATCH, rounds: 21, warmUp: 2 })
        const point = { panel: 'blocks of history', line: asset, x: blocks }
        report(blockRow(nameOf(blocks), times, { compareWith: nameOf(10), point }))
      }
    }
  },
}

/** @type {import('../measure.js').Suite} */
export const states = {
  title: `A transaction, ${BATCH} in its block, by accounts in the state`,
  async run(report, progress) {
    for (const asset of ASSETS) {
      const nameOf = (/** @type {number} */ accounts) => `${asset}, ${accounts.toLocaleString('en')} accounts`
      for (const accounts of [10, 1000, 100_000]) {
        progress(`${nameOf(accounts)}: making them`)
        const chain = await createChain(accounts)
        const source = createTransferSource({ asset, accounts })
        progress(nameOf(accounts))
        const times = await measureBlocks(chain, source, { size: BATCH, rounds: 31, warmUp: 40 })
        const point = { panel: 'accounts in the state', line: asset, x: accounts }
        report(blockRow(nameOf(accounts), times, { compareWith: nameOf(10), point }))
      }
    }
  },
}

/** @type {import('../measure.js').Suite} */
export const automined = {
  title: 'A transaction in a block of its own, sealed at once, and its receipt read',
  async run(report, progress) {
    for (const asset of ASSETS) {
      progress(asset)
      const chain = await createChain(ACCOUNTS, { production: 'auto' })
      const source = createTransferSource({ asset, accounts: ACCOUNTS })
      const batch = source.take(1200)
      collectGarbage()
      const times = []
      for (const raw of batch) {
        const time = await timeOf(async () => {
          const hash = await chain.request('eth_sendRawTransaction', [raw])
          const receipt = await chain.request('eth_getTransactionReceipt', [hash])
          if (receipt?.status !== '0x1') throw new Error('a transfer failed')
        })
        times.push(time)
      }
      report(toRow(asset, times.slice(400), { unit: 'transaction' }))
    }
  },
}
