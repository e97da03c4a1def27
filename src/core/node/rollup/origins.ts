// L1 origins: which L1 block a block is derived from, and what its first transaction says of it.

import type { OpenBlock, SealedBlock } from '../../chain/block/block.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { keccakOfText } from '../../primitives/crypto.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import type { PersistentMap } from '../../primitives/persistent-map.ts'
import { type Deposit, userSourceHash } from '../../rollup/deposit.ts'
import type * as stacks from '../../rollup/stack.ts'
import type { StackName } from '../../rollup/stacks.ts'

type Block = Pick<SealedBlock, 'executed' | 'rules'>

/** The L1 attributes deposit of a block; `undefined` for a block without one, such as genesis. */
export function attributesTransaction({ executed, rules }: Block): Transaction | undefined {
  const first = executed[0]?.transaction
  const attributes = rules.rollup?.stack.attributes
  const isAttributes = first?.deposit !== undefined && first.sender === attributes?.sender
  return isAttributes && first.to === attributes.contract ? first : undefined
}

const stackOf = ({ rules }: Block): stacks.RollupStack => (rules.rollup as stacks.StackRules).stack

export function attributesOf(block: Block): stacks.ReadAttributes | undefined {
  const first = attributesTransaction(block)
  return first === undefined ? undefined : stackOf(block).readAttributes(first.input)
}

/** What a block shows of its system configuration besides its attributes. */
export type HeaderOfSystem = Pick<SealedBlock['header'], 'gasLimit' | 'extraData'>

/** The system configuration that a block shows; zeros stand for what it does not tell. Throws `invalidExtraData`. */
export function systemShown(
  { rollup }: SealedBlock['rules'],
  { gasLimit, extraData }: HeaderOfSystem,
  { system }: stacks.ReadAttributes,
): stacks.SystemConfig {
  const { stack, changes } = rollup as stacks.StackRules
  // Before holocene it may say anything: that of OP Mainnet's first block is `BEDROCK`.
  const shown = changes.hasExtraData ? stack.decodeExtraData({ rollup }, extraData) : undefined
  const { denominator = 0n, elasticity = 0n } = shown?.eip1559 ?? {}
  const eip1559 = { denominator: Number(denominator), elasticity: Number(elasticity) }
  return { ...system, gasLimit, eip1559, minBaseFee: shown?.minBaseFee ?? 0n }
}

/** Number and hash of the origin of a sealed block, and its sequence number. */
export function originIdOf({ l1Genesis, firstSequenceNumber = 0 }: RollupState, block: Block) {
  const first = attributesTransaction(block)
  if (first !== undefined) return stackOf(block).readOriginId(first.input)
  const { number, hash } = l1Genesis
  return { number, hash, sequenceNumber: firstSequenceNumber }
}

export function originOf(
  { l1Genesis, firstSequenceNumber = 0, l1Blocks, system }: RollupState,
  block: Block,
): OriginChoice {
  const first = attributesTransaction(block)
  if (first === undefined) return { origin: l1Genesis, sequenceNumber: firstSequenceNumber }
  const { number, hash, sequenceNumber } = stackOf(block).readOriginId(first.input)
  const told = l1Blocks.get(number)
  if (told?.hash === hash) return { origin: told, sequenceNumber }
  // The L1 block may have been replaced, or the block imported.
  return {
    origin: { ...stackOf(block).readAttributes(first.input).origin, deposits: [], system },
    sequenceNumber,
  }
}

export function madeUpHash(l1ChainId: number, l1Seed: Hash, number: number): Hash {
  return keccakOfText(`tickchain: block ${number} of layer 1 ${l1ChainId}, seed ${l1Seed}`)
}

/** The source hash of a deposit at a position in a made-up L1 block. */
export function madeUpSourceHash(
  { config: { l1ChainId }, l1Seed }: RollupState,
  number: number,
  position: number,
): Hash {
  return userSourceHash(madeUpHash(l1ChainId, l1Seed, number), position)
}

/**
 * The L1 block after the last one, if there is one for a block at this time: at the interval, but as late as possible
 * after a jump, or at once if anything waits for it.
 */
function makeUpNext({ config, waiting, system, l1Seed }: RollupState, last: L1Block, timestamp: number) {
  const passed = Math.floor((timestamp - last.timestamp) / config.l1BlockTimeS)
  const isAwaited = waiting.length > 0 || system !== last.system
  if (timestamp < last.timestamp || (passed < 1 && !isAwaited)) return undefined
  const { baseFee, blobBaseFee } = last
  const number = last.number + 1
  return {
    number,
    timestamp: passed < 1 ? timestamp : last.timestamp + passed * config.l1BlockTimeS,
    hash: madeUpHash(config.l1ChainId, l1Seed, number),
    baseFee,
    blobBaseFee,
    deposits: waiting,
    system,
  }
}

function originAfter(rollup: RollupState, origin: L1Block, timestamp: number): L1Block | undefined {
  const next = rollup.l1Blocks.get(origin.number + 1)
  if (next !== undefined) return next.timestamp <= timestamp ? next : undefined
  const isLast = origin.number >= rollup.l1Head
  return rollup.config.layer1 === 'made-up' && isLast ? makeUpNext(rollup, origin, timestamp) : undefined
}

/** The origin of the block on `parent`: the next L1 block as soon as there is one (op-node, FindL1Origin). */
export function chooseOrigin(rollup: RollupState, parent: Block, timestamp: number): OriginChoice {
  const { origin, sequenceNumber } = originOf(rollup, parent)
  const next =
    rollup.nextOrigin === undefined
      ? originAfter(rollup, origin, timestamp)
      : rollup.l1Blocks.get(Math.max(rollup.nextOrigin, origin.number))
  return next === undefined || next.number === origin.number
    ? { origin, sequenceNumber: sequenceNumber + 1 }
    : { origin: next, sequenceNumber: 0 }
}

/** An L1 block as the layer 2 sees it. */
export interface L1Block extends stacks.L1Origin {
  /** Blocks of this origin have it, and with it the parent beacon root; those of a made-up one have their own. */
  readonly prevRandao?: Hash | undefined
  /** The deposits in its logs, in their order. The first L2 block of the origin includes them. */
  readonly deposits: readonly Deposit[]
  /** The system configuration after its logs. */
  readonly system: stacks.SystemConfig
}

export interface OriginChoice {
  readonly origin: L1Block
  readonly sequenceNumber: number
}

/** Inputs of an opening; see `inputsOf`. */
export interface OpeningPlan extends OriginChoice {
  readonly inputs: readonly unknown[]
}

export interface RollupState {
  /** A reset may fork another rollup. */
  readonly config: RollupConfig
  readonly l1Genesis: L1Block
  /** The sequence number of the first block, which is not zero on a fork. */
  readonly firstSequenceNumber?: number | undefined
  readonly l1Seed: Hash
  /** The L1 blocks that the chain has been told of, or has made up, by number. */
  readonly l1Blocks: PersistentMap<number, L1Block>
  readonly l1Head: number
  /** Deposits that wait for the next made-up L1 block. */
  readonly waiting: readonly Deposit[]
  /** The system configuration of the next made-up L1 block. */
  readonly system: stacks.SystemConfig
  /** A block gas limit that a test has set, in place of the system configuration's. */
  readonly gasLimit: bigint | undefined
  /** The number of the next block's origin, if it was told: that of the head, or the one after. */
  readonly nextOrigin: number | undefined
  /** The block being built before its first transaction from the pool, with its opening transactions executed. */
  readonly opening: OpenBlock | undefined
  readonly plan: OpeningPlan | undefined
  /** True if listeners have been told of the opening transactions. */
  readonly isOpeningTold: boolean
}

/** Contracts and accounts on a real layer 1, and for how many of its blocks derivation waits. */
export interface L1Contracts {
  readonly portal: Address
  readonly systemConfig: Address
  readonly batchInbox: Address
  /** After an L1 origin, for the batches of its blocks. */
  readonly sequencingWindow: number
  /** After the first frame of a channel, for the last. */
  readonly channelTimeout: number
}

export interface RollupConfig {
  readonly stack: StackName
  /** Source of the L1 blocks: a real layer 1, or made up as time passes. */
  readonly layer1: 'told' | 'made-up'
  readonly l1ChainId: number
  /** `undefined` for a made-up layer 1. */
  readonly l1Contracts: L1Contracts | undefined
  /** Seconds between made-up L1 blocks. */
  readonly l1BlockTimeS: number
  /**
   * The most seconds that a block's timestamp may be ahead of its origin's; further blocks have no transactions of the
   * pool. `undefined` for the protocol's.
   */
  readonly maxSequencerDriftS: number | undefined
}
