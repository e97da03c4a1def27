// Reads of accounts, storage and proofs at a block.

import { expectProofs, requireBlock } from '../../node/lookup.ts'
import {
  type Address,
  bytesToBigInt,
  bytesToHex,
  type Hash,
  type Hex,
  padLeft,
  toQuantity,
} from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import { codeHashHex } from '../../state/account.ts'
import { proveAccount } from '../../state/proofs.ts'
import { storageRoot } from '../../state/state-tries.ts'
import { readAccount, readStorage } from '../../state/world-state.ts'
import { address, arrayOf, asRecord, storageKey } from '../codecs/basic.ts'
import { block } from '../codecs/block.ts'
import { type Codec, optional, refuse, required } from '../codecs/codec.ts'
import { defineRead } from '../method.ts'
import type { ReadContext } from '../read-context.ts'
import { FIRST_ACCOUNT } from './examples.ts'

const blockParameter = optional('block', block, 'latest', 'state')

/** Maximum number of slots in a request, as in geth. */
const MAX_SLOTS = 1024

function stateAt({ config, state }: ReadContext, selector: Parameters<typeof requireBlock>[2]) {
  return requireBlock(config, state, selector).state
}

export const eth_getBalance = defineRead({
  summary: 'The balance of an account in wei; with `pending`, the pre-confirmed one.',
  params: [required('address', address), blockParameter],
  hardhat: { variant: 'GetBalance', params: ['address', 'blockSpec?'] },
  result: 'quantity',
  example: { params: [FIRST_ACCOUNT, 'latest'] },
  handle: (context, account, selector) =>
    toQuantity(readAccount(stateAt(context, selector), account).balance),
})

export const eth_getTransactionCount = defineRead({
  summary:
    'The nonce of an account. With `pending`, pre-confirmed transactions count; pooled ones only with `pendingContents: pool`.',
  params: [required('address', address), blockParameter],
  hardhat: { variant: 'GetTransactionCount', params: ['address', 'blockSpec?'] },
  result: 'quantity',
  example: { params: [FIRST_ACCOUNT, 'latest'] },
  handle: (context, account, selector) => toQuantity(readAccount(stateAt(context, selector), account).nonce),
})

export const eth_getCode = defineRead({
  summary: 'The code of an account.',
  params: [required('address', address), blockParameter],
  hardhat: { variant: 'GetCode', params: ['address', 'blockSpec?'] },
  result: 'data',
  example: { params: [FIRST_ACCOUNT, 'latest'] },
  handle: (context, account, selector) =>
    bytesToHex(readAccount(stateAt(context, selector), account).code.bytes),
})

export const eth_getStorageAt = defineRead({
  summary: 'The value of a storage slot of an account, as 32 bytes.',
  params: [required('address', address), required('slot', storageKey), blockParameter],
  hardhat: { variant: 'GetStorageAt', params: ['address', 'storageSlot', 'blockSpec?'] },
  result: '32 bytes',
  example: { params: [FIRST_ACCOUNT, '0x0', 'latest'] },
  handle: (context, account, key, selector) =>
    bytesToHex(padLeft(readStorage(stateAt(context, selector), account, key), 32)),
})

const storageRequests: Codec<
  { readonly account: Address; readonly slots: readonly Hash[] }[],
  Readonly<Record<string, readonly string[]>>
> = {
  name: 'object from address to array of storage slots',
  decode(value, path) {
    const requests = Object.entries(asRecord(value, path)).map(([key, slots]) => ({
      account: address.decode(key, `${path}[${describe(key)}]`),
      slots: arrayOf(storageKey, MAX_SLOTS).decode(slots, `${path}.${key}`),
    }))
    const count = requests.reduce((sum, { slots }) => sum + slots.length, 0)
    if (count === 0) refuse(path, 'empty request')
    if (count > MAX_SLOTS) refuse(path, `too many slots (max ${MAX_SLOTS})`)
    return requests
  },
}

export const eth_getStorageValues = defineRead({
  summary: 'The values of several storage slots of several accounts.',
  params: [required('requests', storageRequests), blockParameter],
  result: 'object from address to array of 32 bytes, in the order asked',
  example: { params: [{ [FIRST_ACCOUNT]: ['0x0', '0x1'] }, 'latest'] },
  handle(context, requests, selector) {
    const state = stateAt(context, selector)
    const wordAt = (account: Address, key: Hash): Hex =>
      bytesToHex(padLeft(readStorage(state, account, key), 32))
    return Object.fromEntries(
      requests.map(({ account, slots }) => [account, slots.map((key) => wordAt(account, key))]),
    )
  },
})

export const eth_getAccount = defineRead({
  summary: 'An account as the state trie holds it: balance, nonce, code hash and storage root.',
  params: [required('address', address), blockParameter],
  result: 'object with balance, nonce, codeHash and storageRoot',
  example: { params: [FIRST_ACCOUNT, 'latest'] },
  handle({ config, state }, owner, selector) {
    expectProofs(state)
    const { committed } = requireBlock(config, state, selector).block()
    const account = readAccount(committed.state, owner)
    return {
      balance: toQuantity(account.balance),
      nonce: toQuantity(account.nonce),
      codeHash: codeHashHex(account),
      storageRoot: storageRoot(committed, owner),
    }
  },
})

export const eth_getAccountInfo = defineRead({
  summary: 'The balance, the nonce and the code of an account.',
  params: [required('address', address), blockParameter],
  result: 'object with balance, nonce and code',
  example: { params: [FIRST_ACCOUNT, 'latest'] },
  handle(context, owner, selector) {
    const { balance, nonce, code } = readAccount(stateAt(context, selector), owner)
    return { balance: toQuantity(balance), nonce: toQuantity(nonce), code: bytesToHex(code.bytes) }
  },
})

/** The length of a key of 32 bytes, or of 31 and a digit, which geth takes for the same. */
const LEAST_FULL_KEY = '0x'.length + 63

/** A slot, with the key that the answer names: all of its 32 bytes if they were asked, else a quantity, as in geth. */
const provenSlot: Codec<{ readonly key: Hash; readonly shown: Hex }, string> = {
  name: storageKey.name,
  decode(value, path) {
    const key = storageKey.decode(value, path)
    const isFull = (value as string).length >= LEAST_FULL_KEY
    return { key, shown: isFull ? key : toQuantity(BigInt(key)) }
  },
}

export const eth_getProof = defineRead({
  summary: 'An account and some of its storage slots with Merkle proofs against the state root (EIP-1186).',
  params: [
    required('address', address),
    required('storageKeys', arrayOf(provenSlot, MAX_SLOTS)),
    optional('block', block, 'latest', 'block'),
  ],
  result: 'account, accountProof and storageProof',
  example: { params: [FIRST_ACCOUNT, ['0x0'], 'latest'] },
  handle({ config, state }, account, slots, selector) {
    expectProofs(state)
    const { committed } = requireBlock(config, state, selector).block()
    const keys = slots.map(({ key }) => key)
    const proof = proveAccount(committed, account, keys)
    return {
      address: account,
      balance: toQuantity(proof.account.balance),
      nonce: toQuantity(proof.account.nonce),
      codeHash: codeHashHex(proof.account),
      storageHash: proof.storageRoot,
      accountProof: proof.accountProof.map(bytesToHex),
      storageProof: proof.storageProofs.map(({ value, proof: nodes }, index) => ({
        key: slots[index]?.shown,
        value: toQuantity(bytesToBigInt(value)),
        proof: nodes.map(bytesToHex),
      })),
    }
  },
})
