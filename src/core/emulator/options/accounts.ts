// The option `accounts`: funded accounts that the emulator signs for.

import { bytesToHex, type Hex } from '../../primitives/hex.ts'
import { privateKey as privateKeyBytes } from '../../rpc/codecs/accounts.ts'
import { asFields, type Fields, fieldPath, identityCodec } from '../../rpc/codecs/basic.ts'
import { refuseValue } from '../../rpc/codecs/codec.ts'
import { type Amount, anyAmount, numberFrom } from '../../rpc/codecs/numbers.ts'
import { option } from '../checks.ts'
import type { Derivation } from './mnemonic.ts'
import { DEFAULT_DERIVATION } from './test-accounts.ts'

/** An account by its key, as in Hardhat's configuration. */
export interface AccountOptions {
  /** 32 bytes of hex. */
  readonly privateKey: Hex
  /** Wei. Default 10,000 ether. */
  readonly balance?: Amount
}

/** Accounts of a mnemonic, as in Hardhat's configuration. */
interface MnemonicOptions {
  /** BIP-39. Default 'test test test test test test test test test test test junk'. */
  readonly mnemonic?: string
  /** BIP-39. Default none. */
  readonly passphrase?: string
  /** The derivation path of the parent key (BIP-32). Default m/44'/60'/0'/0. */
  readonly path?: string
  /** The index of the first key below the path. Default 0. */
  readonly initialIndex?: number
  /** Default 10; 20 in the flavor 'hardhat'. */
  readonly count?: number
  /** Wei. Default 10,000 ether. */
  readonly balance?: Amount
}

/** Funded accounts that the emulator signs for. */
export type AccountsOptions =
  | MnemonicOptions
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
  | { readonly derivation: Derivation; readonly balance: bigint }

const mnemonicText = identityCodec('a BIP-39 mnemonic', (value) => typeof value === 'string')
const passphraseText = identityCodec('a string', (value) => typeof value === 'string')
const derivationPath = identityCodec(
  "a derivation path such as m/44'/60'/0'/0",
  (value): value is string => typeof value === 'string' && /^m(\/\d{1,10}'?)*$/.test(value),
)

/** The index of a key that is not hardened (BIP-32). */
const MAX_INDEX = 2 ** 31 - 1 - MAX_ACCOUNTS

const DERIVATION_FIELDS = ['mnemonic', 'passphrase', 'path', 'initialIndex', 'count'] as const

type DerivationFields = Fields<(typeof DERIVATION_FIELDS)[number]>

function resolveDerivation(accounts: DerivationFields, defaultCount: number): Derivation {
  const at = 'accounts'
  return {
    mnemonic: option(accounts, 'mnemonic', mnemonicText, DEFAULT_DERIVATION.mnemonic, at),
    passphrase: option(accounts, 'passphrase', passphraseText, '', at),
    path: option(accounts, 'path', derivationPath, DEFAULT_DERIVATION.path, at),
    initialIndex: option(accounts, 'initialIndex', numberFrom(0, MAX_INDEX), 0, at),
    count: option(accounts, 'count', numberFrom(0, MAX_ACCOUNTS), defaultCount, at),
  }
}

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
    ...DERIVATION_FIELDS,
    'privateKeys',
    'balance',
  ])
  const balance = option(accounts, 'balance', anyAmount, ACCOUNT_BALANCE, path)
  const { privateKeys } = accounts
  if (privateKeys === undefined) {
    return { derivation: resolveDerivation(accounts, defaultCount), balance }
  }
  if (DERIVATION_FIELDS.some((name) => accounts[name] !== undefined)) {
    refuseValue(path, 'either a mnemonic and its fields or privateKeys', accounts)
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
