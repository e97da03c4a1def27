// The option `accounts`: who is funded in the first block, and whom the emulator signs for.

import { type Hex, isHexBytes } from '../../primitives/hex.ts'
import type { Amount } from './checks.ts'
import { asAmount, asInteger, asObject, refuse } from './checks.ts'
import { DEFAULT_ACCOUNT_COUNT, DEFAULT_MNEMONIC } from './test-accounts.ts'

/** An account by its key, as in Hardhat's configuration. */
export interface AccountOptions {
  /** 32 bytes of hex. */
  readonly privateKey: Hex
  /** Wei. Default 10,000 ether. */
  readonly balance?: Amount
}

/** Funded accounts that the emulator signs for. */
export type AccountsOptions =
  | { readonly mnemonic?: string; readonly count?: number; readonly balance?: Amount }
  | { readonly privateKeys: readonly Hex[]; readonly balance?: Amount }
  | readonly AccountOptions[]

const ACCOUNT_BALANCE = 10_000n * 10n ** 18n
const MAX_ACCOUNTS = 10_000

/** A key with what its account has, and the option that it comes from. */
interface ResolvedKey {
  readonly option: string
  readonly privateKey: Hex
  readonly balance: bigint
}

/** Keys, or a mnemonic to derive them from. */
export type ResolvedAccounts =
  | { readonly keys: readonly ResolvedKey[] }
  | { readonly mnemonic: string; readonly count: number; readonly balance: bigint }

/** A private key is never repeated in a message. */
function asPrivateKey(option: string, value: unknown): Hex {
  if (!isHexBytes(value, 32)) refuse(option, '32 bytes of hex with 0x prefix', 'something else')
  return value
}

function resolveAccount(value: unknown, index: number): ResolvedKey {
  const path = `accounts[${index}]`
  const account = asObject<AccountOptions>(path, value, ['privateKey', 'balance'])
  const option = `${path}.privateKey`
  return {
    option,
    privateKey: asPrivateKey(option, account.privateKey),
    balance: asAmount(`${path}.balance`, account.balance, ACCOUNT_BALANCE),
  }
}

export function resolveAccounts(value: unknown = {}): ResolvedAccounts {
  if (Array.isArray(value)) return { keys: value.map(resolveAccount) }
  const known = ['mnemonic', 'count', 'privateKeys', 'balance'] as const
  type Loose = { [Key in (typeof known)[number]]?: unknown }
  const accounts = asObject<Loose>('accounts', value, known)
  const balance = asAmount('accounts.balance', accounts.balance, ACCOUNT_BALANCE)
  const { privateKeys, mnemonic = DEFAULT_MNEMONIC } = accounts
  if (privateKeys === undefined) {
    if (typeof mnemonic !== 'string') refuse('accounts.mnemonic', 'a BIP-39 mnemonic', mnemonic)
    const count = asInteger('accounts.count', accounts.count, DEFAULT_ACCOUNT_COUNT, 0, MAX_ACCOUNTS)
    return { mnemonic, count, balance }
  }
  if (accounts.mnemonic !== undefined || accounts.count !== undefined) {
    refuse('accounts', 'either mnemonic and count or privateKeys', accounts)
  }
  if (!Array.isArray(privateKeys)) refuse('accounts.privateKeys', 'an array of private keys', privateKeys)
  const keys = privateKeys.map((key, index) => ({
    option: 'accounts.privateKeys',
    privateKey: asPrivateKey(`accounts.privateKeys[${index}]`, key),
    balance,
  }))
  return { keys }
}
