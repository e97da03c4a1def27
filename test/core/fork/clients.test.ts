// Upstreams that are clients of viem and ethers, over a node that lacks methods: their errors wrap those of the node.

import { JsonRpcProvider } from 'ethers'
import { createPublicClient, custom, type Hex, http } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { createEmulator, type Emulator, type Upstream } from '../../../src/index.ts'
import { ask, rpcError, wireTo } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const MISSING = ['eth_getProof', 'eth_createAccessList', 'eth_config']
const disposals: (() => unknown)[] = []

afterEach(() => {
  for (const dispose of disposals.splice(0)) dispose()
})

interface Call {
  readonly id: number
  readonly method: string
}

/** Answers envelopes as a node without some methods does. */
async function answerOf(chain: Emulator, call: Call): Promise<unknown> {
  if (!MISSING.includes(call.method)) return chain.handle(call)
  const message = `the method ${call.method} does not exist/is not available`
  return { jsonrpc: '2.0', id: call.id, error: { code: -32601, message } }
}

function ethersOver(chain: Emulator): Upstream {
  const provider = new JsonRpcProvider('http://node.invalid', 31_337, { staticNetwork: true })
  provider._send = (payload) =>
    Promise.all([payload].flat().map((call) => answerOf(chain, call as Call))) as Promise<never>
  disposals.push(() => provider.destroy())
  return { request: ({ method, params = [] }) => provider.send(method, [...params]) }
}

function viemOverHttp(chain: Emulator): Upstream {
  const fetchFn = async (_: unknown, init?: { body?: unknown }): Promise<Response> => {
    const answer = await answerOf(chain, JSON.parse(`${init?.body}`) as Call)
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })
  }
  return createPublicClient({
    transport: http('http://node.invalid', { fetchFn: fetchFn as never }),
  }) as Upstream
}

const viemOverChain = (chain: Emulator): Upstream =>
  createPublicClient({ transport: custom(chain as never) }) as Upstream

test.each([
  ['a client of viem over another emulator', viemOverChain],
  ['a client of viem over HTTP', viemOverHttp],
  ['a provider of ethers', ethersOver],
])('%s is an upstream', { tags: 'gate' }, async (_, connect) => {
  const chain = await createEmulator({ production: 'auto' })
  const contract: Hex = '0x00000000000000000000000000000000000000c1'
  // Adds one to its first slot.
  await chain.setCode(contract, '0x60015f54015f5500')
  await chain.setStorageAt(contract, '0x0', '0x5')
  await chain.mine(1)
  const fork = await createEmulator({ production: 'auto', fork: { upstream: connect(chain) } })
  const hash = await ask(fork, 'eth_sendTransaction', { from: FIRST, to: contract, gas: '0x20000' })
  expect(await ask(fork, 'eth_getTransactionReceipt', hash)).toMatchObject({
    status: '0x1',
    blockNumber: '0x2',
  })
  expect(BigInt((await ask(fork, 'eth_getStorageAt', contract, '0x0', 'latest')) as Hex)).toBe(6n)
  expect(await ask(fork, 'anvil_nodeInfo')).toMatchObject({ hardFork: 'prague' })
})

const plainly = (upstream: Upstream): Upstream => upstream
const byViem = (upstream: Upstream): Upstream =>
  createPublicClient({ transport: custom(upstream as never, { retryCount: 0 }) }) as Upstream

test.each([
  ['a lost connection', plainly, () => new Error('socket hang up')],
  ['a lost connection below viem', byViem, () => new Error('socket hang up')],
  ['a provider without a connection', plainly, () => rpcError(4900, 'disconnected')],
  ['the same below viem', byViem, () => rpcError(4900, 'disconnected')],
  ['a request that took too long', plainly, () => new DOMException('too late', 'TimeoutError')],
])('%s says nothing about the hardfork', async (_, by, lost) => {
  const chain = await createEmulator({ hardfork: 'osaka' })
  const wire = wireTo(chain)
  const fork = () => createEmulator({ fork: { upstream: by(wire) } })
  wire.answer = ({ method }) => (method === 'eth_call' ? lost() : undefined)
  await expect(fork()).rejects.toMatchObject({ kind: 'upstreamFailed' })
  wire.answer = () => undefined
  expect(await ask(await fork(), 'anvil_nodeInfo')).toMatchObject({ hardFork: 'osaka' })
})
