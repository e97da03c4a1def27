// The state of a chain as one immutable value. A snapshot keeps a reference to it, a revert puts it back. Copies of a
// node's state to change, for the steps that every block takes. Field by field: states of several shapes come together
// there, and engines then copy each field of a spread the slow way.

import { momentOf, type OpenBlock } from '../chain/block/block.ts'
import { builtDifficulty, environmentFrom, feesAfter, prevRandaoAfter } from '../chain/block/execute-block.ts'
import { blockHashesOf, type Chain, openOnHead } from '../chain/chain.ts'
import type { PrevRandaoSource } from '../chain/runs/runs.ts'
import { evmPoolFor } from '../execution/evm/evm-pool.ts'
import type { EvmPools, ExecutionContext, GasMeter } from '../execution/evm/pooled-evm.ts'
import { joinProbes, type Probe } from '../execution/trace/probe.ts'
import type { Upstream } from '../fork/upstream.ts'
import type { PoolLimits } from '../pool/admit.ts'
import type { Pool } from '../pool/pool.ts'
import type { Ordering } from '../pool/select.ts'
import type { Address } from '../primitives/hex.ts'
import { createLruCache } from '../primitives/lru-cache.ts'
import { LATEST_TIMESTAMP } from '../primitives/numbers.ts'
import type { BlockEnvironment } from '../rollup/header.ts'
import type { Rules } from '../rollup/rules.ts'
import type { Schedule, TransactionGasCap } from '../rollup/schedule.ts'
import type { WorldState } from '../state/world-state.ts'
import type { Controls } from './control/controls.ts'
import { chooseOrigin, type OriginChoice, type RollupState } from './rollup/origins.ts'

/** When blocks are made: on the virtual clock, for each transaction, or on command. */
export type Production = 'interval' | 'auto' | 'manual'

/** Contents of `pending`: the transactions pre-confirmed so far, or also those that the pool would add to the block. */
export type PendingContents = 'preconfirmed' | 'pool'

export const PENDING_CONTENTS = ['preconfirmed', 'pool'] as const satisfies readonly PendingContents[]

export interface BlockTimeRange {
  readonly leastMs: number
  readonly mostMs: number
}

export interface Settings {
  readonly chainId: number
  /** True if every accepted transaction is sealed at once. */
  readonly automines: boolean
  /** True if blocks fall due on the clock. */
  readonly sealsOnTime: boolean
  readonly ordering: Ordering
  /** The time of the block being built. */
  readonly blockTimeMs: number
  /** Set if the block time is drawn for each block. */
  readonly blockTimeRange: BlockTimeRange | undefined
  readonly partialBlockTimeMs: number
  /** Those three before a fork that decides them; absent without one. */
  readonly beforeSlots?: Pick<Settings, 'blockTimeMs' | 'blockTimeRange' | 'partialBlockTimeMs'> | undefined
  /** True if a block may have its parent's timestamp even if blocks take a second or longer. */
  readonly allowBlocksWithSameTimestamp: boolean
  readonly coinbase: Address
  readonly blockGasLimit: bigint
  readonly extraData: Uint8Array
  /** The number of blocks that `safe` and `finalized` are behind the head. */
  readonly safeLag: number
  readonly finalizedLag: number
  /** The blocks that an import marked safe and finalized, by number; they apply until the lag passes them. */
  readonly marks: { readonly safe: number | undefined; readonly finalized: number | undefined }
}

export interface NodeState {
  readonly config: NodeConfig
  /** Virtual time in milliseconds since the Unix epoch. */
  readonly nowMs: number
  /** When the block being built was opened. */
  readonly openedAtMs: number
  /** The partial blocks that it has had. */
  readonly partialsClosed: number
  /** The part of `nowMs` that evm_increaseTime added. */
  readonly shiftedMs: number
  readonly chain: Chain
  readonly pool: Pool
  readonly settings: Settings
  readonly controls: Controls
  /** In seconds; set by evm_setNextBlockTimestamp. */
  readonly nextTimestamp: number | undefined
  /** Holds the value that the next prevRandao is computed from: the last header, or at first the seed. */
  readonly prevRandaoSource: PrevRandaoSource
  /** Only of a rollup. */
  readonly rollup?: RollupState | undefined
  /** Only of a node that is bound to others: what holds the states of all of them at the time of this one. */
  readonly joint?: object | undefined
  /** Only in the state of a read: what `pending` shows in place of the block being built; see `withPoolShown`. */
  readonly shownPending?: OpenBlock | undefined
  /** Only while a fork is asked for what a command or a read needs: nothing is told of it. */
  readonly isRehearsed?: true | undefined
  /** Only in a request of a batch: the work of all its requests so far, which is limited together. */
  readonly batch?: (GasMeter & { blocks: number }) | undefined
}

/** The part of a chain that is fixed for the life of an emulator. */
export interface NodeConfig {
  /** The rules of every block, under a chain id. */
  readonly scheduleFor: (chainId: number) => Schedule
  /** The gas cap of `scheduleFor`, for forks that are loaded later. */
  readonly transactionGasCap: TransactionGasCap
  readonly evmPools: EvmPools
  readonly poolLimits: PoolLimits
  readonly pendingContents: PendingContents
  /** Blocks of automine: one for each transaction of a waiting pool, or filled. */
  readonly automineBlocks: 'single' | 'full'
  /** The most blocks that one call may seal, or partial blocks that it may pass if no block falls due. */
  readonly stepsPerCall: number
  /** Probes of the chain and its clones. */
  readonly probes: Set<Probe>
  /** True if each block is read as soon as it is sealed, so that a run of empty blocks, built when read, saves nothing. */
  readonly readsEachBlock?: boolean
  readonly forks: Forks
}

export interface Forks {
  /** The upstream at a URL; throws `noNetwork` if the options give none. */
  readonly connect: (call: string, url: string) => Upstream
  /** The first state of a fork of an upstream. */
  readonly begin: (upstream: Upstream, block: number | undefined) => Promise<NodeState>
}

export const LATEST_TIME_MS = LATEST_TIMESTAMP * 1000

/** A timestamp that no block can have: to seal one is refused. */
export const NO_TIMESTAMP = LATEST_TIMESTAMP + 1

/** The least time of the next block in milliseconds, where a second has several; else `undefined`. */
function leastMoment({ chain: { head } }: NodeState): number | undefined {
  const slotMs = head.rules.rollup?.changes.slotMs
  return slotMs && momentOf(head) + slotMs
}

/** The least timestamp of the next block. Blocks shorter than a second may share a timestamp. */
export function leastTimestamp(state: NodeState): number {
  const { chain, settings } = state
  const leastMs = leastMoment(state)
  if (leastMs !== undefined) return Math.floor(leastMs / 1000)
  const isShared = settings.allowBlocksWithSameTimestamp || settings.blockTimeMs < 1000
  return chain.head.header.timestamp + (isShared ? 0 : 1)
}

export function withSettings(state: NodeState, changes: Partial<Settings>): NodeState {
  return { ...state, settings: { ...state.settings, ...changes } }
}

export function withControls(state: NodeState, changes: Partial<Controls>): NodeState {
  return { ...state, controls: { ...state.controls, ...changes } }
}

/** When the block being built falls due; `undefined` if blocks do not seal on time. */
export function sealDueAt(state: NodeState): number | undefined {
  const { sealsOnTime, blockTimeMs } = state.settings
  return sealsOnTime ? state.openedAtMs + blockTimeMs : undefined
}

/** The block being built, if it has transactions: deposits of a rollup, or those of the pool. */
export function blockBeingBuilt({ chain, rollup }: NodeState): OpenBlock | undefined {
  if (chain.open !== undefined) return chain.open
  const opening = rollup?.opening
  // Within a command, the head may have changed.
  return opening?.parent === chain.head ? opening : undefined
}

/** The world state that `pending` shows: of the block being built, or of the head. */
export function pendingWorld(state: NodeState): WorldState {
  return blockBeingBuilt(state)?.state ?? state.chain.head.committed.state
}

export function nextGasLimit(state: NodeState): bigint {
  return blockBeingBuilt(state)?.environment.gasLimit ?? state.settings.blockGasLimit
}

/** The time of the next block in milliseconds, if it began now: a whole second, unless a second has several blocks. */
export function nextMoment(state: NodeState): number {
  const { chain, controls, settings, nextTimestamp, nowMs } = state
  const slotMs = chain.head.rules.rollup?.changes.slotMs
  if (slotMs === undefined) return nextBlockTimestamp(state) * 1000
  const { timestampIntervalS } = controls
  const dueMs = settings.automines ? nowMs : (sealDueAt(state) ?? nowMs)
  const intervalMs = timestampIntervalS && timestampIntervalS * 1000
  const wantedMs = intervalMs === undefined ? dueMs : momentOf(chain.head) + intervalMs
  const ms = nextTimestamp === undefined ? wantedMs : Math.round(nextTimestamp * 1000)
  return Math.max(ms - (ms % slotMs), leastMoment(state) as number)
}

/** The timestamp of the next block, in seconds, if it began now. */
export function nextBlockTimestamp(state: NodeState): number {
  const { chain, controls, settings, nextTimestamp, nowMs } = state
  if (chain.head.rules.rollup?.changes.slotMs !== undefined) return Math.floor(nextMoment(state) / 1000)
  if (nextTimestamp !== undefined) return nextTimestamp
  if (controls.timestampIntervalS !== undefined)
    return chain.head.header.timestamp + controls.timestampIntervalS
  // With automine, a transaction may seal the block at any moment, not only when it is due.
  const ms = settings.automines ? nowMs : (sealDueAt(state) ?? nowMs)
  return Math.max(Math.floor(ms / 1000), leastTimestamp(state))
}

export function scheduleIn(state: NodeState): Schedule {
  return scheduleUnder(state, state.settings.chainId)
}

/** The schedule under a chain id: that of a fork, if the chain is one. */
export function scheduleUnder({ chain, config }: NodeState, chainId: number): Schedule {
  return (chain.fork ?? config).scheduleFor(chainId)
}

export function nextRules(state: NodeState): Rules {
  const number = state.chain.head.header.number + 1
  return scheduleIn(state).rulesAt({ number, timestamp: nextBlockTimestamp(state), difficulty: 0n })
}

export type BuilderFields = Pick<BlockEnvironment, 'gasLimit' | 'extraData' | 'prevRandao'>

/** The fields that whoever builds the block decides; on a rollup the L1 origin, with its system configuration. */
function builderFields(
  { settings, rollup, prevRandaoSource }: NodeState,
  rules: Rules,
  choice: OriginChoice | undefined,
): BuilderFields {
  const own = {
    gasLimit: settings.blockGasLimit,
    extraData: settings.extraData,
    prevRandao: prevRandaoAfter(prevRandaoSource.prevRandao),
  }
  if (choice === undefined) return own
  const { system, prevRandao = own.prevRandao } = choice.origin
  return {
    gasLimit: rollup?.gasLimit ?? system.gasLimit,
    extraData: rules.rollup?.changes.hasExtraData
      ? rules.rollup.stack.encodeExtraData(rules, system)
      : own.extraData,
    prevRandao,
  }
}

/** The environment of the next block if its first transaction ran now. */
export function nextEnvironment(rules: Rules, state: NodeState, choice: OriginChoice | undefined) {
  const { head } = state.chain
  const { settings, controls } = state
  const fees = feesAfter(rules, head)
  const timestamp = nextBlockTimestamp(state)
  const { gasLimit, extraData, prevRandao } = builderFields(state, rules, choice)
  return environmentFrom(rules, controls.nextPrevRandao ?? prevRandao, {
    number: head.header.number + 1,
    timestamp,
    difficulty: builtDifficulty(scheduleIn(state), rules, head, timestamp),
    parentHash: head.hash,
    coinbase: settings.coinbase,
    gasLimit,
    extraData,
    baseFeePerGas: controls.nextBaseFee ?? fees.baseFeePerGas,
    excessBlobGas: fees.excessBlobGas,
    blobBaseFee: fees.blobBaseFee,
  })
}

export function executionContext(state: NodeState, rules: Rules): ExecutionContext {
  const { config, chain, controls, batch } = state
  return {
    evmPool: evmPoolFor(config.evmPools, rules),
    blockHashOf: blockHashesOf(chain),
    signers: controls.impersonatedSignatures,
    probe: probeOf(state),
    meter: batch,
  }
}

/** The most blocks that a call may seal, or partial blocks that it may pass. */
export function mostSteps({ config, batch }: NodeState): number {
  return Math.max(0, config.stepsPerCall - (batch?.blocks ?? 0))
}

/** The probes that are told of executions on a state. */
export function probeOf({ config, isRehearsed }: NodeState): Probe | undefined {
  return isRehearsed === true ? undefined : joinProbes(config.probes)
}

/**
 * The empty blocks that were opened last, each with a state that it opens in. Not a WeakMap: its values outlive their
 * keys up to a full garbage collection.
 */
const emptyBlocks = createLruCache<Chain, readonly [NodeState, OpenBlock]>(8)

/** The parts of a state that an empty block follows from, besides the chain. */
const OPENING = [
  ...(['nowMs', 'openedAtMs', 'nextTimestamp'] as const),
  ...(['settings', 'controls', 'prevRandaoSource', 'rollup'] as const),
]

/** The block being built, or else an empty one as it would open now. */
export function currentOpenBlock(state: NodeState): OpenBlock {
  const filled = blockBeingBuilt(state)
  if (filled !== undefined) return filled
  const [before, last] = emptyBlocks.get(state.chain) ?? []
  // A transaction opens it twice: for the wallet, and when it is in the pool.
  if (before !== undefined && last !== undefined && OPENING.every((name) => before[name] === state[name]))
    return last
  const rules = nextRules(state)
  const { rollup, chain } = state
  const origin = rollup && chooseOrigin(rollup, chain.head, nextBlockTimestamp(state))
  const open = openOnHead(chain, rules, nextEnvironment(rules, state, origin))
  emptyBlocks.set(chain, [state, open])
  return open
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

export function copyState(state: NodeState): Mutable<NodeState> {
  return {
    config: state.config,
    nowMs: state.nowMs,
    openedAtMs: state.openedAtMs,
    partialsClosed: state.partialsClosed,
    shiftedMs: state.shiftedMs,
    chain: state.chain,
    pool: state.pool,
    settings: state.settings,
    controls: state.controls,
    nextTimestamp: state.nextTimestamp,
    prevRandaoSource: state.prevRandaoSource,
    rollup: state.rollup,
    shownPending: state.shownPending,
    isRehearsed: state.isRehearsed,
    batch: state.batch,
    joint: state.joint,
  } satisfies Record<keyof NodeState, unknown>
}
