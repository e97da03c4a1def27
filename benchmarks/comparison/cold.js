// @ts-check
// A test file in a fresh process: start, two deployments, and then tests, each with a snapshot, three ERC-20 transfers
// with receipts, three calls, an estimate, four reads and a revert. Prints the milliseconds of each phase as JSON.

import { performance } from 'node:perf_hooks'

const [subject = '', tests = '20', code = '{}'] = process.argv.slice(2)
const { Token } = JSON.parse(code)
const startMs = performance.now()
const { SUBJECTS } = await import('./subjects.js')
const chain = await SUBJECTS[subject]?.()
if (chain === undefined) throw new Error(`no subject ${subject}`)
const { request } = chain
const [owner = '0x', ...others] = await request('eth_accounts')
const startedMs = performance.now()

const word = (/** @type {bigint | string} */ value) =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')

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

const supply = word(10n ** 30n)
const { contractAddress: token } = await send({ data: `${Token}${supply}` })
await send({ data: `${Token}${supply}` })
const deployedMs = performance.now()

const transfer = (/** @type {string} */ to, /** @type {bigint} */ amount) =>
  `0xa9059cbb${word(to)}${word(amount)}`
const balanceOf = (/** @type {string} */ account) => ({ to: token, data: `0x70a08231${word(account)}` })

for (let test = 0; test < Number(tests); test++) {
  const snapshot = await request('evm_snapshot')
  const to = /** @type {string} */ (others[test % others.length])
  for (const amount of [1n, 2n, 3n]) await send({ to: token, data: transfer(to, amount) })
  for (const account of [owner, to, to]) await request('eth_call', [balanceOf(account), 'latest'])
  const balance = BigInt(await request('eth_call', [balanceOf(to), 'latest']))
  if (balance !== 6n) throw new Error(`the balance is ${balance}`)
  await request('eth_estimateGas', [{ from: owner, to: token, data: transfer(to, 4n) }])
  await request('eth_getBalance', [owner, 'latest'])
  await request('eth_blockNumber')
  await request('eth_getBlockByNumber', ['latest', false])
  await request('eth_getTransactionCount', [owner, 'latest'])
  await request('evm_revert', [snapshot])
}
const endMs = performance.now()
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    start: startedMs - startMs,
    deployments: deployedMs - startedMs,
    tests: endMs - deployedMs,
    all: endMs - startMs,
    cpu: (user + system) / 1000,
    memory: chain.memory() / 1e6,
  }),
)
await chain.close()
process.exit()
