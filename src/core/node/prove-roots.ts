// Roots of what a command has made on a fork whose roots are proven. Listeners read them and cannot wait for proofs.

import { sealBlock } from '../chain/block/block.ts'
import { withMissesLoaded } from '../state/miss.ts'
import type { Outcome } from './events.ts'
import { currentOpenBlock, type NodeConfig } from './node-state.ts'

/** Computes the roots of the blocks and partial blocks of an outcome, and loads what they need. */
export async function proveRoots(config: NodeConfig, { state, events }: Outcome<unknown>): Promise<void> {
  const states = new Set([state])
  for (const event of events) if (event.type === 'partialBlock') states.add(event.state)
  for (const each of states) {
    await withMissesLoaded(() => {
      // It depends on the hashes of all blocks below, which are kept once they are computed.
      void each.chain.head.hash
      sealBlock(currentOpenBlock(config, each))
    })
  }
}
