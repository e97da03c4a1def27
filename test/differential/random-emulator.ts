// Random chains in an emulator.

import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { type Hex, toHex } from 'viem'
import { bytesToHex, toWord } from '../../src/core/primitives/hex.ts'
import { bytesOf, type Code } from './bytecode.ts'
import type { RandomChain } from './random-chains.ts'
import type { Genesis, Transaction } from './two-states.ts'

export const GWEI = 10n ** 9n

const hexOf = (code: Code): Hex => bytesToHex(bytesOf(code))

export function allocOf(genesis: Genesis) {
  const accounts = Object.entries(genesis).map(
    ([address, { nonce = 0n, balance = 0n, code = [], storage = {} }]) => {
      const slots = Object.entries(storage).map(([slot, value]) => [toWord(Number(slot)), toWord(value)])
      return [address, { nonce, balance, code: hexOf(code), storage: Object.fromEntries(slots) }]
    },
  )
  return Object.fromEntries(accounts)
}

/** Seals a transaction in a block of its own; returns its hash. */
export async function sealTransaction(
  chain: Emulator,
  { from, to, value = 0n, data = [], gas = 600_000n }: Transaction,
): Promise<Hex> {
  await chain.request('anvil_impersonateAccount', [from])
  const request = {
    from,
    value: toHex(value),
    input: hexOf(data),
    gas: toHex(gas),
    gasPrice: toHex(9n * GWEI),
  }
  const hash = await chain.request('eth_sendTransaction', [to === undefined ? request : { ...request, to }])
  await chain.seal()
  return hash
}

/** A chain with the random accounts. */
export function startRandom(
  { genesis }: RandomChain,
  options: Pick<EmulatorOptions, 'interpreter'> = {},
): Promise<Emulator> {
  return createEmulator({
    ...options,
    production: 'manual',
    genesis: { alloc: allocOf(genesis), baseFeePerGas: GWEI },
  })
}
