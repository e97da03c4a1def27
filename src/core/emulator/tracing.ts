// Functions of the emulator that show an execution: traces, outcomes, custom errors, balance changes.

import { withErrors } from '../execution/result/console-log.ts'
import { mineBlocks } from '../node/production/mine.ts'
import { type BalanceOf, balanceChange } from '../node/replay.ts'
import { TickchainError } from '../primitives/errors.ts'
import type { Address, Hash } from '../primitives/hex.ts'
import type { CallTrace } from '../rpc/call-trace.ts'
import * as basic from '../rpc/codecs/basic.ts'
import { address, hash as anyHash, oneOf } from '../rpc/codecs/basic.ts'
import type { Codec } from '../rpc/codecs/codec.ts'
import { objectCodec, or, type ValueOf } from '../rpc/codecs/object.ts'
import * as overridden from '../rpc/codecs/overrides.ts'
import { callOf } from '../rpc/flavor/chain.ts'
import { callSiteIn } from '../rpc/requests/call-message.ts'
import { failedCallOf, readContext, type Session } from '../rpc/session.ts'
import * as outcomes from '../rpc/transaction-outcome.ts'
import { describeChain, instanceIdOf, minedBlocksAbove, type NodeInfo } from '../rpc/transaction-outcome.ts'
import { withMissesLoaded } from '../state/overlay-map.ts'
import { argument, optionalArgument, refuseCall } from './checks.ts'
import { bindControl, control } from './controls/define.ts'
import { MINE_ARGUMENTS, type MineOptions, orderToMine } from './controls/mining.ts'
import { type AbiSource, customErrors } from './options/accounts.ts'

/** Reports what JSON-RPC does not: why an execution failed, what it logged, and the state of the chain. */
export interface Diagnostics {
  /**
   * Registers the custom errors of ABIs: if a call reverts with one, the error message names it, and `outcome` decodes
   * it. They stay registered; a clone has those of its original.
   *
   * @param abi A JSON ABI, an object with one as `abi`, or several.
   * @throws TickchainError `invalidCall`; nothing has changed then
   * @see Contract ABI specification
   * @example
   * chain.registerAbi(parseAbi(['error InsufficientBalance(uint256 available, uint256 required)']))
   */
  registerAbi(abi: AbiSource | readonly AbiSource[]): void
  /**
   * Resolves to the outcome of a transaction beyond its receipt: why it failed, with the decoded reason, and its
   * console.log calls. `undefined` if it is in no block, sealed or being built.
   *
   * @param transactionHash 32 bytes of hex.
   * @throws TickchainError `invalidCall`
   * @see `tickchain_getTransactionOutcome`
   * @example
   * await chain.advance(200)
   * const outcome = await chain.outcome(hash)
   * outcome?.status // => 'success'
   * outcome?.gasUsed // => 21_000n
   */
  outcome(transactionHash: Hash): Promise<outcomes.TransactionOutcome | undefined>
  /**
   * Seals blocks as `mine` does, and resolves to them with the outcome of each transaction. It builds every block,
   * which is slow for very many.
   *
   * @param count Blocks, a whole number from 0. Default 1.
   * @param options Their timestamps.
   * @throws TickchainError `invalidCall`, `tooManySteps`, `timestampTooLow`, `timestampTooHigh`, `timeOutOfRange`
   *   or `blockBegun`; nothing has changed then
   * @see `anvil_mine_detailed`
   * @example
   * const [block] = await chain.mineDetailed()
   * block?.transactions.map(({ status }) => status) // => ['success']
   */
  mineDetailed(count?: number, options?: MineOptions): Promise<readonly outcomes.MinedBlock[]>
  /**
   * Resolves to a description of the chain: client version, latest block, and rules and fees of the next block.
   *
   * @see `anvil_nodeInfo`, `hardhat_metadata`
   * @example
   * const { hardfork, blockNumber } = await chain.nodeInfo()
   * hardfork // => 'prague'
   * blockNumber // => 0
   */
  nodeInfo(): Promise<NodeInfo>
  /**
   * Resolves to the change of a balance by one transaction alone, in wei or in the units of a token. `undefined` if the
   * transaction is in no block, sealed or being built.
   *
   * @param transactionHash 32 bytes of hex.
   * @param account 20 bytes of hex.
   * @param options The token, and whether fees count.
   * @throws TickchainError `invalidCall`; `tokenNotReadable`; `stateNotAvailable` if the state before is not kept;
   *   `replayDiffers`
   * @example
   * await chain.advance(200)
   * await chain.balanceChange(hash, '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') // => 1n
   */
  balanceChange(
    transactionHash: Hash,
    account: Address,
    options?: BalanceChangeOptions,
  ): Promise<bigint | undefined>
}

/** Which balance, and whether fees count. */
export interface BalanceChangeOptions {
  /** An ERC-20 token. Default ether. */
  readonly token?: Address
  /** The gas fee that the sender pays, as a part of its change or left out. Default 'included'. */
  readonly fees?: 'included' | 'excluded'
}

const balanceChangeOptions = objectCodec({
  token: address,
  fees: or(oneOf(['included', 'excluded']), 'included'),
})

/** Decodes the arguments of `balanceChange`, for the function and the matcher. */
export function resolveBalanceChange(
  call: string,
  account: unknown,
  options: BalanceChangeOptions | undefined,
): BalanceOf & ValueOf<typeof balanceChangeOptions> {
  return {
    account: argument(call, 'account', account, address),
    ...argument(call, 'options', options === undefined ? {} : options, balanceChangeOptions),
  }
}

export function diagnostics(session: Session): Diagnostics {
  const { node, known } = session
  // `mine`, with the blocks as its result.
  const mineDetailed = control(MINE_ARGUMENTS, async (state, count, options) => {
    const mined = await mineBlocks(state, orderToMine(state, count, options))
    const result = minedBlocksAbove(readContext(session, mined.state), state.chain.head.header.number)
    return { ...mined, result }
  })
  return {
    registerAbi(abi) {
      known.customErrors = withErrors(known.customErrors, argument('registerAbi', 'abi', abi, customErrors))
    },
    async outcome(transactionHash) {
      const hash = argument('outcome', 'transactionHash', transactionHash, anyHash)
      return node.read((state) => outcomes.outcomeOf(readContext(session, state), hash))
    },
    mineDetailed: bindControl(session, 'mineDetailed', mineDetailed),
    nodeInfo: () =>
      node.read((state, records) => ({
        ...describeChain(readContext(session, state)),
        instanceId: instanceIdOf(node.initial, records),
      })),
    async balanceChange(transactionHash, account, options) {
      const { fees, ...of } = resolveBalanceChange('balanceChange', account, options)
      const hash = argument('balanceChange', 'transactionHash', transactionHash, anyHash)
      const found = await node.read((state) => balanceChange(state, hash, of))
      return found && (fees === 'excluded' ? found.change + found.fee : found.change)
    },
  }
}

/** Where a call is traced, and how closely. */
export interface TraceOptions {
  /** A block number, a tag, or an object with `blockHash`, as in `eth_call`. Default 'pending'. */
  readonly block?: number | bigint | string | object
  /** Adds the steps of the execution, with which `traceToHTML` makes a debugger. Default false. */
  readonly steps?: boolean
}

const traceOptions = objectCodec({ block: or(basic.block, 'pending'), steps: or(basic.boolean, false) })

const CALL_FIELDS = [
  ...(['type', 'from', 'to', 'gas', 'value', 'nonce', 'chainId', 'input', 'data', 'accessList'] as const),
  ...(['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'authorizationList'] as const),
  ...(['maxFeePerBlobGas', 'blobVersionedHashes'] as const),
] satisfies readonly (keyof overridden.TransactionRequestWire)[]

/** A transaction object without fields that it does not have. */
const callToTrace: Codec<overridden.TransactionRequest, object> = {
  name: 'transaction object',
  decode: (value, path) =>
    overridden.transactionRequest.decode(basic.asFields(value, path, CALL_FIELDS), path),
}

/** Shows what happened inside of transactions and calls. */
export interface TraceControls {
  /**
   * Makes compiled contracts known: traces and error messages then have their names, and failures Solidity stack
   * traces. Contracts are recognised by their code. They stay known; a clone knows those of its original.
   *
   * @param source solc's standard JSON (an object with `input` and `output`), a build-info of Hardhat or Foundry,
   *   Foundry's artifacts, objects with an `abi`, or bare ABIs; alone or in arrays.
   * @throws TickchainError `invalidContracts`, which says what it got; nothing has changed then
   * @see Solidity, standard JSON
   * @example
   * const abi = [{ type: 'function', name: 'ping', inputs: [], outputs: [] }]
   * await chain.addContracts({ contractName: 'Pinger', abi })
   */
  addContracts(source: object | readonly object[]): Promise<void>
  /**
   * Names an account in traces.
   *
   * @param address 20 bytes of hex.
   * @param name Any text that is not empty.
   * @throws TickchainError `invalidCall`
   * @see Foundry, `vm.label`
   * @example
   * chain.label('0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'Treasury')
   */
  label(address: Address, name: string): void
  /**
   * Resolves to the decoded trace of a transaction, sealed or pre-confirmed, or of a call: calls with their functions,
   * arguments, results and gas, events, console.log lines, changes of storage, and errors. `formatTrace` prints it.
   *
   * @param target The hash of a transaction, a transaction object as for `eth_call`, or the error with which a call, an
   *   estimate or a transaction failed, also as viem or ethers wraps it.
   * @param options The block of a call; the steps.
   * @throws TickchainError `invalidCall`; `transactionNotFound` for a transaction that is in no block;
   *   `blockNotFound`; `stateNotAvailable` if the state before is not kept; `replayDiffers`
   * @see Foundry, `forge test -vvvv`
   * @example
   * await chain.advance(200)
   * const { call, gasUsed } = await chain.trace(hash)
   * call.value // => 1n
   * gasUsed // => 21_000n
   */
  trace(target: Hash | object, options?: TraceOptions): Promise<CallTrace>
}

/** Tells whether a value is an error; `instanceof` throws for a revoked proxy, which is none. */
function isError(value: unknown): value is Error {
  try {
    return value instanceof Error
  } catch {
    return false
  }
}

/** The errors inside of an error, as viem (`cause`) and ethers (`error`, `info.error`) wrap them, and itself. */
export function* errorsIn(error: unknown): Generator<object> {
  const seen = new Set<unknown>()
  const open = [error]
  for (const each of open) {
    if (typeof each !== 'object' || each === null || seen.has(each)) continue
    seen.add(each)
    yield each
    for (const key of ['cause', 'error', 'info']) {
      try {
        open.push((each as Readonly<Record<string, unknown>>)[key])
      } catch {
        // Somebody's getter.
      }
    }
  }
}

async function traceError(session: Session, error: Error, hasSteps: boolean): Promise<CallTrace> {
  const { known } = session
  const { traceOfCall, traceOfTransaction } = await known.explainer()
  for (const each of errorsIn(error)) {
    const failed = failedCallOf(each)
    if (failed !== undefined)
      return withMissesLoaded(() => traceOfCall({ ...failed.context, known }, failed.call, hasSteps))
    const hash = isError(each) && each instanceof TickchainError ? each.transactionHash : undefined
    if (hash !== undefined)
      return session.node.read((state) => traceOfTransaction(readContext(session, state), hash, hasSteps))
  }
  const expected = 'target to be the error of a call, an estimate or a transaction that failed'
  return refuseCall('trace', expected, error)
}

export function traceControls(session: Session): TraceControls {
  const { known } = session
  return {
    addContracts: async (source) => (await known.explainer()).addContracts(known, source),
    label(address, name) {
      const key = argument('label', 'address', address, basic.address)
      known.labels = new Map(known.labels).set(key, argument('label', 'name', name, basic.text))
    },
    async trace(target, options) {
      const defaults = { block: 'pending', steps: false } as const
      const given = optionalArgument('trace', 'options', options, traceOptions, defaults)
      const hasSteps = given.steps
      const { traceOfCall, traceOfTransaction } = await known.explainer()
      if (isError(target)) return traceError(session, target, hasSteps)
      // A receipt, too, for which its hash was meant: the decoder says so.
      if (typeof target === 'string' || basic.fieldMeant(target, 32) !== undefined) {
        const hash = argument('trace', 'target', target, basic.hash)
        return session.node.read((state) => traceOfTransaction(readContext(session, state), hash, hasSteps))
      }
      if (typeof target !== 'object')
        refuseCall('trace', 'the hash of a transaction, a call, or an error', target)
      const request = argument('trace', 'target', target, callToTrace)
      return session.node.read((state) => {
        const context = readContext(session, state)
        const site = callSiteIn(context, given.block)
        return traceOfCall(context, callOf(context, site, request), hasSteps)
      })
    },
  }
}
