// Flavor of transaction objects: what Hardhat refuses, whether they are called, estimated or sent.

import { failure } from '../../primitives/errors.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'

/** Refuses a creation without init code. */
export function checkCreation({ to, input }: TransactionRequest): void {
  if (to === undefined && input.length === 0) throw failure('creationWithoutData')
}
