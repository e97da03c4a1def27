// Recognition of contracts by their code, deployed or about to be created.

import { type FrameStart, isCreation } from '../../../core/execution/trace/observer.ts'
import type { KnownContracts } from '../../../core/rpc/read-context.ts'
import { agreement, equalMasked, executableLength, holesWithin, maskedHash } from './code-masks.ts'
import type { CodeHole, CompiledCode, CompiledContract } from './contract.ts'

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

function enter(table: Table, entry: Entry, hashedLength: number): void {
  const holes = entry.holes
    .filter(({ start }) => start < hashedLength)
    .map(({ start, length }) => ({ start, length: Math.min(length, hashedLength - start) }))
  const groups = table.get(hashedLength) ?? new Map<string, MaskGroup>()
  table.set(hashedLength, groups)
  const key = holes.map(({ start, length }) => `${start}+${length}`).join()
  const group = groups.get(key) ?? { holes, entries: new Map<number, Entry[]>() }
  groups.set(key, group)
  const hash = maskedHash(entry.code.bytes, hashedLength, holes)
  group.entries.set(hash, [...(group.entries.get(hash) ?? []), entry])
}

function entryOf(contract: CompiledContract, code: CompiledCode): Entry {
  const length = executableLength(code.bytes)
  return { contract, code, length, holes: holesWithin(code, length) }
}

function tablesOf(contracts: readonly CompiledContract[]): ReturnType<ContractIndex['tables']> {
  const tables = { deployed: new Map(), creation: new Map() }
  for (const contract of contracts) {
    const { deployed, creation } = contract
    if (deployed !== undefined) {
      const entry = entryOf(contract, deployed)
      enter(tables.deployed, entry, entry.length)
    }
    if (creation !== undefined) {
      const entry = entryOf(contract, creation)
      enter(tables.creation, entry, Math.min(entry.length, CREATION_PREFIX))
    }
  }
  return tables
}

/** An index of contracts, which may be read when they are needed; of several with the same code, the last is found. */
export function contractIndex(
  given: readonly CompiledContract[] | (() => readonly CompiledContract[]),
): ContractIndex {
  let contracts = typeof given === 'function' ? undefined : given
  let tables: ReturnType<ContractIndex['tables']> | undefined
  const all = (): readonly CompiledContract[] => {
    contracts ??= (given as () => readonly CompiledContract[])()
    return contracts
  }
  return {
    get contracts() {
      return all()
    },
    tables() {
      tables ??= tablesOf(all())
      return tables
    },
    found: new WeakMap(),
  }
}

/** An index with more contracts. */
export function withContracts(
  index: ContractIndex | undefined,
  added: readonly CompiledContract[],
): ContractIndex {
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

/** The entry with the most code in common, the last of equal ones. */
function bestOf(matches: readonly Entry[], code: Uint8Array): CompiledContract | undefined {
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
    const length = executableLength(code)
    // The last bytes of a code without metadata may look like some.
    const lengths = length === code.length ? [length] : [length, code.length]
    return bestOf(
      lengths.flatMap((each) => matchesIn(index.tables().deployed, code, each)),
      code,
    )
  })
}

/** The contract that an init code creates: its creation code with arguments of the constructor behind. */
export function recogniseCreation(index: ContractIndex, initCode: Uint8Array): CompiledContract | undefined {
  if (initCode.length === 0) return undefined
  return remembered(index, initCode, () => {
    const lengths = [...index.tables().creation.keys()].filter((length) => length <= initCode.length)
    return bestOf(
      lengths.flatMap((each) => matchesIn(index.tables().creation, initCode, each)),
      initCode,
    )
  })
}

/** The contract of a frame, by the code that runs: of a creation, the init code. */
export function recognise(
  index: ContractIndex,
  frame: Pick<FrameStart, 'kind'>,
  code: Uint8Array,
): CompiledContract | undefined {
  return isCreation(frame) ? recogniseCreation(index, code) : recogniseDeployed(index, code)
}
