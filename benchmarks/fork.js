// @ts-check
// npm run bench:fork [-- --rounds 5] [-- --latency 50] [-- --write]
// Forks of one upstream by tickchain, anvil and Hardhat: a node on this machine that takes its time to answer. One
// transaction calls 12 contracts, which read and write 40 slots. Times are of the clock, because waiting is what costs.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createEmulator } from 'tickchain'
import { httpUpstream } from 'tickchain/upstream'
import { installPeers } from './comparison/peers.js'
import { anvilProgram, requestOver, startHardhat } from './comparison/subjects.js'
import { writeBetween } from './readme.js'

/** @typedef {import('./comparison/subjects.js').Request} Request */
/** @typedef {{ request: Request, close: () => unknown }} Forked */
/** @typedef {{ ms: number, requests: number }} Round */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    latency: { type: 'string', default: '50' },
    write: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds)
const latencyMs = Number(options.latency)

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const CONTRACTS = 12
const SLOTS = 40
const CHAIN_ID = 5555
const FORK_BLOCK = 3

/** @param {number} number */
const account = (number) => /** @type {`0x${string}`} */ (`0x${number.toString(16).padStart(40, '0')}`)
const ROUTER = account(0xaa)

/** Adds one to each of the first slots. @param {number} count */
function counterCode(count) {
  const slots = Array.from({ length: count }, (_, slot) => slot.toString(16).padStart(2, '0'))
  return `${slots.map((slot) => `600160${slot}540160${slot}55`).join('')}00`
}

/** The contracts, and the one that calls them all. */
function allocation() {
  const places = Array.from({ length: CONTRACTS }, (_, index) => account(0xbb000 + index))
  const counters = places.map((place, index) => {
    const count = Math.floor(SLOTS / CONTRACTS) + (index < SLOTS % CONTRACTS ? 1 : 0)
    const slots = Array.from({ length: count }, (_, slot) => [`0x0${slot}`, '0x07'])
    return [place, { code: `0x${counterCode(count)}`, storage: Object.fromEntries(slots) }]
  })
  const calls = places.map((place) => `5f5f5f5f5f73${place.slice(2)}5af150`)
  return Object.fromEntries([...counters, [ROUTER, { code: `0x${calls.join('')}00` }]])
}

const OWN_CHAIN = { chainId: CHAIN_ID, genesis: { alloc: allocation() } }

/** A chain behind HTTP, with a latency, and the requests that it was asked. @param {object} given */
async function serve(given) {
  const chain = await createEmulator({ production: 'auto', ...OWN_CHAIN, ...given })
  await chain.mine(FORK_BLOCK)
  const asked = { requests: 0 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const calls = JSON.parse(body)
    asked.requests += Array.isArray(calls) ? calls.length : 1
    await new Promise((resolve) => setTimeout(resolve, latencyMs))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(await chain.handle(calls)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${address.port}`, asked, close: () => server.close() }
}

/** @param {Parameters<typeof createEmulator>[0]} given @returns {Promise<Forked>} */
async function startTickchain(given) {
  const chain = await createEmulator({ production: 'auto', ...given })
  return { request: (method, params = []) => chain.request(method, params), close: () => chain.dispose() }
}

/** @param {string} url @returns {Promise<Forked>} */
async function startAnvil(url) {
  const given = [
    '--port',
    '0',
    '--no-storage-caching',
    '--fork-url',
    url,
    '--fork-block-number',
    `${FORK_BLOCK}`,
  ]
  const program = spawn(anvilProgram(), given, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const chunk of program.stdout) {
    printed += chunk
    const found = /Listening on (\S+)/.exec(printed)
    if (found !== null) return { request: requestOver(`http://${found[1]}`), close: () => program.kill() }
  }
  throw new Error(`anvil did not start: ${printed}`)
}

/** Sends the transaction and waits for its block. @param {Request} request */
async function swap(request) {
  const before = Number(await request('eth_blockNumber'))
  await request('eth_sendTransaction', [{ from: FROM, to: ROUTER, gas: '0x200000' }])
  while (Number(await request('eth_blockNumber')) === before)
    await new Promise((resolve) => setTimeout(resolve, 2))
  const slot = BigInt(await request('eth_getStorageAt', [account(0xbb000), '0x0', 'latest']))
  if (slot !== 8n) throw new Error(`the transaction did not add one: ${slot}`)
}

/** @param {{ requests: number }} asked @param {() => Promise<Forked>} start @returns {Promise<Round>} */
async function measure(asked, start) {
  asked.requests = 0
  const startedAt = performance.now()
  const { request, close } = await start()
  await swap(request)
  const round = { ms: performance.now() - startedAt, requests: asked.requests }
  await close()
  return round
}

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** A recording that is kept in memory. */
function memoryFile() {
  /** @type {string | undefined} */
  let text
  return {
    read: () => text,
    /** @param {string} written */
    write(written) {
      text = written
    },
  }
}

// Hardhat keeps a cache in the package around the present folder.
const folder = mkdtempSync(join(tmpdir(), 'forks-'))
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
process.chdir(folder)
installPeers((text) => process.stderr.write(`${text}\n`))
const upstream = await serve({})
const layer2 = await serve({ rollup: { stack: 'op' } })
const recording = memoryFile()
const block = FORK_BLOCK
const fork = { upstream: httpUpstream(upstream.url), block }
/** A node without access lists, such as Hardhat. @type {import('tickchain').Upstream} */
const withoutLists = {
  async request(asked) {
    if (asked.method !== 'eth_createAccessList') return fork.upstream.request(asked)
    throw Object.assign(new Error('no such method'), { code: -32601 })
  },
}
await measure(upstream.asked, () => startTickchain({ fork: { ...fork, recording } }))

/** @type {Readonly<Record<string, () => Promise<Forked>>>} */
const SUBJECTS = {
  tickchain: () => startTickchain({ fork }),
  anvil: () => startAnvil(upstream.url),
  Hardhat: () =>
    startHardhat({ chainId: CHAIN_ID, forking: { enabled: true, url: upstream.url, blockNumber: block } }),
  'tickchain, without access lists': () => startTickchain({ fork: { ...fork, upstream: withoutLists } }),
  'tickchain, of a rollup': () => startTickchain({ fork: { upstream: httpUpstream(layer2.url), block } }),
  'tickchain, replayed': () => startTickchain({ fork: { block, recording } }),
  'tickchain, not forked': () => startTickchain(OWN_CHAIN),
}
/** @type {Map<string, Round[]>} */
const measured = new Map(Object.keys(SUBJECTS).map((name) => [name, []]))
// Interleaved, so that disturbances of the machine affect all of them. The first round warms up.
for (let round = 0; round <= rounds; round++) {
  for (const [name, start] of Object.entries(SUBJECTS)) {
    const { asked } = name.endsWith('of a rollup') ? layer2 : upstream
    const result = await measure(asked, start)
    if (round > 0) measured.get(name)?.push(result)
  }
}
upstream.close()
layer2.close()
const lines = [...measured].map(([name, all]) => {
  const ms = median(all.map((each) => each.ms))
  return `| ${name} | ${ms.toFixed(ms < 100 ? 1 : 0)} ms | ${median(all.map((each) => each.requests))} |`
})
const table = [
  `| a fork, ${latencyMs} ms a request | start and transaction | requests |`,
  '|---|--:|--:|',
  ...lines,
].join('\n')
process.stdout.write(`${table}\n`)
if (options.write) writeBetween('forks', table)
rmSync(folder, { recursive: true })
process.exit(0)
