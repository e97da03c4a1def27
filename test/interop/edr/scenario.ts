// Requests to Hardhat's chain (EDR) and to the flavor hardhat: what they are, and how their answers are compared.

import type { EmulatorOptions } from 'tickchain'

/**
 * One request. `"$2"` in `params` stands for the result of the third step, `"$2.hash"` for a field of it. Of answers
 * that are no errors, `compare` is compared: the whole result, the fields named (of each item, if it is an array), or
 * the names of its fields.
 */
export interface Step {
  readonly method: string
  readonly params?: readonly unknown[]
  readonly compare?: 'result' | 'keys' | readonly string[]
}

/** A fresh chain with Hardhat's twenty accounts, and requests in turn. */
export interface Scenario {
  readonly title: string
  /** Hardhat's configuration of the network. */
  readonly network?: Readonly<Record<string, unknown>>
  /** Our options that say the same. */
  readonly options?: EmulatorOptions
  readonly steps: readonly Step[]
  /** Where we differ on purpose: step number → our answer, and why. */
  readonly differs?: Readonly<Record<number, { readonly here: unknown; readonly because: string }>>
}

/** An error as it is compared. */
export interface ErrorAnswer {
  readonly name: string
  readonly code: unknown
  readonly message: string
  /** The return data of a failed execution. */
  readonly data?: unknown
  /** For a failed execution, whether the error names a transaction. */
  readonly hasTransaction?: boolean
}

/** What a step answered: `undefined` for a success of which nothing is compared. */
export type Answer = { readonly result?: unknown } | ErrorAnswer

/** The line and column at which Hardhat's reader stopped depend on its own text of the request. */
const POSITION = / at line \d+ column \d+/g

/** What stands before EDR's own message here, as in Hardhat before EDR; in an override, also the place. */
const PARAMETER = /^Errors encountered in param \d+: (?:invalid value .*\/\w+: [\w ]+, )?/

function answerOf(error: unknown): ErrorAnswer {
  const { name, code, message, data, transactionHash } = error as Error & Record<string, unknown>
  const plain = { name, code, message: message.replaceAll(POSITION, '').replace(PARAMETER, '') }
  return code === 3 ? { ...plain, data, hasTransaction: typeof transactionHash === 'string' } : plain
}

export const resolved = (value: unknown, results: readonly unknown[]): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolved(item, results))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, results)]))
  const named = typeof value === 'string' ? /^\$(\d+)((?:\.\w+)*)$/.exec(value) : null
  if (named === null) return value
  const path = (named[2] ?? '').split('.').slice(1)
  // biome-ignore lint/suspicious/noExplicitAny: a result of any shape
  return path.reduce((inner: any, key) => inner?.[key], results[Number(named[1])])
}

function compared(result: unknown, compare: Step['compare']): Answer {
  if (compare === undefined) return {}
  if (compare === 'result' || result === null) return { result }
  if (compare === 'keys') return { result: Object.keys(result as object).sort() }
  const pick = (item: unknown): unknown =>
    Object.fromEntries(
      compare.map((field) => [field, (item as Readonly<Record<string, unknown>>)[field] ?? null]),
    )
  return { result: Array.isArray(result) ? result.map(pick) : pick(result) }
}

type Request = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Runs the steps of a scenario on a chain. */
export async function answersOf(request: Request, steps: readonly Step[]): Promise<Answer[]> {
  const results: unknown[] = []
  const answers: Answer[] = []
  for (const { method, params = [], compare } of steps) {
    try {
      const result = await request(method, resolved(params, results) as unknown[])
      results.push(result)
      answers.push(compared(result, compare))
    } catch (error) {
      results.push(undefined)
      answers.push(answerOf(error))
    }
  }
  return answers
}
