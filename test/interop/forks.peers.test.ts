// Forks of anvil, Hardhat and tickchain over real HTTP, behind a proxy that loses connections, refuses, delays and
// reorders: the same transactions on both from there on, and the same receipts.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createEmulator, type Emulator } from 'tickchain'
import { httpUpstream } from 'tickchain/upstream'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { requestOver, startAnvil, startTickchain } from '../../benchmarks/comparison/subjects.js'
import { ADDRESSES, ALICE, type Hashes, play, type Request, TRANSACTIONS } from './anvil/scene.ts'

const serve = fileURLToPath(new URL('edr/serve.ts', import.meta.url))

interface Chain {
  readonly request: Request
  readonly close: () => unknown
}

async function startHardhat(): Promise<Chain> {
  const program = spawn(inject('node'), [serve], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [url] = (await once(createInterface(program.stdout), 'line')) as [string]
  const request = requestOver(url)
  return {
    // Hardhat has the same methods under its own name.
    request: (method, params) => request(method.replace(/^anvil_/, 'hardhat_'), params),
    async close() {
      program.stdin.end()
      await once(program, 'exit')
    },
  }
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

async function answerOf(request: Request, { id, method, params }: Call): Promise<object> {
  try {
    return { jsonrpc: '2.0', id, result: await request(method, params) }
  } catch (error) {
    const { code = -32000, message } = error as Error & { code?: number }
    return { jsonrpc: '2.0', id, error: { code, message } }
  }
}

/** Every fourth request is refused, every seventh loses its connection, and the others take from 0 to 19 ms. */
async function startProxy(request: Request) {
  const seen = { requests: 0, refused: 0, lost: 0, reordered: 0 }
  const server = createServer(async (incoming, outgoing) => {
    const body = JSON.parse(await text(incoming)) as Call | Call[]
    seen.requests++
    await new Promise((resolve) => setTimeout(resolve, (seen.requests * 37) % 20))
    if (seen.requests % 7 === 0) {
      seen.lost++
      outgoing.destroy()
      return
    }
    if (seen.requests % 4 === 0) {
      seen.refused++
      outgoing.writeHead(429).end('slow down')
      return
    }
    const calls = Array.isArray(body) ? body : [body]
    const answers = await Promise.all(calls.map((call) => answerOf(request, call)))
    if (answers.length > 1) seen.reordered++
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(Array.isArray(body) ? answers.reverse() : answers[0]))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => server.close(),
  }
}

const SHOWN = ['status', 'gasUsed', 'cumulativeGasUsed', 'from', 'to', 'type', 'effectiveGasPrice']

async function receiptOn(request: Request, hash: string | undefined): Promise<unknown> {
  const receipt = (await request('eth_getTransactionReceipt', [hash])) as Record<string, unknown>
  const logs = receipt['logs'] as readonly { address: string; topics: string[]; data: string }[]
  return {
    ...Object.fromEntries(SHOWN.map((name) => [name, receipt[name]])),
    // Hardhat has no address of a contract that failed to be.
    contractAddress: receipt['status'] === '0x1' ? receipt['contractAddress'] : null,
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
  }
}

describe.each([
  ['anvil', startAnvil],
  ['Hardhat', startHardhat],
  ['tickchain', startTickchain],
] as const)('%s', (_, start: () => Promise<Chain>) => {
  let upstream: Chain
  let proxy: Awaited<ReturnType<typeof startProxy>>
  let fork: Emulator
  /** The transactions before the fork, and those of both sides after it. */
  let before: Hashes
  let there: Hashes
  let here: Hashes

  const askThere: Request = (method, params) => upstream.request(method, params)
  const askHere: Request = (method, params) => fork.request(method, params as unknown[])

  beforeAll(async () => {
    upstream = await start()
    before = await play(askThere)
    proxy = await startProxy(askThere)
    const over = httpUpstream(proxy.url, { backoffMs: 1, batchSize: 3 })
    const accounts = { balance: 0n }
    fork = await createEmulator({ production: 'manual', accounts, fork: { upstream: over } })
    // The fork is of the block before, whatever the upstream does meanwhile.
    there = await play(askThere)
    here = await play(askHere)
  })

  afterAll(async () => {
    fork.dispose()
    proxy.close()
    await upstream.close()
  })

  test.each(Object.keys(TRANSACTIONS))('%s has the same receipt on the fork', async (name) => {
    expect(here[name]).toBe(there[name])
    expect(await receiptOn(askHere, here[name])).toEqual(await receiptOn(askThere, there[name]))
  })

  test('states after all of them are equal', async () => {
    for (const address of [ALICE, ...Object.values(ADDRESSES)]) {
      for (const [method, ...params] of [
        ['eth_getBalance', address, 'latest'],
        ['eth_getTransactionCount', address, 'latest'],
        ['eth_getStorageAt', address, '0x1', 'latest'],
      ] as const) {
        expect(await askHere(method, params), `${method} ${address}`).toEqual(await askThere(method, params))
      }
    }
  })

  test('what was before the fork is as the upstream has it', async () => {
    for (const hash of Object.values(before)) {
      const params = [hash]
      expect(await askHere('eth_getTransactionReceipt', params)).toEqual(
        await askThere('eth_getTransactionReceipt', params),
      )
    }
    const block = ['0x5', true]
    expect(await askHere('eth_getBlockByNumber', block)).toEqual(
      await askThere('eth_getBlockByNumber', block),
    )
  })

  test('the connection was as bad as it was meant to be, and its time was counted', () => {
    const { refused, lost, reordered } = proxy.seen
    expect(Math.min(refused, lost, reordered)).toBeGreaterThan(5)
    expect(fork.fork?.stats().upstreamMs).toBeGreaterThan(100)
  })
})
