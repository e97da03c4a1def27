// The options of each way of exploring. One that belongs to another way is refused with its name.

import { option } from '../../core/emulator/checks.ts'
import { failure } from '../../core/primitives/errors.ts'
import { asFields, asRecord, type Fields, identityCodec } from '../../core/rpc/codecs/basic.ts'
import { numberFrom } from '../../core/rpc/codecs/codec.ts'
import { type PartOptions, readShard, type SaveOptions } from './parts.ts'

const PART = ['shard', 'report', 'progress', 'save'] as const
const SCENE = ['world', 'run', 'invariants', 'eventually', 'limitMs'] as const

const NAMES = {
  explore: [...SCENE, 'actions', 'adversary', 'runs', 'depth', 'seed', 'reorgDepth', 'shrinks', ...PART],
  exploreAll: [...SCENE, 'script', 'adversary', 'events', 'digest', 'reorgDepth', 'states', ...PART],
  exploreContracts: [
    ...(['contracts', 'test', 'failOnRevert', 'invariants', 'senders', 'runs', 'depth', 'seed'] as const),
    ...(['searches', 'longestWait', 'until', 'limitMs', 'shrinks', ...PART] as const),
  ],
  exploreModule: [
    ...(['workers', 'shard', 'report', 'save', 'progress', 'output'] as const),
    ...(['silenceMs', 'memoryMb', 'execArgv'] as const),
  ],
} as const

type Names = typeof NAMES

/** A seed, and the real milliseconds of a limit. */
export const seed = numberFrom(0, 2 ** 31 - 1)
const limit = numberFrom(1, 2 ** 31 - 1)

export const aFunction = identityCodec(
  'a function',
  (value): value is () => unknown => typeof value === 'function',
)

/**
 * The options of a way of exploring; `replay` takes those with which an application was explored, in either way. Throws
 * a refusal for one that is not there, to be called within `decodeOptions`.
 */
export function fieldsOf<Name extends keyof Names>(call: Name | 'replay', options: unknown) {
  // A worker adds its runner.
  const { runner, ...given } = asRecord(options, '')
  const own: readonly string[] = call === 'replay' ? [...NAMES.explore, ...NAMES.exploreAll] : NAMES[call]
  for (const name of Object.keys(given)) {
    if (own.includes(name)) continue
    const other = (Object.keys(NAMES) as (keyof Names)[]).find((each) =>
      (NAMES[each] as readonly string[]).includes(name),
    )
    if (other === undefined) continue
    throw failure('invalidOption', { option: name, reason: `it is an option of ${other}, not of ${call}` })
  }
  const fields = asFields(given, '', own)
  return (runner === undefined ? fields : { ...fields, runner }) as Fields<Names[Name][number] | 'runner'>
}

/** The options that all ways of exploring share, decoded; to be called within `decodeOptions`. */
export function partOptionsOf(
  fields: Fields<'shard' | 'report' | 'progress' | 'save' | 'limitMs' | 'runner'>,
) {
  for (const name of ['save', 'report', 'progress'] as const) option(fields, name, aFunction, undefined)
  const { save, report, progress, runner } = fields as SaveOptions & PartOptions
  return {
    shard: readShard(fields.shard),
    limitMs: option(fields, 'limitMs', limit, 10_000),
    ...{ report, progress, runner },
    // A runner saves the failures that are told of all parts.
    save: runner === undefined ? save : undefined,
  }
}
