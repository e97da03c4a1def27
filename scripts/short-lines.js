// @ts-check
// Line breaks for minified code. Node prints the whole line of an uncaught error and as much space before its caret,
// and editors and diffs stop at lines of hundreds of kilobytes.

import { Visitor } from 'rolldown/utils'

/** Columns of a line, unless one string or one name is longer. */
export const MOST_COLUMNS = 400

/** @typedef {{ readonly start: number, readonly end: number }} Range */

/**
 * Places where a line may end: before statements, members, arguments and operands, where the token before it cannot end
 * a statement and is none that must share its line with the next (`return`, `throw`, `yield`, `async`).
 * @param {import('rolldown/utils').ESTree.Program} program
 */
function breakable(program) {
  /** @type {Set<number>} */
  const places = new Set()
  const before = (/** @type {readonly (Range | null)[]} */ ...nodes) => {
    for (const node of nodes) if (node !== null) places.add(node.start)
  }
  const visitor = new Visitor({
    Program: ({ body }) => before(...body),
    BlockStatement: ({ body }) => before(...body),
    StaticBlock: ({ body }) => before(...body),
    SwitchStatement: ({ cases }) => before(...cases),
    SwitchCase: ({ consequent }) => before(...consequent),
    ClassBody: ({ body }) => before(...body),
    ObjectExpression: ({ properties }) => before(...properties),
    ArrayExpression: ({ elements }) => before(...elements),
    CallExpression: ({ arguments: list }) => before(...list),
    NewExpression: ({ arguments: list }) => before(...list),
    ImportDeclaration: ({ specifiers }) => before(...specifiers.slice(1)),
    ExportNamedDeclaration: ({ specifiers }) => before(...specifiers),
    SequenceExpression: ({ expressions }) => before(...expressions.slice(1)),
    VariableDeclaration: ({ declarations }) => before(...declarations.slice(1)),
    VariableDeclarator: ({ init }) => before(init),
    AssignmentExpression: ({ right }) => before(right),
    LogicalExpression: ({ right }) => before(right),
    BinaryExpression: ({ right }) => before(right),
    ConditionalExpression: ({ consequent, alternate }) => before(consequent, alternate),
    // An operator, a bracket or the end follows a string.
    TemplateLiteral({ expressions, end }) {
      before(...expressions)
      for (const each of [...expressions, { end }]) places.add(each.end)
    },
    Literal({ value, end }) {
      if (typeof value === 'string') places.add(end)
    },
  })
  visitor.visit(program)
  return [...places].sort((a, b) => a - b)
}

/**
 * Where lines end, so that they are as long as they may be.
 * @param {import('rolldown/utils').ESTree.Program} program
 */
export function lineBreaks(program) {
  const places = breakable(program)
  let start = 0
  return places.filter((place, index) => {
    const isLast = (places[index + 1] ?? program.end) - start > MOST_COLUMNS
    if (!isLast || place === start) return false
    start = place
    return true
  })
}
