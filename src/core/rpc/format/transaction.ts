// JSON-RPC transactions; the fields depend on the type.

import type { Authorization } from '../../execution/transaction/transaction.ts'
import * as transactions from '../../execution/transaction/transaction.ts'
import { signatureV } from '../../pool/payload.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Flavor } from '../flavor/flavor.ts'
import { depositFields, millisField, type PresentedBlock, type RpcDepositFields } from './receipt.ts'

/**
 * An authorization of EIP-7702 as JSON.
 * @public Declarations of other files name it.
 */
export interface RpcAuthorization {
  readonly chainId: Hex
  readonly address: Address
  readonly nonce: Hex
  readonly yParity: Hex
  readonly r: Hex
  readonly s: Hex
}

export interface RpcTransaction extends Partial<RpcDepositFields> {
  readonly hash: Hash
  readonly type: Hex
  readonly from: Address
  /** Null for a contract creation; absent for one by a deposit. */
  readonly to: Address | null
  readonly nonce: Hex
  readonly value: Hex
  readonly input: Hex
  readonly gas: Hex
  readonly gasPrice: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly maxFeePerBlobGas?: Hex
  readonly blobVersionedHashes?: readonly Hash[]
  readonly accessList?: readonly transactions.AccessListEntry[]
  readonly authorizationList?: readonly RpcAuthorization[]
  readonly chainId?: Hex
  readonly v: Hex
  readonly r: Hex
  readonly s: Hex
  readonly yParity?: Hex
  readonly blockHash: Hash | null
  readonly blockNumber: Hex | null
  readonly blockTimestamp: Hex | null
  /** In milliseconds; only where a second has several blocks. */
  readonly blockTimestampMs?: Hex
  readonly transactionIndex: Hex | null
}

function formatAuthorization({ chainId, address, nonce, yParity, r, s }: Authorization): RpcAuthorization {
  return {
    chainId: toQuantity(chainId),
    address,
    nonce: toQuantity(nonce),
    yParity: toQuantity(yParity),
    r: toQuantity(r),
    s: toQuantity(s),
  }
}

function typeSpecificFields(transaction: transactions.Transaction): Partial<RpcTransaction> {
  const { type, chainId, yParity, accessList, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const chain = chainId === undefined ? {} : { chainId: toQuantity(chainId) }
  if (type === 0) return chain
  // A copy, because the caller may change the answer.
  const accesses = accessList.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }))
  const typed = { ...chain, accessList: accesses, yParity: toQuantity(yParity) }
  if (type === 1) return typed
  return {
    ...typed,
    maxFeePerGas: toQuantity(maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
    ...(type === 3 && {
      maxFeePerBlobGas: toQuantity(transaction.maxFeePerBlobGas),
      blobVersionedHashes: [...transaction.blobVersionedHashes],
    }),
    ...(type === 4 && { authorizationList: transaction.authorizationList.map(formatAuthorization) }),
  }
}

interface Inclusion {
  readonly block: PresentedBlock
  readonly index: number
}

const NO_PLACE = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null } as const

function placeOf(inclusion: Inclusion | undefined) {
  if (inclusion === undefined || inclusion.block.isUnmined) return NO_PLACE
  const { block, index } = inclusion
  return {
    blockHash: block.hash(),
    blockNumber: block.number,
    blockTimestamp: toQuantity(block.view.environment.timestamp),
    ...millisField(block, 'blockTimestampMs'),
    transactionIndex: toQuantity(index),
  }
}

/** Hardhat's transactions have a type since berlin, and no fields that came after the forks. */
function transactionFields<Shown extends object>(
  flavor: Flavor | undefined,
  rules: Rules,
  transaction: Shown,
): Shown {
  if (flavor !== 'hardhat') return transaction
  const { yParity, blockTimestamp, type, chainId, ...fields } = transaction as Record<string, unknown>
  return {
    ...fields,
    ...(isForkActive(rules, 'berlin') ? { type } : {}),
    ...(type === '0x0' ? {} : { chainId }),
  } as unknown as Shown
}

/** A deposit in a block, with its sender's nonce. As on Base's node, it has no `to` if it creates a contract. */
function formatDeposit(executed: transactions.ExecutedTransaction, inclusion: Inclusion): RpcTransaction {
  const { transaction, receipt } = executed
  const { to } = transaction
  const fields = {
    hash: transaction.hash,
    type: toQuantity(transaction.type),
    from: transaction.sender,
    ...(to === undefined ? {} : { to }),
    nonce: toQuantity(receipt.deposit?.nonce ?? 0n),
    value: toQuantity(transaction.value),
    input: bytesToHex(transaction.input),
    gas: toQuantity(transaction.gasLimit),
    gasPrice: '0x0',
    ...depositFields(executed),
    v: '0x0',
    r: '0x0',
    s: '0x0',
    yParity: '0x0',
    ...placeOf(inclusion),
  } as RpcTransaction
  return transactionFields(inclusion.block.flavor, inclusion.block.view.rules, fields)
}

/** A pooled transaction has no block, and its fee cap is shown as `gasPrice`. */
export function formatTransaction(transaction: transactions.Transaction, inclusion: Inclusion | undefined) {
  const executed = inclusion?.block.view.executed[inclusion.index]
  if (inclusion && executed?.transaction.deposit !== undefined) return formatDeposit(executed, inclusion)
  const gasPrice =
    inclusion === undefined
      ? transaction.maxFeePerGas
      : transactions.effectiveGasPrice(transaction, inclusion.block.view.environment.baseFeePerGas)
  const fields: RpcTransaction = {
    hash: transaction.hash,
    type: toQuantity(transaction.type),
    from: transaction.sender,
    to: transaction.to ?? null,
    nonce: toQuantity(transaction.nonce),
    value: toQuantity(transaction.value),
    input: bytesToHex(transaction.input),
    gas: toQuantity(transaction.gasLimit),
    gasPrice: toQuantity(gasPrice),
    ...typeSpecificFields(transaction),
    v: toQuantity(signatureV(transaction)),
    r: toQuantity(transaction.r),
    s: toQuantity(transaction.s),
    ...placeOf(inclusion),
  }
  return inclusion === undefined
    ? fields
    : transactionFields(inclusion.block.flavor, inclusion.block.view.rules, fields)
}

/** A transaction of the pool; `rules` are those of the block being built. */
export function formatPooled(
  { flavor }: { readonly flavor: Flavor },
  rules: Rules,
  transaction: transactions.Transaction,
): RpcTransaction {
  return transactionFields(flavor, rules, formatTransaction(transaction, undefined))
}

/** An unsigned transaction: no block, a zero signature, and `gasPrice` null from type 2 on. */
export type RpcUnsignedTransaction = Omit<
  RpcTransaction,
  'gasPrice' | 'blockHash' | 'blockNumber' | 'blockTimestamp' | 'transactionIndex'
> & { readonly gasPrice: Hex | null }

export function formatUnsignedTransaction(transaction: transactions.Transaction): RpcUnsignedTransaction {
  const shown = formatTransaction(transaction, undefined)
  const { blockHash, blockNumber, blockTimestamp, transactionIndex, ...fields } = shown
  return { ...fields, gasPrice: transaction.type < 2 ? shown.gasPrice : null, v: '0x0' }
}
