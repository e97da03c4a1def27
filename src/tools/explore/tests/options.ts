// Options of running Solidity tests, and their results.

import { anything, option } from '../../../core/emulator/checks.ts'
import { FORK_FIELDS, type ForkOptions, isUpstream } from '../../../core/emulator/options/fork.ts'
import { type EmulatorOptions, resolveOptions } from '../../../core/emulator/options/options.ts'
import type { Upstream } from '../../../core/fork/upstream.ts'
import { failure } from '../../../core/primitives/errors.ts'
import {
  asFields,
  asRecord,
  type Fields,
  fieldPath,
  identityCodec,
  text,
} from '../../../core/rpc/codecs/basic.ts'
import { type Codec, nearestName, numberFrom, refuseValue } from '../../../core/rpc/codecs/codec.ts'
import { decodeFields } from '../../../core/rpc/codecs/object.ts'
import type { WrittenCall } from '../contracts/options.ts'
import type { SourcePlace } from '../failures.ts'

/** Numbers as texts, by group and by name, as in forge's `snapshots/GROUP.json`. */
export type GasSnapshots = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A result of a test, or of a file or a contract that has none. */
export interface SolidityTestResult {
  /** The path from the root of the project. */
  readonly file: string
  /** Empty for a failure of the file. */
  readonly contract: string
  /** As forge prints it, such as `testFuzz_bound(uint256)`; `setUp()` or `constructor()` if that fails. */
  readonly test: string
  readonly status: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped. */
  readonly reason?: string
  /** Gas of the test's execution; of fuzzing, the median of its runs that pass; zero of a set-up that fails. */
  readonly gas?: number
  /** Runs of fuzzing that have passed; all runs of a table or of an invariant. */
  readonly runs?: number
  /** Gas and other values that the test has noted by `vm.snapshotValue` and the like: by group, then by name. */
  readonly snapshots?: GasSnapshots
  /** The calls that break it, as simple as was found; of a fuzz test that skips itself, the call that does. */
  readonly counterexample?: readonly WrittenCall[]
  /** Lines of console.log, and events of DSTest. */
  readonly logs: readonly string[]
  /** The calls of a failing test. */
  readonly trace?: string
  /** Lines of known sources that led to the failure, innermost first. */
  readonly places?: readonly SourcePlace[]
}

/** A chain that tests fork; the block is theirs. */
export interface TestFork extends Omit<ForkOptions, 'block' | 'upstream'> {
  /** An EIP-1193 provider, or the URL of a node. Absent or `undefined` if a recording has all that is read. */
  readonly upstream?: Upstream | string | undefined
  /** The path of a file, or any object that keeps a text. Each block that tests name has a file of its own: `main-19000000.txt` beside `main.txt`. */
  readonly recording?: NonNullable<ForkOptions['recording']>
}

const { block: _, ...OTHER_FIELDS } = FORK_FIELDS
const TEST_FORK_FIELDS = {
  ...OTHER_FIELDS,
  upstream: identityCodec(
    'the URL of a node, or an object with a function request',
    (value): value is Upstream | string => typeof value === 'string' || isUpstream(value),
  ),
  // The path of a file is opened where tests run.
  recording: anything,
} satisfies Record<keyof TestFork, Codec<unknown>>

/** Chains that tests fork, by alias or URL. */
export type TestForks = Readonly<Record<string, TestFork>>

/** The tests that are run, by parts of names or patterns; all that are given have to match. */
export interface TestMatch {
  /** Of the path of the file. */
  readonly file?: string | RegExp
  readonly contract?: string | RegExp
  /** Of the test as forge prints it, such as `testFuzz_bound(uint256)`. */
  readonly test?: string | RegExp
}

/** Options of running tests, wherever they run. */
export interface TestOptions {
  /** Tests that are run: by a part of `file:contract:test`, a pattern for it, or for its parts. Default all. */
  readonly match?: string | RegExp | TestMatch
  /** Options of `createEmulator` for the chain of the tests, such as `base()`. Default a chain like forge's. */
  readonly chain?: EmulatorOptions
  /** Runs of each fuzz test. Default those of the project, or 256. */
  readonly fuzzRuns?: number
  /** The same seed gives the same runs. Default that of the project, or 0. */
  readonly seed?: number
  /** The profile of foundry.toml. Default `default`. */
  readonly profile?: string
  /** The environment variables that tests see, such as by `vm.envUint`. Default none. */
  readonly env?: Readonly<Record<string, string>>
  /** Chains that tests may fork by `vm.createFork`, by alias or URL: an upstream or a recording. Default nothing. */
  readonly forks?: TestForks
}

/** Options of running the tests of artifacts. */
export interface TestArtifactsOptions extends TestOptions {
  /** The text of foundry.toml, for its settings of tests. */
  readonly foundryToml?: string
}

export const TEST_OPTIONS = ['match', 'chain', 'fuzzRuns', 'seed', 'profile', 'env', 'forks'] as const

function decodePattern(value: unknown, path: string): string | RegExp | undefined {
  if (value === undefined || typeof value === 'string' || value instanceof RegExp) return value
  return refuseValue(path, 'a text or a regular expression', value)
}

/** Decodes options, perhaps those of a field; throws a refusal, to be called within `decodeOptions`. */
export function decodeTestOptions(
  fields: Fields<(typeof TEST_OPTIONS)[number]>,
  field: string = '',
): TestOptions {
  const { match, chain, seed, env, forks } = fields
  for (const [name, fork] of Object.entries(asRecord(forks ?? {}, 'forks')))
    decodeFields(fork, fieldPath('forks', name), TEST_FORK_FIELDS)
  const isText = (value: unknown) => typeof value === 'string'
  if (env !== undefined && !Object.values(asRecord(env, 'env')).every(isText))
    refuseValue('env', 'texts by the names of variables', env)
  if (chain !== undefined) resolveOptions(chain, fieldPath(field, 'chain'))
  const isObject = typeof match === 'object' && match !== null && !(match instanceof RegExp)
  if (isObject) {
    const parts = asFields(match, 'match', ['file', 'contract', 'test'])
    for (const [name, value] of Object.entries(parts)) decodePattern(value, `match.${name}`)
  } else decodePattern(match, 'match')
  if (seed !== undefined && !Number.isSafeInteger(seed)) refuseValue('seed', 'an integer', seed)
  const fuzzRuns = option(fields, 'fuzzRuns', numberFrom(1), undefined)
  const profile = option(fields, 'profile', text, undefined)
  const decoded = Object.entries({ match, chain, fuzzRuns, seed, profile, env, forks })
  return Object.fromEntries(decoded.filter(([, value]) => value !== undefined))
}

function hits(pattern: string | RegExp | undefined, text: string): boolean {
  if (pattern === undefined) return true
  // A pattern with a flag g remembers where it was.
  return typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) >= 0
}

export function isMatched(match: TestOptions['match'], file: string, contract: string, test: string) {
  if (match === undefined || typeof match === 'string' || match instanceof RegExp)
    return hits(match, `${file}:${contract}:${test}`)
  return hits(match.file, file) && hits(match.contract, contract) && hits(match.test, test)
}

/** False if a file has no test that is chosen, whatever is in it. */
export function mayMatch(match: TestOptions['match'], file: string): boolean {
  return match === undefined || typeof match === 'string' || match instanceof RegExp || hits(match.file, file)
}

function patternText(match: string | RegExp | TestMatch): string {
  if (typeof match === 'string') return JSON.stringify(match)
  if (match instanceof RegExp) return `${match}`
  const parts = Object.entries(match).filter(([, part]) => part !== undefined)
  return `{ ${parts.map(([name, part]) => `${name}: ${patternText(part)}`).join(', ')} }`
}

const NAME = /[A-Za-z_$][\w$]*/g
const MOST_NAMES = 3

/**
 * Refuses a pattern that no test matches, with the nearest `file:contract:test`, or files if these were left out, and with the
 * files that were not compiled, and why: the test that is meant may be in one.
 */
export function refuseUnmatched(
  match: TestOptions['match'],
  tests: readonly string[],
  files: readonly string[],
  uncompiled: readonly (readonly [file: string, reason: string])[] = [],
): void {
  const names = tests.length > 0 ? tests : files.filter((file) => file.endsWith('.t.sol'))
  if (match === undefined || names.length === 0) return
  const wordsOf = (text: string): readonly string[] => text.match(NAME) ?? []
  const known = [...new Set(names.flatMap(wordsOf))]
  const pattern = patternText(match)
  // The names of its parts, which end with a colon, are no part of it.
  const nearest = wordsOf(pattern.replace(/\w+: /g, ''))
    .map((word) => nearestName(word, known, Math.floor(word.length / 2)))
    .filter((word) => word !== undefined)
  const near = names.filter((name) => nearest.some((word) => wordsOf(name).includes(word)))
  const shown = (near.length > 0 ? near : names).slice(0, MOST_NAMES).join(', ')
  const expected = `expected a pattern that hits one of the ${names.length} tests, such as ${shown}`
  const untested = uncompiled
    .slice(0, MOST_NAMES)
    .map(([file, reason]) => `; ${file} is not tested: ${reason.split('\n')[0]}`)
  throw failure('invalidOption', {
    option: 'match',
    reason: `${expected}, got ${pattern}${untested.join('')}`,
  })
}
