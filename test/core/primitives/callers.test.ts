// Stacks of errors: the caller's frame comes first, and no frame is the library's.

import { setTimeout } from 'node:timers/promises'
import { createEmulator, type Emulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { createRollup } from 'tickchain/rollup'
import { createWalletClient, custom } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerFrames } from '../../../src/core/primitives/callers.ts'
import { ALICE, BOB } from '../rpc/scene.ts'

let chain: Emulator
beforeAll(async () => {
  chain = await createEmulator()
})
afterAll(() => chain.dispose())

const UNKNOWN_BLOCK = ['eth_getBalance', [ALICE, '0x99']] as const
const RICHER = { from: ALICE, to: BOB, value: `0x${'f'.repeat(30)}` } as const

async function faulty(): Promise<Emulator> {
  const faulted = chain.clone()
  await faulted.fault({ method: 'eth_chainId', error: { code: -32_000, message: 'down' } })
  return faulted
}

/** Calls that reject. The name of each is the function that its error has to begin with. */
const REJECTED = {
  control: () => chain.setBalance('0x1', 1n),
  command: () => chain.reorg({ depth: 7 }),
  clock: () => chain.advance(-1),
  async diagnosis() {
    await chain.outcome('0x1')
  },
  sending: () => chain.request({ method: 'eth_sendTransaction', params: [RICHER] }),
  raw: () => chain.request('eth_sendRawTransaction', ['0x02']),
  unknownMethod: () => chain.request({ method: 'eth_nothing' }),
  parameter: () => chain.request('eth_getBalance', ['0x1', 'latest']),
  creation: () => createEmulator({ chainId: -1 }),
  async block() {
    await chain.request(...UNKNOWN_BLOCK)
  },
  async several() {
    await Promise.all([chain.request('eth_chainId'), chain.request(...UNKNOWN_BLOCK)])
  },
  async caught() {
    throw await chain.request(...UNKNOWN_BLOCK).catch((error: unknown) => error)
  },
  async call() {
    await chain.request('eth_call', [{ data: '0xfe' }])
  },
  async estimate() {
    await chain.request('eth_estimateGas', [{ data: '0xfe' }])
  },
  async fork() {
    const fork = await createEmulator({ fork: { upstream: chain } })
    await fork.request(...UNKNOWN_BLOCK)
  },
  async afterFault() {
    await (await faulty()).request('eth_chainId')
  },
  async besideFault() {
    await (await faulty()).request(...UNKNOWN_BLOCK)
  },
  async disposed() {
    const copy = chain.clone()
    copy.dispose()
    await copy.request('eth_chainId')
  },
  async failedTransaction() {
    const hardhat = await createEmulator({ production: 'auto', throwOnTransactionFailures: true })
    await hardhat.request('eth_sendTransaction', [{ from: ALICE, data: '0xfe', gas: '0x100000' }])
  },
  async pair() {
    const rollup = await createRollup()
    await rollup.advance(-1)
  },
  async withEthersListening() {
    const copy = chain.clone()
    const provider = new EmulatorProvider(copy)
    await copy.request(...UNKNOWN_BLOCK).finally(() => provider.destroy())
  },
} satisfies Record<string, () => Promise<unknown>>

test.each(Object.entries(REJECTED))('%s', async (name, run) => {
  const error: Error = await (run as () => Promise<never>)().catch((thrown) => thrown)
  const [first, ...rest] = callersIn(error)
  expect(first).toMatch(
    new RegExp(`^ +at (async )?(Object\\.)?${name} \\(.*callers\\.test\\.ts:\\d+:\\d+\\)$`),
  )
  expect(rest.filter((frame) => /\/src\//.test(frame))).toEqual([])
})

function callersIn({ stack }: Error): string[] {
  return (stack ?? '').split('\n').filter((line) => /^ +at /.test(line))
}

test('an error that nobody awaits names who called', async () => {
  const forgets = () => chain.rollback(7)
  const told: Error[] = []
  forgets().catch((error) => told.push(error))
  await setTimeout(0)
  expect(told.map((error) => callersIn(error)[0])).toEqual([expect.stringContaining('at forgets (')])
})

test('errors of viem and ethers have the line of the test', async () => {
  const client = createWalletClient({ chain: foundry, transport: custom(chain, { retryCount: 0 }) })
  const provider = new EmulatorProvider(chain.clone())
  const viem = async () => client.sendTransaction({ account: ALICE, to: BOB, value: 10n ** 40n })
  const ethers = async () => (await provider.getSigner(0)).sendTransaction({ to: BOB, value: 10n ** 40n })
  for (const pay of [viem, ethers]) {
    const error: Error = await pay().catch((thrown) => thrown)
    expect(callersIn(error).filter((frame) => frame.includes('callers.test.ts'))).not.toEqual([])
    expect(error.stack).not.toContain('/src/core/rpc/')
  }
  provider.destroy()
})

test('the limit of the caller is left as it was, and may be of an Error that is frozen', async () => {
  const before = Error.stackTraceLimit
  const error: Error = await chain.advance(-1).catch((thrown) => thrown)
  expect(Error.stackTraceLimit).toBe(before)
  Object.defineProperty(Error, 'stackTraceLimit', { writable: false })
  const frozen: Error = await chain.advance(-1).catch((thrown) => thrown)
  Object.defineProperty(Error, 'stackTraceLimit', { writable: true })
  expect(frozen.message).toBe(error.message)
})

test('an error keeps a stack that it is given', async () => {
  const error: Error = await chain.advance(-1).catch((thrown) => thrown)
  error.stack = 'another'
  expect(error).toMatchObject({ stack: 'another', message: expect.stringContaining('advance') })
})

test.each([
  ['Firefox', '@', (frame: string) => frame],
  ['V8', 'at ', (frame: string) => `    at ${frame.replace('@', ' (')})`],
])('frames of %s', (_engine, _mark, as) => {
  const own = `request@${new URL('../../../src/core/rpc/dispatch.ts', import.meta.url).pathname}:1:2`
  const user = 'pay@https://app.example/main.js:3:4'
  expect(callerFrames(`Error\n${[own, user, own, user].map(as).join('\n')}`)).toEqual([user, user].map(as))
  expect(callerFrames(`Error\n${as(own)}`)).toEqual([as(own)])
  expect(callerFrames(undefined)).toEqual([])
})

test('a stack can be read through a proxy, by inheritance, and where stacks are made into something else', async () => {
  const error: Error = await chain.advance(-1).catch((thrown) => thrown)
  const header = `TickchainError: ${error.message}`
  expect(new Proxy(error, {}).stack).toBe(header)
  expect(Object.create(error).stack).toBe(header)
  const prepare = Error.prepareStackTrace
  Error.prepareStackTrace = (_, sites) => sites
  const fresh: Error = await chain.advance(-1).catch((thrown) => thrown)
  try {
    expect(fresh.stack).toBe(header)
  } finally {
    if (prepare === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace')
    else Error.prepareStackTrace = prepare
  }
})
