// Calls, gas estimates and access lists.

import { affordableGas, estimateGas } from '../../execution/call/estimate-gas.ts'
import { type CallResult, probeCall, returnDataOrThrow, runCall } from '../../execution/call/run-call.ts'
import { requireBlock } from '../../node/lookup.ts'
import { bytesToHex, toQuantity } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { NO_STATE_OVERRIDES } from '../../state/overrides.ts'
import { block } from '../codecs/block.ts'
import { optional, required } from '../codecs/codec.ts'
import { blockOverrides, stateOverrides } from '../codecs/overrides.ts'
import { transactionRequest } from '../codecs/transaction-request.ts'
import { withExplainedFailure } from '../failed-calls.ts'
import { callOf, estimateOf, shownEstimate } from '../flavor/calls.ts'
import { defineRead } from '../method.ts'
import { environmentOfCall, toCallMessage } from '../requests/call-message.ts'
import { callSiteAt } from '../requests/call-site.ts'

const EXAMPLE_CALL = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  value: '0x1',
}

const stateOverridesParameter = optional('stateOverrides', stateOverrides, NO_STATE_OVERRIDES)
const blockOverridesParameter = optional('blockOverrides', blockOverrides, undefined)

export const eth_call = defineRead({
  summary:
    'Executes a call on the state of a block, with overrides if given, and returns its data. Changes nothing.',
  params: [
    required('transaction', transactionRequest),
    optional('block', block, 'latest'),
    stateOverridesParameter,
    blockOverridesParameter,
  ],
  beforeFork: ['state', 1],
  result: 'data',
  example: { params: [EXAMPLE_CALL, 'latest'] },
  async handle(context, request, selector, accounts, blockFields) {
    const view = requireBlock(context.config, context.state, selector)
    const site = callSiteAt(context, view, accounts, blockFields)
    const { message, environment } = callOf(context, site, request, blockFields)
    const result = await runCall(
      site.execution,
      site.state,
      environment,
      message,
      probeCall(site.execution, 'call', message),
    )
    const { number: blockNumber } = environment
    context.tellConsole(result.consoleCalls, { origin: 'call', transactionHash: undefined, blockNumber })
    if (!context.options.throwOnCallFailures) return bytesToHex(result.returnData)
    return withExplainedFailure(context, { site, environment, message }, () =>
      bytesToHex(returnDataOrThrow(result)),
    )
  },
})

export const eth_estimateGas = defineRead({
  summary: 'The least gas with which a transaction succeeds, to the unit.',
  params: [
    required('transaction', transactionRequest),
    optional('block', block, 'pending'),
    stateOverridesParameter,
    blockOverridesParameter,
  ],
  beforeFork: ['state', 1],
  result: 'quantity',
  example: { params: [EXAMPLE_CALL] },
  async handle(context, request, selector, accounts, blockFields) {
    const view = requireBlock(context.config, context.state, selector)
    const site = callSiteAt(context, view, accounts, blockFields)
    const { message, environment } = estimateOf(context, site, request, blockFields)
    const { number: blockNumber } = environment
    const onRun = ({ consoleCalls }: CallResult): void =>
      context.tellConsole(consoleCalls, { origin: 'estimate', transactionHash: undefined, blockNumber })
    const mode = context.options.gasEstimationMode
    const gasLimit = affordableGas(site.state, message)
    const run = { site, environment, message: { ...message, gasLimit } }
    const estimate = await withExplainedFailure(context, run, () =>
      estimateGas(site.execution, site.state, environment, message, { mode, onRun }),
    )
    return toQuantity(shownEstimate(context, site, message, estimate))
  },
})

export const eth_createAccessList = defineRead({
  summary:
    'The access list (EIP-2930) of a call: what it accesses besides sender, recipient and precompiles, and its gas with the list.',
  params: [
    required('transaction', transactionRequest),
    optional('block', block, 'latest'),
    stateOverridesParameter,
  ],
  beforeFork: ['state', 1],
  result: 'object with accessList, gasUsed and, if the call fails, error',
  example: { params: [EXAMPLE_CALL, 'latest'] },
  async handle(context, request, selector, accounts) {
    const view = requireBlock(context.config, context.state, selector)
    const site = callSiteAt(context, view, accounts, undefined)
    const message = toCallMessage(context.options.limits, site, request)
    const environment = environmentOfCall(site, message, undefined)
    const { createAccessList } = await load(import('../../execution/call/access-list.ts'))
    const { accessList, result } = await createAccessList(site.execution, site.state, environment, message)
    const error = result.outcome === 'revert' ? 'execution reverted' : result.failure
    return {
      accessList,
      ...(error === undefined ? {} : { error }),
      gasUsed: toQuantity(result.gasUsed),
    }
  },
})
