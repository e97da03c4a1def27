// Accounts and options of a simulated chain, from its seed.

import { privateKeyToAccount } from 'viem/accounts'
import type { Address, Hex } from '../../src/core/primitives/hex.ts'
import type { EmulatorOptions } from '../../src/index.ts'
import {
  Counter,
  Environment,
  Lifecycle,
  Logger,
  Recoverer,
  Reverter,
  Token,
} from '../contracts/generated.ts'
import { isRollup, rollupOf } from './rollup-world.ts'

export const CHAIN_ID = 4242

export const keys = ['11', '22', '33', '44', '55'].map((byte): Hex => `0x${byte.repeat(32)}`)
export const owners = keys.map((key) => privateKeyToAccount(key))
export const senders = owners.map((owner) => owner.address.toLowerCase() as Address)
/** Can pay only for a few transactions. */
export const poor = senders[4]!
/** Beneficiary of contracts that destroy themselves. */
export const sink: Address = `0x${'5c'.repeat(20)}`
export const strangers = ['71', '72', '73'].map((byte): Address => `0x${byte.repeat(20)}`)

const contractAt = (byte: string): Address => `0x${'c0'.repeat(19)}${byte}`
export const counter = contractAt('01')
export const logger = contractAt('02')
export const lifecycle = contractAt('03')
export const reverter = contractAt('04')
export const environment = contractAt('05')
export const recoverer = contractAt('06')
export const token = contractAt('07')

const ETHER = String(10n ** 18n)

/** Block time and partial block time: with and without a remainder, below a second, and longer than the block time. */
const periods = [
  [2000, 200],
  [1000, 300],
  [500, 100],
  [200, 200],
  [1500, 400],
  [300, 700],
  [900, 250],
] as const

/** Whether the commands of this chain include all controls. */
export function isControlled(seed: number): boolean {
  return seed % 4 === 1 || seed % 4 === 2
}

/** Whether the commands of this chain include schedulers and delays. */
export function isUnruly(seed: number): boolean {
  return seed % 2 === 1
}

/** The chain that belongs to a seed: neighbouring seeds go through modes, orderings and periods. */
export function optionsOf(seed: number): EmulatorOptions {
  const rollup = isRollup(seed) ? rollupOf(seed) : undefined
  // Denim's blocks have a time of their own.
  const [blockTimeMs, partialBlockTimeMs] =
    rollup?.fork === 'denim' ? [200, 200] : periods[seed % periods.length]!
  return {
    chainId: CHAIN_ID,
    seed,
    // anvil lets a block have its parent's timestamp, and its automining ends interval mining.
    flavor: isControlled(seed) ? (['ganache', 'hardhat', 'anvil'] as const)[(seed >> 2) % 3]! : 'ganache',
    ...(rollup !== undefined
      ? { rollup }
      : {
          hardfork: (['prague', 'prague', 'osaka', 'prague', 'cancun', 'london'] as const)[(seed >> 1) % 6]!,
        }),
    production: (['interval', 'auto', 'manual'] as const)[seed % 3]!,
    // The model compares `pending` with partial blocks, so it is shown alike in all flavors.
    pendingContents: 'preconfirmed',
    pendingIdentity: 'partial',
    ordering: (['fees', 'fifo'] as const)[(seed >> 2) % 2]!,
    blockTimeMs,
    partialBlockTimeMs,
    accounts: { privateKeys: keys, balance: '1000000000000000000000' },
    genesis: {
      // A rollup's has to hold the deposits of an L1 block.
      gasLimit: rollup !== undefined ? 21_000_000 : seed % 5 === 0 ? 6_000_000 : 1_500_000,
      alloc: {
        [poor]: { balance: '5000000000000000' },
        [counter]: { code: Counter.deployedBytecode, nonce: 1 },
        [logger]: { code: Logger.deployedBytecode, nonce: 1 },
        [lifecycle]: { code: Lifecycle.deployedBytecode, nonce: 1, balance: ETHER },
        [strangers[0]!]: { balance: ETHER },
        [strangers[1]!]: { balance: ETHER },
        [reverter]: { code: Reverter.deployedBytecode, nonce: 1 },
        [environment]: { code: Environment.deployedBytecode, nonce: 1 },
        [recoverer]: { code: Recoverer.deployedBytecode, nonce: 1 },
        [token]: { code: Token.deployedBytecode, nonce: 1 },
      },
    },
  }
}
