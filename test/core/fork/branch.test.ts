// One branch of the upstream: what it answers is checked against the block of the fork, and found without block numbers.

import { beforeAll, expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator, type TickchainError } from '../../../src/index.ts'
import { ask, rpcError, type Wire, wireTo } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
/** Returns BLOCKHASH of its input. */
const HASHER: Hex = '0x00000000000000000000000000000000000000aa'
const LOGGER: Hex = '0x00000000000000000000000000000000000000bb'
const WORD = 32

interface Block {
  readonly hash: Hex
  readonly parentHash: Hex
}

let chain: Emulator
let logged: Hex

beforeAll(async () => {
  const alloc = { [HASHER]: { code: '0x5f35405f5260205ff3' }, [LOGGER]: { code: '0x5f5fa0' } } as const
  chain = await createEmulator({ production: 'auto', genesis: { alloc } })
  logged = (await ask(chain, 'eth_sendTransaction', { from: FIRST, to: LOGGER, gas: '0x10000' })) as Hex
  await chain.mine(11)
})

const blockAt = async (number: number) =>
  (await ask(chain, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false)) as Block

async function forked(answer: Wire['answer'], options: object = {}) {
  const wire = Object.assign(wireTo(chain), { answer })
  const fork = await createEmulator({ production: 'auto', fork: { upstream: wire, block: 12, ...options } })
  wire.asked.length = 0
  return { wire, fork }
}

const refused = async (asked: Promise<unknown>): Promise<TickchainError> =>
  (await asked.then(
    () => Promise.reject(new Error('it was not refused')),
    (error) => error,
  )) as TickchainError

const hashOf = (on: Emulator, number: number) =>
  ask(on, 'eth_call', { to: HASHER, data: `0x${number.toString(16).padStart(2 * WORD, '0')}` }, 'latest')

test.each([
  ['with a code', rpcError(-32000, 'pruned')],
  ['without one', new Error('pruned')],
])(
  'BLOCKHASH is found by the parents of the fork where the upstream refuses numbers %s',
  async (_, error) => {
    const { hash } = await blockAt(12)
    const { fork, wire } = await forked(
      ({ method }) => (method === 'eth_getBlockByNumber' ? error : undefined),
      { block: hash },
    )
    expect(await hashOf(fork, 4)).toBe((await blockAt(4)).hash)
    const count = (name: string) => wire.asked.filter(({ method }) => method === name).length
    // Block 11 is the parent of the fork; 10 to 5 name those before them.
    expect([count('eth_getBlockByNumber'), count('eth_getBlockByHash')]).toEqual([1, 7])
    expect(await hashOf(fork, 7)).toBe((await blockAt(7)).hash)
    expect(count('eth_getBlockByHash')).toBe(7)
    const answered = await forked(() => undefined)
    expect(await hashOf(answered.fork, 4)).toBe((await blockAt(4)).hash)
    expect(answered.wire.asked.map(({ method }) => method)).not.toContain('eth_getBlockByHash')
  },
)

test('blocks, receipts and logs of another branch are refused by name', async () => {
  const other = `0x${'77'.repeat(WORD)}`
  /** The upstream's answers with another hash in place of a block's. */
  const replaced = async (number: number, method: string): Promise<Wire['answer']> => {
    const { hash } = await blockAt(number)
    const replacement = async (asked: { method: string; params: readonly unknown[] }) =>
      JSON.parse(JSON.stringify(await chain.request(asked as never)).replaceAll(hash, other))
    return (asked) => (asked.method === method ? replacement(asked) : undefined)
  }
  for (const [number, method, params] of [
    [11, 'eth_getBlockByNumber', ['0xb', false]],
    // The parent of block 12 is known; that of block 11 is learnt with it.
    [12, 'eth_getLogs', [{ fromBlock: '0xc', toBlock: '0xc', address: LOGGER }]],
    [1, 'eth_getTransactionReceipt', [logged]],
  ] as const) {
    const { fork, wire } = await forked(() => undefined)
    // Block 2 says what block 1 is.
    await ask(fork, 'eth_getBlockByNumber', '0x2', false)
    const answer = await replaced(number, method)
    if (method === 'eth_getLogs') {
      const log = { blockNumber: '0xc', blockHash: other, address: LOGGER, topics: [], data: '0x' }
      wire.answer = (asked) => (asked.method === method ? [log] : undefined)
    } else wire.answer = answer
    const error = await refused(ask(fork, method, ...params))
    expect(error.kind, method).toBe('upstreamReorganised')
    expect(error.message).toContain(`block ${number} was ${(await blockAt(number)).hash}, and is ${other}`)
    // It was not kept: the upstream is asked again.
    wire.answer = () => undefined
    expect(await ask(fork, method, ...params)).toEqual(await ask(chain, method, ...params))
  }
})

test('a block of another branch by its hash is the upstream’s to answer', async () => {
  const copy = chain.clone()
  const genesis = await blockAt(0)
  const orphan = { ...(await blockAt(3)), hash: `0x${'99'.repeat(WORD)}`, parentHash: genesis.hash }
  const { fork } = await forked(({ method }) => (method === 'eth_getBlockByHash' ? orphan : undefined))
  expect(await ask(fork, 'eth_getBlockByHash', orphan.hash, false)).toEqual(orphan)
  await copy.dispose()
})

test('a block that the upstream simulates is none of its branch', async () => {
  const { fork } = await forked(() => undefined)
  const simulation = [{ blockStateCalls: [{}] }, '0x3']
  // The simulated block has the number of block 4, and another hash.
  expect(await ask(fork, 'eth_simulateV1', ...simulation)).toEqual(
    await ask(chain, 'eth_simulateV1', ...simulation),
  )
  expect(await hashOf(fork, 4)).toBe((await blockAt(4)).hash)
  expect(await ask(fork, 'eth_getBlockByNumber', '0x4', false)).toEqual(await blockAt(4))
  expect(await ask(fork, 'eth_simulateV1', { blockStateCalls: [{}] }, '0xa')).toBeInstanceOf(Array)
})

test('a simulation on a block of another branch is refused', async () => {
  const other = await createEmulator({ production: 'auto', seed: 1 })
  await other.mine(12)
  const { fork } = await forked(({ method, params }) =>
    method === 'eth_simulateV1' ? ask(other, method, ...params) : undefined,
  )
  await ask(fork, 'eth_getBlockByNumber', '0x3', false)
  const error = await refused(ask(fork, 'eth_simulateV1', { blockStateCalls: [{}] }, '0x3'))
  expect([error.kind, error.message]).toEqual(['upstreamReorganised', expect.stringContaining('block 3 was')])
})

test.each(['balance', 'nonce', 'codeHash', 'storageHash', 'value'])(
  'a proof shows that %s is wrong, also where roots are made up',
  async (field) => {
    const { fork } = await forked(async ({ method, params }) => {
      if (method === 'eth_createAccessList') return rpcError(-32601, 'no such method')
      if (method !== 'eth_getProof') return undefined
      const proof = (await ask(chain, method, ...params)) as Record<string, unknown> & {
        storageProof: Record<string, unknown>[]
      }
      const wrong = field.endsWith('Hash') ? `0x${'11'.repeat(WORD)}` : '0x1234'
      if (field !== 'value') return { ...proof, [field]: wrong }
      return { ...proof, storageProof: proof.storageProof.map((slot) => ({ ...slot, value: wrong })) }
    }).catch((error) => ({ fork: error as TickchainError }))
    if (!('request' in fork)) {
      expect(fork.kind).toBe('upstreamAnswer')
      return
    }
    const slots = [`0x${'1'.padStart(64, '0')}`, `0x${'2'.padStart(64, '0')}`] as const
    const error = await refused(fork.prefetch([{ address: LOGGER, slots }]))
    expect(error.kind).toBe('upstreamAnswer')
    expect(error.message).toContain('a proof of the')
  },
)

test('a proof below another root is refused, unless it is an emulator’s, whose head may have been edited', async () => {
  const edited = chain.clone()
  await edited.setBalance(FIRST, 5n)
  const proofsOf =
    (version: string): Wire['answer'] =>
    ({ method, params }) => {
      if (method === 'web3_clientVersion') return version
      return method === 'eth_getProof' ? ask(edited, method, ...params) : undefined
    }
  const accounts = { balance: 0n }
  const start = (version: string) =>
    createEmulator({
      accounts,
      fork: { upstream: Object.assign(wireTo(chain), { answer: proofsOf(version) }) },
    })
  expect((await refused(start('Geth/v1.16.0/linux-amd64/go1.24'))).kind).toBe('upstreamAnswer')
  expect(await ask(await start('anvil/v1.7.1'), 'eth_getBalance', FIRST, 'latest')).toBe('0x5')
})

test('BLOCKHASH is found by the parents of the fork where numbers are answered with null', async () => {
  const { hash } = await blockAt(12)
  const { fork } = await forked(({ method }) => (method === 'eth_getBlockByNumber' ? null : undefined), {
    block: hash,
  })
  expect(await hashOf(fork, 4)).toBe((await blockAt(4)).hash)
})

test.each<[string, readonly unknown[]]>([
  ['eth_getBalance', [FIRST, '0xb']],
  ['eth_getBalance', [FIRST, '0x5']],
  ['eth_getBlockReceipts', ['0x5']],
  ['eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x7' }]],
  ['debug_getRawBlock', ['0xb']],
])('what %s answers of another branch is refused, and not known afterwards', async (method, params) => {
  const other = chain.clone()
  await ask(other, 'anvil_reorg', 9, [])
  await ask(other, 'anvil_setBalance', FIRST, '0x1')
  await other.mine(1)
  let isOther = false
  const { fork } = await forked((asked) => (isOther ? ask(other, asked.method, ...asked.params) : undefined))
  isOther = true
  expect(await refused(ask(fork, method, ...params))).toMatchObject({ kind: 'upstreamReorganised' })
  isOther = false
  expect(await ask(fork, method, ...params)).toEqual(await ask(chain, method, ...params))
})

test('a node that knows blocks by their numbers only is refused when it is reorganised', async () => {
  const other = chain.clone()
  await ask(other, 'anvil_reorg', 9, [])
  await other.mine(1)
  let isOther = false
  const { fork } = await forked(({ method, params }) => {
    if (typeof params.at(-1) === 'object' && method !== 'eth_getLogs') return rpcError(-32602, 'no hashes')
    return isOther ? ask(other, method, ...params) : undefined
  })
  await ask(fork, 'eth_getBalance', FIRST, 'latest')
  isOther = true
  const read = ask(fork, 'eth_getBalance', LOGGER, 'latest')
  expect(await refused(read)).toMatchObject({ kind: 'upstreamReorganised' })
})

test.each(['stateRoot', 'timestamp', 'extraData'])(
  'a block whose %s is not what it hashes is refused where roots are proven',
  async (name) => {
    const block = (await blockAt(12)) as unknown as Readonly<Record<string, unknown>>
    const other = name === 'timestamp' ? '0x7fffffff' : `0x${'5a'.repeat(32)}`
    const error = await refused(
      forked(({ method }) => (method === 'eth_getBlockByNumber' ? { ...block, [name]: other } : undefined), {
        roots: 'proven',
      }),
    )
    expect(error).toMatchObject({ kind: 'upstreamAnswer', code: -32000 })
    expect(error.message).toMatch(/^result\.hash: expected the hash of its fields, 0x[0-9a-f]{64}/)
  },
)

test.each([
  ['blockNumber', '0xd', 'result[0].blockNumber: expected one from 0x1 to 0xc'],
  ['blockHash', null, 'result[0].blockHash: expected 32 bytes of hex'],
  ['removed', true, 'result[0].removed: expected false'],
  ['address', HASHER, `result[0].address: expected ${LOGGER}`],
])('a log whose %s is %j is refused', async (name, value, reason) => {
  const { fork } = await forked(({ method, params }) =>
    method === 'eth_getLogs'
      ? ask(chain, method, ...params).then((logs) =>
          (logs as object[]).map((log) => ({ ...log, [name]: value })),
        )
      : undefined,
  )
  const error = await refused(
    ask(fork, 'eth_getLogs', { fromBlock: '0x1', toBlock: 'latest', address: LOGGER }),
  )
  expect(error).toMatchObject({ kind: 'upstreamAnswer', message: expect.stringContaining(reason) })
})
