// Coverage of Solidity sources, also as lcov (man geninfo) and as Istanbul's JSON (coverage-final.json).

import { bytesToText, utf8ToBytes } from '../../../core/primitives/hex.ts'
import type { CompiledCode, CompiledContract } from '../model/contract.ts'
import { containsRange, type SourceFile, type SourceRange } from '../model/source.ts'
import { addHits, type Hits, noHits, type Tally } from './code-hits.ts'
import { type SourceBranch, type SourceItems, sourceItems } from './source-items.ts'
import type { Usage } from './usage.ts'

export type FileCoverage = ReturnType<typeof fileCoverage>
export type SourceCoverage = ReturnType<typeof coverageOf> & {
  /** The names of sources that the report leaves out. */
  readonly left?: readonly string[]
}

type CoveredBranch = Pick<SourceBranch, 'type' | 'location'> & {
  readonly arms: readonly { readonly location: SourceRange; readonly hits: number }[]
}

/** Clauses of `try` by their first statements; an empty one has the calls that no other clause has. */
function clauseHits(items: SourceItems, hits: Hits, arms: readonly SourceRange[], location: SourceRange) {
  const firstIn = (range: SourceRange): number | undefined => {
    const index = items.statements.findIndex((each) => containsRange(range, each.location))
    return index < 0 ? undefined : hits.statements[index]
  }
  const known = arms.map(firstIn)
  const all = hits.statements[items.statements.findIndex((each) => each.location === location)] ?? 0
  const rest = Math.max(0, all - known.reduce<number>((sum, each) => sum + (each ?? 0), 0))
  return known.map((each) => each ?? rest)
}

function branchesOf(items: SourceItems, hits: Hits): CoveredBranch[] {
  return items.branches.flatMap((branch, index): CoveredBranch[] => {
    const { type, location, arms } = branch
    const counts = type === 'try' ? clauseHits(items, hits, arms, location) : hits.branches[index]
    if (counts === undefined) return []
    return [{ type, location, arms: arms.map((arm, each) => ({ location: arm, hits: counts[each] ?? 0 })) }]
  })
}

function fileCoverage(file: SourceFile, items: SourceItems, hits: Hits) {
  /** Hits of lines on which statements or functions begin. */
  const lines = new Map<number, number>()
  const mark = ({ start }: SourceRange, times: number): void => {
    const line = file.lineAt(start)
    if (line !== undefined) lines.set(line, Math.max(lines.get(line) ?? 0, times))
  }
  const statements = items.statements.map(({ location }, at) => ({
    location,
    hits: hits.statements[at] ?? 0,
  }))
  const labels = items.functions.map(({ name, kind, contract }) => {
    const own = name === '' ? kind : name
    return contract === undefined ? own : `${contract}.${own}`
  })
  const functions = items.functions.map(({ location }, index) => {
    const label = labels[index] as string
    const isOverloaded = labels.indexOf(label) !== labels.lastIndexOf(label)
    const earlier = labels.slice(0, index).filter((each) => each === label).length
    // With the number of the overload if there are several.
    const name = isOverloaded ? `${label}.${earlier}` : label
    return { name, location, hits: hits.functions[index] ?? 0 }
  })
  for (const { location, hits: times } of [...statements, ...functions]) mark(location, times)
  return { file, statements, functions, branches: branchesOf(items, hits), lines }
}

function addUp(into: Hits, from: Hits): void {
  for (const items of ['statements', 'functions'] as const)
    for (const [index, hits] of from[items].entries()) into[items][index] = (into[items][index] ?? 0) + hits
  from.branches.forEach((arms, index) => {
    const sums = into.branches[index] ?? arms?.map(() => 0)
    into.branches[index] = sums?.map((sum, arm) => sum + (arms?.[arm] ?? 0))
  })
}

function tallyOf(contracts: readonly CompiledContract[]): Tally {
  const tally = new Map<SourceFile, { readonly items: SourceItems; readonly hits: Hits }>()
  for (const { sources } of contracts) {
    for (const file of sources.values()) {
      if (tally.has(file) || file.ast === undefined) continue
      const items = sourceItems(file)
      tally.set(file, { items, hits: noHits(items) })
    }
  }
  return tally
}

function addCode(
  tally: Tally,
  { compiler }: CompiledContract,
  code?: CompiledCode,
  counts?: Uint32Array,
): boolean {
  const map = code?.map()
  if (code !== undefined && map !== undefined)
    addHits({ map, compiler, counts: counts ?? new Uint32Array(0) }, code.bytes, tally)
  return code === undefined || map !== undefined || counts === undefined
}

/** The files of several compilations, joined where they are the same. */
function joinFiles(tally: Tally): FileCoverage[] {
  const byText = new Map<string, Map<string, { file: SourceFile; items: SourceItems; hits: Hits }>>()
  for (const [file, { items, hits }] of tally) {
    const versions = byText.get(file.name) ?? new Map()
    byText.set(file.name, versions)
    const key = file.content ?? ''
    const known = versions.get(key)
    if (known === undefined) versions.set(key, { file, items, hits })
    else addUp(known.hits, hits)
  }
  const ran = ({ statements }: FileCoverage) => statements.filter(({ hits }) => hits > 0).length
  return [...byText.values()].map((versions) => {
    const all = [...versions.values()].map(({ file, items, hits }) => fileCoverage(file, items, hits))
    // The version of a file of which most ran, the last of equal ones.
    return all.reduce((best, each) => (ran(each) >= ran(best) ? each : best))
  })
}

/** The coverage of a usage, of all files with code; those that nothing ran of have zeros. */
export function coverageOf(contracts: readonly CompiledContract[], usage: Usage) {
  const tally = tallyOf(contracts)
  /** Contracts that ran without a source map or a syntax tree: `file:name`. */
  const unmapped: string[] = []
  for (const [number, contract] of contracts.entries()) {
    const used = usage.get(number)
    const isMapped =
      addCode(tally, contract, contract.creation, used?.creation) &&
      addCode(tally, contract, contract.deployed, used?.deployed) &&
      contract.location !== undefined
    if (used !== undefined && !isMapped) unmapped.push(`${contract.file}:${contract.name}`)
  }
  const files = joinFiles(tally)
    .filter(({ statements, functions }) => statements.length + functions.length > 0)
    .sort((a, b) => (a.file.name < b.file.name ? -1 : 1))
  /** True if contracts were compiled with the optimizer or through the IR, whose source maps say less. */
  const isOptimized = contracts.some(({ compiler }) => compiler.isOptimized || compiler.isViaIr)
  return { files, isOptimized, unmapped }
}

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
