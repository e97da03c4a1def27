// @ts-check
// Process with one chain, which does a round of work on request.

import { performance } from 'node:perf_hooks'
import { readScenario, replayScenario } from '../../scripts/conformance/scenarios.js'
import { SUBJECTS } from './subjects.js'
import { growHistory, prepareScene, WORK } from './work.js'

/**
 * @typedef {{ do: 'round', work: number } | { do: 'memory', blocks: number } | { do: 'scenario', file: string }} Task
 * @typedef {{ us: number } | { bytes: number } | { text: string } | { version: string } | { refused: string }} Answer
 */

const [subject = '', code = '{}'] = process.argv.slice(2)

/** @param {any} [options] */
async function start(options) {
  const starter = SUBJECTS[subject]
  if (starter === undefined) throw new Error(`no subject ${subject}`)
  return starter(options)
}

const send = (/** @type {Answer} */ answer) => process.send?.(answer)

async function startScene() {
  const chain = await start()
  return { chain, scene: await prepareScene(chain.request, JSON.parse(code)) }
}

/** @type {Awaited<ReturnType<typeof startScene>> | undefined} */
let shared
/** @type {Map<number, (clock: import('./work.js').Clock) => Promise<unknown>>} */
const prepared = new Map()

/** Microseconds for one repetition of the work. @param {number} index */
async function round(index) {
  const work = WORK[index]
  if (work === undefined) throw new Error(`no work ${index}`)
  shared ??= await startScene()
  const rounds = prepared.get(index) ?? (await work.prepare(shared.scene))
  prepared.set(index, rounds)
  let us = Number.NaN
  await rounds(async (action) => {
    const startMs = performance.now()
    for (let turn = 0; turn < work.count; turn++) await action(turn)
    us = ((performance.now() - startMs) * 1000) / work.count
  })
  send({ us })
}

/** The growth of the memory of the chain's process. @param {number} blocks */
async function memory(blocks) {
  const { chain, scene } = await startScene()
  const progress = (/** @type {string} */ text) => send({ text })
  await growHistory(scene, 100, progress)
  const before = chain.memory()
  await growHistory(scene, blocks, progress)
  send({ bytes: chain.memory() - before })
  await chain.close()
}

/** Hardhat's configuration of a network. @param {any} options of tickchain, as the recording is read into */
function hardhatNetwork(options) {
  const { accounts, genesis } = options
  return {
    hardfork: options.hardfork,
    chainId: options.chainId,
    coinbase: options.coinbase,
    accounts: accounts.privateKeys.map((/** @type {string} */ privateKey) => ({
      privateKey,
      balance: `${10n ** 22n}`,
    })),
    blockGasLimit: genesis.gasLimit,
    gas: options.defaultTransactionGasLimit,
    initialDate: new Date(genesis.timestamp * 1000).toISOString(),
    allowUnlimitedContractSize: options.allowUnlimitedContractSize,
    throwOnTransactionFailures: options.throwOnTransactionFailures,
    throwOnCallFailures: options.throwOnCallFailures,
    mining: { auto: true, mempool: { order: options.ordering === 'fifo' ? 'fifo' : 'priority' } },
  }
}

/** @param {string} file */
async function scenario(file) {
  const recorded = readScenario(file)
  const toOptions = subject === 'Hardhat' ? hardhatNetwork : (/** @type {any} */ options) => options
  const { ms } = await replayScenario(
    recorded,
    (options) => start(toOptions(options)),
    (answered) => send({ text: `${answered} requests` }),
  )
  send({ us: ms * 1000 })
}

process.on('message', async (/** @type {Task | { do: 'end' }} */ task) => {
  try {
    switch (task.do) {
      case 'round':
        return await round(task.work)
      case 'memory':
        return await memory(task.blocks)
      case 'scenario':
        return await scenario(task.file)
      case 'end':
        await shared?.chain.close()
        return process.exit()
    }
  } catch (error) {
    send({ refused: error instanceof Error ? error.message : String(error) })
  }
})
send({ text: 'ready' })
