// Native contracts of a chain, as contracts whose ABIs are known.

import type { Address } from '../../../core/primitives/hex.ts'
import { memoizeWeak } from '../../../core/primitives/lru-cache.ts'
import type { KnownContracts, KnownNatives } from '../../../core/rpc/session.ts'
import { type ContractIndex, contractIndex } from '../model/contract-index.ts'
import { readContracts } from './read-contracts.ts'

const contractsOf = memoizeWeak(
  ({ all }: KnownNatives) => new Map(readContracts([...all]).map((contract) => [contract.name, contract])),
)

export function nativeContractAt({ natives }: Pick<KnownContracts, 'natives'>, address: Address) {
  const found = natives?.at(address)
  return natives && found && contractsOf(natives).get(found.name)
}

const indexesOf = memoizeWeak((natives: KnownNatives) =>
  memoizeWeak((index: ContractIndex) =>
    contractIndex([...contractsOf(natives).values(), ...index.contracts]),
  ),
)

/** An index with the native contracts of a chain, if it has some. */
export function indexWithNatives(index: ContractIndex, { natives }: Pick<KnownContracts, 'natives'>) {
  return natives === undefined ? index : indexesOf(natives)(index)
}
