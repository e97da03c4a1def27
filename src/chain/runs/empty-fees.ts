// What gas and blobs cost in one empty block after another. Prices fall until they stay, mostly within two hundred
// blocks, so the prices of a million take no more than a short list.

import { blobBaseFee, nextExcessBlobGas } from '../../rollup/blobs.ts'
import { nextBaseFee } from '../../rollup/fees.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { baseFeeAfter, type SealedBlock } from '../block/block.ts'

export interface Fees {
  readonly baseFeePerGas: bigint
  readonly excessBlobGas: bigint
  /** Wei per blob gas. */
  readonly blobBaseFee: bigint
}

/** The prices in a run of empty blocks. */
export interface FeeWalk {
  /** Those of the i-th block, counted from 0. */
  readonly at: (index: number) => Fees
  /** The first of `count` blocks whose prices are as told; `count` where none is. */
  readonly firstWhere: (count: number, isMet: (fees: Fees) => boolean) => number
}

/** The prices in the first block after `parent`. */
export function feesAfter(rules: Rules, parent: SealedBlock): Fees {
  const excessBlobGas = isForkActive(rules, 'cancun') ? nextExcessBlobGas(rules, parent.header) : 0n
  return {
    baseFeePerGas: baseFeeAfter(rules, parent),
    excessBlobGas,
    blobBaseFee: blobBaseFee(rules.blobs, excessBlobGas),
  }
}

/** The prices after an empty block under the same rules; the same value where nothing has changed. */
function feesAfterEmpty(rules: Rules, gasLimit: bigint, fees: Fees): Fees {
  const baseFeePerGas = isForkActive(rules, 'london')
    ? nextBaseFee({ baseFeePerGas: fees.baseFeePerGas, gasUsed: 0n, gasLimit })
    : fees.baseFeePerGas
  const excessBlobGas = isForkActive(rules, 'cancun')
    ? nextExcessBlobGas(rules, { ...fees, blobGasUsed: 0n })
    : fees.excessBlobGas
  if (baseFeePerGas === fees.baseFeePerGas && excessBlobGas === fees.excessBlobGas) return fees
  return { baseFeePerGas, excessBlobGas, blobBaseFee: blobBaseFee(rules.blobs, excessBlobGas) }
}

/** The prices of a run that begins with these, worked out as far as somebody asks. */
export function walkFees(rules: Rules, gasLimit: bigint, first: Fees): FeeWalk {
  const known: Fees[] = [first]
  let isSettled = false
  const reach = (index: number): Fees => {
    let last = known[Math.min(index, known.length - 1)] as Fees
    while (!isSettled && known.length <= index) {
      const next = feesAfterEmpty(rules, gasLimit, last)
      if (next === last) isSettled = true
      else known.push(next)
      last = next
    }
    return last
  }
  return {
    at: reach,
    firstWhere(count, isMet) {
      for (let index = 0; index < count; index++) {
        if (isMet(reach(index))) return index
        if (isSettled && index >= known.length - 1) return count
      }
      return count
    },
  }
}
