// How transactions enter.

import { estimateGas } from '../../execution/estimate-gas.ts'
import type { TransactionFields, TransactionType } from '../../execution/transaction.ts'
import { requireBlock } from '../../node/lookup.ts'
import { submitTransaction } from '../../node/submit.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { signTransaction } from '../../pool/encode.ts'
import { countPending, queueOf } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address } from '../../primitives/hex.ts'
import { SUGGESTED_TIP } from '../../rollup/fees.ts'
import { isForkActive } from '../../rollup/forks.ts'
import { readAccount } from '../../state/world-state.ts'
import { executionContext, toEstimateMessage } from '../call-message.ts'
import { data, integer } from '../codecs/basic.ts'
import { optional, required } from '../codecs/codec.ts'
import { type TransactionRequest, transactionRequest } from '../codecs/transaction-request.ts'
import type { RpcReceipt } from '../format/receipt.ts'
import { defineCommand, type ReadContext } from '../method.ts'
import { readContext } from '../session.ts'

/** The first account's transaction with nonce 0: 1 wei to the second, at up to 3 gwei, of which 1 is the tip. */
const EXAMPLE_RAW =
  '0x02f86c827a6980843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0d88980f37a89' +
  '35c23f1c351cc55f4ed8641bf9d83b653de340f6cd516725197ea02c92763070333bf460cf77eb3f613d5177b7a63b37d324c744a9' +
  '4a1946edc0db'

/** The nonce after what an account has in blocks, partial blocks and, without a gap, in the pool. */
function nextNonce({ state, config }: ReadContext, sender: Address): bigint {
  const { nonce } = readAccount(requireBlock(config, state, 'pending').state, sender)
  return nonce + BigInt(countPending(queueOf(state.pool, sender), nonce))
}

function chooseType(context: ReadContext, request: TransactionRequest): TransactionType {
  if (request.type !== undefined) return request.type
  if (request.authorizationList !== undefined) return 4
  if (request.gasPrice !== undefined) return request.accessList === undefined ? 0 : 1
  return isForkActive(context.config.rules, 'london') ? 2 : 0
}

function chooseFees(
  request: TransactionRequest,
  baseFee: bigint,
  type: TransactionType,
): Pick<TransactionFields, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  if (type < 2) {
    const price = request.gasPrice ?? request.maxFeePerGas ?? baseFee + SUGGESTED_TIP
    return { maxFeePerGas: price, maxPriorityFeePerGas: price }
  }
  const feeCap = request.maxFeePerGas ?? request.gasPrice
  const tip = request.maxPriorityFeePerGas ?? request.gasPrice ?? SUGGESTED_TIP
  // Twice the base fee leaves room for six full blocks.
  if (feeCap === undefined) return { maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip }
  const isTipImplied = request.maxPriorityFeePerGas === undefined && tip > feeCap
  return { maxFeePerGas: feeCap, maxPriorityFeePerGas: isTipImplied ? feeCap : tip }
}

/** Fills what a request leaves open, as a wallet would. */
async function fillTransaction(
  context: ReadContext,
  sender: Address,
  request: TransactionRequest,
): Promise<TransactionFields> {
  const { config, state } = context
  const { rules } = config
  const view = requireBlock(config, state, 'pending')
  const chainId = request.chainId ?? BigInt(rules.chainId)
  if (chainId !== BigInt(rules.chainId))
    throw failure('wrongChainId', { given: chainId, expected: rules.chainId })
  const type = chooseType(context, request)
  const message = toEstimateMessage(view, request)
  const gasLimit =
    request.gas ?? (await estimateGas(executionContext(context), view.state, view.environment, message))
  return {
    type,
    chainId,
    nonce: request.nonce ?? nextNonce(context, sender),
    gasLimit,
    ...chooseFees(request, view.environment.baseFeePerGas, type),
    to: request.to,
    value: request.value ?? 0n,
    input: request.input,
    accessList: request.accessList ?? [],
    authorizationList: request.authorizationList ?? [],
    maxFeePerBlobGas: 0n,
    blobVersionedHashes: [],
  }
}

export const eth_sendRawTransaction = defineCommand({
  summary: 'Puts a signed transaction into the pool; it is considered for the next partial block.',
  params: [required('data', data)],
  result: 'transaction hash',
  example: { params: [EXAMPLE_RAW] },
  async handle({ node }, raw) {
    const transaction = decodeTransaction(raw)
    await node.execute((state) => submitTransaction(node.config, state, transaction))
    return transaction.hash
  },
})

export const eth_sendRawTransactionSync = defineCommand({
  summary:
    'Submits a signed transaction and answers with its receipt once it is pre-confirmed; the time-out is virtual (EIP-7966).',
  params: [required('data', data), optional('timeoutMs', integer, undefined)],
  result: 'receipt',
  example: { params: [EXAMPLE_RAW, 0], error: 'confirmationTimeout' },
  async handle(session, raw, timeoutMs) {
    const { node, options, waiters } = session
    const most = options.limits.syncTimeoutMs
    const timeout = timeoutMs ?? most
    if (timeout > most) throw failure('timeoutTooLong', { ms: timeout, most })
    const transaction = decodeTransaction(raw)
    let receipt: Promise<RpcReceipt> | undefined
    await node.execute(async (state) => {
      const accepted = await submitTransaction(node.config, state, transaction)
      receipt = new Promise((resolve, reject) => {
        const deadlineMs = state.nowMs + timeout
        waiters.add({ hash: transaction.hash, timeoutMs: timeout, deadlineMs, resolve, reject })
      })
      // The emulator may be disposed of before anybody waits for it.
      receipt.catch(() => undefined)
      return accepted
    })
    return receipt
  },
})

export const eth_sendTransaction = defineCommand({
  summary: 'Fills, signs and submits a transaction of an account that the emulator holds the key of.',
  params: [required('transaction', transactionRequest)],
  result: 'transaction hash',
  example: {
    params: [
      {
        from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
        to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
        value: '0x1',
      },
    ],
  },
  async handle(session, request) {
    const { node } = session
    const { config } = node
    const sender = request.from ?? [...config.accounts.keys()][0]
    const key = sender === undefined ? undefined : config.accounts.get(sender)
    if (sender === undefined || key === undefined) {
      throw failure('unknownAccount', { address: sender ?? '0x' })
    }
    const { hash } = await node.execute(async (state) => {
      const fields = await fillTransaction(readContext(session, state), sender, { ...request, from: sender })
      return submitTransaction(config, state, signTransaction(fields, key))
    })
    return hash
  },
})
