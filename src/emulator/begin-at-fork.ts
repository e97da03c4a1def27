// The first block of a forked chain, and what stands below it.

import type { SealedBlock } from '../chain/block/block.ts'
import { createForkBlock } from '../chain/block/fork-block.ts'
import { createFork, type Fork } from '../fork/fork.ts'
import { type Address, EMPTY_BYTES, ZERO_HASH } from '../primitives/hex.ts'
import { startWrites } from '../rollup/system-contracts.ts'
import { OverlayMap } from '../state/overlay-map.ts'
import type { FoundedRollup } from './found-rollup.ts'
import type { ResolvedOptions } from './options/options.ts'

/** An account that the emulator signs for, with its balance at genesis. */
export interface HeldAccount {
  readonly address: Address
  readonly privateKey: Uint8Array
  readonly balance: bigint
}

/** The first block of a chain, and what those after it take from it. */
export interface Beginning {
  readonly chainId: number
  readonly block: SealedBlock
  /** Of later blocks. */
  readonly extraData: Uint8Array
  readonly fork?: Fork
  readonly rollup?: FoundedRollup | undefined
}

/** Resolves the block of a fork, and goes on from it. */
export async function beginAtFork(
  options: ResolvedOptions,
  plan: Pick<Parameters<typeof createFork>[0], 'upstream' | 'selector' | 'concurrency' | 'recording'>,
  held: readonly HeldAccount[],
): Promise<Beginning> {
  const balances = new Map(held.map(({ address, balance }) => [address, balance]))
  const hardfork = options.overFork?.hardfork === true ? options.hardfork : undefined
  const fork = await createFork({ ...plan, hardfork, balances })
  const { header } = fork
  const chainId = options.overFork?.chainId === true ? options.chainId : fork.chainId
  const rules = fork.scheduleFor(chainId).rulesAt(header)
  // Every block reads them at its start, also where nobody could wait for them.
  const start = { ...header, parentBeaconBlockRoot: ZERO_HASH }
  await fork.prefetch(new Map(startWrites(rules, start).map(({ address }) => [address, new Set()])))
  const block = createForkBlock(rules, header, OverlayMap.over(fork.base))
  return { chainId, block, extraData: EMPTY_BYTES, fork }
}
