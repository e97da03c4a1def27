// Limits on what the requests of a batch take together. geth has BatchResponseMaxSize and a time-out; gas stands for time.

import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { expect, test } from 'vitest'

// SLOAD of the slots 0 and 1, then INVALID, which takes all gas: a call uses exactly its gas limit.
const BURNER = `0x${'b0'.repeat(20)}`
// 100 bytes: its answer, in quotes and with 0x, has 204.
const HUNDRED = `0x${'c0'.repeat(20)}`
const NOBODY = `0x${'d0'.repeat(20)}`
const GENESIS = {
  alloc: { [BURNER]: { code: '0x600054506001545050fe' }, [HUNDRED]: { code: `0x${'00'.repeat(100)}` } },
} as const

const create = (limits: NonNullable<EmulatorOptions['limits']>, rest: EmulatorOptions = {}) =>
  createEmulator({ genesis: GENESIS, limits, ...rest })

type Request = readonly [method: string, ...params: unknown[]]

/** The results of a batch, and the codes of its errors. */
async function send(chain: Emulator, ...requests: Request[]): Promise<unknown[]> {
  const batch = requests.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const answers = JSON.parse(await chain.handle(JSON.stringify(batch))) as {
    result?: unknown
    error?: { code: number; message: string }
  }[]
  return answers.map(({ result, error }) => error?.code ?? result)
}

const burn: Request = ['eth_call', { to: BURNER, gas: '0x186a0' }, 'latest'] // 100,000
const transfer: Request = ['eth_call', { to: NOBODY }, 'latest'] // 21,000
const REFUSED = -32005
const CHAIN_ID = '0x7a69'

test.each<[string, number, readonly Request[], readonly unknown[]]>([
  ['up to the limit', 300_000, [burn, burn, burn, ['eth_chainId']], [-32000, -32000, -32000, CHAIN_ID]],
  ['beyond it', 299_999, [burn, burn, burn, ['eth_chainId']], [-32000, -32000, -32000, REFUSED]],
  ['transfers', 41_999, [transfer, transfer, ['eth_chainId']], ['0x', '0x', REFUSED]],
  ['estimates', 20_999, [['eth_estimateGas', { to: NOBODY }], ['eth_chainId']], ['0x5208', REFUSED]],
  [
    'traces',
    99_999,
    [['debug_traceCall', { to: BURNER, gas: '0x186a0' }, 'latest', {}], ['eth_chainId']],
    [expect.any(Object), REFUSED],
  ],
  [
    'simulations',
    20_999,
    [['eth_simulateV1', { blockStateCalls: [{ calls: [{ to: NOBODY }] }] }], ['eth_chainId']],
    [expect.any(Array), REFUSED],
  ],
])('the gas of calls counts: %s', async (_, batchGas, requests, answers) => {
  expect(await send(await create({ batchGas }), ...requests)).toEqual(answers)
})

test('the gas of blocks counts, and a refused command has no effect', async () => {
  const chain = await create({ batchGas: 41_999 }, { production: 'auto' })
  const [from] = await chain.request('eth_accounts')
  const pay: Request = ['eth_sendTransaction', { from, to: NOBODY, gas: '0x5208' }]
  const hash = expect.stringMatching(/^0x[\da-f]{64}$/)
  expect(await send(chain, pay, pay, pay, ['evm_mine'])).toEqual([hash, hash, REFUSED, REFUSED])
  expect(await chain.request('eth_blockNumber')).toBe('0x2')
})

test('the refusal says what to do', async () => {
  const chain = await create({ batchGas: 99_999 })
  const [, answer] = (await chain.handle([
    { jsonrpc: '2.0', id: 1, method: 'eth_call', params: burn.slice(1) },
    { jsonrpc: '2.0', id: 2, method: 'eth_chainId' },
  ])) as unknown[]
  const message =
    'not executed: the requests of the batch before this one have used 100000 gas, more than 99999; ' +
    'send smaller batches, or raise limits.batchGas'
  expect(answer).toEqual({ jsonrpc: '2.0', id: 2, error: { code: REFUSED, message } })
})

test('each batch has a budget of its own, and single requests have none', async () => {
  const chain = await create({ batchGas: 199_999 })
  const twice = send(chain, burn, burn)
  const again = send(chain, burn, burn, burn)
  expect(await twice).toEqual([-32000, -32000])
  expect(await again).toEqual([-32000, -32000, REFUSED])
  for (let index = 0; index < 3; index++)
    await expect(chain.request('eth_call', burn.slice(1) as never)).rejects.toMatchObject({ code: -32000 })
})

test('results count by their bytes, and the one beyond the limit is still answered, as in geth', async () => {
  const code: Request = ['eth_getCode', HUNDRED, 'latest']
  const bytes = expect.stringMatching(/^0x(00){100}$/)
  const four: [Request, Request, Request, Request] = [code, code, code, ['evm_mine']]
  expect(await send(await create({ batchResponseBytes: 611 }), ...four)).toEqual([
    bytes,
    bytes,
    bytes,
    -32003,
  ])
  const tight = await create({ batchResponseBytes: 407 })
  expect(await send(tight, ...four)).toEqual([bytes, bytes, -32003, -32003])
  expect(await tight.request('eth_blockNumber')).toBe('0x0')
  expect((await send(await create({ batchResponseBytes: 612 }), ...four)).slice(0, 3)).toEqual([
    bytes,
    bytes,
    bytes,
  ])
})

test('blocks count towards limits.stepsPerCall', async () => {
  const chain = await create({ stepsPerCall: 10 })
  const mine = (blocks: number): Request => ['anvil_mine', blocks]
  const answers = await send(chain, mine(6), mine(4), mine(1), ['eth_blockNumber'])
  expect(answers).toEqual([null, null, -32005, '0xa'])
  expect(await send(chain, mine(10), ['eth_blockNumber'])).toEqual([null, '0x14'])
})

test('a request that waits on the clock does not stop those after it', async () => {
  const chain = await createEmulator({ production: 'manual' })
  const [from, to] = await chain.request('eth_accounts')
  const [raw] = await send(chain, [
    'eth_signTransaction',
    { from, to, gas: '0x5208', nonce: '0x0', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x0' },
  ])
  const signed = typeof raw === 'string' ? raw : (raw as { raw: string }).raw
  const [receipt] = await send(
    chain,
    ['eth_sendRawTransactionSync', signed],
    ['eth_blockNumber'],
    ['evm_mine'],
  )
  expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1' })
})

// An execution stops at what is not known yet and begins again: here after the first of two calls has ended.
test('on a fork, what has to be fetched makes no difference', async () => {
  const fork = await createEmulator({ fork: { upstream: await create({}) }, limits: { batchGas: 121_000 } })
  const calls = [{ to: NOBODY }, { to: BURNER, gas: '0x186a0' }]
  const both: Request = ['eth_simulateV1', { blockStateCalls: [{ calls }] }]
  const block = [{ calls: [{ gasUsed: '0x5208' }, { gasUsed: '0x186a0' }] }]
  const cold = await send(fork, both, ['eth_chainId'], transfer, ['eth_chainId'])
  expect(cold).toMatchObject([block, CHAIN_ID, '0x', REFUSED])
  expect(await send(fork, both, ['eth_chainId'], transfer, ['eth_chainId'])).toEqual(cold)
})
