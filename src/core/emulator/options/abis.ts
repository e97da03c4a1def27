// Codec of ABIs: their custom errors.

import type { CustomError } from '../../execution/result/custom-errors.ts'
import { parseAbiParameters } from '../../primitives/abi-type.ts'
import { type Codec, refuse, refuseValue } from '../../rpc/codecs/codec.ts'

/** A JSON ABI, as compilers write it and viem, ethers and others accept it, with or without `as const`. */
export type Abi = readonly object[]

/** An ABI, or an object with one, such as a compiler's artifact. */
export type AbiSource = Abi | { readonly abi: Abi }

const EXPECTED = 'a JSON ABI, an object with one as abi, or an array of these'
const MOST_ENTRIES = 100_000
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/

function entriesOf(value: unknown, path: string): readonly unknown[] {
  const hasAbi = typeof value === 'object' && value !== null && 'abi' in value
  const abi = Array.isArray(value) || !hasAbi ? value : value.abi
  if (!Array.isArray(abi)) refuseValue(path, EXPECTED, value)
  if (abi.length > MOST_ENTRIES) refuse(path, `expected at most ${MOST_ENTRIES} entries, got ${abi.length}`)
  // Array.from sees the holes of an array, which flatMap passes over.
  return Array.from(abi)
}

/** The entries of one ABI, or of all in an array of ABIs. */
function allEntries(value: unknown, path: string): readonly unknown[] {
  return entriesOf(value, path).flatMap((each: unknown) => {
    const isSource = Array.isArray(each) || (typeof each === 'object' && each !== null && 'abi' in each)
    return isSource ? entriesOf(each, path) : [each]
  })
}

function toCustomError(entry: unknown, path: string): CustomError | undefined {
  const { type, name, inputs } = (entry ?? {}) as { type?: unknown; name?: unknown; inputs?: unknown }
  if (typeof type !== 'string') refuseValue(path, 'entries with a type, as a JSON ABI has them', entry)
  if (type !== 'error') return undefined
  if (typeof name !== 'string' || !IDENTIFIER.test(name)) refuseValue(path, 'errors with a name', name)
  const parsed = parseAbiParameters(inputs)
  if (parsed === undefined) {
    refuseValue(path, `the error ${name} to have inputs with types of the ABI specification`, inputs)
  }
  return { name, inputs: parsed }
}

/** The custom errors of ABIs; all other entries are ignored. */
export const customErrors: Codec<CustomError[], AbiSource | readonly AbiSource[]> = {
  name: 'ABIs',
  decode: (value, path) =>
    allEntries(value, path)
      .map((entry) => toCustomError(entry, path))
      .filter((error) => error !== undefined),
}
