// The parts of a rollup's first state that other chains do not have.

import { madeUpHash } from '../node/rollup/origins.ts'
import type { L1Block, L1Contracts, RollupConfig, RollupState } from '../node/rollup/rollup-state.ts'
import { keccak256Hex } from '../primitives/crypto.ts'
import { type Address, utf8ToBytes } from '../primitives/hex.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import { encodeExtraData } from '../rollup/op/extra-data.ts'
import type { Rules } from '../rollup/rules.ts'
import type { Account } from '../state/account.ts'
import type { ResolvedOptions } from './options/options.ts'
import type { ResolvedRollup } from './options/rollup.ts'

/** The layer 1 of a rollup that has a real one. */
export interface RealLayer1 {
  readonly chainId: number
  /** The L1 block that the first block is derived from. */
  readonly genesis: L1Block
  readonly contracts: L1Contracts
}

/** The L1 block that the first block of a chain without a layer 1 is derived from. */
function madeUpGenesis({ l1, system }: ResolvedRollup, seed: RollupConfig['l1Seed']): L1Block {
  const { number, timestamp, baseFee, blobBaseFee } = l1
  const hash = madeUpHash({ l1ChainId: l1.chainId, l1Seed: seed }, number)
  return { number, timestamp, hash, baseFee, blobBaseFee, deposits: [], system }
}

/** What a rollup adds to the first block, the configuration and the first state. */
export interface FoundedRollup {
  readonly config: RollupConfig
  readonly state: RollupState
  readonly accounts: readonly (readonly [Address, Account])[]
  readonly extraData: Uint8Array
}

function stateAt(l1Genesis: L1Block): RollupState {
  return {
    l1Blocks: PersistentMap.from([[l1Genesis.number, l1Genesis]]),
    l1Head: l1Genesis.number,
    waiting: [],
    system: l1Genesis.system,
    gasLimit: undefined,
    usesPool: true,
    nextOrigin: undefined,
    opening: undefined,
    plan: undefined,
    isOpeningTold: false,
  }
}

/** Founds a rollup, with made-up L1 blocks unless there is a real layer 1. */
export async function foundRollup(
  { seed }: ResolvedOptions,
  rollup: ResolvedRollup,
  rules: Rules,
  layer1: RealLayer1 | undefined,
): Promise<FoundedRollup> {
  const l1Seed = keccak256Hex(utf8ToBytes(seed))
  const l1Genesis = layer1?.genesis ?? madeUpGenesis(rollup, l1Seed)
  return {
    config: {
      stack: 'op',
      layer1: layer1 === undefined ? 'made-up' : 'told',
      l1ChainId: layer1?.chainId ?? rollup.l1.chainId,
      l1Contracts: layer1?.contracts,
      l1Genesis,
      l1BlockTimeS: rollup.l1.blockTimeS,
      l1Seed,
      maxSequencerDriftS: rollup.maxSequencerDriftS,
      upgradeTransactions: async () => [],
    },
    state: stateAt(l1Genesis),
    accounts: [],
    extraData: encodeExtraData(rules, l1Genesis.system),
  }
}
