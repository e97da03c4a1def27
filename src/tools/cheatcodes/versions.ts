// EVM versions that a test chooses: frames that begin afterwards have its opcodes, at the costs of the chain, as in forge.

import type { WasmEvm } from '../../core/execution/evm/covered-evm.ts'
import { type Hardfork, isActiveUnder } from '../../core/rollup/hardforks.ts'

/** The version that is chosen; absent for the chain's. */
type Version = Hardfork | undefined

/** Versions that forge knows. */
export const EVM_VERSIONS: ReadonlySet<string> = new Set(
  'homestead tangerineWhistle spuriousDragon byzantium constantinople petersburg istanbul berlin london paris shanghai cancun prague osaka'.split(
    ' ',
  ),
)

export class EvmVersions {
  private readonly evm: WasmEvm
  private readonly open: Version[] = []
  private used: Version

  constructor(evm: WasmEvm) {
    this.evm = evm
  }

  private use(version: Version): void {
    if (version === this.used) return
    this.used = version
    // The opcodes of byzantium are the fewest that there are here.
    const isOld = version !== undefined && !isActiveUnder(version, 'byzantium')
    this.evm.useOpcodesOf(isOld ? 'byzantium' : version)
  }

  reset(): void {
    this.open.length = 0
    this.use(undefined)
  }

  enter(version: Version): void {
    this.open.push(version)
    this.use(version)
  }

  exit(): void {
    this.open.pop()
    this.use(this.open.at(-1))
  }
}
