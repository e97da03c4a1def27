// An L1 block as the layer 2 sees it: origin, deposits, and the system configuration after its logs.

import type { SealedBlock } from '../../../core/chain/block/block.ts'
import type { L1Block } from '../../../core/node/rollup/rollup-state.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import type { SystemConfig } from '../../../core/rollup/stack.ts'
import { depositsIn } from './deposits.ts'
import { updateSystem } from './system-config.ts'

/** Where an L1 block is read from. */
export interface L1Contracts {
  readonly portal: Address
  readonly systemConfig: Address
}

/** `isEcotoneAt`: whether ecotone is active on the layer 2 at a time in seconds. */
export function readL1Block(
  { header, hash, executed }: SealedBlock,
  before: SystemConfig,
  contracts: L1Contracts,
  isEcotoneAt: (timestamp: number) => boolean,
): L1Block {
  const isEcotone = isEcotoneAt(header.timestamp)
  const updates = executed.flatMap(({ receipt }) =>
    receipt.logs.filter(({ address }) => address === contracts.systemConfig),
  )
  return {
    number: header.number,
    timestamp: header.timestamp,
    hash,
    prevRandao: header.prevRandao,
    baseFee: header.baseFeePerGas,
    blobBaseFee: header.blobBaseFee,
    deposits: depositsIn(executed, hash, contracts.portal),
    system: updates.reduce((system, log) => updateSystem(system, log, isEcotone), before),
  }
}
