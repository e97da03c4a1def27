// Accounts whose keys the emulator holds: lists and signatures; its keystore, as in ganache.

import * as wallets from '../../node/control/wallet.ts'
import { unsignedTransaction } from '../../pool/payload.ts'
import { keccak256 } from '../../primitives/crypto.ts'
import { failure } from '../../primitives/errors.ts'
import * as hex from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { signDigest } from '../../primitives/signer.ts'
import { describe } from '../../primitives/text-of.ts'
import { passphrase, privateKey } from '../codecs/accounts.ts'
import { address, asRecord, data, orUnprefixed } from '../codecs/basic.ts'
import { type Codec, integer, optional, refuse, required } from '../codecs/codec.ts'
import { type TransactionRequest, transactionRequest } from '../codecs/overrides.ts'
import { formatUnsignedTransaction } from '../format/transaction.ts'
import { defineCommand, defineControl, defineRead } from '../method.ts'
import * as filling from '../requests/fill-transaction.ts'
import type { ReadContext } from '../session.ts'
import { FIRST_ACCOUNT, NO_HASH, STRANGER } from './examples.ts'

/** A signature in the order r, s, v, where v is 27 or 28. */
function signHash(key: Uint8Array, hash: Uint8Array): hex.Hex {
  const { r, s, yParity } = signDigest(hash, key)
  return hex.bytesToHex(hex.concatBytes(r, s, Uint8Array.of(27 + yParity)))
}

/** An EIP-191 signature, version 0x45. */
function signMessage(key: Uint8Array, message: Uint8Array): hex.Hex {
  const prefix = hex.utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`)
  return signHash(key, keccak256(hex.concatBytes(prefix, message)))
}

export const eth_accounts = defineRead({
  summary: 'The accounts that the emulator signs for; in the flavor anvil, also the impersonated ones.',
  hardhat: { params: [] },
  result: 'array of addresses',
  handle({ state, options }): hex.Address[] {
    const held = wallets.heldAccounts(state)
    // ethers looks in eth_accounts for those that are impersonated one by one.
    if (options.flavor !== 'anvil') return held
    const impersonated = [...state.controls.impersonated.entries()].map(([address]) => address).sort()
    return [...new Set([...held, ...impersonated])]
  },
})

export const eth_requestAccounts = defineRead({
  ...eth_accounts,
  summary: 'The same as eth_accounts (EIP-1102).',
})

export const eth_sign = defineRead({
  summary: 'Signs a message with the key of an account (EIP-191).',
  params: [required('address', address), required('message', data)],
  hardhat: { variant: 'EthSign', params: ['address', 'variableBytes'] },
  result: '65 bytes: r, s, v',
  handle: (context, account, message) => signMessage(wallets.keyToSign(context.state, account), message),
})

export const personal_sign = defineRead({
  summary: 'The same as eth_sign, with the message first.',
  params: [required('message', data), required('address', address)],
  hardhat: { variant: 'PersonalSign', params: ['variableBytes', 'address'] },
  result: '65 bytes: r, s, v',
  handle: (context, message, account) => signMessage(wallets.keyToSign(context.state, account), message),
})

/** Fills and signs; an impersonated account has no key. */
async function signOnly(context: ReadContext, request: TransactionRequest): Promise<hex.Hex> {
  wallets.keyToSign(context.state, filling.requireSender(context, request))
  return hex.bytesToHex((await filling.fillAndSign(context, request)).raw)
}

export const eth_signTransaction = defineRead({
  summary: 'Fills and signs a transaction with the key of an account, without submitting it.',
  params: [required('transaction', transactionRequest)],
  hardhat: 'absent',
  result: 'the signed bytes',
  handle: signOnly,
})

export const eth_fillTransaction = defineRead({
  summary: 'Fills the missing fields of a transaction (nonce, gas, fees), without signing it.',
  params: [required('transaction', transactionRequest)],
  result: 'object with raw, the unsigned bytes, and tx',
  async handle(context, request) {
    const sender = filling.requestSender(context, request) ?? hex.ZERO_ADDRESS
    const fields = await filling.fillTransaction(context, sender, { ...request, from: sender })
    const transaction = unsignedTransaction(fields, sender)
    return { raw: hex.bytesToHex(transaction.raw), tx: formatUnsignedTransaction(transaction) }
  },
})

/** Typed data as an object, or as JSON text, which wallets send. */
const typedData: Codec<Record<string, unknown>, string | object> = {
  name: 'typed data',
  decode(value, path) {
    if (typeof value !== 'string') return asRecord(value, path)
    try {
      return asRecord(JSON.parse(value), path)
    } catch {
      return refuse(path, `expected typed data as an object or JSON, got ${describe(value)}`)
    }
  },
}

export const eth_signTypedData_v4 = defineRead({
  summary: 'Signs typed structured data with the key of an account (EIP-712).',
  params: [required('address', address), required('typedData', typedData)],
  hardhat: { variant: 'SignTypedDataV4', params: ['address', 'typedData'] },
  result: '65 bytes: r, s, v',
  example: {
    params: [
      FIRST_ACCOUNT,
      {
        types: {
          EIP712Domain: [{ name: 'name', type: 'string' }],
          Mail: [{ name: 'contents', type: 'string' }],
        },
        primaryType: 'Mail',
        domain: { name: 'Mail' },
        message: { contents: 'Hello' },
      },
    ],
  },
  async handle(context, account, typed) {
    const key = wallets.keyToSign(context.state, account)
    const { hashTypedData, TypedDataError } = await load(import('../../primitives/typed-data.ts'))
    try {
      return signHash(key, hashTypedData(typed))
    } catch (error) {
      // Other errors are of objects whose properties throw.
      throw failure('typedDataInvalid', {
        reason: error instanceof TypedDataError ? error.message : 'an object that cannot be read',
      })
    }
  },
})

export const eth_signTypedData = defineRead({
  ...eth_signTypedData_v4,
  hardhat: 'absent',
  summary: 'The same as eth_signTypedData_v4.',
})

/** The default of geth and ganache. */
const DEFAULT_DURATION_S = 300

export const personal_listAccounts = defineRead({
  summary: 'The accounts that the emulator signs for, including locked ones.',
  result: 'array of addresses',
  handle: ({ state }) => wallets.heldAccounts(state),
})

export const personal_newAccount = defineCommand({
  summary: 'Creates an account, locked with a passphrase. Its key is computed from prevRandao.',
  params: [required('passphrase', passphrase)],
  result: 'address',
  example: { params: ['secret'] },
  handle: ({ node }, secret) => node.execute((state) => wallets.createAccount(state, secret)),
})

export const personal_importRawKey = defineCommand({
  summary: 'Adds an account by its private key, locked with a passphrase.',
  params: [required('privateKey', orUnprefixed(privateKey)), required('passphrase', passphrase)],
  result: 'address',
  example: { params: [NO_HASH, 'secret'] },
  handle: ({ node }, key, secret) =>
    node.execute(
      async (state) =>
        (await wallets.importKey(state, key, secret)) ?? refuse('0', 'not a key of the curve secp256k1'),
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
    wallets.unlockAccount(state, account, secret, seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000),
})

export const personal_lockAccount = defineCommand({
  summary: 'Locks an account.',
  params: [required('address', address)],
  result: 'true, or false if there is no such account',
  handle: ({ node }, account) => node.execute((state) => wallets.lockAccount(state, account)),
})

export const personal_signTransaction = defineRead({
  summary: 'Fills and signs a transaction of an account, unlocked by its passphrase for this call.',
  params: [required('transaction', transactionRequest), required('passphrase', passphrase)],
  result: 'the signed bytes',
  example: {
    params: [{ from: FIRST_ACCOUNT, to: STRANGER, value: '0x1' }, ''],
  },
  handle: (context, request, secret) => signOnly(filling.unlockedContext(context, request, secret), request),
})

export const evm_addAccount = defineCommand({
  summary:
    'Adds an account without a key, locked with a passphrase. Once unlocked, it sends transactions as if impersonated.',
  params: [required('address', address), required('passphrase', passphrase)],
  result: 'true, or false if it already exists',
  example: { params: [STRANGER, 'secret'] },
  handle: ({ node }, account, secret) => node.execute((state) => wallets.addAccount(state, account, secret)),
})

export const evm_removeAccount = defineCommand({
  summary: 'Removes an account that the emulator signs for.',
  params: [required('address', address), required('passphrase', passphrase)],
  result: 'true, or false if there is no such account',
  handle: ({ node }, account, secret) =>
    node.execute((state) => wallets.removeAccount(state, account, secret)),
})
