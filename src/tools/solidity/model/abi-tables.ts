// Functions, events and errors of all known contracts, for calls of contracts that are not recognised.

import type { CustomErrors } from '../../../core/execution/result/custom-errors.ts'
import type { EventType } from '../../../core/primitives/abi-event.ts'
import type { Hash, Hex } from '../../../core/primitives/hex.ts'
import { memoizeWeak } from '../../../core/primitives/memoize-last.ts'
import type { AbiFunction } from './contract.ts'
import type { ContractIndex } from './contract-index.ts'

interface AbiTables {
  /** By selector; the last contract's where several have one. */
  readonly functions: ReadonlyMap<Hex, AbiFunction>
  /** Several may share a topic and differ in what is indexed. */
  readonly events: ReadonlyMap<Hash, readonly EventType[]>
  readonly errors: CustomErrors
}

/** The tables of an index, made when first asked for. */
export const abiTablesOf = memoizeWeak(({ contracts }: ContractIndex): AbiTables => {
  const functions = new Map<Hex, AbiFunction>()
  const events = new Map<Hash, readonly EventType[]>()
  const errors = new Map(contracts.flatMap((contract) => [...contract.errors]))
  for (const contract of contracts) {
    for (const [selector, known] of contract.functions) functions.set(selector, known)
    for (const [topic, event] of contract.events) events.set(topic, [event, ...(events.get(topic) ?? [])])
  }
  return { functions, events, errors }
})
