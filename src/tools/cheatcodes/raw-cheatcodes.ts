// Cheatcodes that execute signed transactions within a test, with the checks and in the words of forge 1.7.1.

import { type EvmMessage, type EvmResult, toEvmAddress } from '../../core/execution/evm/covered-evm.ts'
import { cappedRefund } from '../../core/execution/evm/run-message.ts'
import { haltReason } from '../../core/execution/result/revert-reason.ts'
import { floorGas, gasShortfall, intrinsicGas } from '../../core/execution/transaction/intrinsic-gas.ts'
import { effectiveGasPrice, type Transaction } from '../../core/execution/transaction/transaction.ts'
import { decodeTransaction } from '../../core/pool/decode.ts'
import { TickchainError } from '../../core/primitives/errors.ts'
import { type Address, bytesToHex, type Hex, hexToBytes } from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/loading.ts'
import { credit, readAccount, updateAccount } from '../../core/state/world-state.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { CheatcodeRefusal } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { prankAt } from './pranks.ts'
import { HALTS } from './revert-words.ts'

const FIRST_LIST = 0xc0
const LAST_TYPE = 4

/** Why bytes are no transaction. */
function undecodable([first, second]: Uint8Array, error: TickchainError): string {
  if (first === undefined) return 'input too short'
  if (first >= FIRST_LIST)
    return /elements|typed/.test(error.message) ? 'Unexpected type flag' : 'input too short'
  if (first === 0 || first > LAST_TYPE) return 'unexpected tx type'
  return second !== undefined && second < FIRST_LIST ? 'unexpected string' : 'input too short'
}

function decode(data: Hex): Transaction {
  const bytes = hexToBytes(data)
  try {
    return decodeTransaction(bytes)
  } catch (error) {
    if (!(error instanceof TickchainError)) throw error
    throw new CheatcodeRefusal(`failed to decode RLP-encoded transaction: ${undecodable(bytes, error)}`)
  }
}

/** Why a transaction cannot begin; without a price, its nonce counts. */
function obstacleTo(run: CheatExecution, transaction: Transaction, price: bigint | undefined) {
  const { gasLimit, value, chainId, nonce, maxFeePerGas } = transaction
  const { rules, writer } = run.covered.instance
  if (chainId !== undefined && chainId !== run.chainId) return 'invalid chain ID'
  if (price !== undefined && maxFeePerGas < run.environment.baseFeePerGas)
    return 'gas price is less than basefee'
  const shortfall = gasShortfall(rules, transaction)
  if (shortfall !== undefined) return `call gas cost (${shortfall.least}) exceeds the gas limit (${gasLimit})`
  const sender = readAccount(writer.current, transaction.sender)
  if (price === undefined && nonce !== sender.nonce)
    return `nonce ${nonce} too ${nonce < sender.nonce ? 'low' : 'high'}, expected ${sender.nonce}`
  const most = value + (price === undefined ? 0n : gasLimit * maxFeePerGas)
  if (sender.balance < most) return `lack of funds (${sender.balance}) for max fee (${most})`
  return undefined
}

/** The gas that a transaction is charged for. */
function gasUsedBy(
  run: CheatExecution,
  transaction: Transaction,
  intrinsic: bigint,
  { execResult }: EvmResult,
) {
  const { rules } = run.covered.instance
  const spent = intrinsic + execResult.executionGasUsed
  const earned = execResult.exceptionError === undefined ? (execResult.gasRefund ?? 0n) : 0n
  const charged = spent - cappedRefund(rules, spent, earned)
  const floor = floorGas(rules, transaction.input)
  return charged < floor ? floor : charged
}

/** As in forge, which writes them past its journal, a frame that reverts does not undo the accounts of a transaction. */
function keepAccounts(run: CheatExecution, addresses: readonly Address[]): void {
  const { writer } = run
  const after = addresses.map((address) => [address, readAccount(writer.current, address)] as const)
  run.lasting.push([
    [...run.open],
    () => {
      for (const [address, { nonce, balance }] of after)
        writer.current = updateAccount(writer.current, address, { nonce, balance })
    },
  ])
}

function messageOf(run: CheatExecution, transaction: Transaction, intrinsic: bigint): EvmMessage {
  const { sender, to, value, input: data, gasLimit } = transaction
  return run.covered.makeMessage({
    caller: toEvmAddress(sender),
    to: to === undefined ? undefined : toEvmAddress(to),
    ...{ value, data, gasLimit: gasLimit - intrinsic, depth: run.message.depth + 1 },
  })
}

/** Runs a transaction on its own, with a price for its gas or none. */
function execute(run: CheatExecution, transaction: Transaction, price: bigint | undefined): Later<EvmResult> {
  const { evm, writer, environment } = run
  const { sender, to, gasLimit, accessList } = transaction
  const intrinsic = intrinsicGas(run.covered.instance.rules, transaction)
  const { transaction: before } = evm.environment as NonNullable<typeof evm.environment>
  const { nonce, balance } = readAccount(writer.current, sender)
  const bought = gasLimit * (price ?? 0n)
  writer.current = updateAccount(writer.current, sender, { nonce: nonce + 1n, balance: balance - bought })
  writer.beginTransaction()
  evm.changeEnvironment({ origin: toEvmAddress(sender), gasPrice: price ?? 0n })
  const parties = [sender, environment.coinbase, ...(to === undefined ? [] : [to])]
  const cold = parties.filter((address) => !evm.access.isWarmedAddress(hexToBytes(address)))
  const restore = evm.access.isolate([
    ...parties.map((address) => [address, []] as const),
    ...accessList.map(({ address, storageKeys }) => [address, storageKeys] as const),
  ])
  return andThen(evm.runMessage(messageOf(run, transaction, intrinsic)), (result) => {
    restore()
    evm.changeEnvironment({ origin: before.origin, gasPrice: before.gasPrice })
    if (price !== undefined) {
      // As in forge, where the test does not share the journal of what is sent.
      for (const address of cold) evm.access.forget(address)
      const used = gasUsedBy(run, transaction, intrinsic, result)
      const tip = used * (price - environment.baseFeePerGas)
      writer.current = credit(writer.current, sender, bought - used * price)
      writer.current = credit(writer.current, environment.coinbase, tip)
    }
    keepAccounts(run, parties)
    return result
  })
}

export const RAW_CHEATCODES: Cheatcodes = {
  'broadcastRawTransaction(bytes)': (run, data: Hex) => {
    const transaction = decode(data)
    const price = effectiveGasPrice(transaction, run.environment.baseFeePerGas)
    const obstacle = obstacleTo(run, transaction, price)
    if (obstacle !== undefined) throw new CheatcodeRefusal(`transaction validation error: ${obstacle}`)
    return andThen(execute(run, transaction, price), () => {
      if (prankAt(run.cheats.pranks, run.message.depth)?.isBroadcast !== true) return
      const { sender: from, to, value, input } = transaction
      run.change({ broadcasts: [...run.cheats.broadcasts, { from, to, value, data: bytesToHex(input) }] })
    })
  },
  'executeTransaction(bytes) returns (bytes)': (run, data: Hex) => {
    const transaction = decode(data)
    const obstacle = obstacleTo(run, transaction, undefined)
    if (obstacle !== undefined) {
      throw new CheatcodeRefusal(`transaction execution failed: transaction validation error: ${obstacle}`)
    }
    return andThen(execute(run, transaction, undefined), ({ execResult }) => {
      const output = bytesToHex(execResult.returnValue)
      if (execResult.exceptionError === undefined) return output
      const failure = haltReason(execResult.exceptionError)
      if (failure === 'execution reverted') throw new CheatcodeRefusal(`transaction reverted: ${output}`)
      const halt = HALTS[failure] ?? failure
      throw new CheatcodeRefusal(`transaction halted: ${halt === 'OutOfGas' ? 'OutOfGas(Basic)' : halt}`)
    })
  },
}
