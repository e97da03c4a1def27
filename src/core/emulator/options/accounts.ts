// The option `accounts`: funded accounts that the emulator signs for.

import { bytesToHex, type Hex } from '../../primitives/hex.ts'
import { privateKey as privateKeyBytes } from '../../rpc/codecs/accounts.ts'
import { type Fields, identityCodec, text } from '../../rpc/codecs/basic.ts'
import { refuseValue } from '../../rpc/codecs/codec.ts'
import { type Amount, anyAmount, numberFrom } from '../../rpc/codecs/numbers.ts'
import { decodeFields, objectCodec, or } from '../../rpc/codecs/object.ts'
import { anything } from '../checks.ts'
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
const derivationPath = identityCodec(
  "a derivation path such as m/44'/60'/0'/0",
  (value): value is string => typeof value === 'string' && /^m(\/\d{1,10}'?)*$/.test(value),
)

/** The index of a key that is not hardened (BIP-32). */
const MAX_INDEX = 2 ** 31 - 1 - MAX_ACCOUNTS

const accountFields = objectCodec({
  privateKey: anything,
  balance: or(anyAmount, ACCOUNT_BALANCE),
})

/** Checks the accounts and fills in their defaults; `defaultCount` of a mnemonic. */
export function resolveAccounts(value: unknown, defaultCount: number): ResolvedAccounts {
  if (Array.isArray(value)) {
    const keyAt = (given: unknown, index: number): ResolvedKey => {
      const path = `accounts[${index}]`
      const { privateKey, balance } = accountFields.decode(given, path)
      const option = `${path}.privateKey`
      return { option, privateKey: bytesToHex(privateKeyBytes.decode(privateKey, option)), balance }
    }
    return { keys: Array.from(value, keyAt) }
  }
  const given = value === undefined ? {} : value
  const table = {
    mnemonic: or(mnemonicText, DEFAULT_DERIVATION.mnemonic),
    passphrase: or(text, ''),
    path: or(derivationPath, DEFAULT_DERIVATION.path),
    initialIndex: or(numberFrom(0, MAX_INDEX), 0),
    count: or(numberFrom(0, MAX_ACCOUNTS), defaultCount),
  }
  const { privateKeys, balance, ...derivation } = decodeFields(given, 'accounts', {
    ...table,
    privateKeys: anything,
    balance: or(anyAmount, ACCOUNT_BALANCE),
  })
  if (privateKeys === undefined) return { derivation, balance }
  if (Object.keys(table).some((name) => (given as Fields)[name] !== undefined))
    refuseValue('accounts', 'either a mnemonic and its fields or privateKeys', given)
  const option = 'accounts.privateKeys'
  if (!Array.isArray(privateKeys)) refuseValue(option, 'an array of private keys', privateKeys)
  const keys = Array.from(privateKeys, (key: unknown, index) => {
    return { option, privateKey: bytesToHex(privateKeyBytes.decode(key, `${option}[${index}]`)), balance }
  })
  return { keys }
}
