// Snapshots, dumps, rollbacks, reorganisations and resets, under the names of anvil, Hardhat and geth.

import { blocksAboveFirst, rewindChain } from '../../chain/chain.ts'
import { maximumCost, type Transaction } from '../../execution/transaction/transaction.ts'
import { reorganise, reorgTooDeep, rollBack } from '../../node/control/reorg.ts'
import { replaceState, resetState } from '../../node/control/replace-state.ts'
import { saveSnapshot, useUpSnapshots } from '../../node/lookup.ts'
import type { Node } from '../../node/node.ts'
import type { NodeState } from '../../node/node-state.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { EMPTY_POOL, insertTransaction } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import { bytesToHex, toQuantity } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { arrayOf, asRecord, boolean, data, field, text } from '../codecs/basic.ts'
import { type Codec, integer, optional, refuse, required } from '../codecs/codec.ts'
import { or, pairOf, recordCodec, type ValueOf } from '../codecs/object.ts'
import type { TransactionRequest } from '../codecs/overrides.ts'
import * as overridden from '../codecs/overrides.ts'
import { firstSnapshotId } from '../flavor/flavor.ts'
import { defineCommand, defineControl, defineRead, outcomeWith } from '../method.ts'
import { fillAndSign } from '../requests/fill-transaction.ts'
import { type ReadContext, readContext } from '../session.ts'

const signedOrRequest: Codec<Transaction | TransactionRequest, string | overridden.TransactionRequestWire> = {
  name: 'transaction',
  decode: (value, path) =>
    typeof value === 'string'
      ? decodeTransaction(data.decode(value, path))
      : overridden.transactionRequest.decode(value, path),
}

/** A transaction, and the index of its new block from 0. */
const NAME = 'pair of transaction and block index'
const pair = pairOf(NAME, `a ${NAME}`, [signedOrRequest, integer])

const transactionPairs = arrayOf(pair, 10_000)

/** Nonces count up from pair to pair. Gas is estimated before any of the transactions has run. */
async function signReplacements(context: ReadContext, depth: number, pairs: readonly ValueOf<typeof pair>[]) {
  const { state } = context
  if (depth > blocksAboveFirst(state.chain)) throw reorgTooDeep(state.chain, depth)
  const blocks: Transaction[][] = Array.from({ length: depth }, () => [])
  const { chain } = rewindChain(state.chain, depth)
  let base = { ...state, chain, pool: EMPTY_POOL, nextTimestamp: undefined }
  const inOrder = [...pairs].sort(([, a], [, b]) => a - b)
  for (const [transaction, blockIndex] of inOrder) {
    const block = blocks[blockIndex]
    if (block === undefined)
      refuse('1', `a block index must be below the depth of ${depth}, got ${blockIndex}`)
    const signed =
      'raw' in transaction ? transaction : await fillAndSign({ ...context, state: base }, transaction)
    base = { ...base, pool: insertTransaction(base.pool, signed, maximumCost(signed)) }
    block.push(signed)
  }
  return blocks
}

export const anvil_rollback = defineControl({
  summary:
    'Takes the last blocks off the chain, and with them the block being built. Their transactions are gone, subscriptions get their logs with `removed: true`, and the clock stays.',
  params: [optional('depth', integer, 1)],
  example: { params: [1], error: 'reorgTooDeep' },
  answer: 'null',
  apply: ({ state }, depth) => rollBack(state, depth, 'drop'),
})

export const anvil_reorg = defineControl({
  summary:
    'Replaces the last blocks by as many new ones, empty but for the transactions that are given, each with the index of its block. The old transactions are gone, and subscriptions get their logs with `removed: true`.',
  params: [required('depth', integer), optional('transactions', transactionPairs, [])],
  example: { params: [1, []], error: 'reorgTooDeep' },
  answer: 'null',
  async apply({ state, session }, depth, pairs) {
    if (depth === 0) return state
    const blocks = await signReplacements(readContext(session, state), depth, pairs)
    return reorganise(state, { depth, blocks, returning: 'drop' })
  },
})

export const debug_setHead = defineControl({
  summary: 'Takes all blocks above a number off the chain, as anvil_rollback does; named by geth.',
  params: [required('number', integer)],
  example: { params: ['0x0'] },
  answer: 'null',
  apply({ state }, number) {
    const latest = state.chain.head.header.number
    if (number > latest || number < state.chain.first)
      throw failure('blockNotFound', { block: number, latest })
    return rollBack(state, latest - number, 'drop')
  },
})

export interface Forking {
  readonly url: string | undefined
  readonly block: number | undefined
}

export interface ResetOptionsWire {
  readonly forking?: { readonly jsonRpcUrl?: string | null; readonly blockNumber?: unknown } | null
}

/** Where a reset forks; `undefined` if it goes back to how the chain was created. Clients that do not fork send the fields of `forking` without values, the block number as NaN. */
const resetOptions: Codec<{ readonly forking: Forking | undefined }, ResetOptionsWire> = {
  name: 'object with forking',
  decode(value, path) {
    const { forking } = asRecord(value, path)
    if (forking === undefined || forking === null) return { forking: undefined }
    const at = `${path}.forking`
    const given = Object.entries(asRecord(forking, at)).filter(
      ([, each]) => each !== undefined && each !== null && !Number.isNaN(each),
    )
    if (given.length === 0) return { forking: undefined }
    const fields = Object.fromEntries(given)
    const url = field(fields, 'jsonRpcUrl', text, at)
    return { forking: { url, block: field(fields, 'blockNumber', integer, at) } }
  },
}

/** The first state of the fork that a reset names. The upstream is that of the present fork, unless there is a URL. */
async function forkedState({ initial }: Node, { chain, config }: NodeState, { url, block }: Forking) {
  const call = 'reset'
  const present = chain.fork?.upstream() ?? initial.chain.fork?.upstream()
  const upstream = url === undefined ? present : config.forks.connect(call, url)
  if (upstream === undefined) throw failure('noNetwork', { call })
  return config.forks.begin(upstream, block)
}

export const hardhat_reset = defineControl({
  summary:
    'Goes back to how the chain was created, clock and settings included, or forks another chain, by the option `fork.connect`; numbered snapshots are forgotten, and in hardhat their numbers begin anew.',
  params: [optional('options', resetOptions, { forking: undefined })],
  answer: 'done',
  async apply({ state, records, flavor, session: { node } }, { forking }) {
    const start = forking === undefined ? node.initial : await forkedState(node, state, forking)
    return resetState(start, state, records, flavor === 'hardhat' ? 'beginAnew' : 'goOn')
  },
})

export const hardhat_setRpcUrl = defineControl({
  summary:
    'Asks another upstream from now on, by the option `fork.connect`; does nothing if the chain is no fork.',
  params: [required('url', text)],
  example: { params: ['http://127.0.0.1:8545'] },
  answer: 'done',
  apply({ state }, url) {
    const { fork } = state.chain
    if (fork === undefined) return state
    if (fork.upstream() === undefined) throw failure('noNetwork', { call: 'setRpcUrl' })
    const upstream = state.config.forks.connect('setRpcUrl', url)
    return outcomeWith(state, undefined, () => fork.askInstead(upstream))
  },
})

export const hardhat_setLoggingEnabled = defineControl({
  summary: 'Does nothing: the chain prints nothing, whatever is asked for.',
  params: [required('isEnabled', boolean)],
  hardhat: { params: ['bool'] },
  answer: 'done',
  apply: ({ state }) => state,
})

export const anvil_enableTraces = defineControl({
  summary: 'Accepted without effect: every transaction and call can be traced.',
  answer: 'null',
  apply: ({ state }) => state,
})

export {
  hardhat_reset as anvil_reset,
  hardhat_reset as ganache_reset,
  hardhat_setLoggingEnabled as anvil_setLoggingEnabled,
  hardhat_setLoggingEnabled as ganache_setLoggingEnabled,
  hardhat_setRpcUrl as anvil_setRpcUrl,
  hardhat_setRpcUrl as ganache_setRpcUrl,
}

const revertOptions = recordCodec({ keep: or(boolean, false) })

export const evm_snapshot = defineCommand({
  summary: 'Remembers the chain as it is, under a number that is never used again.',
  hardhat: { params: [] },
  result: 'snapshot id: they count up from 0x0, or from 0x1 in the flavors hardhat and ganache',
  handle: ({ node, options }) =>
    node.execute((state, before) => {
      const records = saveSnapshot(before, state)
      const id = records.lastSnapshotNumber - 1 + firstSnapshotId(options.flavor)
      return { ...outcomeWith(state, toQuantity(id)), records }
    }),
})

export const evm_revert = defineCommand({
  summary:
    'Goes back to a snapshot; deletes it and later ones, unless `keep` is true. Subscriptions and filters are told what is gone.',
  params: [required('snapshotId', integer), optional('options', revertOptions, { keep: false })],
  hardhat: { params: ['u64'] },
  result: 'true, or false where there is no such snapshot',
  example: { params: ['0x1'] },
  handle: ({ node, options }, id, { keep }) =>
    node.execute((state, before) => {
      const number = id + 1 - firstSnapshotId(options.flavor)
      const saved = before.snapshots.get(number)
      if (saved === undefined) return outcomeWith(state, false)
      const records = keep ? before : useUpSnapshots(before, number)
      return { ...replaceState(state, saved), records, result: true }
    }),
})

export { evm_revert as anvil_revert, evm_snapshot as anvil_snapshot }

export const hardhat_dumpState = defineRead({
  summary: 'The whole chain as gzipped JSON for hardhat_loadState. anvil can load the accounts at its head.',
  // anvil's parameter; a dump always has the history.
  params: [optional('preserveHistoricalStates', boolean, true)],
  result: 'data',
  handle: async ({ state }, _history) =>
    bytesToHex(await (await load(import('../../node/control/dump.ts'))).dumpState(state)),
})

export const hardhat_loadState = defineControl({
  summary:
    'Loads a dump. One of our own replaces the whole chain, with clock and pool. The accounts of a dump of anvil are merged into the present ones.',
  params: [required('state', data)],
  // The JSON {"accounts":{}}
  example: { params: ['0x7b226163636f756e7473223a7b7d7d'] },
  answer: 'true',
  apply: async ({ state }, bytes) => (await import('../../node/control/dump.ts')).loadState(state, bytes),
})

export {
  hardhat_dumpState as anvil_dumpState,
  hardhat_dumpState as ganache_dumpState,
  hardhat_loadState as anvil_loadState,
  hardhat_loadState as ganache_loadState,
}
