// Accounts whose keys the emulator holds: list, message and transaction signatures.

import { heldAccounts, impersonatedAccounts, keyToSign } from '../../node/control/wallet.ts'
import { unsignedTransaction } from '../../pool/encode.ts'
import { keccak256 } from '../../primitives/crypto.ts'
import { failure } from '../../primitives/errors.ts'
import {
  type Address,
  bytesToHex,
  concatBytes,
  type Hex,
  utf8ToBytes,
  ZERO_ADDRESS,
} from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { signDigest } from '../../primitives/signer.ts'
import { describe } from '../../primitives/text-of.ts'
import { address, asRecord, data } from '../codecs/basic.ts'
import { type Codec, refuse, required } from '../codecs/codec.ts'
import { transactionRequest } from '../codecs/transaction-request.ts'
import { formatUnsignedTransaction } from '../format/transaction.ts'
import { defineRead } from '../method.ts'
import type { ReadContext } from '../read-context.ts'
import { fillAndSign, fillTransaction, requestSender, requireSender } from '../requests/fill-transaction.ts'
import { FIRST_ACCOUNT, TRANSFER } from './examples.ts'

/** A signature in the order r, s, v, where v is 27 or 28. */
function signHash(key: Uint8Array, hash: Uint8Array): Hex {
  const { r, s, yParity } = signDigest(hash, key)
  return bytesToHex(concatBytes(r, s, Uint8Array.of(27 + yParity)))
}

/** An EIP-191 signature, version 0x45. */
function signMessage(key: Uint8Array, message: Uint8Array): Hex {
  const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`)
  return signHash(key, keccak256(concatBytes(prefix, message)))
}

/** Held accounts and, in anvil, those impersonated individually: ethers looks for these in eth_accounts. */
function visibleAccounts({ state, options }: ReadContext): Address[] {
  const held = heldAccounts(state)
  if (options.flavor !== 'anvil') return held
  return [...new Set([...held, ...impersonatedAccounts(state)])]
}

export const eth_accounts = defineRead({
  summary: 'The accounts that the emulator signs for; in the flavor anvil, also the impersonated ones.',
  hardhat: { params: [] },
  result: 'array of addresses',
  handle: visibleAccounts,
})

export const eth_requestAccounts = defineRead({
  ...eth_accounts,
  summary: 'The same as eth_accounts (EIP-1102).',
})

export const eth_sign = defineRead({
  summary: 'Signs a message with the key of an account (EIP-191).',
  params: [required('address', address), required('message', data)],
  beforeFork: 'handler',
  hardhat: { variant: 'EthSign', params: ['address', 'variableBytes'] },
  result: '65 bytes: r, s, v',
  example: { params: [FIRST_ACCOUNT, '0xdeadbeef'] },
  handle: (context, account, message) => signMessage(keyToSign(context.state, account), message),
})

export const personal_sign = defineRead({
  summary: 'The same as eth_sign, with the message first.',
  params: [required('message', data), required('address', address)],
  beforeFork: 'handler',
  hardhat: { variant: 'PersonalSign', params: ['variableBytes', 'address'] },
  result: '65 bytes: r, s, v',
  example: { params: ['0xdeadbeef', FIRST_ACCOUNT] },
  handle: (context, message, account) => signMessage(keyToSign(context.state, account), message),
})

export const eth_signTransaction = defineRead({
  summary: 'Fills and signs a transaction with the key of an account, without submitting it.',
  params: [required('transaction', transactionRequest)],
  beforeFork: 'handler',
  hardhat: 'absent',
  result: 'the signed bytes',
  example: { params: [TRANSFER] },
  async handle(context, request) {
    keyToSign(context.state, requireSender(context, request))
    return bytesToHex((await fillAndSign(context, request)).raw)
  },
})

export const eth_fillTransaction = defineRead({
  summary: 'Fills the missing fields of a transaction (nonce, gas, fees), without signing it.',
  params: [required('transaction', transactionRequest)],
  beforeFork: 'handler',
  result: 'object with raw, the unsigned bytes, and tx',
  example: { params: [TRANSFER] },
  async handle(context, request) {
    const sender = requestSender(context, request) ?? ZERO_ADDRESS
    const fields = await fillTransaction(context, sender, { ...request, from: sender })
    const transaction = unsignedTransaction(fields, sender)
    return { raw: bytesToHex(transaction.raw), tx: formatUnsignedTransaction(transaction) }
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
  beforeFork: 'handler',
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
    const key = keyToSign(context.state, account)
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
