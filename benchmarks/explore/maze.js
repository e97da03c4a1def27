// @ts-check
// Mazes of the kind that daedaluzz generates: a grid that is walked by four functions, with bugs in its cells behind
// nested conditions on the arguments. Some bugs cannot be reached. A maze follows from its seed.

const SIDE = 7
const PARAMETERS = Array.from({ length: 8 }, (_, index) => `p${index}`)
const OPERATORS = ['<', '<=', '>', '>=', '==', '!=']
const [WALL_PERCENT, MOST_CONDITIONS] = [10, 18]

/** The generator mulberry32. @param {number} seed @returns {(bound: number) => number} */
function randomOf(seed) {
  let state = seed | 0
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

/** @param {(bound: number) => number} below */
function conditionOf(below) {
  const parameter = () => PARAMETERS[below(PARAMETERS.length)]
  const constant = () => `uint64(${below(65)})`
  const kinds = [
    parameter,
    constant,
    () => `uint64(${parameter()} + ${parameter()})`,
    () => `uint64(${parameter()} * ${parameter()})`,
    () => `uint64(${constant()} + ${parameter()})`,
    () => `uint64(${constant()} * ${parameter()})`,
  ]
  const right = kinds[below(kinds.length)] ?? constant
  return `${parameter()} ${OPERATORS[below(OPERATORS.length)]} ${right()}`
}

/** What a cell does. @param {(bound: number) => number} below @param {number} cell @param {(cell: number) => string} bug */
function bodyOf(below, cell, bug) {
  if (cell === 0) return 'return 0;'
  if (below(100) < WALL_PERCENT) return 'require(false);'
  const conditions = Array.from({ length: 1 + below(MOST_CONDITIONS) }, () => `if (${conditionOf(below)}) {`)
  return `${conditions.join(' ')} ${bug(cell)} ${'}'.repeat(conditions.length)} return ${cell};`
}

/** @param {string} name @param {string} guard @param {string} move @param {boolean} isFoundry */
function moveOf(name, guard, move, isFoundry) {
  const head = `function ${name}(${PARAMETERS.map((each) => `uint64 ${each}`).join(', ')}) payable external returns (int64) {`
  const [axis, next] = move.split(' = ')
  const args = PARAMETERS.join(', ')
  const place = axis === 'x' ? `${next}, y` : `x, ${next}`
  // For Foundry, a bug is noted, and undoes the step.
  const step = isFoundry
    ? `int64 r = step(${place}, ${args}); if (0 <= r) ${move}; return r;`
    : `${move}; return step(x, y, ${args});`
  return `${head} require(${guard}); ${step} }`
}

/**
 * The source of a maze: with assertions, or for Foundry with invariants, as daedaluzz has them.
 * @param {number} seed @param {'assertions' | 'foundry'} form
 */
export function makeMaze(seed, form) {
  const below = randomOf(seed)
  const isFoundry = form === 'foundry'
  /** @param {number} cell */
  const bug = (cell) =>
    isFoundry ? `found[${cell}] = true; return -1;` : `emit AssertionFailed("${cell}"); assert(false);`
  const cells = Array.from({ length: SIDE * SIDE }, (_, cell) => {
    const [x, y] = [Math.floor(cell / SIDE), cell % SIDE]
    return `if (x == ${x} && y == ${y}) { ${bodyOf(below, cell, bug)} }`
  })
  const signature = `uint64 x, uint64 y, ${PARAMETERS.map((each) => `uint64 ${each}`).join(', ')}`
  const maze = [
    'pragma solidity ^0.8.19;',
    'contract Maze {',
    'event AssertionFailed(string message); uint64 private x; uint64 private y;',
    'mapping (uint64 => bool) public found;',
    moveOf('moveNorth', `y + 1 < ${SIDE}`, 'y = y + 1', isFoundry),
    moveOf('moveSouth', '0 < y', 'y = y - 1', isFoundry),
    moveOf('moveEast', `x + 1 < ${SIDE}`, 'x = x + 1', isFoundry),
    moveOf('moveWest', '0 < x', 'x = x - 1', isFoundry),
    `function step(${signature}) internal returns (int64) { unchecked {`,
    ...cells,
    `return ${SIDE * SIDE}; } }`,
    '}',
  ]
  return isFoundry ? `${maze.join('\n')}\n${testOf()}` : maze.join('\n')
}

/** The test contract of a maze for Foundry. */
function testOf() {
  const invariants = Array.from({ length: SIDE * SIDE - 1 }, (_, index) => {
    const cell = index + 1
    return `function invariant_${cell}() external view { require(!m.found(${cell})); }`
  })
  return [
    'contract TestMaze {',
    'Maze m;',
    'function setUp() external { m = new Maze(); }',
    'function targetContracts() external view returns (address[] memory list) { list = new address[](1); list[0] = address(m); }',
    ...invariants,
    '}',
  ].join('\n')
}
