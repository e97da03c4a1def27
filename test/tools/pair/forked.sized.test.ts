// A pair, and a fork of both of its layers at a random moment: the same transactions, deposits and settings at the same
// times make the same blocks on both layers. Batches are left out: all blocks up to a fork are safe there.

import { parseAbi, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { createRollup } from '../../../src/rollup.ts'
import type { Rollup } from '../../../src/tools/pair/rollup.ts'
import { blocksFrom } from '../../core/fork/same-blocks.ts'
import { wireTo } from '../../core/fork/upstreams.ts'
import { scaled } from '../../size.ts'
import { ACCOUNT, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'
const SYSTEM_CONFIG = parseAbi([
  'function setGasLimit(uint64 gasLimit)',
  'function setOperatorFeeScalars(uint32 scalar, uint64 fixedFee)',
])

type Random = (below: number) => number

/** A generator with a seed (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

async function playStep(rollup: Rollup, random: Random): Promise<void> {
  const { chain2, wallet1, wallet2 } = clientsOf(rollup)
  const address = rollup.contracts.systemConfig[900]!.address
  const kind = random(6)
  if (kind === 0)
    await wallet1.depositTransaction({
      request: { gas: 100_000n, mint: parseEther('1') + BigInt(random(1000)), to: TO },
      targetChain: chain2,
      gas: 400_000n,
    } as never)
  if (kind === 1) await wallet2.sendTransaction({ to: TO, value: BigInt(random(1000)), gas: 21_000n })
  if (kind === 2)
    await wallet2.initiateWithdrawal({ request: { to: TO, value: 1n, gas: 21_000n }, gas: 200_000n } as never)
  const config = { address, abi: SYSTEM_CONFIG, account: ACCOUNT, gas: 200_000n } as const
  if (kind === 3)
    await wallet1.writeContract({
      ...config,
      functionName: 'setGasLimit',
      args: [BigInt(30_000_000 + random(1000))],
    })
  if (kind === 4)
    await wallet1.writeContract({ ...config, functionName: 'setOperatorFeeScalars', args: [7, 11n] })
  await rollup.advance(2000 * (1 + random(9)))
}

async function play(rollup: Rollup, random: Random, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) await playStep(rollup, random)
}

const seeds = Array.from({ length: scaled(6) }, (_, index) => index + 1)

test.each(seeds)('a fork of a pair goes on as the pair does: seed %i', { tags: 'gate' }, async (seed) => {
  const random = randomFrom(seed)
  const live = await createRollup()
  await live.batcher.withhold()
  await live.proposer.withhold()
  await play(live, random, 3 + random(6))
  // Nothing may wait in the pools, which a fork does not have.
  await live.advance(12_000)
  const { l1, l2 } = live.clone()
  const [block1, block2] = [await numberOf(l1, 'latest'), await numberOf(l2, 'latest')]
  const asItIs = { accounts: { balance: 0n } }
  const fork = await createRollup({
    l1: { ...asItIs, fork: { upstream: wireTo(l1), block: block1, roots: 'proven' } },
    l2: {
      ...asItIs,
      fork: { upstream: wireTo(l2), block: block2 },
      systemConfigAddress: live.contracts.systemConfig[900]!.address,
    },
  })
  await fork.batcher.withhold()
  await fork.proposer.withhold()
  expect(fork.now).toBe(live.now)
  const played = 100 + seed
  await play(live, randomFrom(played), 6)
  await play(fork, randomFrom(played), 6)
  expect(await blocksFrom(fork.l1, block1 + 1)).toEqual(await blocksFrom(live.l1, block1 + 1))
  const expected = await blocksFrom(live.l2, block2 + 1)
  expect(expected.length).toBeGreaterThan(5)
  expect(await blocksFrom(fork.l2, block2 + 1)).toEqual(expected)
})
