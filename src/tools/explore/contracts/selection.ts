// The calls that a test contract as Foundry has them chooses: `targetContracts` and the like.

import { decodeAbi, parseAbiParameters } from '../../../core/primitives/abi.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { type Address, type Hex, hexToBytes } from '../../../core/primitives/hex.ts'
import type { DifferenceVisitor } from '../../../core/primitives/immutable-map.ts'
import { type Account, readAccount } from '../../../core/state/world-state.ts'
import type { CompiledContract } from '../../solidity/model/contract.ts'
import { type ContractIndex, recogniseDeployed } from '../../solidity/model/contract-index.ts'
import type { Position } from './call.ts'
import { haltOf, type Machine } from './machine.ts'
import { isCalledByDefault, type KnownContract, knownContract, type Target } from './scene.ts'

type SelectorsOf<Named> = readonly (readonly [named: Named, selectors: readonly Hex[]])[]

/** The results of a test contract's functions of these names. Artifacts are names of contracts, with or without file. */
export interface TargetSelection {
  readonly targetContracts: readonly Address[]
  readonly excludeContracts: readonly Address[]
  readonly targetSenders: readonly Address[]
  readonly excludeSenders: readonly Address[]
  readonly targetSelectors: SelectorsOf<Address>
  readonly excludeSelectors: SelectorsOf<Address>
  readonly targetArtifacts: readonly string[]
  readonly excludeArtifacts: readonly string[]
  readonly targetArtifactSelectors: SelectorsOf<string>
  /** The functions of artifacts at an address. */
  readonly targetInterfaces: readonly (readonly [address: Address, artifacts: readonly string[]])[]
}

export function refuseSelection(reason: string): never {
  throw failure('invalidOption', { option: 'test', reason })
}

const pairs = (...types: readonly string[]) => ({
  type: 'tuple[]',
  components: types.map((type) => ({ type })),
})
const ADDRESSES = { type: 'address[]' }
const TEXTS = { type: 'string[]' }
const LISTS: Readonly<Record<keyof TargetSelection, { readonly type: string }>> = {
  targetContracts: ADDRESSES,
  excludeContracts: ADDRESSES,
  targetSenders: ADDRESSES,
  excludeSenders: ADDRESSES,
  targetArtifacts: TEXTS,
  excludeArtifacts: TEXTS,
  targetSelectors: pairs('address', 'bytes4[]'),
  excludeSelectors: pairs('address', 'bytes4[]'),
  targetArtifactSelectors: pairs('string', 'bytes4[]'),
  targetInterfaces: pairs('address', 'string[]'),
}

/** Asks a test contract for its selection; lists of functions that it does not have are empty. Throws `invalidOption`. */
export async function selectionOf(
  machine: Machine,
  position: Position,
  test: KnownContract,
  from: Address,
): Promise<TargetSelection> {
  const lists: [string, unknown][] = []
  for (const [name, list] of Object.entries(LISTS)) {
    const fn = test.functions.find(({ signature }) => signature === `${name}()`)
    if (fn === undefined) {
      lists.push([name, []])
      continue
    }
    const { result } = await machine.call(position, from, test.address, hexToBytes(fn.selector))
    if (result.outcome !== 'success')
      return refuseSelection(`${name}() fails: ${haltOf(result, test.errors)}`)
    const [parameter] = parseAbiParameters([list]) ?? []
    const [value] = (parameter && decodeAbi([parameter.type], result.returnData)) ?? []
    if (!Array.isArray(value)) return refuseSelection(`${name}() returns no ${parameter?.type.canonical}`)
    lists.push([name, value])
  }
  return Object.fromEntries(lists) as unknown as TargetSelection
}

/** Accounts with code that came between two positions, in the order of their addresses. */
export function createdBetween(before: Position, after: Position): Address[] {
  const created: Address[] = []
  const visit: DifferenceVisitor<Address, Account> = (address, old, now) => {
    const hadCode = old !== undefined && old.code.bytes.length > 0
    if (!hadCode && now !== undefined && now.code.bytes.length > 0) created.push(address)
  }
  // A fork that was selected is another state: of it, what was written, so that nothing is asked for.
  if (after.cheats.activeFork === undefined) before.state.visitChanges(after.state, visit)
  else after.state.untouched.visitWrites(after.state, visit)
  return created.sort()
}

function withOwnNames(targets: readonly Target[]): Target[] {
  const counts = new Map<string, number>()
  return targets.map((target) => {
    const { name } = target.contract
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? target : { ...target, contract: { ...target.contract, name: `${name}${count}` } }
  })
}

interface Candidates {
  readonly before: Position
  readonly after: Position
  readonly test: Address | undefined
  readonly given: readonly Target[]
  readonly index: ContractIndex | undefined
  /** True if named targets that nobody knows are left out, as in forge, and not refused. */
  readonly skipsUnknown?: boolean
}

/** The contracts of that name, with or without their file; refuses a name that nobody knows. */
function artifactsNamed({ index }: Candidates, name: string, asked: keyof TargetSelection) {
  const found = (index?.contracts ?? []).filter(
    (each) => name === each.name || name === `${each.file}:${each.name}`,
  )
  if (found.length > 0) return found
  return refuseSelection(`${asked}() names ${name}, which the chain does not know: use chain.addContracts`)
}

function compiledAt({ after, index }: Candidates, address: Address): CompiledContract | undefined {
  return index && recogniseDeployed(index, readAccount(after.state, address).code.bytes)
}

/** The contract at an address: one of the option, or one that the chain recognises by its code. */
function targetAt(candidates: Candidates, address: Address): Target | undefined {
  const given = candidates.given.find(({ contract }) => contract.address === address)
  const found = given === undefined ? compiledAt(candidates, address) : undefined
  if (found === undefined) return given
  const { name, abi, errors, events } = found
  const functions = [...found.functions.values()]
  return { contract: { name, address, abi, functions, errors, events }, isCalled: isCalledByDefault }
}

function targetNamed(candidates: Candidates, address: Address): Target {
  const reason = `the target ${address} is not known: name it in the option contracts, or use chain.addContracts`
  return targetAt(candidates, address) ?? refuseSelection(reason)
}

/** The choice that artifacts make among the contracts that were created. */
function createdByArtifacts(selection: TargetSelection, candidates: Candidates) {
  const { targetArtifacts, excludeArtifacts, targetArtifactSelectors } = selection
  const named = (names: readonly string[], asked: keyof TargetSelection) =>
    names.flatMap((name) => artifactsNamed(candidates, name, asked))
  const targets = named(targetArtifacts, 'targetArtifacts')
  const selectors = targetArtifactSelectors.map(
    ([name, list]) => [named([name], 'targetArtifactSelectors'), list] as const,
  )
  const chosen = [...targets, ...selectors.flatMap(([contracts]) => contracts)]
  const not = named(excludeArtifacts, 'excludeArtifacts')
  return {
    isChosen(address: Address): boolean {
      const compiled = compiledAt(candidates, address)
      if (compiled === undefined) return chosen.length === 0
      return (chosen.length === 0 || chosen.includes(compiled)) && !not.includes(compiled)
    },
    selectorsAt(address: Address): readonly string[] {
      const compiled = compiledAt(candidates, address)
      return selectors
        .filter(([contracts]) => compiled !== undefined && contracts.includes(compiled))
        .flatMap(([, list]) => list)
    },
  }
}

/** The functions of artifacts at an address, such as that of a proxy. */
function targetOfInterface(candidates: Candidates, address: Address, artifacts: readonly string[]): Target {
  const compiled = artifacts.flatMap((name) => artifactsNamed(candidates, name, 'targetInterfaces'))
  const abi = compiled.flatMap((each) => each.abi)
  const contract = knownContract({ name: compiled[0]?.name ?? '', option: 'test', address, abi })
  return { contract, isCalled: isCalledByDefault }
}

/** Keeps of targets the functions that a test contract chooses. */
function withChosenFunctions(
  targets: readonly Target[],
  { excludeContracts, targetSelectors, excludeSelectors }: TargetSelection,
  selectorsAt: (address: Address) => readonly string[],
): Target[] {
  const listed = (lists: SelectorsOf<Address>, address: Address) =>
    lists.flatMap(([named, selectors]) => (named === address ? selectors : []))
  return targets
    .filter(({ contract }) => !excludeContracts.includes(contract.address))
    .map(({ contract, isCalled }) => {
      const { address } = contract
      const only: readonly string[] = [...listed(targetSelectors, address), ...selectorsAt(address)]
      const not: readonly string[] = listed(excludeSelectors, address)
      return {
        contract,
        isCalled: (fn) =>
          (only.length === 0 ? isCalled(fn) : only.includes(fn.selector)) && !not.includes(fn.selector),
      }
    })
}

function isOtherThan(targets: readonly Target[], address: Address): boolean {
  return targets.every(({ contract }) => contract.address !== address)
}

/** What the contracts that came between the positions are as targets. */
export function createdTargets(selection: TargetSelection, candidates: Candidates): Target[] {
  const addresses = createdBetween(candidates.before, candidates.after)
  if (addresses.length === 0) return []
  const { isChosen } = createdByArtifacts(selection, candidates)
  return addresses.flatMap((address) =>
    address !== candidates.test && isChosen(address) ? (targetAt(candidates, address) ?? []) : [],
  )
}

/**
 * The targets that a test contract chooses: those it names, else those of the option, else all that it and its `setUp`
 * have created and the chain knows; and those of which it names functions. Throws `invalidOption` for one that nobody
 * knows.
 */
export function targetsOf(selection: TargetSelection, candidates: Candidates): Target[] {
  const { targetContracts, targetSelectors, targetInterfaces } = selection
  const { given } = candidates
  const byArtifact = createdByArtifacts(selection, candidates)
  const named = targetContracts.flatMap((address) => {
    const isLeftOut = candidates.skipsUnknown && targetAt(candidates, address) === undefined
    return isLeftOut ? [] : targetNamed(candidates, address)
  })
  const chosen =
    targetContracts.length > 0 ? named : given.length > 0 ? given : createdTargets(selection, candidates)
  const ofInterfaces = targetInterfaces.map(([address, artifacts]) =>
    targetOfInterface(candidates, address, artifacts),
  )
  const others = chosen.filter(({ contract }) => isOtherThan(ofInterfaces, contract.address))
  const all = [...others, ...ofInterfaces]
  for (const [address, selectors] of targetSelectors) {
    if (isOtherThan(all, address)) all.push(targetNamed(candidates, address))
    const { name, functions } = (all.find(({ contract }) => contract.address === address) as Target).contract
    const missing = selectors.find((selector) => functions.every((fn) => fn.selector !== selector))
    const file = compiledAt(candidates, address)?.file
    if (missing !== undefined)
      refuseSelection(`${file === undefined ? '' : `${file}:`}${name} does not have the selector ${missing}`)
  }
  return withChosenFunctions(withOwnNames(all), selection, byArtifact.selectorsAt)
}
