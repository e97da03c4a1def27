// @ts-check
// A fresh process, which does one task and prints what it took as JSON: milliseconds by name, and megabytes as `memory`;
// `processor` is the processor time of the process.
// Processes and modules that every subject needs are there before the clock starts; the subject is not.

import { performance } from 'node:perf_hooks'
import { readScenario, replayScenario } from '../../scripts/conformance/scenarios.js'
import { hardhatNetwork } from './hardhat-network.js'
import { SUBJECTS } from './subjects.js'

const [task = '', subject = '', detail = '', code = '{}'] = process.argv.slice(2)
/** @type {Record<string, number>} */
const took = {}
let markedMs = performance.now()

/** Notes the time since the last mark. @param {string} name */
function mark(name) {
  const nowMs = performance.now()
  took[name] = nowMs - markedMs
  markedMs = nowMs
}

/** @param {any} [options] */
async function start(options) {
  const chain = await SUBJECTS[subject]?.(options)
  if (chain === undefined) throw new Error(`no subject ${subject}`)
  return chain
}

/**
 * A test file: start, two deployments, and then tests, each with a snapshot, three ERC-20 transfers with receipts, three
 * calls, an estimate, four reads and a revert. @param {number} tests
 */
async function runFile(tests) {
  const { Token } = JSON.parse(code)
  const chain = await start()
  const { request } = chain
  const [owner = '0x', ...others] = await request('eth_accounts')
  mark('start')

  /** @param {Record<string, unknown>} transaction */
  async function send(transaction) {
    const hash = await request('eth_sendTransaction', [{ from: owner, gas: '0x200000', ...transaction }])
    for (;;) {
      const receipt = await request('eth_getTransactionReceipt', [hash])
      // anvil mines shortly after its answer.
      if (receipt === null) continue
      if (receipt.status !== '0x1') throw new Error('a transaction failed')
      return receipt
    }
  }

  const word = (/** @type {bigint | string} */ value) =>
    (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')
  const creation = `${Token}${word(10n ** 30n)}`
  const { contractAddress: token } = await send({ data: creation })
  mark('first deployment')
  await send({ data: creation })
  mark('second deployment')

  const transfer = (/** @type {string} */ to, /** @type {bigint} */ amount) =>
    `0xa9059cbb${word(to)}${word(amount)}`
  const balanceOf = (/** @type {string} */ account) => ({ to: token, data: `0x70a08231${word(account)}` })
  for (let test = 0; test < tests; test++) {
    const snapshot = await request('evm_snapshot')
    const to = /** @type {string} */ (others[test % others.length])
    for (const amount of [1n, 2n, 3n]) await send({ to: token, data: transfer(to, amount) })
    for (const account of [owner, to]) await request('eth_call', [balanceOf(account), 'latest'])
    const balance = BigInt(await request('eth_call', [balanceOf(to), 'latest']))
    if (balance !== 6n) throw new Error(`the balance is ${balance}`)
    await request('eth_estimateGas', [{ from: owner, to: token, data: transfer(to, 4n) }])
    await request('eth_getBalance', [owner, 'latest'])
    await request('eth_blockNumber')
    await request('eth_getBlockByNumber', ['latest', false])
    await request('eth_getTransactionCount', [owner, 'latest'])
    await request('evm_revert', [snapshot])
  }
  mark('tests')
  took['memory'] = chain.memory() / 1e6
  // anvil works in another process.
  const { user, system } = process.cpuUsage()
  if (subject !== 'anvil') took['processor'] = (user + system) / 1000
  return chain
}

/** Transfers before single works are timed, as in the middle of a test file. */
const TRANSFERS_BEFORE = 300

/** The clock of a work: for its limit, one that only runs in hashes and signatures. @returns {Promise<() => number>} */
async function clockOfWork() {
  if (subject !== 'limit') return () => performance.now()
  const { spentOnCrypto } = await import('./limit.js')
  return spentOnCrypto
}

/** Milliseconds of the third to the tenth time of a work. @param {import('./work.js').Work} work @param {Awaited<ReturnType<import('./work.js').Work['prepare']>>} round */
async function thirdToTenth({ count }, round) {
  const readMs = await clockOfWork()
  /** @type {number[]} */
  const times = []
  while (times.length < 10) {
    await round(async (action) => {
      for (let turn = 0; turn < count && times.length < 10; turn++) {
        const startMs = readMs()
        await action(turn)
        times.push(readMs() - startMs)
      }
    })
  }
  return times.slice(2).reduce((sum, ms) => sum + ms, 0) / 8
}

/** Single works: each a few times at most, which is what a test feels, or half warm. @param {boolean} isHalfWarm */
async function runWorks(isHalfWarm) {
  // It signs with a part of tickchain, which the other tasks must not have loaded.
  const { prepareScene, WORK } = await import('./work.js')
  const { etherTransfer } = await import('./transfers.js')
  const chain = await start()
  const scene = await prepareScene(chain.request, JSON.parse(code))
  const sendings = Array.from({ length: TRANSFERS_BEFORE }, (_, index) => etherTransfer(index))
  for (const raw of await scene.sign(sendings)) {
    const hash = await chain.request('eth_sendRawTransaction', [raw])
    while ((await chain.request('eth_getTransactionReceipt', [hash])) === null);
  }
  for (const work of WORK) {
    const { name, cold = 0, prepare, without = [] } = work
    if (isHalfWarm ? without.includes(subject) : cold === 0) continue
    try {
      const round = await prepare(scene)
      if (isHalfWarm) {
        took[name] = await thirdToTenth(work, round)
        continue
      }
      await round(async (action) => {
        const startMs = performance.now()
        for (let turn = 0; turn < cold; turn++) await action(turn)
        took[name] = (performance.now() - startMs) / cold
      })
    } catch (error) {
      // anvil refuses a transaction that it has had before a revert, at times.
      if (subject === 'tickchain') throw error
      process.stderr.write(`${subject}, ${name}: ${error instanceof Error ? error.message : error}\n`)
    }
  }
  return chain
}

/** A recording, from the start of its chain to the last answer. @param {string} file */
async function runScenario(file) {
  const recorded = readScenario(file)
  const toOptions = subject === 'Hardhat' ? hardhatNetwork : (/** @type {any} */ options) => options
  /** @type {import('./subjects.js').Subject | undefined} */
  let chain
  markedMs = performance.now()
  await replayScenario(recorded, async (options) => {
    chain = await start(toOptions(options))
    return chain
  })
  mark('all')
  return chain
}

const chain = await (task === 'file'
  ? runFile(Number(detail))
  : task === 'works'
    ? runWorks(detail === 'half warm')
    : runScenario(detail))
console.log(JSON.stringify(took))
await chain?.close()
process.exit()
