// Fields of transactions and receipts that only chains of the OP stack have. Nodes derive those of the L1 data fee from
// the block's first transaction (op-geth, DeriveFields).

import type { BlockView } from '../../chain/view.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { attributesTransaction } from '../../node/rollup/origins.ts'
import { type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'

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

/** The fields of a receipt; none on other chains. */
export function rollupReceiptFields(
  view: Pick<BlockView, 'rules' | 'executed'>,
  { transaction, receipt }: ExecutedTransaction,
): RpcRollupReceiptFields & { readonly blobGasUsed?: Hex } {
  const { rules } = view
  const { rollup } = rules
  const first = attributesTransaction(view)
  if (rollup === undefined || first === undefined) return {}
  const fees = rollup.stack.feesFromAttributes(rules, first.input)
  const cost = rollup.stack.l1Cost(rules, fees, transaction.raw)
  const { deposit } = receipt
  const hasOperatorFee = fees.operatorFeeScalar !== 0n || fees.operatorFeeConstant !== 0n
  return {
    ...(deposit && { depositNonce: toQuantity(deposit.nonce) }),
    ...(deposit?.version && { depositReceiptVersion: toQuantity(deposit.version) }),
    l1GasPrice: toQuantity(fees.l1BaseFee),
    l1GasUsed: toQuantity(cost.gasUsed),
    l1Fee: toQuantity(cost.fee),
    ...(fees.isBeforeEcotone
      ? { l1FeeScalar: millionths(fees.scalar) }
      : {
          l1BaseFeeScalar: toQuantity(fees.baseFeeScalar),
          l1BlobBaseFee: toQuantity(fees.l1BlobBaseFee),
          l1BlobBaseFeeScalar: toQuantity(fees.blobBaseFeeScalar),
        }),
    ...(hasOperatorFee && {
      operatorFeeScalar: toQuantity(fees.operatorFeeScalar),
      operatorFeeConstant: toQuantity(fees.operatorFeeConstant),
    }),
    ...(rollup.changes.metersFootprint && {
      daFootprintGasScalar: toQuantity(fees.daFootprintGasScalar),
      blobGasUsed: toQuantity(receipt.blobGasUsed),
    }),
  }
}

/** A number of millionths in decimal. */
function millionths(value: bigint): string {
  const digits = value.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}
