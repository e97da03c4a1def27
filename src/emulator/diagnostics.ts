// What a test may ask beyond what JSON-RPC says: why an execution failed, what it logged, and how the chain stands.

import { withErrors } from '../execution/result/custom-errors.ts'
import { type BalanceOf, balanceChange } from '../node/balance-change.ts'
import { mineBlocks } from '../node/production/mine.ts'
import type { Address, Hash } from '../primitives/hex.ts'
import { describeChain, instanceIdOf, type NodeInfo } from '../rpc/node-info.ts'
import { readContext, type Session } from '../rpc/session.ts'
import {
  type MinedBlock,
  minedAbove,
  outcomeOf,
  type TransactionOutcome,
} from '../rpc/transaction-outcome.ts'
import { asAddressArgument, asFields, asHashArgument, refuseArgument } from './controls/arguments.ts'
import { type MineOptions, resolveMining } from './controls/mining.ts'
import { type AbiSource, customErrorsIn } from './options/abis.ts'

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

/** Throws `invalidCall`, in the name of a call. */
export function resolveBalanceChange(
  call: string,
  account: unknown,
  options: BalanceChangeOptions | undefined,
): BalanceOf & { readonly fees: 'included' | 'excluded' } {
  const { token, fees = 'included' } = asFields(call, options)
  const isKnown = fees === 'included' || fees === 'excluded'
  return {
    account: asAddressArgument(call, account),
    token: token === undefined ? undefined : asAddressArgument(call, token),
    fees: isKnown ? fees : refuseArgument(call, "fees to be 'included' or 'excluded'", fees),
  }
}

export function diagnostics(session: Session): Diagnostics {
  return {
    registerAbi(abi) {
      const { abis } = session
      const errors = customErrorsIn(abi, (expected, value) => refuseArgument('registerAbi', expected, value))
      abis.customErrors = withErrors(abis.customErrors, errors)
    },
    async outcome(transactionHash) {
      const hash = asHashArgument('outcome', transactionHash, 'a transaction hash of 32 bytes')
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
      session.node.read((state, records) => ({
        ...describeChain(readContext(session, state)),
        instanceId: instanceIdOf(session.node.initial, records),
      })),
    async balanceChange(transactionHash, account, options) {
      const { fees, ...of } = resolveBalanceChange('balanceChange', account, options)
      const hash = asHashArgument('balanceChange', transactionHash)
      const { node } = session
      const found = await node.read((state) => balanceChange(node.config, state, hash, of))
      return found && (fees === 'excluded' ? found.change + found.fee : found.change)
    },
  }
}
