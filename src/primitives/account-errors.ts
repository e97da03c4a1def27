// The part of the error table about accounts: their keys, and what a test makes of them.

import { row } from './error-row.ts'
import type { Hex } from './hex.ts'

export const ACCOUNT_ERRORS = {
  // Accounts
  unknownAccount: row<{ address: Hex }>(-32000, (e) => `unknown account ${e.address}`),
  typedDataInvalid: row<{ reason: string }>(-32602, (e) => `invalid typed data: ${e.reason}`),
  impersonatedWithoutKey: row<{ address: Hex }>(
    -32000,
    (e) => `account ${e.address} is impersonated: it can send transactions, but has no key to sign with`,
  ),
  // ganache, personal_…
  accountLocked: row(-32000, () => 'authentication needed: passphrase or unlock'),
  wrongPassphrase: row(-32000, () => 'could not decrypt key with given password'),
  accountExists: row(-32000, () => 'account already exists'),

  // Edits of accounts (words of Hardhat)
  nonceLowered: row<{ nonce: bigint; current: bigint }>(
    -32000,
    (e) => `New nonce (${e.nonce}) must not be smaller than the existing nonce (${e.current})`,
  ),
  nonceWithPooled: row(-32000, () => 'Cannot set account nonce when the transaction pool is not empty'),
  storageValueLength: row(-32000, () => 'Storage value must be exactly 32 bytes long'),
  tokenNotSettable: row<{ token: Hex; what: string; reason: string }>(
    -32000,
    (e) => `cannot set the ${e.what} of token ${e.token}: ${e.reason}`,
  ),
  tokenNotReadable: row<{ token: Hex; reason: string }>(
    -32000,
    (e) => `cannot read balances of token ${e.token}: ${e.reason}`,
  ),
  notRepeatable: row<{ hash: Hex }>(
    -32000,
    (e) => `transaction ${e.hash} cannot be run again as it was: an account was edited meanwhile`,
  ),
} as const
