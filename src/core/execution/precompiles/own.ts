// The precompiles of the EVM of this library: its own, and for the rest those of the reference, which load when they are
// called.

import type { Precompile } from '../../interpreter/evm-interface.ts'
import { precompilesOf } from '../../rollup/precompiles.ts'
import type { Rules } from '../../rollup/rules.ts'
import { ecrecover, hashBySha256, identity } from './basic.ts'
import { installPrecompiles } from './install.ts'

const BASIC: ReadonlyMap<number, Precompile> = new Map([
  [0x01, ecrecover],
  [0x02, hashBySha256],
  [0x04, identity],
])

type LoadReference = () => Promise<ReadonlyMap<string, Precompile>>

function fromReference(address: string, loadReference: LoadReference): Precompile {
  let own: Precompile | undefined
  return (input) => {
    if (own !== undefined) return own(input)
    return loadReference().then((precompiles) => {
      own ??= precompiles.get(address) as Precompile
      return own(input)
    })
  }
}

/** The precompiles of a fork, by unprefixed address. */
export function ownPrecompilesOf(rules: Rules, loadReference: LoadReference): Map<string, Precompile> {
  const addresses = Object.values(precompilesOf(rules)).map((address) => address.slice(2))
  const precompiles = new Map(
    addresses.map((address) => [
      address,
      BASIC.get(Number(`0x${address}`)) ?? fromReference(address, loadReference),
    ]),
  )
  installPrecompiles(rules, precompiles)
  return precompiles
}
