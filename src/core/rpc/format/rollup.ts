// Fields of transactions and receipts that only chains of the OP stack have. Nodes derive those of the L1 data fee from
// the block's first transaction (op-geth, DeriveFields).

import type { BlockView } from '../../chain/view.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { attributesTransaction } from '../../node/rollup/origins.ts'
import { type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import type { L1CostParameters } from '../../rollup/stack.ts'

/** Fields of a deposit transaction. */
export interface RpcDepositFields {
  readonly sourceHash: Hash
  /** Wei; zero for none. */
  readonly mint: Hex
  /** Only before regolith. */
  readonly isSystemTx?: true
  /** From canyon on. */
  readonly depositReceiptVersion?: Hex
}

export function depositFields({ transaction, receipt }: ExecutedTransaction): RpcDepositFields | undefined {
  const { deposit } = transaction
  if (deposit === undefined) return undefined
  const version = receipt.deposit?.version
  return {
    sourceHash: deposit.sourceHash,
    mint: toQuantity(deposit.mint),
    ...(deposit.isSystem ? { isSystemTx: true } : {}),
    ...(version === undefined ? {} : { depositReceiptVersion: toQuantity(version) }),
  }
}

/** Fields of a receipt on a chain of the OP stack. */
export interface RpcRollupReceiptFields {
  /** Only of a deposit, from regolith on: the sender's nonce before it. */
  readonly depositNonce?: Hex
  readonly depositReceiptVersion?: Hex
  readonly l1GasPrice?: Hex
  readonly l1GasUsed?: Hex
  readonly l1Fee?: Hex
  /** Decimal; before ecotone. */
  readonly l1FeeScalar?: string
  /** From ecotone on. */
  readonly l1BaseFeeScalar?: Hex
  readonly l1BlobBaseFee?: Hex
  readonly l1BlobBaseFeeScalar?: Hex
  /** From isthmus on, if any of both is not zero. */
  readonly operatorFeeScalar?: Hex
  readonly operatorFeeConstant?: Hex
  /** From jovian on. */
  readonly daFootprintGasScalar?: Hex
}

/** A number of millionths in decimal. */
function formatMillionths(value: bigint): string {
  const digits = value.toString().padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -6) : `${digits.slice(0, -6)}.${fraction}`
}

function scalarFields(parameters: L1CostParameters): RpcRollupReceiptFields {
  if (parameters.isBeforeEcotone) return { l1FeeScalar: formatMillionths(parameters.scalar) }
  return {
    l1BaseFeeScalar: toQuantity(parameters.baseFeeScalar),
    l1BlobBaseFee: toQuantity(parameters.l1BlobBaseFee),
    l1BlobBaseFeeScalar: toQuantity(parameters.blobBaseFeeScalar),
  }
}

function operatorFields({
  operatorFeeScalar,
  operatorFeeConstant,
}: L1CostParameters): RpcRollupReceiptFields {
  if (operatorFeeScalar === 0n && operatorFeeConstant === 0n) return {}
  return {
    operatorFeeScalar: toQuantity(operatorFeeScalar),
    operatorFeeConstant: toQuantity(operatorFeeConstant),
  }
}

/** The fields of a receipt; none on other chains. */
export function rollupReceiptFields(
  view: Pick<BlockView, 'rules' | 'executed'>,
  { transaction, receipt }: ExecutedTransaction,
): RpcRollupReceiptFields & { readonly blobGasUsed?: Hex } {
  const { rules } = view
  const { rollup } = rules
  const first = attributesTransaction(view)
  if (rollup === undefined || first === undefined) return {}
  const parameters = rollup.stack.feesFromAttributes(rules, first.input)
  const cost = rollup.stack.l1Cost(rules, parameters, transaction.raw)
  const nonce = receipt.deposit?.nonce
  const version = receipt.deposit?.version
  return {
    ...(nonce === undefined ? {} : { depositNonce: toQuantity(nonce) }),
    ...(version === undefined ? {} : { depositReceiptVersion: toQuantity(version) }),
    l1GasPrice: toQuantity(parameters.l1BaseFee),
    l1GasUsed: toQuantity(cost.gasUsed),
    l1Fee: toQuantity(cost.fee),
    ...scalarFields(parameters),
    ...operatorFields(parameters),
    ...(rollup.changes.metersFootprint
      ? { daFootprintGasScalar: toQuantity(parameters.daFootprintGasScalar) }
      : {}),
    ...(rollup.changes.metersFootprint ? { blobGasUsed: toQuantity(receipt.blobGasUsed) } : {}),
  }
}
