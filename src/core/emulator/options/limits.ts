// Limits, and defaults that differ by flavor. Hardhat's are those of its network type `edr-simulated`.

import type { GasEstimationMode } from '../../execution/call/estimate-gas.ts'
import type { NodeConfig, PendingContents } from '../../node/node-state.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../primitives/hex.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import type { HardforkName, SelectableHardfork } from '../../rollup/hardforks.ts'
import { SEQUENCER_FEE_VAULT } from '../../rollup/system-contracts.ts'
import { type Amount, amountUpTo, anyAmount, type Codec, numberFrom } from '../../rpc/codecs/codec.ts'
import { decodeFields, or } from '../../rpc/codecs/object.ts'
import type { Flavor } from '../../rpc/flavor/flavor.ts'
import type { PendingIdentity } from '../../rpc/format/receipt.ts'
import { DEFAULT_DERIVATION } from './accounts.ts'

const COMMON = {
  hardfork: 'prague' as SelectableHardfork,
  /** Delays of the difficulty bomb by fork, where blocks before the merge have proof of work. */
  bombDelays: {} as Partial<Readonly<Record<HardforkName, number>>>,
  accountCount: DEFAULT_DERIVATION.count,
  genesisCoinbase: SEQUENCER_FEE_VAULT as Address,
  genesisExtraData: '0x' as Hex,
  /** `undefined` for that of genesis. */
  coinbase: undefined as Address | undefined,
  allowUnprotectedTransactions: false,
  throwOnTransactionFailures: false,
  safeLag: 32,
  finalizedLag: 64,
  automineBlocks: 'single' as NodeConfig['automineBlocks'],
  pendingContents: 'preconfirmed' as PendingContents,
  pendingIdentity: 'partial' as PendingIdentity,
  gasEstimationMode: 'topLevelSuccess' as GasEstimationMode,
  logBlockRange: 2000,
  stepsPerCall: 20_000_000,
}

export type FlavorDefaults = Readonly<typeof COMMON>

/** Hardhat's of london is that of the fork before (EIP-3554 has 9.7 million). */
const HARDHAT_BOMB_DELAYS = {
  byzantium: 3_000_000,
  constantinople: 5_000_000,
  petersburg: 5_000_000,
  istanbul: 5_000_000,
  muirGlacier: 9_000_000,
  berlin: 9_000_000,
  london: 9_000_000,
  arrowGlacier: 10_700_000,
  grayGlacier: 11_400_000,
}

const HARDHAT: FlavorDefaults = {
  hardfork: 'osaka',
  bombDelays: HARDHAT_BOMB_DELAYS,
  accountCount: 20,
  genesisCoinbase: ZERO_ADDRESS,
  genesisExtraData: '0x1234',
  coinbase: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
  allowUnprotectedTransactions: true,
  throwOnTransactionFailures: true,
  safeLag: 0,
  finalizedLag: 0,
  automineBlocks: 'full',
  pendingContents: 'pool',
  pendingIdentity: 'unnumbered',
  gasEstimationMode: 'noInternalOutOfGas',
  logBlockRange: Number.MAX_SAFE_INTEGER,
  stepsPerCall: Number.MAX_SAFE_INTEGER,
}

export function defaultsOf(flavor: Flavor): FlavorDefaults {
  return flavor === 'hardhat' ? HARDHAT : COMMON
}

/** Limits on what one call or the pool may take. */
export interface LimitOptions {
  /**
   * Blocks that one call may seal, or partial blocks that it may pass if no block falls due. Default 20,000,000;
   * no limit in the flavor 'hardhat'. Apart from it, `advance` performs at most 1,000,000 steps that are not part of a run of empty blocks.
   */
  readonly stepsPerCall?: number
  /** Transactions that the pool holds. Default 100,000. */
  readonly poolTransactions?: number
  /** Bytes of a transaction. Default 131,072, as in geth. */
  readonly transactionBytes?: number
  /** Per cent by which a replacement must raise fee cap and tip. Default 10. */
  readonly replacementBumpPercent?: number
  /** Least tip in wei per gas. Default 0. */
  readonly minimumTip?: Amount
  /** Most gas of a transaction, or 'none'. Default: that of the hardfork, 16,777,216 from osaka on (EIP-7825). */
  readonly transactionGas?: Amount | 'none'
  /** Most wei that a transaction may pay in fees; 0 for no limit. Default 0. */
  readonly transactionFee?: Amount
  /**
   * Most gas of a call, an estimate or all calls of a simulation together, as geth's `--rpc.gascap`. One that asks for
   * more gets this much. Default 50,000,000; for calls and estimates the block gas limit if that is higher, but at most
   * 1,000,000,000.
   */
  readonly callGas?: number
  /**
   * Bytes that the traces of one request may hold: 32 for a word of the stack, memory, call data and so on. Default
   * 256 MiB.
   */
  readonly traceBytes?: number
  /** Blocks that one log query may span. Default 2000, the specification's recommendation; no limit in the flavor 'hardhat'. */
  readonly logBlockRange?: number
  /** Calls, events, writes to storage and hashes in a trace of `chain.trace`; the rest is left out. Default 100,000. */
  readonly traceEntries?: number
  /** Transactions that one call of trace_filter or ots_search… may execute again. Default 10,000. */
  readonly replayedTransactions?: number
  /** Requests in a batch. Default 1000, as in geth. */
  readonly batchLength?: number
  /**
   * Gas that the requests of a batch may use together, in calls, traces and blocks: once they have used more, those that
   * follow are refused with -32005. Default 1,000,000,000.
   */
  readonly batchGas?: number
  /**
   * Bytes that the results of a batch may have together: once they have more, requests that follow are refused with
   * -32003. Default 25,000,000, as in geth.
   */
  readonly batchResponseBytes?: number
  /** Bytes of a request body. Default 5 MiB, as in geth. */
  readonly bodyBytes?: number
  /** Longest and default wait of eth_sendRawTransactionSync, in virtual milliseconds. Default 6000. */
  readonly syncTimeoutMs?: number
}

export function gasOr<const Word extends string>(word: Word): Codec<bigint | Word, Amount | Word> {
  const { decode } = amountUpTo(MAX_UINT64)
  return { name: 'gas limit', decode: (value, path) => (value === word ? word : decode(value, path)) }
}

const count = numberFrom(1)

export function resolveLimits(value: unknown, { stepsPerCall, logBlockRange }: FlavorDefaults) {
  return decodeFields(value === undefined ? {} : value, 'limits', {
    stepsPerCall: or(count, stepsPerCall),
    poolTransactions: or(count, 100_000),
    transactionBytes: or(count, 131_072),
    replacementBumpPercent: or(numberFrom(0, 1000), 10),
    minimumTip: or(anyAmount, 0n),
    transactionGas: gasOr('none'),
    transactionFee: or(anyAmount, 0n),
    callGas: numberFrom(21_000),
    traceBytes: or(count, 256 * 1024 * 1024),
    logBlockRange: or(count, logBlockRange),
    traceEntries: or(count, 100_000),
    replayedTransactions: or(count, 10_000),
    batchLength: or(count, 1000),
    batchGas: or(count, 1_000_000_000),
    batchResponseBytes: or(count, 25_000_000),
    bodyBytes: or(count, 5 * 1024 * 1024),
    syncTimeoutMs: or(count, 6000),
  } satisfies Record<keyof LimitOptions, Codec<unknown>>)
}
