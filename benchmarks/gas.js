// @ts-check
// npm run bench:gas [-- --only bn254] [-- --gas 10000000] [-- --by eth_call] [-- --interpreter reference] [-- --json]
// Processor time of 10 million gas, for the opcodes and precompiles that take longest for theirs. One call each, cold:
// what a hostile contract can make a test wait for.

import { parseArgs } from 'node:util'
import { createEmulator } from '../dist/index.js'
import { allPrograms } from './gas/programs.js'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    gas: { type: 'string', default: '10000000' },
    by: { type: 'string', default: 'eth_call' },
    interpreter: { type: 'string', default: 'wasm' },
    json: { type: 'boolean', default: false },
  },
})

const UNIT = 10_000_000
const AT = '0x00000000000000000000000000000000c0de0001'

/** What each way of running a program asks for. @type {Readonly<Record<string, (call: object) => [string, unknown[]]>>} */
const WAYS = {
  eth_call: (call) => ['eth_call', [call]],
  eth_estimateGas: (call) => ['eth_estimateGas', [call]],
  eth_createAccessList: (call) => ['eth_createAccessList', [call]],
  eth_simulateV1: (call) => [
    'eth_simulateV1',
    [{ traceTransfers: true, blockStateCalls: [{ calls: [call] }] }],
  ],
  transaction: (call) => ['eth_sendTransaction', [call]],
}

/** @param {import('./gas/programs.js').Program} program */
async function measure({ hardfork, code, data = '' }) {
  const gas = `0x${Number(options.gas).toString(16)}`
  const alloc = { [AT]: { code: `0x${code}`, balance: '0xffffffff' } }
  const chain = await createEmulator(
    /** @type {any} */ ({
      hardfork,
      interpreter: options.interpreter,
      production: options.by === 'transaction' ? 'auto' : 'interval',
      genesis: { alloc, gasLimit: 60_000_000n },
    }),
  )
  const request = /** @type {(method: string, params: unknown[]) => Promise<any>} */ (chain.request)
  const [from] = await request('eth_accounts', [])
  const way = WAYS[options.by]
  if (way === undefined) throw new Error(`--by is one of ${Object.keys(WAYS).join(', ')}`)
  // Loads the EVM.
  await request('eth_call', [{ from, to: from }])
  const before = process.cpuUsage()
  const failure = await request(...way({ from, to: AT, gas, data: `0x${data}` })).then(
    () => '',
    (error) => String(error.message),
  )
  const { user, system } = process.cpuUsage(before)
  await chain.dispose()
  return { seconds: ((user + system) / 1e6 / Number(options.gas)) * UNIT, failure }
}

/** @type {{ name: string, seconds: number, failure: string }[]} */
const rows = []
for (const program of allPrograms()) {
  if (!program.name.includes(options.only)) continue
  const row = { name: program.name, ...(await measure(program)) }
  rows.push(row)
  if (!options.json) console.log(`${row.seconds.toFixed(2).padStart(8)} s  ${row.name}  (${row.failure})`)
}
if (options.json) console.log(JSON.stringify(rows, null, 2))
const total = process.memoryUsage.rss() / 1e6
if (!options.json) console.log(`${total.toFixed(0)} MB`)
