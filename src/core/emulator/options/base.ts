// The profile of Base.

import { DEFAULT_STACK } from '../../rollup/stacks.ts'
import { asRecord, oneOf } from '../../rpc/codecs/basic.ts'
import { decodeOptions } from '../checks.ts'
import type { EmulatorOptions } from './options.ts'

/** A part of the options, which may be absent; its fields are checked when a chain is created. */
function partOf<Part extends object>(value: Part | undefined, path: string): Partial<Part> {
  return value === undefined ? {} : { ...(asRecord(value, path) as Part) }
}

const BASE_FORKS = ['jovian', 'azul', 'beryl', 'cobalt', 'denim'] as const

export type BaseFork = (typeof BASE_FORKS)[number]

/** Options of `base`. */
export interface BaseOptions extends Omit<EmulatorOptions, 'fork'> {
  /** The fork of Base from genesis on, 'jovian', 'azul', 'beryl', 'cobalt' or 'denim'; or as in `EmulatorOptions`. Default 'jovian'. */
  readonly fork?: BaseFork | NonNullable<EmulatorOptions['fork']>
}

function merge(options: BaseOptions): EmulatorOptions {
  const { genesis, rollup, fork: asked, ...rest } = partOf(options, '')
  const given = partOf(rollup, 'rollup')
  const isNamed = typeof asked === 'string'
  return {
    chainId: 8453,
    blockTimeMs: 2000,
    partialBlockTimeMs: 200,
    ...rest,
    ...(isNamed || asked === undefined ? {} : { fork: asked }),
    genesis: { gasLimit: 400_000_000, baseFeePerGas: 5_000_000, ...partOf(genesis, 'genesis') },
    rollup: {
      stack: DEFAULT_STACK,
      fork: isNamed ? oneOf(BASE_FORKS).decode(asked, 'fork') : 'jovian',
      eip1559: { denominator: 250, elasticity: 6 },
      ...given,
      systemConfig: {
        baseFeeScalar: 2269,
        blobBaseFeeScalar: 1_055_762,
        minBaseFee: 5_000_000,
        ...partOf(given.systemConfig, 'rollup.systemConfig'),
      },
      l1: { chainId: 1, ...partOf(given.l1, 'rollup.l1') },
    },
  }
}

/**
 * The options of a chain with Base's parameters: chain id 8453, blocks of 2 s and partial blocks of 200 ms, a gas limit of 400 million, base fee parameters 250 and 6 with at least 5,000,000 wei, and L1 data fee scalars
 * 2269 and 1055762. Given options win; parts of `genesis` and `rollup` are added one by one.
 *
 * @param options Further options, or others.
 * @throws TickchainError `invalidOption` if they are no object, or their parts are none
 * @example
 * const chain = await createEmulator(base())
 * chain.settings.chainId // => 8453
 */
export function base(options: BaseOptions = {}): EmulatorOptions {
  return decodeOptions(() => merge(options))
}
