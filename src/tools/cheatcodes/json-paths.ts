// Paths into JSON as forge 1.7.1 reads them, which are those of the crate jsonpath_lib: a path ends where something follows
// that begins no step.

import { utf8ToBytes } from '../../core/primitives/hex.ts'
import { CheatcodeRefusal } from './errors.ts'
import { isArray, type Json } from './json.ts'
import type { Condition, PathStep, Values } from './json-steps.ts'
import * as steps from './json-steps.ts'

const KEY = /[^\s"'.*[\]()@?,:<>=&|!][^\s.*[\]()@?,:<>=&|!]*/.source
const TOKEN = new RegExp(
  `\\s+|(?<quoted>"(?:\\\\"|[^"])*"|'(?:\\\\'|[^'])*')|[=!<>]=|&&|\\|\\||[.*[\\]()@?,:<>]|\\$(?!${KEY})|(?<key>${KEY})`,
  'y',
)

class PathReader {
  private readonly path: string
  private at = 0
  /** The next token; empty at the end, and before what is none. */
  private next = ''
  private key: string | undefined
  private quoted: string | undefined
  /** Within brackets, space does not count. */
  private depth = 0

  constructor(path: string) {
    this.path = path
    this.look()
  }

  private look(): void {
    TOKEN.lastIndex = this.at
    const { 0: token = '', groups } = TOKEN.exec(this.path) ?? {}
    this.next = token
    this.key = groups?.['key']
    this.quoted = groups?.['quoted']?.slice(1, -1).replace(/\\(["'])/, '$1')
    if (this.depth > 0 && /^\s/.test(token)) this.take()
  }

  private take(): string {
    const { next } = this
    this.at += next.length
    if (next === '[') this.depth++
    if (next === ']') this.depth--
    this.look()
    return next
  }

  /** Shows where a path is wrong, as forge does. */
  private error(at = this.at): CheatcodeRefusal {
    const marks = '^'.repeat(utf8ToBytes(this.path.slice(0, at)).length)
    const words = `path error: \n${this.path}\n${marks}\n`
    return new CheatcodeRefusal(`failed selecting from JSON: ${JSON.stringify(words)}`)
  }

  private accept(token: string): boolean {
    const isNext = this.next === token
    if (isNext) this.take()
    return isNext
  }

  /** Takes a token, and gives what it stands for. */
  private require<Value>(value: Value | undefined): Value {
    const end = this.at + this.next.length
    this.take()
    if (value !== undefined) return value
    throw this.error(end)
  }

  private number(pattern = /^[+-]?\d+$/): number {
    const { at } = this
    const text = this.require(this.key)
    if (pattern.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
    throw this.error(at)
  }

  /** What is between commas. */
  private list<Item>(read: () => Item): Item[] {
    const all = [read()]
    while (this.accept(',')) all.push(read())
    return all
  }

  whole(): PathStep[] {
    this.require(this.next === '$' || undefined)
    return this.steps()
  }

  private steps(): PathStep[] {
    const found: PathStep[] = []
    for (;;) {
      if (this.accept('.')) found.push(this.afterPoint())
      else if (this.accept('[')) found.push(this.inBrackets(false))
      else return found
    }
  }

  private afterPoint(): PathStep {
    const isDeep = this.accept('.')
    if (this.accept('[')) return this.inBrackets(isDeep)
    if (this.accept('*')) return (values) => values.flatMap(isDeep ? steps.allBelow : steps.childrenOf)
    if (isDeep || this.key !== undefined) return { names: [this.require(this.key)], isDeep }
    throw this.error()
  }

  private inBrackets(isDeep: boolean): PathStep {
    const step = this.bracketed(isDeep)
    this.require(this.next === ']' || undefined)
    return step
  }

  private bracketed(isDeep: boolean): PathStep {
    if (this.accept('*')) return (values) => values.flatMap(isDeep ? steps.allBelow : steps.childrenOf)
    if (this.accept('?')) {
      const condition = this.parenthesis()
      return (values, root) => steps.leave(condition, isDeep ? values.flatMap(steps.allBelow) : values, root)
    }
    if (this.accept(':')) return this.slice(undefined)
    if (this.key !== undefined) return this.positions(isDeep)
    const names = this.list(() => this.require(this.quoted))
    return { names, isDeep: isDeep && names.length === 1 }
  }

  private positions(isDeep: boolean): PathStep {
    const all = this.list(() => this.number())
    if (all.length === 1 && this.accept(':')) return this.slice(all[0])
    const at = (list: Values) => all.map((each) => list[steps.positionIn(list, each)]).filter(steps.isThere)
    // One position is also taken of the arrays in an object.
    const arraysIn = (value: Json) => {
      if (all.length > 1 || (isArray(value) && !isDeep)) return [value]
      return isDeep ? steps.below(value) : steps.childrenOf(value)
    }
    return (values) => values.flatMap(arraysIn).filter(isArray).flatMap(at)
  }

  private slice(from = 0): PathStep {
    const to = this.key === undefined ? undefined : this.number()
    const by = this.accept(':') && this.key !== undefined ? this.number(/^\+?\d+$/) : 1
    return (values) =>
      values.filter(isArray).flatMap((list) => {
        const end = steps.positionIn(list, to ?? list.length)
        return list.slice(steps.positionIn(list, from), end).filter((_, index) => index % by === 0)
      })
  }

  private parenthesis(): Condition {
    this.require(this.next === '(' || undefined)
    const condition = this.conditions()
    this.require(this.next === ')' || undefined)
    return condition
  }

  private conditions(): Condition {
    const first = this.next === '(' ? this.parenthesis() : this.comparison()
    const isLast = this.next !== '&&' && this.next !== '||'
    return isLast ? first : steps.joinedBy(this.take(), first, this.conditions())
  }

  private comparison(): Condition {
    const isAbout = this.next === '@'
    const left = this.term()
    if (/^([=!<>]=|[<>])$/.test(this.next)) return steps.joinedBy(this.take(), left, this.term())
    if (isAbout) return left
    throw this.error()
  }

  private term(): Condition {
    if (this.accept('@')) return steps.about(this.steps())
    if (this.next === '$') return steps.ofRoot(this.whole())
    const literal = this.quoted ?? this.literal()
    if (typeof literal === 'string') this.take()
    return () => literal
  }

  private literal(): number | boolean {
    const { key = '' } = this
    if (/^[tf]/i.test(key)) return this.take().toLowerCase() === 'true'
    if (key === '') throw this.error()
    this.require(/^[-\d]/.test(key) || undefined)
    const { at } = this
    const text = this.accept('.') ? `${key}.${this.require(this.key)}` : key
    if (/^-?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(text)) return Number(text)
    throw this.error(at)
  }
}

/** The values at a path. */
export function select(value: Json, path: string): Values {
  const whole = path === '.' ? '$' : path.startsWith('$') ? path : `$${path}`
  return steps.walk(new PathReader(whole).whole(), [value], value)
}
