// Set-up of the specification tests: a chain with a Counter in its genesis, viem wallets, and JSON-RPC requests.
// Expected amounts are calculated here by hand.

import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { encodeFunctionData, type Hex, keccak256, numberToHex, pad, toBytes } from 'viem'
import { Counter } from '../contracts/generated.ts'
import { makeWallets, privateKeys, type Wallet, type Wallets } from '../core/chain/wallet.ts'

export const ETHER = 10n ** 18n
export const GWEI = 10n ** 9n

/** 2024-01-01T00:00:00Z, where the virtual clock starts. */
export const GENESIS_TIMESTAMP = 1_704_067_200

/** The initial balance of a wallet. */
export const INITIAL_BALANCE = 10_000n * ETHER

/** EIP-1559: genesis has a base fee of 1 gwei and is empty, so block 1 pays 7/8 of that. */
export const BASE_FEE_1 = 875_000_000n

/** A wallet's transfer tips 1 gwei under a cap of 10 gwei, and a transfer takes 21,000 gas. */
export const TRANSFER_PRICE_1 = BASE_FEE_1 + GWEI
export const TRANSFER_FEE_1 = 21_000n * TRANSFER_PRICE_1

/** The address of the Counter in genesis. */
export const COUNTER: Hex = `0x${'c0'.repeat(20)}`

/** Topic 0 is the keccak256 hash of the event signature. */
export const INCREMENTED = keccak256(toBytes('Incremented(address,uint256)'))

/** A number as an ABI word. */
export function word(value: number | bigint): Hex {
  return numberToHex(value, { size: 32 })
}

/** An address as a topic. */
export function addressTopic(address: Hex): Hex {
  return pad(address, { size: 32 })
}

export interface Scene {
  readonly chain: Emulator
  readonly wallets: Wallets
}

export async function start(options: EmulatorOptions = {}): Promise<Scene> {
  const chain = await createEmulator({
    accounts: { privateKeys, balance: INITIAL_BALANCE },
    genesis: { alloc: { [COUNTER]: { nonce: 1, code: Counter.deployedBytecode } } },
    ...options,
  })
  return { chain, wallets: makeWallets(chain) }
}

/** Submits a call of the Counter, which emits Incremented with the new count; returns the hash. */
export function increment(wallet: Wallet): Promise<Hex> {
  const data = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' })
  return wallet.send({ to: COUNTER, data, gas: 100_000n })
}

export function rpcRequest(method: string, params: readonly unknown[] = [], id: number | string = 1) {
  return { jsonrpc: '2.0', id, method, params }
}

/** A parsed answer. */
export interface WireAnswer {
  readonly jsonrpc: string
  readonly id: number | string | null
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string }
}

/** Sends a body as text and parses the answer; `undefined` if there is none. */
export async function post(chain: Emulator, body: unknown): Promise<unknown> {
  const text = await chain.handle(typeof body === 'string' ? body : JSON.stringify(body))
  return text === '' ? undefined : JSON.parse(text)
}

/** Sends one request in an envelope. */
export async function ask(
  chain: Emulator,
  method: string,
  params: readonly unknown[] = [],
): Promise<WireAnswer> {
  return (await post(chain, rpcRequest(method, params))) as WireAnswer
}

/** The result of one request in an envelope; an error fails the test with its message. */
export async function resultOf<Result = unknown>(
  chain: Emulator,
  method: string,
  params: readonly unknown[] = [],
): Promise<Result> {
  const { error, result } = await ask(chain, method, params)
  if (error !== undefined) throw new Error(`${method}: ${error.code} ${error.message}`)
  return result as Result
}
