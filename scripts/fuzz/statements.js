// @ts-check
// Statements of random programs. A statement provides its operands and leaves its results on the stack; the end of the
// program makes them visible.

import { toMemory } from './assembly.js'
import { DUP1, opcode, PUSH1, undefinedBytes } from './opcodes.js'
import { pickWeighted } from './random.js'
import { HUGE, randomBits, randomDivision, randomWord } from './words.js'

/** @typedef {import('./writer.js').Writer} Writer */
/** @typedef {import('./opcodes.js').OpcodeName} OpcodeName */
/** @typedef {(writer: Writer) => void} MakeStatement */

const FEW_WORDS = [
  ...[0n, 1n, 2n, 255n, 256n, (1n << 128n) - 1n, 1n << 128n],
  ...[1n, 2n].map((below) => (1n << 256n) - below),
  ...[-1n, 0n, 1n].map((by) => (1n << 255n) + by),
]
/** Byte indexes in a word, and shift distances. */
const FEW_INDEXES = [0n, 1n, 30n, 31n, 32n, 255n, 256n, 257n, 1n << 64n, (1n << 256n) - 1n]

const ARITHMETIC = /** @type {const} */ ([
  ...['ADD', 'MUL', 'SUB', 'DIV', 'SDIV', 'MOD', 'SMOD', 'ADDMOD', 'MULMOD', 'EXP', 'SIGNEXTEND'],
  ...[
    'LT',
    'GT',
    'SLT',
    'SGT',
    'EQ',
    'ISZERO',
    'AND',
    'OR',
    'XOR',
    'NOT',
    'BYTE',
    'SHL',
    'SHR',
    'SAR',
    'CLZ',
  ],
])

/** @type {MakeStatement} */
export function arithmetic(writer) {
  const { random } = writer
  const name = random.pick(writer.those(...ARITHMETIC))
  pickWeighted(random, [
    [5, () => writer.apply(name)],
    [3, () => fewWords(writer, name)],
    [
      2,
      () => {
        const [dividend, divisor] = randomDivision(random)
        writer.push(divisor)
        writer.push(dividend)
        writer.op(random.pick(/** @type {const} */ (['DIV', 'SDIV', 'MOD', 'SMOD'])))
      },
    ],
  ])()
}

/** Words from a small set, so that operands are often equal. @param {Writer} writer @param {OpcodeName} name */
function fewWords(writer, name) {
  const { random } = writer
  for (const kind of [...opcode(name).takes].reverse()) {
    writer.push(random.pick(kind === 'word' || kind === 'exponent' ? FEW_WORDS : FEW_INDEXES))
  }
  writer.op(name)
}

/** @type {MakeStatement} */
export function stackWork(writer) {
  const { random, floor } = writer
  const free = writer.depth - floor
  pickWeighted(random, [
    [3, () => writer.push(randomWord(random))],
    [3, () => (writer.depth > 0 ? writer.dup(1 + random.below(Math.min(16, writer.depth))) : writer.push(1))],
    [3, () => (free > 1 ? writer.swap(1 + random.below(Math.min(16, free - 1))) : writer.push(2))],
    [1, () => (free > 0 ? writer.op('POP') : writer.push(3))],
    [2, () => writer.environment()],
    // A constant of any width.
    [
      1,
      () => {
        const size = 1 + random.below(32)
        writer.pieces.push({ push: randomBits(random, 8 * size), size })
        writer.depth += 1
      },
    ],
    [2, () => deepStack(writer)],
  ])()
}

/** Words for all sixteen that DUP and SWAP reach. @type {MakeStatement} */
function deepStack(writer) {
  const { random } = writer
  const words = 3 + random.below(15)
  for (let i = 0; i < words; i++) writer.push(random.below(200))
  for (let count = 1 + random.below(6); count > 0; count--) {
    if (random.oneIn(2)) writer.dup(1 + random.below(Math.min(16, words)))
    else writer.swap(1 + random.below(Math.min(16, words - 1)))
  }
}

/** @type {MakeStatement} */
export function memoryWork(writer) {
  const { random } = writer
  pickWeighted(random, [
    [4, () => writer.apply('MSTORE')],
    [2, () => writer.apply('MSTORE8')],
    [4, () => writer.apply('MLOAD')],
    [3, () => writer.apply('KECCAK256')],
    [2, () => writer.apply('CALLDATACOPY')],
    [2, () => writer.apply('CODECOPY')],
    [2, () => writer.op('MSIZE')],
    [4, () => writer.apply(writer.has('MCOPY') ? 'MCOPY' : 'MSTORE')],
    [1, () => nothingFarAway(writer)],
  ])()
}

/** An empty range uses no memory, whatever its offset. @type {MakeStatement} */
function nothingFarAway(writer) {
  const { random } = writer
  const far = random.pick(HUGE)
  const names = /** @type {const} */ ([
    'KECCAK256',
    'CALLDATACOPY',
    'CODECOPY',
    'LOG0',
    'MCOPY',
    'RETURNDATACOPY',
  ])
  const name = random.pick(writer.those(...names))
  writer.push(0)
  if (name === 'MCOPY') writer.push(random.pick(HUGE))
  // Not beyond the end of the return data, an error even for an empty range.
  else if (name === 'RETURNDATACOPY') writer.push(0)
  else if (name === 'CALLDATACOPY' || name === 'CODECOPY') writer.push(random.pick(HUGE))
  writer.push(far)
  writer.op(name)
}

/** @type {MakeStatement} */
export function logWork(writer) {
  writer.apply(writer.random.pick(['LOG0', 'LOG1', 'LOG2', 'LOG3', 'LOG4']))
}

/** @type {MakeStatement} */
export function storageWork(writer) {
  const { random } = writer
  const transient = writer.has('TLOAD') && random.oneIn(3)
  if (random.oneIn(3)) {
    writer.apply(transient ? 'TLOAD' : 'SLOAD')
    return
  }
  // Few slots and few values, written several times, for the cases of EIP-1283 and EIP-2200.
  for (let times = 1 + random.below(3); times > 0; times--) {
    const value = random.pick([0, 0, 1, 1, 2])
    if (random.oneIn(8)) writer.word()
    else writer.push(value)
    if (random.oneIn(8)) writer.operand('slot')
    else writer.push(random.below(3))
    writer.op(transient ? 'TSTORE' : 'SSTORE')
  }
}

/** @type {MakeStatement} */
export function accountWork(writer) {
  const { random } = writer
  const names = writer.those(
    'BALANCE',
    'EXTCODESIZE',
    'EXTCODEHASH',
    'EXTCODECOPY',
    'BLOCKHASH',
    'SELFBALANCE',
  )
  writer.apply(random.pick([...names, ...writer.those('BLOBHASH', 'BLOBBASEFEE', 'BASEFEE')]))
}

/** @type {MakeStatement} */
export function callWork(writer) {
  const { random } = writer
  const kinds = writer.those(
    'CALL',
    'CALL',
    'CALLCODE',
    'DELEGATECALL',
    'DELEGATECALL',
    'STATICCALL',
    'STATICCALL',
  )
  if (random.oneIn(4)) callPrecompile(writer)
  else if (random.oneIn(16)) callConsole(writer)
  else writer.apply(random.pick(kinds))
  if (random.oneIn(2)) returnDataWork(writer)
}

/** Valid input of precompiles: a signature, points of the curves, parameters of modexp and blake2f. */
const INPUTS = [
  // ecrecover, as go-ethereum tests it (core/vm/testdata/precompiles/ecRecover.json).
  [
    1n,
    '18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1c000000000000000000000000000000000000000000000000000000000000001c73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75feeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549',
  ],
  [2n, '616263'],
  [3n, '616263'],
  [4n, '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff0011'],
  // 3 ^ 5 mod 7.
  [5n, `${'1'.padStart(64, '0')}${'1'.padStart(64, '0')}${'1'.padStart(64, '0')}030507`],
  [6n, `${'1'.padStart(64, '0')}${'2'.padStart(64, '0')}${'1'.padStart(64, '0')}${'2'.padStart(64, '0')}`],
  [7n, `${'1'.padStart(64, '0')}${'2'.padStart(64, '0')}${'9'.padStart(64, '0')}`],
  [8n, ''],
  // EIP-152, test vector 5.
  [
    9n,
    '0000000c48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b61626300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000300000000000000000000000000000001',
  ],
  // The sum of two points at infinity (EIP-2537).
  [0xbn, '0'.repeat(512)],
].map(([address, hex]) => ({
  address: /** @type {bigint} */ (address),
  bytes: Uint8Array.from(Buffer.from(/** @type {string} */ (hex), 'hex')),
}))

/** @type {MakeStatement} */
function callPrecompile(writer) {
  const { random } = writer
  const { address, bytes } = random.pick(INPUTS)
  for (const piece of toMemory(bytes, 0)) writer.pieces.push(piece)
  const isAlmost = random.oneIn(6)
  const [to, size] = [random.below(96), random.pick([32, 32, 64, 20, 0])]
  const kind = random.pick(writer.those('CALL', 'STATICCALL', 'DELEGATECALL', 'CALLCODE'))
  for (const operand of [size, to, isAlmost ? bytes.length - random.below(3) : bytes.length, 0]) {
    writer.push(operand < 0 ? 0 : operand)
  }
  if (kind === 'CALL' || kind === 'CALLCODE') writer.push(random.oneIn(8) ? 1 : 0)
  writer.push(address)
  writer.push(random.pick([0, 15, 60, 72, 120, 3000, 3000, 60_000, 60_000, 60_000]))
  writer.op(kind)
}

const CONSOLE = 0x636f6e736f6c652e6c6f67n

/** `log(uint256)` of Hardhat's console, with the first word of memory. @type {MakeStatement} */
function callConsole(writer) {
  writer.pieces.push(...toMemory(Uint8Array.of(0xf8, 0x2c, 0x50, 0xf1), 0))
  for (const operand of [0n, 0n, 36n, 0n, 0n, CONSOLE]) writer.push(operand)
  writer.op('GAS')
  writer.op('CALL')
}

/** @type {MakeStatement} */
export function returnDataWork(writer) {
  const { random } = writer
  if (!writer.has('RETURNDATASIZE')) return
  writer.op('RETURNDATASIZE')
  pickWeighted(random, [
    [2, () => undefined],
    // All of it.
    [
      5,
      () => {
        writer.push(0)
        writer.push(random.below(0x100))
        writer.op('RETURNDATACOPY')
      },
    ],
    // An empty range at its end.
    [
      2,
      () => {
        writer.push(0)
        writer.swap(1)
        writer.push(random.below(0x100))
        writer.op('RETURNDATACOPY')
      },
    ],
    // Possibly beyond its end, which ends the frame.
    [1, () => (random.oneIn(4) ? writer.apply('RETURNDATACOPY') : undefined)],
  ])()
}

/** @type {MakeStatement} */
export function createWork(writer) {
  const { random, surroundings } = writer
  const initCode = surroundings.initCodes.length === 0 ? Uint8Array.of() : random.pick(surroundings.initCodes)
  const offset = random.oneIn(3) ? random.below(64) : 0
  const isSalted = writer.has('CREATE2') && random.oneIn(2)
  const times = isSalted && random.oneIn(3) ? 2 : 1
  if (initCode.length < 400) writer.pieces.push(...toMemory(initCode, offset))
  else copyInitCode(writer, initCode, offset)
  for (let i = 0; i < times; i++) {
    if (isSalted) writer.push(random.below(2))
    writer.push(random.oneIn(12) ? writer.constant('size') : initCode.length)
    writer.push(offset)
    writer.operand('value')
    writer.op(isSalted ? 'CREATE2' : 'CREATE')
  }
  if (random.oneIn(2)) callCreated(writer)
  if (random.oneIn(3)) returnDataWork(writer)
}

/** Embeds long init code in the code, and jumps over it. @param {Writer} writer @param {Uint8Array} initCode @param {number} offset */
function copyInitCode(writer, initCode, offset) {
  const [data, after] = [writer.newPlace(), writer.newPlace()]
  writer.push(initCode.length)
  writer.at(data)
  writer.push(offset)
  writer.op('CODECOPY')
  writer.at(after)
  writer.op('JUMP')
  writer.place(data)
  writer.bytes(initCode)
  writer.destination(after)
}

/** Calls the address on top of the stack, which stays there. @type {MakeStatement} */
function callCreated(writer) {
  const { random } = writer
  const kinds = writer.those('CALL', 'DELEGATECALL', 'STATICCALL', 'CALLCODE')
  const kind = random.pick(kinds)
  for (const operand of [32, 0, 32, 0]) writer.push(operand)
  const hasValue = kind === 'CALL' || kind === 'CALLCODE'
  if (hasValue) writer.push(random.pick([0, 0, 1]))
  writer.dup(hasValue ? 6 : 5)
  writer.gas()
  writer.op(kind)
}

/** Pushes the position of a label, in one of several ways. @param {Writer} writer @param {string} place */
function pushPlace(writer, place) {
  const { random } = writer
  const by = BigInt(random.below(200))
  pickWeighted(random, [
    [6, () => writer.at(place)],
    // The target is computed.
    [
      1,
      () => {
        writer.push(by)
        writer.at(place, by)
        writer.op('SUB')
      },
    ],
    [
      1,
      () => {
        writer.at(place)
        writer.op('PC')
        writer.op('POP')
      },
    ],
  ])()
}

/** @param {(writer: Writer) => void} body @returns {MakeStatement} */
export function ifWork(body) {
  return (writer) => {
    const { random } = writer
    const after = writer.newPlace()
    writer.operand('word')
    if (random.oneIn(2)) writer.op('ISZERO')
    pushPlace(writer, after)
    writer.op('JUMPI')
    nested(writer, body)
    if (random.oneIn(3)) {
      // Another branch, and data that contains false destinations.
      const end = writer.newPlace()
      writer.at(end)
      writer.op('JUMP')
      if (random.oneIn(2)) writer.bytes(Uint8Array.of(PUSH1 + 1, 0x5b, 0x5b))
      writer.destination(after)
      nested(writer, body)
      writer.destination(end)
    } else writer.destination(after)
  }
}

/** @param {(writer: Writer) => void} body @returns {MakeStatement} */
export function loopWork(body) {
  return (writer) => {
    const { random } = writer
    const start = writer.newPlace()
    writer.push(random.oneIn(6) ? 30 + random.below(40) : 1 + random.below(6))
    writer.destination(start)
    nested(writer, body)
    writer.push(1)
    writer.swap(1)
    writer.op('SUB')
    writer.dup(1)
    pushPlace(writer, start)
    writer.op('JUMPI')
  }
}

/** A subroutine with two callers. @param {(writer: Writer) => void} body @returns {MakeStatement} */
export function subroutineWork(body) {
  return (writer) => {
    const [start, end, ...returns] = Array.from({ length: 4 }, () => writer.newPlace())
    for (const place of returns) {
      writer.at(/** @type {string} */ (place))
      pushPlace(writer, /** @type {string} */ (start))
      writer.op('JUMP')
      writer.destination(/** @type {string} */ (place))
      // The return address is off the stack.
      writer.depth -= 1
    }
    writer.at(/** @type {string} */ (end))
    writer.op('JUMP')
    writer.destination(/** @type {string} */ (start))
    writer.depth += 1
    nested(writer, body)
    writer.op('JUMP')
    writer.destination(/** @type {string} */ (end))
  }
}

/** Statements that do not change the depth of the stack. @param {Writer} writer @param {(writer: Writer) => void} body */
function nested(writer, body) {
  const { depth, floor } = writer
  writer.floor = Math.max(floor, depth)
  writer.nesting += 1
  body(writer)
  writer.nesting -= 1
  writer.settle(depth)
  writer.floor = floor
}

/** Inserts data that only code analysis distinguishes from instructions. @type {MakeStatement} */
export function jumpOver(writer) {
  const { random } = writer
  const after = writer.newPlace()
  pushPlace(writer, after)
  writer.op('JUMP')
  const size = random.below(40)
  writer.bytes(
    Uint8Array.from({ length: size }, () => random.pick([0x5b, 0x5b, 0xfe, 0x60, random.below(256)])),
  )
  // The last of them must not swallow the destination.
  writer.bytes(new Uint8Array(32).fill(0x5b))
  writer.destination(after)
}

/** A conditional jump that is not taken, with any target. @type {MakeStatement} */
export function jumpNowhere(writer) {
  const { random } = writer
  writer.push(0)
  writer.push(random.pick(HUGE))
  writer.op('JUMPI')
}

/** An early end of a frame. @type {MakeStatement} */
export function failing(writer) {
  const { random } = writer
  pickWeighted(random, [
    [4, () => badJump(writer)],
    [2, () => writer.pieces.push(random.pick(undefinedBytes(writer.fork)))],
    // Stack underflow: of an instruction with operands, of DUP, of SWAP.
    [
      2,
      () => {
        while (writer.depth > 0) writer.op('POP')
        const operands = random.below(3)
        for (let i = 0; i < operands; i++) writer.push(i)
        const names = writer.those(
          'ADDMOD',
          'CALL',
          'LOG4',
          'SSTORE',
          'MSTORE',
          'JUMPI',
          'RETURN',
          'CREATE',
          'MCOPY',
        )
        const dupOrSwap = DUP1 + (random.oneIn(2) ? 16 : 0) + operands + random.below(16 - operands)
        if (random.oneIn(2)) writer.pieces.push(dupOrSwap)
        else writer.op(random.pick([...names, 'SELFDESTRUCT', 'EXTCODECOPY']))
      },
    ],
    [1, () => overflow(writer)],
    [
      1,
      () => {
        writer.push(random.pick(HUGE))
        writer.op('MLOAD')
      },
    ],
    [1, () => writer.op('INVALID')],
    [1, () => writer.op('SELFDESTRUCT')],
  ])()
}

/** @type {MakeStatement} */
function badJump(writer) {
  const { random } = writer
  const [data, start] = [writer.newPlace(), writer.newPlace()]
  writer.destination(start)
  writer.op('POP')
  pickWeighted(random, [
    // Into the data of a PUSH.
    [3, () => writer.at(data, 1n)],
    // Beyond the end.
    [1, () => writer.push(0xfff0)],
    // To an instruction other than JUMPDEST.
    [2, () => writer.at(data)],
    // A destination with wrong upper bits.
    [3, () => writer.at(start)],
    [1, () => writer.push(random.pick(HUGE))],
  ])()
  if (random.oneIn(2)) {
    writer.push(1n << BigInt(random.pick([16, 31, 32, 48, 53, 63, 64, 128, 255])))
    writer.op('OR')
  }
  if (random.oneIn(2)) {
    writer.push(randomWord(random) | 1n)
    writer.swap(1)
    writer.op('JUMPI')
  } else writer.op('JUMP')
  writer.place(data)
  writer.bytes(Uint8Array.of(PUSH1 + 1, 0x5b, 0x5b))
  writer.depth += 1
}

/** Fills the stack to its limit, or beyond. @type {MakeStatement} */
function overflow(writer) {
  const start = writer.newPlace()
  const { random } = writer
  const words = random.pick([1, 2, 3])
  writer.destination(start)
  for (let i = 0; i < words; i++) writer.op(random.pick(['PC', 'ADDRESS', 'CALLVALUE', 'MSIZE']))
  writer.at(start)
  writer.op('JUMP')
}

/** The end of a program. @type {MakeStatement} */
export function ending(writer) {
  const { random } = writer
  const all = (/** @type {OpcodeName} */ name) => () => {
    writer.dumpStack()
    writer.op('MSIZE')
    writer.push(0)
    writer.op(name)
  }
  pickWeighted(random, [
    [14, all('RETURN')],
    [4, all(writer.has('REVERT') ? 'REVERT' : 'RETURN')],
    [
      4,
      () => {
        all('KECCAK256')()
        writer.push(7)
        writer.op('SSTORE')
      },
    ],
    [2, all('LOG0')],
    [2, () => writer.op('STOP')],
    [
      2,
      () => {
        writer.dumpStack()
        writer.apply(writer.has('REVERT') && random.oneIn(3) ? 'REVERT' : 'RETURN')
      },
    ],
    [2, () => writer.apply('SELFDESTRUCT')],
    [6, () => failing(writer)],
    [1, () => all('KECCAK256')()],
    // A constant that the end of the code truncates.
    [
      1,
      () => {
        all('LOG0')()
        writer.pieces.push(PUSH1 + random.below(32))
      },
    ],
  ])()
  writer.endStatement()
  if (random.oneIn(3)) writer.bytes(Uint8Array.from({ length: random.below(40) }, () => random.below(256)))
  writer.endStatement()
}
