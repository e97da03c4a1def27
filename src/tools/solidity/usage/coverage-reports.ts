// Coverage for tools: lcov (man geninfo) and Istanbul's JSON (coverage-final.json).

import { bytesToText, utf8ToBytes } from '../../../core/primitives/hex.ts'
import type { SourceFile, SourceRange } from '../model/source.ts'
import type { FileCoverage, SourceCoverage } from './coverage.ts'

export type PathOf = (file: SourceFile) => string

function lineOf(file: SourceFile, offset: number): number {
  return file.lineAt(offset) ?? 1
}

function lcovOf({ file, functions, branches, lines }: FileCoverage, pathOf: PathOf): string {
  const arms = branches.flatMap(({ location, arms }, block) => {
    const isReached = arms.some(({ hits }) => hits > 0)
    return arms.map(({ hits }, arm) => ({ line: lineOf(file, location.start), block, arm, hits, isReached }))
  })
  const sorted = [...lines].sort(([a], [b]) => a - b)
  return [
    'TN:',
    `SF:${pathOf(file)}`,
    ...functions.map(({ name, location }) => `FN:${lineOf(file, location.start)},${name}`),
    ...functions.map(({ name, hits }) => `FNDA:${hits},${name}`),
    `FNF:${functions.length}`,
    `FNH:${functions.filter(({ hits }) => hits > 0).length}`,
    ...arms.map((each) => `BRDA:${each.line},${each.block},${each.arm},${each.isReached ? each.hits : '-'}`),
    `BRF:${arms.length}`,
    `BRH:${arms.filter(({ hits }) => hits > 0).length}`,
    ...sorted.map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${sorted.length}`,
    `LH:${sorted.filter(([, hits]) => hits > 0).length}`,
    'end_of_record\n',
  ].join('\n')
}

export function toLcov({ files }: SourceCoverage, pathOf: PathOf): string {
  return files.map((file) => lcovOf(file, pathOf)).join('')
}

const LINE_FEED = 0x0a

/** Finds positions in a file, with columns from 0 on in UTF-16 units: the compiler counts bytes. */
function positionFinder(file: SourceFile) {
  const bytes = utf8ToBytes(file.content ?? '')
  const at = (offset: number) => {
    const start = offset === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, offset - 1) + 1
    return { line: lineOf(file, offset), column: bytesToText(bytes.subarray(start, offset)).length }
  }
  return ({ start, end }: SourceRange) => ({ start: at(start), end: at(end) })
}

function numbered<Value>(values: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(values.map((value, index) => [`${index}`, value]))
}

function istanbulOf({ file, statements, functions, branches }: FileCoverage, path: string): object {
  const at = positionFinder(file)
  return {
    path,
    statementMap: numbered(statements.map(({ location }) => at(location))),
    s: numbered(statements.map(({ hits }) => hits)),
    fnMap: numbered(
      functions.map(({ name, location }) => {
        const loc = at(location)
        return { name, decl: loc, loc, line: loc.start.line }
      }),
    ),
    f: numbered(functions.map(({ hits }) => hits)),
    branchMap: numbered(
      branches.map(({ type, location, arms }) => {
        const loc = at(location)
        return { type, loc, locations: arms.map((arm) => at(arm.location)), line: loc.start.line }
      }),
    ),
    b: numbered(branches.map(({ arms }) => arms.map(({ hits }) => hits))),
  }
}

/** The contents of coverage-final.json. */
export function toIstanbul({ files }: SourceCoverage, pathOf: PathOf): Readonly<Record<string, object>> {
  return Object.fromEntries(files.map((each) => [pathOf(each.file), istanbulOf(each, pathOf(each.file))]))
}
