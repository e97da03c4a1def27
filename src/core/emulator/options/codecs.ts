// Codecs of single options.

import type { StopSignal } from '../../fork/upstream.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import {
  type HardforkName,
  hardforkNamed,
  SELECTABLE_HARDFORKS,
  type SelectableHardfork,
} from '../../rollup/hardforks.ts'
import { PREDEPLOYS, type Predeploy } from '../../rollup/predeploys.ts'
import { identityCodec, oneOf } from '../../rpc/codecs/basic.ts'
import { type Codec, refuseValue } from '../../rpc/codecs/codec.ts'
import { amountUpTo, numberFrom } from '../../rpc/codecs/numbers.ts'

/** A time in milliseconds, up to a day. */
export const period = numberFrom(1, 86_400_000)

export const seedText = identityCodec(
  'a whole number or a string',
  (value): value is number | string => typeof value === 'string' || Number.isSafeInteger(value),
)

export const prefix = identityCodec(
  'lower-case letters and digits',
  (value): value is string => typeof value === 'string' && /^[a-z][a-z0-9]*$/.test(value),
)

/** An origin as browsers send it: scheme, host and a port that is not the scheme's own. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@A-Z]+$/

/** A list of texts of one form, or `'*'` for all. */
function allOrListed(name: string, form: RegExp, example: string): Codec<'*' | readonly string[]> {
  return {
    name,
    decode(value, path) {
      if (value === '*') return value
      const expected = `'*' or an array of ${name}, such as ${example}`
      if (!Array.isArray(value)) refuseValue(path, expected, value)
      const wrong = value.findIndex((each) => typeof each !== 'string' || !form.test(each))
      return wrong === -1 ? [...value] : refuseValue(path, expected, value[wrong])
    },
  }
}

export const origins = allOrListed('origins', ORIGIN, 'http://localhost:5173')

/** The name of a host, without a port. */
export const hosts = allOrListed('host names', /^[^\s/?#@:A-Z*]+$/, 'host.docker.internal')

export const hardfork: Codec<SelectableHardfork, HardforkName> = {
  name: 'hardfork',
  decode: (value, path) => oneOf(SELECTABLE_HARDFORKS).decode(hardforkNamed(value), path),
}

export const predeployNames: Codec<readonly Predeploy[]> = {
  name: 'predeploys',
  decode(value, path) {
    const known = `an array of ${PREDEPLOYS.join(', ')}`
    if (!Array.isArray(value)) refuseValue(path, known, value)
    const unknown = value.findIndex((name) => !PREDEPLOYS.includes(name))
    if (unknown !== -1) refuseValue(path, known, value[unknown])
    return [...new Set<Predeploy>(value)]
  },
}

const blocksKept = identityCodec(
  `'all' or a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
  (value): value is number | 'all' =>
    value === 'all' || (Number.isSafeInteger(value) && (value as number) >= 1),
)

/** The number of blocks whose state is kept; infinite for all. */
export const stateHistory: Codec<number> = {
  name: blocksKept.name,
  decode(value, path) {
    const kept = blocksKept.decode(value, path)
    return kept === 'all' ? Number.POSITIVE_INFINITY : kept
  },
}

/** The gas limit of a request without one; `undefined` for an estimate. */
export const defaultGasLimit: Codec<bigint | undefined> = {
  name: 'gas limit',
  decode: (value, path) => (value === 'estimate' ? undefined : amountUpTo(MAX_UINT64).decode(value, path)),
}

export const stopSignal = identityCodec('an AbortSignal', (value): value is StopSignal => {
  const { aborted, addEventListener } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof aborted === 'boolean' && typeof addEventListener === 'function'
})
