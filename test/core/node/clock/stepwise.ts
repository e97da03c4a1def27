// The same chain made in three ways: by long calls, by calls that seal at most one block each, and by such calls with a
// read of each block, which builds it individually.

import { type Hex, hexToNumber, numberToHex } from 'viem'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../../src/index.ts'

/** How time passes and blocks are made. */
export interface Way {
  readonly chain: Emulator
  readonly advance: (ms: number) => Promise<void>
  readonly mine: (count: number) => Promise<void>
}

/** Each in one call. */
export function atOnce(chain: Emulator): Way {
  return {
    chain,
    advance: (ms) => chain.advance(ms),
    async mine(count) {
      await chain.request('evm_mine', [{ blocks: count }])
    },
  }
}

/** In calls that seal at most one block each, with `afterStep` after each. */
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

/** Step by step without reads, so that single blocks form runs. */
export function unseen(chain: Emulator): Way {
  return stepwise(chain, async () => {})
}

/** Step by step with a read of each block, so that each is built individually. */
function watched(chain: Emulator): Way {
  return stepwise(chain, () => chain.request('eth_getBlockByNumber', ['latest', false]))
}

/** The same chain at once and block by block. */
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

/** The visible state of a chain: its blocks, the open block, and the clock. */
export async function portraitOf(chain: Emulator): Promise<unknown> {
  const height = await heightOf(chain)
  const blocks = await Promise.all(Array.from({ length: height + 1 }, (_, number) => blockOf(chain, number)))
  const pending = await chain.request('eth_getBlockByNumber', ['pending', true])
  const waiting = await chain.request('txpool_content')
  return { now: chain.now, blocks, pending, waiting }
}

/** Records all events and messages of a chain, in order. */
export async function transcribe(chain: Emulator): Promise<unknown[]> {
  const told: unknown[] = []
  const names = ['partialBlock', 'sealedBlock', 'flashblock', 'message', 'orphanedBlocks'] as const
  for (const name of names) chain.on(name, (payload: unknown) => told.push([name, payload]))
  for (const kind of ['newHeads', 'newFlashblocks', 'logs'] as const) {
    await chain.request('eth_subscribe', [kind, ...(kind === 'logs' ? [{}] : [])] as [typeof kind])
  }
  return told
}
