// The symptoms of docs/troubleshooting.md, reproduced with the messages that the page quotes.
import { setTimeout as sleep } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { BrowserProvider, type JsonRpcApiProvider, Wallet } from 'ethers'
import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorActions, emulatorConfig } from 'tickchain/viem'
import { createPublicClient, createWalletClient, custom, type Hash, parseGwei, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { read } from '../tidy/repository.ts'
import 'tickchain/vitest'

const page = read('docs/troubleshooting.md')
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const NOBODY = '0x00000000000000000000000000000000000000aa'
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
/** Reverts with the text "no". */
const REVERTER = '0x6308c379a060e01b5f5260206004526002602452616e6f60f01b60445260645ffd'

const local = privateKeyToAccount(KEY)

/** viem as it comes, but for the pause between its polls. */
function plainClient(chain: Pick<Emulator, 'request'>) {
  return createWalletClient({ chain: foundry, transport: custom(chain), pollingInterval: 5 }).extend(
    publicActions,
  )
}

function ownClient(chain: Emulator) {
  return createWalletClient({ ...emulatorConfig(chain), account: local }).extend(publicActions)
}

function pay(chain: Emulator, from: string = ALICE): Promise<Hash> {
  return chain.request('eth_sendTransaction', [{ from: from as Hash, to: BOB, value: '0x1' }])
}

function signTransfer(chainId: number, nonce: number, gwei = '10') {
  const fees = { maxFeePerGas: parseGwei(gwei), maxPriorityFeePerGas: 0n }
  return local.signTransaction({ chainId, to: BOB, gas: 21_000n, nonce, type: 'eip1559', ...fees })
}

/** Whether a promise is still open after some real time. */
async function hangs(promise: Promise<unknown>, ms = 100): Promise<boolean> {
  const settled = promise.then(
    () => false,
    () => false,
  )
  return Promise.race([settled, sleep(ms, true)])
}

/** Expects that it fails with a message that the page quotes. */
async function expectQuoted(failing: unknown, quote: string): Promise<void> {
  const promise = typeof failing === 'function' ? Promise.resolve().then(failing as () => unknown) : failing
  await expect(promise).rejects.toThrow(quote)
  expect(page).toContain(quote.replace(/0x[0-9a-f]{64}/, '0x…'))
}

const providers: JsonRpcApiProvider[] = []
function browserProvider(chain: Emulator): BrowserProvider {
  const provider = new BrowserProvider(chain)
  providers.push(provider)
  return provider
}

afterEach(() => {
  vi.useRealTimers()
  for (const provider of providers.splice(0)) provider.destroy()
})

describe('a wait that never ends', () => {
  test('of viem', async () => {
    const chain = await createEmulator()
    const client = plainClient(chain)
    const hash = await pay(chain)
    const text = `Timed out while waiting for transaction with hash "${hash}" to be confirmed.`
    await expectQuoted(client.waitForTransactionReceipt({ hash, timeout: 50 }), text)
  })

  test('of viem, after a partial block', async () => {
    const chain = await createEmulator()
    const client = plainClient(chain)
    const hash = await pay(chain)
    const waiting = client.waitForTransactionReceipt({ hash })
    await sleep(20)
    await chain.advance(200)
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await hangs(waiting)).toBe(true)
    await chain.advance(1800)
    expect(await waiting).toMatchObject({ blockNumber: 1n })
  })

  test('and not of the actions of the package', async () => {
    const chain = await createEmulator()
    const client = ownClient(chain).extend(emulatorActions(chain))
    const waiting = client.waitForTransactionReceipt({ hash: await pay(chain) })
    await chain.advance(200)
    expect(await waiting).toMatchObject({ blockNumber: 1n })
  })

  test('of ethers', async () => {
    const chain = await createEmulator()
    const signer = await browserProvider(chain).getSigner(0)
    const payment = await signer.sendTransaction({ to: BOB, value: 1n })
    await expectQuoted(payment.wait(1, 50), 'wait for transaction timeout')
  })

  test('of ethers under fake timers, and not of its provider here', async () => {
    const chain = await createEmulator()
    vi.useFakeTimers()
    expect(await hangs(browserProvider(chain).getBlockNumber())).toBe(true)
    expect(await new EmulatorProvider(chain).getBlockNumber()).toBe(0)
  })

  test('of eth_sendRawTransactionSync', async () => {
    const chain = await createEmulator()
    const waiting = chain.request('eth_sendRawTransactionSync', [await signTransfer(31_337, 3)])
    expect(await hangs(waiting, 50)).toBe(true)
    const refusal = expectQuoted(waiting, "wasn't confirmed within 6s.")
    await chain.advance(7000)
    await refusal
  })

  test.each([
    ['a gap in the nonces', 5, '10', { pending: '0x0', queued: '0x1' }],
    ['a fee cap below the base fee', 0, '0.000000001', { pending: '0x1', queued: '0x0' }],
  ] as const)('for %s', async (_, nonce, gwei, status) => {
    const chain = await createEmulator()
    const hash = await chain.request('eth_sendRawTransaction', [await signTransfer(31_337, nonce, gwei)])
    await chain.advance(4000)
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toBeNull()
    expect(await chain.request('txpool_status', [])).toEqual(status)
  })

  test('behind a fault', async () => {
    const chain = await createEmulator()
    await chain.fault({ method: 'eth_chainId', delayMs: 1000, times: 1 })
    const slow = chain.request('eth_chainId')
    expect(await hangs(slow, 50)).toBe(true)
    await chain.advance(1000)
    expect(await slow).toBe('0x7a69')
  })
})

describe('a stale value', () => {
  test('the block number of viem', async () => {
    const chain = await createEmulator()
    const client = createPublicClient({ chain: foundry, transport: custom(chain) })
    await client.getBlockNumber()
    await chain.advance(2000)
    expect(await client.getBlockNumber()).toBe(0n)
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(1n)
    expect(await createPublicClient(emulatorConfig(chain)).getBlockNumber()).toBe(1n)
  })

  test('a balance of ethers', async () => {
    const chain = await createEmulator()
    const provider = browserProvider(chain)
    await provider.getBalance(BOB)
    await chain.setBalance(BOB, 1n)
    expect(await provider.getBalance(BOB)).toBe(10n ** 22n)
    expect(await new EmulatorProvider(chain).getBalance(BOB)).toBe(1n)
  })

  test('the balance after a pre-confirmed payment', async () => {
    const chain = await createEmulator()
    await pay(chain)
    await chain.advance(200)
    expect(await ownClient(chain).getBalance({ address: BOB })).toBe(10n ** 22n)
    const reader = createPublicClient(emulatorConfig(chain, { reads: 'pending' }))
    expect(await reader.getBalance({ address: BOB })).toBe(10n ** 22n + 1n)
  })

  test('no receipt before a partial block', async () => {
    const chain = await createEmulator()
    const hash = await pay(chain)
    const text = `Transaction receipt with hash "${hash}" could not be found.`
    await expectQuoted(ownClient(chain).getTransactionReceipt({ hash }), text)
  })

  test('pre-confirmed logs', async () => {
    // LOG0 without data.
    const chain = await createEmulator({ genesis: { alloc: { [NOBODY]: { code: '0x5f5fa000' } } } })
    await chain.request('eth_sendTransaction', [{ from: ALICE, to: NOBODY }])
    await chain.advance(200)
    const logs = (fromBlock: string, toBlock: string) =>
      chain.request('eth_getLogs', [{ fromBlock, toBlock } as { fromBlock: 'latest'; toBlock: 'latest' }])
    expect(await logs('0x0', 'latest')).toEqual([])
    expect(await logs('pending', 'pending')).toHaveLength(1)
  })

  test('the block hash of a receipt', async () => {
    const chain = await createEmulator()
    const hash = await pay(chain)
    await chain.advance(200)
    const first = await chain.request('eth_getTransactionReceipt', [hash])
    const blockHash = first?.blockHash as Hash
    expect(await chain.request('eth_getBlockByHash', [blockHash, false])).toMatchObject({ number: '0x1' })
    await pay(chain, BOB)
    await chain.advance(200)
    expect((await chain.request('eth_getTransactionReceipt', [hash]))?.blockHash).not.toBe(blockHash)
    expect(await chain.request('eth_getBlockByHash', [blockHash, false])).toBeNull()
    await expectQuoted(
      () => chain.request('eth_getLogs', [{ blockHash }]),
      `block not found: hash ${blockHash}`,
    )
  })

  test('the time', async () => {
    const chain = await createEmulator()
    expect(new Date(chain.now).toISOString()).toBe('2024-01-01T00:00:00.000Z')
  })
})

test('a call of viem that reverts is made four times', async () => {
  const chain = await createEmulator({ genesis: { alloc: { [NOBODY]: { code: REVERTER } } } })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const request = vi.fn(chain.request)
  const calling = plainClient({ request } as never).call({ to: NOBODY })
  const refused = expect(calling).rejects.toThrow('Execution reverted with reason: no.')
  // viem waits 150, 300 and 600 ms in between.
  await vi.advanceTimersByTimeAsync(1050)
  await refused
  expect(request).toHaveBeenCalledTimes(4)

  const once = vi.fn(chain.request)
  const client = createPublicClient({ transport: custom({ request: once } as never, { retryCount: 0 }) })
  await expect(client.call({ to: NOBODY })).rejects.toThrow('Execution reverted with reason: no.')
  expect(once).toHaveBeenCalledTimes(1)
})

describe('nonces of local accounts', () => {
  test('viem, at the same time', async () => {
    const client = ownClient(await createEmulator())
    const both = Promise.all([1n, 2n].map((value) => client.sendTransaction({ to: BOB, value })))
    await expectQuoted(both, 'Missing or invalid parameters.')
    await expectQuoted(both, 'replacement transaction underpriced')
  })

  test('viem, one after the other', async () => {
    const client = ownClient(await createEmulator())
    await client.sendTransaction({ to: BOB, value: 1n })
    expect(await client.sendTransaction({ to: BOB, value: 2n })).toMatch(/^0x/)
  })

  test('ethers, one after the other', async () => {
    const wallet = new Wallet(KEY, new EmulatorProvider(await createEmulator()))
    await wallet.sendTransaction({ to: BOB, value: 1n })
    await expectQuoted(wallet.sendTransaction({ to: BOB, value: 2n }), 'replacement fee too low')
    const again = wallet.sendTransaction({ to: BOB, value: 1n })
    await expectQuoted(again, 'could not coalesce error')
    await expectQuoted(again, 'already known')
  })

  test('a nonce that is already used', async () => {
    const chain = await createEmulator()
    await pay(chain)
    await chain.advance(200)
    const again = ownClient(chain).sendTransaction({ to: BOB, nonce: 0 })
    await expectQuoted(
      again,
      'Nonce provided for the transaction is lower than the current nonce of the account.',
    )
    await expectQuoted(again, 'nonce too low: next nonce 1, tx nonce 0')
    const wallet = new Wallet(KEY, new EmulatorProvider(chain))
    await expectQuoted(wallet.sendTransaction({ to: BOB, nonce: 0 }), 'nonce has already been used')
  })
})

describe('an error', () => {
  async function begun(): Promise<Emulator> {
    const chain = await createEmulator()
    await pay(chain)
    await chain.advance(200)
    return chain
  }

  async function mined(blocks: number, options?: EmulatorOptions): Promise<Emulator> {
    const chain = await createEmulator(options)
    await chain.mine(blocks)
    return chain
  }

  const errors: readonly (readonly [string, () => unknown])[] = [
    [
      'the block being built already holds preconfirmed transactions; seal it first',
      async () => (await begun()).request('evm_setNextBlockTimestamp', [1_800_000_000]),
    ],
    [
      'the block being built already holds preconfirmed transactions; seal it first',
      async () => (await begun()).setNextBlockPrevRandao(`0x${'11'.repeat(32)}`),
    ],
    [
      "Timestamp error: 1 is lower than previous block's timestamp",
      async () => (await createEmulator()).request('evm_setNextBlockTimestamp', [1]),
    ],
    ['timestamp 1 is too low: ', async () => (await createEmulator()).setNextBlockTimestamp(1)],
    ['unknown account 0x', async () => pay(await createEmulator(), NOBODY)],
    [
      'insufficient funds for gas * price + value: address 0x',
      async () => {
        const chain = await createEmulator()
        await chain.impersonate(NOBODY)
        return pay(chain, NOBODY)
      },
    ],
    [
      'invalid sender: invalid chain id for signer: have 1 want 31337',
      async () => (await createEmulator()).request('eth_sendRawTransaction', [await signTransfer(1, 0)]),
    ],
    [
      'filter not found',
      async () => {
        const chain = await createEmulator()
        const id = await chain.request('eth_newBlockFilter')
        return chain.clone().request('eth_getFilterChanges', [id])
      },
    ],
    [
      'unknown snapshot handle',
      async () => {
        const [chain, other] = [await createEmulator(), await createEmulator()]
        return other.revert(chain.snapshot())
      },
    ],
    [
      'historical state of block 1 is not available: the option stateHistory does not keep it',
      async () => (await mined(500, { stateHistory: 10 })).request('eth_getBalance', [ALICE, '0x1']),
    ],
    [
      'advance would perform 500000000 steps, more than the limit of 20000000',
      async () => (await createEmulator()).advance(1e12),
    ],
    [
      'query exceeds max block range 2000',
      async () => (await mined(2500)).request('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]),
    ],
    ['Do not know how to serialize a BigInt', () => JSON.stringify({ value: 1n })],
    [
      'expected a whole number from 0 to 2^256 - 1, as hex or number, got 1n',
      async () => (await createEmulator()).request('eth_sendTransaction', [{ to: BOB, value: 1n as never }]),
    ],
    [
      'expected a test of chainTest that uses its chain, or { chain } as the last argument',
      () => expect(`0x${'11'.repeat(32)}`).toBeSealed(),
    ],
    [
      'the emulator has been disposed',
      async () => {
        const chain = await createEmulator()
        chain.dispose()
        return chain.request('eth_blockNumber')
      },
    ],
    [
      'Wasm code generation disallowed by embedder',
      () =>
        runInNewContext('new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))', undefined, {
          contextCodeGeneration: { wasm: false },
        }),
    ],
  ]

  test.each(errors)('%s', async (message, cause) => {
    await expectQuoted(cause, message)
  })

  test('subscriptions over an envelope', async () => {
    const chain = await createEmulator()
    const asked = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }
    expect(await chain.handle(asked)).toMatchObject({ error: { message: 'notifications not supported' } })
    expect(page).toContain('`notifications not supported`')
  })

  test('a snapshot that is used up', async () => {
    const chain = await createEmulator()
    const id = await chain.request('evm_snapshot')
    expect(await chain.request('evm_revert', [id])).toBe(true)
    expect(await chain.request('evm_revert', [id])).toBe(false)
    const kept = await chain.request('evm_snapshot')
    expect(await chain.request('evm_revert', [kept, { keep: true }])).toBe(true)
    expect(await chain.request('evm_revert', [kept])).toBe(true)
  })

  test('filters survive a revert', async () => {
    const chain = await createEmulator()
    const snapshot = chain.snapshot()
    const id = await chain.request('eth_newBlockFilter')
    await chain.advance(2000)
    await chain.revert(snapshot)
    expect(await chain.request('eth_getFilterChanges', [id])).toHaveLength(1)
  })
})
