// Recognition of contracts by their code, deployed or about to be created.

import type { CustomErrors } from '../../../core/execution/result/console-log.ts'
import { type FrameStart, isCreation } from '../../../core/execution/trace/observer.ts'
import type { EventType } from '../../../core/primitives/abi-event.ts'
import type { Hash, Hex } from '../../../core/primitives/hex.ts'
import { memoizeWeak } from '../../../core/primitives/lru-cache.ts'
import type { KnownContracts } from '../../../core/rpc/session.ts'
import { agreement, cutHoles, equalMasked, executableLength, holesWithin, maskedHash } from './code-masks.ts'
import type { AbiFunction, CodeHole, CompiledCode, CompiledContract } from './contract.ts'

interface Entry {
  readonly contract: CompiledContract
  readonly code: CompiledCode
  /** Without the metadata at the end. */
  readonly length: number
  readonly holes: readonly CodeHole[]
}

/** Entries whose hash leaves out the same holes, by that hash. */
interface MaskGroup {
  readonly holes: readonly CodeHole[]
  readonly entries: Map<number, Entry[]>
}

/** Length that is hashed → groups by their holes. */
type Table = Map<number, Map<string, MaskGroup>>

/** Known contracts, for looking one up by its code. */
export interface ContractIndex {
  readonly contracts: readonly CompiledContract[]
  /** Made with the first look-up. */
  readonly tables: () => { readonly deployed: Table; readonly creation: Table }
  /** Earlier results, by the identity of the code. */
  readonly found: WeakMap<Uint8Array, { readonly contract: CompiledContract | undefined }>
}

/** The compiled contracts that a chain knows; the core does not look into them. */
export function contractIndexOf({ contracts }: Pick<KnownContracts, 'contracts'>): ContractIndex | undefined {
  return contracts as ContractIndex | undefined
}

/** Bytes of creation code, whose end is unknown, that are hashed; the rest is compared. */
const CREATION_PREFIX = 256

function enter(table: Table, contract: CompiledContract, code: CompiledCode, most: number): void {
  const length = executableLength(code.bytes)
  const entry: Entry = { contract, code, length, holes: holesWithin(code, length) }
  const hashedLength = Math.min(length, most)
  const holes = cutHoles(entry.holes, hashedLength)
  const groups = table.get(hashedLength) ?? new Map<string, MaskGroup>()
  table.set(hashedLength, groups)
  const key = holes.map(({ start, length }) => `${start}+${length}`).join()
  const group = groups.get(key) ?? { holes, entries: new Map<number, Entry[]>() }
  groups.set(key, group)
  const hash = maskedHash(entry.code.bytes, hashedLength, holes)
  group.entries.set(hash, [...(group.entries.get(hash) ?? []), entry])
}

function tablesOf(contracts: readonly CompiledContract[]): ReturnType<ContractIndex['tables']> {
  const tables = { deployed: new Map(), creation: new Map() }
  for (const contract of contracts) {
    const { deployed, creation } = contract
    if (deployed !== undefined) enter(tables.deployed, contract, deployed, Number.POSITIVE_INFINITY)
    if (creation !== undefined) enter(tables.creation, contract, creation, CREATION_PREFIX)
  }
  return tables
}

/** An index of contracts, which may be read when they are needed; of several with the same code, the last is found. */
export function contractIndex(
  given: readonly CompiledContract[] | (() => readonly CompiledContract[]),
): ContractIndex {
  let contracts = typeof given === 'function' ? undefined : given
  let tables: ReturnType<ContractIndex['tables']> | undefined
  return {
    get contracts() {
      contracts ??= (given as () => readonly CompiledContract[])()
      return contracts
    },
    tables() {
      tables ??= tablesOf(this.contracts)
      return tables
    },
    found: new WeakMap(),
  }
}

export function withContracts(index: ContractIndex | undefined, added: readonly CompiledContract[]) {
  return contractIndex([...(index?.contracts ?? []), ...added])
}

/** The entries that agree with a code in what is hashed, and then in all but their holes. */
function matchesIn(table: Table, code: Uint8Array, hashedLength: number): Entry[] {
  const matches: Entry[] = []
  for (const { holes, entries } of table.get(hashedLength)?.values() ?? []) {
    for (const entry of entries.get(maskedHash(code, hashedLength, holes)) ?? []) {
      if (equalMasked(code, entry.code.bytes, entry.length, entry.holes)) matches.push(entry)
    }
  }
  return matches
}

/** The entry with the most code in common, of those whose hashed part has one of the lengths; the last of equal ones. */
function bestOf(table: Table, code: Uint8Array, lengths: readonly number[]): CompiledContract | undefined {
  const matches = lengths.flatMap((each) => matchesIn(table, code, each))
  if (matches.length <= 1) return matches[0]?.contract
  const ranked = matches.map((entry) => ({ entry, rank: agreement(code, entry.code.bytes) }))
  return ranked.reduce((best, each) => (each.rank >= best.rank ? each : best)).entry.contract
}

function remembered(
  { found }: ContractIndex,
  code: Uint8Array,
  find: () => CompiledContract | undefined,
): CompiledContract | undefined {
  const known = found.get(code)
  if (known !== undefined) return known.contract
  const contract = find()
  found.set(code, { contract })
  return contract
}

/** The contract of a deployed code, with any immutables, library addresses and metadata. */
export function recogniseDeployed(index: ContractIndex, code: Uint8Array): CompiledContract | undefined {
  if (code.length === 0) return undefined
  return remembered(index, code, () => {
    // The last bytes of a code without metadata may look like some.
    return bestOf(index.tables().deployed, code, [...new Set([executableLength(code), code.length])])
  })
}

/** The contract that an init code creates: its creation code with arguments of the constructor behind. */
export function recogniseCreation(index: ContractIndex, initCode: Uint8Array): CompiledContract | undefined {
  if (initCode.length === 0) return undefined
  return remembered(index, initCode, () => {
    const { creation } = index.tables()
    return bestOf(
      creation,
      initCode,
      [...creation.keys()].filter((length) => length <= initCode.length),
    )
  })
}

/** The contract of a frame, by the code that runs: of a creation, the init code. */
export function recognise(index: ContractIndex, frame: Pick<FrameStart, 'kind'>, code: Uint8Array) {
  return isCreation(frame) ? recogniseCreation(index, code) : recogniseDeployed(index, code)
}

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
