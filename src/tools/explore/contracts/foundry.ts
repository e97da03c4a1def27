// A test contract as Foundry has them, set up, and the contracts that are called then.

import { type Address, hexToBytes } from '../../../core/primitives/hex.ts'
import { readAccount, updateAccount } from '../../../core/state/world-state.ts'
import type { CompiledContract } from '../../solidity/model/contract.ts'
import type { ContractIndex } from '../../solidity/model/contract-index.ts'
import { recogniseDeployed } from '../../solidity/model/contract-index.ts'
import type { Call } from './call.ts'
import { haltOf } from './halt.ts'
import type { Machine, Moment } from './machine.ts'
import type { DecodedContract, DecodedTest } from './options.ts'
import { isCalledByDefault, type KnownContract, knownContract, type Target } from './scene.ts'
import { type Interface, refuse, type Selection, type SelectorsOf } from './selection.ts'

/** Who deploys a test with forge, and with which nonce. */
const DEPLOYER: Address = '0x1804c8ab1f12e6bbf3894d4083f33e07309d1f38'

/** Deploys a test contract that is not on the chain. Throws `invalidOption` if that fails. */
export async function deployTest(
  machine: Machine,
  moment: Moment,
  test: DecodedTest,
): Promise<{ readonly moment: Moment; readonly test: Omit<DecodedContract, 'functions'> }> {
  const { creationCode, address } = test
  if (address !== undefined) return { moment, test: { ...test, address } }
  // The nonce of the creation, which is counted already.
  const state = updateAccount(moment.state, DEPLOYER, { nonce: 2n })
  const { result, after } = await machine.deploy({ ...moment, state }, DEPLOYER, creationCode as Uint8Array)
  const { contractAddress } = result
  if (result.outcome !== 'success' || contractAddress === undefined) {
    refuse(`its constructor fails: ${haltOf(result, knownContract({ ...test, address: DEPLOYER }).errors)}`)
  }
  return { moment: after, test: { ...test, address: contractAddress } }
}

/** Runs `setUp`, if the contract has it; throws `invalidOption` if it fails. */
export async function setUp(
  machine: Machine,
  moment: Moment,
  test: KnownContract,
  from: Address,
): Promise<Moment> {
  if (readAccount(moment.state, test.address).code.bytes.length === 0) {
    refuse(`there is no contract at ${test.address}`)
  }
  const fn = test.functions.find(({ signature }) => signature === 'setUp()')
  if (fn === undefined) return moment
  const action = {
    ...{ index: -1, contract: test.name, address: test.address, fn },
    ...{ selector: hexToBytes(fn.selector), types: [] },
  }
  const call: Call = { action, sender: from, args: [], value: 0n, wait: 0 }
  const outcome = await machine.perform(moment, call)
  if (outcome === undefined || outcome.result.outcome !== 'success') {
    const reason = outcome === undefined ? '' : haltOf(outcome.result, test.errors)
    refuse(`setUp() fails: ${reason}`)
  }
  return outcome.moment
}

/** Accounts with code that came between two moments, in the order of their addresses. */
function createdBetween(before: Moment, after: Moment): Address[] {
  const created: Address[] = []
  before.state.visitChanges(after.state, (address, old, now) => {
    const hadCode = old !== undefined && old.code.bytes.length > 0
    if (!hadCode && now !== undefined && now.code.bytes.length > 0) created.push(address)
  })
  return created.sort()
}

/** The contract at an address: one of the option, or one that the chain recognises by its code. */
function contractAt(
  moment: Moment,
  address: Address,
  given: readonly Target[],
  index: ContractIndex | undefined,
): Target | undefined {
  const known = given.find(({ contract }) => contract.address === address)
  if (known !== undefined) return known
  const { code } = readAccount(moment.state, address)
  const found = index && recogniseDeployed(index, code.bytes)
  if (found === undefined) return undefined
  const { name, abi, errors, events } = found
  const functions = [...found.functions.values()]
  return { contract: { name, address, abi, functions, errors, events }, isCalled: isCalledByDefault }
}

/** Names that are equal get a number. */
function withOwnNames(targets: readonly Target[]): Target[] {
  const counts = new Map<string, number>()
  return targets.map((target) => {
    const { name } = target.contract
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? target : { ...target, contract: { ...target.contract, name: `${name}${count}` } }
  })
}

/** The contracts of that name, with or without their file; refuses a name that nobody knows. */
function artifactsNamed(index: ContractIndex | undefined, name: string, asked: string): CompiledContract[] {
  const found = (index?.contracts ?? []).filter(
    (each) => name === each.name || name === `${each.file}:${each.name}`,
  )
  if (found.length > 0) return found
  return refuse(`${asked}() names ${name}, which the chain does not know: use chain.addContracts`)
}

/** What artifacts choose of the contracts that were created. */
function createdBy(
  { artifacts, excludedArtifacts, artifactSelectors }: Selection,
  state: Moment['state'],
  index: ContractIndex | undefined,
) {
  const chosen = [...artifacts, ...artifactSelectors.map(({ artifact }) => artifact)].flatMap((name) =>
    artifactsNamed(index, name, artifacts.includes(name) ? 'targetArtifacts' : 'targetArtifactSelectors'),
  )
  const not = excludedArtifacts.flatMap((name) => artifactsNamed(index, name, 'excludeArtifacts'))
  const selectors = artifactSelectors.map((each) => ({
    ...{ contracts: artifactsNamed(index, each.artifact, 'targetArtifactSelectors') },
    ...{ selectors: each.selectors },
  }))
  const compiledAt = (address: Address) =>
    index && recogniseDeployed(index, readAccount(state, address).code.bytes)
  return {
    isChosen(address: Address): boolean {
      const compiled = compiledAt(address)
      if (compiled === undefined) return chosen.length === 0
      return (chosen.length === 0 || chosen.includes(compiled)) && !not.includes(compiled)
    },
    selectorsAt(address: Address): readonly string[] {
      const compiled = compiledAt(address)
      return selectors
        .filter(({ contracts }) => compiled !== undefined && contracts.includes(compiled))
        .flatMap((each) => each.selectors)
    },
  }
}

/** The functions of artifacts at an address, such as that of a proxy. */
function targetOfInterface({ address, artifacts }: Interface, index: ContractIndex | undefined): Target {
  const compiled = artifacts.flatMap((name) => artifactsNamed(index, name, 'targetInterfaces'))
  const abi = compiled.flatMap((each) => each.abi)
  const [first] = compiled
  const contract = knownContract({ name: first?.name ?? '', option: 'test', address, abi })
  return { contract, isCalled: isCalledByDefault }
}

/** Keeps of targets the functions that a test contract chooses. */
function withChosenFunctions(
  targets: readonly Target[],
  { excluded, selectors, excludedSelectors }: Selection,
  selectorsAt: (address: Address) => readonly string[],
): Target[] {
  const listed = (lists: readonly SelectorsOf[], address: Address) =>
    lists.filter((each) => each.address === address).flatMap((each) => each.selectors)
  return targets
    .filter(({ contract }) => !excluded.includes(contract.address))
    .map(({ contract, isCalled }) => {
      const only = [...listed(selectors, contract.address), ...selectorsAt(contract.address)]
      const not = listed(excludedSelectors, contract.address)
      return {
        contract,
        isCalled: (fn) =>
          (only.length === 0 ? isCalled(fn) : only.includes(fn.selector)) && !not.includes(fn.selector),
      }
    })
}

/**
 * The targets that a test contract chooses: those it names, else those of the option, else all that it and its `setUp`
 * have created and the chain knows; and those of which it names functions. Throws `invalidOption` for one that nobody
 * knows.
 */
export function targetsOf(
  selection: Selection,
  moments: { readonly before: Moment; readonly after: Moment },
  test: Address,
  given: readonly Target[],
  index: ContractIndex | undefined,
): Target[] {
  const { contracts, selectors, interfaces } = selection
  const byArtifact = createdBy(selection, moments.after.state, index)
  const targetAt = (address: Address) => contractAt(moments.after, address, given, index)
  const named = (addresses: readonly Address[]): Target[] =>
    addresses.map(
      (address) =>
        targetAt(address) ??
        refuse(
          `the target ${address} is not known: name it in the option contracts, or use chain.addContracts`,
        ),
    )
  const created = (): Target[] =>
    createdBetween(moments.before, moments.after).flatMap((address) =>
      address !== test && byArtifact.isChosen(address) ? (targetAt(address) ?? []) : [],
    )
  const chosen = contracts.length > 0 ? named(contracts) : given.length > 0 ? given : created()
  const ofInterfaces = interfaces.map((each) => targetOfInterface(each, index))
  const all = [
    ...chosen.filter(({ contract }) => isOtherThan(ofInterfaces, contract.address)),
    ...ofInterfaces,
  ]
  const ofSelectors = [...new Set(selectors.map(({ address }) => address))]
  all.push(...named(ofSelectors.filter((address) => isOtherThan(all, address))))
  return withChosenFunctions(withOwnNames(all), selection, byArtifact.selectorsAt)
}

function isOtherThan(targets: readonly Target[], address: Address): boolean {
  return targets.every(({ contract }) => contract.address !== address)
}
