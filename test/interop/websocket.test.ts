// viem's and ethers' WebSocket clients, unchanged, over a server that mounts chain.connect.

import { once } from 'node:events'
import { WebSocketProvider } from 'ethers'
import { createEmulator, type Emulator } from 'tickchain'
import { createPublicClient, createWalletClient, parseEther, webSocket } from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { serveChain } from './serve-chain.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

async function serve(): Promise<{ chain: Emulator; url: string }> {
  const chain = await createEmulator()
  const { host, close } = await serveChain(chain)
  closings.push(close)
  return { chain, url: `ws://${host}` }
}

/** Resolves to the first `count` values that a watcher tells. */
function collect<Value>(count: number, watch: (hear: (value: Value) => void) => unknown): Promise<Value[]> {
  return new Promise((resolve) => {
    const heard: Value[] = []
    watch((value) => {
      heard.push(value)
      if (heard.length === count) resolve(heard)
    })
  })
}

test("viem's webSocket reads, sends and watches", async () => {
  const { chain, url } = await serve()
  const transport = webSocket(url, { retryCount: 0, reconnect: false, keepAlive: false })
  const reader = createPublicClient({ chain: foundry, transport, cacheTime: 0 })
  const wallet = createWalletClient({ chain: foundry, transport })
  const socket = await reader.transport.getRpcClient()
  closings.push(() => socket.close())

  const numbers = collect<bigint>(2, (onBlockNumber) => reader.watchBlockNumber({ onBlockNumber }))
  const hashes = collect<readonly string[]>(1, (onTransactions) =>
    reader.watchPendingTransactions({ onTransactions }),
  )
  // An answer to a later request shows that the subscriptions have begun.
  await reader.getChainId()
  await reader.getChainId()
  const hash = await wallet.sendTransaction({ account: ALICE, to: BOB, value: parseEther('1') })
  expect(await hashes).toEqual([[hash]])
  await chain.advance(4000)
  expect(await numbers).toEqual([1n, 2n])
  expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ blockNumber: 1n, status: 'success' })
})

test("ethers' WebSocketProvider reads, sends and listens", async () => {
  const { chain, url } = await serve()
  const provider = new WebSocketProvider(url, undefined, { cacheTimeout: -1 })
  closings.push(() => provider.destroy())
  const signer = await provider.getSigner(ALICE)
  const numbers = collect<number>(2, (hear) => provider.on('block', hear))
  await provider.getBlockNumber()
  await provider.getBlockNumber()
  const payment = await signer.sendTransaction({ to: BOB, value: parseEther('1') })
  await chain.advance(4000)
  expect(await numbers).toEqual([1, 2])
  expect(await payment.wait()).toMatchObject({ blockNumber: 1, status: 1 })
})

test('the subscriptions of a client that goes away end', async () => {
  const { chain, url } = await serve()
  const socket = new WebSocket(url)
  await once(socket, 'open')
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  const [answer] = await once(socket, 'message')
  expect(`${answer}`).toBe('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
  socket.terminate()
  await once(socket, 'close')
  // The server hears of it some time later; sealing goes on meanwhile.
  await chain.advance(10_000)
  expect(await chain.request('eth_blockNumber')).toBe('0x5')
})
