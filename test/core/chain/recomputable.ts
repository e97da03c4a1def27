// The commitments of blocks with deposits, recomputed by viem's serializers of the OP stack and the trie of @ethereumjs.

import { type Hex, keccak256 } from 'viem'
import { expect } from 'vitest'
import {
  encodeReceipt,
  encodeTransaction,
  hashOfHeader,
  type RpcBlock,
  type RpcReceipt,
  type RpcTransaction,
  rootOfList,
} from './recompute.ts'

/** Expects of all blocks that their transactions, receipts and header have the hashes that JSON-RPC says. */
export async function expectRecomputable(
  request: (method: string, params?: readonly unknown[]) => Promise<unknown>,
): Promise<{ blocks: number; deposits: number }> {
  const head = Number(await request('eth_blockNumber'))
  let deposits = 0
  for (let number = 1; number <= head; number++) {
    const tag: Hex = `0x${number.toString(16)}`
    const block = (await request('eth_getBlockByNumber', [tag, true])) as RpcBlock
    const receipts = (await request('eth_getBlockReceipts', [tag])) as RpcReceipt[]
    const transactions = block.transactions as readonly RpcTransaction[]
    const encoded = transactions.map(encodeTransaction)
    expect(encoded.map((each) => keccak256(each))).toEqual(transactions.map(({ hash }) => hash))
    const { transactionsRoot, receiptsRoot, hash } = block
    expect(await rootOfList(encoded)).toBe(transactionsRoot)
    expect(await rootOfList(receipts.map(encodeReceipt))).toBe(receiptsRoot)
    expect(hashOfHeader(block)).toBe(hash)
    deposits += transactions.filter(({ type }) => type === '0x7e').length
  }
  return { blocks: head, deposits }
}
