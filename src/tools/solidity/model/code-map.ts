// Instructions of a compiled code with their places in the sources, from solc's compressed source maps
// (https://docs.soliditylang.org/en/latest/internals/source_mappings.html).

import type { SourceFile, SourceRange } from './source.ts'

/** A jump into a function, out of one, or neither. Other instructions have `none`. */
type JumpKind = 'into' | 'outOf' | 'internal' | 'none'

export interface Instruction {
  readonly pc: number
  readonly opcode: number
  readonly jump: JumpKind
  /** `undefined` for code that the compiler adds, such as its internal functions before 0.6.9. */
  readonly location: SourceRange | undefined
}

export type CodeMap = ReturnType<typeof decodeCodeMap>

const PUSH1 = 0x60
const JUMP = 0x56
export const JUMPI = 0x57
const INVALID = 0xfe

interface Entry {
  readonly start: number
  readonly length: number
  readonly file: number
  readonly jump: string
}

const UNMAPPED: Entry = { start: 0, length: 0, file: -1, jump: '-' }

/** An empty field repeats that of the entry before. */
function* entriesOf(compressed: string): Generator<Entry> {
  let last: Entry | undefined
  for (const text of compressed.split(';')) {
    const [start = '', length = '', file = '', jump = ''] = text.split(':')
    if (last === undefined) {
      // Some versions leave out the first entry, or parts of it.
      const isWhole = start !== '' && length !== '' && file !== '' && jump !== ''
      last = isWhole ? { start: Number(start), length: Number(length), file: Number(file), jump } : UNMAPPED
    } else if (text !== '') {
      last = {
        start: start === '' ? last.start : Number(start),
        length: length === '' ? last.length : Number(length),
        file: file === '' ? last.file : Number(file),
        jump: jump === '' ? last.jump : jump,
      }
    }
    yield last
  }
}

function jumpOf(opcode: number, letter: string): JumpKind {
  if (letter === 'i') return 'into'
  if (letter === 'o') return 'outOf'
  return opcode === JUMP || opcode === JUMPI ? 'internal' : 'none'
}

/** The bytes behind an opcode that it pushes. */
export function pushedBytes(opcode: number): number {
  return opcode >= PUSH1 && opcode < PUSH1 + 32 ? opcode - PUSH1 + 1 : 0
}

function instructionsOf(
  code: Uint8Array,
  sourceMap: string,
  sources: ReadonlyMap<number, SourceFile>,
  isCreation: boolean,
): Instruction[] {
  const instructions: Instruction[] = []
  let pc = 0
  for (const { start, length, file, jump } of entriesOf(sourceMap)) {
    const opcode = code[pc]
    if (opcode === undefined) break
    const location = sources.get(file)?.rangeAt(start, length)
    instructions.push({ pc, opcode, jump: jumpOf(opcode, jump), location })
    pc += 1 + pushedBytes(opcode)
  }
  // The map of creation code may end before its internal functions; INVALID is before the data.
  for (let opcode = code[pc]; isCreation && opcode !== undefined && opcode !== INVALID; opcode = code[pc]) {
    instructions.push({ pc, opcode, jump: jumpOf(opcode, '-'), location: undefined })
    pc += 1 + pushedBytes(opcode)
  }
  return instructions
}

export function decodeCodeMap(
  code: Uint8Array,
  sourceMap: string,
  sources: ReadonlyMap<number, SourceFile>,
  kind: 'creation' | 'deployed',
) {
  const instructions = instructionsOf(code, sourceMap, sources, kind === 'creation')
  const indexes = new Int32Array(code.length).fill(-1)
  for (const [index, { pc }] of instructions.entries()) indexes[pc] = index
  /** The instruction that begins at a byte of the code; `undefined` for data and what is not mapped. */
  const at = (pc: number): Instruction | undefined => instructions[indexes[pc] ?? -1]
  return { instructions, at }
}
