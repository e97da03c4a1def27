// Precompiled contracts of each fork, by their EIP-7910 names, and their addresses under state overrides.

import { failure } from '../primitives/errors.ts'
import type { Address } from '../primitives/hex.ts'
import type { StateOverrides } from '../state/overrides.ts'
import type { Hardfork } from './hardforks.ts'
import { isForkActive, type Rules } from './rules.ts'

const PRECOMPILES: readonly (readonly [since: Hardfork, number: number, name: string])[] = [
  ['chainstart', 0x01, 'ECREC'],
  ['chainstart', 0x02, 'SHA256'],
  ['chainstart', 0x03, 'RIPEMD160'],
  ['chainstart', 0x04, 'ID'],
  ['byzantium', 0x05, 'MODEXP'],
  ['byzantium', 0x06, 'BN254_ADD'],
  ['byzantium', 0x07, 'BN254_MUL'],
  ['byzantium', 0x08, 'BN254_PAIRING'],
  ['istanbul', 0x09, 'BLAKE2F'],
  ['cancun', 0x0a, 'KZG_POINT_EVALUATION'],
  ['prague', 0x0b, 'BLS12_G1ADD'],
  ['prague', 0x0c, 'BLS12_G1MSM'],
  ['prague', 0x0d, 'BLS12_G2ADD'],
  ['prague', 0x0e, 'BLS12_G2MSM'],
  ['prague', 0x0f, 'BLS12_PAIRING_CHECK'],
  ['prague', 0x10, 'BLS12_MAP_FP_TO_G1'],
  ['prague', 0x11, 'BLS12_MAP_FP2_TO_G2'],
  ['osaka', 0x100, 'P256VERIFY'],
]

/** Name → address. */
export function precompilesOf(rules: Rules): Readonly<Record<string, Address>> {
  const active = PRECOMPILES.filter(
    ([since, , name]) => isForkActive(rules, since) || rules.rollup?.changes.precompiles?.includes(name),
  )
  return Object.fromEntries(
    active.map(([, number, name]): [string, Address] => [name, `0x${number.toString(16).padStart(40, '0')}`]),
  )
}

/** Address → address of the fork's precompile that runs there. */
export type PrecompileTable = ReadonlyMap<Address, Address>

function checkMove(isPrecompile: boolean, overrides: StateOverrides, from: Address, to: Address): void {
  if (!isPrecompile) throw failure('notPrecompile', { address: from })
  if (to === from) throw failure('precompileMovedToItself', { address: from })
  if (overrides.has(to)) throw failure('alreadyOverridden', { address: to })
}

/**
 * The table under overrides, as in geth (internal/ethapi/override); `undefined` if they change no precompile. An
 * override of a precompile's account removes it from its address. Of two that move to one address the later one stays:
 * the execution-apis specify error -38023, but their own test vectors do not return it.
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
    // Deletes no moved precompile: checkMove refuses a destination that has an override.
    if (isPrecompile) table.delete(address)
    isChanged ||= isPrecompile
  }
  return isChanged ? table : undefined
}
