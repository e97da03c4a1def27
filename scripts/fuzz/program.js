// @ts-check
// Random programs: statements in the proportions of a flavor, the main subject of a program.

import { pickWeighted } from './random.js'
import * as make from './statements.js'
import { Writer } from './writer.js'

/** @typedef {import('./assembly.js').Program} Program */
/** @typedef {import('./random.js').Random} Random */
/** @typedef {import('./writer.js').Surroundings} Surroundings */

/** Weights of the groups of statements in each flavor. */
const FLAVORS = {
  mixed: { arithmetic: 8, stack: 6, memory: 8, log: 2, storage: 5, account: 4, call: 5, create: 2, flow: 6 },
  arithmetic: {
    arithmetic: 60,
    stack: 4,
    memory: 2,
    log: 0,
    storage: 0,
    account: 0,
    call: 0,
    create: 0,
    flow: 3,
  },
  memory: {
    arithmetic: 2,
    stack: 4,
    memory: 24,
    log: 2,
    storage: 0,
    account: 4,
    call: 4,
    create: 0,
    flow: 4,
  },
  storage: {
    arithmetic: 1,
    stack: 2,
    memory: 2,
    log: 2,
    storage: 20,
    account: 2,
    call: 6,
    create: 1,
    flow: 4,
  },
  calls: { arithmetic: 1, stack: 2, memory: 3, log: 2, storage: 3, account: 3, call: 20, create: 2, flow: 4 },
  creates: {
    arithmetic: 1,
    stack: 1,
    memory: 2,
    log: 1,
    storage: 2,
    account: 3,
    call: 3,
    create: 12,
    flow: 2,
  },
  flow: { arithmetic: 3, stack: 8, memory: 3, log: 0, storage: 0, account: 0, call: 1, create: 0, flow: 20 },
}

/** @typedef {keyof typeof FLAVORS} Flavor */

/** @param {Random} random @returns {Flavor} */
export function randomFlavor(random) {
  return pickWeighted(random, [
    [6, 'mixed'],
    [5, 'arithmetic'],
    [3, 'memory'],
    [3, 'storage'],
    [4, 'calls'],
    [2, 'creates'],
    [3, 'flow'],
  ])
}

/** How far statements are nested. */
const MOST_NESTING = 3

/** @param {Writer} writer @param {Flavor} flavor */
function statement(writer, flavor) {
  const weights = FLAVORS[flavor]
  const { random, nesting } = writer
  const body = (/** @type {Writer} */ inner) => {
    for (let count = 1 + random.below(nesting === 0 ? 4 : 2); count > 0; count--) statement(inner, flavor)
  }
  const flow =
    nesting >= MOST_NESTING
      ? make.jumpNowhere
      : pickWeighted(random, [
          [4, make.ifWork(body)],
          [3, make.loopWork(body)],
          [1, make.subroutineWork(body)],
          [2, make.jumpOver],
          [1, make.jumpNowhere],
        ])
  // In a loop, creations and calls are expensive.
  const rarely = nesting === 0 ? 1 : 4
  const makeStatement = pickWeighted(random, [
    [weights.arithmetic, make.arithmetic],
    [weights.stack, make.stackWork],
    [weights.memory, make.memoryWork],
    [weights.log, make.logWork],
    [weights.storage, make.storageWork],
    [weights.account, make.accountWork],
    [Math.ceil(weights.call / rarely), make.callWork],
    [Math.ceil(weights.create / rarely), make.createWork],
    [weights.flow, flow],
  ])
  makeStatement(writer)
  writer.putAway()
  if (nesting === 0) writer.endStatement()
}

/**
 * A program of a flavor.
 * @param {Random} random
 * @param {Surroundings} surroundings
 * @param {Flavor} flavor
 * @param {number} length statements
 * @returns {Program}
 */
export function randomProgram(random, surroundings, flavor, length) {
  const writer = new Writer(random, surroundings)
  for (let i = 0; i < length; i++) {
    statement(writer, flavor)
    if (random.oneIn(300)) {
      make.failing(writer)
      writer.endStatement()
    }
  }
  make.ending(writer)
  return writer.statements
}

/**
 * Arithmetic only: the cheapest programs, so there are many.
 * @param {Random} random
 * @param {Surroundings} surroundings
 * @returns {Program}
 */
export function arithmeticProgram(random, surroundings) {
  const writer = new Writer(random, surroundings)
  for (let count = 40 + random.below(160); count > 0; count--) {
    make.arithmetic(writer)
    if (writer.depth > 14) {
      writer.dumpStack()
      writer.endStatement()
    }
  }
  writer.dumpStack()
  writer.op('MSIZE')
  writer.push(0)
  writer.op('RETURN')
  writer.endStatement()
  return writer.statements
}

/**
 * Init code that runs statements and deploys code, or fails.
 * @param {Random} random
 * @param {Surroundings} surroundings
 * @returns {Program}
 */
export function randomInitCode(random, surroundings) {
  const writer = new Writer(random, surroundings)
  const flavor = random.pick(/** @type {const} */ (['arithmetic', 'memory', 'storage', 'mixed']))
  for (let count = random.below(4); count > 0; count--) statement(writer, flavor)
  const runtime = random.pick([
    () => runtimeCode(random, surroundings),
    () => runtimeCode(random, surroundings),
    () => Uint8Array.of(),
    // EIP-3541; not 0xef00, of which @ethereumjs has its own idea.
    () => Uint8Array.of(0xef, ...Array.from({ length: random.below(4) }, () => 1 + random.below(255))),
    // A delegation (EIP-7702) without an authorization.
    () => Uint8Array.of(0xef, 0x01, 0x00, ...new Uint8Array(20).fill(0xc1)),
  ])()
  pickWeighted(random, [
    [8, () => deploy(writer, runtime)],
    // Only zeros: up to the code size limit (EIP-170), or over it.
    [
      1,
      () => {
        writer.push(random.pick([24_575, 24_576, 24_577, 30_000, 500]))
        writer.push(random.below(40))
        writer.op('RETURN')
      },
    ],
    [3, () => make.ending(writer)],
  ])()
  writer.endStatement()
  return writer.statements
}

/** @param {Random} random @param {Surroundings} surroundings */
function runtimeCode(random, surroundings) {
  const writer = new Writer(random, surroundings)
  const flavor = random.pick(/** @type {const} */ (['arithmetic', 'storage', 'memory', 'flow']))
  for (let count = 1 + random.below(3); count > 0; count--) statement(writer, flavor)
  make.ending(writer)
  return writer.assembled()
}

/** @param {Writer} writer @param {Uint8Array} runtime */
function deploy(writer, runtime) {
  const data = writer.newPlace()
  writer.push(runtime.length)
  writer.at(data)
  writer.push(0)
  writer.op('CODECOPY')
  writer.push(runtime.length)
  writer.push(0)
  writer.op('RETURN')
  writer.endStatement()
  writer.place(data)
  writer.bytes(runtime)
}

/**
 * A program that calls itself with all gas, down to the maximum depth, and uses the results.
 * @param {Random} random
 * @param {Surroundings} surroundings
 * @returns {Program}
 */
export function recursiveProgram(random, surroundings) {
  const writer = new Writer(random, surroundings)
  const flavor = random.pick(/** @type {const} */ (['arithmetic', 'memory']))
  const straight = (/** @type {number} */ most) => {
    for (let count = random.below(most); count > 0; count--) {
      if (flavor === 'arithmetic') make.arithmetic(writer)
      else make.memoryWork(writer)
      writer.endStatement()
    }
  }
  straight(4)
  const kind = random.pick(writer.those('CALL', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'))
  for (const operand of [32, 0, random.below(64), 0]) writer.push(operand)
  if (kind === 'CALL' || kind === 'CALLCODE') writer.push(0)
  writer.op('ADDRESS')
  writer.op('GAS')
  if (!writer.has('STATICCALL')) {
    // Before EIP-150 a call with more gas than there is fails.
    writer.push(2000 + random.below(1000))
    writer.swap(1)
    writer.op('SUB')
  }
  writer.op(kind)
  writer.endStatement()
  straight(3)
  // The depth: the result of the nested call plus one.
  writer.push(0)
  writer.op('MLOAD')
  writer.push(1)
  writer.op('ADD')
  writer.push(0)
  writer.op('MSTORE')
  writer.push(32)
  writer.push(0)
  writer.op('RETURN')
  writer.endStatement()
  return writer.statements
}
