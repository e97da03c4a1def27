// Everything the chain is, as one immutable value. A snapshot keeps a reference to it, a revert puts it back.

import { baseFeeAfter, type OpenBlock, openBlock } from '../chain/block.ts'
import { blockHashesOf, type Chain } from '../chain/chain.ts'
import type { BlockEnvironment } from '../execution/environment.ts'
import { type ExecutionContext, type Machines, machinesFor } from '../execution/machine.ts'
import type { PoolLimits } from '../pool/admit.ts'
import type { Pool } from '../pool/pool.ts'
import type { Ordering } from '../pool/select.ts'
import { keccak256Hex } from '../primitives/crypto.ts'
import { type Address, type Hash, hexToBytes, ZERO_HASH } from '../primitives/hex.ts'
import { blobBaseFee, nextExcessBlobGas } from '../rollup/blobs.ts'
import { isForkActive, type Rules } from '../rollup/forks.ts'
import type { Schedule } from '../rollup/schedule.ts'

/** When blocks are made: as the virtual clock says, for each transaction, or only when told. */
export type Production = 'interval' | 'auto' | 'manual'

interface Settings {
  readonly production: Production
  readonly ordering: Ordering
  readonly blockTimeMs: number
  readonly partialBlockTimeMs: number
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
  /** Seconds; asked for by evm_setNextBlockTimestamp. */
  readonly nextTimestamp: number | undefined
  /** The last link of the keccak chain that prevRandao is taken from. */
  readonly randomness: Hash
}

/** What is fixed for the life of an emulator. */
export interface NodeConfig {
  readonly schedule: Schedule
  readonly machines: Machines
  readonly poolLimits: PoolLimits
  /** Most steps (partial blocks and seals) that one call may perform. */
  readonly stepsPerCall: number
  /** Accounts that the emulator signs for, in order. */
  readonly accounts: ReadonlyMap<Address, Uint8Array>
}

/** The clock ends with the year 9999. */
export const LATEST_TIME_MS = 253_402_300_799_000

/** The least timestamp of the next block. Blocks shorter than a second may share one. */
export function leastTimestamp({ chain, settings }: NodeState): number {
  return chain.head.header.timestamp + (settings.blockTimeMs < 1000 ? 0 : 1)
}

/** When the block being built is due, if the clock has a say in it. */
export function sealDueAt(state: NodeState): number | undefined {
  const { production, blockTimeMs } = state.settings
  return production === 'interval' ? state.openedAtMs + blockTimeMs : undefined
}

function nextBlockTimestamp(state: NodeState): number {
  if (state.nextTimestamp !== undefined) return state.nextTimestamp
  const second = Math.floor((sealDueAt(state) ?? state.nowMs) / 1000)
  return Math.max(second, leastTimestamp(state))
}

/** The rules of the next block. */
export function nextRules({ schedule }: NodeConfig, state: NodeState): Rules {
  const number = state.chain.head.header.number + 1
  return schedule.rulesAt({ number, timestamp: nextBlockTimestamp(state), difficulty: 0n })
}

/** The environment of the next block as it would be if its first transaction ran now. */
function nextEnvironment(rules: Rules, state: NodeState): BlockEnvironment {
  const { head } = state.chain
  const { settings } = state
  const prevRandao = keccak256Hex(hexToBytes(state.randomness))
  const excessBlobGas = isForkActive(rules, 'cancun') ? nextExcessBlobGas(rules, head.header) : 0n
  return {
    number: head.header.number + 1,
    timestamp: nextBlockTimestamp(state),
    parentHash: head.hash,
    coinbase: settings.coinbase,
    gasLimit: settings.blockGasLimit,
    baseFeePerGas: baseFeeAfter(rules, head),
    prevRandao: isForkActive(rules, 'paris') ? prevRandao : ZERO_HASH,
    extraData: settings.extraData,
    // There is no beacon chain: its root is drawn from the same chain of randomness.
    parentBeaconBlockRoot: keccak256Hex(hexToBytes(prevRandao)),
    excessBlobGas,
    blobBaseFee: blobBaseFee(rules.blobs, excessBlobGas),
    difficulty: 0n,
  }
}

/** What executions under these rules need besides a state. */
export function executionContext(config: NodeConfig, chain: Chain, rules: Rules): ExecutionContext {
  return { machines: machinesFor(config.machines, rules), blockHashOf: blockHashesOf(chain) }
}

const emptyBlocks = new WeakMap<NodeState, OpenBlock>()

/** The block being built, or an empty one as it would open now. */
export function currentOpenBlock(config: NodeConfig, state: NodeState): OpenBlock {
  const { open, head } = state.chain
  if (open !== undefined) return open
  let empty = emptyBlocks.get(state)
  if (empty === undefined) {
    const rules = nextRules(config, state)
    empty = openBlock(rules, head, nextEnvironment(rules, state))
    emptyBlocks.set(state, empty)
  }
  return empty
}
