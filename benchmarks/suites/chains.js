// @ts-check
// Benchmarks of a chain itself: start, snapshots and reverts, empty blocks.

import { execFileSync } from 'node:child_process'
import { collectGarbage, timeOf, toRow } from '../measure.js'
import { accountAt, balanceOfCall, createChain, createTransferSource, TOKEN } from '../workload.js'

const START = `
const start = performance.now()
const { createEmulator } = await import('tickchain')
const imported = performance.now()
const chain = await createEmulator({ production: 'auto' })
const [from, to] = await chain.request('eth_accounts')
const created = performance.now()
await chain.request('eth_sign', [from, '0x'])
const signed = performance.now()
const types = {
  EIP712Domain: [{ name: 'name', type: 'string' }],
  Person: [{ name: 'name', type: 'string' }, { name: 'wallet', type: 'address' }],
}
const message = { name: 'Cow', wallet: to }
await chain.request('eth_signTypedData_v4', [from, { types, primaryType: 'Person', domain: { name: 'Ether Mail' }, message }])
const typed = performance.now()
await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
const sent = performance.now()
console.log(JSON.stringify([imported - start, created - imported, signed - created, typed - signed, sent - typed]))
`

/** @type {import('../measure.js').Suite} */
export const starting = {
  title: 'The first time, in a process of its own',
  isInOtherProcesses: true,
  async run(report, progress) {
    /** @type {number[][]} */
    const rounds = []
    for (let round = 0; round < 11; round++) {
      progress(`process ${round + 1} of 11`)
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', START], {
        encoding: 'utf8',
      })
      rounds.push(JSON.parse(output))
    }
    const names = [
      'import the package',
      'createEmulator()',
      'sign a message',
      'sign typed data',
      'send a transfer and seal it',
    ]
    for (const [index, name] of names.entries()) {
      report(
        toRow(
          name,
          rounds.map((times) => /** @type {number} */ (times[index]) * 1000),
        ),
      )
    }
  },
}

/** @type {import('../measure.js').Suite} */
export const snapshots = {
  title: 'Remembering and going back, by accounts in the state',
  async run(report, progress) {
    for (const accounts of [10, 10_000]) {
      progress(`${accounts} accounts`)
      const chain = await createChain(accounts)
      const source = createTransferSource({ asset: 'ether', accounts })
      const [transfer = '0x'] = source.take(1)
      const snapshot = chain.snapshot()
      const nameOf = (/** @type {string} */ what, size = accounts) =>
        `${what}, ${size.toLocaleString('en')} accounts`
      /** @param {string} what @param {() => unknown} action */
      const measure = async (what, action) => {
        const times = []
        collectGarbage()
        for (let round = -200; round < 1001; round++) {
          const time = await timeOf(action)
          if (round >= 0) times.push(time)
        }
        report(toRow(nameOf(what), times, { compareWith: nameOf(what, 10) }))
      }
      await measure('snapshot', () => chain.snapshot())
      await measure('revert', () => chain.revert(snapshot))
      await measure('clone, and ask it the time', () => chain.clone().request('eth_blockNumber'))
      await measure('snapshot, transfer, seal, revert', async () => {
        const before = chain.snapshot()
        await chain.request('eth_sendRawTransaction', [transfer])
        await chain.seal()
        await chain.revert(before)
      })
    }
  },
}

/** @type {import('../measure.js').Suite} */
export const emptyBlocks = {
  title: 'Time in which nothing happens',
  async run(report, progress) {
    const chain = await createChain(10)
    const start = chain.snapshot()
    /** @param {string} name @param {number} blocks @param {() => Promise<unknown>} action */
    const measure = async (name, blocks, action) => {
      progress(name)
      const times = []
      for (let round = -3; round < 11; round++) {
        await chain.revert(start)
        collectGarbage()
        const time = await timeOf(action)
        if (round >= 0) times.push(time / blocks)
      }
      report(toRow(name, times, { unit: 'block' }))
    }
    await measure('an empty block, sealed', 500, () => chain.request('evm_mine', [{ blocks: 500 }]))
    await measure('and with its ten partial blocks', 500, () => chain.advance(500 * 2000))
    await measure('a jump over a day', 1, () => chain.jump(86_400_000))
    progress('memory')
    await chain.revert(start)
    collectGarbage()
    const before = process.memoryUsage()
    const blocks = 5000
    await chain.request('evm_mine', [{ blocks }])
    collectGarbage()
    const after = process.memoryUsage()
    const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
    const kilobytes = bytes / blocks / 1000
    report({ ...toRow('memory that an empty block keeps', [kilobytes]), unit: 'kB' })
  },
}

/** @type {import('../measure.js').Suite} */
export const reads = {
  title: 'A question to a chain with 1,000 accounts',
  async run(report, progress) {
    const chain = await createChain(1000)
    const source = createTransferSource({ asset: 'token', accounts: 1000 })
    for (const raw of source.take(100)) await chain.request('eth_sendRawTransaction', [raw])
    await chain.seal()
    const head = await chain.request('eth_getBlockByNumber', ['latest', false])
    const [transactionHash = '0x'] = /** @type {`0x${string}`[]} */ (head?.transactions ?? [])
    const call = { to: TOKEN, data: balanceOfCall(accountAt(500)) }
    /** @type {Record<string, () => Promise<unknown>>} */
    const questions = {
      eth_getBalance: () => chain.request('eth_getBalance', [accountAt(500), 'latest']),
      'eth_call balanceOf': () => chain.request('eth_call', [call, 'latest']),
      eth_getTransactionReceipt: () => chain.request('eth_getTransactionReceipt', [transactionHash]),
      'eth_getLogs, 100 of them': () => chain.request('eth_getLogs', [{ address: TOKEN }]),
    }
    for (const [name, ask] of Object.entries(questions)) {
      progress(name)
      const times = []
      for (let round = -200; round < 1001; round++) {
        const time = await timeOf(ask)
        if (round >= 0) times.push(time)
      }
      report(toRow(name, times))
    }
  },
}
