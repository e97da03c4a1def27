// Traces of random chains: frames add up to receipts, and pre-states and differences are complete.

import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { createEmulator, type Emulator } from 'tickchain'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { scaled } from '../size.ts'
import { type RandomChain, randomChains } from './random-chains.ts'
import { GWEI, sealTransaction, startRandom } from './random-emulator.ts'
import type { Genesis } from './two-states.ts'

const chains = randomChains('prague', [0n, 1n, 10_000n])

interface Log {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

interface Frame {
  readonly gasUsed: Hex
  readonly gas: Hex
  readonly error?: string
  readonly logs?: readonly (Log & { readonly position: Hex })[]
  readonly calls?: readonly Frame[]
}

interface Account {
  readonly balance?: Hex
  readonly nonce?: number
  readonly code?: Hex
  readonly storage?: Record<Hex, Hex>
}

type State = Record<Hex, Account>

/** The logs of a frame and its calls, in the order of execution. */
function logsOf({ logs = [], calls = [] }: Frame): Log[] {
  const all: Log[] = []
  for (let position = 0; position <= calls.length; position++) {
    for (const { address, topics, data, position: own } of logs)
      if (Number(own) === position) all.push({ address, topics, data })
    const call = calls[position]
    if (call !== undefined) all.push(...logsOf(call))
  }
  return all
}

/** Whether no frame uses more gas than it has, or less than its calls. */
function isGasWithin({ gas, gasUsed, calls = [] }: Frame): boolean {
  const ofCalls = calls.reduce((sum, call) => sum + Number(call.gasUsed), 0)
  return Number(gasUsed) <= Number(gas) && ofCalls <= Number(gasUsed) && calls.every(isGasWithin)
}

async function trace<Result>(chain: Emulator, hash: Hex, tracer: string, tracerConfig = {}): Promise<Result> {
  return (await chain.request('debug_traceTransaction', [hash, { tracer, tracerConfig }])) as Result
}

/** Seals the transactions, and checks each. */
function everyTransaction(
  check: (chain: Emulator, hash: Hex, random: RandomChain) => Promise<void>,
  numRuns: number,
) {
  const property = fc.asyncProperty(chains, async (random) => {
    const chain = await startRandom(random)
    for (const transaction of random.transactions)
      await check(chain, await sealTransaction(chain, transaction), random)
  })
  return fc.assert(property, { numRuns: scaled(numRuns), seed: 31 })
}

test('the frames of a transaction add up to its receipt', async () => {
  await everyTransaction(async (chain, hash) => {
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    const root = await trace<Frame>(chain, hash, 'callTracer', { withLog: true })
    const receiptLogs = receipt?.logs.map(({ address, topics, data }) => ({ address, topics, data }))
    expect({
      gasUsed: root.gasUsed,
      status: root.error === undefined ? '0x1' : '0x0',
      logs: logsOf(root),
      isGasWithin: isGasWithin(root),
    }).toEqual({ gasUsed: receipt?.gasUsed, status: receipt?.status, logs: receiptLogs, isGasWithin: true })
  }, 25)
})

/** Every fork from the start, and no other accounts than those of the pre-state. */
const PRAGUE = {
  ...{ chainId: 31_337, homesteadBlock: 0, eip150Block: 0, eip155Block: 0, eip158Block: 0 },
  ...{ byzantiumBlock: 0, constantinopleBlock: 0, petersburgBlock: 0, istanbulBlock: 0, berlinBlock: 0 },
  ...{ londonBlock: 0, mergeNetsplitBlock: 0, terminalTotalDifficulty: 0 },
  ...{ shanghaiTime: 0, cancunTime: 0, pragueTime: 0 },
} as const

/** The default: the sequencer's fee vault. */
const COINBASE = '0x4200000000000000000000000000000000000011'

async function outcome(chain: Emulator, hash: Hex) {
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  const { status, gasUsed, contractAddress, logs } = receipt as NonNullable<typeof receipt>
  return { status, gasUsed, contractAddress, logs: logs.map(({ topics, data }) => ({ topics, data })) }
}

test('the pre-state is enough to run a transaction again', async () => {
  const property = fc.asyncProperty(chains, async (random) => {
    const chain = await startRandom(random)
    for (const transaction of random.transactions) {
      const hash = await sealTransaction(chain, transaction)
      // As in geth, the pre-state lacks what an opcode that cannot be paid would have accessed.
      if (JSON.stringify(await trace(chain, hash, 'callTracer')).includes('out of gas')) continue
      const pre = await trace<State>(chain, hash, 'prestateTracer')
      const alloc = Object.fromEntries(
        Object.entries(pre).map(([address, { balance, nonce, code, storage }]) => [
          address,
          {
            ...(balance === undefined ? {} : { balance }),
            ...(nonce === undefined ? {} : { nonce }),
            ...(code === undefined ? {} : { code }),
            ...(storage === undefined ? {} : { storage }),
          },
        ]),
      )
      const again = await createEmulator({
        accounts: [],
        production: 'manual',
        coinbase: COINBASE,
        genesis: { config: PRAGUE, alloc, baseFeePerGas: GWEI, gasLimit: 60_000_000 },
      })
      expect(await outcome(again, await sealTransaction(again, transaction))).toEqual(
        await outcome(chain, hash),
      )
    }
  })
  await fc.assert(property, { numRuns: scaled(12), seed: 37 })
})

interface DumpedAccount {
  readonly nonce: number
  readonly balance: Hex
  readonly code: Hex
  readonly storage: Record<Hex, Hex>
}

async function accountsOf(chain: Emulator): Promise<Record<Hex, DumpedAccount>> {
  const { accounts } = JSON.parse(gunzipSync(await chain.dump()).toString())
  return accounts
}

/** The same whatever the form of a slot or a number; without empty accounts, which traces do not show. */
function normalized(accounts: Record<string, DumpedAccount>) {
  const existing = Object.entries(accounts).filter(
    ([, { nonce, balance, code }]) => Number(nonce) > 0 || BigInt(balance) > 0n || code !== '0x',
  )
  return Object.fromEntries(
    existing.map(([address, { nonce, balance, code, storage }]) => [
      address,
      {
        nonce: Number(nonce),
        balance: BigInt(balance),
        code,
        storage: Object.fromEntries(
          Object.entries(storage ?? {}).map(([slot, value]) => [BigInt(slot).toString(), BigInt(value)]),
        ),
      },
    ]),
  )
}

function apply(accounts: Record<Hex, DumpedAccount>, { pre, post }: { pre: State; post: State }): void {
  for (const address of Object.keys(pre) as Hex[]) {
    if (!(address in post)) {
      delete accounts[address]
      continue
    }
    const { storage } = accounts[address] as DumpedAccount
    for (const slot of Object.keys(pre[address]?.storage ?? {}) as Hex[]) {
      const key = Object.keys(storage).find((each) => BigInt(each) === BigInt(slot)) as Hex
      expect(BigInt(storage[key] ?? '0x0')).toBe(BigInt(pre[address]?.storage?.[slot] ?? '0x0'))
      delete storage[key]
    }
  }
  for (const [address, { balance, nonce, code, storage = {} }] of Object.entries(post) as [Hex, Account][]) {
    const old = accounts[address] ?? { nonce: 0, balance: '0x0', code: '0x', storage: {} }
    accounts[address] = {
      nonce: nonce ?? old.nonce,
      balance: balance ?? old.balance,
      code: code ?? old.code,
      storage: { ...old.storage, ...storage },
    }
  }
}

/** Written at the start of each block (EIP-4788, EIP-2935). */
const SYSTEM_CONTRACTS: readonly Hex[] = [
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
]

/** Accounts with nothing but storage, which mainnet has not: geth, as here, takes them for empty. */
function storageOnly({ genesis }: RandomChain): Hex[] {
  const isStorageOnly = ({ nonce, balance, code, storage }: Genesis[Hex] & object) =>
    nonce === undefined && balance === undefined && code === undefined && storage !== undefined
  return (Object.keys(genesis) as Hex[]).filter((address) => isStorageOnly(genesis[address] ?? {}))
}

test('the differences of all transactions make the last state of the first', async () => {
  const property = fc.asyncProperty(chains, async (random) => {
    const chain = await startRandom(random)
    const accounts = await accountsOf(chain)
    for (const transaction of random.transactions) {
      const hash = await sealTransaction(chain, transaction)
      apply(accounts, await trace(chain, hash, 'prestateTracer', { diffMode: true }))
    }
    const last = await accountsOf(chain)
    for (const address of [...SYSTEM_CONTRACTS, ...storageOnly(random)]) {
      delete accounts[address]
      delete last[address]
    }
    expect(normalized(accounts)).toEqual(normalized(last))
  })
  await fc.assert(property, { numRuns: scaled(20), seed: 41 })
})
