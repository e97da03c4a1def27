// The calls of a chain's functions while a test runs, with the lines of the test that made them, for its report.

import { type Callers, callerFrames, callersHere } from '../../../core/primitives/callers.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import { reasonOf, textOf } from '../../../core/primitives/text-of.ts'
import type { TestAction } from '../../view/report/test-page.ts'
import type { TestError } from '../failure-trace.ts'

/** A call, and the time of the chain when it was made and when it was answered. */
interface Call {
  readonly order: number
  readonly words: string
  readonly callers: Callers
  readonly atMs: number
  endMs: number
  hash?: Hash
  failure?: string
}

/** Older calls of a chain are dropped. */
const MOST_CALLS = 1000
const MOST_CHARACTERS = 40
/** Functions that do nothing on the chain. */
const OTHERS: ReadonlySet<string> = new Set(['on', 'removeListener', 'handle', 'fetch', 'connect', 'dispose'])

const callsOf = new WeakMap<object, Call[]>()
let calls = 0
/** Inside a function that is noted: what it calls of others is a part of it. */
let isInside = false

function argumentText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}'
  const text = typeof value === 'bigint' ? `${value}n` : textOf(value)
  if (/^0x[\da-f]{11}/i.test(text)) return `${text.slice(0, 10)}…`
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

/** Such as `eth_call` and `advance(200)`. */
function wordsOf(name: string, args: readonly unknown[]): string {
  if (name !== 'request') return `${name}(${args.map(argumentText).join(', ')})`
  const [first] = args
  return typeof first === 'string' ? first : textOf(Object(first).method)
}

/** The same result, noted. Not a second reaction to the promise: V8 would not find who awaits it, for stack traces. */
async function settled(
  call: Call,
  chain: { readonly now: number },
  result: Promise<unknown>,
): Promise<unknown> {
  try {
    const value = await result
    call.endMs = chain.now
    if (/^0x[\da-f]{64}$/.test(textOf(value))) call.hash = value as Hash
    return value
  } catch (error) {
    call.failure = reasonOf(error)
    throw error
  }
}

/** Notes the calls of a handle's functions, from now on, as those of a chain. The name is that of a role, or empty. */
export function noteCalls(chain: { readonly now: number }, handle: object, name: string): void {
  const noted = callsOf.get(chain) ?? []
  callsOf.set(chain, noted)
  for (const [key, run] of Object.entries(handle)) {
    if (typeof run !== 'function' || OTHERS.has(key)) continue
    const noting = (...args: unknown[]): unknown => {
      if (isInside) return run(...args)
      const words = wordsOf(name === '' ? key : `${name}.${key}`, args)
      const at = { atMs: chain.now, endMs: chain.now }
      const call: Call = { order: calls++, words, callers: callersHere(), ...at }
      noted.push(call)
      if (noted.length > MOST_CALLS) noted.shift()
      isInside = true
      try {
        const result = run(...args)
        return result instanceof Promise ? settled(call, chain, result) : result
      } finally {
        isInside = false
      }
    }
    Object.assign(handle, { [key]: noting })
  }
}

/** Forgets what was called before a test. */
export function forgetCalls(chain: object): void {
  callsOf.get(chain)?.splice(0)
}

/** The first line of a file in a stack; `undefined` if it is not there, or if V8 has not found who waits. */
function lineOf(stack: unknown, file: string): number | undefined {
  const frame = callerFrames(stack).find((each) => each.includes(file))
  const [, line] = /:(\d+):\d+\)?$/.exec(frame ?? '') ?? []
  return line === undefined ? undefined : Number(line)
}

/** Equal words in a row as one, with their number, such as `advance(200) ×30`. */
function countedWords(all: readonly string[]): string[] {
  const starts = [...all.keys()].filter((index) => all[index] !== all[index - 1])
  return starts.map((start, index) => {
    const count = (starts[index + 1] ?? all.length) - start
    return count === 1 ? `${all[start]}` : `${all[start]} ×${count}`
  })
}

/** The calls of a test's chains as actions: those of a line one after the other are one. */
export function testActions(
  chains: readonly (readonly [id: string, chain: object])[],
  file: string,
  errors: readonly TestError[],
): TestAction[] {
  const all = chains.flatMap(([chain, of]) => (callsOf.get(of) ?? []).map((call) => ({ chain, call })))
  const actions: (TestAction & { words: string[] })[] = []
  for (const { chain, call } of all.sort((a, b) => a.call.order - b.call.order)) {
    const { words, atMs, endMs, hash, failure } = call
    const line = lineOf(call.callers.stack, file)
    const last = actions.at(-1)
    // Where a client asks something by itself, V8 may not find who waits; it belongs to what follows.
    const isSame = last?.chain === chain && (last.line ?? line) === line
    const action = isSame ? last : { chain, line, atMs, endMs, words: [] }
    action.words.push(words)
    Object.assign(action, { endMs, line }, hash && { hash }, failure && { failure })
    if (!isSame) actions.push(action)
  }
  // The error of the test tells where its last failure came from.
  const failed = actions.map(({ failure }) => failure !== undefined).lastIndexOf(true)
  const line = errors.map(({ stack }) => lineOf(stack, file)).find((each) => each !== undefined)
  return actions.map((each, index) => {
    const words = countedWords(each.words)
    return { ...each, words, line: index === failed ? (each.line ?? line) : each.line }
  })
}
