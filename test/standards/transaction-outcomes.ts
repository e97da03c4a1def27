// What this library and @ethereumjs/tx say of the same bytes: the transaction with its hash and sender, or a refusal.

import type { Common } from '@ethereumjs/common'
import {
  type Blob4844Tx,
  createBlob4844TxFromSerializedNetworkWrapper,
  createTxFromRLP,
  type TypedTransaction,
} from '@ethereumjs/tx'
import { fromRlp, type Hex, toHex } from 'viem'
import { maximumCost, type Transaction } from '../../src/core/execution/transaction/transaction.ts'
import { checkValidity } from '../../src/core/execution/transaction/validity.ts'
import { checkBlobs } from '../../src/core/pool/admit.ts'
import { decodeTransaction } from '../../src/core/pool/decode.ts'
import { TickchainError } from '../../src/core/primitives/errors.ts'
import type { Rules } from '../../src/core/rollup/rules.ts'

/** The fields on which both must agree. */
export interface Taken {
  readonly type: number
  readonly hash: Hex
  readonly sender: Hex
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly to: Hex | undefined
  readonly value: bigint
  readonly input: Hex
  readonly fees: readonly bigint[]
  readonly accessList: unknown
  readonly authorizationList: unknown
  readonly blobVersionedHashes: readonly Hex[]
  readonly signature: readonly bigint[]
}

/** A transaction that was taken, or why it was refused. */
export type Verdict = { readonly taken: Taken } | { readonly refused: string }

/** The rules of a block without a limit of its own. */
const LIMITS = {
  transactionBytes: Number.POSITIVE_INFINITY,
  blockGasLimit: 2n ** 64n - 1n,
  minimumTip: 0n,
  allowUnlimitedContractSize: false,
}

function toTaken(it: Transaction): Taken {
  const { type, hash, sender, nonce, gasLimit, to, value } = it
  return {
    ...{ type, hash, sender, nonce, gasLimit, to, value },
    input: toHex(it.input),
    fees: [it.maxFeePerGas, it.maxPriorityFeePerGas, it.maxFeePerBlobGas],
    accessList: it.accessList.map(({ address, storageKeys }) => [address, storageKeys]),
    authorizationList: it.authorizationList.map((each) => [
      each.chainId,
      each.address,
      ...[each.nonce, each.yParity, each.r, each.s],
    ]),
    blobVersionedHashes: it.blobVersionedHashes,
    signature: [BigInt(it.yParity), it.r, it.s],
  }
}

/** What this library says of a transaction. */
export function ownVerdict(rules: Rules, bytes: Uint8Array): Verdict {
  try {
    const transaction = decodeTransaction(bytes)
    checkValidity(rules, LIMITS, transaction)
    if (transaction.sidecar !== undefined) checkBlobs(rules, transaction)
    // @ethereumjs/tx refuses it at once. Here no balance can pay for it.
    const { gasLimit, maxFeePerGas } = transaction
    if (gasLimit * maxFeePerGas >= 2n ** 256n) return { refused: `no balance is ${maximumCost(transaction)}` }
    return { taken: toTaken(transaction) }
  } catch (error) {
    if (error instanceof TickchainError) return { refused: error.message }
    throw error
  }
}

/** Whether a blob transaction carries its blobs: its first item is a list. */
export function isNetworkForm(bytes: Uint8Array): boolean {
  if (bytes[0] !== 3) return false
  try {
    return Array.isArray(fromRlp(bytes.subarray(1), 'hex')[0])
  } catch {
    return false
  }
}

function parityOf({ type, v = 0n }: TypedTransaction): bigint {
  if (type !== 0) return v
  return v < 35n ? v - 27n : (v - 35n) % 2n
}

function fromReference(tx: TypedTransaction): Taken {
  const blob = tx.type === 3 ? (tx as Blob4844Tx) : undefined
  const accessList = 'accessList' in tx ? tx.accessList : []
  const authorizationList = 'authorizationList' in tx ? tx.authorizationList : []
  const integer = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(toHex(bytes)))
  const fees = 'gasPrice' in tx ? [tx.gasPrice, tx.gasPrice] : [tx.maxFeePerGas, tx.maxPriorityFeePerGas]
  const { type, nonce, gasLimit, value } = tx
  return {
    ...{ type, nonce, gasLimit, value },
    hash: toHex(tx.hash()),
    sender: toHex(tx.getSenderAddress().bytes),
    to: tx.to === undefined ? undefined : toHex(tx.to.bytes),
    input: toHex(tx.data),
    fees: [...fees, blob?.maxFeePerBlobGas ?? 0n],
    accessList: accessList.map(([address, keys]) => [toHex(address), keys.map((key) => toHex(key))]),
    authorizationList: authorizationList.map(([chainId, address, ...rest]) => [
      integer(chainId),
      toHex(address),
      ...rest.map(integer),
    ]),
    blobVersionedHashes: blob?.blobVersionedHashes ?? [],
    signature: [parityOf(tx), tx.r ?? 0n, tx.s ?? 0n],
  }
}

/** What @ethereumjs/tx says of a transaction: its errors are all of one class, so a refusal is any error. */
export function referenceVerdict(common: Common, bytes: Uint8Array): Verdict {
  try {
    const tx = isNetworkForm(bytes)
      ? createBlob4844TxFromSerializedNetworkWrapper(bytes, { common })
      : createTxFromRLP(bytes, { common })
    if (!tx.isSigned()) return { refused: 'not signed' }
    const errors = tx.getValidationErrors()
    return errors.length > 0 ? { refused: errors.join(', ') } : { taken: fromReference(tx) }
  } catch (error) {
    return { refused: (error as Error).message }
  }
}
