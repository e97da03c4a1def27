// Waits of viem and ethers on the virtual clock: a wait ends with the block that satisfies it, however the clock comes
// there.

import { BrowserProvider } from 'ethers'
import { coupleTimers, createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorActions, emulatorConfig } from 'tickchain/viem'
import { createPublicClient, createWalletClient, custom, type Hex, parseGwei, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { keepWaits } from '../src/core/rpc/events/stalled-waits.ts'
import { forbidTimers, settle } from './interop/recorded.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const GENESIS_MS = 1_704_067_200_000

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a wait while nothing moves the clock', () => {
  const start = async (options?: EmulatorOptions) => {
    const chain = await createEmulator(options)
    const hash = await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB }])
    const receipt = (of = chain) => of.request('eth_getTransactionReceipt', [hash])
    return { chain, hash, receipt, warn: vi.spyOn(console, 'warn').mockReturnValue() }
  }

  test.each(['viem', 'ethers'])('of plain %s is told of with what ends it, once', async (library) => {
    const { chain, warn } = await start()
    const stalled = new Promise<void>((resolve) => void warn.mockImplementation(() => resolve()))
    const provider = new BrowserProvider(chain, undefined, { cacheTimeout: -1, pollingInterval: 1 })
    const client = createWalletClient({ chain: foundry, transport: custom(chain), pollingInterval: 1 })
    const pay = async () => {
      if (library === 'ethers')
        return (await (await provider.getSigner(0)).sendTransaction({ to: BOB })).wait()
      const hash = await client.sendTransaction({ account: ALICE, to: BOB })
      return client.extend(publicActions).waitForTransactionReceipt({ hash })
    }
    const paying = pay()
    await stalled
    await chain.advance(2000)
    await paying
    provider.destroy()
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn).toHaveBeenCalledWith(
      expect.stringMatching(
        /^tickchain: a client waits for transaction 0x.{64}, which is in the pool, and nothing moves the clock: chain\.advance\(200\) .* createEmulator\(\{ production: 'auto' \}\)/,
      ),
    )
  })

  test('is an event if somebody listens, also of a clone', async () => {
    const { chain, hash, receipt, warn } = await start()
    const copy = chain.clone()
    const told = vi.fn()
    copy.on('stalledWait', told)
    await chain.advance(200)
    for (let poll = 0; poll < 5; poll++) expect(await receipt(copy)).toBe(null)
    expect(told).toHaveBeenCalledTimes(1)
    expect(told).toHaveBeenCalledWith({
      transactionHash: hash,
      message: expect.stringContaining('advance(200)'),
    })
    expect(warn).not.toHaveBeenCalled()
  })

  test('is none if a test looks, the clock moves, or the transaction is unknown', async () => {
    const { chain, receipt, warn } = await start()
    expect(await receipt()).toBe(null)
    await chain.request('eth_blockNumber')
    for (let poll = 0; poll < 5; poll++) {
      expect(await chain.request('eth_getTransactionReceipt', [`0x${'1'.repeat(64)}`])).toBe(null)
      await chain.advance(10)
      expect(await receipt()).toBe(null)
    }
    await chain.advance(200)
    for (let poll = 0; poll < 5; poll++) expect(await receipt()).toMatchObject({ status: '0x1' })
    const hashes = []
    for (let nonce = 1; nonce < 6; nonce++)
      hashes.push(await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB }]))
    for (const hash of hashes) expect(await chain.request('eth_getTransactionReceipt', [hash])).toBe(null)
    const coupled = await start()
    coupleTimers(coupled.chain, async () => {})
    for (let poll = 0; poll < 5; poll++) await coupled.receipt()
    expect(warn).not.toHaveBeenCalled()
  })

  test('of a bundle of calls is told of', async () => {
    const { chain, warn } = await start()
    const client = createWalletClient(emulatorConfig(chain)).extend(publicActions)
    const { id } = await client.sendCalls({ account: ALICE, calls: [{ to: BOB }] })
    for (let poll = 0; poll < 3; poll++) await client.getCallsStatus({ id })
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('chain.advance(200)'))
  })

  test('for more confirmations is told of', { tags: 'gate' }, async () => {
    const { chain, hash, warn } = await start({ production: 'auto' })
    const told = new Promise<void>((resolve) => void warn.mockImplementation(() => resolve()))
    const reader = createPublicClient(emulatorConfig(chain))
    const waiting = reader.waitForTransactionReceipt({ hash, confirmations: 2 })
    await told
    await chain.mine()
    await waiting
    const words = `${hash}, which is in block 1, and waits for more: chain.mine() makes the next.`
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(words))
  })

  test('for a transaction of another chain is told of', async () => {
    const { chain, warn } = await start()
    const hash = `0x${'1'.repeat(64)}` as const
    for (let poll = 0; poll < 10; poll++) await chain.request('eth_getTransactionReceipt', [hash])
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn).toHaveBeenCalledWith(
      expect.stringContaining(
        `a client waits for transaction ${hash}, which is neither in the pool nor in a block: it is of another chain, or was taken out.`,
      ),
    )
  })

  test('names the nonce that is missing', async () => {
    const { chain, warn } = await start({ production: 'auto' })
    const hash = await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB, nonce: '0x7' }])
    for (let poll = 0; poll < 5; poll++) await chain.request('eth_getTransactionReceipt', [hash])
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('it waits for nonce 1'))
  })
})

describe('a wait that does not poll, in a test that has timed out', () => {
  const waits = keepWaits()

  const UNKNOWN = `0x${'1'.repeat(64)}` as const

  interface Waiting {
    readonly chain: Emulator
    readonly provider: EmulatorProvider
    readonly reader: ReturnType<typeof readerOf>
    readonly hash: Hex
  }

  const readerOf = (chain: Emulator) =>
    createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))

  const waitOf = async ({ provider, hash }: Waiting, confirmations?: number) =>
    (await provider.getTransaction(hash))?.wait(confirmations)

  const IN_POOL = 'which is in the pool, and nothing moves the clock: chain.advance(200) goes to'

  // What it waits for, and what ends it: of the production, and of the moment before the wait begins.
  const cases: readonly (readonly [
    name: string,
    production: 'auto' | 'interval' | 'manual',
    before: (chain: Emulator) => Promise<unknown>,
    wait: (waiting: Waiting) => Promise<unknown>,
    words: string,
  ])[] = [
    ['wait of ethers', 'interval', async () => {}, (of) => waitOf(of), IN_POOL],
    [
      'waitForTransaction of ethers',
      'interval',
      async () => {},
      ({ provider, hash }) => provider.waitForTransaction(hash),
      IN_POOL,
    ],
    [
      'waitForTransaction of ethers for a seal',
      'interval',
      (chain) => chain.advance(200),
      ({ provider, hash }) => provider.waitForTransaction(hash),
      'which is pre-confirmed in block 1, and waits for more: chain.advance(1800) seals it.',
    ],
    [
      'wait(2) of ethers',
      'auto',
      async () => {},
      (of) => waitOf(of, 2),
      'which is in block 1, and waits for more: chain.mine() makes the next.',
    ],
    [
      'wait(3) of ethers',
      'interval',
      (chain) => chain.advance(2500),
      (of) => waitOf(of, 3),
      'which is in block 1, and waits for more: chain.advance(1500) makes the next.',
    ],
    [
      'the actions of viem',
      'interval',
      async () => {},
      ({ reader, hash }) => reader.waitForTransactionReceipt({ hash }),
      IN_POOL,
    ],
    [
      'the actions of viem, with confirmations',
      'manual',
      (chain) => chain.seal(),
      ({ reader, hash }) => reader.waitForTransactionReceipt({ hash, confirmations: 2 }),
      'which is in block 1, and waits for more: chain.mine() makes the next.',
    ],
    [
      'the actions of viem, for the hash of another chain',
      'auto',
      async () => {},
      ({ reader }) => reader.waitForTransactionReceipt({ hash: UNKNOWN }),
      'which is neither in the pool nor in a block',
    ],
    [
      'eth_sendTransactionSync',
      'manual',
      async () => {},
      ({ chain }) => chain.request('eth_sendTransactionSync', [{ from: BOB, to: ALICE }]),
      IN_POOL,
    ],
  ]

  test.each(cases)(
    '%s is told of, with production %s',
    { tags: 'gate' },
    async (_name, production, before, wait, words) => {
      const chain = await createEmulator({ production })
      const hash = await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB }])
      const provider = new EmulatorProvider(chain)
      await before(chain)
      const told = new Promise<string>((resolve) =>
        chain.on('stalledWait', ({ message }) => resolve(message)),
      )
      const waiting = wait({ chain, provider, reader: readerOf(chain), hash }).catch(() => undefined)
      await settle()
      await waits.tell()
      expect(await told).toContain(words)
      chain.dispose()
      provider.destroy()
      void waiting
    },
  )

  test('is none when it is over, or of an earlier test', { tags: 'gate' }, async () => {
    const chain = await createEmulator()
    const told = vi.fn()
    chain.on('stalledWait', told)
    const reader = readerOf(chain)
    const waitForNext = async () =>
      reader.waitForTransactionReceipt({
        hash: await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB }]),
      })
    const waiting = waitForNext()
    await settle()
    await chain.advance(200)
    await waiting
    await waits.tell()
    const later = waitForNext()
    await settle()
    waits.forget()
    await waits.tell()
    expect(told).not.toHaveBeenCalled()
    await chain.advance(200)
    await later
  })
})

// The base fee of the chain's first block is 875,000,000 wei: anvil and Hardhat refuse such a fee, geth's pool takes it.
describe('a fee cap below the base fee', () => {
  const FEES = { maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x1', gas: '0x5208' } as const
  const low = async (options: EmulatorOptions) => {
    const chain = await createEmulator({ genesis: { baseFeePerGas: '0x3b9aca00' }, ...options })
    const hash = await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB, ...FEES }])
    return { chain, hash, warn: vi.spyOn(console, 'warn').mockReturnValue() }
  }
  const WORDS =
    'its fee cap, 5 wei per gas, is below the base fee of 875000000: send nonce 0 again with a higher fee, or chain.setNextBlockBaseFee(5n) and chain.seal()'

  test.each(['auto', 'interval'] as const)(
    'is what a wait is told of with production %s',
    async (production) => {
      const { chain, hash, warn } = await low({ production })
      for (let poll = 0; poll < 5; poll++) await chain.request('eth_getTransactionReceipt', [hash])
      expect(warn).toHaveBeenCalledTimes(1)
      const [[message]] = warn.mock.calls as [[string]]
      expect(message).toContain(`which is in the pool: ${WORDS}. See`)
    },
  )

  test.each(['auto', 'interval'] as const)(
    'is what the actions of viem tell, with production %s',
    async (production) => {
      const { chain, hash, warn } = await low({ production })
      const reader = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
      const waiting = reader.waitForTransactionReceipt({ hash })
      await settle()
      expect(warn).toHaveBeenCalledWith(expect.stringContaining(WORDS))
      // What it says helps.
      await chain.setNextBlockBaseFee(5n)
      await chain.seal()
      expect(await waiting).toMatchObject({ status: 'success' })
    },
  )

  test.each(['wait', 'waitForTransaction'])('is what %s of ethers tells', async (wait) => {
    const { chain, hash, warn } = await low({ production: 'auto' })
    const provider = new EmulatorProvider(chain)
    const waiting =
      wait === 'wait'
        ? (await provider.getTransaction(hash))?.wait()
        : provider.waitForTransaction(`0x${hash.slice(2).toUpperCase()}`)
    await settle()
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(WORDS))
    await chain.setNextBlockBaseFee(5n)
    await chain.seal()
    expect(await waiting).toMatchObject({ status: 1 })
  })

  test('holds up the nonces behind it', async () => {
    const { chain, warn } = await low({ production: 'auto' })
    const behind = await chain.request('eth_sendTransaction', [
      { from: ALICE, to: BOB, nonce: '0x1', gas: '0x5208' },
    ])
    for (let poll = 0; poll < 5; poll++) await chain.request('eth_getTransactionReceipt', [behind])
    expect(warn).toHaveBeenCalledWith(
      expect.stringContaining('the fee cap of nonce 0 before it, 5 wei per gas'),
    )
    expect(
      await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB, nonce: '0x0', gas: '0x5208' }]),
    ).toMatch(/^0x/)
    expect(await chain.request('eth_getTransactionReceipt', [behind])).toMatchObject({ status: '0x1' })
  })
})

interface Waiting {
  readonly chain: Emulator
  /** The receipt's block, or what the wait was refused with. */
  ended:
    | { readonly block?: number | undefined; readonly hash?: string | undefined; readonly error?: unknown }
    | undefined
}

/** Sends a transaction and begins to wait with viem. */
async function waitWithViem(confirmations: number, options: EmulatorOptions = {}): Promise<Waiting> {
  const chain = await createEmulator(options)
  const wallet = createWalletClient(emulatorConfig(chain))
  const reader = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
  const hash = await wallet.sendTransaction({ account: ALICE, to: BOB, value: 1n, gas: 21_000n })
  const waiting: Waiting = { chain, ended: undefined }
  reader.waitForTransactionReceipt({ hash, confirmations }).then(
    ({ blockNumber, blockHash }) => {
      waiting.ended = { block: Number(blockNumber), hash: blockHash }
    },
    (error) => {
      waiting.ended = { error }
    },
  )
  return waiting
}

/** Sends a transaction and begins to wait with ethers. */
async function waitWithEthers(confirmations: number, options: EmulatorOptions = {}): Promise<Waiting> {
  const chain = await createEmulator(options)
  const provider = new EmulatorProvider(chain)
  const signer = await provider.getSigner()
  const response = await signer.sendTransaction({ to: BOB, value: 1n, gasLimit: 21_000 })
  const waiting: Waiting = { chain, ended: undefined }
  response.wait(confirmations).then(
    (receipt) => {
      waiting.ended = { block: receipt?.blockNumber, hash: receipt?.blockHash }
    },
    (error) => {
      waiting.ended = { error }
    },
  )
  return waiting
}

/** Steps of the clock until the wait is over; the time on the clock then, since genesis. */
async function step(waiting: Waiting, move: (chain: Emulator) => Promise<unknown>): Promise<number> {
  const { chain } = waiting
  for (let count = 0; waiting.ended === undefined; count++) {
    if (count > 20_000) throw new Error('the wait does not end')
    await move(chain)
  }
  return chain.now - GENESIS_MS
}

const STEPS = [50, 200, 333, 1000, 1999, 2000, 2001, 3000, 10_000]

/** The first time at or after `dueMs` that steps of `ms` come to. */
const reached = (dueMs: number, ms: number): number => Math.ceil(dueMs / ms) * ms

describe('viem: waitForTransactionReceipt', () => {
  // Pre-confirmed after 200 ms; block n is sealed after 2n seconds.
  const dueMs = (confirmations: number): number => (confirmations <= 1 ? 200 : confirmations * 2000)
  const cases = [0, 1, 2, 3, 5].flatMap((confirmations) => STEPS.map((ms) => [confirmations, ms] as const))

  test.each(cases)(
    'with %d confirmations, in steps of %d ms',
    { tags: 'gate' },
    async (confirmations, ms) => {
      const waiting = await waitWithViem(confirmations)
      forbidTimers()
      expect(await step(waiting, (chain) => chain.advance(ms))).toBe(reached(dueMs(confirmations), ms))
      expect(waiting.ended?.block).toBe(1)
      if (confirmations < 2) return
      const block = await waiting.chain.request('eth_getBlockByNumber', [1, false])
      expect(waiting.ended?.hash).toBe(block?.hash)
    },
  )

  test('in steps of 1 ms', { tags: 'gate' }, async () => {
    expect(await step(await waitWithViem(1), (chain) => chain.advance(1))).toBe(200)
    expect(await step(await waitWithViem(2), (chain) => chain.advance(1))).toBe(4000)
  })

  test('two confirmations end with two awaited blocks', async () => {
    const waiting = await waitWithViem(2)
    await waiting.chain.advance(2000)
    expect(waiting.ended).toBeUndefined()
    await waiting.chain.advance(2000)
    expect(waiting.ended?.block).toBe(1)
  })

  test.each([0, 1, 2, 3, 5])(
    'with %d confirmations, when blocks are mined',
    { tags: 'gate' },
    async (confirmations) => {
      for (const count of [1, 2, 7]) {
        const waiting = await waitWithViem(confirmations)
        await step(waiting, (chain) => chain.mine(count))
        const head = Number(await waiting.chain.request('eth_blockNumber'))
        expect(head).toBe(reached(Math.max(confirmations, 1), count))
      }
    },
  )

  test('by next, seal, a jump, and evm_mine after a timestamp that was set', async () => {
    expect(await step(await waitWithViem(1), (chain) => chain.next())).toBe(200)
    expect(await step(await waitWithViem(2), (chain) => chain.next())).toBe(4000)
    const sealing = await waitWithViem(3)
    await step(sealing, (chain) => chain.seal())
    expect(await sealing.chain.request('eth_blockNumber')).toBe('0x3')
    const jumping = await waitWithViem(1)
    expect(await step(jumping, (chain) => chain.jump(60_000))).toBe(60_000)
    const stamped = await waitWithViem(2)
    await step(stamped, async (chain) => {
      const head = await chain.request('eth_getBlockByNumber', ['latest', false])
      await chain.setNextBlockTimestamp(Number(head?.timestamp) + 1000)
      await chain.request('evm_mine', [])
    })
    expect(stamped.chain.now - GENESIS_MS).toBe(2_000_000)
  })

  test('a transaction that is confirmed already ends it at once', async () => {
    const chain = await createEmulator({ production: 'auto' })
    const wallet = createWalletClient(emulatorConfig(chain))
    const reader = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
    const hash = await wallet.sendTransaction({ account: ALICE, to: BOB, value: 1n })
    await chain.mine(4)
    for (const confirmations of [0, 1, 2, 5]) {
      expect(await reader.waitForTransactionReceipt({ hash, confirmations })).toMatchObject({
        blockNumber: 1n,
      })
    }
  })

  test.each(['partial', 'null', 'zero'] as const)('with the pending identity %s', async (pendingIdentity) => {
    const waiting = await waitWithViem(2, { pendingIdentity })
    expect(await step(waiting, (chain) => chain.advance(200))).toBe(4000)
    expect(waiting.ended?.block).toBe(1)
  })

  test('a reorganisation takes confirmations back, and the receipt is that of the new block', async () => {
    const waiting = await waitWithViem(3)
    await waiting.chain.advance(4000)
    await waiting.chain.reorg({ depth: 2 })
    expect(waiting.ended).toBeUndefined()
    // It is in block 3 now.
    expect(await step(waiting, (chain) => chain.advance(200))).toBe(10_000)
    const block = await waiting.chain.request('eth_getBlockByNumber', [3, false])
    expect(waiting.ended).toEqual({ block: 3, hash: block?.hash })
  })

  test.each([1, 2, 3])('with %d confirmations of what replaced the transaction', async (confirmations) => {
    for (const ms of [50, 200, 2000, 10_000]) {
      const chain = await createEmulator()
      const wallet = createWalletClient(emulatorConfig(chain))
      const reader = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
      const send = (to: Hex, value: bigint, gwei: string) =>
        wallet.sendTransaction({
          account: ALICE,
          to,
          value,
          nonce: 0,
          gas: 21_000n,
          gasPrice: parseGwei(gwei),
        })
      const hash = await send(BOB, 1n, '10')
      const onReplaced = vi.fn()
      const waiting: Waiting = { chain, ended: undefined }
      reader.waitForTransactionReceipt({ hash, confirmations, onReplaced }).then((receipt) => {
        waiting.ended = { block: Number(receipt.blockNumber), hash: receipt.transactionHash }
      })
      const by = await send(ALICE, 0n, '20')
      const dueAtMs = confirmations === 1 ? 200 : confirmations * 2000
      expect(await step(waiting, (of) => of.advance(ms))).toBe(reached(dueAtMs, ms))
      expect(waiting.ended).toEqual({ block: 1, hash: by })
      expect(onReplaced).toHaveBeenCalledTimes(1)
      expect(onReplaced).toHaveBeenCalledWith({
        reason: 'cancelled',
        replacedTransaction: expect.objectContaining({ hash, value: 1n, blockNumber: null }),
        transaction: expect.objectContaining({ hash: by, value: 0n, blockNumber: 1n }),
        transactionReceipt: expect.objectContaining({ transactionHash: by, blockNumber: 1n }),
      })
    }
  })

  test.each(['before its block', 'when it is pre-confirmed', 'when it is sealed', 'on a clone'])(
    'begun after the transaction was replaced, %s',
    async (when) => {
      let chain = await createEmulator()
      const wallet = createWalletClient(emulatorConfig(chain))
      const send = (gwei: string) =>
        wallet.sendTransaction({ account: ALICE, to: BOB, nonce: 0, gas: 21_000n, gasPrice: parseGwei(gwei) })
      const hash = await send('10')
      await send('20')
      const by = await send('40')
      if (when === 'when it is pre-confirmed') await chain.advance(200)
      if (when === 'when it is sealed') await chain.advance(2000)
      if (when === 'on a clone') chain = chain.clone()
      const reader = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
      const onReplaced = vi.fn()
      const ended = vi.fn()
      reader.waitForTransactionReceipt({ hash, onReplaced }).then(ended)
      await chain.advance(200)
      await settle()
      expect(ended).toHaveBeenCalledWith(expect.objectContaining({ transactionHash: by, blockNumber: 1n }))
      const replacedTransaction = expect.objectContaining({ hash, gasPrice: parseGwei('10') })
      expect(onReplaced).toHaveBeenCalledWith(
        expect.objectContaining({ reason: 'repriced', replacedTransaction }),
      )
    },
  )

  test('a replacement does not end it without checkReplacement', async () => {
    const chain = await createEmulator()
    const wallet = createWalletClient(emulatorConfig(chain))
    const reader = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
    const send = (gwei: string) =>
      wallet.sendTransaction({ account: ALICE, to: BOB, nonce: 0, gas: 21_000n, gasPrice: parseGwei(gwei) })
    const ended = vi.fn()
    reader.waitForTransactionReceipt({ hash: await send('10'), checkReplacement: false }).then(ended, ended)
    await send('20')
    await chain.advance(20_000)
    await settle()
    expect(ended).not.toHaveBeenCalled()
  })

  test('an onReplaced that throws fails its wait, and not the call that ends it', async () => {
    const chain = await createEmulator()
    const wallet = createWalletClient(emulatorConfig(chain))
    const reader = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
    const send = (gwei: string) =>
      wallet.sendTransaction({ account: ALICE, to: BOB, nonce: 0, gas: 21_000n, gasPrice: parseGwei(gwei) })
    const onReplaced = (): never => {
      throw new Error('of the test')
    }
    const waiting = reader.waitForTransactionReceipt({ hash: await send('10'), onReplaced })
    const refused = expect(waiting).rejects.toThrow('of the test')
    await send('20')
    await chain.advance(2000)
    await refused
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
  })

  test.each([100, 200, 700, 5000])('a time-out is virtual, also in steps of %d ms', async (ms) => {
    const chain = await createEmulator({ production: 'manual' })
    const wallet = createWalletClient(emulatorConfig(chain))
    const reader = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
    forbidTimers()
    const hash = await wallet.sendTransaction({ account: ALICE, to: BOB, value: 1n, gas: 21_000n })
    const waiting: Waiting = { chain, ended: undefined }
    reader.waitForTransactionReceipt({ hash, confirmations: 2, timeout: 3000 }).catch((error) => {
      waiting.ended = { error }
    })
    expect(await step(waiting, (of) => of.advance(ms))).toBe(reached(3000, ms))
    expect(waiting.ended?.error).toMatchObject({ name: 'WaitForTransactionReceiptTimeoutError' })
  })

  test('what comes in time counts, although the same call passes the end', async () => {
    const chain = await createEmulator()
    const wallet = createWalletClient(emulatorConfig(chain))
    const reader = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
    const hash = await wallet.sendTransaction({ account: ALICE, to: BOB, value: 1n })
    const inTime = reader.waitForTransactionReceipt({ hash, confirmations: 2, timeout: 4000 })
    const late = reader.waitForTransactionReceipt({ hash, confirmations: 2, timeout: 3999 })
    const refused = expect(late).rejects.toThrow('Timed out')
    await chain.advance(1_000_000)
    expect(await inTime).toMatchObject({ blockNumber: 1n })
    await refused
  })

  test('ends when the emulator is disposed of', async () => {
    const waiting = await waitWithViem(1)
    await settle()
    waiting.chain.dispose()
    await settle()
    expect(waiting.ended?.error).toMatchObject({ kind: 'disposed' })
  })
})

describe('ethers: tx.wait', () => {
  // ethers counts confirmations: a wait that began before the pre-confirmation ends with the n-th block.
  const cases = [1, 2, 3, 5].flatMap((confirmations) => STEPS.map((ms) => [confirmations, ms] as const))

  test.each(cases)(
    'with %d confirmations, in steps of %d ms',
    { tags: 'gate' },
    async (confirmations, ms) => {
      const waiting = await waitWithEthers(confirmations)
      forbidTimers()
      expect(await step(waiting, (chain) => chain.advance(ms))).toBe(reached(confirmations * 2000, ms))
      const block = await waiting.chain.request('eth_getBlockByNumber', [1, false])
      expect(waiting.ended).toEqual({ block: 1, hash: block?.hash })
    },
  )

  test('in steps of 1 ms', { tags: 'gate' }, async () => {
    expect(await step(await waitWithEthers(1), (chain) => chain.advance(1))).toBe(2000)
    expect(await step(await waitWithEthers(2), (chain) => chain.advance(1))).toBe(4000)
  })

  test.each([1, 2, 3, 5])('with %d confirmations, when blocks are mined', async (confirmations) => {
    for (const count of [1, 2, 7]) {
      for (const mine of [
        (chain: Emulator) => chain.mine(count),
        (chain: Emulator) => chain.request('anvil_mine', [count]),
      ]) {
        const waiting = await waitWithEthers(confirmations)
        await step(waiting, mine)
        expect(Number(await waiting.chain.request('eth_blockNumber'))).toBe(reached(confirmations, count))
      }
    }
  })

  test('by next, seal, a jump, and evm_mine after a timestamp that was set', async () => {
    expect(await step(await waitWithEthers(2), (chain) => chain.next())).toBe(4000)
    const sealing = await waitWithEthers(3)
    await step(sealing, (chain) => chain.seal())
    expect(await sealing.chain.request('eth_blockNumber')).toBe('0x3')
    expect(await step(await waitWithEthers(1), (chain) => chain.jump(60_000))).toBe(60_000)
    const stamped = await waitWithEthers(2)
    await step(stamped, async (chain) => {
      const head = await chain.request('eth_getBlockByNumber', ['latest', false])
      await chain.setNextBlockTimestamp(Number(head?.timestamp) + 1000)
      await chain.request('evm_mine', [])
    })
    expect(stamped.chain.now - GENESIS_MS).toBe(2_000_000)
  })

  test('with 0 confirmations it asks once', async () => {
    const waiting = await waitWithEthers(0)
    await settle()
    expect(waiting.ended).toEqual({ block: undefined, hash: undefined })
  })

  test.each([50, 200, 2000])('what replaced the transaction ends it, in steps of %d ms', async (ms) => {
    for (const confirmations of [1, 2]) {
      const chain = await createEmulator()
      const provider = new EmulatorProvider(chain)
      const signer = await provider.getSigner()
      const send = (gwei: string) =>
        signer.sendTransaction({ to: BOB, nonce: 0, gasLimit: 21_000, gasPrice: parseGwei(gwei) })
      const response = await send('10')
      const waiting: Waiting = { chain, ended: undefined }
      response.wait(confirmations).catch((error) => {
        waiting.ended = { error }
      })
      const by = await send('20')
      expect(await step(waiting, (of) => of.advance(ms))).toBe(reached(confirmations * 2000, ms))
      expect(waiting.ended?.error).toMatchObject({ code: 'TRANSACTION_REPLACED', hash: by.hash })
    }
  })

  test('calls keep their order: what is asked after a call that is not awaited sees it', async () => {
    const chain = await createEmulator()
    const provider = new EmulatorProvider(chain)
    const [, , number] = await Promise.all([
      chain.advance(2000),
      chain.advance(2000),
      provider.getBlockNumber(),
    ])
    expect(number).toBe(2)
    const before = provider.getBlockNumber()
    const moving = [chain.advance(2000), chain.mine(3)]
    const after = provider.getBlockNumber()
    expect([await after, (await Promise.all(moving)).length]).toEqual([6, 2])
    expect(await before).toBeLessThanOrEqual(6)
  })

  test('a client that never stops asking holds nothing up', async () => {
    const chain = await createEmulator()
    const provider = new EmulatorProvider(chain)
    const polling = (async () => {
      while ((await provider.getBlockNumber()) < 3);
    })()
    for (let block = 0; block < 3; block++) await chain.advance(2000)
    await expect(polling).resolves.toBeUndefined()
  })
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])(
  'viem: %d confirmations are refused',
  async (confirmations) => {
    const chain = await createEmulator()
    const client = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
    const hash = `0x${'11'.repeat(32)}` as const
    await expect(client.waitForTransactionReceipt({ hash, confirmations })).rejects.toMatchObject({
      kind: 'invalidCall',
    })
  },
)
