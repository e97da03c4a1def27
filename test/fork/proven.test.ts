// Forks whose state roots are proven: what is built on them has the roots and hashes that the forked chain itself has.

import { expect, test } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/index.ts'
import type { Hash, Hex } from '../../src/primitives/hex.ts'
import { ask, wireTo } from './upstreams.ts'
import { workload } from './workload.ts'

/** Test accounts have on the fork what they have on the chain. */
const AS_THEY_ARE = { accounts: { balance: 0n }, ordering: 'fifo' } as const

async function play(chain: Emulator, blocks: readonly (readonly Hex[])[]): Promise<void> {
  for (const raws of blocks) {
    for (const raw of raws) await ask(chain, 'eth_sendRawTransaction', raw)
    await chain.advance(2000)
  }
}

/** The blocks from a number to the head, with their transactions and receipts. */
async function blocksFrom(chain: Emulator, first: number): Promise<unknown[]> {
  const last = Number(await ask(chain, 'eth_blockNumber'))
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => `0x${(first + index).toString(16)}`)
  return Promise.all(
    numbers.map(async (number) => [
      await ask(chain, 'eth_getBlockByNumber', number, true),
      await ask(chain, 'eth_getBlockReceipts', number),
    ]),
  )
}

test.each(
  (['shanghai', 'cancun', 'prague', 'osaka'] as const).flatMap((hardfork) =>
    [1, 2].map((seed) => [hardfork, seed] as const),
  ),
)('the same transactions make the same blocks under %s with seed %i', async (hardfork, seed) => {
  const options: EmulatorOptions = { hardfork, ordering: 'fifo' }
  const chain = await createEmulator(options)
  const delegates = hardfork === 'prague' || hardfork === 'osaka'
  const blocks = await workload({ chainId: 31_337, seed, blocks: 16, delegates })
  await play(chain, blocks.slice(0, 8))
  const wire = wireTo(chain.clone())
  const fork = await createEmulator({ ...AS_THEY_ARE, hardfork, fork: { upstream: wire, roots: 'proven' } })
  for (const each of [chain, fork]) await play(each, blocks.slice(8))
  expect(await blocksFrom(fork, 9)).toEqual(await blocksFrom(chain, 9))
})
