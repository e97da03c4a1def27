// The option `accounts`: funded accounts that the emulator signs for.

import { bytesToHex, type Hex } from '../../primitives/hex.ts'
import { privateKey as privateKeyBytes } from '../../rpc/codecs/accounts.ts'
import { asFields, fieldPath, identityCodec } from '../../rpc/codecs/basic.ts'
import { refuseValue } from '../../rpc/codecs/codec.ts'
import { type Amount, anyAmount, numberFrom } from '../../rpc/codecs/numbers.ts'
import { option } from '../checks.ts'
import { DEFAULT_MNEMONIC } from './test-accounts.ts'

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

/** A key with the balance of its account and the option that it comes from. */
interface ResolvedKey {
  readonly option: string
  readonly privateKey: Hex
  readonly balance: bigint
}

/** Keys, or a mnemonic to derive them from. */
export type ResolvedAccounts =
  | { readonly keys: readonly ResolvedKey[] }
  | { readonly mnemonic: string; readonly count: number; readonly balance: bigint }

const mnemonicText = identityCodec('a BIP-39 mnemonic', (value) => typeof value === 'string')

function asPrivateKey(value: unknown, path: string): Hex {
  return bytesToHex(privateKeyBytes.decode(value, path))
}

function resolveAccount(value: unknown, index: number): ResolvedKey {
  const path = `accounts[${index}]`
  const account = asFields(value, path, ['privateKey', 'balance'])
  const at = fieldPath(path, 'privateKey')
  return {
    option: at,
    privateKey: asPrivateKey(account.privateKey, at),
    balance: option(account, 'balance', anyAmount, ACCOUNT_BALANCE, path),
  }
}

/** Checks the accounts and fills in their defaults; `defaultCount` of a mnemonic. */
export function resolveAccounts(value: unknown, defaultCount: number): ResolvedAccounts {
  if (Array.isArray(value)) return { keys: Array.from(value, resolveAccount) }
  const path = 'accounts'
  const accounts = asFields(value === undefined ? {} : value, path, [
    'mnemonic',
    'count',
    'privateKeys',
    'balance',
  ])
  const balance = option(accounts, 'balance', anyAmount, ACCOUNT_BALANCE, path)
  const { privateKeys } = accounts
  if (privateKeys === undefined) {
    const mnemonic = option(accounts, 'mnemonic', mnemonicText, DEFAULT_MNEMONIC, path)
    const count = option(accounts, 'count', numberFrom(0, MAX_ACCOUNTS), defaultCount, path)
    return { mnemonic, count, balance }
  }
  if (accounts.mnemonic !== undefined || accounts.count !== undefined) {
    refuseValue(path, 'either mnemonic and count or privateKeys', accounts)
  }
  const listPath = fieldPath(path, 'privateKeys')
  if (!Array.isArray(privateKeys)) refuseValue(listPath, 'an array of private keys', privateKeys)
  const keys = Array.from(privateKeys, (key: unknown, index) => ({
    option: listPath,
    privateKey: asPrivateKey(key, `${listPath}[${index}]`),
    balance,
  }))
  return { keys }
}
