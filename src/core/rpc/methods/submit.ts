// Submission of transactions; Hardhat refuses to queue while it automines.

import { hasSlots } from '../../chain/block/block.ts'
import { failureOfTransaction } from '../../execution/call/run-call.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { checkValidity, type ValidityLimits } from '../../execution/transaction/validity.ts'
import type { Effect } from '../../node/events.ts'
import { findIncluded, requireBlock } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { likelySigner, submitTransaction } from '../../node/production/submit.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { failure, withData } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { passphrase } from '../codecs/accounts.ts'
import { data } from '../codecs/basic.ts'
import { integer, optional, refuse, required } from '../codecs/codec.ts'
import { transactionRequest } from '../codecs/overrides.ts'
import type { InclusionWait } from '../events/waits.ts'
import type { RpcReceipt } from '../format/receipt.ts'
import { defineCommand } from '../method.ts'
import { fillAndSign, fillUnsigned, nextNonce, unlockedContext } from '../requests/fill-transaction.ts'
import { readContext, type Session } from '../session.ts'
import { RAW_TRANSFER, TRANSFER } from './examples.ts'

/** No limit but those of the fork. */
const FORK_LIMITS: ValidityLimits = {
  transactionBytes: Number.POSITIVE_INFINITY,
  blockGasLimit: MAX_UINT64,
  minimumTip: 0n,
  allowUnlimitedContractSize: true,
}

/** Hardhat refuses while it automines what cannot be in the next block and would block its sender. */
function refuseToQueue(state: NodeState, transaction: Transaction): void {
  const { sender, nonce, type, gasLimit, maxFeePerGas: feeCap } = transaction
  const { rules, environment } = requireBlock(state, 'pending')
  const cap = rules.transactionGasCap ?? gasLimit
  checkValidity(rules, FORK_LIMITS, { ...transaction, gasLimit: gasLimit < cap ? gasLimit : cap })
  const next = nextNonce(state, sender)
  if (nonce > next) throw failure('nonceTooHigh', { next, nonce })
  if (nonce < next) throw failure('nonceTooLow', { next, nonce, isMinedAtOnce: true })
  const { baseFeePerGas: baseFee } = environment
  const hasBaseFee = isForkActive(rules, 'london')
  const least = hasBaseFee ? baseFee : state.controls.leastGasPrice
  if (feeCap >= least) return
  if (hasBaseFee) throw failure('feeCapTooLow', { sender, feeCap, baseFee, type })
  throw failure('tipTooLow', { tip: feeCap, least })
}

type TransactionOf = (state: NodeState) => Transaction | Promise<Transaction>

/** Submits the transaction that `transactionOf` makes in its turn. Its failure is thrown after its block is sealed. */
async function submit(session: Session, transactionOf: TransactionOf): Promise<Hash> {
  const { node, options } = session
  const { hash, error } = await node.execute(async (state, before) => {
    const transaction = await transactionOf(state)
    const isHardhats = options.flavor === 'hardhat' && state.settings.automines
    if (isHardhats) refuseToQueue(state, transaction)
    const accepted = await submitTransaction(state, transaction)
    const { hash } = transaction
    // Hardhat takes a snapshot of its own before each transaction that it mines at once, which uses up a number.
    const records = isHardhats ? { ...before, lastSnapshotNumber: before.lastSnapshotNumber + 1 } : before
    const found = options.throwOnTransactionFailures ? findIncluded(accepted.state, hash) : undefined
    const error = found && failureOfTransaction(found.executed)
    return { ...accepted, records, result: { hash, error } }
  })
  if (error === undefined) return hash
  if (session.known.contracts === undefined) throw error
  // With a Solidity stack trace.
  const { explainTransaction } = await session.known.explainer()
  throw await node.read((state) => explainTransaction(readContext(session, state), hash, error))
}

/** Decodes a transaction. Most are signed by an account whose key is known, which makes recovery faster. */
function decode({ node }: Session, raw: Uint8Array): Transaction {
  return decodeTransaction(raw, ({ nonce }) => likelySigner(node.state, nonce))
}

export const eth_sendRawTransaction = defineCommand({
  summary: 'Puts a signed transaction into the pool; it is considered for the next partial block.',
  params: [required('data', data)],
  hardhat: { params: ['variableBytes'] },
  result: 'transaction hash',
  example: { params: [RAW_TRANSFER] },
  handle(session, raw) {
    const transaction = decode(session, raw)
    return submit(session, () => transaction)
  },
})

function timeoutOf({ options }: Session, asked: number | undefined): number {
  const most = options.limits.syncTimeoutMs
  if (asked !== undefined && asked > most) throw failure('timeoutTooLong', { ms: asked, most })
  return asked ?? most
}

async function submitAndWait(
  { node, options, inclusionWaits, stalledWaits }: Session,
  timeoutMs: number,
  transactionOf: TransactionOf,
): Promise<RpcReceipt> {
  const { hash, receipt } = await node.execute(async (state) => {
    const transaction = await transactionOf(state)
    const accepted = await submitTransaction(state, transaction)
    const { hash } = transaction
    const awaited = { hash, confirmations: 0, followsReplacement: false, timeoutMs }
    const deadlineMs = state.nowMs + timeoutMs
    const effects: Effect[] = []
    const receipt = new Promise<RpcReceipt>((resolve, reject) => {
      const wait: InclusionWait = {
        awaited,
        deadlineMs,
        transaction,
        shownAs: options,
        resolve: (outcome) => resolve(outcome.receipt),
        reject: (error) =>
          reject(error ?? withData(failure('confirmationTimeout', { hash, ms: timeoutMs }), hash)),
      }
      effects.push(() => inclusionWaits.add(wait))
    })
    // The emulator may be disposed of before this is awaited.
    receipt.catch(() => undefined)
    // In an object, because the command ends before the receipt exists.
    return { ...accepted, effects, result: { hash, receipt } }
  })
  return receipt.finally(stalledWaits.noteWait(hash))
}

export const eth_sendRawTransactionSync = defineCommand({
  summary:
    'Submits a signed transaction and answers with its receipt once it is pre-confirmed; the time-out is virtual (EIP-7966).',
  params: [required('data', data), optional('timeoutMs', integer, undefined)],
  result: 'receipt',
  example: { params: [RAW_TRANSFER, 0], error: 'confirmationTimeout' },
  handle(session, raw, timeoutMs) {
    return submitAndWait(session, timeoutOf(session, timeoutMs), ({ chain }) => {
      // Base's node has the method from its flashblocks, which end with denim.
      const [method, nearest] = ['eth_sendRawTransactionSync', 'eth_sendRawTransaction']
      if (hasSlots(chain.head)) throw failure('methodNotFound', { method, nearest })
      return decode(session, raw)
    })
  },
})

export const eth_sendTransaction = defineCommand({
  summary:
    'Fills, signs and submits a transaction of an account that the emulator holds the key of, or impersonates.',
  params: [required('transaction', transactionRequest)],
  hardhat: { params: ['transactionRequest'] },
  result: 'transaction hash',
  handle: (session, request) => submit(session, (state) => fillAndSign(readContext(session, state), request)),
})

export const eth_sendUnsignedTransaction = defineCommand({
  summary:
    'Fills and submits a transaction of any account, signed or not: as if its sender were impersonated.',
  params: [required('transaction', transactionRequest)],
  result: 'transaction hash',
  handle(session, request) {
    const { from } = request
    if (from === undefined) refuse('0.from', 'missing')
    return submit(session, (state) => fillUnsigned(readContext(session, state), from, request))
  },
})

export const personal_sendTransaction = defineCommand({
  summary: 'Fills, signs and submits a transaction of an account that its passphrase opens for this once.',
  params: [required('transaction', transactionRequest), required('passphrase', passphrase)],
  result: 'transaction hash',
  handle: (session, request, secret) =>
    submit(session, (state) =>
      fillAndSign(unlockedContext(readContext(session, state), request, secret), request),
    ),
})

export const eth_sendTransactionSync = defineCommand({
  summary:
    'Fills, signs and submits a transaction, and answers with its receipt once it is pre-confirmed; the time-out is virtual.',
  params: [required('transaction', transactionRequest), optional('timeoutMs', integer, undefined)],
  result: 'receipt',
  example: { params: [TRANSFER, 0], error: 'confirmationTimeout' },
  handle: (session, request, timeoutMs) =>
    submitAndWait(session, timeoutOf(session, timeoutMs), (state) =>
      fillAndSign(readContext(session, state), request),
    ),
})
