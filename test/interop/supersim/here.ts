// A pair of ours as one side of the comparison.

import { type CreateRollupOptions, createRollup } from 'tickchain/rollup'
import type { Address } from 'viem'
import { connect, type Side } from './sides.ts'

const DAY_MS = 86_400_000

export async function startPair(options: CreateRollupOptions = {}): Promise<Side> {
  const rollup = await createRollup(options)
  const { contracts, l1, l2 } = rollup
  const at = (
    name: 'portal' | 'disputeGameFactory' | 'l1StandardBridge' | 'l1CrossDomainMessenger',
  ): Address => contracts[name][l1.settings.chainId]!.address
  const ask =
    (layer: typeof l1) =>
    (method: string, params: readonly unknown[] = []) =>
      layer.request({ method, params } as never) as Promise<unknown>
  return {
    l1: connect('l1', l1.settings.chainId, ask(l1)),
    l2: connect('l2', l2.settings.chainId, ask(l2)),
    contracts: {
      portal: at('portal'),
      disputeGameFactory: at('disputeGameFactory'),
      l1StandardBridge: at('l1StandardBridge'),
      l1CrossDomainMessenger: at('l1CrossDomainMessenger'),
    },
    locked: [at('portal')],
    step: () => rollup.advance(2000),
    // A batch within a minute, and a proposal of what is safe every five.
    propose: () => rollup.advance(600_000),
    async mature() {
      // To the end of the game's clock, and to the end of the delays from its resolution on.
      await rollup.jump(3.5 * DAY_MS)
      await rollup.jump(3.5 * DAY_MS + 60_000)
    },
    async close() {
      rollup.dispose()
    },
  }
}
