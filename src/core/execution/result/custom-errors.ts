// Custom errors of registered ABIs, by selector.

import { type AbiParameter, signatureOf } from '../../primitives/abi-type.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { type Hex, utf8ToBytes } from '../../primitives/hex.ts'

/** An error that a contract may revert with, as its ABI declares it. */
export interface CustomError {
  readonly name: string
  readonly inputs: readonly AbiParameter[]
}

/** Selector → error. */
export type CustomErrors = ReadonlyMap<Hex, CustomError>

export const NO_CUSTOM_ERRORS: CustomErrors = new Map()

/** The first four bytes of the hash of a signature. */
export function selectorOf(signature: string): Hex {
  return keccak256Hex(utf8ToBytes(signature)).slice(0, 10) as Hex
}

/** Adds errors; a later one replaces an earlier one with the same selector. */
export function withErrors(known: CustomErrors, errors: readonly CustomError[]): CustomErrors {
  const bySelector = errors.map((error): [Hex, CustomError] => {
    const types = error.inputs.map(({ type }) => type)
    return [selectorOf(signatureOf(error.name, types)), error]
  })
  return new Map([...known, ...bySelector])
}
