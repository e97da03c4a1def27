// Receipts and logs on the wire; number and hash that a block shows (docs/compliance.md, pending identity).

import { millisOf } from '../../chain/block/block.ts'
import type { BlockView } from '../../chain/chain.ts'
import { bloomToHex, type ExecutedTransaction, type Log } from '../../execution/transaction/transaction.ts'
import { attributesTransaction } from '../../node/rollup/origins.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity, ZERO_HASH } from '../../primitives/hex.ts'
import { isForkActive } from '../../rollup/rules.ts'
import type { Flavor } from '../flavor/flavor.ts'

/**
 * Number and hash that `pending` shows: the current number with the partial block's own hash, nulls, the current number
 * with the zero hash, as deployed nodes have it, or as Hardhat: the own hash, and null for what the block does not have
 * yet, number, nonce and mix hash. Hardhat's transactions in it have no place.
 */
export type PendingIdentity = 'partial' | 'null' | 'zero' | 'unnumbered'

export const PENDING_IDENTITIES: readonly PendingIdentity[] = ['partial', 'null', 'zero', 'unnumbered']

export interface PresentedBlock {
  readonly view: BlockView
  readonly number: Hex | null
  /** Computed on use: the hash of a partial block needs its tries. */
  readonly hash: () => Hash | null
  /** Whose fields it has; absent: anvil's. */
  readonly flavor?: Flavor
  /** True if the block shows no number, nonce and mix hash, and its transactions no place; receipts and logs do. */
  readonly isUnmined: boolean
}

/** The time of a sealed block in milliseconds, as a field of a name; none on chains whose blocks do not tell it. */
export function millisField<Name extends string>(
  { view }: PresentedBlock,
  name: Name,
): { readonly [Field in Name]?: Hex } {
  const millis = view.isPending ? undefined : millisOf(view)
  if (millis === undefined) return {}
  const field = { [name]: toQuantity(view.environment.timestamp * 1000 + millis) }
  return field as { readonly [Field in Name]: Hex }
}

export function presentAs(
  { flavor, pendingIdentity }: { readonly flavor: Flavor; readonly pendingIdentity: PendingIdentity },
  view: BlockView,
): PresentedBlock {
  const number = toQuantity(view.environment.number)
  const shown = { view, number, hash: () => view.block().hash, isUnmined: false, flavor }
  if (!view.isPending || pendingIdentity === 'partial') return shown
  if (pendingIdentity === 'null') return { ...shown, number: null, hash: () => null }
  return pendingIdentity === 'zero' ? { ...shown, hash: () => ZERO_HASH } : { ...shown, isUnmined: true }
}

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
interface RpcRollupReceiptFields {
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

function rollupReceiptFields(
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

function millionths(value: bigint): string {
  const digits = value.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}

export interface RpcLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  readonly blockHash: Hash | null
  readonly blockNumber: Hex | null
  readonly blockTimestamp: Hex
  /** In milliseconds; only where a second has several blocks. */
  readonly blockTimestampMs?: Hex
  readonly transactionHash: Hash
  readonly transactionIndex: Hex
  readonly logIndex: Hex
  readonly removed: boolean
}

export function formatLogs(
  block: PresentedBlock,
  { transaction, index, firstLogIndex }: ExecutedTransaction,
  logs: readonly Log[],
  isWanted: (log: Log) => boolean = () => true,
): RpcLog[] {
  const wanted = [...logs.entries()].filter(([, log]) => isWanted(log))
  // The hash of a partial block, which needs its tries, is not computed in vain.
  if (wanted.length === 0) return []
  const place = {
    blockHash: block.hash(),
    blockNumber: block.number,
    blockTimestamp: toQuantity(block.view.environment.timestamp),
    ...millisField(block, 'blockTimestampMs'),
    transactionHash: transaction.hash,
    transactionIndex: toQuantity(index),
  }
  return wanted.map(([position, { address, topics, data }]) => ({
    address,
    // A copy, because the caller may change the answer.
    topics: [...topics],
    data: bytesToHex(data),
    ...place,
    logIndex: toQuantity(firstLogIndex + position),
    removed: false,
  }))
}

export interface RpcReceipt extends RpcRollupReceiptFields {
  readonly type: Hex
  /** Absent if there is a root. */
  readonly status: Hex
  /** The state root after the transaction; only before byzantium. */
  readonly root?: Hash
  readonly transactionHash: Hash
  readonly transactionIndex: Hex
  readonly blockHash: Hash | null
  readonly blockNumber: Hex | null
  readonly from: Address
  readonly to: Address | null
  readonly contractAddress: Address | null
  readonly gasUsed: Hex
  readonly cumulativeGasUsed: Hex
  readonly effectiveGasPrice: Hex
  /** Only for a blob transaction, as is `blobGasPrice`; on a rollup, the DA footprint from jovian on. */
  readonly blobGasUsed?: Hex
  readonly blobGasPrice?: Hex
  readonly logs: readonly RpcLog[]
  readonly logsBloom: Hex
}

/** Hardhat's have a type since berlin, the price since london, and no contract of failed creations. */
function receiptFields<Shown extends { readonly status: Hex; readonly contractAddress: Hex | null }>(
  { flavor, view: { rules } }: PresentedBlock,
  receipt: Shown,
): Shown {
  if (flavor !== 'hardhat') return receipt
  const shown = receipt.status === '0x0' ? { ...receipt, contractAddress: null } : receipt
  if (isForkActive(rules, 'london')) return shown
  const { type, effectiveGasPrice, ...fields } = shown as Record<string, unknown>
  return { ...fields, ...(isForkActive(rules, 'berlin') ? { type } : {}) } as unknown as Shown
}

export function formatReceipt(block: PresentedBlock, executed: ExecutedTransaction): RpcReceipt {
  const { transaction, receipt } = executed
  const { postState } = receipt
  // EIP-658 replaced the state root by the status; `RpcReceipt` has the later form.
  const outcome = postState === undefined ? { status: toQuantity(receipt.status) } : { root: postState }
  return receiptFields(block, {
    type: toQuantity(transaction.type),
    ...(outcome as Pick<RpcReceipt, 'status' | 'root'>),
    transactionHash: transaction.hash,
    transactionIndex: toQuantity(executed.index),
    blockHash: block.hash(),
    blockNumber: block.number,
    from: transaction.sender,
    to: transaction.to ?? null,
    contractAddress: receipt.contractAddress ?? null,
    gasUsed: toQuantity(receipt.gasUsed),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    ...(transaction.type === 3 && {
      blobGasUsed: toQuantity(receipt.blobGasUsed),
      blobGasPrice: toQuantity(block.view.environment.blobBaseFee),
    }),
    ...rollupReceiptFields(block.view, executed),
    logs: formatLogs(block, executed, receipt.logs),
    logsBloom: bloomToHex(receipt.logsBloom),
  })
}
