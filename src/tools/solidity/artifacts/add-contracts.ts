// Contracts that become known.

import type { CompiledContract } from '../model/contract.ts'
import { type ContractIndex, contractIndex } from '../model/contract-index.ts'
import { readContracts } from './read-contracts.ts'

/**
 * The index of the known contracts and those of a source, as `readContracts` takes it.
 * @throws TickchainError `invalidContracts`
 */
export function withContracts(
  known: ContractIndex | undefined,
  source: unknown,
): { readonly index: ContractIndex; readonly added: readonly CompiledContract[] } {
  const added = readContracts(source)
  return { index: contractIndex([...(known?.contracts ?? []), ...added]), added }
}
