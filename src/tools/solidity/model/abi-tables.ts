// Functions, events and errors of all known contracts, for calls of contracts that are not recognised.

import type { CustomErrors } from '../../../core/execution/result/custom-errors.ts'
import type { EventType } from '../../../core/primitives/abi-event.ts'
import type { Hash, Hex } from '../../../core/primitives/hex.ts'
import { memoizeWeak } from '../../../core/primitives/memoize-last.ts'
import type { AbiFunction } from './contract.ts'
import type { ContractIndex } from './contract-index.ts'

/** The tables of an index, made when first asked for. */
export const abiTablesOf = memoizeWeak(({ contracts }: ContractIndex) => {
  // The last contract's, where several have a selector.
  const functions = new Map<Hex, AbiFunction>()
  // Several may share a topic and differ in what is indexed.
  const events = new Map<Hash, readonly EventType[]>()
  const errors: CustomErrors = new Map(contracts.flatMap((contract) => [...contract.errors]))
  for (const contract of contracts) {
    for (const [selector, known] of contract.functions) functions.set(selector, known)
    for (const [topic, event] of contract.events) events.set(topic, [event, ...(events.get(topic) ?? [])])
  }
  return { functions, events, errors }
})
