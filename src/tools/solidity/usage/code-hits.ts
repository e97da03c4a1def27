// From executed instructions to what they are of: statements, branches and functions.

import { bytesToBigInt } from '../../../core/primitives/hex.ts'
import { countWhile } from '../../../core/primitives/numbers.ts'
import { type CodeMap, type Instruction, JUMPI, pushedBytes } from '../model/code-map.ts'
import type { CompiledContract } from '../model/contract.ts'
import { containsRange, functionAround, type SourceFile, type SourceRange } from '../model/source.ts'
import type { JumpBranch, SourceItems } from './source-items.ts'

/** Counts of the items of a file, in their order. */
export type Hits = ReturnType<typeof noHits>

export function noHits({ statements, branches, functions }: SourceItems) {
  return {
    statements: statements.map(() => 0),
    /** `undefined` for a branch whose jump is in no code that is known. */
    branches: branches.map((): number[] | undefined => undefined),
    functions: functions.map(() => 0),
  }
}

export type Tally = ReadonlyMap<SourceFile, { readonly items: SourceItems; readonly hits: Hits }>

export interface ExecutedCode {
  readonly map: CodeMap
  readonly counts: Uint32Array
  readonly compiler: CompiledContract['compiler']
}

const JUMPDEST = 0x5b
/** STOP, JUMP, JUMPI, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS: ReadonlySet<number> = new Set([0x00, 0x56, JUMPI, 0xf3, 0xfd, 0xfe, 0xff])

/** Runs of instructions of one item: the compiler may have put its code in several places, as with modifiers. */
interface Runs {
  readonly first: Instruction
  /** The sum of all runs that begin as the first does. */
  readonly hits: number
  /** The most of any run. */
  readonly most: number
}

function createRunCounter<Item extends object>({ counts }: ExecutedCode) {
  const runs = new Map<Item, Runs>()
  let last: Item | undefined
  return {
    runs,
    next(item: Item | undefined, instruction: Instruction): void {
      if (item === last) return
      last = item
      if (item === undefined) return
      const times = counts[instruction.pc] ?? 0
      const known = runs.get(item)
      const { first, hits, most } = known ?? { first: instruction, hits: 0, most: 0 }
      const isAlike = first.location === instruction.location && first.opcode === instruction.opcode
      runs.set(item, { first, hits: isAlike ? hits + times : hits, most: Math.max(most, times) })
    },
  }
}

/** Finds the statement of a place: its position, and its range by which it is counted. */
function statementFinder(tally: Tally) {
  type Anchored = { readonly anchor: SourceRange; readonly index: number }
  const sorted = new Map<SourceFile, readonly Anchored[]>()
  return (range: SourceRange): Anchored | undefined => {
    const { statements } = tally.get(range.file)?.items ?? { statements: [] }
    const anchors =
      sorted.get(range.file) ??
      statements
        .map(({ anchor }, index) => ({ anchor, index }))
        .sort((a, b) => a.anchor.start - b.anchor.start)
    sorted.set(range.file, anchors)
    const isBefore = (at: number): boolean => (anchors[at] as Anchored).anchor.start <= range.start
    const before = anchors[countWhile(anchors.length, isBefore) - 1]
    return before !== undefined && containsRange(before.anchor, range) ? before : undefined
  }
}

function destinationOf({ map }: ExecutedCode, bytes: Uint8Array, before: Instruction | undefined) {
  const length = before === undefined ? 0 : pushedBytes(before.opcode)
  if (before === undefined || length === 0) return undefined
  const pushed = bytes.subarray(before.pc + 1, before.pc + 1 + length)
  return map.at(Number(bytesToBigInt(pushed)))
}

/** The arm that the code from an instruction on belongs to, as far as its places say. */
function armAt({ map }: ExecutedCode, from: Instruction | undefined, arms: readonly SourceRange[]) {
  if (from === undefined) return undefined
  for (const { location, opcode } of map.instructions.slice(map.instructions.indexOf(from))) {
    const arm = location === undefined ? -1 : arms.findIndex((each) => containsRange(each, location))
    if (arm >= 0) return arm
    if (ENDS.has(opcode)) return undefined
  }
  return undefined
}

function armsOf(
  code: ExecutedCode,
  bytes: Uint8Array,
  branch: JumpBranch,
  position: number,
): [number, number] {
  const { map, counts, compiler } = code
  const jump = map.instructions[position] as Instruction
  const next = map.instructions[position + 1]
  const target = destinationOf(code, bytes, map.instructions[position - 1])
  const total = counts[jump.pc] ?? 0
  const of = (instruction: Instruction | undefined): number =>
    instruction === undefined ? 0 : Math.min(counts[instruction.pc] ?? 0, total)
  const stayed = next?.opcode === JUMPDEST ? total - of(target) : of(next)
  const jumped = total - stayed
  const isPlain = compiler.isViaIr !== true && compiler.isOptimized !== true
  const { type, arms, location } = branch
  if (type === 'loop')
    return target !== undefined && target.pc < jump.pc ? [jumped, stayed] : [stayed, jumped]
  if (type === 'require') return [jumped, stayed]
  // Without `else`, the second arm is no evidence.
  const known = type === 'binary-expr' ? arms.slice(1) : arms.filter((arm) => arm !== location)
  const staying = isPlain ? undefined : armAt(code, next, known)
  const jumping = isPlain ? undefined : armAt(code, target, known)
  if (type === 'binary-expr') return [total, jumping !== undefined && staying === undefined ? jumped : stayed]
  const isReversed = staying === 1 || (staying === undefined && jumping === 0)
  const isKnown = staying !== undefined || jumping !== undefined
  if (type === 'cond-expr' && !isKnown) return [jumped, stayed]
  return isReversed ? [jumped, stayed] : [stayed, jumped]
}

/** Adds up branches by their jumps: the first jump in each copy of a branch decides. */
function countBranches(code: ExecutedCode, bytes: Uint8Array, tally: Tally): void {
  const byPlace = new Map<SourceRange, { readonly file: SourceFile; readonly index: number }>()
  for (const [file, { items }] of tally) {
    for (const preferred of [0, 1]) {
      items.branches.forEach((branch, index) => {
        const place = branch.type === 'try' ? undefined : branch.places[preferred]
        if (place !== undefined && !byPlace.has(place)) byPlace.set(place, { file, index })
      })
    }
  }
  const open = new Set<SourceRange>()
  for (const [position, { opcode, location }] of code.map.instructions.entries()) {
    if (location === undefined) continue
    for (const place of open) if (!containsRange(place, location)) open.delete(place)
    const found = opcode === JUMPI ? byPlace.get(location) : undefined
    if (found === undefined || open.has(location)) continue
    const { items, hits } = tally.get(found.file) as { items: SourceItems; hits: Hits }
    const branch = items.branches[found.index] as JumpBranch
    open.add(location)
    const [first, second] = armsOf(code, bytes, branch, position)
    const before = hits.branches[found.index] ?? [0, 0]
    hits.branches[found.index] = [(before[0] ?? 0) + first, (before[1] ?? 0) + second]
  }
}

/** Functions by the jumps into them; those that are in line by where their code begins. */
function countFunctions(code: ExecutedCode, bytes: Uint8Array, tally: Tally): void {
  const { map, counts } = code
  const entries = new Map<object, Set<number>>()
  const counter = createRunCounter<object>(code)
  for (const [position, instruction] of map.instructions.entries()) {
    const { location, jump } = instruction
    if (location !== undefined) counter.next(functionAround(location), instruction)
    if (jump !== 'into') continue
    const entry = destinationOf(code, bytes, map.instructions[position - 1])
    const entered = entry?.location === undefined ? undefined : functionAround(entry.location)
    if (entry === undefined || entered === undefined || entered.location !== entry.location) continue
    entries.set(entered, (entries.get(entered) ?? new Set()).add(entry.pc))
  }
  for (const { items, hits } of tally.values()) {
    for (const [index, each] of items.functions.entries()) {
      const run = counter.runs.get(each)
      const places = entries.get(each)
      const times =
        places === undefined
          ? run?.hits || run?.most || 0
          : [...places].reduce((sum, pc) => sum + (counts[pc] ?? 0), 0)
      hits.functions[index] = (hits.functions[index] ?? 0) + times
    }
  }
}

export function addHits(code: ExecutedCode, bytes: Uint8Array, tally: Tally): void {
  const find = statementFinder(tally)
  const counter = createRunCounter<NonNullable<ReturnType<typeof find>>>(code)
  for (const instruction of code.map.instructions)
    if (instruction.location !== undefined) counter.next(find(instruction.location), instruction)
  for (const [{ anchor, index }, { hits, most }] of counter.runs) {
    const { statements } = (tally.get(anchor.file) as { hits: Hits }).hits
    statements[index] = (statements[index] ?? 0) + (hits || most)
  }
  countBranches(code, bytes, tally)
  countFunctions(code, bytes, tally)
}
