// The ABIs that a user hands over: what of them is used, and what is refused.

import type { CustomError } from '../../execution/result/custom-errors.ts'
import { parseAbiParameters } from '../../primitives/abi-type.ts'

/** A JSON ABI, as compilers write it and viem, ethers and others take it; `as const` or not. */
export type Abi = readonly object[]

/** An ABI, or what has one, such as a compiler's artifact. */
export type AbiSource = Abi | { readonly abi: Abi }

type Refuse = (expected: string, value: unknown) => never

const EXPECTED = 'a JSON ABI, an object with one as abi, or an array of these'
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/

function entriesOf(value: unknown, refuse: Refuse): readonly unknown[] {
  if (Array.isArray(value)) return value
  const abi = typeof value === 'object' && value !== null && 'abi' in value ? value.abi : undefined
  return Array.isArray(abi) ? abi : refuse(EXPECTED, value)
}

/** The entries of one ABI, or of all in an array of ABIs. */
function allEntries(value: unknown, refuse: Refuse): readonly unknown[] {
  return entriesOf(value, refuse).flatMap((each: unknown) => {
    const isSource = Array.isArray(each) || (typeof each === 'object' && each !== null && 'abi' in each)
    return isSource ? entriesOf(each, refuse) : [each]
  })
}

function toCustomError(entry: unknown, refuse: Refuse): CustomError | undefined {
  const { type, name, inputs } = (entry ?? {}) as { type?: unknown; name?: unknown; inputs?: unknown }
  if (typeof type !== 'string') refuse('entries with a type, as a JSON ABI has them', entry)
  if (type !== 'error') return undefined
  if (typeof name !== 'string' || !IDENTIFIER.test(name)) refuse('errors with a name', name)
  const parsed = parseAbiParameters(inputs)
  if (parsed === undefined)
    refuse(`the error ${name} to have inputs with types of the ABI specification`, inputs)
  return { name, inputs: parsed }
}

/** The custom errors of ABIs; whatever else is in them is not looked at. */
export function customErrorsIn(value: unknown, refuse: Refuse): CustomError[] {
  const errors = allEntries(value, refuse).map((entry) => toCustomError(entry, refuse))
  return errors.filter((error) => error !== undefined)
}
