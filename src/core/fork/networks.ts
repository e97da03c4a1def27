// The rules of the blocks above a fork: of the table of networks, or as the header and the upstream show them.

import { toQuantity } from '../primitives/hex.ts'
import { isActiveUnder, type SelectableHardfork } from '../rollup/hardforks.ts'
import { OP_FORK_ROWS } from '../rollup/op/forks.ts'
import type { BlobParameters } from '../rollup/rules.ts'
import type { StackFork } from '../rollup/stack.ts'
import { answerTo, type ForkHeader, jsonNumberIn } from './answers.ts'
import type { ForkedRollup } from './rollup-at.ts'
import type { AskUpstream } from './source.ts'

export interface ForkRules {
  readonly hardfork: SelectableHardfork
  /** `undefined` for those of the hardfork. */
  readonly blobs: BlobParameters | undefined
  /** Set for a rollup. */
  readonly rollup?: ForkedRollup | undefined
}

/** A hardfork of a network, and its first block or second. */
type Activation = readonly [
  hardfork: SelectableHardfork,
  at: { readonly block: number } | { readonly time: number },
  blobs?: BlobParameters,
]

// Forks that change blob parameters only (EIP-8134, EIP-8135).
const BPO1: BlobParameters = { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193 }
const BPO2: BlobParameters = { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 }

function stackActivations(chainId: number): Activation[] {
  return Object.values<StackFork>(OP_FORK_ROWS).flatMap(({ hardfork, times }): Activation[] => {
    const time = times?.[chainId]
    return time ? [[hardfork, { time }]] : []
  })
}

/** Chain id → hardforks, oldest first. Forks of layer 2s stand as those of Ethereum whose opcodes they have. */
const NETWORKS: Readonly<Record<number, readonly Activation[]>> = {
  // Ethereum mainnet (go-ethereum, params/config.go); no chain here is built under rules before byzantium's
  1: [
    ['byzantium', { block: 0 }],
    ['petersburg', { block: 7_280_000 }],
    ['istanbul', { block: 9_069_000 }],
    ['berlin', { block: 12_244_000 }],
    ['london', { block: 12_965_000 }],
    ['paris', { block: 15_537_394 }],
    ['shanghai', { time: 1_681_338_455 }],
    ['cancun', { time: 1_710_338_135 }],
    ['prague', { time: 1_746_612_311 }],
    ['osaka', { time: 1_764_798_551 }],
    ['osaka', { time: 1_765_290_071 }, BPO1],
    ['osaka', { time: 1_767_747_671 }, BPO2],
  ],
  // OP Mainnet before bedrock, and its times since
  10: [
    ['istanbul', { block: 0 }],
    ['berlin', { block: 3_950_000 }],
    ['paris', { block: 105_235_063 }],
    ...stackActivations(10),
  ],
  // Unichain and its testnet
  130: stackActivations(130),
  1301: stackActivations(1301),
  // Polygon (bor, params/config.go): osaka stands for lisovo, with which all of osaka's opcodes were there
  137: [
    ['petersburg', { block: 0 }],
    ['istanbul', { block: 3_395_000 }],
    ['berlin', { block: 14_750_000 }],
    ['london', { block: 23_850_000 }],
    ['shanghai', { block: 50_523_000 }],
    ['cancun', { block: 54_876_000 }],
    ['prague', { block: 73_440_256 }],
    ['osaka', { block: 83_756_500 }],
  ],
  // Base
  8453: [['paris', { block: 0 }], ...stackActivations(8453)],
  // Base Sepolia and OP Sepolia
  84532: [['paris', { block: 0 }], ...stackActivations(84532)],
  11155420: [['paris', { block: 0 }], ...stackActivations(11155420)],
  // Arbitrum One (alloy, crates/hardforks, and Arbitrum's notice of Dia): ArbOS 11, 20, 40 and 51
  42161: [
    ['paris', { block: 0 }],
    ['shanghai', { block: 184_097_479 }],
    ['cancun', { block: 190_301_729 }],
    ['prague', { block: 348_346_856 }],
    ['osaka', { time: 1_767_891_600 }],
  ],
  // Sepolia (go-ethereum, params/config.go; the block of the merge: alloy, crates/hardforks)
  11155111: [
    ['london', { block: 0 }],
    ['paris', { block: 1_450_409 }],
    ['shanghai', { time: 1_677_557_088 }],
    ['cancun', { time: 1_706_655_072 }],
    ['prague', { time: 1_741_159_776 }],
    ['osaka', { time: 1_760_427_360 }],
    ['osaka', { time: 1_761_017_184 }, BPO1],
    ['osaka', { time: 1_761_607_008 }, BPO2],
  ],
}

/** The rules at a block of a known network; `undefined` for a network, or a time of it, that is not known. */
export function knownRulesAt(chainId: number, header: ForkHeader): ForkRules | undefined {
  const { number, timestamp } = header
  const isActive = ([, at]: Activation) => ('block' in at ? number >= at.block : timestamp >= at.time)
  const active = NETWORKS[chainId]?.filter(isActive).at(-1)
  return active && { hardfork: active[0], blobs: active[2] }
}

/** The fork that added the newest field of a header; `undefined` for one that has only the first fields. */
export function hardforkOfHeader({ fields, difficulty }: ForkHeader): SelectableHardfork | undefined {
  if (fields.has('requestsHash')) return 'prague'
  if (fields.has('parentBeaconBlockRoot')) return 'cancun'
  if (fields.has('withdrawalsRoot')) return 'shanghai'
  if (!fields.has('baseFeePerGas')) return undefined
  return difficulty === 0n ? 'paris' : 'london'
}

/** Init code that returns CLZ(1), an opcode of osaka (EIP-7939). */
const COUNT_ZEROS = '0x60011e5f5260205ff3'

/** The blob parameters in `eth_config` (EIP-7910), if they were those of the block already. */
function blobsIn(config: unknown, { timestamp }: ForkHeader): BlobParameters | undefined {
  if (config === null) return undefined
  const current = answerTo(config, 'eth_config', []).field('current')
  if (jsonNumberIn(current.field('activationTime'), 0) > timestamp) return undefined
  return current.field('blobSchedule').optional((schedule) => {
    const read = (name: string, least = 1): number => jsonNumberIn(schedule.field(name), least)
    // A rollup, which has no blobs, says zeros.
    if (read('max', 0) === 0) return undefined
    return { target: read('target'), max: read('max'), baseFeeUpdateFraction: read('baseFeeUpdateFraction') }
  })
}

/**
 * The rules that continue a chain after a block: those of the table, unless the header is newer, as on development
 * chains with the id of a network. Headers of osaka look like those of prague, so beyond the table the upstream is asked
 * what it executes there.
 *
 * @param askIfAble Answers null to what the upstream refuses.
 */
export async function rulesAt(
  askIfAble: AskUpstream,
  chainId: number,
  header: ForkHeader,
  isRollup: boolean,
): Promise<ForkRules> {
  const known = knownRulesAt(chainId, header)
  const shown = hardforkOfHeader(header)
  const isNewest = known !== undefined && (shown === undefined || isActiveUnder(known.hardfork, shown))
  // A rollup may have gone on from its last known fork without the table.
  const mayBeLater = isRollup && known?.hardfork === 'prague' && NETWORKS[chainId]?.at(-1)?.[0] === 'prague'
  if (isNewest && !mayBeLater) return known
  const hardfork = shown ?? 'berlin'
  if (hardfork !== 'prague') return { hardfork, blobs: undefined }
  const [zeros, config] = await Promise.all([
    askIfAble('eth_call', [{ data: COUNT_ZEROS }, toQuantity(header.number)]),
    // It has no blobs.
    isRollup ? null : askIfAble('eth_config', []),
  ])
  return { hardfork: zeros === null ? 'prague' : 'osaka', blobs: blobsIn(config, header) }
}
