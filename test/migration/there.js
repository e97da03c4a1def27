// @ts-check
// The other column of a migration page: executes rows on another emulator, a fresh chain each, and prints what differs
// as JSON. A program of its own, because Hardhat needs a newer Node than this library.
//
//   node there.js anvil < rows.json

import { text } from 'node:stream/consumers'
import hardhatHelpers from '@nomicfoundation/hardhat-network-helpers'
import * as viem from 'viem'
import { foundry } from 'viem/chains'
import { startAnvil, startGanache, startHardhat } from '../../benchmarks/comparison/subjects.js'
import { whatDiffers } from './row.js'

/** @typedef {import('./row.js').Request} Request */
/** @typedef {{ scope: Readonly<Record<string, unknown>>, close: () => unknown }} Side */

/** @param {Request} request */
const providerOf = (request) => ({
  /** @param {{ method: string, params?: readonly unknown[] }} call */
  request: ({ method, params = [] }) => request(method, params),
})

/** Installed apart, as test/migration/tevm/package.json says. */
const TEVM = './tevm/node_modules/tevm/index.js'

/** @returns {Promise<Side>} */
async function anvil() {
  const { request, close } = await startAnvil()
  const transport = viem.custom(providerOf(request), { retryCount: 0 })
  const client = viem
    .createTestClient({ mode: 'anvil', chain: foundry, transport, cacheTime: 0, pollingInterval: 10 })
    .extend(viem.publicActions)
    .extend(viem.walletActions)
  return { scope: { client, request }, close }
}

/** @returns {Promise<Side>} */
async function hardhat() {
  const { request, close } = await startHardhat()
  const { default: createHooks } = (await hardhatHelpers.hookHandlers?.network?.()) ?? {}
  // Hardhat's types ask for more than it looks at.
  const newConnection = /** @type {any} */ ((await createHooks?.())?.newConnection)
  const provider = providerOf(request)
  const { networkHelpers } = await newConnection({}, async () => ({
    id: 0,
    networkName: 'default',
    provider,
  }))
  return { scope: { networkHelpers, provider, request }, close }
}

/** @returns {Promise<Side>} */
async function ganache() {
  const { request, close } = await startGanache()
  return { scope: { provider: providerOf(request), request }, close }
}

/** @returns {Promise<Side>} */
async function tevm() {
  const { createMemoryClient } = await import(new URL(TEVM, import.meta.url).href)
  const client = createMemoryClient({ miningConfig: { type: 'auto' } })
  await client.tevmReady()
  /** @type {Request} */
  const request = (method, params = []) => client.request({ method, params })
  return { scope: { client, createMemoryClient, request }, close: () => undefined }
}

const [peer = ''] = process.argv.slice(2)
const start = { anvil, hardhat, ganache, tevm }[peer]
if (start === undefined) throw new Error(`no emulator ${peer}`)
/** @type {import('./row.js').Row[]} */
const rows = JSON.parse(await text(process.stdin))
// Output of the emulators themselves is discarded.
console.log = () => undefined
const differences = []
for (const { there, effect, value } of rows) {
  const { scope, close } = await start()
  differences.push((await whatDiffers({ code: there, effect, value }, { ...viem, ...scope })) ?? null)
  await close()
}
process.stdout.write(JSON.stringify(differences), () => process.exit())
