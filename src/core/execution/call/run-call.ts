// Execution of messages that are not transactions: eth_call and the runs of eth_estimateGas. Their state is discarded.
// Overrides of their block have the fields of geth and the execution-apis. The slot behind a view function, such as
// `balanceOf` of an ERC-20 token, is found by calls: candidates are the slots that it reads, in any contract; the right
// one changes the result when it is written. A slot that packs other values too, or holds the result in another form,
// does not match.

import { toChecksumAddress } from '../../primitives/crypto.ts'
import { failure, revertFailure, type TickchainError, withTransaction } from '../../primitives/errors.ts'
import * as hex from '../../primitives/hex.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { missedIn } from '../../state/overlay-map.ts'
import * as worlds from '../../state/world-state.ts'
import { runTransfer, withEvm } from '../evm/evm-pool.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import * as evms from '../evm/pooled-evm.ts'
import { type MessageFields, type MessageResult, runMessage } from '../evm/run-message.ts'
import { revertReason } from '../result/revert-reason.ts'
import { observe, runProbed } from '../trace/observe.ts'
import type { Observer, StateAccess } from '../trace/observer.ts'
import { gasShortfall } from '../transaction/intrinsic-gas.ts'
import { settlementOf } from '../transaction/payment.ts'
import { FREE_OF_ROLLUP_FEES } from '../transaction/rollup-fees.ts'
import { blobGasOf, type ExecutedTransaction } from '../transaction/transaction.ts'

/** Values in place of the block's own; `undefined` keeps a field. */
export interface BlockOverrides {
  readonly number: number | undefined
  /** Seconds. */
  readonly timestamp: number | undefined
  readonly coinbase: hex.Address | undefined
  readonly gasLimit: bigint | undefined
  readonly prevRandao: hex.Hash | undefined
  readonly baseFeePerGas: bigint | undefined
  readonly blobBaseFee: bigint | undefined
  /** No effect after the merge. */
  readonly difficulty: bigint | undefined
}

/** The environment with overrides applied; `rules` are those for the overridden number and time. */
export function overrideEnvironment(
  rules: Rules,
  environment: BlockEnvironment,
  overrides: BlockOverrides,
): BlockEnvironment {
  const difficulty = isForkActive(rules, 'paris') ? 0n : (overrides.difficulty ?? environment.difficulty)
  return evms.environmentWith(environment, {
    number: overrides.number ?? environment.number,
    timestamp: overrides.timestamp ?? environment.timestamp,
    coinbase: overrides.coinbase ?? environment.coinbase,
    gasLimit: overrides.gasLimit ?? environment.gasLimit,
    prevRandao: overrides.prevRandao ?? environment.prevRandao,
    baseFeePerGas: overrides.baseFeePerGas ?? environment.baseFeePerGas,
    blobBaseFee: overrides.blobBaseFee ?? environment.blobBaseFee,
    difficulty,
  })
}

export interface CallMessage extends MessageFields {
  /** Wei per gas that the sender must be able to pay, as in geth; at least the gas price. */
  readonly feeCap: bigint
  /** The same per blob gas; zero if the call names none. */
  readonly maxFeePerBlobGas: bigint
  /** The sender needs what the call costs, or is lent what it lacks. Default: required, as in geth. */
  readonly funds?: 'required' | 'lent'
}

/** Where a call runs: the end of a block, or another state in it. */
export interface CallSite {
  readonly execution: evms.ExecutionContext
  readonly state: worlds.WorldState
  readonly environment: BlockEnvironment
}

export interface PlacedCall extends CallSite {
  readonly message: CallMessage
}

export type CallResult = MessageResult

/** The most that the blobs of a call can cost. */
export function blobCost(call: CallMessage): bigint {
  return blobGasOf(call) * call.maxFeePerBlobGas
}

/** The sender must be able to pay the fee, if the call names one, and always the value. */
function checkFunds(state: worlds.WorldState, call: CallMessage): void {
  if (call.funds === 'lent') return
  const cost = call.value + call.gasLimit * call.feeCap + blobCost(call)
  if (cost === 0n) return
  const { balance } = worlds.readAccount(state, call.from)
  if (balance < cost)
    throw failure('insufficientFunds', { balance, cost, caller: toChecksumAddress(call.from) })
}

/** As in a transaction, the sender buys its gas and increments its nonce before the message runs. */
function beginMessage({ state, environment, message: call }: PlacedCall): worlds.WorldState {
  const account = worlds.readAccount(state, call.from)
  const blobs = call.maxFeePerBlobGas === 0n ? 0n : blobGasOf(call) * environment.blobBaseFee
  const bought = call.gasLimit * call.gasPrice + blobs
  const left = account.balance - bought
  const balance = call.funds === 'lent' && left < call.value ? call.value : left
  return worlds.updateAccount(state, call.from, { nonce: account.nonce + 1n, balance })
}

/** Wraps the run of a call, for example to watch its steps. */
export type Instrumentation = (instance: EvmInstance, run: () => Promise<CallResult>) => Promise<CallResult>

/** Runs a call under the probe of the chain. */
export function probeCall(kind: 'call' | 'estimate', { execution, message }: PlacedCall): Instrumentation {
  const { probe } = execution
  return (instance, run) => runProbed(instance, { probe, kind }, message, run, ({ gasUsed }) => gasUsed)
}

/** Throws if a call cannot start. */
function checkCall({ execution, state, message }: PlacedCall): void {
  const shortfall = gasShortfall(execution.evmPool.rules, message)
  if (shortfall !== undefined)
    throw failure(shortfall.kind, { gas: message.gasLimit, least: shortfall.least })
  checkFunds(state, message)
}

/** Executes a call; throws only if it cannot start. */
export async function runCall(
  call: PlacedCall,
  instrument: Instrumentation = (_, run) => run(),
): Promise<CallResult> {
  const { execution, environment, message } = call
  try {
    checkCall(call)
    return await withEvm(execution, beginMessage(call), (instance) =>
      instrument(
        instance,
        async () => runTransfer(instance, message) ?? runMessage(instance, environment, message),
      ),
    )
  } catch (error) {
    throw missedIn(error, { call: { ...message, coinbase: environment.coinbase } })
  }
}

/** A call that names no fee pays nobody, as in geth. */
function pricesOf(rules: Rules, { baseFeePerGas }: BlockEnvironment, { gasPrice: gas }: CallMessage) {
  if (gas === 0n) return { gas, tip: undefined, rollup: undefined }
  return { gas, tip: gas - baseFeePerGas, rollup: rules.rollup && FREE_OF_ROLLUP_FEES }
}

/**
 * Executes a call on a state; throws only if it cannot start. `observerOf` gets a function that returns the state that
 * the execution has reached.
 */
export async function traceCall(call: PlacedCall, observerOf: (state: () => worlds.WorldState) => Observer) {
  const { execution, environment, message } = call
  checkCall(call)
  return withEvm(execution, call.state, async (instance) => {
    const { rules, writer } = instance
    const observer = observerOf(() => writer.current)
    writer.reset(beginMessage(call))
    const payment = { sender: message.from, gasLimit: message.gasLimit }
    const prices = pricesOf(rules, environment, message)
    const settlement = settlementOf(rules, environment, payment, prices)
    const result = await observe(instance, observer, () =>
      runMessage(instance, environment, message, settlement),
    )
    return { result, after: writer.current }
  })
}

/** geth's error for an exceptional halt. */
function haltFailure(reason: string | undefined): TickchainError {
  return failure('executionFailed', { reason: reason ?? 'unknown' })
}

function revertFailureOf(returnData: Uint8Array): TickchainError {
  return revertFailure(revertReason(returnData), hex.bytesToHex(returnData))
}

/** The return data of a successful call; throws geth's error for any other. */
export function returnDataOrThrow(result: CallResult): Uint8Array {
  if (result.outcome === 'revert') throw revertFailureOf(result.returnData)
  if (result.outcome === 'failure') throw haltFailure(result.failure)
  return result.returnData
}

/** The error of an executed transaction; `undefined` if it succeeded. */
export function failureOfTransaction(executed: ExecutedTransaction): TickchainError | undefined {
  const { transaction, failure: reason, returnData } = executed
  if (reason === undefined) return undefined
  const error = reason === 'execution reverted' ? revertFailureOf(returnData) : haltFailure(reason)
  return withTransaction(error, transaction.hash)
}

/** A call of a view function that returns one word. */
export interface NumberQuery {
  readonly contract: hex.Address
  readonly input: Uint8Array
}

interface FoundSlot {
  readonly address: hex.Address
  readonly slot: hex.Hash
}

const SLOAD = 0x54

/** The most gas of a query; a token's views take a few thousand. */
const QUERY_GAS = 10_000_000n

/** Beyond this, the contract computes the result instead of storing it. */
const MAX_CANDIDATES = 256

/** Values that no computation returns by chance, and that fit any balance. */
const PROBES = [0x5ca1ab1en, 0x0b501e7en] as const

/** The word that the call returns; `undefined` if it fails or returns something else. */
export async function queryNumber(
  site: CallSite,
  { contract, input }: NumberQuery,
  instrument?: Instrumentation,
): Promise<bigint | undefined> {
  const { gasLimit: most } = site.environment
  const gasLimit = most < QUERY_GAS ? most : QUERY_GAS
  const message: CallMessage = {
    from: hex.ZERO_ADDRESS,
    to: contract,
    value: 0n,
    input,
    gasLimit,
    gasPrice: 0n,
    feeCap: 0n,
    maxFeePerBlobGas: 0n,
    accessList: [],
    authorizationList: [],
    blobVersionedHashes: [],
  }
  const { outcome, returnData } = await runCall({ ...site, message }, instrument)
  return outcome === 'success' && returnData.length === 32 ? hex.bytesToBigInt(returnData) : undefined
}

export function withSlotWritten(site: CallSite, { address, slot }: FoundSlot, value: bigint): CallSite {
  return { ...site, state: worlds.writeStorage(site.state, address, slot, hex.bigIntToBytes(value)) }
}

/** The slots that a query reads, in the order of their first read. */
async function slotsReadBy(site: CallSite, question: NumberQuery): Promise<FoundSlot[]> {
  const slots = new Map<string, FoundSlot>()
  const access = ({ opcode, address, peek }: StateAccess): void => {
    const word = opcode === SLOAD ? peek(0) : undefined
    if (word === undefined) return
    const slot = hex.toWord(word)
    slots.set(`${address}${slot}`, { address, slot })
  }
  await queryNumber(site, question, (instance, run) => observe(instance, { access }, run))
  return [...slots.values()]
}

/** The slot that holds the result of a query and nothing else; `undefined` if there is none. */
export async function findSlot(site: CallSite, question: NumberQuery): Promise<FoundSlot | undefined> {
  const result = await queryNumber(site, question)
  const candidates = await slotsReadBy(site, question)
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    const { address, slot } = candidate
    if (hex.bytesToBigInt(worlds.readStorage(site.state, address, slot)) !== result) continue
    let isMatch = true
    for (const probe of PROBES)
      isMatch &&= (await queryNumber(withSlotWritten(site, candidate, probe), question)) === probe
    if (isMatch) return candidate
  }
  return undefined
}
