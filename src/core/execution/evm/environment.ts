// Block values that transactions can read.

import type { Hash } from '../../primitives/hex.ts'
import { type BlockEnvironment, HEADER_FIELDS } from '../../rollup/header.ts'

export { type BlockEnvironment, environmentWith } from '../../rollup/header.ts'

/** Reads the other fields only when they are asked for: some need the hashes of a run of empty blocks. */
class FreeEnvironment {
  readonly baseFeePerGas = 0n
  readonly paid: BlockEnvironment

  constructor(paid: BlockEnvironment) {
    this.paid = paid
  }
}

for (const name of Object.keys(HEADER_FIELDS) as (keyof BlockEnvironment)[])
  if (name !== 'baseFeePerGas')
    Object.defineProperty(FreeEnvironment.prototype, name, {
      get(this: FreeEnvironment) {
        return this.paid[name]
      },
    })

const free = new WeakMap<BlockEnvironment, BlockEnvironment>()

/** The environment with a base fee of zero; cached, because many calls use the same few blocks. */
export function withoutBaseFee(environment: BlockEnvironment): BlockEnvironment {
  let made = free.get(environment)
  if (made === undefined) {
    made = new FreeEnvironment(environment) as unknown as BlockEnvironment
    free.set(environment, made)
  }
  return made
}

/** The hash of an earlier block; `undefined` if it does not exist. The EVM limits BLOCKHASH to 256 blocks. */
export type BlockHashOf = (blockNumber: number) => Hash | undefined
