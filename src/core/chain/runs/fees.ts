// Fees of consecutive empty blocks. They mostly reach their minimum within two hundred blocks, so a short list covers a
// million.

import { type Fees, feesAfter } from '../block/next-environment.ts'
import type { EmptyBlocks } from './empty-run.ts'

/** The fees in a run of empty blocks. */
export interface FeeList {
  /** The fees of the i-th block, counted from 0. */
  readonly at: (index: number) => Fees
  /** The first of `count` blocks whose fees meet a condition; `count` if there is none. */
  readonly firstWhere: (count: number, isMet: (fees: Fees) => boolean) => number
}

function listFees({ rules, gasLimit, extraData, parent }: EmptyBlocks): FeeList {
  const known = [feesAfter(rules, parent)]
  let isSettled = false
  const at = (index: number): Fees => {
    let last = known[Math.min(index, known.length - 1)] as Fees
    while (!isSettled && known.length <= index) {
      const header = { ...last, gasLimit, extraData, gasUsed: 0n, blobGasUsed: 0n }
      const next = feesAfter(rules, { rules, header })
      isSettled = next.baseFeePerGas === last.baseFeePerGas && next.excessBlobGas === last.excessBlobGas
      if (isSettled) break
      known.push(next)
      last = next
    }
    return last
  }
  return {
    at,
    firstWhere(count, isMet) {
      for (let index = 0; index < count; index++) {
        if (isMet(at(index))) return index
        if (isSettled && index >= known.length - 1) return count
      }
      return count
    },
  }
}

const lists = new WeakMap<EmptyBlocks, FeeList>()

/** The fees of empty blocks, computed on demand. */
export function feesFrom(blocks: EmptyBlocks): FeeList {
  let list = lists.get(blocks)
  if (list === undefined) {
    list = listFees(blocks)
    lists.set(blocks, list)
  }
  return list
}
