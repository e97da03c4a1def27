// What is explored: contracts, the functions that are called, and the functions that check.

import { refuseOption } from '../../../core/emulator/checks.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { type Address, hexToBytes } from '../../../core/primitives/hex.ts'
import { abiErrors, abiEvents, abiFunctions } from '../../solidity/artifacts/abi.ts'
import type { AbiFunction } from '../../solidity/model/contract.ts'
import type { Action, Position } from './call.ts'
import type { CoveredCall } from './call-outcome.ts'
import type { CallCheck } from './machine.ts'
import type { ContractsInvariant, DecodedContract, ScenePlan } from './options.ts'

export type KnownContract = ReturnType<typeof knownContract>

/** A function that tells whether something holds. */
export interface CheckedFunction {
  readonly name: string
  readonly address: Address
  readonly selector: Uint8Array
  /** True if false is a failure, as an error is. */
  readonly returnsBool: boolean
  readonly from: Address
}

/** A function whose number is to become large. */
interface MaximizedFunction extends CheckedFunction {
  readonly isSigned: boolean
}

type LaterActions = (before: Position, after: Position) => readonly Action[]

export interface ContractScene {
  readonly contracts: readonly KnownContract[]
  readonly actions: readonly Action[]
  /** The functions of contracts that came between two positions; absent if those are not called. */
  readonly laterActions?: LaterActions | undefined
  readonly checked: readonly CheckedFunction[]
  /** `afterInvariant` of the test contract, which checks the end of a sequence. */
  readonly ending: CheckedFunction | undefined
  readonly failOnRevert: boolean
  /** The check of each call, in place of ours. */
  readonly ofCall?: CallCheck
  /** Why a call of an invariant has failed, in place of ours. */
  readonly failureOf?: (called: Pick<CoveredCall, 'result' | 'failedTest'>) => string | undefined
  readonly invariants: Readonly<Record<string, ContractsInvariant>>
  readonly maximized: readonly MaximizedFunction[]
  readonly maximize: ScenePlan['maximize']
  readonly senders: readonly Address[]
  /** Those of them who call most of the time. */
  readonly frequent: readonly Address[]
}

/** A contract of which some functions are called. */
export interface Target {
  readonly contract: KnownContract
  readonly isCalled: (fn: AbiFunction) => boolean
}

const CHECKED = /^(invariant_|echidna_|invariant$)/
const MAXIMIZED = /^optimize_/
/** In a test contract of Foundry. */
const CHECKED_IN_TEST = /^(invariant|statefulFuzz|echidna_)/
/** Functions of a test contract that are called at their time. */
const OF_TEST: readonly string[] = ['setUp', 'afterInvariant']

/** True if a function is called unless somebody chooses others. */
export function isCalledByDefault(fn: AbiFunction): boolean {
  const isAsked = CHECKED.test(fn.name) || MAXIMIZED.test(fn.name) || OF_TEST.includes(fn.name)
  return !fn.isReadOnly && !isAsked
}

const KINDS: readonly unknown[] = ['function', 'constructor', 'event', 'error', 'fallback', 'receive']

/** Refuses an entry of a JSON ABI that would be skipped otherwise. */
function checkEntries({ option, abi }: Pick<DecodedContract, 'option' | 'abi'>): void {
  for (const [index, entry] of abi.entries()) {
    const { type, name } = (entry ?? {}) as { readonly type?: unknown; readonly name?: unknown }
    const path = `${option}.abi[${index}]`
    if (!KINDS.includes(type)) refuseOption(`${path}.type`, `one of ${KINDS.join(', ')}`, type)
    if (type === 'function' && typeof name !== 'string') refuseOption(`${path}.name`, 'a name', name)
  }
}

export function knownContract(contract: Omit<DecodedContract, 'functions'>) {
  checkEntries(contract)
  const { name, address, abi } = contract
  const functions: readonly AbiFunction[] = [...abiFunctions(abi, {}).values()]
  return { name, address, abi, functions, errors: abiErrors(abi), events: abiEvents(abi) }
}

/** The contracts of the option, with the functions that it names. Throws `invalidOption` for one that is not there. */
export function targetOf(given: DecodedContract): Target {
  const contract = knownContract(given)
  const { functions } = given
  if (functions === undefined) return { contract, isCalled: isCalledByDefault }
  const isNamed = ({ name, signature }: AbiFunction, called: string) =>
    name === called || signature === called
  for (const called of functions) {
    if (contract.functions.some((fn) => isNamed(fn, called))) continue
    const reason = `${given.name} has no function ${called}`
    throw failure('invalidOption', { option: `contracts.${given.name}.functions`, reason })
  }
  return { contract, isCalled: (fn) => functions.some((called) => isNamed(fn, called)) }
}

export function actionOf(index: number, contract: string, address: Address, fn: AbiFunction): Action {
  const types = (fn.inputs ?? []).map(({ type }) => type)
  return { index, contract, address, fn, selector: hexToBytes(fn.selector), types }
}

/** The functions that are called in sequences. Throws `invalidOption` if there are none. */
export function actionsOf(targets: readonly Target[]): Action[] {
  const actions = targets.flatMap(({ contract, isCalled }) =>
    contract.functions.filter((fn) => isCalled(fn)).map((fn) => ({ contract, fn })),
  )
  if (actions.length === 0) {
    const names = targets.map(({ contract }) => contract.name).join(', ')
    const reason =
      names === ''
        ? 'there is no contract to call: test names no target, and its setUp has created none that is known'
        : `there is no function to call in ${names}: none may change the state, or none is chosen`
    throw failure('invalidOption', { option: 'contracts', reason })
  }
  for (const { contract, fn } of actions) {
    if (fn.inputs !== undefined) continue
    const reason = `${contract.name}.${fn.signature} has a parameter of a type that is not known: choose other functions`
    throw failure('invalidOption', { option: 'contracts', reason })
  }
  return actions.map(({ contract: { name, address }, fn }, index) => actionOf(index, name, address, fn))
}

export function withoutEther({ contract, isCalled }: Target): Target {
  const functions = contract.functions.map((fn) => ({ ...fn, isPayable: false }))
  return { contract: { ...contract, functions }, isCalled }
}

/** Gives the functions of later targets indices of their own, from one on. */
export function actionsOfLater(
  from: number,
  targetsOf: (...between: Parameters<LaterActions>) => readonly Target[],
): LaterActions {
  const known = new Map<string, readonly Action[]>()
  let count = from
  return (before, after) =>
    targetsOf(before, after).flatMap(({ contract: { name, address, functions }, isCalled }) => {
      const key = `${address} ${name}`
      const called = functions.filter((fn) => isCalled(fn) && fn.inputs !== undefined)
      const actions = known.get(key) ?? called.map((fn) => actionOf(count++, name, address, fn))
      known.set(key, actions)
      return actions
    })
}

function checkedFunction({ name, address }: KnownContract, fn: AbiFunction, from: Address): CheckedFunction {
  return {
    name: `${name}.${fn.name}`,
    address,
    selector: hexToBytes(fn.selector),
    from,
    returnsBool: fn.outputs?.[0]?.type.kind === 'bool',
  }
}

/** The functions of contracts that check something, such as `invariant_` and `echidna_` functions. */
export function checkedFunctions(
  contracts: readonly KnownContract[],
  test: KnownContract | undefined,
  from: Address,
): CheckedFunction[] {
  return contracts.flatMap((contract) => {
    const pattern = contract === test ? CHECKED_IN_TEST : CHECKED
    return contract.functions
      .filter(({ name, inputs }) => pattern.test(name) && inputs?.length === 0)
      .map((fn) => checkedFunction(contract, fn, from))
  })
}

/** The functions named `optimize_…`, which return an integer. */
export function maximizedFunctions(contracts: readonly KnownContract[], from: Address): MaximizedFunction[] {
  return contracts.flatMap((contract) =>
    contract.functions.flatMap((fn) => {
      const { kind } = fn.outputs?.[0]?.type ?? {}
      const isNumber = fn.inputs?.length === 0 && (kind === 'int' || kind === 'uint')
      if (!isNumber || !MAXIMIZED.test(fn.name)) return []
      return { ...checkedFunction(contract, fn, from), isSigned: kind === 'int' }
    }),
  )
}

export function endingOf(test: KnownContract | undefined, from: Address): CheckedFunction | undefined {
  const fn = test?.functions.find(({ name }) => name === 'afterInvariant')
  return test && fn && checkedFunction(test, fn, from)
}
