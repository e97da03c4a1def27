// Paths into JSON as forge 1.7.1 reads them, which are those of the crate jsonpath_lib: a path ends where something follows
// that begins no step, and conditions are about lists of values.

import { utf8ToBytes } from '../../core/primitives/hex.ts'
import { refuseWith } from './errors.ts'
import { isArray, isJsonMap, type Json, JsonNumber, writeJson } from './json.ts'

type Values = readonly Json[]
type Literal = string | number | boolean
/** Values that a condition is about, and what of each a literal is compared with. */
type Found = readonly (readonly [whole: Json, part: Json])[]
type Term = Literal | Found
type Groups = Readonly<Record<string, string | undefined>>
type Condition = (values: Values, root: Json) => Term
type PathStep =
  | ((values: Values, root: Json) => Values)
  | { readonly names: readonly string[]; readonly isDeep: boolean }

const childrenOf = (value: Json): Values =>
  isArray(value) ? value : isJsonMap(value) ? [...value.values()] : []
const below = (value: Json): Values => [value, ...childrenOf(value).flatMap(below)]
const allBelow = (value: Json): Values => [...childrenOf(value), ...childrenOf(value).flatMap(allBelow)]
const isThere = (value: Json | undefined): value is Json => value !== undefined
const itself = (value: Json): Found[number] => [value, value]

function fieldsOf(value: Json, names: readonly string[]): Values {
  return isJsonMap(value) ? names.map((name) => value.get(name)).filter(isThere) : []
}

function walk(steps: readonly PathStep[], start: Values, root: Json): Values {
  return steps.reduce((values, step) => {
    if (typeof step === 'function') return step(values, root)
    return (step.isDeep ? values.flatMap(below) : values).flatMap((each) => fieldsOf(each, step.names))
  }, start)
}

function plainOf(value: Json): Literal | undefined {
  if (value instanceof JsonNumber) return Number(value.text)
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}

const inArrays = (value: Json): Values => (isArray(value) ? value.flatMap(inArrays) : [value])

/** The parts of values by the names of a path: of objects and those in arrays, and then of what was found there. */
function about(steps: readonly PathStep[]): Condition {
  return (values, root) =>
    steps.reduce<Found>((found, step, at) => {
      const wholes = found.map(([whole]) => whole)
      if (typeof step === 'function') return step(wholes, root).map(itself)
      const from = at === 0 ? [...new Set(wholes.flatMap(inArrays))].map(itself) : found
      return from.flatMap(([whole, part]) =>
        // After `..`, only the presence of the field counts.
        step.isDeep
          ? below(part)
              .filter((each) => fieldsOf(each, step.names).length > 0)
              .map(itself)
          : fieldsOf(part, step.names).map((each) => [whole, each] as const),
      )
    }, values.map(itself))
}

function ofRoot(steps: readonly PathStep[]): Condition {
  return (_, root) => {
    const values = walk(steps, [root], root)
    return (values.length === 1 ? plainOf(values[0] as Json) : undefined) ?? values.map(itself)
  }
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

/** Lists are compared by the whole values in them. */
function together(by: string, left: Found, right: Found): Found {
  const isIn = ([value]: Found[number], list: Found) =>
    list.some(([other]) => writeJson(value) === writeJson(other))
  if (by === '||') return [...left, ...right.filter((each) => !isIn(each, left))]
  return by === '==' || by === '&&' ? left.filter((each) => isIn(each, right)) : []
}

function compare(by: string, left: Term, right: Term): Term {
  const test = (one: Literal | undefined, other: Literal | undefined) =>
    typeof one === typeof other && TESTS[by]?.(one as Literal, other as Literal) === true
  if (typeof left !== 'object' && typeof right !== 'object') return test(left, right)
  const kept =
    typeof left !== 'object'
      ? (right as Found).filter(([, part]) => test(left, plainOf(part)))
      : typeof right === 'object'
        ? together(by, left, right)
        : left.filter(([, part]) => test(plainOf(part), right))
  // As in forge, an empty list counts as false.
  return kept.length > 0 && kept
}

const joinedBy =
  (by: string, left: Condition, right: Condition): Condition =>
  (values, root) =>
    compare(by, left(values, root), right(values, root))

/** The index in a list for a position, which may count from the end; at least 0, at most the length. */
function positionIn({ length }: Values, at: number): number {
  return at < 0 ? Math.max(0, at + length) : Math.min(at, length)
}

function positions(all: readonly number[], isDeep: boolean): PathStep {
  const at = (list: Values) => all.map((each) => list[positionIn(list, each)]).filter(isThere)
  // On an object, a single position applies to each array in it.
  const arraysIn = (value: Json) => (all.length > 1 || isArray(value) ? [value] : childrenOf(value))
  return (values) =>
    (isDeep ? values.flatMap(below).filter(isArray) : values).flatMap(arraysIn).filter(isArray).flatMap(at)
}

function slice(from: number, to: number | undefined, by: number): PathStep {
  return (values) =>
    values.filter(isArray).flatMap((list) => {
      const end = positionIn(list, to ?? list.length)
      return list.slice(positionIn(list, from), end).filter((_, index) => index % by === 0)
    })
}

const FIRST = /[^\s"'.*[\]()@?,:<>=&|!]/.source
const KEY = `${FIRST}(?:${FIRST}|["'])*`
const QUOTED = /"(?:\\"|[^"])*"|'(?:\\'|[^'])*'/.source
const INDEX = /[+-]?\d{1,15}/.source
const all = (item: string) => `(?:${item})(?:\\s*,\\s*(?:${item}))*`
const STEP = new RegExp(
  `\\.(?<far>\\.?)(?:(?<name>${KEY})|\\*)|(?<in>\\.{0,2})\\[\\s*(?:\\?(?<condition>\\()|(?:\\*|(?<at>${all(INDEX)})|` +
    `(?<names>${all(QUOTED)})|(?<from>${INDEX})?\\s*(?<slice>:)\\s*(?<to>${INDEX})?(?:\\s*:\\s*(?<by>\\+?\\d+)?)?)\\s*\\])`,
  'y',
)
const TERM = new RegExp(
  `\\s*(?:(?<about>@)|(?<root>\\$)(?!${KEY})|(?<text>${QUOTED})|(?<truth>[tf]${FIRST}*)|` +
    `(?<number>-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?))`,
  'iy',
)
const OPERATOR = /\s*(?<by>[=!<>]=|[<>])\s*/y
/** Text that forge reads before it refuses a path: where a step or a condition has to end, and where a value is missing. */
const WRONG_END = new RegExp(
  `\\s*(?:\\.{0,2}\\[\\s*\\?[^\\s]?|\\.{0,2}\\[(?:\\s*(?:${INDEX}(?!${FIRST})|:))*\\s*(?:(?!${FIRST})[^\\s])?|\\.{1,3}|(?:\\)\\s*)?(?:${KEY}|[^\\s=!]?))`,
  'y',
)
const WRONG_VALUE = new RegExp(`(?:${KEY})?`, 'y')

const unquoted = (name: string) => name.slice(1, -1).replace(/\\(["'])/, '$1')

class PathReader {
  private readonly path: string
  private at = 0

  constructor(path: string) {
    this.path = path
  }

  private eat(pattern: RegExp): Groups | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.path)
    if (found === null) return undefined
    this.at += found[0].length
    return found.groups ?? {}
  }

  private demand(pattern: RegExp, wrong = WRONG_END): Groups {
    const found = this.eat(pattern)
    if (found !== undefined) return found
    this.eat(wrong)
    const marks = '^'.repeat(utf8ToBytes(this.path.slice(0, this.at)).length)
    const shown = `path error: \n${this.path}\n${marks}\n`
    refuseWith(`failed selecting from JSON: ${JSON.stringify(shown)}`)
  }

  whole(): PathStep[] {
    this.demand(new RegExp(`\\$(?!${KEY})`, 'y'), WRONG_VALUE)
    return this.steps()
  }

  private steps(): PathStep[] {
    const steps: PathStep[] = []
    while (/[.[]/.test(this.path[this.at] ?? '')) steps.push(this.step(this.demand(STEP)))
    return steps
  }

  private step(groups: Groups): PathStep {
    const { far, name, names, at, from, to, by } = groups
    const isDeep = far === '.' || groups['in'] === '..'
    if (name !== undefined) return { names: [name], isDeep }
    if (at !== undefined) return positions(at.split(',').map(Number), isDeep)
    if (groups['slice'] !== undefined)
      return slice(Number(from ?? 0), to === undefined ? to : Number(to), Number(by ?? 1))
    if (names !== undefined) {
      const list = (names.match(new RegExp(QUOTED, 'g')) ?? []).map(unquoted)
      return { names: list, isDeep: isDeep && list.length === 1 }
    }
    if (groups['condition'] === undefined) return (values) => values.flatMap(isDeep ? allBelow : childrenOf)
    const condition = this.conditions(/\s*\)\s*\]/y)
    return (values, root) => {
      const all = isDeep ? values.flatMap(allBelow) : values
      const left = condition(all, root)
      return typeof left === 'object' ? left.map(([whole]) => whole) : left === false ? [] : all
    }
  }

  private conditions(end: RegExp): Condition {
    const first = this.eat(/\s*\(/y) ? this.conditions(/\s*\)/y) : this.comparison()
    const by = this.eat(/\s*(?<by>&&|\|\|)/y)?.['by']
    const whole = by === undefined ? first : joinedBy(by, first, this.conditions(/(?=\s*\))/y))
    this.demand(end)
    return whole
  }

  private comparison(): Condition {
    const [isAbout, left] = this.term()
    const by = (isAbout ? this.eat(OPERATOR) : this.demand(OPERATOR, WRONG_VALUE))?.['by']
    return by === undefined ? left : joinedBy(by, left, this.term()[1])
  }

  private term(): readonly [isAbout: boolean, Condition] {
    const { about: isAbout, root, text, truth, number } = this.demand(TERM, WRONG_VALUE)
    if (isAbout !== undefined) return [true, about(this.steps())]
    if (root !== undefined) return [false, ofRoot(this.steps())]
    const plain = number === undefined ? /^true$/i.test(truth ?? '') : Number(number)
    const literal = text === undefined ? plain : unquoted(text)
    return [false, () => literal]
  }
}

export function select(value: Json, path: string): Values {
  const whole = path === '.' ? '$' : path.startsWith('$') ? path : `$${path}`
  return walk(new PathReader(whole).whole(), [value], value)
}
