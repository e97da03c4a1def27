// What a transaction pays besides gas: the L1 data fee and the operator fee; and its DA footprint. Formulas of
// op-geth (core/types/rollup_cost.go) and the OP stack specification (fjord, isthmus and jovian, execution engine).

import { bytesToBigInt, EMPTY_BYTES } from '../../primitives/hex.ts'
import { memoizeWeak } from '../../primitives/lru-cache.ts'
import { readAccount, type Storage, type WorldState } from '../../state/world-state.ts'
import { DEPOSIT_TYPE } from '../deposit.ts'
import type { L1Cost, L1CostParameters, RulesOfStack } from '../stack.ts'
import { fastLzLength } from './fast-lz.ts'
import { isOpForkActive } from './forks.ts'
import { type AttributesFields, fieldsInCalldata, fieldsInStorage } from './l1-attributes.ts'
import { OP_PREDEPLOYS } from './predeploys.ts'

function parametersIn(rules: RulesOfStack, { form, bytes }: AttributesFields): L1CostParameters {
  const amount = (name: Parameters<typeof bytes>[0]): bigint => bytesToBigInt(bytes(name))
  return {
    isBeforeEcotone: form === 'bedrock' || !isOpForkActive(rules, 'ecotone'),
    l1BaseFee: amount('baseFee'),
    l1BlobBaseFee: amount('blobBaseFee'),
    overhead: amount('overhead'),
    scalar: amount('scalar'),
    baseFeeScalar: amount('baseFeeScalar'),
    blobBaseFeeScalar: amount('blobBaseFeeScalar'),
    operatorFeeScalar: amount('operatorFeeScalar'),
    operatorFeeConstant: amount('operatorFeeConstant'),
    daFootprintGasScalar: amount('daFootprintGasScalar'),
  }
}

/** All transactions of a block find L1Block's storage as the block's first transaction has left it. */
const parametersUnder = memoizeWeak((rules: RulesOfStack) =>
  memoizeWeak((storage: Storage) =>
    parametersIn(
      rules,
      fieldsInStorage(rules, (slot) => storage.get(slot) ?? EMPTY_BYTES),
    ),
  ),
)

/** The parameters that apply to a transaction which runs on this state. */
export function parametersFromState(rules: RulesOfStack, state: WorldState): L1CostParameters {
  return parametersUnder(rules)(readAccount(state, OP_PREDEPLOYS.L1Block).storage)
}

/** The parameters of a block, by the calldata of its first transaction; throws `undecodableTransaction`. */
export function parametersFromAttributes(rules: RulesOfStack, data: Uint8Array): L1CostParameters {
  return parametersIn(rules, fieldsInCalldata(data))
}

const MILLION = 1_000_000n
/** Gas of calldata (EIP-2028). */
const ZERO_BYTE_GAS = 4
const BYTE_GAS = 16
/** The signature, which was added to the size before regolith, although it was counted already. */
const SIGNATURE_BYTES = 68

/** The linear regression of fjord, in millionths of bytes. */
const SIZE_INTERCEPT = -42_585_600n
const SIZE_PER_FAST_LZ_BYTE = 836_500n
const LEAST_SIZE = 100n * MILLION

/**
 * The estimated size of a transaction in a batch, in millionths of bytes. Its bytes are compressed when it is admitted,
 * executed and shown.
 */
const estimatedSize = memoizeWeak((raw: Uint8Array): bigint => {
  const fitted = SIZE_INTERCEPT + SIZE_PER_FAST_LZ_BYTE * BigInt(fastLzLength(raw))
  return fitted > LEAST_SIZE ? fitted : LEAST_SIZE
})

function calldataGas(raw: Uint8Array): bigint {
  let zeros = 0
  for (let i = 0; i < raw.length; i++) if (raw[i] === 0) zeros++
  return BigInt(zeros * ZERO_BYTE_GAS + (raw.length - zeros) * BYTE_GAS)
}

/** Wei for a million bytes in a batch. */
function scaledPrice(parameters: L1CostParameters): bigint {
  const { l1BaseFee, baseFeeScalar, l1BlobBaseFee, blobBaseFeeScalar } = parameters
  return 16n * l1BaseFee * baseFeeScalar + l1BlobBaseFee * blobBaseFeeScalar
}

function isDeposit(raw: Uint8Array): boolean {
  return raw[0] === DEPOSIT_TYPE
}

function costOf(rules: RulesOfStack, parameters: L1CostParameters, raw: Uint8Array): L1Cost {
  if (parameters.isBeforeEcotone) {
    const added = isOpForkActive(rules, 'regolith') ? 0 : SIGNATURE_BYTES * BYTE_GAS
    const gasUsed = calldataGas(raw) + BigInt(added) + parameters.overhead
    return { fee: (gasUsed * parameters.l1BaseFee * parameters.scalar) / MILLION, gasUsed }
  }
  const price = scaledPrice(parameters)
  if (!isOpForkActive(rules, 'fjord')) {
    const gasUsed = calldataGas(raw)
    return { fee: (gasUsed * price) / (16n * MILLION), gasUsed }
  }
  const size = estimatedSize(raw)
  return { fee: (size * price) / (MILLION * MILLION), gasUsed: (size * 16n) / MILLION }
}

const NO_COST: L1Cost = { fee: 0n, gasUsed: 0n }

/**
 * The L1 data fee of a transaction, by its signed EIP-2718 encoding. Empty bytes, as of a call, cost nothing. Nor does
 * a deposit, whose receipt tells the gas all the same.
 */
export function l1Cost(rules: RulesOfStack, parameters: L1CostParameters, raw: Uint8Array): L1Cost {
  if (raw.length === 0) return NO_COST
  const cost = costOf(rules, parameters, raw)
  return isDeposit(raw) ? { fee: 0n, gasUsed: cost.gasUsed } : cost
}

/** Wei for a transaction's gas: its limit before execution, what it has used after. */
export function operatorFee(rules: RulesOfStack, parameters: L1CostParameters, gas: bigint): bigint {
  const { operatorFeeScalar, operatorFeeConstant } = parameters
  if (isOpForkActive(rules, 'jovian')) return gas * operatorFeeScalar * 100n + operatorFeeConstant
  return isOpForkActive(rules, 'isthmus') ? (gas * operatorFeeScalar) / MILLION + operatorFeeConstant : 0n
}

/** Share of a transaction in the block's `blobGasUsed` since jovian; zero before, and of deposits. */
export function daFootprint(rules: RulesOfStack, parameters: L1CostParameters, raw: Uint8Array): bigint {
  if (isDeposit(raw) || !isOpForkActive(rules, 'jovian')) return 0n
  return (estimatedSize(raw) / MILLION) * parameters.daFootprintGasScalar
}
