// A rollup chain, and a fork of it at a random block: the same transactions, deposits and configurations at the same
// times make the same blocks.

import { expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { OP_FORKS } from '../../../src/core/rollup/op/forks.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.ts'
import { sampled, scaled } from '../../size.ts'
import { AS_THEY_ARE, blocksFrom } from './same-blocks.ts'
import { ask, wireTo } from './upstreams.ts'
import { workload } from './workload.ts'

const CHAIN_ID = 31_337
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
/** Has no code and no key. */
const SOMEBODY: Hex = '0x00000000000000000000000000000000000d0e51'

/** Plays a block: its transactions, and now and then a deposit or another configuration. */
async function playBlock(chain: Emulator, raws: readonly Hex[], index: number): Promise<void> {
  if (index % 5 === 3) {
    const mint = BigInt(index)
    await chain.deposit({ from: SOMEBODY, to: SOMEBODY, mint, value: mint - 1n, gasLimit: 50_000n })
    // Cannot be paid: it fails, and keeps its mint and its nonce.
    await chain.deposit({ from: SOMEBODY, to: SOMEBODY, mint: 1n, value: 10n ** 30n, gasLimit: 50_000n })
    // Creates a contract of one byte.
    await chain.deposit({ from: SOMEBODY, to: null, data: '0x60015ff3', gasLimit: 100_000n })
  }
  if (index % 7 === 4) await chain.setSystemConfig({ gasLimit: 30_000_000 + index })
  for (const raw of raws) await ask(chain, 'eth_sendRawTransaction', raw)
  // Some blocks come later than they are due.
  await (index % 6 === 5 ? chain.jump(16_000) : chain.advance(2000))
}

interface Case {
  readonly rollup: NonNullable<EmulatorOptions['rollup']>
  readonly over?: EmulatorOptions['rollup']
  readonly seed: number
  readonly blocks: number
  readonly at: number
  readonly delegates?: boolean
}

async function expectContinued({ rollup, over, seed, blocks, at, delegates = false }: Case): Promise<void> {
  const made = await workload({ chainId: CHAIN_ID, seed, blocks, delegates })
  const chain = await createEmulator({ rollup, ordering: 'fifo' })
  for (const [index, raws] of made.slice(0, at).entries()) await playBlock(chain, raws, index)
  const first = Number(await ask(chain, 'eth_blockNumber'))
  const upstream = wireTo(chain.clone())
  const fork = await createEmulator({
    ...AS_THEY_ARE,
    ...(over === undefined ? {} : { rollup: over }),
    fork: { upstream, block: first, roots: 'proven' },
  })
  for (const each of [chain, fork])
    for (const [index, raws] of made.slice(at).entries()) await playBlock(each, raws, at + index)
  const expected = await blocksFrom(chain, first + 1)
  expect(await blocksFrom(fork, first + 1)).toEqual(expected)
}

test.each(sampled(OP_FORKS))('a fork of %s goes on as the chain does', async (fork) => {
  const blocks = scaled(10) + 3
  const at = 1 + ((fork.length * 13) % (blocks - 2))
  const rollup = { stack: 'op', fork } as const
  await expectContinued({ rollup, over: rollup, seed: fork.length, blocks, at })
})

test.each(['holocene', 'isthmus', 'jovian'] as const)(
  'the header of %s shows what the chain is',
  async (fork) => {
    const operatorFees = { operatorFeeScalar: 5_000_000, operatorFeeConstant: 77n }
    const systemConfig = {
      ...{ baseFeeScalar: 77, blobBaseFeeScalar: 88, eip1559: { denominator: 100, elasticity: 3 } },
      ...(fork === 'holocene' ? {} : operatorFees),
      ...(fork === 'jovian' ? { minBaseFee: 1_000_000n, daFootprintGasScalar: 500 } : {}),
    }
    const delegates = fork !== 'holocene'
    const blocks = scaled(10) + 7
    await expectContinued({ rollup: { stack: 'op', fork, systemConfig }, seed: 9, blocks, at: 5, delegates })
  },
)

test('blocks, simulations, traces and flashblocks across a fork are those of the chain', {
  tags: 'gate',
}, async () => {
  const made = await workload({ chainId: CHAIN_ID, seed: 5, blocks: 8, delegates: true })
  const chain = await createEmulator({ rollup: { stack: 'op' }, ordering: 'fifo' })
  for (const [index, raws] of made.slice(0, 4).entries()) await playBlock(chain, raws, index)
  const block = Number(await ask(chain, 'eth_blockNumber'))
  const upstream = wireTo(chain.clone())
  const start = () => createEmulator({ ...AS_THEY_ARE, fork: { upstream, block, roots: 'proven' } })
  const [fork, importing] = [await start(), await start()]
  const call = { from: SOMEBODY, to: L1_BLOCK, input: '0x8381f58a' }
  const simulation = { blockStateCalls: [{ calls: [call] }, { calls: [call] }], traceTransfers: true }
  const seen = async (on: Emulator) => {
    // The chain has told of the opening of this block before.
    await on.advance(2000)
    const flashblocks: unknown[] = []
    on.on('message', ({ data }) => flashblocks.push(data))
    await ask(on, 'eth_subscribe', 'newFlashblocks')
    for (const [index, raws] of made.slice(4).entries()) await playBlock(on, raws, index)
    return [
      flashblocks,
      await ask(on, 'eth_simulateV1', simulation, 'latest'),
      await ask(on, 'debug_traceBlockByNumber', 'latest', { tracer: 'callTracer' }),
      await ask(on, 'eth_call', call, `0x${block.toString(16)}`),
    ]
  }
  const expected = await seen(chain)
  expect((expected[0] as unknown[]).length).toBeGreaterThan(20)
  expect(await seen(fork)).toEqual(expected)
  const last = Number(await ask(chain, 'eth_blockNumber'))
  for (let number = block + 1; number <= last; number++)
    await importing.importBlocks((await ask(chain, 'debug_getRawBlock', `0x${number.toString(16)}`)) as Hex)
  expect(await blocksFrom(importing, block + 1)).toEqual(await blocksFrom(chain, block + 1))
})

test('forks activate above a fork as they do on the chain', { tags: 'gate' }, async () => {
  // That of genesis; blocks are 2 s apart.
  const start = 1_704_067_200
  const order = OP_FORKS.slice(1, OP_FORKS.indexOf('jovian') + 1)
  const fork = Object.fromEntries(order.map((name, index) => [name, start + 9 * index]))
  const rollup = { stack: 'op', fork } as const
  // Attributes before ecotone do not have its scalars.
  const systemConfig = { baseFeeScalar: 1368, blobBaseFeeScalar: 810_949 }
  await expectContinued({ rollup, over: { ...rollup, systemConfig }, seed: 3, blocks: 40, at: 3 })
})

test.each([
  ['684000', 684_000n, 684_000, 0],
  // A packed one: its version, the blob base fee's and the base fee's.
  ['packed', (1n << 248n) | (810_949n << 32n) | 1368n, 1368, 810_949],
] as const)(
  'ecotone takes its scalars from that of the layer 1, as op-node does: %s',
  async (_, scalar, baseFeeScalar, blobBaseFeeScalar) => {
    const ecotone = 1_704_067_200 + 6
    const rollup = {
      stack: 'op',
      fork: { regolith: 0, canyon: 0, ecotone },
      systemConfig: { scalar },
    } as const
    const chain = await createEmulator({ rollup })
    await chain.mine(1)
    const { stack, fork } = rollup
    const upstream = wireTo(chain)
    const continued = await createEmulator({ rollup: { stack, fork }, fork: { upstream } })
    await continued.mine(5)
    // L1Block packs them below the sequence number (Ecotone L1Block, slot 3).
    const packed = BigInt((await ask(continued, 'eth_getStorageAt', L1_BLOCK, '0x3', 'latest')) as Hex)
    expect([(packed >> 96n) & 0xffff_ffffn, (packed >> 64n) & 0xffff_ffffn]).toEqual([
      BigInt(baseFeeScalar),
      BigInt(blobBaseFeeScalar),
    ])
  },
)
