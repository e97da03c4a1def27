// Source files of compiled contracts, ranges in them, and their functions. The compiler counts bytes of UTF-8.

import { utf8ToBytes } from '../../../core/primitives/hex.ts'
import { memoizeWeak } from '../../../core/primitives/lru-cache.ts'
import { countWhile } from '../../../core/primitives/numbers.ts'

/** Part of a file. Ranges of one file with the same bounds are the same object. */
export interface SourceRange {
  readonly file: SourceFile
  /** Offset of the first byte. */
  readonly start: number
  /** Offset after the last byte. */
  readonly end: number
}

export type FunctionKind =
  | 'constructor'
  | 'function'
  | 'fallback'
  | 'receive'
  /** A public variable's. */
  | 'getter'
  | 'modifier'
  /** Outside of contracts. */
  | 'free'

/** A function with a body, a modifier or a public variable. */
export interface SolidityFunction {
  /** Empty for a constructor, a fallback and a receive function. */
  readonly name: string
  readonly kind: FunctionKind
  /** `undefined` for modifiers. */
  readonly visibility: 'private' | 'internal' | 'public' | 'external' | undefined
  readonly isPayable: boolean
  /** The contract that declares it; `undefined` for a free function. */
  readonly contract: string | undefined
  readonly location: SourceRange
}

export interface SourceFile {
  /** The name by which its project knows it. */
  readonly name: string
  /** `undefined` if the artifacts do not have it. */
  readonly content: string | undefined
  /** The compiler's syntax tree, as it is in the artifacts; `undefined` if they have none. */
  readonly ast: unknown
  /** Functions, modifiers and public variables with a body, in the order of the file. */
  readonly functions: SolidityFunction[]
  readonly rangeAt: (start: number, length: number) => SourceRange
  /** The number of the line with a byte, from 1 on; `undefined` without the content. */
  readonly lineAt: (offset: number) => number | undefined
}

const LINE_FEED = 0x0a

/** Offset of the first byte of each line. */
function lineStarts(content: string): number[] {
  const starts = [0]
  const bytes = utf8ToBytes(content)
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) starts.push(at + 1)
  return starts
}

export function sourceFile(name: string, content: string | undefined, ast: unknown): SourceFile {
  const ranges = new Map<string, SourceRange>()
  let starts: number[] | undefined
  const file: SourceFile = {
    name,
    content,
    ast,
    functions: [],
    rangeAt(start, length) {
      const key = `${start}:${length}`
      const range = ranges.get(key) ?? { file, start, end: start + length }
      ranges.set(key, range)
      return range
    },
    lineAt(offset) {
      if (content === undefined) return undefined
      starts ??= lineStarts(content)
      const all = starts
      return countWhile(all.length, (line) => (all[line] as number) <= offset)
    },
  }
  return file
}

export function lineOf({ file, start }: SourceRange): number | undefined {
  return file.lineAt(start)
}

export function containsRange(outer: SourceRange, inner: SourceRange): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end
}

const findAround = memoizeWeak((range: SourceRange) => {
  return { found: range.file.functions.find(({ location }) => containsRange(location, range)) }
})

/** The function, modifier or public variable that a range is in. */
export function functionAround(range: SourceRange): SolidityFunction | undefined {
  return findAround(range).found
}
