// Reads of accounts, storage and proofs at a block, and what an explorer asks besides.

import { hasSlots } from '../../chain/block/block.ts'
import { advanceClock, advanceToNext, nextDueAt } from '../../node/clock/clock.ts'
import { reorganise } from '../../node/control/reorg.ts'
import { type BlockSelector, expectProofs, requireBlock } from '../../node/lookup.ts'
import { blockBeingBuilt } from '../../node/node-state.ts'
import { failure } from '../../primitives/errors.ts'
import * as hex from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import { proveAccount } from '../../state/proofs.ts'
import { storageRoot } from '../../state/state-tries.ts'
import { codeHashHex, readAccount, readStorage, type WorldState } from '../../state/world-state.ts'
import { formatDecoded, type RpcCallTrace } from '../call-trace.ts'
import { address, arrayOf, asRecord, block, boolean, hash, storageKey } from '../codecs/basic.ts'
import { type Codec, integer, integerFrom, optional, quantity, refuse, required } from '../codecs/codec.ts'
import { objectCodec, or } from '../codecs/object.ts'
import { defineControl, defineRead } from '../method.ts'
import { type ReadContext, viewIn } from '../session.ts'
import { outcomeOf } from '../transaction-outcome.ts'
import { FIRST_ACCOUNT, NO_HASH } from './examples.ts'

const blockParameter = optional('block', block, 'latest', 'state')

/** Maximum number of slots in a request, as in geth. */
const MAX_SLOTS = 1024

function accountAt(context: ReadContext, selector: BlockSelector, account: hex.Address) {
  return readAccount(viewIn(context, selector).state, account)
}

function wordAt(state: WorldState, account: hex.Address, key: hex.Hash): hex.Hex {
  return hex.bytesToHex(hex.padLeft(readStorage(state, account, key), 32))
}

/** Only Base's nodes know the parameter, for a fork that is not scheduled. */
function refuseNonceKey({ state }: ReadContext): never {
  const isOfBase = state.chain.head.rules.rollup?.changes.natives !== undefined
  throw isOfBase ? failure('nonceKeyNotActive') : failure('tooManyParameters', { most: 2 })
}

export const eth_getBalance = defineRead({
  summary: 'The balance of an account in wei; with `pending`, the pre-confirmed one.',
  params: [required('address', address), blockParameter],
  hardhat: { variant: 'GetBalance', params: ['address', 'blockSpec?'] },
  result: 'quantity',
  handle: (context, account, selector) => hex.toQuantity(accountAt(context, selector, account).balance),
})

export const eth_getTransactionCount = defineRead({
  summary:
    'The nonce of an account. With `pending`, pre-confirmed transactions count; pooled ones only with `pendingContents: pool`.',
  params: [required('address', address), blockParameter, optional('nonceKey', quantity, undefined)],
  hardhat: { variant: 'GetTransactionCount', params: ['address', 'blockSpec?'] },
  result: 'quantity',
  handle(context, account, selector, nonceKey) {
    if (nonceKey !== undefined) refuseNonceKey(context)
    return hex.toQuantity(accountAt(context, selector, account).nonce)
  },
})

export const eth_getCode = defineRead({
  summary: 'The code of an account.',
  params: [required('address', address), blockParameter],
  hardhat: { variant: 'GetCode', params: ['address', 'blockSpec?'] },
  result: 'data',
  handle: (context, account, selector) => hex.bytesToHex(accountAt(context, selector, account).code.bytes),
})

export const eth_getStorageAt = defineRead({
  summary: 'The value of a storage slot of an account, as 32 bytes.',
  params: [required('address', address), required('slot', storageKey), blockParameter],
  hardhat: { variant: 'GetStorageAt', params: ['address', 'storageSlot', 'blockSpec?'] },
  result: '32 bytes',
  example: { params: [FIRST_ACCOUNT, '0x0', 'latest'] },
  handle: (context, account, key, selector) => wordAt(viewIn(context, selector).state, account, key),
})

const storageRequests: Codec<
  { readonly account: hex.Address; readonly slots: readonly hex.Hash[] }[],
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
    const { state } = viewIn(context, selector)
    return Object.fromEntries(
      requests.map(({ account, slots }) => [account, slots.map((key) => wordAt(state, account, key))]),
    )
  },
})

export const eth_getAccount = defineRead({
  summary: 'An account as the state trie holds it: balance, nonce, code hash and storage root.',
  params: [required('address', address), blockParameter],
  result: 'object with balance, nonce, codeHash and storageRoot',
  handle({ state }, owner, selector) {
    expectProofs(state)
    const { committed } = requireBlock(state, selector).block()
    const account = readAccount(committed.state, owner)
    return {
      balance: hex.toQuantity(account.balance),
      nonce: hex.toQuantity(account.nonce),
      codeHash: codeHashHex(account),
      storageRoot: storageRoot(committed, owner),
    }
  },
})

export const eth_getAccountInfo = defineRead({
  summary: 'The balance, the nonce and the code of an account.',
  params: [required('address', address), blockParameter],
  result: 'object with balance, nonce and code',
  handle(context, owner, selector) {
    const { balance, nonce, code } = accountAt(context, selector, owner)
    return {
      balance: hex.toQuantity(balance),
      nonce: hex.toQuantity(nonce),
      code: hex.bytesToHex(code.bytes),
    }
  },
})

/** The length of a key of 32 bytes, or of 31 and a digit, which geth takes for the same. */
const LEAST_FULL_KEY = '0x'.length + 63

/** A slot, with the key that the answer names: all of its 32 bytes if they were asked, else a quantity, as in geth. */
const provenSlot: Codec<{ readonly key: hex.Hash; readonly shown: hex.Hex }, string> = {
  name: storageKey.name,
  decode(value, path) {
    const key = storageKey.decode(value, path)
    const isFull = (value as string).length >= LEAST_FULL_KEY
    return { key, shown: isFull ? key : hex.toQuantity(BigInt(key)) }
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
  handle({ state }, account, slots, selector) {
    expectProofs(state)
    const { committed } = requireBlock(state, selector).block()
    const keys = slots.map(({ key }) => key)
    const proof = proveAccount(committed, account, keys)
    return {
      address: account,
      balance: hex.toQuantity(proof.account.balance),
      nonce: hex.toQuantity(proof.account.nonce),
      codeHash: codeHashHex(proof.account),
      storageHash: proof.storageRoot,
      accountProof: proof.accountProof.map(hex.bytesToHex),
      storageProof: proof.storageProofs.map(({ value, proof: nodes }, index) => ({
        key: slots[index]?.shown,
        value: hex.toQuantity(hex.bytesToBigInt(value)),
        proof: nodes.map(hex.bytesToHex),
      })),
    }
  },
})

const MAX_ADDRESSES = 1000

export const tickchain_advance = defineControl({
  summary: 'Advances virtual time, and performs every partial block and seal that falls due on the way.',
  params: [required('ms', integer)],
  example: { params: [2000] },
  answer: 'null',
  apply: ({ state, commit }, ms) => advanceClock(state, ms, commit),
})

export const tickchain_next = defineControl({
  summary: 'Moves the clock to the next partial block or seal that is due, and performs it.',
  answer: 'null',
  apply: ({ state }) => advanceToNext(state),
})

export const tickchain_reorg = defineControl({
  summary:
    'Replaces the last blocks by as many empty ones. Unlike those of anvil_reorg, their transactions return to the pool.',
  params: [required('depth', { ...integerFrom(1), name: 'number of blocks' })],
  example: { params: [1], error: 'reorgTooDeep' },
  answer: 'null',
  apply: ({ state }, depth) => reorganise(state, { depth, blocks: undefined, returning: 'repool' }),
})

export const tickchain_status = defineRead({
  summary:
    'The clock and the block being built: virtual time and the time of the next step, in milliseconds, and the partial blocks so far that have transactions.',
  result:
    'object with now, nextDueAt (null if nothing falls due), blockTimeMs, partialBlockTimeMs, partialBlocksClosed, and partialBlocks with index and transactionHashes; all numbers are JSON numbers',
  handle({ state }) {
    const { blockTimeMs, partialBlockTimeMs } = state.settings
    const partials = hasSlots(state.chain.head) ? [] : (blockBeingBuilt(state)?.partials ?? [])
    return {
      now: state.nowMs,
      nextDueAt: nextDueAt(state) ?? null,
      blockTimeMs,
      partialBlockTimeMs,
      partialBlocksClosed: state.partialsClosed,
      partialBlocks: partials.map(({ index, executed }) => ({
        index,
        transactionHashes: executed.map(({ transaction }) => transaction.hash),
      })),
    }
  },
})

export const tickchain_describeAccounts = defineRead({
  summary:
    'Names of accounts: those that a test has given, the own accounts by their position, and the contracts whose code is known.',
  params: [required('addresses', arrayOf(address, MAX_ADDRESSES))],
  result: 'array of objects with address, name and contract; null where there is none',
  example: { params: [[FIRST_ACCOUNT]] },
  async handle(context, addresses) {
    const explainer = await context.known.explainer()
    return addresses.map((each) => explainer.describeAccount(context, each))
  },
})

export const tickchain_getStorage = defineRead({
  summary:
    'The first 1000 storage slots of an account, in the order of their hashes. If the storage layout of its contract is known, with the variables in them; keys of mappings are looked for among accounts and small numbers.',
  params: [required('address', address), optional('block', block, 'latest', 'state')],
  result: 'array of objects with slot, value, and variables, which have name and value as text',
  handle: async (context, account, selector) =>
    (await context.known.explainer()).describeStorage(context, viewIn(context, selector).state, account),
})

export const tickchain_traceTransaction = defineRead({
  summary:
    'Runs a transaction again, and returns its calls, events, console.log lines and changes of storage, decoded with the known contracts.',
  params: [
    required('transactionHash', hash, 'transaction'),
    optional('options', objectCodec({ steps: or(boolean, false) }), { steps: false }),
  ],
  result:
    'object with transactionHash, status, gasUsed, isCut, call and, if asked for, steps, as `chain.trace` resolves to it; integers that may be large are in decimal, as text',
  example: { params: [NO_HASH], error: 'transactionNotFound' },
  async handle(context, transactionHash, { steps }) {
    const { traceOfTransaction } = await context.known.explainer()
    return formatDecoded(await traceOfTransaction(context, transactionHash, steps)) as RpcCallTrace
  },
})

export const tickchain_getTransactionOutcome = defineRead({
  summary:
    'What the receipt of a transaction lacks: return data, failure decoded with the registered ABIs, and console.log calls.',
  params: [required('transactionHash', hash, 'transaction')],
  result:
    'object with status, returnData, failure, revert and consoleLogs, decoded integers in decimal; or null if the transaction is in no block',
  handle(context, transactionHash) {
    const outcome = outcomeOf(context, transactionHash)
    if (outcome === undefined) return null
    const { status, blockNumber, gasUsed, failure = null, revert, consoleLogs } = outcome
    const { name = null, reason = null, args = [], data } = revert ?? {}
    return {
      transactionHash,
      blockNumber: hex.toQuantity(blockNumber),
      status: status === 'success' ? '0x1' : '0x0',
      gasUsed: hex.toQuantity(gasUsed),
      returnData: outcome.returnData,
      failure,
      revert: revert === undefined ? null : { name, args: args.map(formatDecoded), reason, data },
      consoleLogs: consoleLogs.map((log) => ({ ...log, args: log.args.map(formatDecoded) })),
    }
  },
})
