// Outcomes of transactions: what a receipt lacks. Self-description of an emulator.

import { blocksBetween } from '../chain/chain.ts'
import { failureOfTransaction } from '../execution/call/run-call.ts'
import { type ConsoleLog, type CustomErrors, readConsoleCall } from '../execution/result/console-log.ts'
import * as results from '../execution/result/revert-reason.ts'
import type { ExecutedTransaction } from '../execution/transaction/transaction.ts'
import { findIncluded, type NodeRecords, requireBlock } from '../node/lookup.ts'
import { type NodeState, nextGasLimit } from '../node/node-state.ts'
import { suggestedTip } from '../node/production/submit.ts'
import type { AbiValue } from '../primitives/abi.ts'
import { keccak256Hex } from '../primitives/crypto.ts'
import { bytesToHex, concatBytes, type Hash, type Hex, hexToBytes, toWord } from '../primitives/hex.ts'
import type { Flavor } from './flavor/flavor.ts'
import { withFlavorMessage } from './flavor/messages.ts'
import type { ReadContext } from './session.ts'

/** The version of the package; a test compares it with package.json. */
export const VERSION = '0.1.0'

/** The contents of `anvil_nodeInfo` and `hardhat_metadata`. */
export interface NodeInfo {
  /** The answer of `web3_clientVersion`, which depends on the flavor. */
  readonly clientVersion: string
  /** Identifies this run of the chain: equal for equal options, different after a reset. */
  readonly instanceId: Hash
  readonly chainId: number
  /** The latest sealed block. */
  readonly blockNumber: number
  readonly blockHash: Hash
  /** Seconds since the Unix epoch. */
  readonly blockTimestamp: number
  /** The fork of that block. */
  readonly hardfork: string
  readonly ordering: string
  /** The next block's, in wei per gas. */
  readonly baseFeePerGas: bigint
  readonly gasLimit: bigint
  /** The answer of `eth_gasPrice`, in wei per gas. */
  readonly gasPrice: bigint
}

/** Tools decide by the prefix which methods to call; Hardhat's own ends with the name of EDR. */
export const CLIENT_VERSIONS: Readonly<Record<Flavor, string>> = {
  anvil: `anvil/tickchain/v${VERSION}`,
  hardhat: `HardhatNetwork/tickchain/v${VERSION}/@nomicfoundation/edr`,
  ganache: `Ganache/tickchain/v${VERSION}/EthereumJS TestRPC/v${VERSION}/ethereum-js`,
}

export function describeChain({ state, options }: ReadContext): Omit<NodeInfo, 'instanceId'> {
  const { header, hash, rules } = state.chain.head
  const { baseFeePerGas } = requireBlock(state, 'pending').environment
  return {
    clientVersion: CLIENT_VERSIONS[options.flavor],
    chainId: state.settings.chainId,
    blockNumber: header.number,
    blockHash: hash,
    blockTimestamp: header.timestamp,
    hardfork: rules.hardfork,
    ordering: state.settings.ordering,
    baseFeePerGas,
    gasLimit: nextGasLimit(state),
    gasPrice: baseFeePerGas + suggestedTip(state),
  }
}

/** The id of a run of the chain, from its start and the number of resets. */
export function instanceIdOf({ chain, prevRandaoSource }: NodeState, { resetCount }: NodeRecords): Hash {
  const seed = [chain.head.hash, prevRandaoSource.prevRandao, toWord(resetCount)]
  return keccak256Hex(concatBytes(...seed.map(hexToBytes)))
}

/** A decoded revert. */
export interface Revert {
  /** `Error`, `Panic` or the name of a custom error; absent for empty data and for errors of no registered ABI. */
  readonly name: string | undefined
  /** Integers as bigint, addresses and bytes as lower-case hex, tuples as objects; empty without a name. */
  readonly args: readonly AbiValue[]
  /** The text of an `Error`, the meaning of a `Panic` code, or a custom error written as a call. */
  readonly reason: string | undefined
  readonly data: Hex
}

/** The outcome of a transaction in a block. */
export interface TransactionOutcome {
  readonly transactionHash: Hash
  readonly status: 'success' | 'failed'
  readonly blockNumber: number
  readonly gasUsed: bigint
  /** The return data of the outermost call; for a successful creation, the code. */
  readonly returnData: Hex
  /** The message of an eth_call that fails for the same reason; absent on success. */
  readonly failure: string | undefined
  /** Absent unless the transaction reverted. */
  readonly revert: Revert | undefined
  /** Its console.log calls, in order. */
  readonly consoleLogs: readonly ConsoleLog[]
}

export function namedReason(data: Uint8Array, errors: CustomErrors): Pick<Revert, 'name' | 'args'> {
  const reason = results.decodeRevert(data, errors)
  if (reason.type === 'text') return { name: 'Error', args: [reason.text] }
  if (reason.type === 'panic') return { name: 'Panic', args: [reason.code] }
  const { name, args = [] } = (reason.type === 'custom' ? reason.decoded : undefined) ?? {}
  return { name, args }
}

/** A sealed block with the outcomes of its transactions. */
export interface MinedBlock {
  readonly number: number
  readonly hash: Hash
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly gasUsed: bigint
  readonly transactions: readonly TransactionOutcome[]
}

function outcomeIn(
  { options, known: { customErrors } }: ReadContext,
  blockNumber: number,
  executed: ExecutedTransaction,
): TransactionOutcome {
  const error = failureOfTransaction(executed)
  const { returnData } = executed
  const data = bytesToHex(returnData)
  const reverted = () => ({
    ...namedReason(returnData, customErrors),
    reason: results.revertReason(returnData, customErrors),
    data,
  })
  return {
    transactionHash: executed.transaction.hash,
    status: error === undefined ? 'success' : 'failed',
    blockNumber,
    gasUsed: executed.receipt.gasUsed,
    returnData: data,
    failure: error && withFlavorMessage(options.flavor, error, customErrors).message,
    revert: executed.failure === 'execution reverted' ? reverted() : undefined,
    consoleLogs: executed.consoleCalls.map(readConsoleCall),
  }
}

export function outcomeOf(context: ReadContext, hash: Hash): TransactionOutcome | undefined {
  const found = findIncluded(context.state, hash)
  return found && outcomeIn(context, found.view.environment.number, found.executed)
}

export function minedBlocksAbove(context: ReadContext, above: number): MinedBlock[] {
  const { chain } = context.state
  return Array.from(
    blocksBetween(chain, above + 1, chain.head.header.number),
    ({ header, hash, executed }) => ({
      number: header.number,
      hash,
      timestamp: header.timestamp,
      gasUsed: header.gasUsed,
      transactions: executed.map((each) => outcomeIn(context, header.number, each)),
    }),
  )
}
