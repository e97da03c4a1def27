// Codecs of debug_traceCallMany, as reth and Erigon have it: bundles of calls, and where they run.

import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import type { BlockSelector } from '../../node/lookup.ts'
import { arrayOf, asFields, field } from './basic.ts'
import { type BlockWire, block } from './block.ts'
import { type Codec, refuse } from './codec.ts'
import { integer } from './numbers.ts'
import { type BlockOverridesWire, blockOverrides } from './overrides.ts'
import {
  type TransactionRequest,
  type TransactionRequestWire,
  transactionRequest,
} from './transaction-request.ts'

const MAX_CALLS = 5000

/** Calls that run one after another in one block. */
export interface CallBundle {
  readonly calls: readonly TransactionRequest[]
  readonly block: BlockOverrides | undefined
}

export interface CallBundleWire {
  readonly transactions?: readonly TransactionRequestWire[] | null
  readonly blockOverride?: BlockOverridesWire | null
}

const callBundle: Codec<CallBundle, CallBundleWire> = {
  name: 'object with transactions, blockOverride',
  decode(value, path) {
    const record = asFields(value, path, ['transactions', 'blockOverride'])
    return {
      calls: field(record, 'transactions', arrayOf(transactionRequest, MAX_CALLS), path) ?? [],
      block: field(record, 'blockOverride', blockOverrides, path),
    }
  },
}

export const callBundles: Codec<readonly CallBundle[], readonly CallBundleWire[]> = {
  name: 'array of bundles',
  decode(value, path) {
    const bundles = arrayOf(callBundle, MAX_CALLS).decode(value, path)
    if (bundles.length === 0) refuse(path, 'expected at least one bundle')
    return bundles
  },
}

/** A place in a block. */
export interface StateContext {
  readonly block: BlockSelector
  /** Before this transaction; `undefined` for after the last. */
  readonly index: number | undefined
}

export interface StateContextWire {
  readonly blockNumber?: BlockWire | null
  readonly transactionIndex?: string | number | null
}

export const LATEST_END: StateContext = { block: 'latest', index: undefined }

export const stateContext: Codec<StateContext, StateContextWire> = {
  name: 'object with blockNumber, transactionIndex',
  decode(value, path) {
    const record = asFields(value, path, ['blockNumber', 'transactionIndex'])
    // reth and Erigon write -1 for after the last.
    const isEnd = record.transactionIndex === -1
    return {
      block: field(record, 'blockNumber', block, path) ?? 'latest',
      index: isEnd ? undefined : field(record, 'transactionIndex', integer, path),
    }
  },
}
