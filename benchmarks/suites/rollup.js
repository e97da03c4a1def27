// @ts-check
// Benchmarks of a rollup: alone, beside a layer 1, and its start.

import { execFileSync } from 'node:child_process'
import { base, createEmulator } from 'tickchain'
import { createRollup } from 'tickchain/rollup'
import { collectGarbage, processorTimeOf, toRow } from '../measure.js'
import { CHAIN_ID, createTransferSource, makeAllocation } from '../workload.js'

const BLOCKS = 200
/** A day has five times as many blocks. What the layer 1 does for six of them is compiled that much later. */
const WARM_ROUNDS = 40
const BATCH = 100
const ACCOUNTS = 1000
const WEEK_MS = 7 * 86_400_000

const START = `
const { base, createEmulator } = await import('tickchain')
const { createRollup } = await import('tickchain/rollup')
const create = process.argv[1] === 'pair' ? () => createRollup() : () => createEmulator(base())
const start = process.cpuUsage()
await create()
const { user, system } = process.cpuUsage(start)
console.log(user + system)
`

/** @param {string} kind */
function startOf(kind) {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', START, kind], {
    encoding: 'utf8',
  })
  return Number(output)
}

/**
 * Microseconds of processor time for a transaction that is sent, pre-confirmed and sealed.
 * @param {import('tickchain').Emulator} chain @param {readonly `0x${string}`[]} batch
 */
async function transactionTime(chain, batch) {
  const time = await processorTimeOf(async () => {
    for (const raw of batch) await chain.request('eth_sendRawTransaction', [raw])
    await chain.advance(chain.settings.blockTimeMs)
  })
  return time / batch.length
}

/** @type {import('../measure.js').Suite} */
export const rollups = {
  title: 'A rollup, in processor time',
  isInOtherProcesses: true,
  async run(report, progress) {
    /** @param {string} name @param {{ advance(ms: number): Promise<unknown> }} target @param {number} blockMs */
    const measureBlocks = async (name, target, blockMs) => {
      progress(name)
      const times = []
      collectGarbage()
      for (let round = -WARM_ROUNDS; round < 21; round++) {
        const time = await processorTimeOf(() => target.advance(BLOCKS * blockMs))
        if (round >= 0) times.push(time / BLOCKS)
      }
      report(toRow(name, times, { unit: 'block' }))
    }
    for (const fork of /** @type {const} */ (['jovian', 'denim'])) {
      const chain = await createEmulator(base({ rollup: { fork } }))
      await measureBlocks(`a block of ${fork}`, chain, chain.settings.blockTimeMs)
    }
    const pair = await createRollup()
    await measureBlocks('a block, beside a layer 1 that makes its own', pair, pair.l2.settings.blockTimeMs)

    progress('jump')
    const jumps = []
    for (let round = 0; round < 21; round++) jumps.push(await processorTimeOf(() => pair.jump(WEEK_MS)))
    report(toRow('a jump over seven days, beside a layer 1', jumps))

    const alloc = makeAllocation(ACCOUNTS)
    const plain = await createEmulator({ chainId: CHAIN_ID, genesis: { alloc } })
    const rollup = await createEmulator({
      ...base(),
      chainId: CHAIN_ID,
      genesis: { alloc },
    })
    for (const asset of /** @type {const} */ (['ether', 'token'])) {
      const sources = [plain, rollup].map(() => createTransferSource({ asset, accounts: ACCOUNTS }))
      progress(`${asset}, without the profile and with it in turn`)
      const nameOf = (/** @type {number} */ index) =>
        `a transaction, ${asset}, ${BATCH} in its block, ${index === 0 ? 'without' : 'with'} the profile`
      /** @type {[number[], number[]]} */
      const times = [[], []]
      const starts = [plain.snapshot(), rollup.snapshot()]
      for (let round = -30; round < 31; round++) {
        for (const [index, chain] of [plain, rollup].entries()) {
          const source = /** @type {ReturnType<typeof createTransferSource>} */ (sources[index])
          const time = await transactionTime(chain, source.take(BATCH))
          if (round >= 0) times[index]?.push(time)
        }
      }
      for (const [index, chain] of [plain, rollup].entries()) {
        const block = await chain.request('eth_getBlockByNumber', ['latest', false])
        const count = block?.transactions.length ?? 0
        if (count < BATCH) throw new Error(`a block of ${count} transactions, not of ${BATCH}`)
        report(toRow(nameOf(index), times[index] ?? [], { unit: 'transaction', compareWith: nameOf(0) }))
        await chain.revert(/** @type {never} */ (starts[index]))
      }
    }

    for (const [name, kind] of [
      ['createEmulator(base()), in a new process', 'alone'],
      ['createRollup(), in a new process', 'pair'],
    ]) {
      progress(`${name}`)
      const times = Array.from({ length: 7 }, () => startOf(`${kind}`))
      report(toRow(`${name}`, times))
    }
  },
}
