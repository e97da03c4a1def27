// Recognition of contracts by their code, deployed or about to be created.

import type { CustomErrors } from '../../../core/execution/result/console-log.ts'
import { type FrameStart, isCreation } from '../../../core/execution/trace/observer.ts'
import type { EventType } from '../../../core/primitives/abi-event.ts'
import type { Hash, Hex } from '../../../core/primitives/hex.ts'
import { memoizeWeak, once } from '../../../core/primitives/lru-cache.ts'
import type { KnownContracts } from '../../../core/rpc/session.ts'
import { agreement, agrees, executableLength } from './code-masks.ts'
import type { AbiFunction, CompiledCode, CompiledContract } from './contract.ts'

interface Entry {
  readonly contract: CompiledContract
  readonly code: CompiledCode
  /** Without the metadata at the end. */
  readonly length: number
}

/** Known contracts, for looking one up by its code. */
export interface ContractIndex {
  readonly contracts: readonly CompiledContract[]
  /** Made with the first look-up. */
  readonly tables: () => {
    readonly deployed: ReadonlyMap<number, readonly Entry[]>
    readonly creation: readonly Entry[]
  }
  /** Earlier results, by the identity of the code. */
  readonly found: WeakMap<Uint8Array, { readonly contract: CompiledContract | undefined }>
}

/** The compiled contracts that a chain knows; the core does not look into them. */
export function contractIndexOf({ contracts }: Pick<KnownContracts, 'contracts'>): ContractIndex | undefined {
  return contracts as ContractIndex | undefined
}

function tablesOf(contracts: readonly CompiledContract[]): ReturnType<ContractIndex['tables']> {
  const entriesOf = (kind: 'deployed' | 'creation'): Entry[] =>
    contracts.flatMap((contract) => {
      const code = contract[kind]
      return code === undefined ? [] : [{ contract, code, length: executableLength(code.bytes) }]
    })
  const deployed = new Map<number, Entry[]>()
  for (const entry of entriesOf('deployed'))
    deployed.set(entry.length, [...(deployed.get(entry.length) ?? []), entry])
  return { deployed, creation: entriesOf('creation') }
}

/** An index of contracts, which may be read when they are needed; of several with the same code, the last is found. */
export function contractIndex(
  given: readonly CompiledContract[] | (() => readonly CompiledContract[]),
): ContractIndex {
  const contracts = once(() => (typeof given === 'function' ? given() : given))
  return {
    get contracts() {
      return contracts()
    },
    tables: once(() => tablesOf(contracts())),
    found: new WeakMap(),
  }
}

export function withContracts(index: ContractIndex | undefined, added: readonly CompiledContract[]) {
  return contractIndex([...(index?.contracts ?? []), ...added])
}

/** The entry with the most code in common, of those that agree in all but their holes; the last of equal ones. */
function bestOf(entries: readonly Entry[], code: Uint8Array): CompiledContract | undefined {
  const matches = entries.filter((entry) => agrees(code, entry.code, entry.length))
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
    const lengths = new Set([executableLength(code), code.length])
    const { deployed } = index.tables()
    return bestOf(
      [...lengths].flatMap((length) => deployed.get(length) ?? []),
      code,
    )
  })
}

/** The contract that an init code creates: its creation code with arguments of the constructor behind. */
export function recogniseCreation(index: ContractIndex, initCode: Uint8Array): CompiledContract | undefined {
  if (initCode.length === 0) return undefined
  return remembered(index, initCode, () => bestOf(index.tables().creation, initCode))
}

/** The contract of a frame, by the code that runs: of a creation, the init code. */
export function recognise(index: ContractIndex, frame: Pick<FrameStart, 'kind'>, code: Uint8Array) {
  return isCreation(frame) ? recogniseCreation(index, code) : recogniseDeployed(index, code)
}

/** The last function that has a selector. ABIs are read on the way to it. */
export function functionWith({ contracts }: ContractIndex, selector: Hex): AbiFunction | undefined {
  for (let at = contracts.length - 1; at >= 0; at--) {
    const known = contracts[at]?.functions.get(selector)
    if (known !== undefined) return known
  }
  return undefined
}

/** The events of a topic, which may differ in what is indexed: that of a contract, and then those of the last ones. */
export function* eventsWith(
  { contracts }: ContractIndex,
  own: CompiledContract | undefined,
  topic: Hash,
): Generator<EventType> {
  for (const { events } of [...contracts, ...(own === undefined ? [] : [own])].reverse()) {
    const event = events.get(topic)
    if (event !== undefined) yield event
  }
}

export const errorsOf = memoizeWeak(
  ({ contracts }: ContractIndex): CustomErrors => new Map(contracts.flatMap(({ errors }) => [...errors])),
)
