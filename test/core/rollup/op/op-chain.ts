// A plain chain with the genesis accounts of an OP-stack chain, and calls to their contracts with viem's ABI coder.

import {
  type AbiFunction,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  pad,
  parseAbiItem,
  toHex,
} from 'viem'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { bytesToHex } from '../../../../src/core/primitives/hex.ts'
import type { HardforkName } from '../../../../src/core/rollup/hardforks.ts'
import { OP_FORK_ROWS, type OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { type OpGenesis, opGenesisAccounts } from '../../../../src/core/rollup/op/genesis-l2.ts'
import { opRules as rulesUnder } from '../../../../src/core/rollup/op/stack.ts'
import { makeRules, type Rules } from '../../../../src/core/rollup/rules.ts'
import { createEmulator, type Emulator } from '../../../../src/index.ts'

export const CHAIN_ID = 901
export const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
export const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

export function opRules(fork: OpFork): Rules {
  const rollup = rulesUnder(fork, { denominator: 250n, elasticity: 6n })
  return makeRules(CHAIN_ID, OP_FORK_ROWS[fork].hardfork, { rollup })
}

/** The chain, with every transaction in a block of its own; `next` is a later fork whose EVM it has. */
export async function opChain(
  fork: OpFork,
  settings: Omit<OpGenesis, 'rules'> = {},
  next = fork,
): Promise<Emulator> {
  await loadCrypto()
  const accounts = opGenesisAccounts({ rules: opRules(fork), ...settings })
  const alloc = Object.fromEntries(
    accounts.map(([address, { nonce, balance, code, storage }]) => {
      const slots = [...storage.entries()].map(([slot, value]) => [slot, pad(toHex(value), { size: 32 })])
      return [address, { nonce, balance, code: bytesToHex(code.bytes), storage: Object.fromEntries(slots) }]
    }),
  )
  const hardfork = OP_FORK_ROWS[next].hardfork as HardforkName
  return createEmulator({ chainId: CHAIN_ID, hardfork, production: 'auto', genesis: { alloc } })
}

function functionOf(signature: string): AbiFunction {
  return parseAbiItem(`function ${signature}`) as AbiFunction
}

export function encodeCall(signature: string, ...args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: [functionOf(signature)], args })
}

/** The result of a view, such as `read(chain, token, 'decimals() view returns (uint8)')`. */
export async function read(
  chain: Emulator,
  to: Hex,
  signature: string,
  ...args: unknown[]
): Promise<unknown> {
  const data = await chain.request({
    method: 'eth_call',
    params: [{ to, data: encodeCall(signature, ...args) }],
  })
  return decodeFunctionResult({ abi: [functionOf(signature)], data })
}

export interface Sent {
  readonly from?: Hex
  readonly to?: Hex
  readonly data?: Hex
  readonly value?: bigint
  readonly gas?: bigint
}

interface Receipt {
  readonly status: Hex
  readonly contractAddress: Hex | null
  readonly logs: readonly { readonly address: Hex; readonly topics: [Hex, ...Hex[]]; readonly data: Hex }[]
}

/** Sends a transaction from an account whose key is not needed, and gives its receipt. */
export async function send(
  chain: Emulator,
  { from = ALICE, value = 0n, gas = 5_000_000n, ...rest }: Sent,
): Promise<Receipt> {
  await chain.impersonate(from)
  await chain.setBalance(from, 10n ** 20n)
  const transaction = { from, value: toHex(value), gas: toHex(gas), ...rest }
  const hash = await chain.request({ method: 'eth_sendTransaction', params: [transaction] })
  return (await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })) as unknown as Receipt
}
