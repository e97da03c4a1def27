// Codec of the parameter of eth_simulateV1: blocks of calls, each with its overrides.

import type { SimulatedBlock, SimulatedHeader } from '../../chain/simulate/simulation-plan.ts'
import type { Checking } from '../../execution/transaction/simulate-transaction.ts'
import type { TransferLogs } from '../../execution/transaction/simulated-logs.ts'
import { NO_STATE_OVERRIDES } from '../../state/overrides.ts'
import type { TransactionDetail } from '../format/block.ts'
import { arrayOf, asFields, boolean, field, hash } from './basic.ts'
import { type Codec, refuse } from './codec.ts'
import {
  type AccountOverrideWire,
  BLOCK_FIELDS,
  type BlockOverridesWire,
  decodeBlockOverrides,
  stateOverrides,
} from './overrides.ts'
import { MAX_WITHDRAWALS, withdrawal } from './payload-attributes.ts'
import { type TransactionRequestWire, transactionRequest } from './transaction-request.ts'

/** Limits of decoding. A simulation itself has a lower limit of blocks, and of calls by its gas. */
const MAX_BLOCKS = 1000
const MAX_CALLS = 5000

export interface SimulationRequest {
  readonly blocks: readonly SimulatedBlock[]
  readonly checking: Checking
  readonly transferLogs: TransferLogs
  readonly detail: TransactionDetail
}

interface SimulatedBlockWire {
  readonly blockOverrides?:
    | (BlockOverridesWire & {
        readonly beaconRoot?: string | null
        readonly withdrawals?: readonly unknown[] | null
      })
    | null
  readonly stateOverrides?: Readonly<Record<string, AccountOverrideWire>> | null
  readonly calls?: readonly TransactionRequestWire[] | null
}

export interface SimulationRequestWire {
  readonly blockStateCalls: readonly SimulatedBlockWire[]
  readonly traceTransfers?: boolean | null
  readonly validation?: boolean | null
  readonly returnFullTransactions?: boolean | null
}

const header: Codec<SimulatedHeader> = {
  name: 'block overrides',
  decode(value, path) {
    const record = asFields(value, path, [...BLOCK_FIELDS, 'beaconRoot', 'withdrawals'])
    return {
      ...decodeBlockOverrides(record, path),
      beaconRoot: field(record, 'beaconRoot', hash, path),
      withdrawals: field(record, 'withdrawals', arrayOf(withdrawal, MAX_WITHDRAWALS), path) ?? [],
    }
  },
}

const simulatedBlock: Codec<SimulatedBlock> = {
  name: 'simulated block',
  decode(value, path) {
    const record = asFields(value, path, ['blockOverrides', 'stateOverrides', 'calls'])
    return {
      header: header.decode(record['blockOverrides'] ?? {}, `${path}.blockOverrides`),
      stateOverrides: field(record, 'stateOverrides', stateOverrides, path) ?? NO_STATE_OVERRIDES,
      calls: field(record, 'calls', arrayOf(transactionRequest, MAX_CALLS), path) ?? [],
    }
  },
}

const REQUEST_FIELDS = ['blockStateCalls', 'traceTransfers', 'validation', 'returnFullTransactions'] as const

export const simulationRequest: Codec<SimulationRequest, SimulationRequestWire> = {
  name: 'object with blockStateCalls',
  decode(value, path) {
    const record = asFields(value, path, REQUEST_FIELDS)
    const blocks = field(record, 'blockStateCalls', arrayOf(simulatedBlock, MAX_BLOCKS), path) ?? []
    if (blocks.length === 0) refuse(`${path}.blockStateCalls`, 'expected at least one block')
    const isSet = (name: (typeof REQUEST_FIELDS)[number]): boolean =>
      field(record, name, boolean, path) ?? false
    return {
      blocks,
      checking: isSet('validation') ? 'full' : 'lenient',
      transferLogs: isSet('traceTransfers') ? 'traced' : 'untraced',
      detail: isSet('returnFullTransactions') ? 'full' : 'hashes',
    }
  },
}
