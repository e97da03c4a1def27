// Calls and estimates.

import { estimateGas } from '../../execution/estimate-gas.ts'
import { returnDataOrThrow, runCall } from '../../execution/run-call.ts'
import { requireBlock } from '../../node/lookup.ts'
import { bytesToHex, toQuantity } from '../../primitives/hex.ts'
import { executionContext, toCallMessage, toEstimateMessage } from '../call-message.ts'
import { block } from '../codecs/block.ts'
import { optional, required } from '../codecs/codec.ts'
import { transactionRequest } from '../codecs/transaction-request.ts'
import { defineRead } from '../method.ts'

const EXAMPLE_CALL = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  value: '0x1',
}

export const eth_call = defineRead({
  summary:
    'Executes a message on the state of a block without changing anything, and answers its return bytes.',
  params: [required('transaction', transactionRequest), optional('block', block, 'latest')],
  result: 'data',
  example: { params: [EXAMPLE_CALL, 'latest'] },
  async handle(context, request, selector) {
    const view = requireBlock(context.config, context.state, selector)
    const message = toCallMessage(view, request)
    // Without a fee there is none to compare with: BASEFEE reads zero then, as in geth.
    const environment =
      message.gasPrice === 0n ? { ...view.environment, baseFeePerGas: 0n } : view.environment
    const result = await runCall(executionContext(context), view.state, environment, message)
    return bytesToHex(returnDataOrThrow(result))
  },
})

export const eth_estimateGas = defineRead({
  summary: 'The gas with which a transaction succeeds, to within 1.5% of the least, as geth searches it.',
  params: [required('transaction', transactionRequest), optional('block', block, 'pending')],
  result: 'quantity',
  example: { params: [EXAMPLE_CALL] },
  async handle(context, request, selector) {
    const view = requireBlock(context.config, context.state, selector)
    const message = toEstimateMessage(view, request)
    return toQuantity(await estimateGas(executionContext(context), view.state, view.environment, message))
  },
})
