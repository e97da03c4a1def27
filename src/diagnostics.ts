// What a test may ask about an execution beyond what JSON-RPC says: why it failed, and what it logged.

import { type AbiSource, customErrorsIn } from './abi-arguments.ts'
import { withErrors } from './execution/custom-errors.ts'
import { failure } from './primitives/errors.ts'
import { type Hash, isHexBytes } from './primitives/hex.ts'
import { readContext, type Session } from './rpc/session.ts'
import { outcomeOf, type TransactionOutcome } from './rpc/transaction-outcome.ts'

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
}

function refuse(call: string, expected: string, value: unknown): never {
  const given =
    typeof value === 'string' ? `"${value.slice(0, 40)}"` : Array.isArray(value) ? 'array' : typeof value
  throw failure('invalidCall', { call, expected, given })
}

export function diagnostics(session: Session): Diagnostics {
  return {
    registerAbi(abi) {
      const { abis } = session
      const errors = customErrorsIn(abi, (expected, value) => refuse('registerAbi', expected, value))
      abis.customErrors = withErrors(abis.customErrors, errors)
    },
    async outcome(transactionHash) {
      if (!isHexBytes(transactionHash, 32))
        refuse('outcome', 'a transaction hash of 32 bytes', transactionHash)
      const hash = transactionHash.toLowerCase() as Hash
      return session.node.read((state) => outcomeOf(readContext(session, state), hash))
    },
  }
}
