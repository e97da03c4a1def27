// A chain, and a fork of it with proven roots: the same transactions on both make the same blocks.

import { expect } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator } from '../../../src/index.ts'
import { ask, wireTo } from './upstreams.ts'
import { workload } from './workload.ts'

/** Test accounts have on the fork what they have on the chain. */
export const AS_THEY_ARE = { accounts: { balance: 0n }, ordering: 'fifo' } as const

async function play(chain: Emulator, blocks: readonly (readonly Hex[])[]): Promise<void> {
  for (const raws of blocks) {
    for (const raw of raws) await ask(chain, 'eth_sendRawTransaction', raw)
    await chain.advance(2000)
  }
}

/** The blocks from a number to the head, with their transactions and receipts. */
export async function blocksFrom(chain: Emulator, first: number): Promise<unknown[]> {
  const last = Number(await ask(chain, 'eth_blockNumber'))
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => `0x${(first + index).toString(16)}`)
  return Promise.all(
    numbers.map(async (number) => [
      await ask(chain, 'eth_getBlockByNumber', number, true),
      await ask(chain, 'eth_getBlockReceipts', number),
    ]),
  )
}

/** Plays random blocks on a chain, which is forked after half of them. */
export async function expectSameBlocks(
  hardfork: 'shanghai' | 'cancun' | 'prague' | 'osaka',
  { seed, blocks }: { readonly seed: number; readonly blocks: number },
): Promise<void> {
  const delegates = hardfork === 'prague' || hardfork === 'osaka'
  const made = await workload({ chainId: 31_337, seed, blocks, delegates })
  const half = blocks / 2
  const chain = await createEmulator({ hardfork, ordering: 'fifo' })
  await play(chain, made.slice(0, half))
  const upstream = wireTo(chain.clone())
  const fork = await createEmulator({ ...AS_THEY_ARE, hardfork, fork: { upstream, roots: 'proven' } })
  for (const each of [chain, fork]) await play(each, made.slice(half))
  const expected = await blocksFrom(chain, half + 1)
  expect(expected).toHaveLength(half)
  expect(await blocksFrom(fork, half + 1)).toEqual(expected)
}
