// Fees of consecutive empty blocks. They fall until they reach their minimum, mostly within two hundred blocks, so a
// short list has those of a million.

import { blobBaseFee, nextExcessBlobGas } from '../../rollup/blobs.ts'
import { nextBaseFee } from '../../rollup/fees.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { baseFeeAfter } from '../block/block.ts'
import type { EmptyBlocks } from './empty-run.ts'

export interface Fees {
  readonly baseFeePerGas: bigint
  readonly excessBlobGas: bigint
  /** Wei per blob gas. */
  readonly blobBaseFee: bigint
}

/** The fees in a run of empty blocks. */
export interface FeeList {
  /** Those of the i-th block, counted from 0. */
  readonly at: (index: number) => Fees
  /** The first of `count` blocks whose fees meet a condition; `count` where none does. */
  readonly firstWhere: (count: number, isMet: (fees: Fees) => boolean) => number
}

/** The fees of the first block. */
function firstFees({ rules, parent }: EmptyBlocks): Fees {
  const excessBlobGas = isForkActive(rules, 'cancun') ? nextExcessBlobGas(rules, parent.header) : 0n
  const baseFeePerGas = baseFeeAfter(rules, parent)
  return { baseFeePerGas, excessBlobGas, blobBaseFee: blobBaseFee(rules.blobs, excessBlobGas) }
}

/** The fees after an empty block; the same value where nothing changes any more. */
function nextFees({ rules, gasLimit }: EmptyBlocks, fees: Fees): Fees {
  const baseFeePerGas = isForkActive(rules, 'london')
    ? nextBaseFee({ baseFeePerGas: fees.baseFeePerGas, gasUsed: 0n, gasLimit })
    : fees.baseFeePerGas
  const excessBlobGas = isForkActive(rules, 'cancun')
    ? nextExcessBlobGas(rules, { ...fees, blobGasUsed: 0n })
    : fees.excessBlobGas
  if (baseFeePerGas === fees.baseFeePerGas && excessBlobGas === fees.excessBlobGas) return fees
  return { baseFeePerGas, excessBlobGas, blobBaseFee: blobBaseFee(rules.blobs, excessBlobGas) }
}

function listFees(blocks: EmptyBlocks): FeeList {
  const known = [firstFees(blocks)]
  let isSettled = false
  const at = (index: number): Fees => {
    let last = known[Math.min(index, known.length - 1)] as Fees
    while (!isSettled && known.length <= index) {
      const next = nextFees(blocks, last)
      if (next === last) isSettled = true
      else known.push(next)
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

/** The fees of empty blocks, computed as far as they are read. */
export function feesFrom(blocks: EmptyBlocks): FeeList {
  let list = lists.get(blocks)
  if (list === undefined) {
    list = listFees(blocks)
    lists.set(blocks, list)
  }
  return list
}
