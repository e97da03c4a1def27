// Header commitments recomputed from JSON-RPC data by viem, @ethereumjs/mpt and a bloom filter after the yellow
// paper. Must not call the code under test.

import { createMPT } from '@ethereumjs/mpt'
import {
  concat,
  fromRlp,
  type Hex,
  hexToBigInt,
  hexToBytes,
  hexToNumber,
  keccak256,
  numberToHex,
  pad,
  serializeTransaction,
  toHex,
  toRlp,
  trim,
} from 'viem'
import { serializeTransaction as serializeOpStack } from 'viem/op-stack'
import type { RpcBlock as ShownBlock } from '../../../src/core/rpc/format/block.ts'
import type { RpcReceipt } from '../../../src/core/rpc/format/receipt.ts'
import type { RpcTransaction } from '../../../src/core/rpc/format/transaction.ts'

export type { RpcReceipt, RpcTransaction }
/** A block that has a number and a hash, sealed or not. */
export type RpcBlock = ShownBlock & { readonly number: Hex; readonly hash: Hex }

type RlpItems = Parameters<typeof toRlp>[0]

/** A JSON-RPC quantity as an RLP integer: no leading zeros, and empty for zero. */
function integer(quantity: Hex): Hex {
  return hexToBigInt(quantity) === 0n ? '0x' : (trim(quantity) as Hex)
}

const TYPES = { '0x0': 'legacy', '0x1': 'eip2930', '0x2': 'eip1559' } as const

/** EIP-7702, field by field: libraries refuse some numbers that an authorization may contain. */
function encodeSetCode(tx: RpcTransaction): Hex {
  const accessList = (tx.accessList ?? []).map(({ address, storageKeys }) => [address, [...storageKeys]])
  const authorizationList = (tx.authorizationList ?? []).map(
    ({ chainId, address, nonce, yParity, r, s }): Hex[] => [
      integer(chainId),
      address,
      ...[nonce, yParity, r, s].map(integer),
    ],
  )
  const [tip, feeCap] = [tx.maxPriorityFeePerGas, tx.maxFeePerGas].map((fee) => integer(fee as Hex))
  const payload = [
    integer(tx.chainId as Hex),
    integer(tx.nonce),
    tip,
    feeCap,
    integer(tx.gas),
    tx.to,
    integer(tx.value),
    tx.input,
    accessList,
    authorizationList,
    ...[tx.yParity as Hex, tx.r, tx.s].map(integer),
  ]
  return concat(['0x04', toRlp(payload as RlpItems)])
}

/** What JSON-RPC says of deposits beyond other transactions and receipts. */
interface DepositFields {
  readonly sourceHash?: Hex
  readonly mint?: Hex
  readonly isSystemTx?: boolean
  readonly depositNonce?: Hex
  readonly depositReceiptVersion?: Hex
}

/** A deposit of the OP stack. */
function encodeDeposit(tx: RpcTransaction & DepositFields): Hex {
  return serializeOpStack({
    type: 'deposit',
    sourceHash: tx.sourceHash as Hex,
    from: tx.from,
    ...(tx.to === null || tx.to === undefined ? {} : { to: tx.to }),
    mint: hexToBigInt(tx.mint ?? '0x0'),
    value: hexToBigInt(tx.value),
    gas: hexToBigInt(tx.gas),
    isSystemTx: tx.isSystemTx ?? false,
    data: tx.input,
  })
}

/** The EIP-2718 bytes of a JSON-RPC transaction. */
export function encodeTransaction(tx: RpcTransaction): Hex {
  if (tx.type === '0x4') return encodeSetCode(tx)
  if (tx.type === '0x7e') return encodeDeposit(tx)
  const type = TYPES[tx.type as keyof typeof TYPES]
  const fields = {
    type,
    nonce: hexToNumber(tx.nonce),
    gas: hexToBigInt(tx.gas),
    value: hexToBigInt(tx.value),
    data: tx.input,
    ...(tx.to === null ? {} : { to: tx.to }),
    ...(tx.chainId === undefined ? {} : { chainId: hexToNumber(tx.chainId) }),
    ...(tx.accessList === undefined ? {} : { accessList: tx.accessList }),
    ...(tx.maxFeePerGas === undefined || tx.maxPriorityFeePerGas === undefined
      ? { gasPrice: hexToBigInt(tx.gasPrice) }
      : {
          maxFeePerGas: hexToBigInt(tx.maxFeePerGas),
          maxPriorityFeePerGas: hexToBigInt(tx.maxPriorityFeePerGas),
        }),
  } as Parameters<typeof serializeTransaction>[0]
  const [r, s] = [pad(tx.r, { size: 32 }), pad(tx.s, { size: 32 })]
  const signature =
    tx.yParity === undefined
      ? { r, s, v: hexToBigInt(tx.v) }
      : { r, s, yParity: hexToNumber(tx.yParity) as 0 | 1 }
  return serializeTransaction(fields, signature as Parameters<typeof serializeTransaction>[1])
}

/**
 * The EIP-2718 bytes of a JSON-RPC receipt. A deposit's has two fields more from canyon on:
 * https://specs.optimism.io/protocol/deposits.html#deposit-receipt
 */
export function encodeReceipt(receipt: RpcReceipt & DepositFields): Hex {
  const { depositNonce, depositReceiptVersion } = receipt
  const payload = toRlp([
    integer(receipt.status),
    integer(receipt.cumulativeGasUsed),
    receipt.logsBloom,
    receipt.logs.map(({ address, topics, data }) => [address, [...topics], data]),
    ...(depositReceiptVersion === undefined ? [] : [depositNonce as Hex, depositReceiptVersion].map(integer)),
  ])
  return receipt.type === '0x0' ? payload : concat([pad(receipt.type, { size: 1 }), payload])
}

/** The root of a list: a trie with the RLP of each index as its key. */
export async function rootOfList(items: readonly Hex[]): Promise<Hex> {
  const trie = await createMPT()
  for (const [index, item] of items.entries()) {
    const key = toRlp(index === 0 ? '0x' : numberToHex(index))
    await trie.put(hexToBytes(key), hexToBytes(item))
  }
  return toHex(trie.root())
}

/** Yellow paper 4.3.1: three bits for each address and topic, from the low 11 bits of the first three pairs. */
export function bloomOf(logs: readonly { readonly address: Hex; readonly topics: readonly Hex[] }[]): Hex {
  let bloom = 0n
  for (const { address, topics } of logs) {
    for (const value of [address, ...topics]) {
      const hash = hexToBytes(keccak256(value))
      for (const at of [0, 2, 4]) {
        const bit = ((hash[at] as number) * 256 + (hash[at + 1] as number)) % 2048
        bloom |= 1n << BigInt(bit)
      }
    }
  }
  return numberToHex(bloom, { size: 256 })
}

/** The header's fields in the order of the yellow paper and of the EIPs that added to it. */
function headerItems(block: RpcBlock): Hex[] {
  const items = [
    block.parentHash,
    block.sha3Uncles,
    block.miner,
    block.stateRoot,
    block.transactionsRoot,
    block.receiptsRoot,
    block.logsBloom,
    integer(block.difficulty),
    integer(block.number),
    integer(block.gasLimit),
    integer(block.gasUsed),
    integer(block.timestamp),
    block.extraData,
    block.mixHash!,
    block.nonce!,
  ]
  // EIP-1559, 4895, 4844, 4788 and 7685.
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas } = block
  if (baseFeePerGas !== undefined) items.push(integer(baseFeePerGas))
  if (withdrawalsRoot !== undefined) items.push(withdrawalsRoot)
  if (blobGasUsed !== undefined) items.push(integer(blobGasUsed))
  if (excessBlobGas !== undefined) items.push(integer(excessBlobGas))
  if (block.parentBeaconBlockRoot !== undefined) items.push(block.parentBeaconBlockRoot)
  if (block.requestsHash !== undefined) items.push(block.requestsHash)
  return items
}

export function hashOfHeader(block: RpcBlock): Hex {
  return keccak256(toRlp(headerItems(block)))
}

/** The length of the RLP of a block that was read with full transactions. */
export function sizeOfBlock(block: RpcBlock): number {
  const transactions = (block.transactions as readonly RpcTransaction[]).map((tx): RlpItems => {
    const encoded = encodeTransaction(tx)
    return tx.type === '0x0' ? fromRlp(encoded, 'hex') : encoded
  })
  const withdrawals: RlpItems[] = block.withdrawals === undefined ? [] : [[]]
  const encoded = toRlp([headerItems(block), transactions, [], ...withdrawals] as RlpItems)
  return (encoded.length - 2) / 2
}

/** The root of a storage trie (yellow paper, 4.1): keccak of the slot to the RLP of the value. */
export async function rootOfStorage(storage: readonly (readonly [Hex, Hex])[]): Promise<Hex> {
  const trie = await createMPT({ useKeyHashing: true })
  for (const [slot, value] of storage) {
    if (hexToBigInt(value) === 0n) continue
    await trie.put(hexToBytes(pad(slot, { size: 32 })), hexToBytes(toRlp(trim(value) as Hex)))
  }
  return toHex(trie.root())
}

export interface DumpedAccount {
  readonly address: Hex
  readonly nonce: Hex
  readonly balance: Hex
  readonly code: Hex
  readonly storageHash: Hex
}

/** The RLP of an account in the state trie. */
export function encodeAccount({ nonce, balance, code, storageHash }: DumpedAccount): Hex {
  return toRlp([integer(nonce), integer(balance), storageHash, keccak256(code)])
}

/** The root of the state trie over all accounts. */
export async function rootOfAccounts(accounts: readonly DumpedAccount[]): Promise<Hex> {
  const trie = await createMPT({ useKeyHashing: true })
  for (const account of accounts) {
    await trie.put(hexToBytes(account.address), hexToBytes(encodeAccount(account)))
  }
  return toHex(trie.root())
}
