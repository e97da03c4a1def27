// Checks: assertions of the code, invariant functions of contracts, and invariants in TypeScript.

import type { EvmLog } from '../../../core/execution/evm/covered-evm.ts'
import { decodeAbi } from '../../../core/primitives/abi.ts'
import { elementaryType } from '../../../core/primitives/abi-type.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { bytesToHex, type Hash, utf8ToBytes } from '../../../core/primitives/hex.ts'
import { andThen, isPromise, type Later } from '../../../core/primitives/later.ts'
import { withoutColors } from '../../../core/primitives/terminal.ts'
import { textOf } from '../../../core/primitives/text-of.ts'
import { takeStray } from '../strays.ts'
import type { Call } from './call.ts'
import { type CallOutcome, type CoveredCall, haltOf, type Machine } from './machine.ts'
import type { ContractsInvariant } from './options.ts'
import { isSameFor, type Position, type Reads } from './reads.ts'
import type { CheckedFunction, ContractScene } from './scene.ts'
import { createView } from './view.ts'

/** An assertion or an invariant that does not hold. */
export interface BrokenCheck {
  readonly kind: 'invariantBroken' | 'assertionFailed' | 'storyHung'
  readonly name: string
  readonly reason: string
  /** Equal for the same failure only. */
  readonly key: string
  /** The error that an invariant in TypeScript threw. */
  readonly error?: unknown
}

export interface Checks {
  /** The assertion that a call has violated. */
  readonly ofCall: (call: Call, outcome: CallOutcome) => BrokenCheck | undefined
  /** The check of the test contract at the end of a sequence. */
  readonly ofEnd: (position: Position, known: ReadonlySet<string>) => Later<BrokenCheck | undefined>
  /**
   * The first invariant that does not hold, of those that are not known as broken. One of a contract that held in `before`
   * is not asked again if all that it read there is the same.
   */
  readonly ofPosition: (
    position: Position,
    known: ReadonlySet<string>,
    before?: Position,
  ) => Later<BrokenCheck | undefined>
  /** The invariant in TypeScript that is going on. */
  readonly doing: () => string | undefined
}

const NONE: readonly EvmLog[] = []
let stringTopic: Hash | undefined

/** The topics of events named AssertionFailed, with string or as ABIs have it. */
function assertionTopics({ contracts }: ContractScene): ReadonlySet<string> {
  stringTopic ??= keccak256Hex(utf8ToBytes('AssertionFailed(string)'))
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

/** The first four bytes of a topic. Most logs differ there, and hex is slow to make. */
function beginningOf([a = 0, b = 0, c = 0, d = 0]: Uint8Array): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}

/** A failed assertion of cheatcodes, or any failure, if that is one. */
function ofTest({ action }: Call, outcome: CallOutcome, failOnRevert: boolean): BrokenCheck | undefined {
  const { failedTest, result, isAssumption } = outcome
  const where = `${action.contract}.${action.fn.name}`
  if (failedTest !== undefined) {
    const { place = where, reason } = failedTest
    return { kind: 'assertionFailed', name: `assertion in ${where}`, key: `assertion at ${place}`, reason }
  }
  if (!failOnRevert || result.outcome === 'success' || isAssumption) return undefined
  return { kind: 'assertionFailed', name: where, key: `failure of ${where}`, reason: haltOf(result) }
}

function ofCall(topics: ReadonlySet<string>, failOnRevert: boolean) {
  const beginnings = new Set([...topics].map((topic) => Number(topic.slice(0, 10))))
  const eventOf = (logs: readonly EvmLog[]): string | undefined => {
    for (const [, [first], data] of logs) {
      if (first === undefined || !beginnings.has(beginningOf(first))) continue
      const topic = bytesToHex(first)
      if (topics.has(topic)) return `AssertionFailed(${messageOf(topic, data)})`
    }
    return undefined
  }
  return (call: Call, outcome: CallOutcome): BrokenCheck | undefined => {
    const { action } = call
    const { assertion, result } = outcome
    const test = ofTest(call, outcome, failOnRevert)
    if (assertion === undefined && (test !== undefined || result.logs.length === 0)) return test
    const event = eventOf(assertion?.logs ?? NONE) ?? eventOf(result.logs)
    if (event === undefined && assertion === undefined) return test
    const where = `${action.contract}.${action.fn.name}`
    const name = event === undefined ? `assertion in ${where}` : event
    const key = event === undefined ? `assertion at ${assertion?.place}` : event
    const reason = event === undefined ? 'an assert fails, or code that is never to be reached runs' : where
    return { kind: 'assertionFailed', name, key, reason }
  }
}

function isFalse(data: Uint8Array): boolean {
  return data.length === 32 && data.every((byte) => byte === 0)
}

/** The reads of a function that holds, or its failure. */
interface Asked {
  readonly reads: Reads | undefined
  readonly broken: BrokenCheck | undefined
}

function askedOf({ name, returnsBool }: CheckedFunction, { result, reads }: CoveredCall): Asked {
  const { outcome, returnData } = result
  if (outcome === 'success' && !(returnsBool && isFalse(returnData))) return { reads, broken: undefined }
  const reason = outcome === 'success' ? 'it returned false' : `it failed: ${haltOf(result)}`
  return { reads: undefined, broken: { kind: 'invariantBroken', name, key: name, reason } }
}

function ofFunction(machine: Machine, position: Position, fn: CheckedFunction): Later<Asked> {
  const { from, address, selector } = fn
  return andThen(machine.call(position, from, address, selector, true), (called) => askedOf(fn, called))
}

/** The first function of contracts that does not hold, from one on. What the others have read is added to `held`. */
function ofFunctions(
  scene: ContractScene,
  machine: Machine,
  position: Position,
  known: ReadonlySet<string>,
  before: Position | undefined,
  held: (Reads | undefined)[] = [],
): Later<BrokenCheck | undefined> {
  const { checked } = scene
  position.held = held
  for (let at = held.length; at < checked.length; at++) {
    const fn = checked[at] as CheckedFunction
    const last = before?.held?.[at]
    held.push(last)
    if (known.has(fn.name) || (last !== undefined && isSameFor(last, position))) continue
    const asked = ofFunction(machine, position, fn)
    if (isPromise(asked)) {
      return asked.then(({ reads, broken }) => {
        held[at] = reads
        return broken ?? ofFunctions(scene, machine, position, known, before, held)
      })
    }
    held[at] = asked.reads
    if (asked.broken !== undefined) return asked.broken
  }
  return undefined
}

async function ofCode(
  name: string,
  invariant: ContractsInvariant,
  { view, end }: ReturnType<typeof createView>,
): Promise<BrokenCheck | undefined> {
  try {
    const holds = await invariant(view)
    // An error that was made and not thrown is a failure, too.
    const error = holds instanceof Error ? holds : await takeStray()
    if (error !== undefined) throw error
    if (holds === false) return { kind: 'invariantBroken', name, key: name, reason: 'it returned false' }
    return undefined
  } catch (error) {
    const reason = withoutColors(error instanceof Error ? `${error.message}` : textOf(error))
    return { kind: 'invariantBroken', name, key: name, reason, error }
  } finally {
    await end()
  }
}

/** `show` is called before code of the user runs. */
export function createChecks(scene: ContractScene, machine: Machine, show: () => void): Checks {
  const topics = assertionTopics(scene)
  const written = Object.entries(scene.invariants)
  let doing: string | undefined
  const ofInvariants = async (
    position: Position,
    known: ReadonlySet<string>,
  ): Promise<BrokenCheck | undefined> => {
    show()
    for (const [name, invariant] of written) {
      if (known.has(name)) continue
      doing = name
      const broken = await ofCode(name, invariant, createView(scene, machine, position))
      doing = undefined
      if (broken !== undefined) return broken
    }
    return undefined
  }
  return {
    doing: () => doing,
    ofCall: ofCall(topics, scene.failOnRevert),
    ofEnd(position, known) {
      const { ending } = scene
      return ending === undefined || known.has(ending.name)
        ? undefined
        : andThen(ofFunction(machine, position, ending), ({ broken }) => broken)
    },
    ofPosition(position, known, before) {
      const functions = ofFunctions(scene, machine, position, known, before)
      if (written.length === 0) return functions
      return andThen(functions, (broken) => broken ?? ofInvariants(position, known))
    },
  }
}
