// Forks of the OP stack. A fork without machinery of its own is a row here.

import { failure } from '../../primitives/errors.ts'
import { load } from '../../primitives/loading.ts'
import { forksUpTo, type RulesOfStack, type StackChanges, type StackFork } from '../stack.ts'
import { OP_PREDEPLOYS } from './predeploys.ts'

/**
 * Seconds at which forks activated on OP Mainnet, Unichain and Base, and on their testnets (superchain-registry). Unichain
 * has had those before its genesis from there on.
 */
function at(mainnets: number, testnets: number): Readonly<Record<number, number>> {
  return {
    10: mainnets,
    130: mainnets,
    8453: mainnets,
    11155420: testnets,
    1301: testnets,
    84532: testnets,
  }
}

/** Seconds at which a fork of Base activated on its network and on its testnet. */
function onBase(mainnet: number, testnet: number): Readonly<Record<number, number>> {
  return { 8453: mainnet, 84532: testnet }
}

function upgradeTo(fork: 'ecotone' | 'fjord' | 'isthmus' | 'jovian'): NonNullable<StackFork['upgrade']> {
  return async () => (await load(import('./upgrades.ts')))[fork]()
}

/** Jovian's, which azul keeps. */
const JOVIAN_LIMITS = { 8: 81_984, 12: 288_960, 14: 278_784, 15: 156_672 } as const

/**
 * Forks that change execution, fees or headers, in order; delta, which changes only batches, is not among them. After
 * jovian Base goes its own way, which begins with azul.
 */
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
    changes: { metersFootprint: true, inputLimits: JOVIAN_LIMITS },
    times: at(1_764_691_201, 1_763_568_001),
    upgrade: upgradeTo('jovian'),
  },
  karst: {
    hardfork: 'osaka',
    changes: { inputLimits: { ...JOVIAN_LIMITS, 8: 57_600 } },
    times: { 10: 1_783_526_401, 130: 1_783_526_401 },
    upgrade: () => Promise.reject(failure('upgradeUnknown', { fork: 'karst' })),
  },
  azul: {
    hardfork: 'osaka',
    after: 'jovian',
    changes: { hasBareMetadata: true },
    times: onBase(1_779_991_200, 1_776_708_000),
  },
  beryl: { hardfork: 'osaka', changes: { natives: 1 }, times: onBase(1_782_410_400, 1_781_805_600) },
  cobalt: { hardfork: 'osaka', changes: { natives: 2 }, times: onBase(1_790_791_200, 1_790_186_400) },
  denim: {
    hardfork: 'osaka',
    changes: { natives: 3, slotMs: 200 },
    times: onBase(1_793_901_600, 1_792_605_600),
  },
} as const satisfies Readonly<Record<string, StackFork>>

export type OpFork = keyof typeof OP_FORK_ROWS

export const OP_FORKS = Object.keys(OP_FORK_ROWS) as readonly OpFork[]

/** Each fork with itself and those before it. */
const LINES = new Map(
  OP_FORKS.map((fork) => [fork as string, new Set(forksUpTo(OP_FORK_ROWS, fork) as OpFork[])]),
)

export function opForksUpTo(last: OpFork): readonly OpFork[] {
  return [...(LINES.get(last) as ReadonlySet<OpFork>)]
}

export function changesUpTo(last: OpFork): StackChanges {
  return Object.assign({}, ...opForksUpTo(last).map((fork) => OP_FORK_ROWS[fork].changes))
}

/** True if a block is of an OP-stack chain, at this fork or a later one. */
export function isOpForkActive({ rollup }: RulesOfStack, since: OpFork): boolean {
  return rollup !== undefined && LINES.get(rollup.fork)?.has(since) === true
}
