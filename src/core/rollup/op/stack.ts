// The OP stack, as the value that execution, chain and node know of it. The parameters of the base fee in a header's
// extraData, since holocene, and the base fee that follows from them (OP stack specification, holocene and jovian, execution
// engine). And BaseTime, the clock of Base since denim: the deposit that tells it the milliseconds of a block, what that
// deposit does, and how the contract comes into a running chain.

import { failure } from '../../primitives/errors.ts'
import * as hex from '../../primitives/hex.ts'
import { memoizeLru } from '../../primitives/lru-cache.ts'
import * as world from '../../state/world-state.ts'
import { type Deposit, timeSourceHash } from '../deposit.ts'
import { type Eip1559Parameters, nextBaseFee } from '../fees.ts'
import type * as stacks from '../stack.ts'
import { integerAt, putInteger } from './big-endian.ts'
import { changesUpTo, isOpForkActive, OP_FORK_ROWS, type OpFork } from './forks.ts'
import * as attributes from './l1-attributes.ts'
import { effectOfAttributes } from './l1-block.ts'
import * as costs from './l1-costs.ts'
import { networks } from './networks.ts'
import { BASE_TIME, DEPOSITOR, OP_PREDEPLOYS } from './predeploys.ts'
import { ADMIN_SLOT, IMPLEMENTATION_SLOT, implementationBehind, implementationOf } from './proxies.ts'

interface ExtraDataLayout {
  readonly fork: 'holocene' | 'jovian'
  readonly version: number
  readonly length: number
}

const HOLOCENE: ExtraDataLayout = { fork: 'holocene', version: 0, length: 9 }
const JOVIAN: ExtraDataLayout = { fork: 'jovian', version: 1, length: 17 }
/** Where the fields begin. */
const DENOMINATOR = 1
const ELASTICITY = 5
const MIN_BASE_FEE = 9

function layoutUnder(rules: stacks.RulesOfStack): ExtraDataLayout | undefined {
  if (isOpForkActive(rules, 'jovian')) return JOVIAN
  return isOpForkActive(rules, 'holocene') ? HOLOCENE : undefined
}

/** The extraData of a block with this system configuration; empty before holocene. */
export function encodeExtraData(
  rules: stacks.RulesOfStack,
  { eip1559, minBaseFee }: Pick<stacks.SystemConfig, 'eip1559' | 'minBaseFee'>,
): Uint8Array {
  const layout = layoutUnder(rules)
  if (layout === undefined) return hex.EMPTY_BYTES
  const ofChain = (rules.rollup as stacks.StackRules).eip1559
  const { denominator, elasticity } = eip1559.denominator === 0 ? ofChain : eip1559
  const bytes = new Uint8Array(layout.length)
  bytes[0] = layout.version
  putInteger(bytes, DENOMINATOR, 4, Number(denominator))
  putInteger(bytes, ELASTICITY, 4, Number(elasticity))
  if (layout === JOVIAN) bytes.set(hex.padLeft(hex.bigIntToBytes(minBaseFee), 8), MIN_BASE_FEE)
  return bytes
}

function refuse(reason: string): never {
  throw failure('invalidExtraData', { reason })
}

function readLayout(layout: ExtraDataLayout, bytes: Uint8Array): stacks.ExtraData {
  const { fork, version, length } = layout
  if (bytes.length !== length) refuse(`${fork} extraData should be ${length} bytes, got ${bytes.length}`)
  if (bytes[0] !== version) refuse(`${fork} extraData version byte should be ${version}, got ${bytes[0]}`)
  const denominator = BigInt(integerAt(bytes, DENOMINATOR, 4))
  const elasticity = BigInt(integerAt(bytes, ELASTICITY, 4))
  if (denominator === 0n) refuse(`${fork} extraData must have a denominator of at least 1`)
  if (elasticity === 0n) refuse(`${fork} extraData must have an elasticity of at least 1`)
  const minBaseFee = layout === JOVIAN ? hex.bytesToBigInt(bytes.slice(MIN_BASE_FEE)) : 0n
  return { eip1559: { denominator, elasticity }, minBaseFee }
}

/** Reads the extraData of a block; `undefined` before holocene, when it is empty. Throws `invalidExtraData`. */
export function decodeExtraData(rules: stacks.RulesOfStack, bytes: Uint8Array): stacks.ExtraData | undefined {
  const layout = layoutUnder(rules)
  if (layout !== undefined) return readLayout(layout, bytes)
  if (bytes.length > 0) refuse('extraData must be empty before holocene')
  return undefined
}

/**
 * The base fee of the block after `parent`, under the rules of that block. The parent's extraData sets the parameters;
 * before holocene, the chain does.
 */
export function nextOpBaseFee(
  rules: stacks.RulesOfStack,
  { rules: before, header }: Parameters<stacks.RollupStack['nextBaseFee']>[1],
): bigint {
  // Before holocene it may say anything: that of OP Mainnet's first block is `BEDROCK`.
  const layout = layoutUnder(before)
  const extraData = layout && readLayout(layout, header.extraData)
  const { baseFeePerGas, gasLimit, gasUsed, blobGasUsed } = header
  const isFootprintMetered = isOpForkActive(before, 'jovian') && blobGasUsed > gasUsed
  const metered = isFootprintMetered ? { baseFeePerGas, gasLimit, gasUsed: blobGasUsed } : header
  const baseFee = nextBaseFee(metered, extraData?.eip1559 ?? rules.rollup?.eip1559)
  const least = extraData?.minBaseFee ?? 0n
  return baseFee > least ? baseFee : least
}

/** `setTimestampMillisPart(uint16)`, and its argument. */
const SELECTOR = 0x86bdf394
const DATA_BYTES = 36
const PART_AT = DATA_BYTES - 2
const PART_SLOT: hex.Hash = hex.ZERO_HASH

/** The second transaction of a block: the milliseconds after its timestamp. */
export function timeDeposit(number: number, part: number): Deposit {
  const data = new Uint8Array(DATA_BYTES)
  putInteger(data, 0, 4, SELECTOR)
  putInteger(data, PART_AT, 2, part)
  const [sourceHash, from, to, gasLimit] = [timeSourceHash(number), DEPOSITOR, BASE_TIME, 1_000_000n]
  return { sourceHash, from, to, mint: 0n, value: 0n, gasLimit, isSystem: false, data }
}

/** The milliseconds in the calldata of such a deposit. */
function readTimePart(data: Uint8Array): number {
  return integerAt(data, PART_AT, 2)
}

/** keccak-256 of our code of the contract. */
const CODE_HASH: hex.Hash = '0x19cf44a4469574a6d65def11d9b37247b683d541fed5678462dbd6b82c84a34e'

/** Gas of proxy and contract without SSTORE, which finds the slot warm; and of SSTORE (EIP-2200, EIP-2929, EIP-3529). */
const SETTER_GAS = 7604
const SAME_GAS = 100
const CHANGE_GAS = 2900
const NEW_GAS = 20_000
const CLEAR_REFUND = 4800

const isOurs = memoizeLru(8, ({ hash }: world.Code) => hex.bytesToHex(hash) === CODE_HASH)

/** The effect of such a deposit; `undefined` unless the code of the contract is known. */
function effectOfTime(state: world.WorldState, data: Uint8Array): stacks.DepositEffect | undefined {
  if (data.length !== DATA_BYTES || integerAt(data, 0, 4) !== SELECTOR) return undefined
  const implementation = implementationBehind(state, BASE_TIME)
  if (implementation === undefined || !isOurs(world.readAccount(state, implementation).code)) return undefined
  const { storage: before } = world.readAccount(state, BASE_TIME)
  const value = before.get(PART_SLOT) ?? hex.EMPTY_BYTES
  const next = readTimePart(data)
  const last = integerAt(value, 0, value.length)
  if (next === last) return { implementation, storage: before, gas: SETTER_GAS + SAME_GAS, refund: 0 }
  return {
    implementation,
    storage: world.setSlot(before, PART_SLOT, hex.stripLeadingZeros(data.slice(PART_AT))),
    gas: SETTER_GAS + (last === 0 ? NEW_GAS : CHANGE_GAS),
    refund: next === 0 ? CLEAR_REFUND : 0,
  }
}

/** The state in which the contract is there, as the first block of denim finds it: what is set already stays. */
export function installBaseTime(state: world.WorldState, contract: world.Code, proxy: world.Code) {
  const implementation = implementationOf(BASE_TIME)
  const { code, storage: before } = world.readAccount(state, BASE_TIME)
  const set = (storage: world.Storage, slot: hex.Hash, address: typeof implementation): world.Storage =>
    storage.has(slot) ? storage : storage.set(slot, hex.hexToBytes(address))
  const owned = code.bytes.length === 0 ? set(before, ADMIN_SLOT, OP_PREDEPLOYS.ProxyAdmin) : before
  const storage = set(owned, IMPLEMENTATION_SLOT, implementation)
  const installed = world.updateAccount(state, implementation, { code: contract })
  return world.updateAccount(installed, BASE_TIME, { code: code.bytes.length === 0 ? proxy : code, storage })
}

/** A block's attributes are read several times while the next block is built. */
const REMEMBERED_BLOCKS = 8

const EFFECTS: Readonly<Record<hex.Address, typeof effectOfTime>> = {
  [OP_PREDEPLOYS.L1Block]: effectOfAttributes,
  [BASE_TIME]: effectOfTime,
}

const VAULTS = {
  tips: OP_PREDEPLOYS.SequencerFeeVault,
  baseFees: OP_PREDEPLOYS.BaseFeeVault,
  l1Fees: OP_PREDEPLOYS.L1FeeVault,
  operatorFees: OP_PREDEPLOYS.OperatorFeeVault,
}

const READ_BY_BLOCKS: stacks.RollupStack['readByBlocks'] = new Map<hex.Address, Set<hex.Hash>>([
  [OP_PREDEPLOYS.L1Block, new Set([...attributes.L1_BLOCK_SLOTS, IMPLEMENTATION_SLOT])],
  ...[DEPOSITOR, OP_PREDEPLOYS.L2ToL1MessagePasser, ...Object.values(VAULTS)].map(
    (address) => [address, new Set<hex.Hash>()] as const,
  ),
])

export const OP_STACK = {
  name: 'op',
  forks: OP_FORK_ROWS,
  attributes: { sender: DEPOSITOR, contract: OP_PREDEPLOYS.L1Block },
  attributesDeposit: attributes.attributesDeposit,
  timeDeposit,
  readTimePart,
  readAttributes: memoizeLru(REMEMBERED_BLOCKS, attributes.readAttributes),
  readOriginId: memoizeLru(REMEMBERED_BLOCKS, attributes.readOriginId),
  effectOfDeposit: (state, to, data) => EFFECTS[to]?.(state, data),
  attributesFromSlots: attributes.attributesFromSlots,
  networks,
  vaults: VAULTS,
  readByBlocks: READ_BY_BLOCKS,
  feeSlots: attributes.FEE_SLOTS,
  feesFromState: costs.parametersFromState,
  feesFromAttributes: costs.parametersFromAttributes,
  l1Cost: costs.l1Cost,
  operatorFee: costs.operatorFee,
  daFootprint: costs.daFootprint,
  encodeExtraData,
  decodeExtraData,
  nextBaseFee: nextOpBaseFee,
  messagePasser: OP_PREDEPLOYS.L2ToL1MessagePasser,
} as const satisfies stacks.RollupStack

/** The rules of a fork, with what its first block does. */
export function opRules(
  fork: OpFork,
  eip1559: Eip1559Parameters,
  { begins = [], ...rest }: Partial<Pick<stacks.StackRules, 'begins' | 'features' | 'firstMillis'>> = {},
): stacks.StackRules {
  return { stack: OP_STACK, fork, changes: changesUpTo(fork), eip1559, begins, ...rest }
}
