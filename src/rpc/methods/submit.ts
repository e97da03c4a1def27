// How transactions enter.

import type { Transaction } from '../../execution/transaction.ts'
import type { NodeState } from '../../node/node-state.ts'
import { submitTransaction } from '../../node/submit.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import { data, integer } from '../codecs/basic.ts'
import { optional, required } from '../codecs/codec.ts'
import { transactionRequest } from '../codecs/transaction-request.ts'
import { fillAndSign } from '../fill-transaction.ts'
import type { RpcReceipt } from '../format/receipt.ts'
import { defineCommand } from '../method.ts'
import { readContext, type Session } from '../session.ts'

/** The first account's transaction with nonce 0: 1 wei to the second, at up to 3 gwei, of which 1 is the tip. */
const EXAMPLE_RAW =
  '0x02f86c827a6980843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0d88980f37a89' +
  '35c23f1c351cc55f4ed8641bf9d83b653de340f6cd516725197ea02c92763070333bf460cf77eb3f613d5177b7a63b37d324c744a9' +
  '4a1946edc0db'

const EXAMPLE_REQUEST = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  value: '0x1',
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

function timeoutOf({ options }: Session, asked: number | undefined): number {
  const most = options.limits.syncTimeoutMs
  if (asked !== undefined && asked > most) throw failure('timeoutTooLong', { ms: asked, most })
  return asked ?? most
}

/** Submits what is made of the state when the turn comes, and waits for its receipt. */
async function submitAndWait(
  { node, waiters }: Session,
  timeoutMs: number,
  transactionOf: (state: NodeState) => Transaction | Promise<Transaction>,
): Promise<RpcReceipt> {
  const { receipt } = await node.execute(async (state) => {
    const transaction = await transactionOf(state)
    const accepted = await submitTransaction(node.config, state, transaction)
    const receipt = new Promise<RpcReceipt>((resolve, reject) => {
      const deadlineMs = state.nowMs + timeoutMs
      waiters.add({ hash: transaction.hash, timeoutMs, deadlineMs, resolve, reject })
    })
    // The emulator may be disposed of before anybody waits for it.
    receipt.catch(() => undefined)
    // In an object, for the command is over before the receipt is there.
    return { ...accepted, result: { receipt } }
  })
  return receipt
}

export const eth_sendRawTransactionSync = defineCommand({
  summary:
    'Submits a signed transaction and answers with its receipt once it is pre-confirmed; the time-out is virtual (EIP-7966).',
  params: [required('data', data), optional('timeoutMs', integer, undefined)],
  result: 'receipt',
  example: { params: [EXAMPLE_RAW, 0], error: 'confirmationTimeout' },
  handle(session, raw, timeoutMs) {
    const timeout = timeoutOf(session, timeoutMs)
    const transaction = decodeTransaction(raw)
    return submitAndWait(session, timeout, () => transaction)
  },
})

export const eth_sendTransaction = defineCommand({
  summary: 'Fills, signs and submits a transaction of an account that the emulator holds the key of.',
  params: [required('transaction', transactionRequest)],
  result: 'transaction hash',
  example: { params: [EXAMPLE_REQUEST] },
  async handle(session, request) {
    const { node } = session
    const { hash } = await node.execute(async (state) =>
      submitTransaction(node.config, state, await fillAndSign(readContext(session, state), request)),
    )
    return hash
  },
})

export const eth_sendTransactionSync = defineCommand({
  summary:
    'Fills, signs and submits a transaction, and answers with its receipt once it is pre-confirmed; the time-out is virtual.',
  params: [required('transaction', transactionRequest), optional('timeoutMs', integer, undefined)],
  result: 'receipt',
  example: { params: [EXAMPLE_REQUEST, 0], error: 'confirmationTimeout' },
  handle: (session, request, timeoutMs) =>
    submitAndWait(session, timeoutOf(session, timeoutMs), (state) =>
      fillAndSign(readContext(session, state), request),
    ),
})
