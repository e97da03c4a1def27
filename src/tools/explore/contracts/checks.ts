// Checks: assertions of the code, invariant functions of contracts, and invariants in TypeScript.

import { argument } from '../../../core/emulator/checks.ts'
import type { EvmLog } from '../../../core/execution/evm/covered-evm.ts'
import { type AbiParameter, type AbiValue, decodeAbi, elementaryType } from '../../../core/primitives/abi.ts'
import { keccakOfText } from '../../../core/primitives/crypto.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { type Address, bytesToHex, type Hash } from '../../../core/primitives/hex.ts'
import { andThen, isPromise, type Later } from '../../../core/primitives/loading.ts'
import { address as addressCodec } from '../../../core/rpc/codecs/basic.ts'
import { withMissesLoaded } from '../../../core/state/overlay-map.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import type { AbiFunction } from '../../solidity/model/contract.ts'
import { checkInvariant, type Failure } from '../failures.ts'
import { encodeCall, firstBytes, isSameFor, type Position, type Reads } from './call.ts'
import type { CallOutcome, CoveredCall } from './call-outcome.ts'
import { type CallCheck, haltOf, type Machine } from './machine.ts'
import type { ContractsView } from './options.ts'
import type { CheckedFunction, ContractScene } from './scene.ts'
import { argumentsOf } from './story.ts'

function refuse(reason: string): never {
  throw failure('invalidCall', { call: 'read', reason })
}

/** The function of that name, or signature, that takes so many arguments. */
function functionOf(functions: readonly AbiFunction[], name: string, count: number): AbiFunction {
  const named = functions.filter((fn) => fn.signature === name || fn.name === name)
  const fitting = named.filter(({ inputs }) => inputs?.length === count)
  if (fitting.length === 1) return fitting[0] as AbiFunction
  return refuse(
    fitting.length > 1
      ? `several functions ${name} take ${count} arguments: name one by its signature`
      : `the contract has no function ${name} of ${count} arguments`,
  )
}

function resultOf(outputs: readonly AbiParameter[] | undefined, data: Uint8Array, name: string): AbiValue {
  const types = (outputs ?? []).map(({ type }) => type)
  const values = decodeAbi(types, data)
  if (values === undefined) return refuse(`what ${name} returned is not of the types of its ABI`)
  return values.length === 1 ? (values[0] as AbiValue) : values
}

/** Uses a view, one that goes on afterwards reads nothing; resolves when nothing is being read any more. */
export async function withView<Value>(
  scene: ContractScene,
  machine: Machine,
  position: Position,
  use: (view: ContractsView) => Value | Promise<Value>,
): Promise<Value> {
  const { state, environment } = position
  /** The end of the last read: an invariant may ask several at once, and there is one EVM. */
  let turn: Promise<unknown> | undefined
  let isOver = false
  const readNow = async (contractName: string, name: string, args: readonly unknown[]): Promise<AbiValue> => {
    const contract = scene.contracts.find((each) => each.name === contractName)
    if (contract === undefined) return refuse(`there is no contract named ${contractName}`)
    const fn = functionOf(contract.functions, name, args.length)
    const types = (fn.inputs ?? []).map(({ type }) => type)
    const input = encodeCall(fn, argumentsOf(types, args, refuse))
    const { result } = await machine.call(position, scene.senders[0] as Address, contract.address, input)
    if (result.outcome !== 'success')
      return refuse(`${contractName}.${name}: ${haltOf(result, contract.errors)}`)
    return resultOf(fn.outputs, result.returnData, `${contractName}.${name}`)
  }
  const view: ContractsView = {
    now: environment.timestamp,
    async read(contract, name, ...args) {
      if (isOver)
        return refuse(`the invariant that reads ${contract}.${name} is over: it has to await what it reads`)
      const asked =
        turn === undefined ? readNow(contract, name, args) : turn.then(() => readNow(contract, name, args))
      turn = asked.catch(() => undefined)
      return asked
    },
    async balanceOf(address) {
      const decoded = argument('balanceOf', 'address', address, addressCodec)
      return (await withMissesLoaded(() => readAccount(state, decoded))).balance
    },
  }
  try {
    return await use(view)
  } finally {
    isOver = true
    await turn
  }
}

/** Keys of failures that are not looked for. */
type Keys = Pick<ReadonlySet<string>, 'has'>

export interface Checks {
  /** The assertion that a call has violated. */
  readonly ofCall: CallCheck
  /** The check of the test contract at the end of a sequence. */
  readonly ofEnd: (position: Position, known: Keys) => Later<Failure | undefined>
  /**
   * The first invariant that does not hold, of those that are not known as broken. One of a contract that held in `before`
   * is not asked again if all that it read there is the same.
   */
  readonly ofPosition: (position: Position, known: Keys, before?: Position) => Later<Failure | undefined>
  /** The invariant in TypeScript that is going on. */
  readonly doing: () => string | undefined
}

export const NO_CHECKS: Checks = {
  ofCall: () => undefined,
  ofEnd: () => undefined,
  ofPosition: () => undefined,
  doing: () => undefined,
}

const NONE: readonly EvmLog[] = []
let stringTopic: Hash | undefined

/** The topics of events named AssertionFailed, with string or as ABIs have it. */
function assertionTopics({ contracts }: ContractScene): ReadonlySet<string> {
  stringTopic ??= keccakOfText('AssertionFailed(string)')
  const topics = new Set<string>([stringTopic])
  for (const { events } of contracts) {
    for (const [topic, { name }] of events) if (name === 'AssertionFailed') topics.add(topic)
  }
  return topics
}

function messageOf(topic: string, data: Uint8Array): string {
  const [text] = (topic === stringTopic && decodeAbi([elementaryType('string')], data)) || []
  return text === undefined ? bytesToHex(data) : JSON.stringify(text)
}

function ofTest(where: string, outcome: CallOutcome, failOnRevert: boolean): Failure | undefined {
  const { failedTest, result, isAssumption } = outcome
  const kind = 'assertionFailed'
  if (failedTest !== undefined) {
    const { place = where, reason } = failedTest
    return { kind, name: `assertion in ${where}`, key: `assertion at ${place}`, reason }
  }
  if (!failOnRevert || result.outcome === 'success' || isAssumption) return undefined
  return { kind, name: where, key: `failure of ${where}`, reason: haltOf(result) }
}

function ofCall(topics: ReadonlySet<string>, failOnRevert: boolean): CallCheck {
  // Most logs differ in these, and hex is slow to make.
  const beginnings = new Set([...topics].map((topic) => Number(topic.slice(0, 10))))
  const eventOf = (logs: readonly EvmLog[]): string | undefined => {
    for (const [, [first], data] of logs) {
      if (first === undefined || !beginnings.has(firstBytes(first))) continue
      const topic = bytesToHex(first)
      if (topics.has(topic)) return `AssertionFailed(${messageOf(topic, data)})`
    }
    return undefined
  }
  return ({ action }, outcome) => {
    const { assertion, result } = outcome
    const where = `${action.contract}.${action.fn.name}`
    const kind = 'assertionFailed'
    const test = ofTest(where, outcome, failOnRevert)
    if (assertion === undefined && test !== undefined) return test
    const event = eventOf(assertion?.logs ?? NONE) ?? eventOf(result.logs)
    if (event !== undefined) return { kind, name: event, key: event, reason: where }
    if (assertion === undefined) return undefined
    const reason = 'an assert fails, or code that is never to be reached runs'
    return { kind, name: `assertion in ${where}`, key: `assertion at ${assertion.place}`, reason }
  }
}

/** Why the call of a function has failed; `undefined` if it holds. */
function brokenBy({ result }: CoveredCall, returnsBool: boolean): string | undefined {
  const { outcome, returnData } = result
  if (outcome !== 'success') return `it failed: ${haltOf(result)}`
  const isFalse = returnsBool && returnData.length === 32 && returnData.every((byte) => byte === 0)
  return isFalse ? 'it returned false' : undefined
}

/** The failure of a function, which notes what it has read if it holds. */
function ofFunction(
  { failureOf }: ContractScene,
  machine: Machine,
  position: Position,
  { name, returnsBool, from, address, selector }: CheckedFunction,
  note: (reads: Reads | undefined) => void = () => {},
): Later<Failure | undefined> {
  return andThen(machine.call(position, from, address, selector, true), (called) => {
    const reason = failureOf === undefined ? brokenBy(called, returnsBool) : failureOf(called)
    note(reason === undefined ? called.reads : undefined)
    return reason === undefined ? undefined : { kind: 'invariantBroken', name, key: name, reason }
  })
}

/** The first function of contracts that does not hold, from one on. What the others have read is added to `held`. */
function ofFunctions(
  scene: ContractScene,
  machine: Machine,
  position: Position,
  known: Keys,
  before: Position | undefined,
  held: (Reads | undefined)[] = [],
): Later<Failure | undefined> {
  const { checked } = scene
  position.held = held
  for (let at = held.length; at < checked.length; at++) {
    const fn = checked[at] as CheckedFunction
    const last = before?.held?.[at]
    held.push(last)
    if (known.has(fn.name) || (last !== undefined && isSameFor(last, position))) continue
    const asked = ofFunction(scene, machine, position, fn, (reads) => {
      held[at] = reads
    })
    if (isPromise(asked))
      return asked.then((broken) => broken ?? ofFunctions(scene, machine, position, known, before, held))
    if (asked !== undefined) return asked
  }
  return undefined
}

/** `show` is called before code of the user runs. */
export function createChecks(scene: ContractScene, machine: Machine, show: () => void): Checks {
  const topics = assertionTopics(scene)
  const written = Object.entries(scene.invariants)
  let doing: string | undefined
  const ofInvariants = async (position: Position, known: Keys): Promise<Failure | undefined> => {
    show()
    for (const [name, invariant] of written) {
      if (known.has(name)) continue
      doing = name
      const ask = () => withView(scene, machine, position, invariant)
      const broken = await checkInvariant(name, ask, () => ({ reason: 'it returned false' }), name)
      doing = undefined
      if (broken !== undefined) return broken
    }
    return undefined
  }
  return {
    doing: () => doing,
    ofCall: scene.ofCall ?? ofCall(topics, scene.failOnRevert),
    ofEnd(position, known) {
      const { ending } = scene
      return ending === undefined || known.has(ending.name)
        ? undefined
        : ofFunction(scene, machine, position, ending)
    },
    ofPosition(position, known, before) {
      const functions = ofFunctions(scene, machine, position, known, before)
      if (written.length === 0) return functions
      return andThen(functions, (broken) => broken ?? ofInvariants(position, known))
    },
  }
}
