// Everything the chain is, as one immutable value. A snapshot keeps a reference to it, a revert puts it back.

import type { OpenBlock } from '../chain/block/block.ts'
import { drawEnvironment, feesAfter, nextLink } from '../chain/block/built-environment.ts'
import { blockHashesOf, type Chain, openOnHead } from '../chain/chain.ts'
import type { RandomnessSource } from '../chain/runs/runs.ts'
import type { BlockEnvironment } from '../execution/evm/environment.ts'
import { evmPoolFor } from '../execution/evm/evm-pool.ts'
import type { EvmPools, ExecutionContext } from '../execution/evm/pooled-evm.ts'
import type { PoolLimits } from '../pool/admit.ts'
import type { Pool } from '../pool/pool.ts'
import type { Ordering } from '../pool/select.ts'
import type { Address } from '../primitives/hex.ts'
import type { Rules } from '../rollup/rules.ts'
import type { Schedule } from '../rollup/schedule.ts'
import type { Controls } from './control/controls.ts'

/** When blocks are made: as the virtual clock says, for each transaction, or only when told. */
export type Production = 'interval' | 'auto' | 'manual'

/** Bounds of a block time, in milliseconds. */
export interface BlockTimeRange {
  readonly leastMs: number
  readonly mostMs: number
}

export interface Settings {
  readonly chainId: number
  /** Whether every transaction that is accepted is sealed at once. */
  readonly automines: boolean
  /** Whether blocks fall due on the clock. */
  readonly sealsOnTime: boolean
  readonly ordering: Ordering
  /** Of the block being built. */
  readonly blockTimeMs: number
  /** Where it is drawn anew for each block. */
  readonly blockTimeRange: BlockTimeRange | undefined
  readonly partialBlockTimeMs: number
  /** Whether a block may have its parent's timestamp, also where blocks are a second or longer. */
  readonly allowBlocksWithSameTimestamp: boolean
  readonly coinbase: Address
  readonly blockGasLimit: bigint
  readonly extraData: Uint8Array
  /** How many blocks `safe` and `finalized` stand behind the head. */
  readonly safeLag: number
  readonly finalizedLag: number
  /** Numbers of blocks that were marked safe and finalized at an import; they hold until the lag passes them. */
  readonly marks: { readonly safe: number | undefined; readonly finalized: number | undefined }
}

export interface NodeState {
  /** Virtual time in milliseconds since the Unix epoch. */
  readonly nowMs: number
  /** When the block being built was opened. */
  readonly openedAtMs: number
  /** How many partial blocks it has had. */
  readonly partialsClosed: number
  /** How much of the time was added by evm_increaseTime. */
  readonly shiftedMs: number
  readonly chain: Chain
  readonly pool: Pool
  readonly settings: Settings
  readonly controls: Controls
  /** Seconds; asked for by evm_setNextBlockTimestamp. */
  readonly nextTimestamp: number | undefined
  /** Where the last link of the keccak chain is that prevRandao is taken from: in a header, or in the seed. */
  readonly randomness: RandomnessSource
}

/** What is fixed for the life of an emulator. */
export interface NodeConfig {
  /** Which rules hold when, under a chain id. */
  readonly scheduleFor: (chainId: number) => Schedule
  readonly evmPools: EvmPools
  readonly poolLimits: PoolLimits
  /** Most blocks that one call may seal, or partial blocks that it may pass where no block falls due. */
  readonly stepsPerCall: number
}

/** The clock ends with the year 9999. */
export const LATEST_TIME_MS = 253_402_300_799_000

/** The least timestamp of the next block. Blocks shorter than a second may share one. */
export function leastTimestamp({ chain, settings }: NodeState): number {
  const isShared = settings.allowBlocksWithSameTimestamp || settings.blockTimeMs < 1000
  return chain.head.header.timestamp + (isShared ? 0 : 1)
}

/** When the block being built is due, if the clock has a say in it. */
export function sealDueAt(state: NodeState): number | undefined {
  const { sealsOnTime, blockTimeMs } = state.settings
  return sealsOnTime ? state.openedAtMs + blockTimeMs : undefined
}

/** The timestamp of the next block, in seconds, as it would be if it began now. */
export function nextBlockTimestamp(state: NodeState): number {
  const { chain, controls, settings, nextTimestamp, nowMs } = state
  if (nextTimestamp !== undefined) return nextTimestamp
  if (controls.timestampIntervalS !== undefined)
    return chain.head.header.timestamp + controls.timestampIntervalS
  // A block that a transaction may seal at any moment cannot have the time at which it would be due.
  const ms = settings.automines ? nowMs : (sealDueAt(state) ?? nowMs)
  return Math.max(Math.floor(ms / 1000), leastTimestamp(state))
}

/** The schedule under the chain id in force. */
export function scheduleIn({ scheduleFor }: NodeConfig, { settings }: NodeState): Schedule {
  return scheduleFor(settings.chainId)
}

/** The rules of the next block. */
export function nextRules(config: NodeConfig, state: NodeState): Rules {
  const number = state.chain.head.header.number + 1
  return scheduleIn(config, state).rulesAt({ number, timestamp: nextBlockTimestamp(state), difficulty: 0n })
}

/** The environment of the next block as it would be if its first transaction ran now. */
function nextEnvironment(rules: Rules, state: NodeState): BlockEnvironment {
  const { head } = state.chain
  const { settings, controls } = state
  const fees = feesAfter(rules, head)
  const link = controls.nextPrevRandao ?? nextLink(state.randomness.prevRandao)
  return drawEnvironment(rules, link, {
    number: head.header.number + 1,
    timestamp: nextBlockTimestamp(state),
    parentHash: head.hash,
    coinbase: settings.coinbase,
    gasLimit: settings.blockGasLimit,
    extraData: settings.extraData,
    ...fees,
    baseFeePerGas: controls.nextBaseFee ?? fees.baseFeePerGas,
  })
}

/** What executions under these rules need besides a state. */
export function executionContext(
  config: NodeConfig,
  { chain, controls }: NodeState,
  rules: Rules,
): ExecutionContext {
  return {
    evmPool: evmPoolFor(config.evmPools, rules),
    blockHashOf: blockHashesOf(chain),
    signers: controls.impersonatedSignatures,
  }
}

const emptyBlocks = new WeakMap<NodeState, OpenBlock>()

/** The block being built, or an empty one as it would open now. */
export function currentOpenBlock(config: NodeConfig, state: NodeState): OpenBlock {
  const { chain } = state
  if (chain.open !== undefined) return chain.open
  let empty = emptyBlocks.get(state)
  if (empty === undefined) {
    const rules = nextRules(config, state)
    empty = openOnHead(chain, rules, nextEnvironment(rules, state))
    emptyBlocks.set(state, empty)
  }
  return empty
}
