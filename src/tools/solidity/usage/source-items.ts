// What coverage counts in a source file: statements, branches and functions, from the compiler's syntax tree.

import { isObject, type JsonObject, listOf, objectOf } from '../artifacts/json.ts'
import { rangeOf } from '../artifacts/syntax-tree.ts'
import type { SourceFile, SourceRange } from '../model/source.ts'

interface Statement {
  readonly location: SourceRange
  /** The part whose first instruction begins the statement: the condition of an `if`, else the whole. */
  readonly anchor: SourceRange
}

/** A choice made by one conditional jump. */
export interface JumpBranch {
  readonly type: 'if' | 'loop' | 'cond-expr' | 'binary-expr' | 'require'
  readonly location: SourceRange
  /** If true and if false; the operands of `&&` and `||`; if a requirement holds and if not. */
  readonly arms: readonly [SourceRange, SourceRange]
  /** Where the jump may be, best first: the code generators differ. */
  readonly places: readonly SourceRange[]
}

/** A choice of a `catch` clause. */
interface TryBranch {
  readonly type: 'try'
  readonly location: SourceRange
  /** The blocks of the clauses, that of success first. */
  readonly arms: readonly SourceRange[]
}

export type SourceBranch = JumpBranch | TryBranch

export type SourceItems = ReturnType<typeof sourceItems>

const SIMPLE: ReadonlySet<unknown> = new Set([
  ...['ExpressionStatement', 'VariableDeclarationStatement', 'Return', 'EmitStatement', 'RevertStatement'],
  ...['Break', 'Continue', 'Throw'],
  ...['YulAssignment', 'YulVariableDeclaration', 'YulExpressionStatement', 'YulLeave', 'YulBreak'],
  ...['YulContinue'],
])

const LOOPS: ReadonlySet<unknown> = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement'])

const WITH_BODY: ReadonlySet<unknown> = new Set(['FunctionDefinition', 'ModifierDefinition'])

const REQUIREMENTS: ReadonlySet<unknown> = new Set(['require', 'assert'])

function createGatherer(file: SourceFile) {
  const statements: Statement[] = []
  const branches: SourceBranch[] = []
  const at = (node: unknown): SourceRange => rangeOf(file, objectOf(node))
  const add = (node: JsonObject, anchor: unknown = node): void => {
    statements.push({ location: at(node), anchor: at(anchor) })
  }

  function choice(
    type: JumpBranch['type'],
    node: JsonObject,
    arms: readonly [unknown, unknown],
    ...places: unknown[]
  ): void {
    const location = at(node)
    const [first, second] = arms.map((arm) => (isObject(arm) ? at(arm) : location)) as SourceRange[]
    branches.push({ type, location, arms: [first!, second!], places: [location, ...places.map(at)] })
  }

  /** A loop or an `if`: a statement that begins with its condition. */
  function conditional(type: 'if' | 'loop', node: JsonObject, whenTrue: unknown, whenFalse: unknown): void {
    const condition = node['condition']
    if (!isObject(condition)) return
    // A `do` begins with its body.
    add(node['nodeType'] === 'DoWhileStatement' ? condition : node, condition)
    choice(type, node, [whenTrue, whenFalse], condition)
  }

  function visitExpression(node: JsonObject): void {
    const { nodeType } = node
    const operator = node['operator']
    if (nodeType === 'Conditional')
      choice('cond-expr', node, [node['trueExpression'], node['falseExpression']])
    else if (nodeType === 'BinaryOperation' && (operator === '&&' || operator === '||'))
      choice('binary-expr', node, [node['leftExpression'], node['rightExpression']])
    else if (nodeType === 'FunctionCall' && REQUIREMENTS.has(objectOf(node['expression'])['name']))
      choice('require', node, [undefined, undefined])
  }

  function visitStatement(node: JsonObject): void {
    const { nodeType } = node
    if (SIMPLE.has(nodeType)) add(node)
    else if (nodeType === 'IfStatement') conditional('if', node, node['trueBody'], node['falseBody'])
    else if (LOOPS.has(nodeType)) conditional('loop', node, node['body'], undefined)
    else if (nodeType === 'YulIf' || nodeType === 'YulForLoop') add(node, node['condition'])
    else if (nodeType === 'YulSwitch') add(node, node['expression'])
    else if (nodeType === 'InlineAssembly' && !isObject(node['AST'])) add(node)
    else if (nodeType === 'TryStatement') {
      add(node, node['externalCall'])
      const arms = listOf(node['clauses']).map((clause) => at(objectOf(clause)['block']))
      branches.push({ type: 'try', location: at(node), arms })
    }
  }

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const each of value) visit(each)
    else if (isObject(value) && typeof value['nodeType'] === 'string') {
      visitStatement(value)
      visitExpression(value)
      for (const child of Object.values(value)) visit(child)
    }
  }
  return { statements, branches, visit }
}

/** Functions and modifiers with their nodes, in the order of the file. */
function functionNodes(file: SourceFile): JsonObject[] {
  return listOf(objectOf(file.ast)['nodes'])
    .map(objectOf)
    .flatMap((node) =>
      node['nodeType'] === 'ContractDefinition' ? listOf(node['nodes']).map(objectOf) : [node],
    )
    .filter(({ nodeType, body }) => isObject(body) && WITH_BODY.has(nodeType))
}

/** The items of a file; none for a file without a syntax tree. */
export function sourceItems(file: SourceFile) {
  const { statements, branches, visit } = createGatherer(file)
  const nodes = functionNodes(file)
  for (const node of nodes) {
    visit(node['body'])
    visit(node['modifiers'])
  }
  const isEmptyConstructor = ({ kind, body }: JsonObject): boolean =>
    kind === 'constructor' && listOf(objectOf(body)['statements']).length === 0
  const counted = new Set(
    nodes.filter((each) => !isEmptyConstructor(each)).map((each) => rangeOf(file, each)),
  )
  const functions = file.functions.filter(({ location, kind }) => kind !== 'getter' && counted.has(location))
  return { statements, branches, functions }
}
