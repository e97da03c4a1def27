import { crc32 } from 'node:zlib'
import { type Hex, hexToBytes, numberToBytes } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { FORKS_BY_NUMBER } from '../../../forks.ts'
import { ALICE, type Scene, startScene } from '../scene.ts'

interface ForkConfig {
  readonly activationTime: number
  readonly forkId: Hex
  readonly precompiles: Readonly<Record<string, Hex>>
}

interface Config {
  readonly current: ForkConfig
  readonly next: ForkConfig | null
  readonly last: ForkConfig | null
}

async function hashOfGenesis({ ask }: Scene): Promise<Hex> {
  return (await ask<{ hash: Hex }>('eth_getBlockByNumber', 'earliest', false)).hash
}

/** EIP-2124, with the checksum of another library. */
function forkId(genesis: Hex, forks: readonly number[]): Hex {
  const sum = forks.reduce(
    (checksum, fork) => crc32(numberToBytes(fork, { size: 8 }), checksum),
    crc32(hexToBytes(genesis)),
  )
  return `0x${sum.toString(16).padStart(8, '0')}`
}

const beaconRoots = { BEACON_ROOTS_ADDRESS: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02' }
const history = { HISTORY_STORAGE_ADDRESS: '0x0000f90827f1c53a10cb7a02335b175320002935' }

describe('a chain of one fork', () => {
  test('has no next one', async () => {
    const scene = await startScene()
    expect(await scene.ask('eth_config')).toEqual({
      current: {
        activationTime: 0,
        // EIP-7691
        blobSchedule: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
        chainId: '0x7a69',
        forkId: forkId(await hashOfGenesis(scene), []),
        precompiles: expect.objectContaining({
          ECREC: '0x0000000000000000000000000000000000000001',
          KZG_POINT_EVALUATION: '0x000000000000000000000000000000000000000a',
          BLS12_MAP_FP2_TO_G2: '0x0000000000000000000000000000000000000011',
        }),
        // A layer 2 has no contracts for requests to the layer below.
        systemContracts: { ...beaconRoots, ...history },
      },
      next: null,
      last: null,
    })
  })

  // 4 from the start, 4 at byzantium, BLAKE2F, the point evaluation, 7 of BLS12-381, P256VERIFY.
  test.each([
    ['byzantium', 8],
    ['istanbul', 9],
    ['shanghai', 9],
    ['cancun', 10],
    ['prague', 17],
    ['osaka', 18],
  ] as const)('%s has %i precompiles', async (hardfork, count) => {
    const { ask } = await startScene({ hardfork })
    expect(Object.keys((await ask<Config>('eth_config')).current.precompiles)).toHaveLength(count)
  })

  // 17 of prague and P256VERIFY, which is there since fjord; base's node has zeros for its blobs.
  test.each(['jovian', 'karst', 'azul', 'denim'] as const)(
    'a rollup at %s has neither blobs nor requests',
    async (fork) => {
      const { ask } = await startScene({ rollup: { stack: 'op', fork } })
      const { current, ...others } = await ask<{ current: Config['current'] }>('eth_config')
      expect(current).toMatchObject({ blobSchedule: { target: 0, max: 0, baseFeeUpdateFraction: 0 } })
      expect(current).toHaveProperty('systemContracts', { ...beaconRoots, ...history })
      expect(current.precompiles).toHaveProperty('P256VERIFY', '0x0000000000000000000000000000000000000100')
      expect(Object.keys(current.precompiles)).toHaveLength(18)
      expect(others).toEqual({ next: null, last: null })
    },
  )

  test('of a rollup before and after azul, the schedule is that of a layer without blobs', async () => {
    const before = Object.fromEntries(
      ['regolith', 'canyon', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian'].map((fork) => [
        fork,
        0,
      ]),
    )
    const azul = 2_000_000_000
    const { ask } = await startScene({ rollup: { stack: 'op', fork: { ...before, azul, beryl: azul + 2 } } })
    const blobSchedule = { target: 0, max: 0, baseFeeUpdateFraction: 0 }
    expect(await ask('eth_config')).toMatchObject({
      current: { activationTime: 0, blobSchedule },
      next: { activationTime: azul, blobSchedule },
      last: { activationTime: azul + 2, blobSchedule },
    })
  })

  test('before cancun there is no blob schedule', async () => {
    const { ask } = await startScene({ hardfork: 'shanghai' })
    expect(await ask('eth_config')).toMatchObject({ current: { blobSchedule: null, systemContracts: {} } })
  })
})

describe('a chain with a schedule', () => {
  const start = 1_700_000_000
  const [prague, osaka, blobs] = [start + 10, start + 20, start + 30]
  const block = {
    ...FORKS_BY_NUMBER,
    mergeNetsplitBlock: 0,
    terminalTotalDifficulty: 0,
  }
  const time = { shanghaiTime: 0, cancunTime: start, pragueTime: prague, osakaTime: osaka, bpo1Time: blobs }
  const blobSchedule = { bpo1: { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193 } }
  let scene: Scene
  let genesis: Hex
  beforeAll(async () => {
    scene = await startScene({
      genesis: { timestamp: start, config: { chainId: 5, ...block, ...time, blobSchedule } },
      accounts: [],
    })
    genesis = await hashOfGenesis(scene)
  })

  test('shows the next fork and the last', async () => {
    expect(await scene.ask('eth_config')).toMatchObject({
      // What is active at genesis counts from zero, and not in the identifier.
      current: { activationTime: 0, chainId: '0x5', forkId: forkId(genesis, []) },
      next: { activationTime: prague, forkId: forkId(genesis, [prague]) },
      last: {
        activationTime: blobs,
        forkId: forkId(genesis, [prague, osaka, blobs]),
        blobSchedule: blobSchedule.bpo1,
        precompiles: { P256VERIFY: '0x0000000000000000000000000000000000000100' },
      },
    })
  })

  test('goes through them', async () => {
    await scene.chain.advance(10_000)
    expect(await scene.ask('eth_config')).toMatchObject({
      current: { activationTime: prague },
      next: { activationTime: osaka },
      last: { activationTime: blobs },
    })
    await scene.chain.advance(20_000)
    expect(await scene.ask('eth_config')).toMatchObject({
      current: { activationTime: blobs, forkId: forkId(genesis, [prague, osaka, blobs]) },
      next: null,
      last: null,
    })
  })
})

test('eth_capabilities: everything from the first block to the head', async () => {
  const { chain, ask } = await startScene()
  await chain.seal()
  const head = await ask<{ hash: Hex }>('eth_getBlockByNumber', 'latest', false)
  const all = { disabled: false, oldestBlock: '0x0' }
  expect(await ask('eth_capabilities')).toEqual({
    head: { number: '0x1', hash: head.hash },
    ...{ state: all, tx: all, logs: all, receipts: all, blocks: all, stateproofs: all },
  })
})

// The schema EthCapabilities of the execution-apis, filled as geth fills it from its window of states.
test('eth_capabilities: states are as old as stateHistory keeps them', async () => {
  const { chain, ask } = await startScene({ stateHistory: 3 })
  const all = { disabled: false, oldestBlock: '0x0' }
  const window = { deleteStrategy: { type: 'window', retentionBlocks: '0x3' } }
  expect(await ask('eth_capabilities')).toMatchObject({ state: { ...all, ...window }, blocks: all })
  for (let block = 0; block < 5; block++) await chain.seal()
  const states = { disabled: false, oldestBlock: '0x3', ...window }
  expect(await ask('eth_capabilities')).toMatchObject({ state: states, stateproofs: states, logs: all })
  expect(await ask('eth_getBalance', ALICE, '0x3')).toBe('0x21e19e0c9bab2400000')
  await expect(ask('eth_getBalance', ALICE, '0x2')).rejects.toMatchObject({ kind: 'stateNotAvailable' })
})
