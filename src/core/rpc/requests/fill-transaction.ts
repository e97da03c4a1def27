// Wallet side of a transaction request: defaults for missing fields, and the signature of a held key.

import { affordableGas, estimateGas } from '../../execution/call/estimate-gas.ts'
import type { CallResult, PlacedCall } from '../../execution/call/run-call.ts'
import type { Transaction, TransactionType } from '../../execution/transaction/transaction.ts'
import { heldAccounts, keyToSend, unlockAccount } from '../../node/control/wallet.ts'
import { requireBlock } from '../../node/lookup.ts'
import { currentOpenBlock, type NodeState } from '../../node/node-state.ts'
import { withPoolShown } from '../../node/pending.ts'
import { completeFields, impersonatedTransaction, signTransaction } from '../../pool/payload.ts'
import { countPending, queueOf } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { Miss } from '../../state/overlay-map.ts'
import { readAccount } from '../../state/world-state.ts'
import { refuse } from '../codecs/codec.ts'
import type { TransactionRequest } from '../codecs/overrides.ts'
import { estimateOf, shownEstimate, suggestedTipIn } from '../flavor/chain.ts'
import { type ReadContext, tellCall, withExplainedFailure } from '../session.ts'
import { callSiteAt, checkCreation } from './call-message.ts'

/** The next nonce of an account, counting pre-confirmed transactions and gapless pooled ones. */
export function nextNonce(state: NodeState, sender: Address): bigint {
  const { nonce } = readAccount(currentOpenBlock(state).state, sender)
  return nonce + BigInt(countPending(queueOf(state.pool, sender), nonce))
}

function chooseType(rules: Rules, request: TransactionRequest): TransactionType {
  // A request has no field for the blobs themselves.
  const { type, gasPrice, accessList, authorizationList, blobVersionedHashes } = request
  if (type === 3 || blobVersionedHashes !== undefined)
    throw failure('transactionTypeNotSupported', { type: 3 })
  if (type !== undefined) return type
  if (authorizationList !== undefined) return 4
  if (gasPrice === undefined && isForkActive(rules, 'london')) return 2
  return accessList === undefined ? 0 : 1
}

function chooseFees(request: TransactionRequest, baseFee: bigint, suggested: bigint, type: TransactionType) {
  if (type < 2) {
    const price = request.gasPrice ?? request.maxFeePerGas ?? baseFee + suggested
    return { maxFeePerGas: price, maxPriorityFeePerGas: price }
  }
  const feeCap = request.maxFeePerGas ?? request.gasPrice
  const tip = request.maxPriorityFeePerGas ?? request.gasPrice ?? suggested
  // Twice the base fee is enough for five full blocks: each raises it by at most 1/8 (EIP-1559).
  if (feeCap === undefined) return { maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip }
  const isTipImplied = request.maxPriorityFeePerGas === undefined && tip > feeCap
  return { maxFeePerGas: feeCap, maxPriorityFeePerGas: isTipImplied ? feeCap : tip }
}

/** Refuses a list that the transaction type does not have; the signed transaction would lack it. */
function checkLists(type: TransactionType, { accessList, authorizationList }: TransactionRequest): void {
  const reason = `a transaction of type ${type} has none`
  if (type === 0 && accessList !== undefined) refuse('0.accessList', reason)
  if (type !== 4 && authorizationList !== undefined) refuse('0.authorizationList', reason)
}

export async function estimateAt(
  context: ReadContext,
  call: PlacedCall,
  options: NonNullable<Parameters<typeof estimateGas>[1]>,
): Promise<bigint> {
  const run = { ...call, message: { ...call.message, gasLimit: affordableGas(call) } }
  const estimate = await withExplainedFailure(context, run, () => estimateGas(call, options))
  return shownEstimate(context, call, estimate)
}

/** Tells of console.log only if it fails: otherwise the transaction itself makes the same calls. */
async function estimateFor(context: ReadContext, request: TransactionRequest) {
  const { state } = context
  const site = callSiteAt(context, requireBlock(await withPoolShown(state), 'pending'))
  const call = estimateOf(context, site, request)
  let logged: CallResult['consoleCalls'] = []
  try {
    return await estimateAt(context, call, {
      onRun({ consoleCalls }) {
        logged = consoleCalls
      },
    })
  } catch (error) {
    // It runs again.
    if (error instanceof Miss) throw error
    tellCall(context, 'estimate', logged, call.environment)
    throw error
  }
}

export async function fillTransaction(context: ReadContext, sender: Address, request: TransactionRequest) {
  const { state } = context
  const view = requireBlock(state, 'pending')
  const { rules } = view
  if (context.options.flavor === 'hardhat') checkCreation(request)
  const chainId = request.chainId ?? BigInt(rules.chainId)
  if (chainId !== BigInt(rules.chainId))
    throw failure('wrongChainId', { given: chainId, expected: rules.chainId })
  const type = chooseType(rules, request)
  checkLists(type, request)
  return {
    // A request has no field for blobs.
    ...completeFields({ ...request, maxFeePerBlobGas: undefined, blobVersionedHashes: undefined }),
    type,
    chainId,
    nonce: request.nonce ?? nextNonce(state, sender),
    gasLimit:
      request.gas ?? context.options.defaultTransactionGasLimit ?? (await estimateFor(context, request)),
    ...chooseFees(request, view.environment.baseFeePerGas, suggestedTipIn(context), type),
  }
}

export function requestOf({ sender, gasLimit, ...fields }: Transaction): TransactionRequest {
  return { ...fields, from: sender, gas: gasLimit, gasPrice: undefined }
}

export function requestSender({ state }: ReadContext, { from }: Pick<TransactionRequest, 'from'>) {
  return from ?? heldAccounts(state)[0]
}

export function requireSender(context: ReadContext, request: TransactionRequest): Address {
  const sender = requestSender(context, request)
  if (sender === undefined) throw failure('unknownAccount', { address: '0x' })
  return sender
}

export function unlockedContext(context: ReadContext, request: TransactionRequest, passphrase: string) {
  const sender = requireSender(context, request)
  return { ...context, state: unlockAccount(context.state, sender, passphrase, Number.POSITIVE_INFINITY) }
}

export async function fillUnsigned(context: ReadContext, sender: Address, request: TransactionRequest) {
  return impersonatedTransaction(await fillTransaction(context, sender, { ...request, from: sender }), sender)
}

/** Throws `unknownAccount` or `accountLocked`. For an impersonated sender nothing is signed. */
export async function fillAndSign(context: ReadContext, request: TransactionRequest): Promise<Transaction> {
  const sender = requireSender(context, request)
  const key = keyToSend(context.state, sender)
  if (key === undefined) return fillUnsigned(context, sender, request)
  const fields = await fillTransaction(context, sender, { ...request, from: sender })
  return signTransaction(fields, sender, key)
}
