// Execution of messages that are not transactions: eth_call and the runs of eth_estimateGas. Their state is discarded.
// Overrides of their block have the fields of geth and the execution-apis. The slot behind a view function, such as
// `balanceOf` of an ERC-20 token, is found by calls: candidates are the slots that it reads, in any contract; the right
// one changes the result when it is written. A slot that packs other values too, or holds the result in another form,
// does not match.

import { failure, revertFailure, type TickchainError, withTransaction } from '../../primitives/errors.ts'
import * as hex from '../../primitives/hex.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { missedIn } from '../../state/miss.ts'
import * as worlds from '../../state/world-state.ts'
import { runTransfer, withEvm } from '../evm/evm-pool.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import * as evms from '../evm/pooled-evm.ts'
import { type MessageFields, type MessageResult, runMessage } from '../evm/run-message.ts'
import { revertReason } from '../result/revert-reason.ts'
import { observe, runProbed } from '../trace/observe.ts'
import type { StateAccess } from '../trace/observer.ts'
import { gasShortfall } from '../transaction/intrinsic-gas.ts'
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
  if (balance < cost) throw failure('insufficientFunds', { balance, cost })
}

/** As in a transaction, the sender buys its gas and increments its nonce before the message runs. */
export function beginMessage(
  state: worlds.WorldState,
  environment: BlockEnvironment,
  call: CallMessage,
): worlds.WorldState {
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
export function probeCall(
  { probe }: evms.ExecutionContext,
  kind: 'call' | 'estimate',
  call: CallMessage,
): Instrumentation {
  return (instance, run) => runProbed(instance, { probe, kind }, call, run, ({ gasUsed }) => gasUsed)
}

/** Throws if a call cannot start. */
export function checkCall(context: evms.ExecutionContext, state: worlds.WorldState, call: CallMessage): void {
  const shortfall = gasShortfall(context.evmPool.rules, call)
  if (shortfall !== undefined) {
    throw failure(shortfall.kind, { gas: call.gasLimit, least: shortfall.least })
  }
  checkFunds(state, call)
}

/** Executes a call on a state; throws only if it cannot start. */
export async function runCall(
  context: evms.ExecutionContext,
  state: worlds.WorldState,
  environment: BlockEnvironment,
  call: CallMessage,
  instrument: Instrumentation = (_, run) => run(),
): Promise<CallResult> {
  try {
    checkCall(context, state, call)
    return await withEvm(context, beginMessage(state, environment, call), (instance) =>
      instrument(
        instance,
        async () => runTransfer(instance, call) ?? runMessage(instance, environment, call),
      ),
    )
  } catch (error) {
    throw missedIn(error, { call: { ...call, coinbase: environment.coinbase } })
  }
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

/** The state and block that a query runs on. */
export interface QueryContext {
  readonly context: evms.ExecutionContext
  readonly environment: BlockEnvironment
  readonly world: worlds.WorldState
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
  { context, environment, world }: QueryContext,
  { contract, input }: NumberQuery,
  instrument?: Instrumentation,
): Promise<bigint | undefined> {
  const gasLimit = environment.gasLimit < QUERY_GAS ? environment.gasLimit : QUERY_GAS
  const message: CallMessage = {
    ...{ from: hex.ZERO_ADDRESS, to: contract, value: 0n, input, gasLimit },
    ...{ gasPrice: 0n, feeCap: 0n, maxFeePerBlobGas: 0n },
    ...{ accessList: [], authorizationList: [], blobVersionedHashes: [] },
  }
  const { outcome, returnData } = await runCall(context, world, environment, message, instrument)
  return outcome === 'success' && returnData.length === 32 ? hex.bytesToBigInt(returnData) : undefined
}

export function withSlotWritten(
  place: QueryContext,
  { address, slot }: FoundSlot,
  value: bigint,
): QueryContext {
  return { ...place, world: worlds.writeStorage(place.world, address, slot, hex.bigIntToBytes(value)) }
}

/** The slots that a query reads, in the order of their first read. */
async function slotsReadBy(place: QueryContext, question: NumberQuery): Promise<FoundSlot[]> {
  const slots = new Map<string, FoundSlot>()
  const access = ({ opcode, address, peek }: StateAccess): void => {
    const word = opcode === SLOAD ? peek(0) : undefined
    if (word === undefined) return
    const slot = hex.toWord(word)
    slots.set(`${address}${slot}`, { address, slot })
  }
  await queryNumber(place, question, (instance, run) => observe(instance, { access }, run))
  return [...slots.values()]
}

/** The slot that holds the result of a query and nothing else; `undefined` if there is none. */
export async function findSlot(place: QueryContext, question: NumberQuery): Promise<FoundSlot | undefined> {
  const result = await queryNumber(place, question)
  const candidates = await slotsReadBy(place, question)
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    const { address, slot } = candidate
    if (hex.bytesToBigInt(worlds.readStorage(place.world, address, slot)) !== result) continue
    let isMatch = true
    for (const probe of PROBES) {
      isMatch &&= (await queryNumber(withSlotWritten(place, candidate, probe), question)) === probe
    }
    if (isMatch) return candidate
  }
  return undefined
}
