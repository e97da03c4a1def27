// Simulated calls, and their conversion to unsigned transactions with defaults filled in
// (geth, internal/ethapi/transaction_args.go).

import type {
  Transaction,
  TransactionFields,
  TransactionType,
} from '../../execution/transaction/transaction.ts'
import { unsignedTransaction } from '../../pool/encode.ts'
import { completeFields } from '../../pool/payload.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, ZERO_ADDRESS } from '../../primitives/hex.ts'
import type { Hardfork } from '../../rollup/hardforks.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'

type NamedFields = Omit<TransactionFields, 'type' | 'gasLimit' | 'input'>

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
function typeOf(rules: Rules, call: SimulatedCall): TransactionType {
  if (call.gasPrice !== undefined) return 0
  const type = call.authorizationList !== undefined ? 4 : call.blobVersionedHashes !== undefined ? 3 : 2
  if (type === 2 && !isForkActive(rules, 'london')) return 0
  if (!isForkActive(rules, TYPE_SINCE[type] as Hardfork)) {
    throw failure('transactionTypeNotSupported', { type, hardfork: rules.hardfork })
  }
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
  if (blockGasUsed + gas > blockGasLimit) {
    throw failure('simulatedBlockGasExceeded', { gas: blockGasUsed + gas, limit: blockGasLimit })
  }
  return gas < budget ? gas : budget
}

/** Converts a call to a transaction. Nonce and gas default from the state and the gas left. */
export function toTransaction(
  rules: Rules,
  state: WorldState,
  call: SimulatedCall,
  gasLeft: GasLeft,
): Transaction {
  const sender = call.from ?? ZERO_ADDRESS
  const chainId = BigInt(rules.chainId)
  if (call.chainId !== undefined && call.chainId !== chainId) {
    throw failure('wrongChainId', { given: call.chainId, expected: rules.chainId })
  }
  const type = typeOf(rules, call)
  return unsignedTransaction(
    {
      ...completeFields(call),
      type,
      chainId: type === 0 ? undefined : chainId,
      nonce: call.nonce ?? readAccount(state, sender).nonce,
      gasLimit: gasLimitOf(call, gasLeft),
      maxFeePerGas: call.gasPrice ?? call.maxFeePerGas ?? 0n,
      maxPriorityFeePerGas: call.gasPrice ?? call.maxPriorityFeePerGas ?? 0n,
    },
    sender,
  )
}
