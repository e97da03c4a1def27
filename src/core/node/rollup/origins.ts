// L1 origins: which L1 block a block is derived from, and what its first transaction says of it.

import type { SealedBlock } from '../../chain/block/block.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { type Hash, utf8ToBytes } from '../../primitives/hex.ts'
import { userSourceHash } from '../../rollup/deposit.ts'
import type { OriginId, ReadAttributes, RollupStack, StackRules, SystemConfig } from '../../rollup/stack.ts'
import type { L1Block, OriginChoice, RollupState } from './rollup-state.ts'

type Block = Pick<SealedBlock, 'executed' | 'rules'>

/** The L1 attributes deposit of a block; `undefined` for a block without one, such as genesis. */
export function attributesTransaction({ executed, rules }: Block): Transaction | undefined {
  const first = executed[0]?.transaction
  const attributes = rules.rollup?.stack.attributes
  const isAttributes = first?.deposit !== undefined && first.sender === attributes?.sender
  return isAttributes && first.to === attributes.contract ? first : undefined
}

const stackOf = ({ rules }: Block): RollupStack => (rules.rollup as StackRules).stack

/** The L1 attributes in the first transaction of a block. */
export function attributesOf(block: Block): ReadAttributes | undefined {
  const first = attributesTransaction(block)
  return first === undefined ? undefined : stackOf(block).readAttributes(first.input)
}

/** What a block shows of its system configuration besides its attributes. */
export type HeaderOfSystem = Pick<SealedBlock['header'], 'gasLimit' | 'extraData'>

/** The system configuration that a block shows; zeros stand for what it does not tell. Throws `invalidExtraData`. */
export function systemShown(
  { rollup }: SealedBlock['rules'],
  { gasLimit, extraData }: HeaderOfSystem,
  { system }: ReadAttributes,
): SystemConfig {
  const { stack, changes } = rollup as StackRules
  // Before holocene it may say anything: that of OP Mainnet's first block is `BEDROCK`.
  const shown = changes.hasExtraData ? stack.decodeExtraData({ rollup }, extraData) : undefined
  const { denominator = 0n, elasticity = 0n } = shown?.eip1559 ?? {}
  const eip1559 = { denominator: Number(denominator), elasticity: Number(elasticity) }
  return { ...system, gasLimit, eip1559, minBaseFee: shown?.minBaseFee ?? 0n }
}

/** Number and hash of the origin of a sealed block, and its sequence number. */
export function originIdOf({ l1Genesis, firstSequenceNumber = 0 }: RollupState, block: Block): OriginId {
  const first = attributesTransaction(block)
  if (first !== undefined) return stackOf(block).readOriginId(first.input)
  const { number, hash } = l1Genesis
  return { number, hash, sequenceNumber: firstSequenceNumber }
}

/** The origin and the sequence number of a sealed block. */
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
  return keccak256Hex(utf8ToBytes(`tickchain: block ${number} of layer 1 ${l1ChainId}, seed ${l1Seed}`))
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
function makeUpNext(
  { config, waiting, system, l1Seed }: RollupState,
  last: L1Block,
  timestamp: number,
): L1Block | undefined {
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

/** The L1 block after an origin, if there is one for a block at this time. */
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
