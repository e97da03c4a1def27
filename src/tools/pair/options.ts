// The options of createRollup and their defaults.

import { anything, decodeOptions } from '../../core/emulator/checks.ts'
import type { EmulatorOptions } from '../../core/emulator/options/options.ts'
import type { RollupOptions } from '../../core/emulator/options/rollup.ts'
import type { Address } from '../../core/primitives/hex.ts'
import type { StackName } from '../../core/rollup/stacks.ts'
import { asRecord, type Fields } from '../../core/rpc/codecs/basic.ts'
import { type Amount, anyAmount, numberFrom, refuseValue } from '../../core/rpc/codecs/codec.ts'
import { decodeFields, or } from '../../core/rpc/codecs/object.ts'
import { L1_DEFAULTS, type RollupOnL1 } from './l1-genesis-options.ts'

/** Options of the layer 1: those of `createEmulator` with other defaults. */
export type Layer1Options = Omit<EmulatorOptions, 'rollup' | 'state'>

/** Options of a layer 2: those of `createEmulator` with other defaults. */
export interface Layer2Options
  extends Omit<
    EmulatorOptions,
    'rollup' | 'state' | 'hardfork' | 'blobTransactions' | 'safeLag' | 'finalizedLag'
  > {
  /**
   * Fork and parameters; its layer 1 is that of the pair, of which it may say the chain id, as `base()` does. Default
   * 'jovian' with the parameters of OP Mainnet.
   */
  readonly rollup?: Omit<RollupOptions, 'l1' | 'stack'> & {
    readonly stack?: StackName
    readonly l1?: { readonly chainId?: number }
  }
  /**
   * The address of its SystemConfig on a layer 1 that is forked, which tells those of the other contracts. Default that of
   * OP Mainnet, Base, Unichain, OP Sepolia and Base Sepolia, by the chain id; other chains need it.
   */
  readonly systemConfigAddress?: Address
}

/** The protocol's delays of a withdrawal. */
export interface WithdrawalOptions {
  /** Seconds from the proof of a withdrawal until it can be finalised. Default 604,800, seven days. */
  readonly proofMaturityDelayS?: number
  /** Seconds from the resolution of its dispute game until it can be finalised. Default 302,400, three and a half days. */
  readonly finalityDelayS?: number
  /** Seconds that each side of a dispute game has; without challenges it can be resolved then. Default 302,400. */
  readonly maxClockDurationS?: number
}

/** When and how the batcher posts the layer 2's blocks. */
export interface BatcherOptions {
  /** Seconds between postings of batches. Default 60. */
  readonly intervalS?: number
  /** The most bytes of input of a transaction, up to 130,000. Default 120,000. */
  readonly maxTransactionBytes?: number
}

/** When the proposer proposes outputs of the layer 2. */
export interface ProposerOptions {
  /** Seconds between proposals of an output, which are of the safe head. Default 300. */
  readonly intervalS?: number
  /** Wei that each proposal deposits. Default 0.08 ether; on a fork, what its contracts ask. */
  readonly bond?: Amount
}

/** The options of `createRollup`; all have defaults. */
export interface CreateRollupOptions {
  /**
   * Default: chain id 900, or what the first layer 2 says, blocks every 12 s, blob transactions, and multicall3. With
   * `fork`, a real layer 1: then the layers 2 are forked, too.
   */
  readonly l1?: Layer1Options
  /**
   * One layer 2, or several on the same layer 1, each with a chain id of its own. They begin at the layer 1's
   * `genesis.timestamp`. Default: chain id 901 (902, … for more), blocks every 2 s and partial
   * blocks every 200 ms, with the rules of jovian. With `fork`, a chain of the OP stack on the layer 1 that is forked;
   * of layers without a `fork.block`, the last block at or before those that are named, or that all have.
   */
  readonly l2?: Layer2Options | readonly Layer2Options[]
  /** The delays of withdrawals. Default the protocol's; on a fork, those of its contracts. */
  readonly withdrawals?: WithdrawalOptions
  /** When and how batches are posted. */
  readonly batcher?: BatcherOptions
  /** When outputs are proposed. */
  readonly proposer?: ProposerOptions
  /** In how many L1 blocks after its L1 origin a block must be posted. Default 3600, which is twelve hours. */
  readonly sequencingWindow?: number
  /**
   * Number of L1 blocks after its first frame within which the last of a channel may come. Default 50, as from granite
   * on.
   */
  readonly channelTimeout?: number
  /** Number of L1 blocks that must be above one before the sequencer adopts it as L1 origin. Default 0. */
  readonly l1ConfirmationDepth?: number
}

const L1_CHAIN_ID = 900
const L1_BLOCK_TIME_MS = 12_000
const MOST_BYTES = 130_000
/** The bytes of a frame besides its data, with one of data and the version. */
const LEAST_BYTES = 25
const MOST_SECONDS = 100 * 365 * 86_400
const MOST_CHANNEL_BYTES = 100_000_000

const delay = numberFrom(0, MOST_SECONDS)
const interval = numberFrom(1, MOST_SECONDS)

function resolveWithdrawals(value: unknown) {
  const { finalityDelayS, ...delays } = decodeFields(value ?? {}, 'withdrawals', {
    maxClockDurationS: or(interval, L1_DEFAULTS.maxClockDurationS),
    proofMaturityDelayS: or(delay, L1_DEFAULTS.proofMaturityDelayS),
    finalityDelayS: or(delay, L1_DEFAULTS.disputeGameFinalityDelayS),
  })
  return {
    ...delays,
    disputeGameFinalityDelayS: finalityDelayS,
    // The game's constructor asks that the clock has room for an extension.
    clockExtensionS: Math.min(L1_DEFAULTS.clockExtensionS, Math.floor(delays.maxClockDurationS / 2)),
  } satisfies Partial<RollupOnL1>
}

function resolveBatcher(value: unknown) {
  const { intervalS, maxTransactionBytes } = decodeFields(value ?? {}, 'batcher', {
    intervalS: or(interval, 60),
    maxTransactionBytes: or(numberFrom(LEAST_BYTES, MOST_BYTES), 120_000),
  })
  return { intervalMs: intervalS * 1000, mostBytes: maxTransactionBytes }
}

function resolveProposer(value: unknown) {
  const { intervalS, bond } = decodeFields(value ?? {}, 'proposer', {
    intervalS: or(interval, 300),
    bond: or(anyAmount, L1_DEFAULTS.initialBond),
  })
  return { intervalMs: intervalS * 1000, bond }
}

/** Options of a layer that are checked when it is created, but for those that the pair decides. */
function layerOptions(value: unknown, path: string, decided: readonly string[]) {
  const given = asRecord(value, path, 'an object of options')
  for (const name of decided) {
    if (given[name] !== undefined) refuseValue(`${path}.${name}`, 'none: the pair decides it', given[name])
  }
  return given
}

/** Refuses what the contracts of a forked layer 1 decide. */
function refuseDecidedOnFork({ withdrawals, proposer }: Fields<'withdrawals' | 'proposer'>): void {
  const expected = 'none on a fork, whose contracts decide it'
  if (withdrawals !== undefined) refuseValue('withdrawals', expected, withdrawals)
  const { bond } = (proposer ?? {}) as ProposerOptions
  if (bond !== undefined) refuseValue('proposer.bond', expected, bond)
}

const DECIDED_OF_L1 = ['rollup', 'state']
const DECIDED_OF_L2 = ['state', 'safeLag', 'finalizedLag']
/** Fields of the made-up layer 1 that a lone layer 2 has. */
const DECIDED_OF_MADE_UP_L1 = ['number', 'timestamp', 'baseFee', 'blobBaseFee', 'blockTimeS']

function resolveL2s(value: unknown, isForked: boolean): Layer2Options[] {
  const list = Array.isArray(value) ? value : [value ?? {}]
  if (list.length === 0) refuseValue('l2', 'at least one layer 2', value)
  // Not `map`, which leaves out the holes of an array.
  return Array.from(list, (each, index) => {
    const path = Array.isArray(value) ? `l2[${index}]` : 'l2'
    const given = layerOptions(each, path, DECIDED_OF_L2)
    if (given['hardfork'] !== undefined)
      refuseValue(`${path}.hardfork`, 'none: rollup.fork decides it', given['hardfork'])
    const rollup = layerOptions(given['rollup'] ?? {}, `${path}.rollup`, [])
    layerOptions(rollup['l1'] ?? {}, `${path}.rollup.l1`, DECIDED_OF_MADE_UP_L1)
    if (given['genesis'] !== undefined) layerOptions(given['genesis'], `${path}.genesis`, [])
    if ((given['fork'] === undefined) === isForked) {
      const expected = isForked ? 'a fork beside that of l1' : 'none without one of l1'
      refuseValue(`${path}.fork`, `${expected}: layers are forked together`, given['fork'])
    }
    if (isForked) return given
    const address = given['systemConfigAddress']
    if (address !== undefined) refuseValue(`${path}.systemConfigAddress`, 'none without a fork', address)
    return { chainId: L1_CHAIN_ID + 1 + index, ...given }
  })
}

const OPTIONS = {
  l1: anything,
  l2: anything,
  withdrawals: anything,
  batcher: anything,
  proposer: anything,
  sequencingWindow: or(numberFrom(1), 3600),
  channelTimeout: or(numberFrom(1), 50),
  l1ConfirmationDepth: or(numberFrom(0, 1000), 0),
} satisfies Record<keyof CreateRollupOptions, unknown>

function resolveAll(value: unknown) {
  const options = decodeFields(value, '', OPTIONS)
  const l1 = layerOptions(options.l1 ?? {}, 'l1', DECIDED_OF_L1) as Layer1Options
  const isForked = l1.fork !== undefined
  if (isForked) refuseDecidedOnFork(options)
  const l2s = resolveL2s(options.l2, isForked)
  const chainId = l2s[0]?.rollup?.l1?.chainId ?? L1_CHAIN_ID
  return {
    isForked,
    l1: { ...(isForked ? {} : { chainId }), blockTimeMs: L1_BLOCK_TIME_MS, ...l1 },
    l2s,
    withdrawals: resolveWithdrawals(options.withdrawals),
    batcher: resolveBatcher(options.batcher),
    proposer: resolveProposer(options.proposer),
    rules: {
      sequencingWindow: options.sequencingWindow,
      timeout: options.channelTimeout,
      mostBytes: MOST_CHANNEL_BYTES,
    },
    l1ConfirmationDepth: options.l1ConfirmationDepth,
  }
}

/** Checks the options of a pair and fills in the defaults; throws `invalidOption`. */
export function resolvePairOptions(value: unknown = {}) {
  return decodeOptions(() => resolveAll(value))
}

export type ResolvedPairOptions = ReturnType<typeof resolvePairOptions>
