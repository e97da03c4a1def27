// Functions of the emulator for mining and the settings of blocks.

import { unchanged } from '../../node/events.ts'
import type { Node } from '../../node/node.ts'
import type { NodeConfig, NodeState, Production } from '../../node/node-state.ts'
import {
  setBlockGasLimit,
  setChainId,
  setCoinbase,
  setExtraData,
  setMinimumGasPrice,
  setMinimumTip,
  setNextBaseFee,
  setNextPrevRandao,
} from '../../node/production/block-settings.ts'
import { type MiningOrder, mineBlocks, spacedOrder } from '../../node/production/mine.ts'
import {
  sealOnTime,
  setAutomine,
  setProduction,
  stopSealingOnTime,
} from '../../node/production/mining-mode.ts'
import type { Address, Hash, Hex } from '../../primitives/hex.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import { address, asRecord, boolean, bytesOf, hash, needed } from '../../rpc/codecs/basic.ts'
import type { Codec } from '../../rpc/codecs/codec.ts'
import { type Amount, amountUpTo, anyAmount, number, numberFrom } from '../../rpc/codecs/numbers.ts'
import { production } from '../../rpc/codecs/scheduling.ts'
import { argument, option, optionalArgument } from '../checks.ts'

/** What time the blocks have that `mine` seals. */
export interface MineOptions {
  /** Of the first block, in seconds since the Unix epoch. */
  readonly timestamp?: number
  /**
   * Seconds from each block to the next. Without a timestamp the first stands as long after the clock, unless
   * pre-confirmed transactions have seen its time already.
   */
  readonly intervalSeconds?: number
}

/** Seals blocks, and decides when they are sealed by themselves and what is in their headers. */
export interface MiningControls {
  /**
   * Seals blocks now, one if no count is given, the first with all that fits into it.
   *
   * @throws TickchainError `invalidCall`, `tooManySteps`, `timestampTooLow`, `timestampTooHigh`, `timeOutOfRange`
   * or `blockBegun`; nothing has changed then
   * @example
   * await chain.mine()
   * await chain.mine(10, { intervalSeconds: 60 })
   */
  mine(count?: number, options?: MineOptions): Promise<void>
  /**
   * Decides anew what the option `production` decides: `'interval'`, `'auto'` or `'manual'`.
   *
   * @throws TickchainError `invalidCall` or `timeOutOfRange`
   * @example
   * await chain.setProduction('auto')
   */
  setProduction(production: Production): Promise<void>
  /**
   * Whether every transaction is sealed at once, whether or not blocks fall due on the clock besides. What waits
   * is not sealed by this, but with the next transaction.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setAutomine(true)
   */
  setAutomine(isEnabled: boolean): Promise<void>
  /**
   * Lets a block fall due every so many milliseconds of virtual time, the first that long from now; zero stops
   * it. Partial blocks go on falling due in between.
   *
   * @throws TickchainError `invalidCall` or `timeOutOfRange`
   * @example
   * await chain.setIntervalMining({ ms: 12_000 })
   */
  setIntervalMining(period: { readonly ms: number }): Promise<void>
  /**
   * Sets who receives the tips; a block that has begun keeps whom it has.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setCoinbase('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
   */
  setCoinbase(address: Address): Promise<void>
  /**
   * Sets the gas limit of blocks; one that has begun keeps its own. Pooled transactions that ask for more are
   * dropped.
   *
   * @throws TickchainError `invalidCall` or `blockGasLimitZero`
   * @example
   * await chain.setBlockGasLimit(30_000_000)
   */
  setBlockGasLimit(gasLimit: Amount): Promise<void>
  /**
   * Fixes the base fee of the next block alone, in wei per gas; those after it follow by EIP-1559.
   *
   * @throws TickchainError `invalidCall`, `blockBegun`, or `needsBaseFee` before london
   * @example
   * await chain.setNextBlockBaseFee(10n ** 9n)
   */
  setNextBlockBaseFee(weiPerGas: Amount): Promise<void>
  /**
   * Fixes prevRandao of the next block alone; those after it go on from there.
   *
   * @throws TickchainError `invalidCall`, `blockBegun`, or `needsMerge` before paris
   * @example
   * await chain.setNextBlockPrevRandao(`0x${'2a'.padStart(64, '0')}`)
   */
  setNextBlockPrevRandao(prevRandao: Hash): Promise<void>
  /**
   * Sets the extra data of blocks, up to 32 bytes; one that has begun keeps its own.
   *
   * @throws TickchainError `invalidCall` or `extraDataTooLong`
   * @example
   * await chain.setExtraData('0x7469636b')
   */
  setExtraData(extraData: Hex | Uint8Array): Promise<void>
  /**
   * Sets the least tip that the pool takes, in wei per gas, instead of the option `limits.minimumTip`; what waits
   * already stays. Fee suggestions follow.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setMinimumTip(10n ** 9n)
   */
  setMinimumTip(weiPerGas: Amount): Promise<void>
  /**
   * Sets the least gas price that the pool takes, in wei, where blocks have no base fee.
   *
   * @throws TickchainError `invalidCall`, or `replacedByBaseFee` from london on
   * @example
   * const early = await createEmulator({ hardfork: 'berlin' })
   * await early.setMinGasPrice(10n ** 9n)
   */
  setMinGasPrice(weiPerGas: Amount): Promise<void>
  /**
   * Sets the chain id, at once and in the block being built too; told as the event `chainChanged`. Transactions
   * that are signed for another one wait in the pool.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setChainId(10)
   */
  setChainId(chainId: number): Promise<void>
}

const mineOptions: Codec<MineOptions, MineOptions> = {
  name: 'object with timestamp and intervalSeconds',
  decode(value, path) {
    const record = asRecord(value, path)
    const timestamp = option(record, 'timestamp', number, undefined, path)
    const intervalSeconds = option(record, 'intervalSeconds', numberFrom(1), undefined, path)
    return {
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(intervalSeconds === undefined ? {} : { intervalSeconds }),
    }
  },
}

const period: Codec<number, { readonly ms: number }> = {
  name: 'object with ms',
  decode: (value, path) => needed(asRecord(value, path), 'ms', number, path),
}

const gas = amountUpTo(MAX_UINT64)
const extraBytes = bytesOf()

function orderOf(state: NodeState, count: number, { timestamp, intervalSeconds }: MineOptions): MiningOrder {
  if (timestamp !== undefined || intervalSeconds === undefined) {
    return { count, timestamp, intervalS: intervalSeconds }
  }
  return spacedOrder(state, count, intervalSeconds)
}

/** Decodes the arguments of a call that mines; they become a mining order when the state is known. */
export function resolveMining(
  call: string,
  count: number | undefined,
  options: MineOptions | undefined,
): (state: NodeState) => MiningOrder {
  const blocks = optionalArgument(call, 'count', count, number, 1)
  const mining = optionalArgument(call, 'options', options, mineOptions, {})
  return (state) => orderOf(state, blocks, mining)
}

/** The controls of a node's mining. */
export function miningControls(node: Node): MiningControls {
  const { config } = node
  const change = (edit: (state: NodeState, config: NodeConfig) => NodeState): Promise<undefined> =>
    node.execute((state) => unchanged(edit(state, config)))
  return {
    async mine(count, options) {
      const order = resolveMining('mine', count, options)
      await node.execute((state) => mineBlocks(config, state, order(state)))
    },
    async setProduction(given) {
      const asked = argument('setProduction', 'production', given, production)
      await change((state) => setProduction(state, asked))
    },
    async setAutomine(isEnabled) {
      const automines = argument('setAutomine', 'isEnabled', isEnabled, boolean)
      await change((state) => setAutomine(state, automines))
    },
    async setIntervalMining(given) {
      const ms = argument('setIntervalMining', 'period', given, period)
      await change((state) => (ms === 0 ? stopSealingOnTime(state) : sealOnTime(state, ms)))
    },
    async setCoinbase(given) {
      const coinbase = argument('setCoinbase', 'address', given, address)
      await change((state) => setCoinbase(state, coinbase))
    },
    async setBlockGasLimit(gasLimit) {
      const limit = argument('setBlockGasLimit', 'gasLimit', gasLimit, gas)
      await change((state) => setBlockGasLimit(state, limit))
    },
    async setNextBlockBaseFee(weiPerGas) {
      const baseFee = argument('setNextBlockBaseFee', 'weiPerGas', weiPerGas, anyAmount)
      await change((state) => setNextBaseFee(config, state, baseFee, 'setNextBlockBaseFee'))
    },
    async setNextBlockPrevRandao(prevRandao) {
      const value = argument('setNextBlockPrevRandao', 'prevRandao', prevRandao, hash)
      await change((state) => setNextPrevRandao(config, state, value, 'setNextBlockPrevRandao'))
    },
    async setExtraData(extraData) {
      const bytes = argument('setExtraData', 'extraData', extraData, extraBytes).slice()
      await change((state) => setExtraData(state, bytes))
    },
    async setMinimumTip(weiPerGas) {
      const tip = argument('setMinimumTip', 'weiPerGas', weiPerGas, anyAmount)
      await change((state) => setMinimumTip(state, tip))
    },
    async setMinGasPrice(weiPerGas) {
      const price = argument('setMinGasPrice', 'weiPerGas', weiPerGas, anyAmount)
      await change((state) => setMinimumGasPrice(config, state, price, 'setMinGasPrice'))
    },
    async setChainId(chainId) {
      const id = argument('setChainId', 'chainId', chainId, numberFrom(1))
      await change((state) => setChainId(config, state, id))
    },
  }
}
