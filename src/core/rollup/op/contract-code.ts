// Code of contracts from a generated module: unpacking, and values for immutables.

import { inflateSync } from 'fflate/browser'
import { base64ToBytes, type Hex, hexToBytes, toWord } from '../../primitives/hex.ts'

/** A contract in a generated module. */
interface Packed {
  readonly length: number
  readonly immutables: Readonly<Record<string, readonly number[]>>
}

/** Code with zeros in the places of its immutables. */
export interface ContractCode {
  readonly bytes: Uint8Array
  /** The places of each immutable, a word each, by its name in Solidity. */
  readonly immutables: Readonly<Record<string, readonly number[]>>
}

export function unpackContracts<Name extends string>(
  contracts: Readonly<Record<Name, Packed>>,
  packed: string,
): Readonly<Record<Name, ContractCode>> {
  const entries = Object.entries(contracts) as [Name, Packed][]
  const length = entries.reduce((sum, [, contract]) => sum + contract.length, 0)
  const joined = inflateSync(base64ToBytes(packed) as Uint8Array, { out: new Uint8Array(length) })
  let end = 0
  const codes = entries.map(([name, contract]): [Name, ContractCode] => {
    const start = end
    end += contract.length
    return [name, { bytes: joined.subarray(start, end), immutables: contract.immutables }]
  })
  return Object.fromEntries(codes) as Record<Name, ContractCode>
}

/** The code after its constructor has set the immutables: numbers, addresses or words. All must be given. */
export function withImmutables(
  { bytes, immutables }: ContractCode,
  values: Readonly<Record<string, Hex | bigint>>,
): Uint8Array {
  const code = bytes.slice()
  for (const [name, places] of Object.entries(immutables)) {
    const value = values[name]
    if (value === undefined) throw new Error(`no value for the immutable ${name}`)
    const word = hexToBytes(toWord(BigInt(value)))
    for (const place of places) code.set(word, place)
  }
  return code
}
