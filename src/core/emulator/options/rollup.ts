// The option `rollup`: a chain of the OP stack, its forks, fee parameters and layer 1.

import { ZERO_HASH } from '../../primitives/hex.ts'
import { LATEST_TIMESTAMP } from '../../primitives/numbers.ts'
import type { B20Feature } from '../../rollup/base/features.ts'
import { changesUpTo, OP_FORKS, type OpFork } from '../../rollup/op/forks.ts'
import { forkOrderProblem, type OpForkTimes } from '../../rollup/op/schedule.ts'
import type { SystemConfig } from '../../rollup/stack.ts'
import { DEFAULT_STACK, STACK_NAMES, type StackName } from '../../rollup/stacks.ts'
import { asFields, type Fields, fieldPath, oneOf } from '../../rpc/codecs/basic.ts'
import * as codec from '../../rpc/codecs/codec.ts'
import { decodeFields, objectCodec, or } from '../../rpc/codecs/object.ts'
import * as rollupCodecs from '../../rpc/codecs/rollup.ts'
import { anything } from '../checks.ts'

/** The layer 1 of a rollup that has none beside it: its blocks are made up. */
export interface L1Options {
  /** The number of the L1 block that the first block is derived from. Default 0. */
  readonly number?: number
  /** Its timestamp in seconds, not after that of the first block. Default that. */
  readonly timestamp?: number
  /** Wei per gas of every L1 block. Default 1 gwei. */
  readonly baseFee?: codec.Amount
  /** Wei per blob gas of every L1 block. Default 1. */
  readonly blobBaseFee?: codec.Amount
  /** Seconds between L1 blocks. Default 12. */
  readonly blockTimeS?: number
  /** The chain id of the layer 1. Default 900. */
  readonly chainId?: number
}

/** A chain of the OP stack. */
export interface RollupOptions {
  /** The OP stack: there is no other. Required, except beside `fork`, where the upstream shows it. */
  readonly stack?: StackName
  /**
   * The fork of the whole chain, or when forks activate, in seconds since the Unix epoch: 'bedrock', 'regolith',
   * 'canyon', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian', then 'karst', or Base's 'azul', 'beryl',
   * 'cobalt' and 'denim'. Each needs those before it; bedrock is always active. Default 'jovian'.
   */
  readonly fork?: OpFork | OpForkTimes
  /** Parameters of the base fee. Default those of OP Mainnet: elasticity 6, and denominator 50, from canyon on 250. */
  readonly eip1559?: rollupCodecs.Eip1559Options
  /** Default: scalars 1368 and 810949, before ecotone overhead 188 and scalar 684000, no operator fee and no least base fee. */
  readonly systemConfig?: Omit<rollupCodecs.SystemConfigOptions, 'gasLimit'>
  /** The made-up layer 1. */
  readonly l1?: L1Options
  /**
   * The most seconds that a block's timestamp may be ahead of its L1 origin's; further blocks take no transactions from
   * the pool. Default 1800 from fjord on, before it 600.
   */
  readonly maxSequencerDriftS?: number
  /**
   * The features of Base's B20 that are on from beryl on: 'b20Asset' and 'b20Stablecoin' for the creation of tokens, and
   * 'policyRegistry' for changes of policies. Default all.
   */
  readonly features?: readonly B20Feature[]
}

/** Those of OP Mainnet. */
const SYSTEM_DEFAULTS: Omit<SystemConfig, 'gasLimit'> = {
  batcherHash: ZERO_HASH,
  overhead: 188n,
  scalar: 684_000n,
  baseFeeScalar: 1368,
  blobBaseFeeScalar: 810_949,
  eip1559: { denominator: 0, elasticity: 0 },
  operatorFeeScalar: 0,
  operatorFeeConstant: 0n,
  minBaseFee: 0n,
  daFootprintGasScalar: 0,
}

const TIMED_FORKS = OP_FORKS.filter((fork) => fork !== 'bedrock')

function forkTimesOf(value: object, path: string): OpForkTimes {
  const given = asFields(value, path, TIMED_FORKS)
  const set = TIMED_FORKS.filter((fork) => given[fork] !== undefined)
  const time = codec.numberFrom(0, LATEST_TIMESTAMP)
  return Object.fromEntries(set.map((fork) => [fork, time.decode(given[fork], fieldPath(path, fork))]))
}

const fork: codec.Codec<OpFork | OpForkTimes> = {
  name: 'fork',
  decode: (value, path) =>
    typeof value === 'object' && value !== null
      ? forkTimesOf(value, path)
      : oneOf(OP_FORKS).decode(value, path),
}

/** The option, absent parts `undefined`; the stack is checked last. */
const FIELDS = {
  stack: anything,
  fork,
  eip1559: rollupCodecs.eip1559Options,
  systemConfig: or(rollupCodecs.systemConfigChanges, {}),
  l1: objectCodec({
    number: codec.numberFrom(0, 2 ** 52),
    timestamp: codec.numberFrom(0, LATEST_TIMESTAMP),
    baseFee: codec.anyAmount,
    blobBaseFee: codec.anyAmount,
    blockTimeS: or(codec.numberFrom(1, 86_400), 12),
    chainId: codec.numberFrom(1),
  }),
  maxSequencerDriftS: codec.numberFrom(1, LATEST_TIMESTAMP),
  features: or(rollupCodecs.b20Features, undefined),
}

/** The option; `stack` is what stands for an absent one. */
function decodeRollup(value: unknown, stack?: StackName) {
  const { eip1559, l1, ...rollup } = decodeFields(value, 'rollup', FIELDS)
  return {
    ...rollup,
    eip1559: eip1559 && {
      denominator: BigInt(eip1559.denominator),
      elasticity: BigInt(eip1559.elasticity),
    },
    l1: l1 ?? FIELDS.l1.decode({}, 'rollup.l1'),
    stack: oneOf(STACK_NAMES).decode(rollup.stack === undefined ? stack : rollup.stack, 'rollup.stack'),
  }
}

interface FirstBlock {
  readonly timestamp: number
  readonly gasLimit: bigint
}

/** Options that a rollup decides itself, and why. */
const DECIDED = {
  hardfork: 'no hardfork beside rollup, whose fork decides it',
  blobTransactions: 'no blobTransactions beside rollup, which refuses them',
} as const

function refuseDecided(options: Fields<keyof typeof DECIDED>): void {
  for (const [name, expected] of Object.entries(DECIDED)) {
    const given = options[name as keyof typeof DECIDED]
    if (given !== undefined && given !== 'refused') codec.refuseValue(name, expected, given)
  }
}

/** Checks the option `rollup` beside `fork`, where it stands over what the upstream says. */
export function resolveRollupOverrides(options: Fields<'rollup' | keyof typeof DECIDED>) {
  if (options.rollup === undefined) return undefined
  const { fork: forks, systemConfig: system, ...rollup } = decodeRollup(options.rollup, DEFAULT_STACK)
  refuseDecided(options)
  return { ...rollup, forks, system }
}

function resolve(value: unknown, { timestamp, gasLimit }: FirstBlock) {
  const rollup = decodeRollup(value)
  const { stack, eip1559, fork: forks = 'jovian', l1, maxSequencerDriftS, features } = rollup
  const problem = typeof forks === 'string' ? undefined : forkOrderProblem(forks)
  if (problem !== undefined) codec.refuse('rollup.fork', problem)
  const changes: Partial<SystemConfig> = rollup.systemConfig
  rollupCodecs.rollupGasLimit.decode(gasLimit, 'genesis.gasLimit')
  if (changes.gasLimit !== undefined)
    codec.refuseValue('rollup.systemConfig.gasLimit', 'genesis.gasLimit in its place', changes.gasLimit)
  if (l1.timestamp !== undefined && l1.timestamp > timestamp)
    codec.refuseValue('rollup.l1.timestamp', `at most ${timestamp}, that of the first block`, l1.timestamp)
  if (features?.length && changesUpTo(lastOf(forks, Number.POSITIVE_INFINITY)).natives === undefined)
    codec.refuseValue('rollup.features', 'none on a chain that never comes to beryl', features.join(', '))
  return {
    stack,
    forks,
    // The time of blocks under the first block's fork, if the fork decides it.
    slotMs: changesUpTo(lastOf(forks, timestamp)).slotMs,
    // Those of OP Mainnet and Base at their start.
    eip1559: eip1559 ?? { denominator: 250n, elasticity: 6n },
    ...(eip1559 === undefined ? { denominatorBeforeCanyon: 50n } : {}),
    system: { ...SYSTEM_DEFAULTS, ...changes, gasLimit },
    l1: {
      number: l1.number ?? 0,
      timestamp: l1.timestamp ?? timestamp,
      baseFee: l1.baseFee ?? 1_000_000_000n,
      blobBaseFee: l1.blobBaseFee ?? 1n,
      blockTimeS: l1.blockTimeS,
      chainId: l1.chainId ?? 900,
    },
    maxSequencerDriftS,
    features,
  }
}

function lastOf(forks: OpFork | OpForkTimes, timestamp: number): OpFork {
  if (typeof forks === 'string') return forks
  const active = Object.entries(forks).filter(([, time]) => time <= timestamp)
  return (active.at(-1)?.[0] ?? 'bedrock') as OpFork
}

export type ResolvedRollup = ReturnType<typeof resolve>

export function resolveRollup(
  options: Fields<'rollup' | 'blockTimeMs' | 'partialBlockTimeMs' | keyof typeof DECIDED>,
  genesis: FirstBlock & { readonly config: unknown; readonly isExtraDataNamed: boolean },
): ResolvedRollup | undefined {
  if (options.rollup === undefined) return undefined
  const rollup = resolve(options.rollup, genesis)
  refuseDecided(options)
  for (const name of ['blockTimeMs', 'partialBlockTimeMs'] as const) {
    const expected = `${rollup.slotMs}, the time of blocks under ${JSON.stringify(rollup.forks)}`
    const given = options[name] ?? rollup.slotMs
    if (rollup.slotMs !== undefined && given !== rollup.slotMs) codec.refuseValue(name, expected, given)
  }
  if (genesis.config !== undefined)
    codec.refuseValue('rollup', 'no rollup beside genesis.config, which has a schedule', options.rollup)
  const own = 'it is empty, and from holocene on it has the parameters of the base fee'
  if (genesis.isExtraDataNamed) codec.refuse('genesis.extraData', `expected none beside rollup: ${own}`)
  return rollup
}
