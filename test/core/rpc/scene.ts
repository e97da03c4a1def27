// Set-up of method tests: a chain with its default accounts, two viem wallets, and requests.
import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { type Hex, parseGwei, type TransactionSerializable, type TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** The first two accounts of the "test … junk" mnemonic. */
export const alice = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const bob = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

export const ALICE = alice.address.toLowerCase() as Hex
export const BOB = bob.address.toLowerCase() as Hex

/** The fees of `transfer`: a tip of 1 gwei under a cap of 10. */
export const transferFees = {
  chainId: 31_337,
  type: 'eip1559',
  gas: 21_000n,
  maxFeePerGas: parseGwei('10'),
  maxPriorityFeePerGas: parseGwei('1'),
} as const

export interface Scene {
  readonly chain: Emulator
  /** Sends a request; its result is untyped. */
  readonly ask: <Result = unknown>(method: string, ...params: unknown[]) => Promise<Result>
  /** Signs with an account and submits; returns the hash. */
  readonly send: (signer: typeof alice, transaction: TransactionSerializable) => Promise<Hex>
}

export async function startScene(options: EmulatorOptions = {}): Promise<Scene> {
  const chain = await createEmulator(options)
  const ask = async <Result>(method: string, ...params: unknown[]): Promise<Result> =>
    (await chain.request(method, params)) as Result
  return {
    chain,
    ask,
    send: async (signer, transaction) =>
      ask('eth_sendRawTransaction', await signer.signTransaction(transaction)),
  }
}

/** A transfer of 1 wei. */
export function transfer(
  to: Hex,
  nonce: number,
): TransactionSerializableEIP1559 & { readonly type: 'eip1559' } {
  return { ...transferFees, to, nonce, value: 1n }
}
