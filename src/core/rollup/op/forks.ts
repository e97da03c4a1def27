// Forks of the OP stack. A fork without machinery of its own is a row here.

import { load } from '../../primitives/loading.ts'
import type { RulesOfStack, StackChanges, StackFork } from '../stack.ts'
import { OP_PREDEPLOYS } from './predeploys.ts'

/** Seconds at which forks activated on OP Mainnet and Base, and on their testnets (superchain-registry). */
function at(mainnets: number, testnets: number): Readonly<Record<number, number>> {
  return { 10: mainnets, 8453: mainnets, 11155420: testnets, 84532: testnets }
}

/** The upgrade transactions of a fork. */
function upgradeTo(fork: 'ecotone' | 'fjord' | 'isthmus' | 'jovian'): NonNullable<StackFork['upgrade']> {
  return async () => (await load(import('./upgrades.ts')))[fork]()
}

/** Forks that change execution, fees or headers, in order; delta, which changes only batches, is not among them. */
export const OP_FORK_ROWS = {
  bedrock: { hardfork: 'paris', changes: { maxSequencerDriftS: 600 }, times: at(0, 0) },
  regolith: { hardfork: 'paris', changes: { metersDeposits: true }, times: at(0, 0) },
  canyon: {
    hardfork: 'shanghai',
    changes: { depositReceiptVersion: 1 },
    times: at(1_704_992_401, 1_699_981_200),
  },
  ecotone: {
    hardfork: 'cancun',
    changes: { hasBlobFees: true },
    times: at(1_710_374_401, 1_708_534_800),
    upgrade: upgradeTo('ecotone'),
  },
  fjord: {
    hardfork: 'cancun',
    // RIP-7212.
    changes: { precompiles: ['P256VERIFY'], maxSequencerDriftS: 1800 },
    times: at(1_720_627_201, 1_716_998_400),
    upgrade: upgradeTo('fjord'),
  },
  granite: {
    hardfork: 'cancun',
    changes: { inputLimits: { 8: 112_687 } },
    times: at(1_726_070_401, 1_723_478_400),
  },
  holocene: {
    hardfork: 'cancun',
    changes: { hasExtraData: true },
    times: at(1_736_445_601, 1_732_633_200),
  },
  isthmus: {
    hardfork: 'prague',
    changes: {
      withdrawalsFrom: OP_PREDEPLOYS.L2ToL1MessagePasser,
      inputLimits: { 8: 112_687, 12: 513_760, 14: 488_448, 15: 235_008 },
    },
    times: at(1_746_806_401, 1_744_905_600),
    upgrade: upgradeTo('isthmus'),
  },
  jovian: {
    hardfork: 'prague',
    changes: {
      metersFootprint: true,
      inputLimits: { 8: 81_984, 12: 288_960, 14: 278_784, 15: 156_672 },
    },
    times: at(1_764_691_201, 1_763_568_001),
    upgrade: upgradeTo('jovian'),
  },
} as const satisfies Readonly<Record<string, StackFork>>

export type OpFork = keyof typeof OP_FORK_ROWS

export const OP_FORKS = Object.keys(OP_FORK_ROWS) as readonly OpFork[]

const POSITIONS = Object.fromEntries(OP_FORKS.map((fork, index) => [fork, index])) as Record<string, number>

/** The changes of a fork and of all before it. */
export function changesUpTo(last: OpFork): StackChanges {
  const rows: readonly StackFork[] = Object.values(OP_FORK_ROWS).slice(0, (POSITIONS[last] as number) + 1)
  return Object.assign({}, ...rows.map(({ changes }) => changes))
}

/** True if a block is of an OP-stack chain, at this fork or a later one. */
export function isOpForkActive({ rollup }: RulesOfStack, since: OpFork): boolean {
  return rollup !== undefined && (POSITIONS[rollup.fork] as number) >= (POSITIONS[since] as number)
}
