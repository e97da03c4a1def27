// Flavor of transaction objects: what Hardhat refuses, whether they are called, estimated or sent.

import { failure, reworded, type TickchainError } from '../../primitives/errors.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'

/** Hardhat's error code for invalid arguments. */
const INVALID_ARGUMENTS = -32602

function unsupported(words: string): TickchainError {
  return reworded(failure('transactionTypeNotSupported'), INVALID_ARGUMENTS, words)
}

/** The words for fields of a later fork; Hardhat names berlin in all of them. */
const LATER = (fields: string): string =>
  `${fields} by the current hardfork.\n\nYou can use them by running Hardhat Network with 'hardfork' BERLIN or later.\n        `

/** Refuses the fields of a request that the fork does not have, in Hardhat's words. */
export function checkForkFields(rules: Rules, request: TransactionRequest): void {
  const { accessList, authorizationList, maxFeePerGas, maxPriorityFeePerGas } = request
  if (accessList !== undefined && !isForkActive(rules, 'berlin'))
    throw unsupported(LATER('Access list received but is not supported').replace('.\n', '. \n'))
  const hasFeeMarketFields = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined
  if (hasFeeMarketFields && !isForkActive(rules, 'london')) {
    const fields = 'EIP-1559 style fee params (maxFeePerGas or maxPriorityFeePerGas)'
    throw unsupported(LATER(`${fields} received but they are not supported`))
  }
  if (authorizationList !== undefined && !isForkActive(rules, 'prague')) {
    const fork = rules.hardfork.toUpperCase()
    throw unsupported(
      `The transaction contains EIP-7702 parameters, but they are not supported by the current hardfork: ${fork}. Use the Prague hardfork (or later).`,
    )
  }
}

/** Refuses a creation without init code. */
export function checkCreation({ to, input }: TransactionRequest): void {
  if (to === undefined && input.length === 0) throw failure('creationWithoutData')
}
