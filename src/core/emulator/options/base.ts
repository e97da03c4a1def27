// The profiles of networks of the OP stack.

import { DEFAULT_STACK } from '../../rollup/stacks.ts'
import { asRecord, oneOf } from '../../rpc/codecs/basic.ts'
import { refuseValue } from '../../rpc/codecs/codec.ts'
import { decodeOptions } from '../checks.ts'
import type { EmulatorOptions } from './options.ts'
import type { RollupOptions } from './rollup.ts'

/** A part of the options, which may be absent; its fields are checked when a chain is created. */
function partOf<Part extends object>(value: Part | undefined, path: string): Partial<Part> {
  return value === undefined ? {} : { ...(asRecord(value, path) as Part) }
}

/** The forks that a profile may have from genesis on; the last is live. */
const BASE_FORKS = ['jovian', 'azul', 'beryl', 'cobalt', 'denim'] as const
const OP_FORKS = ['jovian', 'karst'] as const

type BaseFork = (typeof BASE_FORKS)[number]

/** Options of `base`. */
export interface BaseOptions extends Omit<EmulatorOptions, 'fork'> {
  /** The fork of Base from genesis on, 'jovian', 'azul', 'beryl', 'cobalt' or 'denim'; or as in `EmulatorOptions`. Default 'denim', which is live. */
  readonly fork?: BaseFork | NonNullable<EmulatorOptions['fork']>
}

/** Options of `opMainnet` and `unichain`. */
export interface OpOptions extends Omit<EmulatorOptions, 'fork'> {
  /** The fork of the OP stack from genesis on, 'jovian' or 'karst'; or as in `EmulatorOptions`. Default 'karst', which is live. */
  readonly fork?: 'jovian' | 'karst' | NonNullable<EmulatorOptions['fork']>
}

type ForkGiven = NonNullable<RollupOptions['fork']>
type ForkName = Extract<ForkGiven, string>

function isForked({ fork }: Partial<EmulatorOptions>): boolean {
  return fork?.upstream !== undefined || fork?.recording !== undefined
}

/** The options of a network, over which those that are given win, part by part; on a fork only its times. */
function over(network: Network, options: Partial<EmulatorOptions>): EmulatorOptions {
  const { blockTimeMs, partialBlockTimeMs } = network
  if (isForked(options)) return { blockTimeMs, partialBlockTimeMs, ...options }
  const { genesis, rollup, ...rest } = options
  const given = partOf(rollup, 'rollup')
  const { genesis: ownGenesis, rollup: own, ...others } = network
  return {
    ...others,
    ...rest,
    genesis: { ...ownGenesis, ...partOf(genesis, 'genesis') },
    rollup: {
      stack: DEFAULT_STACK,
      ...own,
      ...given,
      systemConfig: { ...own.systemConfig, ...partOf(given.systemConfig, 'rollup.systemConfig') },
      l1: { chainId: 1, ...partOf(given.l1, 'rollup.l1') },
    },
  }
}

interface Network extends Omit<EmulatorOptions, 'rollup'> {
  readonly blockTimeMs: number
  readonly partialBlockTimeMs: number
  readonly rollup: Omit<RollupOptions, 'stack'>
}

/** A tenth of the gas, and a base fee that moves a tenth as far: as much per second as in the blocks of 2 s before. */
const PER_SLOT = { gasLimit: 40_000_000, denominator: 1250 } as const
/** The denominator since February 2026 (docs.base.org, configuration changelog), with which came the least base fee. */
const PER_BLOCK = { gasLimit: 400_000_000, denominator: 125 } as const

function baseAt(fork: ForkGiven): Network {
  const isDenim = fork === 'denim' || (typeof fork === 'object' && fork.denim === 0)
  const { gasLimit, denominator } = isDenim ? PER_SLOT : PER_BLOCK
  return {
    chainId: 8453,
    blockTimeMs: isDenim ? 200 : 2000,
    partialBlockTimeMs: 200,
    genesis: { gasLimit, baseFeePerGas: 5_000_000 },
    rollup: {
      fork,
      eip1559: { denominator, elasticity: 6 },
      systemConfig: { baseFeeScalar: 2269, blobBaseFeeScalar: 1_055_762, minBaseFee: 5_000_000 },
    },
  }
}

function merge(
  options: BaseOptions | OpOptions,
  forks: readonly ForkName[],
  networkAt: (fork: ForkGiven) => Network,
): EmulatorOptions {
  const live = forks.at(-1) as ForkName
  const { fork: asked = live, ...rest } = partOf<BaseOptions | OpOptions>(options, '')
  if (typeof asked === 'string' && asked.includes('://'))
    refuseValue('fork', `a fork's name, or { upstream: httpUpstream(url) } of tickchain/upstream`, asked)
  const named = typeof asked === 'object' ? live : oneOf(forks).decode(asked, 'fork')
  const given = partOf(rest.rollup, 'rollup').fork
  const all = typeof asked === 'object' ? { ...rest, fork: asked } : rest
  // Where a fork is at denim, that decides the time of blocks.
  return over(networkAt(given ?? (isForked(all) ? 'jovian' : named)), all)
}

/**
 * The options of a chain with Base's parameters: chain id 8453, base fee parameters with elasticity 6 and at least
 * 5,000,000 wei, and L1 data fee scalars 2269 and 1055762. Under denim, which is live, blocks come every 200 ms; before it
 * every 2 s, with partial blocks of 200 ms, a gas limit of 400 million and denominator 125. What Base has set for denim
 * is not known: the gas limit is 40 million and the denominator 1250, which is as much per second as before. Given
 * options win; parts of `genesis` and `rollup` are added one by one.
 *
 * @param options Further options, or others.
 * @throws TickchainError `invalidOption` if they are no object, or their parts are none
 * @example
 * const chain = await createEmulator(base())
 * chain.settings.chainId // => 8453
 * chain.settings.blockTimeMs // => 200
 */
export function base(options: BaseOptions = {}): EmulatorOptions {
  return decodeOptions(() => merge(options, BASE_FORKS, baseAt))
}

/** Its L1 data fee scalars are those of any rollup here; its gas limit that of its first system configuration. */
const opMainnetAt = (fork: ForkGiven): Network => ({
  chainId: 10,
  blockTimeMs: 2000,
  partialBlockTimeMs: 250,
  genesis: { gasLimit: 30_000_000 },
  rollup: { fork, eip1559: { denominator: 250, elasticity: 6 } },
})

const unichainAt = (fork: ForkGiven): Network => ({
  chainId: 130,
  blockTimeMs: 1000,
  partialBlockTimeMs: 200,
  genesis: { gasLimit: 30_000_000 },
  rollup: {
    fork,
    eip1559: { denominator: 250, elasticity: 6 },
    systemConfig: { baseFeeScalar: 2000, blobBaseFeeScalar: 900_000 },
  },
})

/**
 * The options of a chain with OP Mainnet's parameters: chain id 10, the fork karst, which is live, blocks of 2 s and partial blocks of 250
 * ms, base fee parameters 250 and 6, and the gas limit of its first system configuration, 30 million. Given options win;
 * parts of `genesis` and `rollup` are added one by one.
 *
 * @param options Further options, or others.
 * @throws TickchainError `invalidOption` if they are no object, or their parts are none
 * @example
 * const chain = await createEmulator(opMainnet())
 * chain.settings.partialBlockTimeMs // => 250
 */
export function opMainnet(options: OpOptions = {}): EmulatorOptions {
  return decodeOptions(() => merge(options, OP_FORKS, opMainnetAt))
}

/**
 * The options of a chain with Unichain's parameters: chain id 130, the fork karst, which is live, blocks of 1 s and partial blocks of 200
 * ms, base fee parameters 250 and 6, and of its first system configuration the gas limit of 30 million and the L1 data
 * fee scalars 2000 and 900000. Given options win; parts of `genesis` and `rollup` are added one by one.
 *
 * @param options Further options, or others.
 * @throws TickchainError `invalidOption` if they are no object, or their parts are none
 * @example
 * const chain = await createEmulator(unichain())
 * chain.settings.blockTimeMs // => 1000
 */
export function unichain(options: OpOptions = {}): EmulatorOptions {
  return decodeOptions(() => merge(options, OP_FORKS, unichainAt))
}
