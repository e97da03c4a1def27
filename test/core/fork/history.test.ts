// The state roots of a fork without those of its upstream, after reads of archived states.

import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator } from '../../../src/index.ts'
import { ask } from './upstreams.ts'

/** A fork with a transfer to an account of its own in each block. */
async function forkOf(upstream: Emulator, blocks: number): Promise<Emulator> {
  const chain = await createEmulator({ fork: { upstream } })
  const [from] = await chain.listAccounts()
  for (let number = 1; number <= blocks; number++) {
    const to = `0x${(0xa000 + number).toString(16).padStart(40, '0')}`
    await ask(chain, 'eth_sendTransaction', { from, to, value: '0x1' })
    await chain.seal()
  }
  return chain
}

async function headOf(chain: Emulator): Promise<{ readonly stateRoot: Hex; readonly hash: Hex }> {
  return (await ask(chain, 'eth_getBlockByNumber', 'latest', false)) as never
}

describe('reads of archived states of a fork', () => {
  test.each([[[110]], [[30, 110, 20]]])(
    'of %j do not change later blocks',
    { tags: 'gate' },
    async (numbers) => {
      const upstream = await createEmulator()
      const [read, unread] = [await forkOf(upstream, 130), await forkOf(upstream, 130)]
      for (const number of numbers) await ask(read, 'debug_dumpBlock', `0x${number.toString(16)}`)
      for (const chain of [read, unread]) {
        await chain.rollback(105)
        await chain.mine(1)
      }
      expect(await headOf(read)).toEqual(await headOf(unread))
    },
  )

  test('show the roots of their headers, in any order', { tags: 'gate' }, async () => {
    const chain = await forkOf(await createEmulator(), 110)
    for (const number of [90, 40, 70, 1, 60, 3]) {
      const name = `0x${number.toString(16)}`
      const { stateRoot } = (await ask(chain, 'eth_getBlockByNumber', name, false)) as { stateRoot: Hex }
      const { root } = (await ask(chain, 'debug_dumpBlock', name)) as { root: string }
      expect([number, `0x${root}`]).toEqual([number, stateRoot])
    }
  })
})
