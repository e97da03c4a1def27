// Numbers and timestamps of simulated blocks; gaps in the numbers are filled with empty blocks
// (geth, internal/ethapi/simulate.go).

import type { BlockOverrides } from '../../execution/call/run-call.ts'
import type * as transactions from '../../execution/transaction/transaction.ts'
import { completeFields, unsignedTransaction } from '../../pool/payload.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, type Hash, ZERO_ADDRESS } from '../../primitives/hex.ts'
import type { Hardfork } from '../../rollup/hardforks.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { NO_STATE_OVERRIDES, type StateOverrides } from '../../state/overrides.ts'
import * as world from '../../state/world-state.ts'
import type { Withdrawal } from '../block/body.ts'

type NamedFields = Omit<transactions.TransactionFields, 'type' | 'gasLimit' | 'input'>

/** The fields of a transaction, of which a call may leave out any but its input. */
export interface SimulatedCall
  extends Readonly<{ [Name in keyof NamedFields]: NamedFields[Name] | undefined }> {
  readonly from: Address | undefined
  readonly gas: bigint | undefined
  readonly gasPrice: bigint | undefined
  readonly input: Uint8Array
}

const TYPE_SINCE: readonly Hardfork[] = ['chainstart', 'berlin', 'london', 'cancun', 'prague']

/** The type that geth chooses, ignoring the one in the request: with a gas price always legacy. */
function typeOf(rules: Rules, call: SimulatedCall): transactions.TransactionType {
  if (call.gasPrice !== undefined) return 0
  const type = call.authorizationList !== undefined ? 4 : call.blobVersionedHashes !== undefined ? 3 : 2
  if (type === 2 && !isForkActive(rules, 'london')) return 0
  if (!isForkActive(rules, TYPE_SINCE[type] as Hardfork))
    throw failure('transactionTypeNotSupported', { type, hardfork: rules.hardfork })
  return type
}

/** The gas left for a call, in its block and in the whole simulation. */
export interface GasLeft {
  readonly blockGasLimit: bigint
  readonly blockGasUsed: bigint
  readonly budget: bigint
}

function gasLimitOf(call: SimulatedCall, { blockGasLimit, blockGasUsed, budget }: GasLeft): bigint {
  const gas = call.gas ?? blockGasLimit - blockGasUsed
  if (blockGasUsed + gas > blockGasLimit)
    throw failure('simulatedBlockGasExceeded', { gas: blockGasUsed + gas, limit: blockGasLimit })
  return gas < budget ? gas : budget
}

/** Converts a call to a transaction. Nonce and gas default from the state and the gas left. */
export function toTransaction(
  rules: Rules,
  state: world.WorldState,
  call: SimulatedCall,
  gasLeft: GasLeft,
): transactions.Transaction {
  const sender = call.from ?? ZERO_ADDRESS
  const chainId = BigInt(rules.chainId)
  if (call.chainId !== undefined && call.chainId !== chainId)
    throw failure('wrongChainId', { given: call.chainId, expected: rules.chainId })
  const type = typeOf(rules, call)
  return unsignedTransaction(
    {
      ...completeFields(call),
      type,
      chainId: type === 0 ? undefined : chainId,
      nonce: call.nonce ?? world.readAccount(state, sender).nonce,
      gasLimit: gasLimitOf(call, gasLeft),
      maxFeePerGas: call.gasPrice ?? call.maxFeePerGas ?? 0n,
      maxPriorityFeePerGas: call.gasPrice ?? call.maxPriorityFeePerGas ?? 0n,
    },
    sender,
  )
}

/** Maximum distance of a simulated block from its base, as in geth. */
const MAX_BLOCKS = 256
/** Default seconds between simulated blocks, as in geth. */
const BLOCK_SECONDS = 12

/** Header fields that replace those derived from the parent. */
interface SimulatedHeader extends BlockOverrides {
  readonly beaconRoot: Hash | undefined
  readonly withdrawals: readonly Withdrawal[]
}

export interface SimulatedBlock {
  readonly header: SimulatedHeader
  readonly stateOverrides: StateOverrides
  readonly calls: readonly SimulatedCall[]
}

export interface PlannedBlock extends SimulatedBlock {
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
}

const NO_OVERRIDES: SimulatedHeader = {
  number: undefined,
  timestamp: undefined,
  coinbase: undefined,
  gasLimit: undefined,
  prevRandao: undefined,
  baseFeePerGas: undefined,
  blobBaseFee: undefined,
  difficulty: undefined,
  beaconRoot: undefined,
  withdrawals: [],
}

interface Position {
  readonly number: number
  readonly timestamp: number
}

function fillGap(after: Position, until: number): PlannedBlock[] {
  const empty = { header: NO_OVERRIDES, stateOverrides: NO_STATE_OVERRIDES, calls: [] }
  return Array.from({ length: until - after.number - 1 }, (_, index) => {
    const timestamp = after.timestamp + (index + 1) * BLOCK_SECONDS
    return { ...empty, number: after.number + 1 + index, timestamp }
  })
}

/** Assigns numbers and timestamps; throws if they do not increase or exceed the limit. */
export function planBlocks(base: Position, blocks: readonly SimulatedBlock[]): PlannedBlock[] {
  if (blocks.length > MAX_BLOCKS) throw failure('simulationTooLarge', { what: 'blocks', most: MAX_BLOCKS })
  const planned: PlannedBlock[] = []
  let previous = base
  for (const block of blocks) {
    const number = block.header.number ?? previous.number + 1
    if (number <= previous.number)
      throw failure('simulatedNumbersNotInOrder', { number, previous: previous.number })
    if (number - base.number > MAX_BLOCKS)
      throw failure('simulationTooLarge', { what: 'blocks', most: MAX_BLOCKS })
    const filled = fillGap(previous, number)
    previous = filled.at(-1) ?? previous
    const timestamp = block.header.timestamp ?? previous.timestamp + BLOCK_SECONDS
    if (timestamp <= previous.timestamp)
      throw failure('simulatedTimestampsNotInOrder', { timestamp, previous: previous.timestamp })
    previous = { number, timestamp }
    planned.push(...filled, { ...block, number, timestamp })
  }
  return planned
}
