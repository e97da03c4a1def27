// HTTP clients over chain.fetch, without a socket and over one on the loopback interface.

import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Contract, FetchRequest, type GetUrlResponse, JsonRpcProvider } from 'ethers'
import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  HttpRequestError,
  http,
  parseEther,
  ResourceNotFoundRpcError,
} from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, describe, expect, test } from 'vitest'
import { Reverter } from '../contracts/generated.ts'
import { makeWallet } from '../core/chain/wallet.ts'

// Reserved by RFC 2606: no such host is ever found, so nothing here can leave the process by mistake.
const NOWHERE = 'http://chain.invalid/'

// The first account of the "test … junk" mnemonic.
const ALICE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

const REVERTER = `0x${'4e'.repeat(20)}` as const

const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const alloc = { [REVERTER]: { nonce: 1, code: Reverter.deployedBytecode } }
  return createEmulator({ genesis: { alloc }, ...options })
}

type Fetch = Emulator['fetch']

/** A fetch that counts the bodies that go through it, by how many requests they hold. */
function counted(fetch: Fetch): { fetch: Fetch; lengths: number[] } {
  const lengths: number[] = []
  return {
    lengths,
    fetch(input, init) {
      const body = JSON.parse(String((init as { body: unknown }).body))
      lengths.push(Array.isArray(body) ? body.length : 1)
      return fetch(input, init)
    },
  }
}

function viemOver(url: string, fetchFn?: Fetch) {
  const transport = http(url, {
    retryCount: 0,
    batch: true,
    ...(fetchFn === undefined ? {} : { fetchFn }),
  })
  const settings = { chain: foundry, transport, cacheTime: 0, pollingInterval: 10 }
  return {
    reader: createPublicClient(settings),
    wallet: createWalletClient(settings),
    tester: createTestClient({ ...settings, mode: 'ganache' }),
  }
}

/** ethers' function for a request, over chain.fetch. */
function getUrlOver(fetch: Fetch) {
  return async ({ url, method, headers, body }: FetchRequest): Promise<GetUrlResponse> => {
    const response = await fetch(url, {
      method,
      headers,
      body: body === null ? null : new TextDecoder().decode(body),
    })
    return {
      statusCode: response.status,
      statusMessage: response.statusText,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    }
  }
}

function ethersOver(url: string, fetch?: Fetch): JsonRpcProvider {
  const connection = new FetchRequest(url)
  if (fetch !== undefined) connection.getUrlFunc = getUrlOver(fetch)
  const provider = new JsonRpcProvider(connection, undefined, { cacheTimeout: -1, pollingInterval: 10 })
  closing.push(() => provider.destroy())
  return provider
}

/** The chain on a socket, as docs/recipes/http.md mounts it. */
async function serve(chain: Emulator): Promise<{ url: string; server: Server }> {
  const server = createServer((incoming, outgoing) => {
    const answered = chain
      .fetch({
        method: incoming.method ?? 'GET',
        headers: { get: (name: string) => incoming.headers[name] ?? null },
        text: () => text(incoming),
      })
      .then(async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
      })
    answered.catch(() => outgoing.destroy())
  })
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, server }
}

/** The access of a client to the chain: a URL, and a replacement for fetch if there is no server. */
type Place = (chain: Emulator) => Promise<{ url: string; fetch?: Fetch }>

const places: readonly [string, Place][] = [
  ['in the process', async ({ fetch }) => ({ url: NOWHERE, fetch })],
  ['over a socket', async (chain) => serve(chain)],
]

/** The error of a promise that must fail. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe.each(places)('%s, viem', (_, place) => {
  async function connect(options?: EmulatorOptions) {
    const chain = await start(options)
    const { url, fetch } = await place(chain)
    return { chain, ...viemOver(url, fetch) }
  }

  test('sends, waits for and reads a payment', async () => {
    const { chain, reader, wallet } = await connect()
    const [account, to] = await wallet.getAddresses()
    if (account === undefined || to === undefined) throw new Error('no accounts')
    const hash = await wallet.sendTransaction({ account, to, value: parseEther('1') })
    await chain.advance(200)
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', blockNumber: 1n })
    expect(await reader.getBalance({ address: to })).toBe(parseEther('10000'))
    expect(await reader.getBalance({ address: to, blockTag: 'pending' })).toBe(parseEther('10001'))
    await chain.advance(1800)
    expect(await reader.waitForTransactionReceipt({ hash })).toMatchObject({ blockNumber: 1n })
  })

  test('decodes a revert', async () => {
    const { reader } = await connect()
    const call = reader.simulateContract({
      address: REVERTER,
      abi: Reverter.abi,
      functionName: 'revertWithString',
      args: ['too late'],
    })
    const error = await rejection(call)
    const revert =
      error instanceof BaseError && error.walk((it) => it instanceof ContractFunctionRevertedError)
    expect(revert).toMatchObject({ reason: 'too late' })
  })

  test('recognises a block that is not found', async () => {
    const { reader } = await connect()
    const [address] = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] as const
    const error = await rejection(reader.getBalance({ address, blockNumber: 99n }))
    expect(
      error instanceof BaseError && error.walk((it) => it instanceof ResourceNotFoundRpcError),
    ).toBeTruthy()
  })

  test('moves the clock and goes back', async () => {
    const { reader, tester } = await connect()
    const id = await tester.snapshot()
    await tester.mine({ blocks: 3 })
    expect(await reader.getBlockNumber()).toBe(3n)
    await tester.revert({ id })
    expect(await reader.getBlockNumber()).toBe(0n)
  })

  test('gets 403 from a public endpoint', async () => {
    const { reader } = await connect({ endpoint: 'public' })
    const error = await rejection(reader.request({ method: 'eth_getBlockReceipts', params: ['latest'] }))
    const status = error instanceof BaseError ? error.walk((it) => it instanceof HttpRequestError) : undefined
    expect(status).toMatchObject({ status: 403 })
  })
})

test('viem batches requests made at once into one body', async () => {
  const chain = await start()
  const { fetch, lengths } = counted(chain.fetch)
  const { reader } = viemOver(NOWHERE, fetch)
  const [number, chainId] = await Promise.all([reader.getBlockNumber(), reader.getChainId()])
  expect([number, chainId]).toEqual([0n, 31_337])
  expect(lengths).toEqual([2])
})

describe.each(places)('%s, ethers', (_, place) => {
  async function connect(options?: EmulatorOptions) {
    const chain = await start(options)
    const { url, fetch } = await place(chain)
    return { chain, provider: ethersOver(url, fetch) }
  }

  test('sends, waits for and reads a payment', async () => {
    const { chain, provider } = await connect()
    const sender = await provider.getSigner(0)
    const receiver = await provider.getSigner(1)
    const { hash } = await sender.sendTransaction({ to: receiver, value: parseEther('1') })
    await chain.advance(200)
    expect(await provider.getTransactionReceipt(hash)).toMatchObject({ status: 1, blockNumber: 1 })
    expect(await provider.getBalance(receiver)).toBe(parseEther('10000'))
    expect(await provider.getBalance(receiver, 'pending')).toBe(parseEther('10001'))
    await chain.advance(1800)
    expect(await (await provider.getTransaction(hash))?.wait()).toMatchObject({ status: 1, blockNumber: 1 })
  })

  test('decodes a revert', async () => {
    const { provider } = await connect()
    const reverter = new Contract(REVERTER, Reverter.abi, provider)
    const call = reverter.getFunction('revertWithString').staticCall('too late')
    expect(await rejection(call)).toMatchObject({ code: 'CALL_EXCEPTION', reason: 'too late' })
  })

  test("has ethers' codes for refusals", async () => {
    const { provider } = await connect()
    expect(await rejection(provider.send('eth_nothing', []))).toMatchObject({ code: 'UNSUPPORTED_OPERATION' })
    const sender = await provider.getSigner(0)
    const poor = sender.sendTransaction({ to: sender, value: parseEther('10001'), gasLimit: 21_000n })
    expect(await rejection(poor)).toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  })

  test('gets 403 from a public endpoint', async () => {
    const { provider } = await connect({ endpoint: 'public' })
    // ethers asks for the network with its first requests, and a refused batch would take that with it.
    await provider.send('eth_blockNumber', [])
    expect(await rejection(provider.send('eth_getBlockReceipts', ['latest']))).toMatchObject({
      code: 'SERVER_ERROR',
      response: { statusCode: 403 },
    })
  })
})

test('ethers batches requests made at once into one body', async () => {
  const chain = await start()
  const { fetch, lengths } = counted(chain.fetch)
  const provider = ethersOver(NOWHERE, fetch)
  await provider.send('eth_blockNumber', [])
  lengths.length = 0
  expect(await Promise.all([provider.send('eth_blockNumber', []), provider.send('eth_chainId', [])])).toEqual(
    ['0x0', '0x7a69'],
  )
  expect(lengths).toEqual([2])
})

describe('a server on the loopback interface', () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const headers = { 'content-type': 'application/json' }

  test.each([
    ['POST', { method: 'POST', headers, body }, 200],
    ['GET', { method: 'GET' }, 405],
    ['HEAD', { method: 'HEAD' }, 405],
    ['OPTIONS', { method: 'OPTIONS' }, 405],
    ['POST of plain text', { method: 'POST', body }, 415],
    ['POST of too much', { method: 'POST', headers, body: body.padEnd(1001) }, 413],
  ])('%s -> %j', async (_, init, status) => {
    const { url } = await serve(await start({ limits: { bodyBytes: 1000 } }))
    const response = await fetch(url, init)
    expect(response.status).toBe(status)
    await response.arrayBuffer()
  })

  test('a method that fetch does not send is answered by 405 too', async () => {
    const { url } = await serve(await start())
    const [response] = await once(request(url, { method: 'TRACE' }).end(), 'response')
    response.resume()
    expect(response.statusCode).toBe(405)
    expect(response.headers.allow).toBe('POST')
  })

  test('a client that disconnects during its request does no harm', async () => {
    const { url, server } = await serve(await start())
    const leaving = request(url, { method: 'POST', headers: { ...headers, 'content-length': '1000' } })
    leaving.on('error', () => undefined)
    leaving.write('{"jsonrpc"')
    const [incoming] = await once(server, 'request')
    leaving.destroy()
    await new Promise((resolve) => incoming.on('close', resolve))
    const response = await fetch(url, { method: 'POST', headers, body })
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' })
  })

  test('a request that waits for a receipt is answered when the clock has moved', async () => {
    const chain = await start()
    const { url } = await serve(chain)
    const { wallet } = viemOver(url)
    const [serializedTransaction, accepted] = [
      await makeWallet(chain, ALICE_KEY).sign({ to: REVERTER, value: 0n, gas: 100_000n }),
      new Promise((resolve) => chain.on('pendingTransaction', resolve)),
    ]
    const waiting = wallet.sendRawTransactionSync({ serializedTransaction })
    await accepted
    await chain.advance(200)
    // The contract has no fallback, so the call reverts.
    expect(await waiting).toMatchObject({ status: 'reverted', blockNumber: 1n })
  })
})
