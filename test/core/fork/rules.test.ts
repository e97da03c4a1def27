// The rules above a fork of a network that is not in the table: what the upstream itself executes there.

import { expect, test } from 'vitest'
import { base, createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.ts'

import { ask, rpcError, wireTo } from './upstreams.ts'

/** A network whose osaka has the first change of blob parameters (EIP-8134). */
const BPO: EmulatorOptions = {
  genesis: {
    config: {
      chainId: 999,
      ...{ homesteadBlock: 0, eip150Block: 0, eip155Block: 0, eip158Block: 0, byzantiumBlock: 0 },
      ...{ constantinopleBlock: 0, petersburgBlock: 0, istanbulBlock: 0, berlinBlock: 0, londonBlock: 0 },
      ...{
        terminalTotalDifficulty: 0,
        shanghaiTime: 0,
        cancunTime: 0,
        pragueTime: 0,
        osakaTime: 0,
        bpo1Time: 0,
      },
      blobSchedule: {
        cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
        prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
        osaka: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
        bpo1: { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193 },
      },
    },
    excessBlobGas: 80_000_000n,
    gasLimit: 45_000_000n,
  },
}

/** What the rules and the settings of a chain show in its head. */
async function shown(chain: Emulator): Promise<unknown> {
  const head = (await ask(chain, 'eth_getBlockByNumber', 'latest', false)) as Record<string, unknown>
  const { number, excessBlobGas, gasLimit, baseFeePerGas } = head
  return [number, excessBlobGas, gasLimit, baseFeePerGas, await ask(chain, 'eth_blobBaseFee')]
}

test.each([
  ['prague, told by its opcodes', { hardfork: 'prague' }, {}, ['prague', 9]],
  ['osaka, told by its opcodes', { hardfork: 'osaka' }, {}, ['osaka', 9]],
  ['shanghai, told by its header', { hardfork: 'shanghai' }, {}, ['shanghai']],
  ['osaka with blob parameters of its own', BPO, {}, ['osaka', 15]],
  [
    'osaka, where nobody tells of blob parameters',
    BPO,
    { eth_config: rpcError(-32601, 'unknown') },
    ['osaka', 9],
  ],
] as const)('%s', async (_, options, answers: Record<string, unknown>, [hardfork, max]) => {
  const chain = await createEmulator(options as EmulatorOptions)
  await chain.mine(1)
  const wire = wireTo(chain)
  wire.answer = ({ method }) => answers[method]
  const fork = await createEmulator({ fork: { upstream: wire } })
  const { hardFork } = (await ask(fork, 'anvil_nodeInfo')) as { hardFork: string }
  expect(hardFork).toBe(hardfork)
  const { current } = (await ask(fork, 'eth_config')) as { current: { blobSchedule: { max: number } | null } }
  expect(current.blobSchedule?.max).toBe(max)
})

test('the blob base fee goes on as on the network, also in a dump of the fork', async () => {
  const chain = await createEmulator(BPO)
  await chain.mine(1)
  const fork = await createEmulator({ fork: { upstream: chain } })
  const loaded = await createEmulator({ state: await fork.dump() })
  for (const each of [chain, fork, loaded]) await each.mine(3)
  const expected = await shown(chain)
  expect(await shown(fork)).toEqual(expected)
  expect(await shown(loaded)).toEqual(expected)
  expect(await ask(loaded, 'eth_chainId')).toBe('0x3e7')
})

test('an option names other rules, and nobody is asked for them', async () => {
  const wire = wireTo(await createEmulator({ hardfork: 'osaka' }))
  const fork = await createEmulator({ hardfork: 'cancun', fork: { upstream: wire } })
  expect(await ask(fork, 'anvil_nodeInfo')).toMatchObject({ hardFork: 'cancun' })
  const asked = wire.asked.map(({ method }) => method)
  expect(asked.filter((method) => method === 'eth_config' || method === 'eth_call')).toEqual([])
})

test('a rollup is forked where the rest is refused without a code, or its first transaction is not answered', async () => {
  const chain = await createEmulator({ rollup: { stack: 'op' } })
  await chain.mine(1)
  const wire = wireTo(chain)
  wire.answer = ({ method }) => {
    if (method === 'eth_getTransactionByHash') return rpcError(429, 'too many')
    return ['eth_call', 'eth_config', 'eth_getProof'].includes(method) ? new Error('no') : undefined
  }
  let text: string | undefined
  const recording = {
    read: () => text,
    write(written: string) {
      text = written
    },
  }
  const start = async (upstream?: typeof wire) => {
    const fork = await createEmulator({ fork: { ...(upstream && { upstream }), block: 1, recording } })
    await fork.mine(1)
    const block = (await ask(fork, 'eth_getBlockByNumber', 'latest', true)) as { transactions: object[] }
    expect(block.transactions).toMatchObject([{ type: '0x7e' }])
    return ask(fork, 'anvil_nodeInfo')
  }
  expect(await start(wire)).toMatchObject({ hardFork: 'prague' })
  await start()
})

/** Init code that returns what PUSH0 pushes: invalid before shanghai (EIP-3855). */
const PUSH_ZERO = '0x5f5f5260205ff3'

test.each<[string, EmulatorOptions, string]>([
  ['of Base that has just begun', base({ fork: 'jovian' }), 'prague'],
  ['with the id of OP Mainnet', { chainId: 10 }, 'prague'],
  [
    'with the id of OP Sepolia, of karst',
    { chainId: 11_155_420, genesis: { timestamp: 1_795_000_000 }, rollup: { stack: 'op', fork: 'karst' } },
    'osaka',
  ],
  ['with the id of mainnet, of osaka', { chainId: 1, hardfork: 'osaka' }, 'osaka'],
  ['with the id of Polygon, of cancun', { chainId: 137, hardfork: 'cancun' }, 'cancun'],
])('a chain %s has the rules of its header, which is newer than the table', async (_, options, hardfork) => {
  const upstream = await createEmulator(options)
  await upstream.mine(1)
  const fork = await createEmulator({ fork: { upstream } })
  expect(await ask(fork, 'anvil_nodeInfo')).toMatchObject({ hardFork: hardfork })
  expect(await ask(fork, 'eth_call', { data: PUSH_ZERO }, 'latest')).toBe(`0x${'0'.repeat(64)}`)
  await fork.mine(1)
  const fields = ['withdrawalsRoot', 'parentBeaconBlockRoot', 'requestsHash']
  const heads = await Promise.all(
    [upstream, fork].map((each) => ask(each, 'eth_getBlockByNumber', 'latest', false)),
  )
  const [there, here] = heads.map((head) => fields.filter((field) => field in (head as object)))
  expect(here).toEqual(there)
})

test('known networks have the rules and blob parameters of the table', async () => {
  const genesis = { timestamp: 1_767_747_671, excessBlobGas: 100_000_000n }
  const chain = await createEmulator({ chainId: 1, hardfork: 'osaka', genesis })
  const wire = wireTo(chain)
  const fork = await createEmulator({ fork: { upstream: wire } })
  const { current } = (await ask(fork, 'eth_config')) as { current: { blobSchedule: unknown } }
  expect(current.blobSchedule).toEqual({ target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 })
  expect(wire.asked.map(({ method }) => method)).not.toContain('eth_config')
})

test.each([
  [
    'eth_config',
    { current: { activationTime: 0, blobSchedule: { target: 6, max: 9, baseFeeUpdateFraction: 0 } } },
    'result.current.blobSchedule.baseFeeUpdateFraction: expected a whole number from 1',
  ],
  ['eth_config', 7, 'result: expected an object'],
] as const)('%s answered with %j is an error that says so', async (method, answer, reason) => {
  const wire = wireTo(await createEmulator())
  wire.answer = (asked) => (asked.method === method ? answer : undefined)
  await expect(createEmulator({ fork: { upstream: wire } })).rejects.toMatchObject({
    kind: 'upstreamAnswer',
    message: expect.stringContaining(reason),
  })
})

test('excess blob gas that no chain can have is an error that says so', async () => {
  const chain = await createEmulator()
  const block = (await ask(chain, 'eth_getBlockByNumber', 'latest', false)) as object
  const wire = wireTo(chain)
  wire.answer = ({ method }) =>
    method === 'eth_getBlockByNumber' ? { ...block, excessBlobGas: `0x${'f'.repeat(64)}` } : undefined
  await expect(createEmulator({ fork: { upstream: wire } })).rejects.toMatchObject({
    kind: 'upstreamAnswer',
    message: expect.stringContaining('result.excessBlobGas: expected at most'),
  })
})

test.each([
  ['of karst, a call', 'karst', 'eth_call', new Error('socket hang up')],
  ['of karst, a call on a server that fails', 'karst', 'eth_call', rpcError(503, 'unavailable')],
  ['of granite, its first transaction', 'granite', 'eth_getTransactionByHash', rpcError(-32603, 'internal')],
] as const)('a rollup %s that is lost once is asked for again', async (_, fork, method, lost) => {
  const chain = await createEmulator({ rollup: { stack: 'op', fork } })
  await chain.mine(1)
  const wire = wireTo(chain)
  let left = 1
  wire.answer = (asked) => (asked.method === method && left-- > 0 ? lost : undefined)
  const forked = await createEmulator({ fork: { upstream: wire } })
  await forked.mine(1)
  const block = (await ask(forked, 'eth_getBlockByNumber', 'latest', true)) as { transactions: object[] }
  expect(block.transactions).toMatchObject([{ type: '0x7e' }])
  const hardFork = fork === 'karst' ? 'osaka' : 'cancun'
  expect(await ask(forked, 'anvil_nodeInfo')).toMatchObject({ hardFork })
})

test('a server that fails each time has not said what it executes', async () => {
  const chain = await createEmulator({ rollup: { stack: 'op' } })
  await chain.mine(1)
  const wire = wireTo(chain)
  wire.answer = ({ method }) => (method === 'eth_call' ? rpcError(503, 'unavailable') : undefined)
  await expect(createEmulator({ fork: { upstream: wire } })).rejects.toMatchObject({
    kind: 'upstreamFailed',
    message: expect.stringMatching(/^unavailable: the upstream did not answer eth_call/),
  })
})
