// The option `fork`: the block of another chain to begin at.

import type { ForkSelector } from '../../fork/fork.ts'
import type { Upstream } from '../../fork/upstream.ts'
import { type Hex, isHexBytes } from '../../primitives/hex.ts'
import { asFields, identityCodec } from '../../rpc/codecs/basic.ts'
import { type Codec, refuseValue } from '../../rpc/codecs/codec.ts'
import { type Amount, anyAmount, numberFrom } from '../../rpc/codecs/numbers.ts'
import { option } from '../checks.ts'

/** A block of another chain to begin at. */
export interface ForkOptions {
  /**
   * The chain to fork: an EIP-1193 provider, or any object with its `request`, such as a viem client or another
   * emulator.
   */
  readonly upstream: Upstream
  /** The number or hash of the block, or 'latest', 'safe', 'finalized' or 'earliest'. Default 'latest'. */
  readonly block?: Amount | Hex | 'latest' | 'safe' | 'finalized' | 'earliest'
  /** The most requests that are under way at a time, up to 1000. Default 16. */
  readonly concurrency?: number
}

const upstream: Codec<Upstream> = identityCodec(
  'an object with a function request, as of EIP-1193',
  (value): value is Upstream =>
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Readonly<Record<string, unknown>>)['request'] === 'function',
)

const TAGS: ReadonlySet<unknown> = new Set(['latest', 'safe', 'finalized', 'earliest'])

const selector: Codec<ForkSelector> = {
  name: 'block',
  decode(value, path) {
    if (TAGS.has(value) || isHexBytes(value, 32)) return value as ForkSelector
    const number = anyAmount.decode(value, path)
    if (number > MOST_NUMBER) refuseValue(path, `a number up to ${MOST_NUMBER}, a hash, or a tag`, value)
    return Number(number)
  },
}

/** Leaves as many numbers for later blocks. */
const MOST_NUMBER = 2n ** 52n

/** Checks the option; `undefined` for a chain with a genesis of its own. */
export function resolveFork(value: unknown) {
  if (value === undefined) return undefined
  const path = 'fork'
  const fork = asFields(value, path, ['upstream', 'block', 'concurrency'])
  return {
    upstream: upstream.decode(fork.upstream, `${path}.upstream`),
    selector: option(fork, 'block', selector, 'latest' as const, path),
    concurrency: option(fork, 'concurrency', numberFrom(1, 1000), 16, path),
  }
}
