// @ts-check
// npm run bench:shared [-- --rounds 5] [-- --write]
// What a test file takes before its first test, in CPU time of a fresh process: with a set-up of its own, and with the
// chain of a shared one loaded. `--write` puts the table into docs/recipes/shared-setup.md.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sharedChain } from 'tickchain/shared'
import { Token } from '../site/examples/contracts.js'
import { writeBetween } from './readme.js'

/** Transactions of the set-ups: a tenth deploy contracts, the others are transfers of a token. */
const SIZES = [10, 100, 1000]

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
    // Of the processes that are measured.
    child: { type: 'string' },
    size: { type: 'string', default: '0' },
    file: { type: 'string', default: '' },
  },
})

/** @param {number} size @param {string} file */
function chainOf(size, file) {
  return sharedChain(
    { production: 'auto' },
    async (chain) => {
      const [, to] = await chain.listAccounts()
      const send = (/** @type {object} */ transaction) => chain.request('eth_sendTransaction', [transaction])
      const deployed = []
      for (let count = 0; count < size / 10; count++) {
        const hash = await send({ data: `${Token.bytecode}${'0'.repeat(60)}ffff` })
        const receipt = await chain.request('eth_getTransactionReceipt', [hash])
        deployed.push(/** @type {{ contractAddress: string }} */ (receipt).contractAddress)
      }
      // transfer(to, 1)
      const data = `0xa9059cbb${`${to}`.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
      for (let count = deployed.length; count < size; count++)
        await send({ to: deployed[count % deployed.length] ?? null, data })
      return { deployed }
    },
    { file },
  )
}

/** A process that prepares a chain, or loads it, and says what it took, in milliseconds. @param {string} kind */
async function measure(kind) {
  const shared = chainOf(Number(options.size), options.file)
  if (kind === 'set-up') await shared()
  else process.env['TICKCHAIN_SHARED_CHAINS'] = JSON.stringify([options.file])
  if (kind === 'load') {
    const { chain, context } = await shared.load()
    // totalSupply()
    await chain.request('eth_call', [{ to: context.deployed[0] ?? null, data: '0x18160ddd' }])
  }
  const { user, system } = process.cpuUsage()
  process.stdout.write(`${(user + system) / 1000}`)
}

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function compare() {
  const folder = mkdtempSync(join(tmpdir(), 'tickchain-shared-'))
  const script = fileURLToPath(import.meta.url)
  const rows = SIZES.map((size) => {
    const file = join(folder, `${size}`)
    const run = (/** @type {string} */ kind) =>
      Number(execFileSync(process.execPath, [script, `--child=${kind}`, `--size=${size}`, `--file=${file}`]))
    /** @type {{ 'set-up': number[], load: number[] }} */
    const taken = { 'set-up': [], load: [] }
    for (let round = 0; round < Number(options.rounds); round++) {
      taken['set-up'].push(run('set-up'))
      taken.load.push(run('load'))
    }
    return [size, median(taken['set-up']), median(taken.load)]
  })
  rmSync(folder, { recursive: true })
  const lines = rows.map(
    (row) => `| ${row.map((number) => Math.round(number ?? 0).toLocaleString('en')).join(' | ')} |`,
  )
  return [
    '| transactions of the set-up | a set-up in each file, ms | loaded, ms |',
    '|--:|--:|--:|',
    ...lines,
    '',
    `Node ${process.version}, medians of ${options.rounds}. Both include the start of Node and the import of the package.`,
  ].join('\n')
}

if (options.child !== undefined) await measure(options.child)
else {
  const table = compare()
  process.stdout.write(`${table}\n`)
  if (options.write)
    writeBetween('shared set-up', table, new URL('../docs/recipes/shared-setup.md', import.meta.url))
}
