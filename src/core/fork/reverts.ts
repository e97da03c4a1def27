// Reverts as answers of an upstream: what a call at an older block returns is known, too, and so it is recorded.

import { type Hex, isHexBytes } from '../primitives/hex.ts'
import { errorsWithin } from './upstream.ts'

const EXECUTING: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas'])

/** An answer that stands for a revert. */
interface Reverted {
  readonly revertedWith: Hex
}

/** The return bytes in an error; Hardhat has them one level further down. */
function bytesIn(thrown: unknown): Hex | undefined {
  for (const { data } of errorsWithin(thrown)) {
    const inner = (data as { readonly data?: unknown } | null | undefined)?.data ?? data
    if (isHexBytes(inner)) return inner
  }
  return undefined
}

/** The revert in the error of a request; `undefined` for any other error. */
export function revertIn(method: string, error: unknown): Reverted | undefined {
  const data = EXECUTING.has(method) ? bytesIn(error) : undefined
  return data && { revertedWith: data }
}

/** The return bytes of an answer that stands for a revert. */
export function revertedWith(answer: unknown): Hex | undefined {
  const data = (answer as Partial<Reverted> | null | undefined)?.revertedWith
  return isHexBytes(data) ? data : undefined
}
