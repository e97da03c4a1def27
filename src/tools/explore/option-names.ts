// The options of each way of exploring. One that belongs to another way is refused with its name.

import { option } from '../../core/emulator/checks.ts'
import { failure } from '../../core/primitives/errors.ts'
import { asFields, asRecord, type Fields, identityCodec, oneOf } from '../../core/rpc/codecs/basic.ts'
import { type Codec, numberFrom } from '../../core/rpc/codecs/codec.ts'
import { aCorpus } from './kept.ts'
import type { PartOptions, SaveOptions } from './part-options.ts'
import { readShard } from './parts.ts'
import { environmentOf } from './strays.ts'

const PART = ['seconds', 'until', 'shard', 'report', 'progress', 'save'] as const
const SCENE = ['world', 'run', 'invariants', 'eventually', 'limitMs'] as const

const NAMES = {
  explore: [
    ...(['actions', 'adversary', 'runs', 'depth', 'seed', 'reorgDepth', 'shrinks', 'corpus'] as const),
    ...([...SCENE, ...PART] as const),
  ],
  exploreAll: [...SCENE, 'script', 'adversary', 'events', 'digest', 'reorgDepth', 'states', ...PART],
  exploreContracts: [
    ...(['contracts', 'test', 'failOnRevert', 'invariants', 'senders', 'runs', 'depth', 'seed'] as const),
    ...(['maximize', 'searches', 'longestWait', 'limitMs', 'shrinks', 'corpus', ...PART] as const),
  ],
  exploreModule: [
    ...(['workers', 'seconds', 'shard', 'report', 'save', 'corpus', 'progress', 'output'] as const),
    ...(['silenceMs', 'memoryMb', 'execArgv'] as const),
  ],
} as const

type Names = typeof NAMES

/** A seed, and the real milliseconds of a limit. */
export const seed = numberFrom(0, 2 ** 31 - 1)
const limit = numberFrom(1, 2 ** 31 - 1)
/** Timers take no more. */
export const seconds = numberFrom(1, 2_000_000)
const DEFAULT_SECONDS = 10
const SECONDS = 'TICKCHAIN_EXPLORE_SECONDS'

export const aFunction = identityCodec(
  'a function',
  (value): value is () => unknown => typeof value === 'function',
)

export const functionsByName: Codec<Readonly<Record<string, (...args: never[]) => unknown>>> = {
  name: 'functions',
  decode(value, path) {
    const functions = asRecord(value, path)
    for (const [key, each] of Object.entries(functions)) aFunction.decode(each, `${path}.${key}`)
    return functions as Record<string, () => unknown>
  },
}

/** The options of a way of exploring, of which `replay` has two; refuses those of others. For use within `decodeOptions`. */
export function fieldsOf<Name extends keyof Names>(call: Name | 'replay', options: unknown) {
  // A worker adds its runner.
  const { runner, ...given } = asRecord(options, '')
  const own: readonly string[] = call === 'replay' ? [...NAMES.explore, ...NAMES.exploreAll] : NAMES[call]
  for (const option of Object.keys(given)) {
    const [other] = Object.entries<readonly string[]>(NAMES).find(([, names]) => names.includes(option)) ?? []
    if (own.includes(option) || other === undefined) continue
    throw failure('invalidOption', { option, reason: `it is an option of ${other}, not of ${call}` })
  }
  const fields = asFields(given, '', own)
  return (runner === undefined ? fields : { ...fields, runner }) as Fields<Names[Name][number] | 'runner'>
}

/** The options that all ways of exploring share, decoded; to be called within `decodeOptions`. */
export function partOptionsOf(fields: Fields<(typeof PART)[number] | 'limitMs' | 'corpus' | 'runner'>) {
  for (const name of ['save', 'report', 'progress'] as const) option(fields, name, aFunction, undefined)
  const { save, report, progress, runner } = fields as SaveOptions & PartOptions
  return {
    shard: readShard(fields.shard),
    seconds: option(fields, 'seconds', seconds, undefined),
    until: option(fields, 'until', oneOf(['first', 'end']), 'first'),
    limitMs: option(fields, 'limitMs', limit, 10_000),
    corpus: option(fields, 'corpus', aCorpus, undefined),
    report,
    progress,
    runner,
    // A runner saves the failures that are told of all parts.
    save: runner === undefined ? save : undefined,
  }
}

/** How long random runs go on: so many, or so long. By default ten seconds, or those of the environment, such as in CI. */
export function runBudgetOf(fields: Fields<'runs' | 'seconds'>) {
  const runs = option(fields, 'runs', numberFrom(1), undefined)
  const given = option(fields, 'seconds', seconds, undefined)
  if (runs !== undefined || given !== undefined) return { runs: runs ?? Infinity, seconds: given }
  const set = environmentOf(SECONDS)
  const byDefault =
    set === undefined ? DEFAULT_SECONDS : seconds.decode(/^\d+$/.test(set) ? Number(set) : set, SECONDS)
  return { runs: Infinity, seconds: byDefault }
}
