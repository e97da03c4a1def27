// The code of an OP-stack chain's contracts, from a generated module. Loaded with the first chain that has a rollup.

import { type Code, makeCode } from '../../state/world-state.ts'
import { type ContractCode, unpackContracts } from './contract-code.ts'
import { CODE, CONTRACTS } from './generated-l2.ts'

export type L2Contract = keyof typeof CONTRACTS

let unpacked: Readonly<Record<L2Contract, ContractCode>> | undefined
const codes = new Map<L2Contract, Code>()

export function l2Contract(name: L2Contract): ContractCode {
  unpacked ??= unpackContracts(CONTRACTS, CODE)
  return unpacked[name]
}

/** The code of a contract without immutables. */
export function l2Code(name: L2Contract): Code {
  const known = codes.get(name)
  if (known !== undefined) return known
  const code = makeCode(l2Contract(name).bytes)
  codes.set(name, code)
  return code
}
