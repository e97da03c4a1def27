// Diagnostic functions of the emulator: transaction outcomes, custom errors, balance changes and a description of the
// chain.

import { withErrors } from '../execution/result/console-log.ts'
import { mineBlocks } from '../node/production/mine.ts'
import { type BalanceOf, balanceChange } from '../node/replay.ts'
import type { Address, Hash } from '../primitives/hex.ts'
import { address, hash as anyHash, oneOf } from '../rpc/codecs/basic.ts'
import { objectCodec, or, type ValueOf } from '../rpc/codecs/object.ts'
import { readContext, type Session } from '../rpc/session.ts'
import * as outcomes from '../rpc/transaction-outcome.ts'
import { describeChain, instanceIdOf, minedBlocksAbove, type NodeInfo } from '../rpc/transaction-outcome.ts'
import { argument } from './checks.ts'
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

type BalanceChangeDetail = ValueOf<typeof balanceChangeOptions>

/** Decodes the arguments of `balanceChange`, for the function and the matcher. */
export function resolveBalanceChange(
  call: string,
  account: unknown,
  options: BalanceChangeOptions | undefined,
): BalanceOf & BalanceChangeDetail {
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
