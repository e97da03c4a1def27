// Accounts whose keys the emulator keeps, as in ganache. New ones are locked; unlocking may expire on the virtual clock.

import {
  addAccount,
  createAccount,
  heldAccounts,
  importKey,
  keyToSign,
  lockAccount,
  removeAccount,
  unlockAccount,
} from '../../node/control/wallet.ts'
import { bytesToHex } from '../../primitives/hex.ts'
import { passphrase, privateKey } from '../codecs/accounts.ts'
import { address, orUnprefixed } from '../codecs/basic.ts'
import { optional, refuse, required } from '../codecs/codec.ts'
import { integer } from '../codecs/numbers.ts'
import { transactionRequest } from '../codecs/transaction-request.ts'
import { defineCommand, defineControl, defineRead } from '../method.ts'
import { fillAndSign, requireSender, unlockedContext } from '../requests/fill-transaction.ts'
import { FIRST_ACCOUNT, NO_HASH, STRANGER } from './examples.ts'

/** The default of geth and ganache. */
const DEFAULT_DURATION_S = 300

export const personal_listAccounts = defineRead({
  summary: 'The accounts that the emulator signs for, including locked ones.',
  result: 'array of addresses',
  handle: ({ state }) => heldAccounts(state),
})

export const personal_newAccount = defineCommand({
  summary: 'Creates an account, locked with a passphrase. Its key is computed from prevRandao.',
  params: [required('passphrase', passphrase)],
  result: 'address',
  example: { params: ['secret'] },
  handle: ({ node }, secret) => node.execute((state) => createAccount(state, secret)),
})

export const personal_importRawKey = defineCommand({
  summary: 'Adds an account by its private key, locked with a passphrase.',
  params: [required('privateKey', orUnprefixed(privateKey)), required('passphrase', passphrase)],
  result: 'address',
  example: { params: [NO_HASH, 'secret'] },
  handle: ({ node }, key, secret) =>
    node.execute(
      async (state) =>
        (await importKey(state, key, secret)) ?? refuse('0', 'not a key of the curve secp256k1'),
    ),
})

export const personal_unlockAccount = defineControl({
  summary: 'Unlocks an account for a number of seconds of virtual time; with 0, until it is locked.',
  params: [
    required('address', address),
    required('passphrase', passphrase),
    optional('seconds', integer, DEFAULT_DURATION_S),
  ],
  example: { params: [FIRST_ACCOUNT, '', 300] },
  answer: 'true',
  apply: ({ state }, account, secret, seconds) =>
    unlockAccount(state, account, secret, seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000),
})

export const personal_lockAccount = defineCommand({
  summary: 'Locks an account.',
  params: [required('address', address)],
  result: 'true, or false if there is no such account',
  example: { params: [FIRST_ACCOUNT] },
  handle: ({ node }, account) => node.execute((state) => lockAccount(state, account)),
})

export const personal_signTransaction = defineRead({
  summary: 'Fills and signs a transaction of an account, unlocked by its passphrase for this call.',
  params: [required('transaction', transactionRequest), required('passphrase', passphrase)],
  beforeFork: 'handler',
  result: 'the signed bytes',
  example: {
    params: [{ from: FIRST_ACCOUNT, to: STRANGER, value: '0x1' }, ''],
  },
  async handle(context, request, secret) {
    const opened = unlockedContext(context, request, secret)
    keyToSign(opened.state, requireSender(opened, request))
    return bytesToHex((await fillAndSign(opened, request)).raw)
  },
})

export const evm_addAccount = defineCommand({
  summary:
    'Adds an account without a key, locked with a passphrase. Once unlocked, it sends transactions as if impersonated.',
  params: [required('address', address), required('passphrase', passphrase)],
  result: 'true, or false if it already exists',
  example: { params: [STRANGER, 'secret'] },
  handle: ({ node }, account, secret) => node.execute((state) => addAccount(state, account, secret)),
})

export const evm_removeAccount = defineCommand({
  summary: 'Removes an account that the emulator signs for.',
  params: [required('address', address), required('passphrase', passphrase)],
  result: 'true, or false if there is no such account',
  example: { params: [FIRST_ACCOUNT, ''] },
  handle: ({ node }, account, secret) => node.execute((state) => removeAccount(state, account, secret)),
})
