// Changes of more bytes than are applied to read one state: states are kept whole in between.

import { type Hex, pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from '../../../../src/index.ts'

const HOLDER: Hex = `0x${'c0'.repeat(20)}`
/** Blocks that are not archived. */
const RECENT = 128

/** A word with a number at its start, so that all its bytes are significant. */
const longWord = (number: number): Hex => pad(toHex(number, { size: 4 }), { dir: 'right', size: 32 })
/** Beginning with a byte that is not zero. */
const slotOf = (index: number): Hex => longWord(2 ** 31 + index)
const wordOf = (number: number): Hex => longWord(2 ** 31 + number)

/** Sets slots of an account, all to one value, by merging a dump of anvil. */
async function fill(chain: Emulator, count: number, value: number): Promise<void> {
  const storage = Object.fromEntries(Array.from({ length: count }, (_, i) => [slotOf(i), wordOf(value)]))
  const accounts = { [HOLDER]: { nonce: 1, balance: '0x1', code: '0x00', storage } }
  await chain.load(new TextEncoder().encode(JSON.stringify({ accounts, block: null })))
}

async function sealMany(chain: Emulator, count: number): Promise<void> {
  for (let sealed = 0; sealed < count; sealed++) await chain.seal()
}

describe('a chain whose changes exceed what is applied to read one state', () => {
  /** With 66 bytes each they are 4.3 MB; the limit is 4 MB. */
  const SLOTS = 65_000

  test('reads every state as when it was new, also after it was dumped and loaded', async () => {
    const chain = await createEmulator({ production: 'manual', blockTimeMs: 1 })
    for (const value of [1, 2]) {
      await fill(chain, SLOTS, value)
      await sealMany(chain, 20)
    }
    await sealMany(chain, RECENT)
    const state = await chain.dump()
    const loaded = await createEmulator({ state })
    for (const each of [chain, loaded]) {
      const read = (number: number) =>
        each.request('eth_getStorageAt', [HOLDER, slotOf((number * 977) % SLOTS), toHex(number)])
      // Each fill edits the head: block 0, then block 20.
      const numbers = [39, 0, 19, 20, 21, 1, 38, 40, 10, 30]
      const words = numbers.map((number) => wordOf(number < 20 ? 1 : 2))
      expect(await Promise.all(numbers.map(read))).toEqual(words)
    }
    expect(Buffer.from(await loaded.dump()).equals(state)).toBe(true)
  })
})
