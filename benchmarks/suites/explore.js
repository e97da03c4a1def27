// @ts-check
// How many futures of a chain a second: random stories by kind of scene, and a scene in full.

import * as fc from 'fast-check'
import { explore, exploreAll } from '../../dist/explore.js'
import { createEmulator } from '../../dist/index.js'
import { createRollup } from '../../dist/rollup.js'
import { collectGarbage, processorTimeOf, toRow } from '../measure.js'

const ROUNDS = 5
const SHOP = `0x${'5a'.repeat(20)}`
const ADVERSARY = /** @type {const} */ ([
  'partials',
  'drops',
  'reorgs',
  'lateAnswers',
  'feeSpikes',
  'sequencerStops',
])

/** @param {readonly string[]} accounts */
function scenesOf(accounts) {
  const pay = {
    actions: { pay: fc.record({ who: fc.nat(2) }) },
    run: {
      pay: (/** @type {any} */ { chain }, /** @type {{ who: number }} */ { who }) =>
        chain.request('eth_sendTransaction', [{ from: accounts[who], to: SHOP, value: '0x1' }]),
    },
    invariants: {},
  }
  const checked = {
    ...pay,
    invariants: {
      paid: async (/** @type {any} */ { chain }) =>
        BigInt(await chain.request('eth_getBalance', [SHOP, 'pending'])) >= 0n,
    },
  }
  const idle = { actions: {}, run: {}, invariants: {} }
  return [
    { name: 'time alone', scene: idle, runs: 1000 },
    { name: 'time, and partial blocks cut', scene: { ...idle, adversary: ['partials'] }, runs: 1000 },
    { name: 'payments', scene: pay, runs: 300 },
    { name: 'payments, and an invariant', scene: checked, runs: 300 },
    {
      name: 'payments, an invariant, all events',
      scene: { ...checked, adversary: [...ADVERSARY] },
      runs: 300,
    },
  ]
}

/** Processor time of a run, by rounds. @param {(seed: number) => Promise<number>} explored resolves to a count */
async function timeRounds(explored) {
  /** @type {number[]} */
  const times = []
  for (let round = -2; round < ROUNDS; round++) {
    collectGarbage()
    let count = 0
    const time = await processorTimeOf(async () => {
      count = await explored(round + 2)
    })
    if (round >= 0) times.push(time / count)
  }
  return times
}

/** @param {readonly number[]} times @param {string} what */
function noteOf(times, what) {
  const median = [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN
  return `${Math.round(1e6 / median).toLocaleString('en')} ${what} a second`
}

/** @type {import('../measure.js').Suite} */
export const explorations = {
  title: 'A run of explore, in processor time',
  async run(report, progress) {
    const accounts = await (await createEmulator()).listAccounts()
    for (const depth of [5, 20]) {
      for (const { name, scene, runs } of scenesOf(accounts)) {
        const label = `${name}, ${depth} steps at most`
        progress(label)
        const times = await timeRounds(async (seed) => {
          const chain = await createEmulator()
          return (await explore(chain, /** @type {any} */ ({ ...scene, runs, depth, seed }))).runs
        })
        report(toRow(label, times, { note: noteOf(times, 'runs') }))
      }
    }
    progress('a pair')
    const onPair = await timeRounds(async (seed) => {
      const rollup = await createRollup()
      const run = {
        pay: (/** @type {any} */ { chain: { l1 } }) =>
          l1.request('eth_sendTransaction', [{ to: SHOP, value: '0x1' }]),
      }
      const options = {
        actions: { pay: fc.record({}) },
        run,
        invariants: {},
        adversary: ['l1Reorgs'],
        runs: 20,
        seed,
      }
      return (await explore(rollup, /** @type {any} */ (options))).runs
    })
    report(toRow('payments on a pair, L1 reorgs, 20 steps at most', onPair, { note: noteOf(onPair, 'runs') }))
    progress('in full')
    const inFull = await timeRounds(async () => {
      const chain = await createEmulator()
      const [pay, partial, block] = [{ action: 'pay', values: {} }, { wait: 'partial' }, { wait: 'block' }]
      const { scene } = /** @type {any} */ (scenesOf(accounts)[2])
      const { steps } = await exploreAll(chain, {
        script: /** @type {any} */ ([pay, partial, pay, block]),
        run: { pay: ({ chain: on }) => scene.run.pay({ chain: on }, { who: 0 }) },
        invariants: {},
        adversary: ['drops', 'reorgs', 'sequencerStops'],
        events: 2,
      })
      return steps
    })
    report(toRow('a step of exploreAll', inFull, { note: noteOf(inFull, 'futures') }))
  },
}
