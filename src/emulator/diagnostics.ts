// Functions of the emulator that tell more than JSON-RPC: why an execution failed, what it logged, the chain's state.

import { withErrors } from '../execution/result/custom-errors.ts'
import { type BalanceOf, balanceChange } from '../node/balance-change.ts'
import { unchanged } from '../node/events.ts'
import { mineBlocks } from '../node/production/mine.ts'
import type { Address, Hash } from '../primitives/hex.ts'
import { address, hash as anyHash, asRecord, oneOf } from '../rpc/codecs/basic.ts'
import type { Codec } from '../rpc/codecs/codec.ts'
import { describeChain, instanceIdOf, type NodeInfo } from '../rpc/node-info.ts'
import { readContext, type Session } from '../rpc/session.ts'
import {
  type MinedBlock,
  minedAbove,
  outcomeOf,
  type TransactionOutcome,
} from '../rpc/transaction-outcome.ts'
import { argument, option, optionalArgument } from './checks.ts'
import { type MineOptions, resolveMining } from './controls/mining.ts'
import { type AbiSource, customErrors } from './options/abis.ts'

export interface Diagnostics {
  /**
   * Makes the custom errors of ABIs known: JSON ABIs, or objects that have one as `abi`. From now on the message of
   * a call that reverts with one says so, and `outcome` decodes it. Nothing takes it back; clones know what their
   * original knew.
   *
   * @throws TickchainError `invalidCall`; nothing has changed then
   * @example
   * chain.registerAbi(parseAbi(['error InsufficientBalance(uint256 available, uint256 required)']))
   */
  registerAbi(abi: AbiSource | readonly AbiSource[]): void
  /**
   * What came of a transaction beyond its receipt: why it failed, with the reason decoded, and what its contracts
   * said with console.log. `undefined` where it is in no block, sealed or being built.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.advance(200)
   * const { status, consoleLogs } = await chain.outcome(hash)
   * if (status !== 'success' || consoleLogs.length > 0) throw new Error('a transfer runs no code')
   */
  outcome(transactionHash: Hash): Promise<TransactionOutcome | undefined>
  /**
   * Seals blocks as `mine` does, and answers them with what came of each of their transactions. Every one is built,
   * so it is not for the million.
   *
   * @throws TickchainError as `mine` does; nothing has changed then
   * @example
   * const [block] = await chain.mineDetailed()
   * const [{ status }] = block.transactions
   * if (status !== 'success') throw new Error('it should not have failed')
   */
  mineDetailed(count?: number, options?: MineOptions): Promise<readonly MinedBlock[]>
  /**
   * Who answers, and how the chain stands: the latest block, and what the next one follows from.
   *
   * @example
   * const { hardfork, baseFeePerGas } = await chain.nodeInfo()
   */
  nodeInfo(): Promise<NodeInfo>
  /**
   * By how much a transaction changed a balance, in wei or in the units of a token: it alone, whatever else is in its
   * block. `undefined` where it is in no block, sealed or being built.
   *
   * @throws TickchainError `invalidCall`; `tokenNotReadable`; `notRepeatable` where accounts were edited meanwhile, so
   * that it would not run again as it did
   * @example
   * await chain.advance(200)
   * const change = await chain.balanceChange(hash, `0x${'aa'.repeat(20)}`)
   * if (change !== 1n) throw new Error('one wei was sent')
   */
  balanceChange(
    transactionHash: Hash,
    account: Address,
    options?: BalanceChangeOptions,
  ): Promise<bigint | undefined>
}

export interface BalanceChangeOptions {
  /** An ERC-20 token, in place of ether. */
  readonly token?: Address
  /** Whether what the sender pays for gas is a part of its change. Default 'included'. */
  readonly fees?: 'included' | 'excluded'
}

type BalanceChangeDetail = Omit<BalanceOf, 'account'> & { readonly fees: 'included' | 'excluded' }

const IN_ETHER: BalanceChangeDetail = { token: undefined, fees: 'included' }

const balanceChangeOptions: Codec<BalanceChangeDetail, BalanceChangeOptions> = {
  name: 'object with token and fees',
  decode(value, path) {
    const record = asRecord(value, path)
    return {
      token: option(record, 'token', address, undefined, path),
      fees: option(record, 'fees', oneOf(['included', 'excluded']), 'included', path),
    }
  },
}

/** Decodes the arguments of `balanceChange`, for the function and the matcher. */
export function resolveBalanceChange(
  call: string,
  account: unknown,
  options: BalanceChangeOptions | undefined,
): BalanceOf & BalanceChangeDetail {
  return {
    account: argument(call, 'account', account, address),
    ...optionalArgument(call, 'options', options, balanceChangeOptions, IN_ETHER),
  }
}

export function diagnostics(session: Session): Diagnostics {
  return {
    registerAbi(abi) {
      const { abis } = session
      abis.customErrors = withErrors(abis.customErrors, argument('registerAbi', 'abi', abi, customErrors))
    },
    async outcome(transactionHash) {
      const hash = argument('outcome', 'transactionHash', transactionHash, anyHash)
      return session.node.read((state) => outcomeOf(readContext(session, state), hash))
    },
    async mineDetailed(count, options) {
      const { node } = session
      const order = resolveMining('mineDetailed', count, options)
      return node.execute(async (state) => {
        const mined = await mineBlocks(node.config, state, order(state))
        const result = minedAbove(readContext(session, mined.state), state.chain.head.header.number)
        return { ...mined, result }
      })
    },
    nodeInfo: () =>
      session.node.execute((state) => ({
        ...unchanged(state),
        result: { ...describeChain(readContext(session, state)), instanceId: instanceIdOf(session.node) },
      })),
    async balanceChange(transactionHash, account, options) {
      const { fees, ...of } = resolveBalanceChange('balanceChange', account, options)
      const hash = argument('balanceChange', 'transactionHash', transactionHash, anyHash)
      const { node } = session
      const found = await node.read((state) => balanceChange(node.config, state, hash, of))
      return found && (fees === 'excluded' ? found.change + found.fee : found.change)
    },
  }
}
