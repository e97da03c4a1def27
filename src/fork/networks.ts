// The hardfork at a block of a known network, and of any other as its header tells.

import type { SelectableHardfork } from '../rollup/hardforks.ts'
import type { ForkHeader } from './header-fields.ts'

/** A hardfork of a network, and its first block or second. */
type Activation = readonly [
  hardfork: SelectableHardfork,
  at: { readonly block: number } | { readonly time: number },
]

/** Chain id → hardforks, oldest first. Forks of layer 2s stand as those of Ethereum whose opcodes they have. */
const NETWORKS: Readonly<Record<number, readonly Activation[]>> = {
  // Ethereum mainnet (go-ethereum, params/config.go)
  1: [
    ['byzantium', { block: 4_370_000 }],
    ['petersburg', { block: 7_280_000 }],
    ['istanbul', { block: 9_069_000 }],
    ['berlin', { block: 12_244_000 }],
    ['london', { block: 12_965_000 }],
    ['paris', { block: 15_537_394 }],
    ['shanghai', { time: 1_681_338_455 }],
    ['cancun', { time: 1_710_338_135 }],
    ['prague', { time: 1_746_612_311 }],
    ['osaka', { time: 1_764_798_551 }],
  ],
  // Polygon (bor, params/config.go)
  137: [
    ['istanbul', { block: 3_395_000 }],
    ['berlin', { block: 14_750_000 }],
    ['london', { block: 23_850_000 }],
    ['shanghai', { block: 50_523_000 }],
    ['cancun', { block: 54_876_000 }],
    ['prague', { block: 73_440_256 }],
  ],
  // Arbitrum One (alloy, crates/hardforks), by the versions of ArbOS that brought the opcodes: 11, 20 and 40
  42161: [
    ['paris', { block: 0 }],
    ['shanghai', { block: 184_097_479 }],
    ['cancun', { block: 190_301_729 }],
    ['prague', { block: 348_346_856 }],
  ],
  // Sepolia (go-ethereum, params/config.go; the block of the merge: alloy, crates/hardforks)
  11155111: [
    ['london', { block: 0 }],
    ['paris', { block: 1_450_409 }],
    ['shanghai', { time: 1_677_557_088 }],
    ['cancun', { time: 1_706_655_072 }],
    ['prague', { time: 1_741_159_776 }],
    ['osaka', { time: 1_760_427_360 }],
  ],
}

function isActive([, at]: Activation, { number, timestamp }: ForkHeader): boolean {
  return 'block' in at ? number >= at.block : timestamp >= at.time
}

/** The fork that added the newest field of a header. */
function hardforkOfHeader(header: ForkHeader): SelectableHardfork {
  if (header.requestsHash !== undefined) return 'prague'
  if (header.parentBeaconBlockRoot !== undefined) return 'cancun'
  if (header.withdrawalsRoot !== undefined) return 'shanghai'
  if (header.baseFeePerGas === undefined) return 'berlin'
  return header.difficulty === 0n ? 'paris' : 'london'
}

/** The hardfork whose rules continue a chain after a block. */
export function hardforkAt(chainId: number, header: ForkHeader): SelectableHardfork {
  const active = NETWORKS[chainId]?.filter((activation) => isActive(activation, header)).at(-1)
  return active?.[0] ?? hardforkOfHeader(header)
}
