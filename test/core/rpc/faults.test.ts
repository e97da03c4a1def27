// Request faults: which requests they affect, how, and that they are part of the chain's state.

import fc from 'fast-check'
import { createEmulator, type Emulator, type FaultOptions, TickchainError } from 'tickchain'
import { emulatorTransport } from 'tickchain/viem'
import { createPublicClient, createWalletClient, type Hex, http, LimitExceededRpcError } from 'viem'
import { foundry } from 'viem/chains'
import { beforeEach, describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, type Scene, startScene, transfer } from './scene.ts'

const busy = { code: -32005, message: 'limit exceeded' } as const

let scene: Scene
let chain: Emulator

beforeEach(async () => {
  scene = await startScene()
  chain = scene.chain
})

/** The error code or the result of a request. */
function outcome(on: Emulator, method: string, ...params: unknown[]): Promise<unknown> {
  return on.request(method, params).catch((error: { code: number }) => error.code)
}

async function outcomes(on: Emulator, count: number, method = 'eth_chainId'): Promise<unknown[]> {
  const all: unknown[] = []
  for (let i = 0; i < count; i++) all.push(await outcome(on, method))
  return all
}

/** Whether a promise has settled, once everything that is under way has come to rest. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  promise.then(
    () => (settled = true),
    () => (settled = true),
  )
  for (let i = 0; i < 50; i++) await Promise.resolve()
  return settled
}

function envelope(method: string, params: unknown[] = [], id = 1) {
  return { jsonrpc: '2.0', id, method, params }
}

function post(on: Emulator, body: unknown): Promise<Response> {
  return on.fetch('http://tickchain.invalid', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }) as Promise<Response>
}

describe('which requests', () => {
  const ok = '0x7a69'

  test('all of a method, until the fault is cleared', async () => {
    const fault = await chain.fault({ method: 'eth_chainId', error: busy })
    expect(await outcomes(chain, 3)).toEqual([-32005, -32005, -32005])
    expect(await outcome(chain, 'net_version')).toBe('31337')
    expect(await fault.fired()).toBe(3)
    await fault.clear()
    expect(await outcomes(chain, 1)).toEqual([ok])
  })

  test.each<[string, Omit<FaultOptions, 'method'>, string]>([
    ['the first of them', { times: 2 }, 'xx....'],
    ['those after the first of them', { after: 2 }, '..xxxx'],
    ['each third', { every: 3 }, '..x..x'],
    ['each second after the first, once', { after: 1, every: 2, times: 1 }, '..x...'],
  ])('%s', async (_, options, expected) => {
    await chain.fault({ method: 'eth_chainId', error: busy, ...options })
    const seen = await outcomes(chain, 6)
    expect(seen.map((each) => (each === ok ? '.' : 'x')).join('')).toBe(expected)
  })

  test('by the beginning of their names, or several names', async () => {
    await chain.fault({ method: ['eth_get*', 'net_version'], error: busy })
    expect(await outcome(chain, 'eth_getBalance', ALICE)).toBe(-32005)
    expect(await outcome(chain, 'eth_getTransactionCount', ALICE)).toBe(-32005)
    expect(await outcome(chain, 'net_version')).toBe(-32005)
    expect(await outcome(chain, 'eth_chainId')).toBe(ok)
  })

  test('by the name in the request: aliases of the method are separate', async () => {
    await chain.fault({ method: 'anvil_mine', error: busy })
    expect(await outcome(chain, 'anvil_mine')).toBe(-32005)
    expect(await outcome(chain, 'hardhat_mine')).toBeNull()
    expect(await outcome(chain, 'evm_mine')).toBe('0x0')
  })

  test('by their params', async () => {
    await chain.fault({ method: 'eth_getBalance', params: ([address]) => address === BOB, error: busy })
    expect(await outcome(chain, 'eth_getBalance', BOB)).toBe(-32005)
    expect(await outcome(chain, 'eth_getBalance', ALICE)).toBe('0x21e19e0c9bab2400000')
  })

  test('of several faults the first that fires applies, and the others do not count the request', async () => {
    await chain.fault({ method: 'eth_chainId', error: { code: 1, message: 'one' }, times: 2 })
    await chain.fault({ method: 'eth_*', error: { code: 2, message: 'two' }, times: 1 })
    expect(await outcomes(chain, 4)).toEqual([1, 1, 2, ok])
  })

  test('by a probability, drawn from the seed', async () => {
    const pattern = async (seed: number): Promise<string> => {
      const seeded = await createEmulator({ seed })
      await seeded.fault({ method: 'eth_chainId', error: busy, probability: 0.25 })
      return (await outcomes(seeded, 400)).map((each) => (each === ok ? '.' : 'x')).join('')
    }
    const [first, again, other] = [await pattern(1), await pattern(1), await pattern(2)]
    expect(again).toBe(first)
    expect(other).not.toBe(first)
    // 100 are expected, with a standard deviation of 8.7.
    const count = first.replaceAll('.', '').length
    expect(count).toBeGreaterThan(60)
    expect(count).toBeLessThan(140)
  })

  test('with any parameters: a fault comes before they are decoded', async () => {
    const fault = await chain.fault({ method: 'eth_getBalance', error: busy, times: 1 })
    expect(await outcome(chain, 'eth_getBalance', 'nonsense')).toBe(-32005)
    expect(await outcome(chain, 'eth_getBalance', 'nonsense')).toBe(-32602)
    expect(await fault.fired()).toBe(1)
  })

  test('the methods of the chain that begin with tickchain_ never fail', async () => {
    await chain.fault({ method: '*', error: busy })
    expect(await outcome(chain, 'eth_chainId')).toBe(-32005)
    expect(await outcome(chain, 'evm_mine')).toBe(-32005)
    await chain.seal()
    expect(await chain.request('tickchain_clearFaults')).toBe(1)
    expect(await outcome(chain, 'eth_blockNumber')).toBe('0x1')
  })

  test('a predicate that throws makes the request fail with its error', async () => {
    const params = () => {
      throw new RangeError('my mistake')
    }
    await chain.fault({ method: 'eth_chainId', params, error: busy })
    await expect(chain.request('eth_chainId')).rejects.toMatchObject({
      kind: 'callbackFailed',
      code: -32000,
      message: 'the predicate of a fault failed: RangeError: my mistake',
    })
  })
})

describe('the client gets', () => {
  test('an error with its code, message and data', async () => {
    const error = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' } as const
    await chain.fault({ method: 'eth_call', error })
    const thrown: unknown = await chain.request('eth_call', [{ to: BOB }]).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(TickchainError)
    expect(thrown).toMatchObject({ kind: 'injectedFault', ...error })
    const answer = { jsonrpc: '2.0', id: 1, error }
    expect(await chain.handle(envelope('eth_call', [{ to: BOB }]))).toEqual(answer)
    const response = await post(chain, envelope('eth_call', [{ to: BOB }]))
    expect([response.status, await response.json()]).toEqual([200, answer])
  })

  test('an HTTP status over fetch, with its body, and a similar error elsewhere', async () => {
    await chain.fault({ method: 'eth_chainId', status: 429, body: '{"error":"slow down"}' })
    await chain.fault({ method: 'net_version', status: 503 })
    const response = await post(chain, envelope('eth_chainId'))
    expect([response.status, await response.json()]).toEqual([429, { error: 'slow down' }])
    const other = await post(chain, envelope('net_version'))
    expect([other.status, await other.text()]).toEqual([503, 'service unavailable\n'])
    await chain.fault({ method: 'eth_gasPrice', status: 418 })
    expect(await (await post(chain, envelope('eth_gasPrice'))).text()).toBe('error\n')
    // EIP-1474: limit exceeded, and resource unavailable.
    await expect(chain.request('eth_chainId')).rejects.toMatchObject({
      code: -32005,
      message: 'HTTP request failed with status 429',
    })
    await expect(chain.request('net_version')).rejects.toMatchObject({ code: -32002 })
    expect(await chain.handle(envelope('net_version'))).toMatchObject({ error: { code: -32002 } })
  })

  test('a status is the whole response of a batch', async () => {
    await chain.fault({ method: 'eth_chainId', status: 502, times: 1 })
    const batch = [envelope('net_version', [], 1), envelope('eth_chainId', [], 2)]
    expect((await post(chain, batch)).status).toBe(502)
    const response = await post(chain, batch)
    expect(await response.json()).toMatchObject([{ result: '31337' }, { result: '0x7a69' }])
  })

  test('viem tries again after a 429', async () => {
    const statuses: number[] = []
    const fetchFn = async (input: unknown, init?: object): Promise<Response> => {
      const response = (await chain.fetch(input as string, init)) as Response
      statuses.push(response.status)
      return response
    }
    const transport = http('http://tickchain.invalid', { fetchFn, retryDelay: 1 })
    const client = createPublicClient({ chain: foundry, transport })
    await chain.fault({ method: 'eth_getBalance', status: 429, times: 2 })
    expect(await client.getBalance({ address: ALICE })).toBe(10_000n * 10n ** 18n)
    expect(statuses).toEqual([429, 429, 200])
  })

  test("tickchain's transport for viem asks once", async () => {
    const client = createPublicClient({ transport: emulatorTransport(chain) })
    const fault = await chain.fault({ method: 'eth_getBalance', status: 429 })
    const error = await client.getBalance({ address: ALICE }).catch((reason: Error) => reason)
    expect(
      (error as { walk?: (is: (it: unknown) => boolean) => unknown }).walk?.(
        (it) => it instanceof LimitExceededRpcError,
      ),
    ).toBeInstanceOf(LimitExceededRpcError)
    expect(await fault.fired()).toBe(1)
  })
})

describe('a submission', () => {
  let raw: Hex
  beforeEach(async () => {
    raw = await alice.signTransaction(transfer(BOB, 0))
  })
  const submit = () => outcome(chain, 'eth_sendRawTransaction', raw)

  test('that fails does not reach the chain', async () => {
    await chain.fault({ method: 'eth_sendRawTransaction', error: busy, times: 1 })
    expect(await submit()).toBe(-32005)
    expect(await scene.ask('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
    expect(await submit()).toMatch(/^0x/)
  })

  test('with a lost answer is in the pool all the same', async () => {
    await chain.fault({ method: 'eth_sendRawTransaction', lost: 'answer', status: 504, times: 1 })
    expect((await post(chain, envelope('eth_sendRawTransaction', [raw]))).status).toBe(504)
    await expect(chain.request('eth_sendRawTransaction', [raw])).rejects.toThrow('already known')
    await chain.advance(2000)
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'latest')).toBe('0x1')
  })

  test('that is refused is counted, too', async () => {
    const fault = await chain.fault({
      method: 'eth_sendRawTransaction',
      lost: 'answer',
      error: busy,
      times: 2,
    })
    expect(await submit()).toBe(-32005)
    expect(await submit()).toBe(-32005)
    expect(await submit()).toBe(-32000)
    expect(await fault.fired()).toBe(2)
  })

  test('through a wallet of viem', async () => {
    const wallet = createWalletClient({ account: alice, chain: foundry, transport: emulatorTransport(chain) })
    await chain.fault({
      method: 'eth_sendRawTransaction',
      error: { code: -32000, message: 'txpool is full' },
    })
    await expect(wallet.sendTransaction({ to: BOB, value: 1n })).rejects.toThrow('txpool is full')
  })
})

test('filter changes are lost with the answer, and kept if the request is lost', async () => {
  const ids = [await scene.ask('eth_newBlockFilter'), await scene.ask('eth_newBlockFilter')]
  await chain.seal()
  await chain.fault({ method: 'eth_getFilterChanges', error: busy, times: 1 })
  await chain.fault({ method: 'eth_getFilterChanges', lost: 'answer', error: busy, times: 1 })
  for (const id of ids) expect(await outcome(chain, 'eth_getFilterChanges', id)).toBe(-32005)
  expect(await Promise.all(ids.map((id) => scene.ask<Hex[]>('eth_getFilterChanges', id)))).toEqual([
    [expect.stringMatching(/^0x/)],
    [],
  ])
})

describe('a slow answer', () => {
  test('arrives when the virtual clock reaches its time, with the values at the request', async () => {
    await chain.fault({ method: 'eth_blockNumber', delayMs: 3000, times: 1 })
    const answer = chain.request('eth_blockNumber')
    await chain.advance(2999)
    expect(await isSettled(answer)).toBe(false)
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
    await chain.advance(1)
    expect(await answer).toBe('0x0')
  })

  test('several arrive in the order of their times, then of their requests', async () => {
    const order: string[] = []
    for (const [name, delayMs] of [
      ['c', 300],
      ['a', 100],
      ['d', 300],
      ['b', 200],
    ] as const) {
      await chain.fault({ method: 'eth_chainId', delayMs, times: 1 })
      void chain.request('eth_chainId').then(() => order.push(name))
    }
    await chain.advance(99)
    expect(order).toEqual([])
    await chain.jump(1)
    await isSettled(Promise.resolve())
    expect(order).toEqual(['a'])
    await chain.advance(2000)
    await isSettled(Promise.resolve())
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })

  test('of a submission: the transaction is pooled meanwhile', async () => {
    await chain.fault({ method: 'eth_sendRawTransaction', delayMs: 500 })
    const hash = chain.request('eth_sendRawTransaction', [await alice.signTransaction(transfer(BOB, 0))])
    await chain.advance(200)
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'pending')).toBe('0x1')
    expect(await isSettled(hash)).toBe(false)
    await chain.advance(300)
    expect(await hash).toMatch(/^0x/)
  })

  test('of a submission that waits for its receipt: the later of the two', async () => {
    await chain.fault({ method: 'eth_sendRawTransactionSync', delayMs: 1000 })
    const receipt = chain.request('eth_sendRawTransactionSync', [
      await alice.signTransaction(transfer(BOB, 0)),
    ])
    await chain.advance(999)
    expect(await isSettled(receipt)).toBe(false)
    await chain.advance(1)
    expect(await receipt).toMatchObject({ status: '0x1' })
  })

  test('may be an error', async () => {
    await chain.fault({ method: 'eth_chainId', delayMs: 100, error: busy })
    const answer = outcome(chain, 'eth_chainId')
    await chain.advance(99)
    expect(await isSettled(answer)).toBe(false)
    await chain.advance(1)
    expect(await answer).toBe(-32005)
  })

  test('keeps its remaining time if a revert moves the clock', async () => {
    const before = chain.snapshot()
    await chain.advance(10_000)
    await chain.fault({ method: 'eth_chainId', delayMs: 1000 })
    const answer = chain.request('eth_chainId')
    await chain.advance(400)
    await chain.revert(before)
    await chain.advance(599)
    expect(await isSettled(answer)).toBe(false)
    await chain.advance(1)
    expect(await answer).toBe('0x7a69')
  })

  test('still arrives when the fault has been cleared', async () => {
    const fault = await chain.fault({ method: 'eth_chainId', delayMs: 100 })
    const answer = chain.request('eth_chainId')
    await fault.clear()
    await chain.advance(100)
    expect(await answer).toBe('0x7a69')
  })
})

describe('no answer', () => {
  test.each([
    ['request', '0x0'],
    ['answer', '0x1'],
  ] as const)('with the %s lost, until the chain is disposed of', async (lost, nonce) => {
    await chain.fault({ method: 'eth_sendRawTransaction', lost })
    const raw = await alice.signTransaction(transfer(BOB, 0))
    const answer = chain.request('eth_sendRawTransaction', [raw])
    const response = post(chain, envelope('eth_sendRawTransaction', [raw]))
    await chain.advance(100_000)
    expect(await isSettled(answer)).toBe(false)
    expect(await isSettled(response)).toBe(false)
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'latest')).toBe(nonce)
    chain.dispose()
    await expect(answer).rejects.toMatchObject({ kind: 'disposed', code: 4900 })
    expect(await (await response).json()).toMatchObject({ error: { code: 4900 } })
  })

  test('of a slow request if the chain is disposed of before', async () => {
    await chain.fault({ method: 'eth_chainId', delayMs: 100 })
    const held = chain.request('eth_chainId')
    const inFlight = chain.request('eth_chainId')
    await isSettled(held)
    chain.dispose()
    await expect(held).rejects.toMatchObject({ kind: 'disposed' })
    await expect(inFlight).rejects.toMatchObject({ kind: 'disposed' })
    await expect(chain.request('eth_chainId')).rejects.toMatchObject({ kind: 'disposed' })
  })
})

describe('a node that lags behind', () => {
  test('answers reads from some blocks ago, and accepts transactions', async () => {
    const first = await scene.send(alice, transfer(BOB, 0))
    await chain.advance(2000)
    const second = await scene.send(alice, transfer(BOB, 1))
    await chain.advance(2000)
    await chain.fault({ method: 'eth_*', blocksBehind: 1 })
    expect(await scene.ask('eth_blockNumber')).toBe('0x1')
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'latest')).toBe('0x1')
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'pending')).toBe('0x1')
    expect(await scene.ask('eth_getTransactionReceipt', first)).toMatchObject({ blockNumber: '0x1' })
    expect(await scene.ask('eth_getTransactionReceipt', second)).toBeNull()
    expect(await scene.ask('eth_getBlockByNumber', '0x2', false)).toBeNull()
    // Its nonce is stale, as for a client behind a load balancer.
    await expect(scene.send(alice, transfer(BOB, 1))).rejects.toThrow('nonce too low')
    await chain.clearFaults()
    expect(await scene.ask('eth_blockNumber')).toBe('0x2')
  })

  test('is at genesis at most, and marks of safe and finalized do not reach beyond its head', async () => {
    const source = await createEmulator()
    for (let i = 0; i < 3; i++) await source.seal()
    await chain.importBlocks(await source.exportBlocks(), { safe: 3, finalized: 2 })
    const behind = await chain.fault({ method: 'eth_*', blocksBehind: 1 })
    for (const tag of ['safe', 'finalized', 'latest']) {
      expect(await scene.ask('eth_getBlockByNumber', tag, false)).toMatchObject({ number: '0x2' })
    }
    await behind.clear()
    await chain.fault({ method: 'eth_*', blocksBehind: 100 })
    expect(await scene.ask('eth_blockNumber')).toBe('0x0')
    for (const tag of ['safe', 'finalized', 'latest']) {
      expect(await scene.ask('eth_getBlockByNumber', tag, false)).toMatchObject({ number: '0x0' })
    }
  })
})

describe('faults are part of the state', () => {
  test('a revert restores the counters, and removes faults added since', async () => {
    const before = chain.snapshot()
    await chain.fault({ method: 'eth_chainId', error: busy, times: 2 })
    expect(await outcomes(chain, 1)).toEqual([-32005])
    const between = chain.snapshot()
    expect(await outcomes(chain, 2)).toEqual([-32005, '0x7a69'])
    await chain.revert(between)
    expect(await outcomes(chain, 2)).toEqual([-32005, '0x7a69'])
    await chain.revert(before)
    expect(await outcomes(chain, 1)).toEqual(['0x7a69'])
  })

  test('a clone has its own counters', async () => {
    const fault = await chain.fault({ method: 'eth_chainId', error: busy, times: 2 })
    expect(await outcomes(chain, 1)).toEqual([-32005])
    const clone = chain.clone()
    expect(await outcomes(clone, 2)).toEqual([-32005, '0x7a69'])
    await clone.clearFaults()
    expect(await outcomes(chain, 2)).toEqual([-32005, '0x7a69'])
    expect(await fault.fired()).toBe(2)
  })

  test('a chain without faults gets them by the snapshot of its clone', async () => {
    const clone = chain.clone()
    await clone.fault({ method: 'eth_chainId', error: busy })
    await chain.revert(clone.snapshot())
    expect(await outcomes(chain, 1)).toEqual([-32005])
  })

  test('random faults are the same after a revert', async () => {
    await chain.fault({ method: 'eth_chainId', error: busy, probability: 0.5 })
    const id = await chain.request('evm_snapshot')
    const first = await outcomes(chain, 40)
    await chain.request('evm_revert', [id])
    expect(await outcomes(chain, 40)).toEqual(first)
    expect(new Set(first).size).toBe(2)
  })

  test('calls that are not awaited take effect in order', async () => {
    const adding = chain.fault({ method: 'eth_*', error: busy })
    const during = [outcome(chain, 'eth_chainId'), outcome(chain, 'eth_newBlockFilter')]
    const clearing = chain.clearFaults()
    const after = [outcome(chain, 'eth_chainId'), outcome(chain, 'eth_newBlockFilter')]
    await Promise.all([adding, clearing])
    expect(await Promise.all(during)).toEqual([-32005, -32005])
    expect(await Promise.all(after)).toEqual(['0x7a69', '0x1'])
  })

  test('requests take effect in their order as they do without faults', async () => {
    await chain.fault({ method: 'net_version', error: busy })
    const raw = await alice.signTransaction(transfer(BOB, 0))
    const nonce = () => chain.request('eth_getTransactionCount', [ALICE, 'pending'])
    const answers = await Promise.all([
      nonce(),
      chain.request('eth_sendRawTransaction', [raw]),
      nonce(),
      chain.advance(200),
      nonce(),
    ])
    expect([answers[0], answers[2], answers[4]]).toEqual(['0x0', '0x0', '0x1'])
  })
})

describe('over JSON-RPC', () => {
  test('a fault is added and ended by its number', async () => {
    const [first, second] = [
      await scene.ask('tickchain_addFault', { method: 'eth_chainId', error: busy }),
      await scene.ask('tickchain_addFault', { method: 'net_version', status: 500 }),
    ]
    expect([first, second]).toEqual(['0x1', '0x2'])
    expect(await outcome(chain, 'eth_chainId')).toBe(-32005)
    expect(await scene.ask('tickchain_clearFaults', first)).toBe(1)
    expect(await outcome(chain, 'eth_chainId')).toBe('0x7a69')
    expect(await outcome(chain, 'net_version')).toBe(-32002)
    expect(await scene.ask('tickchain_clearFaults', first)).toBe(0)
    expect(await scene.ask('tickchain_clearFaults')).toBe(1)
  })

  test.each([
    [{ method: 'eth_noSuchMethod', lost: 'answer' }, '0.method: there is no method "eth_noSuchMethod"'],
    [{ method: 'tickchain_*', lost: 'answer' }, '0.method: there is no method "tickchain_*"'],
    [
      { method: 'eth_chainId' },
      '0: expected one of error, status, delayMs, lost and blocksBehind, got an object',
    ],
    [{ method: 'eth_chainId', status: 200 }, '0.status: expected an HTTP status from 400 to 599, got 200'],
  ])('%j is refused', async (fault, words) => {
    await expect(chain.request('tickchain_addFault', [fault as never])).rejects.toMatchObject({
      code: -32602,
      message: `invalid argument ${words}`,
    })
  })

  test('methods of the chain itself go by its own name', async () => {
    const named = await createEmulator({ chainPrefix: 'mine' })
    await named.fault({ method: 'mine_transactionStatus', error: busy })
    expect(await outcome(named, 'mine_transactionStatus', `0x${'11'.repeat(32)}`)).toBe(-32005)
    await expect(named.fault({ method: 'base_transactionStatus', error: busy })).rejects.toThrow('method')
  })
})

describe('arguments', () => {
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'expected an object, got nothing'],
    ['no effect', { method: 'eth_call' }, 'expected one of error, status, delayMs, lost and blocksBehind'],
    ['no such method', { method: 'eth_cal', lost: 'answer' }, 'options.method: there is no method "eth_cal"'],
    [
      'a typo',
      { method: 'eth_call', error: busy, time: 1 },
      'options.time: unknown field, did you mean times?',
    ],
    [
      'error and status',
      { method: 'eth_call', error: busy, status: 500 },
      'options.status: expected no status beside',
    ],
    [
      'a body alone',
      { method: 'eth_call', lost: 'answer', body: '' },
      'options.body: expected a body only with a status',
    ],
    [
      'a stale answer that gets lost',
      { method: 'eth_call', lost: 'answer', blocksBehind: 1 },
      'options.blocksBehind: expected no blocksBehind for what is not answered',
    ],
    [
      'a stale answer that is an error',
      { method: 'eth_call', error: busy, blocksBehind: 1 },
      'options.blocksBehind: expected no blocksBehind for what is not answered',
    ],
    ['no message', { method: 'eth_call', error: { code: 1 } }, 'options.error.message: missing'],
    [
      'a half code',
      { method: 'eth_call', error: { code: 1.5, message: '' } },
      'options.error.code: expected a whole number',
    ],
    [
      'a late loss',
      { method: 'eth_call', lost: 'answer', delayMs: 1 },
      'options.delayMs: expected no delay for what is lost',
    ],
    [
      'chance of 2',
      { method: 'eth_call', error: busy, probability: 2 },
      'options.probability: expected a number above 0',
    ],
    [
      'never',
      { method: 'eth_call', error: busy, times: 0 },
      'options.times: expected a whole number from 1 to 9007199254740991, got 0',
    ],
    [
      'each zeroth',
      { method: 'eth_call', error: busy, every: 0 },
      'options.every: expected a whole number from 1 to 9007199254740991, got 0',
    ],
    [
      'a head that is not behind',
      { method: 'eth_call', blocksBehind: 0 },
      'options.blocksBehind: expected a whole number from 1 to 9007199254740991, got 0',
    ],
    [
      'chance of 0',
      { method: 'eth_call', error: busy, probability: 0 },
      'options.probability: expected a number',
    ],
    ['a status of no error', { method: 'eth_call', status: 399 }, 'options.status: expected an HTTP status'],
    ['a status beyond', { method: 'eth_call', status: 600 }, 'options.status: expected an HTTP status'],
    ['a pattern', { method: 'eth_*call', error: busy }, 'options.method: expected the name of a method'],
    [
      'a list of params',
      { method: 'eth_call', error: busy, params: [] },
      'options.params: expected a function, got an array',
    ],
  ])('%s', async (_, options, words) => {
    await expect(chain.fault(options as FaultOptions)).rejects.toMatchObject({
      kind: 'invalidCall',
      message: expect.stringContaining(words),
    })
  })

  test.each([400, 599])('take the status %i, the end of the range of errors (RFC 9110)', async (status) => {
    await chain.fault({ method: 'eth_chainId', status })
    expect((await post(chain, envelope('eth_chainId'))).status).toBe(status)
  })

  test('are refused with a message, or valid', async () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined), fc.bigInt())
    const names = ['method', 'params', 'error', 'status', 'body', 'delayMs', 'lost', 'blocksBehind', 'after']
    const hostile = fc.oneof(
      value,
      fc.record(
        {
          method: fc.oneof(fc.constantFrom('eth_call', 'eth_*', '*'), value),
          ...Object.fromEntries(names.slice(1).map((name) => [name, value])),
          ...Object.fromEntries(['every', 'probability', 'times', 'other'].map((name) => [name, value])),
        },
        { requiredKeys: [] },
      ),
    )
    await fc.assert(
      fc.asyncProperty(hostile, async (options) => {
        const tried = chain.clone()
        const refused: unknown = await tried.fault(options as FaultOptions).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (refused === undefined) return
        expect(refused).toBeInstanceOf(TickchainError)
        expect(refused).toMatchObject({ kind: 'invalidCall', code: -32602 })
        expect((refused as Error).message.length).toBeLessThan(500)
        expect(await outcome(tried, 'eth_chainId')).toBe('0x7a69')
      }),
      { seed: 20261122, numRuns: 300 },
    )
  })
})
