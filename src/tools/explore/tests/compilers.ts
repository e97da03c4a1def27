// The compilers of a project: each file is compiled by the newest one that its pragmas and those of all its imports allow.

import { EVM_VERSIONS } from '../../cheatcodes/versions.ts'
import { type JsonObject, objectOf, textIn } from '../../solidity/artifacts/json.ts'
import { versionNumber } from '../../solidity/model/contract.ts'
import { hitsPath } from './patterns.ts'
import type { ProjectSettings } from './settings.ts'
import { closureOf, type Solc, type SourceSet, withoutComments } from './sources.ts'

/** The version of a compiler, such as `0.8.28`. */
export function versionOf(solc: Solc): string {
  return /\d+\.\d+\.\d+/.exec(solc.version())?.[0] ?? solc.version()
}

const PRAGMA = /\bpragma\s+solidity\b([^;]*);/g
const RANGE = /([\w.*]+)\s+-\s+([\w.*]+)/g
const COMPARISON = /(<=|>=|[<>=^~])?\s*(\d+|\*)(?:\.(\d+|[*xX]))?(?:\.(\d+|[*xX]))?/g

/** True if a comparison such as `^0.8.20` holds, as solc decides it: only the numbers that it names are compared. */
function holds([, operator = '=', ...wanted]: RegExpMatchArray, version: readonly number[]): boolean {
  const named = wanted.filter((part) => part !== undefined)
  const difference = (count: number): number =>
    named
      .slice(0, count)
      .map((part, index) => (version[index] as number) - Number(part))
      // Of a part that may be any there is no difference.
      .find((each) => each !== 0 && !Number.isNaN(each)) ?? 0
  const all = difference(3)
  if (operator === '^') return all >= 0 && difference(named[0] === '0' && named.length > 1 ? 2 : 1) === 0
  if (operator === '~') return all >= 0 && difference(named.length > 1 ? 2 : 1) === 0
  return (
    (operator.includes('=') && all === 0) ||
    (/[<>]/.test(operator) && (operator[0] === '<' ? all < 0 : all > 0))
  )
}

/** True if a pragma such as `>=0.8.0 <0.9.0 || ^0.7.6` allows a version. */
export function isAllowed(pragma: string, version: string): boolean {
  const numbers = version.split('.').map(Number)
  return pragma
    .replace(RANGE, '>=$1 <=$2')
    .split('||')
    .some((part) => [...part.matchAll(COMPARISON)].every((each) => holds(each, numbers)))
}

/** A rule of a file that does not allow a version, such as a pragma. */
interface Refusal {
  readonly version: string
  readonly file: string
  readonly rule: string
  readonly line: number
}

/** The versions that the pragmas of a file, or its restrictions, do not allow. */
function refusalsIn(
  file: string,
  source: string,
  restrictions: readonly JsonObject[],
  versions: readonly string[],
): Refusal[] {
  const code = withoutComments(source)
  const pragmas = [...code.matchAll(PRAGMA)].map(({ index, 1: text = '' }) => {
    const range = text.trim().replace(/\s+/g, ' ')
    return { range, rule: `pragma solidity ${range}`, line: code.slice(0, index).split('\n').length }
  })
  const restricted = restrictions.flatMap((each) => {
    const range = textIn(each, 'version')
    return range === undefined ? [] : [{ range, rule: `the restriction to version ${range}`, line: 1 }]
  })
  return versions.flatMap((version) => {
    const first = [...pragmas, ...restricted].find(({ range }) => !isAllowed(range, version))
    return first === undefined ? [] : [{ version, file, rule: first.rule, line: first.line }]
  })
}

/** Names the rules that leave no compiler, and the place of the first. */
function refusedWords(refusals: readonly Refusal[]): string {
  const byRule = new Map<string, string[]>()
  for (const { version, file, rule } of refusals) {
    const key = `${rule} of ${file}`
    byRule.set(key, [...(byRule.get(key) ?? []), version])
  }
  const reasons = [...byRule].map(([key, versions]) => `${key} does not allow ${versions.join(' and ')}`)
  const { file, line } = refusals[0] as Refusal
  return `no compiler of the option solc can compile it: ${reasons.join(', ')}\n --> ${file}:${line}:1:`
}

/** The settings of a project, and those with each of its additional profiles, in forge's order. */
function profilesOf(settings: ProjectSettings): ProjectSettings[] {
  const more = settings.additional_compiler_profiles.map(objectOf)
  more.sort((a, b) => (`${a['name']}` < `${b['name']}` ? -1 : 1))
  return [settings].concat(
    more.map(({ name: _, ...own }) => {
      // As in forge, runs mean the optimizer.
      const changes = own['optimizer_runs'] === undefined ? own : { optimizer: true, ...own }
      return { ...settings, ...changes, given: new Set([...settings.given, ...Object.keys(changes)]) }
    }),
  )
}

const EVM_ORDER = [...EVM_VERSIONS]

/** True for settings that one of `compilation_restrictions` allows. */
function meets(settings: ProjectSettings, restriction: JsonObject): boolean {
  const isEqual = (key: 'via_ir' | 'bytecode_hash') =>
    [undefined, settings[key]].includes(restriction[key] as never)
  const isWithin = (key: 'optimizer_runs' | 'evm_version', orderOf: (value: unknown) => number) => {
    const { [key]: exact, [`min_${key}`]: least = exact, [`max_${key}`]: most = exact } = restriction
    const value = orderOf(settings[key])
    return (least === undefined || orderOf(least) <= value) && (most === undefined || value <= orderOf(most))
  }
  return (
    isEqual('via_ir') &&
    isEqual('bytecode_hash') &&
    isWithin('optimizer_runs', Number) &&
    isWithin('evm_version', (value) => EVM_ORDER.indexOf(`${value}`))
  )
}

/** Files that are compiled together. */
export interface CompilerChoice {
  readonly solc: Solc
  readonly settings: ProjectSettings
}

/**
 * The compiler and the settings of each file, or why it has none. A compiler that is alone compiles all: it says itself what it
 * refuses.
 */
export function chooseCompilers(set: SourceSet, compilers: readonly Solc[], settings: ProjectSettings) {
  const chosen = new Map<string, CompilerChoice>()
  const failures = new Map<string, string>()
  const profiles = profilesOf(settings)
  const choices = compilers
    .map((solc) => ({
      version: versionOf(solc),
      choices: profiles.map((each) => ({ solc, settings: each })),
    }))
    .sort((a, b) => (versionNumber(b.version) ?? 0) - (versionNumber(a.version) ?? 0))
  const versions = compilers.length === 1 ? [] : choices.map(({ version }) => version)
  const restrictions = settings.compilation_restrictions.map(objectOf)
  const rules = new Map(
    [...set.contents].map(([name, text]) => {
      const own = restrictions.filter(({ paths }) => hitsPath(`${paths}`, name))
      return [name, { own, refused: refusalsIn(name, text, own, versions) }]
    }),
  )
  for (const name of set.contents.keys()) {
    const closure = closureOf(set, [name]).flatMap((each) => rules.get(each) ?? [])
    const refused = closure.flatMap((each) => each.refused)
    const refusals = choices.map(({ version }) => refused.find((each) => each.version === version))
    const profile = profiles.findIndex((each) =>
      closure.every(({ own }) => own.every((one) => meets(each, one))),
    )
    const ofVersion = choices[refusals.indexOf(undefined)]?.choices
    const choice = ofVersion?.[profile]
    if (choice !== undefined) chosen.set(name, choice)
    else if (ofVersion === undefined) failures.set(name, refusedWords(refusals as Refusal[]))
    else failures.set(name, `Missing profile satisfying settings restrictions for ${name}\n --> ${name}:1:1:`)
  }
  return { chosen, failures, choices: choices.flatMap((each) => each.choices) }
}
