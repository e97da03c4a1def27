// Steps of paths into JSON, and their conditions, which are about lists of values.

import { isArray, isJsonMap, type Json, JsonNumber, writeJson } from './json.ts'

export type Values = readonly Json[]
type Literal = string | number | boolean
/** A value of those that a condition is about, and what of it a literal is compared with. */
type Found = readonly (readonly [whole: Json, part: Json])[]
type Term = Literal | Found
interface Scope {
  readonly root: Json
  current: Values
}
export type Condition = (scope: Scope) => Term
export type PathStep =
  | ((values: Values, root: Json) => Values)
  | { readonly names: readonly string[]; readonly isDeep: boolean }

export const childrenOf = (value: Json): Values =>
  isArray(value) ? value : isJsonMap(value) ? [...value.values()] : []
export const below = (value: Json): Values => [value, ...childrenOf(value).flatMap(below)]
export const allBelow = (value: Json): Values => [
  ...childrenOf(value),
  ...childrenOf(value).flatMap(allBelow),
]
export const isThere = (value: Json | undefined): value is Json => value !== undefined

/** Positions from the end stop at the first one. */
export function positionIn({ length }: Values, at: number): number {
  return at < 0 ? Math.max(0, at + length) : Math.min(at, length)
}

function fieldsOf(value: Json, names: readonly string[]): Values {
  return isJsonMap(value) ? names.map((name) => value.get(name)).filter(isThere) : []
}

export function walk(steps: readonly PathStep[], start: Values, root: Json): Values {
  return steps.reduce((values, step) => {
    if (typeof step === 'function') return step(values, root)
    return (step.isDeep ? values.flatMap(below) : values).flatMap((each) => fieldsOf(each, step.names))
  }, start)
}

function plainOf(value: Json): Literal | undefined {
  if (value instanceof JsonNumber) return Number(value.text)
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}

/** The values of a name: first in the objects of a condition and of its arrays, and then in what was found there. */
function narrow(found: Found | undefined, current: Values, names: readonly string[], isDeep: boolean): Found {
  const inArrays = (value: Json): Values => (isArray(value) ? value.flatMap(inArrays) : [value])
  const wholes = found ?? [...new Set(current.flatMap(inArrays))].map((each) => [each, each] as const)
  // Of what is deeper, nothing is compared.
  if (isDeep)
    return wholes.flatMap(([whole]) =>
      below(whole).flatMap((each) => fieldsOf(each, names).map(() => [each, each])),
    )
  return wholes.flatMap(([whole, part]) => fieldsOf(part, names).map((each) => [whole, each] as const))
}

const TESTS: Readonly<Record<string, (left: Literal, right: Literal) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '&&': (left, right) => left === true && right === true,
  '||': (left, right) => left === true || right === true,
}
const REVERSED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

const isSame = ([left]: Found[number], [right]: Found[number]) => writeJson(left) === writeJson(right)

/** Lists are compared by the whole values in them. */
function together(by: string, left: Found, right: Found): Found {
  if (by === '||') {
    const all = [...left, ...right]
    return all.filter((each, at) => all.findIndex((other) => isSame(each, other)) === at)
  }
  if (by in REVERSED) return []
  return left.flatMap((each) =>
    right.filter((other) => isSame(each, other) !== (by === '!=')).map(() => each),
  )
}

function compare(by: string, left: Term, right: Term): Term {
  if (typeof left !== 'object') {
    if (typeof right === 'object') return compare(REVERSED[by] ?? by, right, left)
    return typeof left === typeof right && TESTS[by]?.(left, right) === true
  }
  const isKept = (value: Json, other: Literal) => {
    const plain = plainOf(value)
    return plain !== undefined && typeof plain === typeof other && TESTS[by]?.(plain, other)
  }
  const kept =
    typeof right === 'object' ? together(by, left, right) : left.filter(([, part]) => isKept(part, right))
  return kept.length > 0 && kept
}

export function joinedBy(by: string, left: Condition, right: Condition): Condition {
  return (scope) => compare(by, left(scope), right(scope))
}

/** The values that a condition leaves. */
export function leave(condition: Condition, current: Values, root: Json): Values {
  const scope = { root, current }
  const term = condition(scope)
  if (typeof term === 'object') return term.map(([whole]) => whole)
  return term === false ? [] : scope.current
}

export function about(steps: readonly PathStep[]): Condition {
  return (scope) => {
    let found: Found | undefined
    for (const step of steps) {
      if (typeof step === 'function') scope.current = step(scope.current, scope.root)
      else found = narrow(found, scope.current, step.names, step.isDeep)
    }
    return found ?? scope.current.map((each) => [each, each])
  }
}

export function ofRoot(steps: readonly PathStep[]): Condition {
  return ({ root }) => {
    const values = walk(steps, [root], root)
    return (
      (values.length === 1 ? plainOf(values[0] as Json) : undefined) ?? values.map((each) => [each, each])
    )
  }
}
