// What a test has told of its contracts and accounts. It is no part of the chain: a revert does not undo it.

import type { ContractIndex } from '../../tools/solidity/model/contract-index.ts'
import type { CustomErrors } from '../execution/result/custom-errors.ts'
import type { Address } from '../primitives/hex.ts'

export interface KnownContracts {
  /** Of the registered ABIs and contracts. */
  customErrors: CustomErrors
  /** Compiled contracts; `undefined` as long as there are none. */
  contracts: ContractIndex | undefined
  /** Names of accounts. */
  labels: ReadonlyMap<Address, string>
}
