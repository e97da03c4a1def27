import { base, createEmulator, type Emulator } from 'tickchain'
import { concat, type Hex, keccak256, numberToHex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { OP_FORKS } from '../../../../src/core/rollup/op/forks.ts'
import { START_S } from '../../node/rollup/scene.ts'

const PASSER = '0x4200000000000000000000000000000000000016'
const ZERO_HASH = pad('0x', { size: 32 })

async function ask<Result>(chain: Emulator, method: string, ...params: unknown[]): Promise<Result> {
  return (await chain.request(method, params)) as Result
}

type Header = Readonly<Record<'hash' | 'parentHash' | 'stateRoot' | 'timestamp', Hex>>

describe('optimism_outputAtBlock', () => {
  test('commits to the state, the messages to the layer 1, and the block', async () => {
    const chain = await createEmulator(base({ fork: 'jovian' }))
    await chain.advance(14_000)
    const header = await ask<Header>(chain, 'eth_getBlockByNumber', '0x6', false)
    const { storageHash } = await ask<{ storageHash: Hex }>(chain, 'eth_getProof', PASSER, [], '0x6')
    const output = await ask<Record<string, unknown>>(chain, 'optimism_outputAtBlock', '0x6')
    // OP stack specification, proposals: version 0.
    const outputRoot = keccak256(concat([ZERO_HASH, header.stateRoot, storageHash, header.hash]))
    const l1 = (await ask<{ head_l1: { hash: Hex } }>(chain, 'optimism_syncStatus')).head_l1
    expect(output).toEqual({
      version: ZERO_HASH,
      outputRoot,
      blockRef: {
        ...{ hash: header.hash, number: 6, parentHash: header.parentHash, timestamp: START_S + 12 },
        l1origin: { hash: l1.hash, number: 1 },
        sequenceNumber: 0,
      },
      withdrawalStorageRoot: storageHash,
      stateRoot: header.stateRoot,
      syncStatus: await ask(chain, 'optimism_syncStatus'),
    })
  })

  test('is the network’s at a fork, and refused above it where roots are made up', async () => {
    const chain = await createEmulator(base({ fork: 'jovian' }))
    await chain.mine(3)
    const fork = await createEmulator({ fork: { upstream: chain } })
    const { outputRoot } = await ask<{ outputRoot: Hex }>(chain, 'optimism_outputAtBlock', '0x3')
    expect(await ask(fork, 'optimism_outputAtBlock', '0x3')).toMatchObject({ outputRoot })
    await fork.mine(1)
    await expect(ask(fork, 'optimism_outputAtBlock', 'latest')).rejects.toMatchObject({ kind: 'proofOnFork' })
  })

  test('refuses a block that is not there', async () => {
    const chain = await createEmulator(base({ fork: 'jovian' }))
    await expect(ask(chain, 'optimism_outputAtBlock', '0x5')).rejects.toMatchObject({ kind: 'blockNotFound' })
  })
})

test('optimism_syncStatus tells the heads of both layers', async () => {
  const chain = await createEmulator(base({ fork: 'jovian', safeLag: 3, finalizedLag: 5 }))
  await chain.advance(2000 * 14)
  const status = await ask<Record<string, { number: number; timestamp: number }>>(
    chain,
    'optimism_syncStatus',
  )
  const numbers = Object.fromEntries(Object.entries(status).map(([name, { number }]) => [name, number]))
  // L1 blocks begin at 0, 12 and 24 s, with the L2 blocks 0, 6 and 12.
  expect(numbers).toEqual({
    ...{
      unsafe_l2: 14,
      cross_unsafe_l2: 14,
      safe_l2: 11,
      local_safe_l2: 11,
      pending_safe_l2: 11,
      finalized_l2: 9,
    },
    ...{ head_l1: 2, current_l1: 2, safe_l1: 1, finalized_l1: 1, current_l1_finalized: 1 },
  })
  expect(status['head_l1']).toMatchObject({ timestamp: START_S + 24 })
  expect(status['unsafe_l2']).toMatchObject({ sequenceNumber: 2, l1origin: { number: 2 } })
})

test('optimism_rollupConfig is the chain’s rollup.json', async () => {
  const fork = { regolith: 0, canyon: 0, ecotone: 5, fjord: START_S + 100 }
  const batcher = '0x5050f69a9786f081509234f1a7f4684b5e5b76c9'
  const rollup = {
    stack: 'op',
    ...{ fork, l1: { number: 9, chainId: 11_155_111 } },
    systemConfig: { batcher, operatorFeeScalar: 1, operatorFeeConstant: 2 },
  } as const
  const chain = await createEmulator({ chainId: 84_532, rollup })
  const genesis = await ask<Header>(chain, 'eth_getBlockByNumber', '0x0', false)
  const config = await ask<Record<string, unknown>>(chain, 'optimism_rollupConfig')
  expect(config).toMatchObject({
    genesis: {
      l1: { number: 9 },
      l2: { hash: genesis.hash, number: 0 },
      l2_time: START_S,
      system_config: {
        batcherAddr: batcher,
        // Version 1, with the scalar for blob base fees 810949 and that for base fees 1368.
        scalar: concat([
          '0x01',
          pad('0x', { size: 23 }),
          numberToHex(810_949, { size: 4 }),
          numberToHex(1368, { size: 4 }),
        ]),
        gasLimit: 60_000_000,
        operatorFeeParams: pad('0x000000010000000000000002', { size: 32 }),
      },
    },
    block_time: 2,
    max_sequencer_drift: 600,
    l1_chain_id: 11_155_111,
    l2_chain_id: 84_532,
    regolith_time: 0,
    canyon_time: 0,
    delta_time: 0,
    ecotone_time: 5,
    fjord_time: START_S + 100,
    chain_op_config: { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 },
  })
  expect(config).not.toHaveProperty('granite_time')
})

// BaseUpgradeConfig of base/base (crates/common/genesis): an object of its own, and a block time in whole seconds.
test('the times of Base’s forks are in an object of their own, and blocks before denim’s slots have the time', async () => {
  const early = Object.fromEntries(OP_FORKS.slice(1, OP_FORKS.indexOf('karst')).map((name) => [name, 0]))
  const times = { azul: START_S + 2, beryl: START_S + 2, cobalt: START_S + 4, denim: START_S + 6 }
  const chain = await createEmulator(base({ rollup: { stack: 'op', fork: { ...early, ...times } } }))
  const expected = { block_time: 2, jovian_time: 0, base: times }
  expect(await ask(chain, 'optimism_rollupConfig')).toMatchObject(expected)
  await chain.advance(7000)
  const config = await ask<object>(chain, 'optimism_rollupConfig')
  expect(config).toMatchObject(expected)
  expect(config).not.toHaveProperty('azul_time')
  const denim = await ask<object>(await createEmulator(base()), 'optimism_rollupConfig')
  expect(denim).toMatchObject({ block_time: 2, base: { denim: 0 } })
})

test('optimism_version names this library', async () => {
  expect(await ask(await createEmulator(base({ fork: 'jovian' })), 'optimism_version')).toMatch(
    /^tickchain\/v\d+\.\d+\.\d+$/,
  )
})

test.each(['optimism_syncStatus', 'optimism_rollupConfig', 'optimism_version'])(
  '%s is refused by name on a chain that is no rollup',
  async (method) => {
    await expect(ask(await createEmulator(), method)).rejects.toMatchObject({
      kind: 'notARollup',
      message: expect.stringContaining(`${method}: the chain is not a rollup`),
    })
  },
)
