// What must hold: assertions of the code, invariant functions of contracts, and invariants in TypeScript.

import type { EvmLog } from '../../execution/call/cover-calls.ts'
import { decodeAbi } from '../../primitives/abi.ts'
import { elementaryType } from '../../primitives/abi-type.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { bytesToHex, type Hash, utf8ToBytes } from '../../primitives/hex.ts'
import { isPromise } from '../../primitives/later.ts'
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
  /** The first invariant that does not hold, of those that are not known as broken. */
  readonly ofMoment: (moment: Moment, known: ReadonlySet<string>) => Promise<Broken | undefined>
  /** The invariant in TypeScript that is going on. */
  readonly doing: () => string | undefined
}

const NONE: readonly EvmLog[] = []
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

/** The first four bytes of topics. Most logs differ there, and hex is slow to make. */
function beginningsOf(topics: ReadonlySet<string>): ReadonlySet<number> {
  return new Set([...topics].map((topic) => Number(topic.slice(0, 10))))
}

function beginningOf([a = 0, b = 0, c = 0, d = 0]: Uint8Array): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}

function ofCall(topics: ReadonlySet<string>) {
  const beginnings = beginningsOf(topics)
  const eventOf = (logs: readonly EvmLog[]): string | undefined => {
    for (const [, [first], data] of logs) {
      if (first === undefined || !beginnings.has(beginningOf(first))) continue
      const topic = bytesToHex(first)
      if (topics.has(topic)) return `AssertionFailed(${messageOf(topic, data)})`
    }
    return undefined
  }
  return ({ action }: Call, { assertion, result }: Outcome): Broken | undefined => {
    if (assertion === undefined && result.logs.length === 0) return undefined
    const event = eventOf(assertion?.logs ?? NONE) ?? eventOf(result.logs)
    if (event === undefined && assertion === undefined) return undefined
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
    if ((await invariant(view)) === false)
      return { kind: 'invariantBroken', name, key: name, reason: 'it returned false' }
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
    ofCall: ofCall(topics),
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
