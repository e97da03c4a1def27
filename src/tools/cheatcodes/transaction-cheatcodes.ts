// Cheatcodes that execute a signed transaction in the middle of a test.

import { applyAuthorizations } from '../../core/execution/evm/authorizations.ts'
import { type EvmResult, toEvmAddress } from '../../core/execution/evm/covered-evm.ts'
import { cappedRefund, messageOutcome } from '../../core/execution/evm/run-message.ts'
import { floorGas, intrinsicGas } from '../../core/execution/transaction/intrinsic-gas.ts'
import * as transactions from '../../core/execution/transaction/transaction.ts'
import { decodeTransaction } from '../../core/pool/decode.ts'
import { TickchainError } from '../../core/primitives/errors.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/loading.ts'
import { credit, readAccount, updateAccount } from '../../core/state/world-state.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { CheatcodeRefusal } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { prankAt } from './pranks.ts'
import { haltName } from './revert-words.ts'

type Transaction = transactions.Transaction

const NONE: readonly never[] = []
const LARGEST_TYPE = 4
const LIST = 0xc0

/** The words of forge's decoder for bytes that are no transaction. */
function malformation([first, second]: Uint8Array, { message }: TickchainError): string {
  if (first === undefined) return 'input too short'
  if (first >= LIST) return /elements|typed/.test(message) ? 'Unexpected type flag' : 'input too short'
  if (first > LARGEST_TYPE) return 'unexpected tx type'
  return second !== undefined && second < LIST ? 'unexpected string' : 'input too short'
}

function decode(raw: Uint8Array): Transaction {
  try {
    return decodeTransaction(raw)
  } catch (error) {
    if (!(error instanceof TickchainError)) throw error
    throw new CheatcodeRefusal(`failed to decode RLP-encoded transaction: ${malformation(raw, error)}`)
  }
}

/** Why a transaction does not begin, in revm's words; one that is free pays no gas, and has to have the right nonce. */
function invalidity(run: CheatExecution, transaction: Transaction, isFree: boolean): string | undefined {
  const { environment, writer, covered } = run
  const { rules } = covered.instance
  const { chainId, sender, nonce, gasLimit, maxFeePerGas, value } = transaction
  if (chainId !== undefined && chainId !== run.chainId) return 'invalid chain ID'
  if (!isFree && maxFeePerGas < environment.baseFeePerGas) return 'gas price is less than basefee'
  if (gasLimit > environment.gasLimit) return 'caller gas limit exceeds the block gas limit'
  const intrinsic = intrinsicGas(rules, transaction)
  if (intrinsic > gasLimit) return `call gas cost (${intrinsic}) exceeds the gas limit (${gasLimit})`
  const floor = floorGas(rules, transaction.input)
  if (floor > gasLimit) return `gas floor (${floor}) exceeds the gas limit (${gasLimit})`
  const account = readAccount(writer.current, sender)
  if (isFree && nonce !== account.nonce)
    return `nonce ${nonce} too ${nonce > account.nonce ? 'high' : 'low'}, expected ${account.nonce}`
  const most = isFree ? value : transactions.maximumCost(transaction)
  return most > account.balance ? `lack of funds (${account.balance}) for max fee (${most})` : undefined
}

/** Executes a transaction with everything cold, and charges its gas at a price. */
function execute(run: CheatExecution, transaction: Transaction, price: bigint): Later<EvmResult> {
  const { evm, covered, writer, message: outer, environment } = run
  const { rules } = covered.instance
  const { sender, to, value, input, gasLimit, accessList, authorizationList } = transaction
  run.watching.need('accesses')
  const { balance, nonce } = readAccount(writer.current, sender)
  const bought = updateAccount(writer.current, sender, {
    balance: balance - price * gasLimit,
    nonce: BigInt.asUintN(64, nonce + 1n),
  })
  const authorized = applyAuthorizations(rules, bought, authorizationList)
  writer.current = authorized.state
  writer.beginTransaction()
  evm.transient.clear()
  const parties = [sender, environment.coinbase, ...authorized.authorities, ...(to === undefined ? [] : [to])]
  const restore = evm.access.isolate([
    ...parties.map((address) => [address, NONE] as const),
    ...accessList.map(({ address, storageKeys }) => [address, storageKeys] as const),
  ])
  const intrinsic = intrinsicGas(rules, transaction)
  const caller = toEvmAddress(sender)
  const message = covered.makeMessage({
    caller,
    to: to === undefined ? undefined : toEvmAddress(to),
    value,
    data: input,
    gasLimit: gasLimit - intrinsic,
    depth: outer.depth + 1,
    blobVersionedHashes: transaction.blobVersionedHashes,
  })
  const before = (evm.environment as NonNullable<typeof evm.environment>).transaction
  evm.changeEnvironment({ origin: caller, gasPrice: price })
  return andThen(evm.runMessage(message), (result) => {
    evm.changeEnvironment(before)
    // As in forge, what a transaction that pays has loaded is cold after it.
    restore(() => price !== 0n)
    const { executionGasUsed, gasRefund = 0n } = result.execResult
    const spent = intrinsic + executionGasUsed
    const used = spent - cappedRefund(rules, spent, gasRefund + authorized.gasRefund)
    const floor = floorGas(rules, input)
    const charged = used < floor ? floor : used
    const tip = price === 0n ? 0n : price - environment.baseFeePerGas
    const refunded = credit(writer.current, sender, (gasLimit - charged) * price)
    writer.current = tip === 0n ? refunded : credit(refunded, environment.coinbase, charged * tip)
    writer.beginTransaction()
    // As in forge, a frame that fails undoes what a transaction has stored, but not these.
    for (const address of parties) {
      const { nonce: after, balance: left } = readAccount(writer.current, address)
      run.lasting.make(address, { nonce: after, balance: left })
    }
    return result
  })
}

function broadcastRaw(run: CheatExecution, raw: Hex): Later<void> {
  const transaction = decode(hexToBytes(raw))
  const reason = invalidity(run, transaction, false)
  if (reason !== undefined) throw new CheatcodeRefusal(`transaction validation error: ${reason}`)
  const price = transactions.effectiveGasPrice(transaction, run.environment.baseFeePerGas)
  return andThen(execute(run, transaction, price), () => {
    const { sender: from, to, value, input } = transaction
    if (prankAt(run.cheats.pranks, run.message.depth)?.isBroadcast !== true) return
    run.change({ broadcasts: [...run.cheats.broadcasts, { from, to, value, data: bytesToHex(input) }] })
  })
}

/** Like an isolated call: without a price, in a block without a base fee, and unseen by what a test expects and mocks. */
function executeFree(run: CheatExecution, raw: Hex): Later<Hex> {
  const transaction = decode(hexToBytes(raw))
  const reason = invalidity(run, transaction, true)
  const failed = 'transaction execution failed: transaction validation error'
  if (reason !== undefined) throw new CheatcodeRefusal(`${failed}: ${reason}`)
  const { environment } = run
  run.moveTo({ ...environment, baseFeePerGas: 0n })
  run.isInternal = true
  return andThen(execute(run, transaction, 0n), ({ execResult }) => {
    run.isInternal = false
    run.moveTo(environment)
    const { outcome, failure } = messageOutcome(execResult)
    const output = bytesToHex(execResult.returnValue)
    if (outcome === 'success') return output
    throw new CheatcodeRefusal(
      outcome === 'revert' ? `transaction reverted: ${output}` : `transaction halted: ${haltName(failure)}`,
    )
  })
}

export const TRANSACTION_CHEATCODES: Cheatcodes = {
  'broadcastRawTransaction(bytes)': broadcastRaw,
  'executeTransaction(bytes) returns (bytes)': executeFree,
}
