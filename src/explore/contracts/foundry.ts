// A test contract as Foundry has them: `setUp`, and the functions by which it chooses what is called.

import { type AbiValue, decodeAbi } from '../../primitives/abi.ts'
import { parseAbiParameters } from '../../primitives/abi-type.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, type Hex, hexToBytes } from '../../primitives/hex.ts'
import type { ContractIndex } from '../../solidity/model/contract-index.ts'
import { recogniseDeployed } from '../../solidity/model/contract-index.ts'
import { readAccount } from '../../state/world-state.ts'
import type { Call } from './call.ts'
import { haltOf } from './halt.ts'
import type { Machine, Moment } from './machine.ts'
import { isCalledByDefault, type KnownContract, type Target } from './scene.ts'

/** What a test contract says of what is called. */
export interface Selection {
  readonly contracts: readonly Address[]
  readonly excluded: readonly Address[]
  readonly selectors: readonly SelectorsOf[]
  readonly excludedSelectors: readonly SelectorsOf[]
  readonly senders: readonly Address[]
  readonly excludedSenders: readonly Address[]
}

interface SelectorsOf {
  readonly address: Address
  readonly selectors: readonly Hex[]
}

function refuse(reason: string): never {
  throw failure('invalidOption', { option: 'test', reason })
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

const LISTS = {
  targetContracts: 'address[]',
  excludeContracts: 'address[]',
  targetSenders: 'address[]',
  excludeSenders: 'address[]',
  targetSelectors: 'tuple[]',
  excludeSelectors: 'tuple[]',
} as const

/** Functions that choose by names of artifacts, which a chain does not have. */
const UNSUPPORTED = [
  ...['targetArtifacts', 'excludeArtifacts', 'targetArtifactSelectors'],
  ...['targetInterfaces', 'excludeInterfaces'],
]

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
  const components = [{ type: 'address' }, { type: 'bytes4[]' }]
  const [parameter] = parseAbiParameters([{ type: LISTS[name], components }]) ?? []
  const [list] = (parameter && decodeAbi([parameter.type], result.returnData)) ?? []
  return Array.isArray(list) ? list : refuse(`${name}() returns no ${LISTS[name]}`)
}

/** Refuses a choice that cannot be followed. An empty list chooses nothing. */
async function refuseUnsupported(machine: Machine, moment: Moment, test: KnownContract, from: Address) {
  for (const name of UNSUPPORTED) {
    const fn = test.functions.find(({ signature }) => signature === `${name}()`)
    if (fn === undefined) continue
    const { result } = await machine.read(moment, from, test.address, hexToBytes(fn.selector))
    const { outcome, returnData } = result
    const isEmpty = outcome === 'success' && returnData.length === 64 && returnData[63] === 0
    if (!isEmpty) refuse(`${name}() is not supported: use targetContracts and targetSelectors`)
  }
}

/** Asks a test contract what is called. Throws `invalidOption` for what is not supported. */
export async function selectionOf(
  machine: Machine,
  moment: Moment,
  test: KnownContract,
  from: Address,
): Promise<Selection> {
  await refuseUnsupported(machine, moment, test, from)
  const read = (name: keyof typeof LISTS) => listOf(machine, moment, test, from, name)
  const selectors = async (name: 'targetSelectors' | 'excludeSelectors') =>
    ((await read(name)) as readonly (readonly [Address, readonly Hex[]])[]).map(([address, list]) => ({
      address,
      selectors: list,
    }))
  return {
    contracts: (await read('targetContracts')) as readonly Address[],
    excluded: (await read('excludeContracts')) as readonly Address[],
    selectors: await selectors('targetSelectors'),
    excludedSelectors: await selectors('excludeSelectors'),
    senders: (await read('targetSenders')) as readonly Address[],
    excludedSenders: (await read('excludeSenders')) as readonly Address[],
  }
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

/**
 * The targets that a test contract chooses: those it names, else those of the option, else all that `setUp` has created
 * and the chain knows. Throws `invalidOption` for one that nobody knows.
 */
export function targetsOf(
  selection: Selection,
  moments: { readonly before: Moment; readonly after: Moment },
  given: readonly Target[],
  index: ContractIndex | undefined,
): Target[] {
  const { contracts, excluded, selectors, excludedSelectors } = selection
  const named = [...new Set([...contracts, ...selectors.map(({ address }) => address)])]
  const isNamed = named.length > 0
  const created = given.length > 0 ? [] : createdBetween(moments.before, moments.after)
  const found = (isNamed ? named : created).flatMap((address) => {
    const target = contractAt(moments.after, address, given, index)
    if (target === undefined && isNamed) {
      refuse(`the target ${address} is not known: name it in the option contracts, or use chain.addContracts`)
    }
    return target ?? []
  })
  const chosen = isNamed || given.length === 0 ? found : given
  const listed = (lists: readonly SelectorsOf[], address: Address) =>
    lists.filter((each) => each.address === address).flatMap((each) => each.selectors)
  return withOwnNames(chosen)
    .filter(({ contract }) => !excluded.includes(contract.address))
    .map(({ contract, isCalled }) => {
      const only = listed(selectors, contract.address)
      const not = listed(excludedSelectors, contract.address)
      return {
        contract,
        isCalled: (fn) =>
          (only.length === 0 ? isCalled(fn) : only.includes(fn.selector)) && !not.includes(fn.selector),
      }
    })
}
