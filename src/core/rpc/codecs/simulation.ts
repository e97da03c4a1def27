// Codec of the parameter of eth_simulateV1: blocks of calls, each with its overrides.

import type { SimulatedBlock } from '../../chain/simulate/simulation-plan.ts'
import type { Checking } from '../../execution/transaction/simulate-transaction.ts'
import type { TransferLogs } from '../../execution/transaction/simulated-logs.ts'
import { NO_STATE_OVERRIDES } from '../../state/overrides.ts'
import type { TransactionDetail } from '../format/block.ts'
import { arrayOf, boolean, hash } from './basic.ts'
import { type Codec, refuse } from './codec.ts'
import { converted, or, recordCodec, type WireOf } from './object.ts'
import { BLOCK_FIELDS, stateOverrides, toBlockOverrides } from './overrides.ts'
import { withdrawals } from './payload-attributes.ts'
import { transactionRequest } from './transaction-request.ts'

/** Limits of decoding. A simulation itself has a lower limit of blocks, and of calls by its gas. */
const MAX_BLOCKS = 1000
const MAX_CALLS = 5000

export interface SimulationRequest {
  readonly blocks: readonly SimulatedBlock[]
  readonly checking: Checking
  readonly transferLogs: TransferLogs
  readonly detail: TransactionDetail
}

const header = converted(
  recordCodec({ ...BLOCK_FIELDS, beaconRoot: hash, withdrawals: or(withdrawals, []) }, 'block overrides'),
  (fields) => toBlockOverrides(fields),
)

const blockFields = recordCodec({
  blockOverrides: or(header, header.decode({}, '')),
  stateOverrides: or(stateOverrides, NO_STATE_OVERRIDES),
  calls: or(arrayOf(transactionRequest, MAX_CALLS), []),
})

interface SimulatedBlockWire extends WireOf<typeof blockFields> {}

const simulatedBlock: Codec<SimulatedBlock, SimulatedBlockWire> = converted(
  blockFields,
  ({ blockOverrides, ...block }) => ({ header: blockOverrides, ...block }),
)

const fields = recordCodec(
  {
    blockStateCalls: or(arrayOf(simulatedBlock, MAX_BLOCKS), []),
    traceTransfers: or(boolean, false),
    validation: or(boolean, false),
    returnFullTransactions: or(boolean, false),
  },
  'object with blockStateCalls',
)

export interface SimulationRequestWire extends WireOf<typeof fields> {}

export const simulationRequest: Codec<SimulationRequest, SimulationRequestWire> = converted(
  fields,
  (given, path) => {
    const { blockStateCalls: blocks, traceTransfers, validation, returnFullTransactions } = given
    if (blocks.length === 0) refuse(`${path}.blockStateCalls`, 'expected at least one block')
    return {
      blocks,
      checking: validation ? 'full' : 'lenient',
      transferLogs: traceTransfers ? 'traced' : 'untraced',
      detail: returnFullTransactions ? 'full' : 'hashes',
    }
  },
)
