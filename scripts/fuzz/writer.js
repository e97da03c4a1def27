// @ts-check
// Writer of programs that tracks the depth of the stack, so that programs fail only where they are meant to.

import { assemble, sizeOf } from './assembly.js'
import { code, DUP1, isOffered, isSince, opcode, SWAP1 } from './opcodes.js'
import { pickWeighted } from './random.js'
import { HUGE, randomBits, randomWord, wrap } from './words.js'

/**
 * The environment of a program.
 * @typedef {object} Surroundings
 * @property {import('./opcodes.js').Fork} fork
 * @property {readonly bigint[]} addresses
 * @property {readonly Uint8Array[]} initCodes
 * @property {'near' | 'far'} reach whether a range may be where no gas limit pays for the memory
 */

/** Stack depth above which results are moved to memory. */
const DEEP = 20
/** Memory size below which most offsets are. */
const NEAR = 0x180

export class Writer {
  /** @type {import('./assembly.js').Statement[]} */
  statements = []
  /** @type {import('./assembly.js').Piece[]} */
  pieces = []
  /** Words on the stack. */
  depth = 0
  /** Reserved words on the stack, such as the counter of a loop. */
  floor = 0
  /** How far statements are nested. */
  nesting = 0
  places = 0

  /** @param {import('./random.js').Random} random @param {Surroundings} surroundings */
  constructor(random, surroundings) {
    this.random = random
    this.surroundings = surroundings
    this.fork = surroundings.fork
  }

  /** Ends a statement. */
  endStatement() {
    if (this.pieces.length > 0) this.statements.push(this.pieces)
    this.pieces = []
  }

  /** @param {import('./opcodes.js').OpcodeName} name */
  has(name) {
    return isOffered(this.fork, name)
  }

  /** The first of these instructions that the fork has. @param {import('./opcodes.js').OpcodeName[]} names */
  those(...names) {
    return names.filter((name) => this.has(name))
  }

  newPlace() {
    this.places += 1
    return `p${this.places}`
  }

  /** @param {string} name */
  place(name) {
    this.pieces.push({ place: name })
  }

  /** A jump destination. @param {string} name */
  destination(name) {
    this.place(name)
    this.op('JUMPDEST')
  }

  /** Pushes the position of a label. @param {string} name */
  at(name, plus = 0n) {
    this.pieces.push({ at: name, plus })
    this.depth += 1
  }

  /** Unreachable bytes. @param {Uint8Array} bytes */
  bytes(bytes) {
    this.pieces.push({ bytes })
  }

  /** An instruction whose operands are on the stack. @param {import('./opcodes.js').OpcodeName} name */
  op(name) {
    const { code, takes, leaves } = opcode(name)
    this.pieces.push(code)
    this.depth += leaves - takes.length
  }

  /** A constant, in the minimum number of bytes or more. @param {bigint | number} value */
  push(value) {
    const { random } = this
    const constant = BigInt(value)
    this.depth += 1
    if (constant === 0n && this.has('PUSH0') && !random.oneIn(3)) {
      this.pieces.push(code('PUSH0'))
      return
    }
    const size = sizeOf(constant)
    const wider = random.oneIn(12) ? size + random.below(33 - size) : size
    this.pieces.push({ push: constant, size: wider })
  }

  /** @param {number} depth 1 is the top */
  dup(depth) {
    this.pieces.push(DUP1 + depth - 1)
    this.depth += 1
  }

  /** @param {number} depth 1 is the word under the top */
  swap(depth) {
    this.pieces.push(SWAP1 + depth - 1)
  }

  /** Pushes a suitable operand. @param {import('./opcodes.js').Operand} kind */
  operand(kind) {
    const { random } = this
    if (this.depth > 0 && random.oneIn(kind === 'word' ? 5 : 60)) {
      this.dup(1 + random.below(Math.min(16, this.depth)))
      return
    }
    switch (kind) {
      case 'word':
        return this.word()
      case 'address':
        return this.address()
      case 'gas':
        return this.gas()
      default:
        return this.push(this.constant(kind))
    }
  }

  /** @param {import('./opcodes.js').Operand} kind @returns {bigint} */
  constant(kind) {
    const { random } = this
    /** @type {(end: number) => bigint} */
    const below = (end) => BigInt(random.below(end))
    const huge = () => random.pick(HUGE)
    const isFar = this.surroundings.reach === 'far'
    switch (kind) {
      case 'shift':
        return random.oneIn(8)
          ? randomWord(random)
          : random.pick([below(300), below(300), 255n, 256n, 257n, 0n])
      case 'byte':
        return random.oneIn(8) ? randomWord(random) : random.pick([below(36), below(36), 30n, 31n, 32n])
      case 'exponent':
        return random.pick([below(20), below(300), 255n, 256n, 65_535n, 65_536n, randomWord(random)])
      case 'offset':
        if (isFar && random.oneIn(400)) return huge()
        return random.pick([
          below(NEAR),
          below(NEAR),
          below(65),
          32n * below(12),
          random.oneIn(20) ? 5000n : 0n,
        ])
      case 'size':
        if (isFar && random.oneIn(400)) return huge()
        return random.pick([0n, 32n, below(33), below(100), below(200), random.oneIn(20) ? 4100n : 64n])
      case 'source':
        return random.oneIn(6) ? huge() : random.pick([below(10), below(100), below(600), 32n * below(4)])
      case 'slot':
        return random.oneIn(12) ? randomWord(random) : below(4)
      case 'value':
        return random.pick([0n, 0n, 0n, 1n, below(1000), random.oneIn(4) ? randomWord(random) : 2n])
      case 'block':
        return random.oneIn(5) ? randomWord(random) : below(320)
      case 'index':
        return random.oneIn(5) ? randomWord(random) : below(4)
      case 'salt':
        return below(3)
      default:
        return randomWord(random)
    }
  }

  word() {
    const { random } = this
    pickWeighted(random, [
      [12, () => this.push(randomWord(random))],
      [
        2,
        () => {
          this.push(this.constant('source'))
          this.op('CALLDATALOAD')
        },
      ],
      [
        1,
        () => {
          this.push(random.below(NEAR))
          this.op('MLOAD')
        },
      ],
      [1, () => this.environment()],
    ])()
  }

  /** A value of the frame, the transaction or the block. */
  environment() {
    this.op(
      this.random.pick([
        ...this.those('ADDRESS', 'ORIGIN', 'CALLER', 'CALLVALUE', 'CALLDATASIZE', 'CODESIZE', 'GASPRICE'),
        ...this.those(
          'RETURNDATASIZE',
          'COINBASE',
          'TIMESTAMP',
          'NUMBER',
          'PREVRANDAO',
          'GASLIMIT',
          'CHAINID',
        ),
        ...this.those('SELFBALANCE', 'BASEFEE', 'BLOBBASEFEE', 'PC', 'MSIZE', 'GAS', 'GAS', 'MSIZE'),
      ]),
    )
  }

  address() {
    const { random } = this
    const address = random.pick(this.surroundings.addresses)
    pickWeighted(random, [
      [30, () => this.push(address)],
      // An address is the low 20 bytes of a word.
      [2, () => this.push(wrap(address + (randomBits(random, 96) << 160n)))],
      [3, () => this.op('ADDRESS')],
      [2, () => this.op('CALLER')],
      [1, () => this.op('COINBASE')],
      [1, () => this.op('ORIGIN')],
    ])()
  }

  gas() {
    const { random } = this
    // Before EIP-150 a call with more gas than there is ends the frame.
    if (!isSince(this.fork, 'tangerineWhistle') && !random.oneIn(20)) {
      this.push(random.below(random.pick([1000, 10_000])))
      return
    }
    pickWeighted(random, [
      [4, () => this.op('GAS')],
      [6, () => this.push(random.below(60_000))],
      [2, () => this.push(random.below(3000))],
      [2, () => this.push(random.pick([0, 1, 2299, 2300, 2301, 100_000]))],
      [1, () => this.push(random.pick(HUGE))],
      [
        1,
        () => {
          // All gas minus an amount near the 1/64 that the caller retains (EIP-150).
          this.push(random.pick([0, 100, 700, 2600, 9000, 40_000]))
          this.op('GAS')
          this.op('SUB')
        },
      ],
    ])()
  }

  /** An instruction with suitable operands, sometimes with those on the stack. @param {import('./opcodes.js').OpcodeName} name */
  apply(name) {
    const { takes } = opcode(name)
    const isAllWords = takes.every((kind) => kind === 'word')
    if (!isAllWords || this.depth - this.floor < takes.length || !this.random.oneIn(4)) {
      for (const kind of [...takes].reverse()) this.operand(kind)
    }
    this.op(name)
  }

  /** Sets the depth of the stack: drops words, or pushes zeros. @param {number} depth */
  settle(depth) {
    while (this.depth > depth) this.op('POP')
    while (this.depth < depth) this.push(0)
  }

  /** Moves results from the stack to visible memory, if there are many. */
  putAway(most = DEEP) {
    while (this.depth - this.floor > most) {
      if (this.random.oneIn(6)) this.op('POP')
      else {
        this.push(this.random.below(NEAR))
        this.op('MSTORE')
      }
    }
  }

  /** Moves the whole stack to the end of memory. */
  dumpStack() {
    while (this.depth > this.floor) {
      this.op('MSIZE')
      this.op('MSTORE')
    }
  }

  /** @returns {Uint8Array} */
  assembled() {
    this.endStatement()
    return assemble(this.statements)
  }
}
