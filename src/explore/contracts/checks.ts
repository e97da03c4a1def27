// What must hold: assertions of the code, invariant functions of contracts, and invariants in TypeScript.

import { decodeAbi } from '../../primitives/abi.ts'
import { elementaryType } from '../../primitives/abi-type.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { bytesToHex, type Hash, utf8ToBytes } from '../../primitives/hex.ts'
import { isPromise, type Later } from '../../primitives/later.ts'
import { textOf } from '../../primitives/text-of.ts'
import type { Call } from './call.ts'
import { haltOf } from './halt.ts'
import type { Machine, Moment, Outcome } from './machine.ts'
import type { ContractsInvariant } from './options.ts'
import type { CheckedFunction, Scene } from './scene.ts'
import { createView } from './view.ts'

/** What does not hold. */
export interface Broken {
  readonly kind: 'invariantBroken' | 'assertionFailed' | 'storyHung'
  readonly name: string
  readonly reason: string
  /** Equal for the same failure only. */
  readonly key: string
  /** What an invariant in TypeScript threw. */
  readonly error?: unknown
}

export interface Checks {
  /** The assertion that a call has violated. */
  readonly ofCall: (call: Call, outcome: Outcome) => Broken | undefined
  /** What the test contract checks at the end of a sequence. */
  readonly ofEnd: (moment: Moment, known: ReadonlySet<string>) => Later<Broken | undefined>
  /** The first invariant that does not hold, of those that are not known as broken. */
  readonly ofMoment: (moment: Moment, known: ReadonlySet<string>) => Promise<Broken | undefined>
  /** The invariant in TypeScript that is going on. */
  readonly doing: () => string | undefined
}

let stringTopic: Hash | undefined

/** The topics of events named AssertionFailed, with string or as ABIs have it. */
function assertionTopics({ contracts }: Scene): ReadonlySet<string> {
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

/** A log with its topics as hex or bytes. */
interface AnyLog {
  readonly topic: string
  readonly data: Uint8Array
}

function eventOf(logs: readonly AnyLog[], topics: ReadonlySet<string>): string | undefined {
  const event = logs.find(({ topic }) => topics.has(topic))
  return event && `AssertionFailed(${messageOf(event.topic, event.data)})`
}

/** A failed assertion of cheatcodes, or any failure, if that is one. */
function ofTest({ action }: Call, outcome: Outcome, failOnRevert: boolean): Broken | undefined {
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
  return (call: Call, outcome: Outcome): Broken | undefined => {
    const { action } = call
    const { assertion, result } = outcome
    const test = ofTest(call, outcome, failOnRevert)
    if (assertion === undefined && (test !== undefined || result.logs.length === 0)) return test
    const emitted = result.logs.map(({ topics: [topic = ''], data }) => ({ topic, data }))
    const undone = (assertion?.logs ?? []).map(([, [topic], data]) => ({
      topic: topic === undefined ? '' : bytesToHex(topic),
      data,
    }))
    const event = eventOf([...undone, ...emitted], topics)
    if (event === undefined && assertion === undefined) return test
    const where = `${action.contract}.${action.fn.name}`
    const name = event === undefined ? `assertion in ${where}` : event
    const key = event === undefined ? `assertion at ${assertion?.place}` : event
    const reason = event === undefined ? 'an assert fails, or code that is never to be reached runs' : where
    return { kind: 'assertionFailed', name, key, reason }
  }
}

const FALSE_WORD = bytesToHex(new Uint8Array(32))

async function ofFunction(
  machine: Machine,
  moment: Moment,
  { name, address, selector, returnsBool, from }: CheckedFunction,
): Promise<Broken | undefined> {
  const read = machine.read(moment, from, address, selector)
  const result = isPromise(read) ? await read : read
  const isFalse = returnsBool && bytesToHex(result.returnData) === FALSE_WORD
  if (result.outcome === 'success' && !isFalse) return undefined
  const reason = result.outcome === 'success' ? 'it returned false' : `it failed: ${haltOf(result)}`
  return { kind: 'invariantBroken', name, key: name, reason }
}

async function ofCode(
  name: string,
  invariant: ContractsInvariant,
  { view, end }: ReturnType<typeof createView>,
): Promise<Broken | undefined> {
  try {
    const holds = await invariant(view)
    // An error that was made and not thrown is a failure, too.
    if (holds instanceof Error) throw holds
    if (holds === false) return { kind: 'invariantBroken', name, key: name, reason: 'it returned false' }
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : textOf(error)
    return { kind: 'invariantBroken', name, key: name, reason, error }
  } finally {
    await end()
  }
}

/** `show` is called before code of the user runs. */
export function createChecks(scene: Scene, machine: Machine, show: () => void): Checks {
  const topics = assertionTopics(scene)
  const written = Object.entries(scene.invariants)
  let doing: string | undefined
  return {
    doing: () => doing,
    ofCall: ofCall(topics, scene.failOnRevert),
    ofEnd(moment, known) {
      const { ending } = scene
      return ending === undefined || known.has(ending.name) ? undefined : ofFunction(machine, moment, ending)
    },
    async ofMoment(moment, known) {
      for (const checked of scene.checked) {
        if (known.has(checked.name)) continue
        const broken = await ofFunction(machine, moment, checked)
        if (broken !== undefined) return broken
      }
      if (written.length === 0) return undefined
      show()
      for (const [name, invariant] of written) {
        if (known.has(name)) continue
        doing = name
        const broken = await ofCode(name, invariant, createView(scene, machine, moment))
        doing = undefined
        if (broken !== undefined) return broken
      }
      return undefined
    },
  }
}
