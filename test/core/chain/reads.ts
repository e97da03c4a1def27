// JSON-RPC reads for tests, in the shapes that they compare.

import { type Hex, hexToBigInt, hexToNumber } from 'viem'
import type { Emulator } from '../../../src/index.ts'
import type { DumpedAccount, RpcBlock, RpcReceipt, RpcTransaction } from './recompute.ts'

export type Selector = number | 'latest' | 'pending'

/** A block with its transactions in full. */
export async function readBlock(chain: Emulator, selector: Selector): Promise<RpcBlock> {
  const block = await chain.request({ method: 'eth_getBlockByNumber', params: [selector, true] })
  if (block === null) throw new Error(`no block ${selector}`)
  return block as RpcBlock
}

/** All sealed blocks, from genesis on. */
export async function readChain(chain: Emulator): Promise<RpcBlock[]> {
  const head = hexToNumber(await chain.request({ method: 'eth_blockNumber' }))
  return Promise.all(Array.from({ length: head + 1 }, (_, number) => readBlock(chain, number)))
}

export async function readReceipts(chain: Emulator, selector: Selector): Promise<readonly RpcReceipt[]> {
  return (await chain.request({ method: 'eth_getBlockReceipts', params: [selector] })) ?? []
}

export function transactionsOf(block: RpcBlock): readonly RpcTransaction[] {
  return block.transactions as readonly RpcTransaction[]
}

/** Slots of a contract with their values. */
export async function readStorage(
  chain: Emulator,
  address: Hex,
  slots: readonly Hex[],
  selector: Selector,
): Promise<[Hex, Hex][]> {
  return Promise.all(
    slots.map(async (slot): Promise<[Hex, Hex]> => {
      const value = await chain.request({ method: 'eth_getStorageAt', params: [address, slot, selector] })
      return [slot, value]
    }),
  )
}

/** An account from single reads and a proof; absent if it is empty (EIP-161). */
export async function dumpAccount(
  chain: Emulator,
  address: Hex,
  selector: Selector,
): Promise<DumpedAccount | undefined> {
  const params = [address, selector] as const
  const [nonce, balance, code, proof] = await Promise.all([
    chain.request({ method: 'eth_getTransactionCount', params }),
    chain.request({ method: 'eth_getBalance', params }),
    chain.request({ method: 'eth_getCode', params }),
    chain.request({ method: 'eth_getProof', params: [address, [], selector] }),
  ])
  const isEmpty = hexToBigInt(nonce) === 0n && hexToBigInt(balance) === 0n && code === '0x'
  return isEmpty ? undefined : { address, nonce, balance, code, storageHash: proof.storageHash }
}

export async function dumpAccounts(
  chain: Emulator,
  addresses: readonly Hex[],
  selector: Selector,
): Promise<DumpedAccount[]> {
  const dumped = await Promise.all(addresses.map((address) => dumpAccount(chain, address, selector)))
  return dumped.filter((account) => account !== undefined)
}
