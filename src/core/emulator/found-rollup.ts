// The parts of a rollup's first state that other chains do not have.

import type { OpenBlock, SealedBlock } from '../chain/block/block.ts'
import type { Fork } from '../fork/fork.ts'
import * as origins from '../node/rollup/origins.ts'
import { keccakOfText } from '../primitives/crypto.ts'
import { failure, TickchainError } from '../primitives/errors.ts'
import { type Address, type Hash, padLeft } from '../primitives/hex.ts'
import { load } from '../primitives/loading.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import { nativeAccounts } from '../rollup/base/features.ts'
import type { L1Counterparts as BridgeOnL1 } from '../rollup/op/genesis-l2.ts'
import type { Rules } from '../rollup/rules.ts'
import type { ReadAttributes, StackRules, SystemConfig } from '../rollup/stack.ts'
import { STACKS } from '../rollup/stacks.ts'
import { withMissesLoaded } from '../state/overlay-map.ts'
import { readStorage } from '../state/world-state.ts'
import { refuseOption } from './checks.ts'
import type { ResolvedOptions } from './options/options.ts'
import type { ResolvedRollup } from './options/rollup.ts'

export interface RealLayer1 {
  readonly chainId: number
  readonly contracts: origins.L1Contracts
  /** Beside a genesis; a fork's block has both. */
  readonly founding?: {
    /** The L1 block that the first block is derived from; `undefined` while it is not known. */
    readonly genesis: origins.L1Block | undefined
    /** The accounts on the layer 1 that the bridge's contracts accept messages of. */
    readonly bridge: BridgeOnL1
  }
}

/** An account that the emulator signs for, with its balance at genesis. */
interface FundedAccount {
  readonly address: Address
  readonly privateKey: Uint8Array
  readonly balance: bigint
}

export interface Founding extends ResolvedOptions {
  readonly held: readonly FundedAccount[]
  readonly layer1?: RealLayer1 | undefined
}

/** The L1 block that the first block of a chain without a layer 1 is derived from. */
function madeUpGenesis({ l1, system }: ResolvedRollup, seed: Hash): origins.L1Block {
  const { number, timestamp, baseFee, blobBaseFee } = l1
  const hash = origins.madeUpHash(l1.chainId, seed, number)
  return { number, timestamp, hash, baseFee, blobBaseFee, deposits: [], system }
}

function stateAt(
  l1Genesis: origins.L1Block,
  l1Seed: Hash,
  { stack, l1ChainId }: Pick<origins.RollupConfig, 'stack' | 'l1ChainId'>,
  options: { readonly l1: { readonly blockTimeS: number }; readonly maxSequencerDriftS?: number | undefined },
  layer1: RealLayer1 | undefined,
): origins.RollupState {
  return {
    config: {
      stack,
      layer1: layer1 === undefined ? 'made-up' : 'told',
      l1ChainId: layer1?.chainId ?? l1ChainId,
      l1Contracts: layer1?.contracts,
      l1BlockTimeS: options.l1.blockTimeS,
      maxSequencerDriftS: options.maxSequencerDriftS,
    },
    l1Genesis,
    l1Seed,
    l1Blocks: PersistentMap.from([[l1Genesis.number, l1Genesis]]),
    l1Head: l1Genesis.number,
    waiting: [],
    system: l1Genesis.system,
    gasLimit: undefined,
    nextOrigin: undefined,
    opening: undefined,
    plan: undefined,
    isOpeningTold: false,
  }
}

/** Founds a rollup, with made-up L1 blocks unless there is a real layer 1: what it adds to the first block and state. */
export async function foundRollup({ seed, layer1 }: Founding, rollup: ResolvedRollup, rules: Rules) {
  const l1Seed = keccakOfText(seed)
  const { opGenesisAccounts } = await load(import('../rollup/op/genesis-l2.ts'))
  const reachesDenim = typeof rollup.forks === 'object' && rollup.forks.denim !== undefined
  const { founding } = layer1 ?? {}
  const l1Genesis = founding?.genesis ?? madeUpGenesis(rollup, l1Seed)
  return {
    state: stateAt(l1Genesis, l1Seed, { stack: rollup.stack, l1ChainId: rollup.l1.chainId }, rollup, layer1),
    accounts: [
      ...opGenesisAccounts({ rules, reachesDenim, ...(founding && { l1: founding.bridge }) }),
      ...(rules.rollup?.changes.natives === undefined ? [] : nativeAccounts(rollup.features)),
    ],
    extraData: STACKS[rollup.stack].encodeExtraData(rules, l1Genesis.system),
  }
}

/** What a forked block shows, under what the options say; refuses a fork with other headers. */
function systemAt(
  rules: Rules,
  header: origins.HeaderOfSystem & { readonly number: number },
  attributes: ReadAttributes,
  changes: Partial<SystemConfig>,
) {
  const { stack, fork, changes: ofFork } = rules.rollup as StackRules
  try {
    if (!ofFork.hasExtraData && stack.networks.isShownBy(header))
      stack.decodeExtraData(rules, header.extraData)
    return { ...origins.systemShown(rules, header, attributes), ...changes }
  } catch (error) {
    if (!(error instanceof TickchainError) || error.kind !== 'invalidExtraData') throw error
    const reason = `expected a fork with headers such as that of block ${header.number}, got ${fork}: ${error.message}`
    throw failure('invalidOption', { option: 'rollup.fork', reason })
  }
}

function attributesAt(block: SealedBlock): Promise<ReadAttributes> {
  const { stack } = block.rules.rollup as StackRules
  const { contract } = stack.attributes
  return stack.attributesFromSlots(block.rules, async (slot) =>
    padLeft(await withMissesLoaded(() => readStorage(block.committed.state, contract, slot)), 32),
  )
}

/** The system configuration of a block that is being built on another L1 origin than its parent; else the parent's. */
function systemWithin(
  open: OpenBlock | undefined,
  { number, system }: origins.L1Block,
  changes: Partial<SystemConfig>,
): SystemConfig {
  const own = open && origins.attributesOf(open)
  if (open === undefined || own === undefined || own.origin.number === number) return system
  return systemAt(open.rules, open.environment, own, changes)
}

/** Goes on with the rollup of a forked block, on L1 blocks that are made up from its L1 origin on, or told. */
export async function continueRollup(
  { seed, overRollup, layer1 }: Founding,
  { rules: { rollup } }: Fork,
  { block, open }: { readonly block: SealedBlock; readonly open: OpenBlock | undefined },
): Promise<origins.RollupState | undefined> {
  if (rollup === undefined) return undefined
  const found = await attributesAt(block)
  const { number, timestamp, baseFee, blobBaseFee } = overRollup?.l1 ?? {}
  const { origin } = found
  const most = block.header.timestamp
  if (timestamp !== undefined && timestamp > most)
    refuseOption('rollup.l1.timestamp', `at most ${most}, that of the forked block`, timestamp)
  const l1Genesis: origins.L1Block = {
    number: number ?? origin.number,
    // At genesis L1Block has none.
    timestamp: timestamp ?? (origin.timestamp || block.header.timestamp),
    hash: origin.hash,
    baseFee: baseFee ?? origin.baseFee,
    // Attributes before ecotone do not tell it: it is at least 1 (EIP-4844).
    blobBaseFee: blobBaseFee ?? (origin.blobBaseFee || 1n),
    deposits: [],
    system: systemAt(block.rules, block.header, found, overRollup?.system ?? {}),
  }
  const options = overRollup ?? { l1: { blockTimeS: 12 } }
  return {
    ...stateAt(l1Genesis, keccakOfText(seed), rollup, options, layer1),
    firstSequenceNumber: found.sequenceNumber,
    system: systemWithin(open, l1Genesis, overRollup?.system ?? {}),
  }
}
