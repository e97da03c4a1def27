// Foreign blocks in, our own blocks out.

import { encodeSealedBlock, type SealedBlock } from '../chain/block.ts'
import { appendBlock, blockHashesOf } from '../chain/chain.ts'
import { decodeBlocks } from '../chain/decode-block.ts'
import { importBlock } from '../chain/import-block.ts'
import { failure } from '../primitives/errors.ts'
import { concatBytes } from '../primitives/hex.ts'
import { Steps, type Transition } from './events.ts'
import { executionContext, type NodeConfig, type NodeState } from './node-state.ts'

/** Which blocks are `safe` and `finalized` from now on, by number. */
export interface ImportMarks {
  readonly safe: number | undefined
  readonly finalized: number | undefined
}

function withHead(state: NodeState, block: SealedBlock): NodeState {
  const nowMs = Math.max(state.nowMs, block.header.timestamp * 1000)
  const { gasLimit } = block.header
  return {
    ...state,
    nowMs,
    openedAtMs: nowMs,
    partialsClosed: 0,
    chain: appendBlock(state.chain, block),
    nextTimestamp: undefined,
    randomness: block.header.prevRandao,
    settings: { ...state.settings, blockGasLimit: gasLimit },
  }
}

/**
 * Executes blocks one after another on the head and checks everything that they claim. One that is not valid is
 * refused with what failed, and none of the blocks is taken.
 */
export async function importBlocks(
  config: NodeConfig,
  start: NodeState,
  rlp: Uint8Array,
  marks: ImportMarks,
): Promise<Transition> {
  if (start.chain.open !== undefined) throw failure('blockBegun')
  const steps = new Steps(start)
  for (const decoded of decodeBlocks(rlp)) {
    const { chain } = steps.state
    const context = {
      schedule: config.schedule,
      executionUnder: (rules: Parameters<typeof executionContext>[2]) =>
        executionContext(config, chain, rules),
      blockHashOf: blockHashesOf(chain),
    }
    const block = await importBlock(context, chain.head, decoded)
    const state = withHead(steps.state, block)
    steps.add({ state, events: [{ type: 'blockSealed', block, state }], result: undefined })
  }
  const { settings } = steps.state
  const kept = {
    safe: marks.safe ?? settings.marks.safe,
    finalized: marks.finalized ?? settings.marks.finalized,
  }
  steps.state = { ...steps.state, settings: { ...settings, marks: kept } }
  return steps.finish()
}

/** The chain above genesis as geth exports it: the RLP of its blocks, one after another. */
export function exportBlocks({ chain }: NodeState): Uint8Array {
  const parts: Uint8Array[] = []
  for (let number = 1; number <= chain.head.header.number; number++) {
    const block = chain.blocks.get(number)
    if (block !== undefined) parts.push(encodeSealedBlock(block))
  }
  return concatBytes(...parts)
}
