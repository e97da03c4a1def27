// Where precompiles answer, when overrides of state move or replace them (geth, internal/ethapi/override).

import { failure } from '../primitives/errors.ts'
import type { Address } from '../primitives/hex.ts'
import type { StateOverrides } from '../state/overrides.ts'
import { precompilesOf } from './precompiles.ts'
import type { Rules } from './rules.ts'

/** Address that is called → address that the precompile has by its rules. */
export type PrecompileTable = ReadonlyMap<Address, Address>

function checkMove(isPrecompile: boolean, overrides: StateOverrides, from: Address, to: Address): void {
  if (!isPrecompile) throw failure('notPrecompile', { address: from })
  if (to === from) throw failure('precompileMovedToItself', { address: from })
  if (overrides.has(to)) throw failure('alreadyOverridden', { address: to })
}

/**
 * The table under overrides, or `undefined` where they leave it as the rules have it. A precompile whose account is
 * overridden is gone from its address. Of two that are moved to one address the later stays: the error that the
 * execution-apis name for it, -38023, is not given by their own vectors.
 */
export function overridePrecompiles(rules: Rules, overrides: StateOverrides): PrecompileTable | undefined {
  if (overrides.size === 0) return undefined
  const own: ReadonlySet<Address> = new Set(Object.values(precompilesOf(rules)))
  const table = new Map([...own].map((address) => [address, address]))
  let isChanged = false
  for (const [address, { movePrecompileTo }] of overrides) {
    const isPrecompile = own.has(address)
    if (movePrecompileTo !== undefined) {
      checkMove(isPrecompile, overrides, address, movePrecompileTo)
      table.set(movePrecompileTo, address)
    }
    // A destination is never overridden itself, so nothing that was moved is lost here.
    if (isPrecompile) table.delete(address)
    isChanged ||= isPrecompile
  }
  return isChanged ? table : undefined
}
