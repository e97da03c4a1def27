// What a test contract as Foundry has them says of what is called: `targetContracts` and the like.

import { type AbiValue, decodeAbi } from '../../../core/primitives/abi.ts'
import { parseAbiParameters } from '../../../core/primitives/abi-type.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { type Address, type Hex, hexToBytes } from '../../../core/primitives/hex.ts'
import { haltOf } from './halt.ts'
import type { Machine, Moment } from './machine.ts'
import type { KnownContract } from './scene.ts'

/** What a test contract says of what is called. Artifacts are names of contracts, with or without their file. */
export interface Selection {
  readonly contracts: readonly Address[]
  readonly excluded: readonly Address[]
  readonly selectors: readonly SelectorsOf[]
  readonly excludedSelectors: readonly SelectorsOf[]
  readonly senders: readonly Address[]
  readonly excludedSenders: readonly Address[]
  readonly artifacts: readonly string[]
  readonly excludedArtifacts: readonly string[]
  readonly artifactSelectors: readonly ArtifactSelectors[]
  readonly interfaces: readonly Interface[]
}

export interface SelectorsOf {
  readonly address: Address
  readonly selectors: readonly Hex[]
}

interface ArtifactSelectors {
  readonly artifact: string
  readonly selectors: readonly Hex[]
}

/** The functions of artifacts at an address. */
export interface Interface {
  readonly address: Address
  readonly artifacts: readonly string[]
}

export function refuse(reason: string): never {
  throw failure('invalidOption', { option: 'test', reason })
}

const SELECTORS = { type: 'tuple[]', components: [{ type: 'address' }, { type: 'bytes4[]' }] }
const LISTS = {
  targetContracts: { type: 'address[]' },
  excludeContracts: { type: 'address[]' },
  targetSenders: { type: 'address[]' },
  excludeSenders: { type: 'address[]' },
  targetSelectors: SELECTORS,
  excludeSelectors: SELECTORS,
  targetArtifacts: { type: 'string[]' },
  excludeArtifacts: { type: 'string[]' },
  targetArtifactSelectors: { type: 'tuple[]', components: [{ type: 'string' }, { type: 'bytes4[]' }] },
  targetInterfaces: { type: 'tuple[]', components: [{ type: 'address' }, { type: 'string[]' }] },
} as const

/** What a function of the selection returns; empty if the contract does not have it. */
async function listOf(
  machine: Machine,
  moment: Moment,
  test: KnownContract,
  from: Address,
  name: keyof typeof LISTS,
): Promise<readonly AbiValue[]> {
  const fn = test.functions.find(({ signature }) => signature === `${name}()`)
  if (fn === undefined) return []
  const { result } = await machine.read(moment, from, test.address, hexToBytes(fn.selector))
  if (result.outcome !== 'success') return refuse(`${name}() fails: ${haltOf(result, test.errors)}`)
  const [parameter] = parseAbiParameters([LISTS[name]]) ?? []
  const [list] = (parameter && decodeAbi([parameter.type], result.returnData)) ?? []
  return Array.isArray(list) ? list : refuse(`${name}() returns no ${parameter?.type.canonical}`)
}

type Pair<First, Second> = readonly (readonly [First, readonly Second[]])[]

/** Asks a test contract what is called. Throws `invalidOption` for what cannot be read. */
export async function selectionOf(
  machine: Machine,
  moment: Moment,
  test: KnownContract,
  from: Address,
): Promise<Selection> {
  const read = (name: keyof typeof LISTS) => listOf(machine, moment, test, from, name)
  const addresses = async (name: keyof typeof LISTS) => (await read(name)) as readonly Address[]
  const selectors = async (name: keyof typeof LISTS) =>
    ((await read(name)) as Pair<Address, Hex>).map(([address, list]) => ({ address, selectors: list }))
  return {
    contracts: await addresses('targetContracts'),
    excluded: await addresses('excludeContracts'),
    selectors: await selectors('targetSelectors'),
    excludedSelectors: await selectors('excludeSelectors'),
    senders: await addresses('targetSenders'),
    excludedSenders: await addresses('excludeSenders'),
    artifacts: (await read('targetArtifacts')) as readonly string[],
    excludedArtifacts: (await read('excludeArtifacts')) as readonly string[],
    artifactSelectors: ((await read('targetArtifactSelectors')) as Pair<string, Hex>).map(
      ([artifact, list]) => ({ artifact, selectors: list }),
    ),
    interfaces: ((await read('targetInterfaces')) as Pair<Address, string>).map(([address, artifacts]) => ({
      address,
      artifacts,
    })),
  }
}
