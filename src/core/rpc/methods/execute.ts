// Calls, gas estimates and access lists.

import { blockHashesOf, viewOfSealed } from '../../chain/chain.ts'
import type { SimulatedBlockResult } from '../../chain/simulate/simulate.ts'
import type { SimulatedBlock } from '../../chain/simulate/simulation-plan.ts'
import { type CallResult, probeCall, returnDataOrThrow, runCall } from '../../execution/call/run-call.ts'
import type { CustomErrors } from '../../execution/result/console-log.ts'
import { revertReason } from '../../execution/result/revert-reason.ts'
import type { SimulatedTransaction } from '../../execution/transaction/simulate-transaction.ts'
import { findBlock } from '../../node/lookup.ts'
import { executionContext, scheduleIn } from '../../node/node-state.ts'
import { failure, revertFailure } from '../../primitives/errors.ts'
import { bytesToHex, toQuantity } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import type { Rules } from '../../rollup/rules.ts'
import { NO_STATE_OVERRIDES } from '../../state/overrides.ts'
import { arrayOf, block, boolean, hash } from '../codecs/basic.ts'
import { optional, refuse, required } from '../codecs/codec.ts'
import { converted, or, recordCodec } from '../codecs/object.ts'
import * as overriding from '../codecs/overrides.ts'
import { blockOverrides, stateOverrides, transactionRequest } from '../codecs/overrides.ts'
import { callOf, estimateOf } from '../flavor/chain.ts'
import { formatBlock, type TransactionDetail } from '../format/block.ts'
import { formatLogs, type PresentedBlock } from '../format/receipt.ts'
import type { RpcTransaction } from '../format/transaction.ts'
import { defineRead } from '../method.ts'
import { callSiteIn, placeCall, simulationGasCap, toCallMessage } from '../requests/call-message.ts'
import { estimateAt } from '../requests/fill-transaction.ts'
import { tellCall, withExplainedFailure } from '../session.ts'
import { TRANSFER } from './examples.ts'

/** A call; `maxUsedGas` is before the refund. */
function formatCall(block: PresentedBlock, simulated: SimulatedTransaction, errors: CustomErrors) {
  const { executed, result, logs } = simulated
  const indexed = formatLogs(block, executed, logs).map((log, position) => ({
    ...log,
    logIndex: toQuantity(executed.firstLogIndex + (logs[position]?.index ?? 0)),
  }))
  const { outcome, returnData } = result
  const shownError = () => {
    // With data for a revert, else with a message only.
    const { code, message, data } =
      outcome === 'revert'
        ? revertFailure(revertReason(returnData, errors), bytesToHex(returnData))
        : failure('simulatedExecutionFailed', { reason: result.failure ?? 'unknown' })
    return { code, message, ...(data === undefined ? {} : { data }) }
  }
  return {
    returnData: outcome === 'success' ? bytesToHex(returnData) : '0x',
    logs: indexed,
    gasUsed: toQuantity(result.gasUsed),
    maxUsedGas: toQuantity(result.peakGas),
    status: toQuantity(executed.receipt.status),
    ...(outcome === 'success' ? {} : { error: shownError() }),
  }
}

function formatSimulatedBlock(
  { block, calls }: SimulatedBlockResult,
  detail: TransactionDetail,
  errors: CustomErrors,
) {
  const { hash, header } = block
  const shown: PresentedBlock = {
    view: viewOfSealed(block),
    number: toQuantity(header.number),
    hash: () => hash,
    isUnmined: false,
  }
  const formatted = formatBlock(shown, detail)
  const full = formatted.transactions as readonly RpcTransaction[]
  return {
    ...formatted,
    // Unsigned, so v is zero in legacy transactions as well.
    transactions:
      detail === 'full' ? full.map((each) => ({ ...each, v: '0x0' as const })) : formatted.transactions,
    calls: calls.map((call) => formatCall(shown, call, errors)),
  }
}

export interface RpcSimulatedBlock extends ReturnType<typeof formatSimulatedBlock> {}

/** Limits of decoding. A simulation itself has a lower limit of blocks, and of calls by its gas. */
const MAX_BLOCKS = 1000
const MAX_CALLS = 5000

const header = converted(
  recordCodec(
    { ...overriding.BLOCK_FIELDS, beaconRoot: hash, withdrawals: or(overriding.withdrawals, []) },
    'block overrides',
  ),
  (fields) => overriding.toBlockOverrides(fields),
)

const simulatedBlock = converted(
  recordCodec({
    blockOverrides: or(header, header.decode({}, '')),
    stateOverrides: or(stateOverrides, NO_STATE_OVERRIDES),
    calls: or(arrayOf(transactionRequest, MAX_CALLS), []),
  }),
  ({ blockOverrides, ...block }): SimulatedBlock => ({ header: blockOverrides, ...block }),
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

const simulationRequest = converted(fields, (given, path) => {
  const { blockStateCalls: blocks, traceTransfers, validation, returnFullTransactions } = given
  if (blocks.length === 0) refuse(`${path}.blockStateCalls`, 'expected at least one block')
  return {
    blocks,
    checking: validation ? 'full' : 'lenient',
    transferLogs: traceTransfers ? 'traced' : 'untraced',
    detail: returnFullTransactions ? 'full' : 'hashes',
  } as const
})

const stateOverridesParameter = optional('stateOverrides', stateOverrides, NO_STATE_OVERRIDES)

function callParameters(tag: 'latest' | 'pending') {
  const at = optional('block', block, tag, 'state')
  const ofBlock = optional('blockOverrides', blockOverrides, undefined)
  return [required('transaction', transactionRequest), at, stateOverridesParameter, ofBlock] as const
}

export const eth_call = defineRead({
  summary:
    'Executes a call on the state of a block, with overrides if given, and returns its data. Changes nothing.',
  params: callParameters('latest'),
  hardhat: { variant: 'Call', params: ['callRequest', 'blockSpec?', 'overrides?'] },
  result: 'data',
  async handle(context, request, selector, accounts, blockFields) {
    const site = callSiteIn(context, selector, accounts, blockFields)
    const call = callOf(context, site, request, blockFields)
    const result = await runCall(call, probeCall('call', call))
    tellCall(context, 'call', result.consoleCalls, call.environment)
    if (!context.options.throwOnCallFailures) return bytesToHex(result.returnData)
    return withExplainedFailure(context, call, () => bytesToHex(returnDataOrThrow(result)))
  },
})

export const eth_estimateGas = defineRead({
  summary: 'The least gas with which a transaction succeeds, to the unit.',
  params: callParameters('pending'),
  hardhat: { variant: 'EstimateGas', params: ['callRequest', 'blockSpec?', '+overrides'] },
  result: 'quantity',
  example: { params: [TRANSFER] },
  async handle(context, request, selector, accounts, blockFields) {
    const site = callSiteIn(context, selector, accounts, blockFields)
    const call = estimateOf(context, site, request, blockFields)
    const { gasEstimationMode: mode } = context.options
    const onRun = ({ consoleCalls }: CallResult): void =>
      tellCall(context, 'estimate', consoleCalls, call.environment)
    return toQuantity(await estimateAt(context, call, { mode, onRun }))
  },
})

export const eth_createAccessList = defineRead({
  summary:
    'The access list (EIP-2930) of a call: what it accesses besides sender, recipient and precompiles, and its gas with the list.',
  params: [
    required('transaction', transactionRequest),
    optional('block', block, 'latest', 'state'),
    stateOverridesParameter,
  ],
  result: 'object with accessList, gasUsed and, if the call fails, error',
  async handle(context, request, selector, accounts) {
    const site = callSiteIn(context, selector, accounts)
    const call = placeCall(site, toCallMessage(context.options.limits, site, request))
    const loaded = await load(import('../../execution/call/access-list.ts'))
    const { accessList, result } = await loaded.createAccessList(call)
    const error = result.outcome === 'revert' ? 'execution reverted' : result.failure
    return {
      accessList,
      ...(error === undefined ? {} : { error }),
      gasUsed: toQuantity(result.gasUsed),
    }
  },
})

const EXAMPLE_ACCOUNT = '0xc000000000000000000000000000000000000000'

export const eth_simulateV1 = defineRead({
  summary:
    'Executes calls in simulated blocks on top of a block, with overrides of state and header, and returns the blocks with the result of each call. Changes nothing.',
  params: [required('simulation', simulationRequest), optional('block', block, 'latest', 'state')],
  result: 'array of blocks with calls',
  example: {
    params: [
      {
        blockStateCalls: [
          {
            stateOverrides: { [EXAMPLE_ACCOUNT]: { balance: '0x3e8' } },
            calls: [
              {
                from: EXAMPLE_ACCOUNT,
                to: '0xc100000000000000000000000000000000000000',
                value: '0x3e8',
              },
            ],
          },
        ],
        traceTransfers: true,
      },
      'latest',
    ],
  },
  async handle(context, request, selector) {
    const { state, options, known } = context
    const base = findBlock(state, selector)
    if (base === undefined) throw failure('simulationBaseNotFound')
    const simulated = {
      schedule: scheduleIn(state),
      executionUnder: (rules: Rules) => executionContext(state, rules),
    }
    const { blocks, checking, transferLogs, detail } = request
    const gasBudget = simulationGasCap(options.limits)
    const simulation = { blocks, checking, transferLogs, gasBudget }
    const { simulateBlocks } = await load(import('../../chain/simulate/simulate.ts'))
    const results = await simulateBlocks(simulated, base.block(), blockHashesOf(state.chain), simulation)
    for (const { block, calls } of results)
      for (const { executed } of calls) tellCall(context, 'simulation', executed.consoleCalls, block.header)
    return results.map(
      (result): RpcSimulatedBlock => formatSimulatedBlock(result, detail, known.customErrors),
    )
  },
})
