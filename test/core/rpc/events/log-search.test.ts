// Searches for logs over long ranges: the bloom filters exclude blocks, and never change the result.

import fc from 'fast-check'
import { createEmulator, type Emulator } from 'tickchain'
import { encodeFunctionData, type Hex, pad, toHex } from 'viem'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { EMPTY_BODY } from '../../../../src/core/chain/block/body.ts'
import { archiveBlock } from '../../../../src/core/chain/history/archived-block.ts'
import { bloomOf } from '../../../../src/core/execution/transaction/transaction.ts'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { EMPTY_BYTES, ZERO_ADDRESS, ZERO_HASH } from '../../../../src/core/primitives/hex.ts'
import type { Header } from '../../../../src/core/rollup/header.ts'
import type { Rules } from '../../../../src/core/rollup/rules.ts'
import { blockFilter } from '../../../../src/core/rpc/events/filters.ts'
import type { RpcLog } from '../../../../src/core/rpc/format/receipt.ts'
import { Logger } from '../../../contracts/generated.ts'

beforeAll(loadCrypto)
afterEach(() => {
  vi.restoreAllMocks()
})

const seed = 20261122
/** More than are kept as they were sealed. */
const ARCHIVED = 150

const ADDRESSES = [1, 2, 3].map((digit): Hex => `0x${`${digit}`.repeat(40)}`)
const TOPICS = [1, 2, 3, 4].map((digit): Hex => pad(toHex(digit), { size: 32 }))

interface Emission {
  readonly address: Hex
  readonly topics: readonly Hex[]
}

const emission: fc.Arbitrary<Emission> = fc.record({
  address: fc.constantFrom(...ADDRESSES),
  topics: fc.array(fc.constantFrom(...TOPICS), { maxLength: 4 }),
})
const block = fc.oneof(fc.constant([]), fc.array(emission, { maxLength: 3 }))

function callOf({ topics }: Emission): Hex {
  const functionName = `log${topics.length}` as 'log1'
  return encodeFunctionData({
    abi: Logger.abi,
    functionName,
    args: ['0x', ...topics] as unknown as ['0x', Hex],
  })
}

async function seal(chain: Emulator, blocks: readonly (readonly Emission[])[]): Promise<void> {
  const [from] = await chain.request('eth_accounts')
  for (const emissions of blocks) {
    for (const each of emissions) {
      const call = { from: from as Hex, to: each.address, data: callOf(each), gas: '0x186a0' as const }
      await chain.request('eth_sendTransaction', [call])
    }
    await chain.seal()
  }
}

type Wanted = Hex | Hex[] | null

interface Criteria {
  readonly address?: Hex | Hex[]
  readonly topics?: Wanted[]
}

/** Values that no block has are among them. */
const address = fc.constantFrom<Hex>(...ADDRESSES, `0x${'99'.repeat(20)}`)
const topic = fc.constantFrom<Hex>(...TOPICS, pad('0x99', { size: 32 }))
const criteria: fc.Arbitrary<Criteria> = fc.record(
  {
    address: fc.oneof(address, fc.array(address, { maxLength: 2 })),
    topics: fc.array(fc.oneof(fc.constant(null), topic, fc.array(topic, { minLength: 1, maxLength: 2 })), {
      maxLength: 3,
    }),
  },
  { requiredKeys: [] },
)

function isWanted(wanted: Wanted | undefined, value: Hex | undefined): boolean {
  if (wanted === undefined || wanted === null || wanted.length === 0) return true
  return value !== undefined && (typeof wanted === 'string' ? wanted === value : wanted.includes(value))
}

/** The search as eth_getLogs defines it, over all receipts. */
async function searchReceipts(
  chain: Emulator,
  filter: Criteria,
  from: number,
  to: number,
): Promise<RpcLog[]> {
  const found: RpcLog[] = []
  for (let number = from; number <= to; number++) {
    for (const { logs } of (await chain.request('eth_getBlockReceipts', [toHex(number)])) ?? []) {
      const matches = (log: RpcLog) =>
        isWanted(filter.address, log.address) &&
        (filter.topics ?? []).every((wanted, position) => isWanted(wanted, log.topics[position]))
      found.push(...logs.filter(matches))
    }
  }
  return found
}

const filters = fc.sample(criteria, { seed, numRuns: 25 })

async function expectSameLogs(chain: Emulator): Promise<void> {
  const head = Number(await chain.request('eth_blockNumber'))
  let found = 0
  for (const [index, filter] of filters.entries()) {
    const from = (index * 7) % 30
    const expected = await searchReceipts(chain, filter, from, head)
    const range = { fromBlock: toHex(from), toBlock: toHex(head) }
    expect(await chain.request('eth_getLogs', [{ ...filter, ...range }]), JSON.stringify(filter)).toEqual(
      expected,
    )
    found += expected.length
  }
  expect(found).toBeGreaterThan(20)
}

test('logs of recent, archived, reorganised, reverted and loaded blocks are those in the receipts', {
  tags: 'gate',
}, async () => {
  const chain = await createEmulator({ production: 'manual' })
  for (const each of ADDRESSES) await chain.request('anvil_setCode', [each, Logger.deployedBytecode])
  const [first = [], second = []] = fc.sample(fc.array(block, { minLength: 45, maxLength: 45 }), {
    seed,
    numRuns: 2,
  })
  await seal(chain, first)
  await expectSameLogs(chain)
  const recent = await chain.snapshot()
  await seal(
    chain,
    Array.from({ length: ARCHIVED }, () => []),
  )
  await seal(chain, second)
  await expectSameLogs(chain)
  const archived = await chain.snapshot()
  await chain.reorg({ depth: 30 })
  await expectSameLogs(chain)
  await chain.revert(archived)
  await expectSameLogs(chain)
  await chain.rollback(ARCHIVED + 60)
  await expectSameLogs(chain)
  await seal(chain, second)
  await expectSameLogs(chain)
  await expectSameLogs(await createEmulator({ production: 'manual', state: await chain.dump() }))
  await chain.revert(recent)
  await expectSameLogs(chain)
})

/** An archived block with one log. */
function archivedWithLog() {
  const log = { address: ADDRESSES[0] as Hex, topics: [TOPICS[0] as Hex] }
  const hashes = {
    parentHash: ZERO_HASH,
    stateRoot: ZERO_HASH,
    transactionsRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
  }
  const amounts = {
    gasLimit: 0n,
    gasUsed: 0n,
    baseFeePerGas: 0n,
    excessBlobGas: 0n,
    blobGasUsed: 0n,
    blobBaseFee: 1n,
  }
  const header: Header = {
    ...{ number: 1, timestamp: 1, coinbase: ZERO_ADDRESS, extraData: EMPTY_BYTES, difficulty: 0n },
    ...{ prevRandao: ZERO_HASH, parentBeaconBlockRoot: ZERO_HASH, nonce: '0x0000000000000000' },
    ...{ unclesHash: ZERO_HASH, withdrawalsRoot: ZERO_HASH, requestsHash: ZERO_HASH },
    ...hashes,
    ...amounts,
    logsBloom: bloomOf([log]),
  }
  const sealed = {
    rules: {} as Rules,
    header,
    body: EMPTY_BODY,
    hash: ZERO_HASH,
    totalDifficulty: 0n,
    executed: [],
  }
  const archived = archiveBlock(sealed, undefined)
  if (archived === undefined) throw new Error('not archived')
  return { archived, header }
}

test('a search decodes no header and no transaction of a block that it excludes', () => {
  const { archived, header } = archivedWithLog()
  expect(archived.header).toEqual(header)
  const decoding = [
    vi.spyOn(Object.getPrototypeOf(archived), 'header', 'get'),
    vi.spyOn(Object.getPrototypeOf(archived), 'executed', 'get'),
  ]
  const mayMatch = (addresses: readonly Hex[], topics: readonly (readonly Hex[])[]) =>
    blockFilter({ addresses, topics })(archived)
  expect(mayMatch([`0x${'99'.repeat(20)}`], [])).toBe(false)
  expect(mayMatch([ADDRESSES[0] as Hex], [[TOPICS[3] as Hex]])).toBe(false)
  expect(mayMatch([ADDRESSES[0] as Hex], [[TOPICS[3] as Hex, TOPICS[0] as Hex]])).toBe(true)
  expect(mayMatch([], [])).toBe(true)
  expect(decoding.map((spy) => spy.mock.calls.length)).toEqual([0, 0])
  void archived.header
  expect(decoding[0]?.mock.calls.length).toBe(1)
})
