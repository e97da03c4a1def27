// @ts-check
// Mutants of a source: one small change each, as text. Types, comments and the words of errors are left alone.

import { parseAst } from 'rolldown/parseAst'

/**
 * @typedef {object} Mutant
 * @property {string} path
 * @property {number} line counted from 1
 * @property {number} start of the text that it replaces
 * @property {number} end
 * @property {string} replacement
 * @property {string} mutator
 * @property {number} region where it executes, an index of `Source.regions`; -1 while the module is loaded
 */

/**
 * Text that executes as a whole.
 * @typedef {object} Region
 * @property {number} start
 * @property {number} end
 * @property {'statement' | 'body' | 'expression'} kind a statement in a block, one without a block, or an expression
 */

/**
 * @typedef {object} Source
 * @property {readonly Mutant[]} mutants
 * @property {readonly Region[]} regions
 */

/** @typedef {any} Node a node of ESTree, with `start` and `end` */

/** @type {Readonly<Record<string, readonly string[]>>} */
const BINARY = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
}

/** @type {Readonly<Record<string, string>>} */
const ASSIGNMENT = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '<<=': '>>=',
  '>>=': '<<=',
  '|=': '&=',
  '&=': '|=',
}

/** @type {ReadonlyMap<string, string>} */
const METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
])

/** Methods without which the receiver is still of the same kind. */
const DROPPED_METHODS = new Set([
  'filter',
  'slice',
  'sort',
  'reverse',
  'toSorted',
  'toReversed',
  'trim',
  'toLowerCase',
])

/** Properties that document, and are shown in pages. */
const DOCUMENTATION = new Set(['summary', 'example', 'description', 'doc'])

/** Type wrappers that have a value inside. */
const TYPED_EXPRESSIONS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSTypeAssertion',
])

const LOOPS = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement'])

/** @param {Node} node */
function isText(node) {
  return (node.type === 'Literal' && typeof node.value === 'string') || node.type === 'TemplateLiteral'
}

/** Whether a call makes an error, whose strings are words. @param {Node} node */
function makesError({ callee }) {
  const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name
  return /failure|refus|error|problem/i.test(name ?? '')
}

/** @param {string} raw a literal, possibly in hexadecimal @param {bigint} step */
function shifted(raw, step) {
  const isBig = raw.endsWith('n')
  const digits = (isBig ? raw.slice(0, -1) : raw).replaceAll('_', '')
  if (!/^(0x[\da-f]+|\d+)$/i.test(digits)) return undefined
  const value = BigInt(digits) + step
  if (value < 0n) return undefined
  return `${value}${isBig ? 'n' : ''}`
}

/** @param {Node} node @returns {readonly (readonly [mutator: string, replacement: string])[]} */
function literalMutants(node) {
  if (typeof node.value === 'boolean') return [['boolean', `${!node.value}`]]
  if (typeof node.value === 'string') return [['string', node.value === '' ? "'mutant'" : "''"]]
  if (typeof node.value !== 'number' && node.bigint == null) return []
  return [1n, -1n].flatMap((step) => {
    const replacement = shifted(node.raw, step)
    return replacement === undefined ? [] : [/** @type {const} */ (['number', replacement])]
  })
}

/** Walks a module, and collects mutants and regions. */
class Collector {
  /** @type {Mutant[]} */
  mutants = []
  /** @type {Region[]} */
  regions = []
  /** The region of the node that is visited. */
  region = -1
  /** Whether strings here are words of an error. */
  inError = false

  /** @param {string} path @param {string} text */
  constructor(path, text) {
    this.path = path
    this.text = text
  }

  /** @param {Node} node */
  source({ start, end }) {
    return this.text.slice(start, end)
  }

  /** @param {string} mutator @param {{ start: number, end: number }} node @param {string} replacement */
  add(mutator, { start, end }, replacement) {
    if (this.text.slice(start, end) === replacement) return
    const line = this.text.slice(0, start).split('\n').length
    this.mutants.push({ path: this.path, line, start, end, replacement, mutator, region: this.region })
  }

  /** Replaces the operator between two nodes. @param {string} mutator @param {Node} node @param {string} operator */
  addOperator(mutator, { left, right, operator: old }, operator) {
    const start = this.text.indexOf(old, left.end)
    if (start < 0 || start > right.start) throw new Error(`no ${old} in ${this.path} after ${left.end}`)
    this.add(mutator, { start, end: start + old.length }, operator)
  }

  /** Visits a node that executes as a region of its own. @param {Node} node @param {Region['kind']} kind */
  visitRegion(node, kind) {
    const outer = this.region
    this.region = this.regions.push({ start: node.start, end: node.end, kind }) - 1
    this.visit(node)
    this.region = outer
  }

  /** @param {Node | null | undefined} node */
  visitBody(node) {
    if (node == null) return
    if (node.type === 'BlockStatement' || this.region < 0) this.visit(node)
    else this.visitRegion(node, 'body')
  }

  /** @param {readonly Node[]} statements */
  visitStatements(statements) {
    for (const statement of statements) this.visitRegion(statement, 'statement')
  }

  /** @param {Node} node */
  visitChildren(node) {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'parent') continue
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type === 'string') this.visit(child)
      }
    }
  }

  /** @param {Node} node @returns {void} */
  visit(node) {
    if (TYPED_EXPRESSIONS.has(node.type)) return this.visit(node.expression)
    if (node.type.startsWith('TS')) return
    const special = /** @type {any} */ (this)[node.type]
    if (special === undefined) this.visitChildren(node)
    else special.call(this, node)
  }

  ImportDeclaration() {}
  ExportAllDeclaration() {}

  /** @param {Node} node */
  ExportNamedDeclaration({ declaration }) {
    if (declaration != null) this.visit(declaration)
  }

  /** @param {Node} node */
  Literal(node) {
    if (this.inError && typeof node.value === 'string') return
    for (const [mutator, replacement] of literalMutants(node)) this.add(mutator, node, replacement)
  }

  /** @param {Node} node */
  TemplateLiteral(node) {
    if (!this.inError && this.source(node).length > 2) this.add('string', node, '``')
    this.visitChildren(node)
  }

  /** @param {Node} node */
  BinaryExpression(node) {
    const isConcatenation = node.operator === '+' && (isText(node.left) || isText(node.right))
    if (!isConcatenation) {
      for (const operator of BINARY[node.operator] ?? []) this.addOperator('binary', node, operator)
    }
    this.visitChildren(node)
  }

  /** @param {Node} node */
  LogicalExpression(node) {
    if (node.operator === '??') {
      for (const side of [node.left, node.right]) this.add('logical', node, this.source(side))
    } else {
      this.addOperator('logical', node, node.operator === '&&' ? '||' : '&&')
    }
    this.visit(node.left)
    this.visitRegion(node.right, 'expression')
  }

  /** @param {Node} node */
  AssignmentExpression(node) {
    const operator = ASSIGNMENT[node.operator]
    if (operator !== undefined && !isText(node.right)) this.addOperator('assignment', node, operator)
    this.visitChildren(node)
  }

  /** @param {Node} node */
  UnaryExpression(node) {
    if (['!', '-', '~'].includes(node.operator)) this.add('unary', node, this.source(node.argument))
    if (node.operator === '-' && node.argument.type === 'Literal') return
    this.visitChildren(node)
  }

  /** @param {Node} node */
  UpdateExpression(node) {
    const operator = node.operator === '++' ? '--' : '++'
    const argument = this.source(node.argument)
    this.add('update', node, node.prefix ? `${operator}${argument}` : `${argument}${operator}`)
  }

  /** @param {Node} node @param {readonly string[]} values */
  addCondition(node, values) {
    if (node.type === 'Literal') return
    for (const value of values) this.add('condition', node, value)
  }

  /** @param {Node} node */
  ConditionalExpression(node) {
    this.addCondition(node.test, ['true', 'false'])
    this.visit(node.test)
    this.visitRegion(node.consequent, 'expression')
    this.visitRegion(node.alternate, 'expression')
  }

  /** @param {Node} node */
  IfStatement(node) {
    this.addCondition(node.test, ['true', 'false'])
    this.visit(node.test)
    this.visitBody(node.consequent)
    this.visitBody(node.alternate)
  }

  /** @param {Node} node */
  loop(node) {
    if (node.test != null) this.addCondition(node.test, ['false'])
    for (const part of [node.init, node.test, node.update, node.left, node.right]) {
      if (part != null) this.visit(part)
    }
    this.visitBody(node.body)
  }

  /** @param {Node} node */
  BlockStatement(node) {
    this.visitStatements(node.body)
  }

  /** @param {Node} node */
  SwitchCase(node) {
    if (node.test != null) this.visit(node.test)
    this.visitStatements(node.consequent)
  }

  /** @param {Node} node */
  ExpressionStatement(node) {
    if (node.directive != null) return
    const value = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression
    const isRemovable = [
      'CallExpression',
      'ChainExpression',
      'AssignmentExpression',
      'UpdateExpression',
    ].includes(value.type)
    if (isRemovable && this.region >= 0) this.add('statement', node, ';')
    this.visitChildren(node)
  }

  /** @param {Node} node */
  ReturnStatement(node) {
    const { argument } = node
    if (argument == null) return
    const isPlain = argument.type === 'Literal' || argument.type === 'Identifier'
    if (argument.type !== 'Identifier' || argument.name !== 'undefined')
      this.add('return', argument, 'undefined')
    if (!isPlain || argument.type === 'Literal') this.visit(argument)
  }

  /** @param {Node} node */
  ThrowStatement(node) {
    const outer = this.inError
    this.inError = true
    this.visitChildren(node)
    this.inError = outer
  }

  /** @param {Node} node */
  call(node) {
    const outer = this.inError
    if (makesError(node)) this.inError = true
    this.visitChildren(node)
    this.inError = outer
  }

  /** @param {Node} node */
  CallExpression(node) {
    const { callee } = node
    if (callee.type === 'MemberExpression' && !callee.computed) {
      const { name } = callee.property
      const other = METHODS.get(name)
      if (other !== undefined) this.add('method', callee.property, other)
      if (DROPPED_METHODS.has(name) && !callee.optional) this.add('method', node, this.source(callee.object))
    }
    this.call(node)
  }

  /** @param {Node} node */
  NewExpression(node) {
    this.call(node)
  }

  /** @param {Node} node */
  MemberExpression(node) {
    if (node.optional) {
      const start = this.text.indexOf('?.', node.object.end)
      this.add('optional', { start, end: start + 2 }, node.computed ? '' : '.')
    }
    this.visit(node.object)
    if (node.computed) this.visit(node.property)
  }

  /** @param {Node} node */
  ArrayExpression(node) {
    if (node.elements.length > 0) this.add('array', node, '[]')
    this.visitChildren(node)
  }

  /** @param {Node} node */
  ObjectExpression(node) {
    if (node.properties.length > 0) this.add('object', node, '{}')
    this.visitChildren(node)
  }

  /** @param {Node} node */
  Property(node) {
    if (DOCUMENTATION.has(node.key.name)) return
    if (node.computed) this.visit(node.key)
    if (!node.shorthand || node.value.type === 'AssignmentPattern') this.visit(node.value)
  }

  /** @param {Node} node */
  PropertyDefinition(node) {
    if (node.value != null) this.visitRegion(node.value, 'expression')
  }

  /** @param {Node} node */
  MethodDefinition(node) {
    this.visit(node.value)
  }

  /** @param {Node} node */
  AssignmentPattern(node) {
    this.visit(node.left)
    this.visitRegion(node.right, 'expression')
  }

  /** @param {Node} node */
  ArrowFunctionExpression(node) {
    for (const parameter of node.params) this.visit(parameter)
    if (node.body.type === 'BlockStatement') return this.visit(node.body)
    const outer = this.region
    // The value that it gives is part of its own region.
    this.region = this.regions.length
    const isUndefined = node.body.type === 'Identifier' && node.body.name === 'undefined'
    if (!isUndefined) this.add('return', node.body, 'undefined')
    this.visitRegion(node.body, 'expression')
    this.region = outer
  }
}

const prototype = /** @type {any} */ (Collector.prototype)
for (const type of [...LOOPS, 'ForInStatement', 'ForOfStatement']) prototype[type] = prototype.loop

/** @param {string} path @param {string} text @returns {Source} */
export function mutantsOf(path, text) {
  const collector = new Collector(path, text)
  collector.visit(parseAst(text, { lang: 'ts' }, path))
  return { mutants: collector.mutants, regions: collector.regions }
}

/** @param {string} text @param {Mutant} mutant */
export function applyMutant(text, { start, end, replacement }) {
  return text.slice(0, start) + replacement + text.slice(end)
}

/**
 * The source with probes: `probe(n)` at the beginning of the region n.
 * @param {string} text
 * @param {readonly Region[]} regions
 * @param {(region: number) => string} probe an expression
 */
export function withProbes(text, regions, probe) {
  /** @type {{ at: number, order: number, insert: string }[]} */
  const insertions = []
  for (const [index, { start, end, kind }] of regions.entries()) {
    const [before, after] =
      kind === 'expression'
        ? [`(${probe(index)},`, ')']
        : kind === 'body'
          ? [`{${probe(index)};`, '}']
          : [`${probe(index)};`, '']
    // Outer regions have lower numbers: at the same place they open first and close last.
    insertions.push({ at: start, order: index + 1, insert: before })
    insertions.push({ at: end, order: -index - 1, insert: after })
  }
  insertions.sort((a, b) => a.at - b.at || a.order - b.order)
  let position = 0
  let result = ''
  for (const { at, insert } of insertions) {
    result += text.slice(position, at) + insert
    position = at
  }
  return result + text.slice(position)
}
