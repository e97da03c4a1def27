// The same chain made in three ways: by long calls, by calls that seal at most one block each, and by such calls with a
// read of each block, which builds it by itself.

import { type Hex, hexToNumber, numberToHex } from 'viem'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.ts'

/** How time passes and blocks are made. */
export interface Way {
  readonly chain: Emulator
  readonly advance: (ms: number) => Promise<void>
  readonly mine: (count: number) => Promise<void>
}

/** In one call, however long. */
export function atOnce(chain: Emulator): Way {
  return {
    chain,
    advance: (ms) => chain.advance(ms),
    async mine(count) {
      await chain.request('evm_mine', [{ blocks: count }])
    },
  }
}

/** In slices of time that hold one seal at most, and block by block, with what is done after each. */
function stepwise(chain: Emulator, afterStep: () => Promise<unknown>): Way {
  const { blockTimeMs, partialBlockTimeMs } = chain.settings
  const sliceMs = Math.min(blockTimeMs, partialBlockTimeMs)
  return {
    chain,
    async advance(ms) {
      for (let leftMs = ms; leftMs > 0; leftMs -= sliceMs) {
        await chain.advance(Math.min(leftMs, sliceMs))
        await afterStep()
      }
    },
    async mine(count) {
      for (let i = 0; i < count; i++) {
        await chain.request('evm_mine')
        await afterStep()
      }
    },
  }
}

/** Step by step, and nobody looks: what was one block grows into many. */
export function unseen(chain: Emulator): Way {
  return stepwise(chain, async () => {})
}

/** Step by step, each block built by itself because somebody looks at it. */
function watched(chain: Emulator): Way {
  return stepwise(chain, () => chain.request('eth_getBlockByNumber', ['latest', false]))
}

/** At once and block by block, from the same start. */
export async function bothWays(options: EmulatorOptions = {}): Promise<readonly [Way, Way]> {
  return [atOnce(await createEmulator(options)), watched(await createEmulator(options))]
}

export async function heightOf(chain: Emulator): Promise<number> {
  return hexToNumber(await chain.request('eth_blockNumber'))
}

export async function blockOf(chain: Emulator, block: number | Hex) {
  const found =
    typeof block === 'number'
      ? await chain.request('eth_getBlockByNumber', [numberToHex(block), true])
      : await chain.request('eth_getBlockByHash', [block, true])
  if (found?.hash == null || found.number === null) throw new Error(`no block ${block}`)
  return { ...found, hash: found.hash, number: found.number }
}

/** All that a user sees of a chain: its blocks, the one being built, and the clock. */
export async function portraitOf(chain: Emulator): Promise<unknown> {
  const height = await heightOf(chain)
  const blocks = await Promise.all(Array.from({ length: height + 1 }, (_, number) => blockOf(chain, number)))
  const pending = await chain.request('eth_getBlockByNumber', ['pending', true])
  const waiting = await chain.request('txpool_content')
  return { now: chain.now, blocks, pending, waiting }
}

/** Notes everything that a chain tells, in its order. */
export async function transcribe(chain: Emulator): Promise<unknown[]> {
  const told: unknown[] = []
  const names = ['partialBlock', 'sealedBlock', 'flashblock', 'message', 'orphanedBlocks'] as const
  for (const name of names) chain.on(name, (payload: unknown) => told.push([name, payload]))
  for (const kind of ['newHeads', 'newFlashblocks', 'logs'] as const) {
    await chain.request('eth_subscribe', [kind, ...(kind === 'logs' ? [{}] : [])] as [typeof kind])
  }
  return told
}
