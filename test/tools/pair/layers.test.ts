// Several layers 2, system configuration, finality, and bad options.
import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import { createRollup } from '../../../src/rollup.ts'
import type { CreateRollupOptions } from '../../../src/tools/pair/options.ts'
import { ACCOUNT, blockOf, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'

test.each([
  [{ l1: { prodution: 'auto' } }, 'l1.prodution: unknown field, did you mean production?'],
  [{ l1: { production: 'autoo' } }, 'l1.production: expected one of interval, auto, manual'],
  [{ l1: Promise.resolve({}) }, 'l1: expected an object of options, got a promise, without await'],
  [{ l2: { prodution: 'auto' } }, 'l2.prodution: unknown field, did you mean production?'],
  [{ l2: [{}, { rollup: { frok: 'granite' } }] }, 'l2[1].rollup.frok: unknown field, did you mean fork?'],
])('an option of a layer is refused with its place: %j', async (options, words) => {
  const refused = { kind: 'invalidOption', message: expect.stringContaining(`invalid option ${words}`) }
  await expect(createRollup(options as never)).rejects.toMatchObject(refused)
})

test('two layers 2 on one layer 1 have contracts and deposits of their own', async () => {
  const rollup = await createRollup({ l2: [{}, { chainId: 10, rollup: { fork: 'granite' } }] })
  const [one, two] = rollup.chains
  expect([one!.l2.settings.chainId, two!.l2.settings.chainId]).toEqual([901, 10])
  expect(one!.contracts.portal[900]).not.toEqual(two!.contracts.portal[900])
  const clients = clientsOf(rollup, 1)
  const request = await clients.public2.buildDepositTransaction({
    mint: parseEther('1'),
    to: TO,
    account: ACCOUNT,
  })
  await clients.wallet1.depositTransaction(request)
  await rollup.advance(74_000)
  expect(await clients.public2.getBalance({ address: TO })).toBe(parseEther('1'))
  expect(await clientsOf(rollup, 0).public2.getBalance({ address: TO })).toBe(0n)
  // Each batcher has posted at 60 s, for the L1 block of 72 s.
  expect([await numberOf(one!.l2, 'safe'), await numberOf(two!.l2, 'safe')]).toEqual([30, 30])
  const copy = rollup.clone()
  await copy.chains[1]!.l2.advance(2000)
  expect(copy.chains.map(({ l2 }) => l2.now - rollup.now)).toEqual([2000, 2000])
})

test('the system configuration on the layer 1 applies from the next origin on', async () => {
  const rollup = await createRollup()
  const { wallet1, chain2 } = clientsOf(rollup)
  const abi = parseAbi([
    'function setGasLimit(uint64 gasLimit)',
    'function setGasConfigEcotone(uint32 basefeeScalar, uint32 blobbasefeeScalar)',
  ])
  const to = chain2.contracts.systemConfig[900]!.address
  const set = (data: `0x${string}`) => wallet1.sendTransaction({ to, data, gas: 200_000n })
  await set(encodeFunctionData({ abi, functionName: 'setGasLimit', args: [40_000_000n] }))
  await set(encodeFunctionData({ abi, functionName: 'setGasConfigEcotone', args: [7, 8] }))
  await rollup.advance(14_000)
  const at = async (number: number) =>
    (await blockOf(rollup.l2, number)) as unknown as { gasLimit: string; transactions: { input: string }[] }
  expect(Number((await at(6)).gasLimit)).toBe(60_000_000)
  const seven = await at(7)
  expect(Number(seven.gasLimit)).toBe(40_000_000)
  // The selector, then both scalars.
  expect(seven.transactions[0]!.input.slice(10, 26)).toBe('0000000700000008')
})

test('the parameters of holocene, isthmus and jovian are set on the layer 1, too', async () => {
  const rollup = await createRollup()
  const { wallet1, chain2 } = clientsOf(rollup)
  const abi = parseAbi([
    'function setEIP1559Params(uint32 denominator, uint32 elasticity)',
    'function setOperatorFeeScalars(uint32 operatorFeeScalar, uint64 operatorFeeConstant)',
    'function setMinBaseFee(uint64 minBaseFee)',
    'function setDAFootprintGasScalar(uint16 daFootprintGasScalar)',
  ])
  const to = chain2.contracts.systemConfig[900]!.address
  for (const data of [
    encodeFunctionData({ abi, functionName: 'setEIP1559Params', args: [1, 2] }),
    encodeFunctionData({ abi, functionName: 'setMinBaseFee', args: [3n] }),
    encodeFunctionData({ abi, functionName: 'setOperatorFeeScalars', args: [4, 5n] }),
    encodeFunctionData({ abi, functionName: 'setDAFootprintGasScalar', args: [6] }),
  ]) {
    await wallet1.sendTransaction({ to, data, gas: 200_000n })
  }
  await rollup.advance(14_000)
  const { extraData, transactions } = (await blockOf(rollup.l2, 7)) as unknown as {
    extraData: string
    transactions: { input: string }[]
  }
  // A version, then the parameters of EIP-1559 and the least base fee.
  expect(extraData).toBe('0x01' + '00000001' + '00000002' + '0000000000000003')
  expect(transactions[0]!.input.slice(-28)).toBe('00000004' + '0000000000000005' + '0006')
})

test('blocks are final with the L1 blocks that they follow from', async () => {
  const rollup = await createRollup({ batcher: { intervalS: 12 }, l1: { finalizedLag: 3 } })
  const { l1, l2 } = rollup
  await rollup.advance(72_000)
  expect([await numberOf(l1, 'latest'), await numberOf(l1, 'finalized')]).toEqual([6, 3])
  // L1 block 6 has the batches up to 60 s, and block 3 those up to 24 s.
  expect([await numberOf(l2, 'safe'), await numberOf(l2, 'finalized')]).toEqual([30, 12])
  const status = (await l2.request('optimism_syncStatus', [])) as unknown as Record<
    string,
    { number: number }
  >
  expect([status['safe_l2']!.number, status['finalized_l2']!.number]).toEqual([30, 12])
})

test('a batcher with another key than the configuration names does not count', async () => {
  const rollup = await createRollup()
  const { wallet1, chain2 } = clientsOf(rollup)
  const abi = parseAbi(['function setBatcherHash(bytes32 batcherHash)'])
  const data = encodeFunctionData({ abi, args: [`0x${'00'.repeat(12)}${'99'.repeat(20)}`] })
  await wallet1.sendTransaction({ to: chain2.contracts.systemConfig[900]!.address, data, gas: 200_000n })
  await rollup.advance(150_000)
  expect(await numberOf(rollup.l2, 'safe')).toBe(0)
})

test('the layers begin at the time of the layer 1', async () => {
  const { l1, l2 } = await createRollup({ l1: { genesis: { timestamp: 1_800_000_000 } } })
  expect([l1.now, l2.now]).toEqual([1_800_000_000_000, 1_800_000_000_000])
})

function revoked(): never {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy as never
}

const unreadable = {
  get: () => {
    throw new RangeError('a getter of the test')
  },
  ownKeys: () => {
    throw new RangeError('a list of the test')
  },
}

test.each<[string, CreateRollupOptions]>([
  ['a revoked chain id', { l2: { chainId: revoked() } }],
  ['a revoked system configuration', { l2: { rollup: { systemConfig: revoked() } } }],
  ['an unreadable chain id', { l2: { chainId: new Proxy({}, unreadable) as never } }],
  ['an unreadable rollup', { l2: { rollup: new Proxy({}, unreadable) } }],
  ['an unreadable genesis', { l1: { genesis: new Proxy({}, unreadable) } }],
  ['a list with holes', { l2: new Array(2) as never }],
  ['a symbol for a chain id', { l2: { chainId: Symbol('id') as never } }],
  ['a layer 1 without a base fee', { l1: { hardfork: 'berlin' } }],
])('refused as an option: %s', async (_, options) => {
  await expect(createRollup(options)).rejects.toMatchObject({ kind: 'invalidOption' })
})

describe('refused:', () => {
  test.each<[CreateRollupOptions | Record<string, unknown>, string]>([
    [{ l3: {} }, 'l3'],
    [{ l2: [] }, 'l2'],
    [{ l2: { safeLag: 3 } as never }, 'l2.safeLag'],
    [{ l2: { rollup: { l1: { number: 5 } } as never } }, 'l2.rollup.l1'],
    [{ l1: { rollup: { stack: 'op' } } as never }, 'l1.rollup'],
    [{ l2: { blockTimeMs: 1500 } }, 'l2.blockTimeMs'],
    [{ l2: { genesis: { timestamp: 5 } } }, 'l2.genesis.timestamp'],
    [{ l2: { genesis: [] as never } }, 'l2.genesis'],
    [{ l2: { chainId: 900 } }, 'l2.chainId'],
    [{ l2: [{}, { chainId: 901 }] }, 'l2[1].chainId'],
    [{ l2: { rollup: { stack: 'arbitrum' as never } } }, 'l2.rollup.stack'],
    [{ batcher: { intervalS: 0 } }, 'batcher.intervalS'],
    [{ withdrawals: { proofMaturityDelayS: -1 } }, 'withdrawals.proofMaturityDelayS'],
    [{ sequencingWindow: 0 }, 'sequencingWindow'],
  ])('%j', async (options, name) => {
    const created = createRollup(options as CreateRollupOptions)
    await expect(created).rejects.toMatchObject({ kind: 'invalidOption' })
    await expect(created).rejects.toThrow(`option ${name}`)
  })
})
