// Functions of the emulator for blocks.

import type { NodeState, Production } from '../../node/node-state.ts'
import { closePartialNow } from '../../node/production/block-production.ts'
import * as settings from '../../node/production/block-settings.ts'
import * as mining from '../../node/production/mine.ts'
import type { Address, Hash, Hex } from '../../primitives/hex.ts'
import { MAX_GAS_LIMIT } from '../../primitives/numbers.ts'
import { address, arrayOf, boolean, bytesOf, hash } from '../../rpc/codecs/basic.ts'
import { type Amount, amountUpTo, anyAmount, number, numberFrom } from '../../rpc/codecs/codec.ts'
import { need, objectCodec, production, type ValueOf } from '../../rpc/codecs/object.ts'
import { arg, control } from './define.ts'

/** The timestamps of the blocks that `mine` seals. */
export interface MineOptions {
  /**
   * The first block's, in seconds since the Unix epoch. Default: in `'interval'` production when the block is due, a
   * block time after it opened; else the clock's time, or the least that is allowed if that is later.
   */
  readonly timestamp?: number
  /**
   * Seconds between the blocks, from 1. Without a timestamp, the first block's timestamp is the clock plus this, unless
   * pre-confirmed transactions have already seen its time. Default: the block time in `'interval'` production, else the
   * least that is allowed, usually a second.
   */
  readonly intervalSeconds?: number
}

/** Seals blocks, and sets when blocks are sealed and what their headers contain. */
export interface MiningControls {
  /**
   * Seals blocks now, the first with all transactions that fit.
   *
   * @param count Blocks, a whole number from 0. Default 1.
   * @param options Their timestamps.
   * @throws TickchainError `invalidCall`, `tooManySteps`, `timestampTooLow`, `timestampTooHigh`, `timeOutOfRange`
   *   or `blockBegun`; nothing has changed then
   * @see `anvil_mine`, `hardhat_mine`
   * @example
   * await chain.mine(10, { intervalSeconds: 60 })
   * await chain.request({ method: 'eth_blockNumber' }) // => '0xa'
   */
  mine(count?: number, options?: MineOptions): Promise<void>
  /**
   * Closes a partial block now, in every `production`: what fits is pre-confirmed, the clock stays where it is, and
   * partial blocks fall due as before. With hashes, the partial block holds exactly these pooled transactions, in this
   * order.
   *
   * @param hashes Hashes of 32 bytes. Default: what the pool offers, in the order of `ordering` or the scheduler.
   * @throws TickchainError `invalidCall`, `notPooled` or `partialNotExecutable`; nothing has changed then
   * @example
   * await chain.closePartial([hash])
   * const outcome = await chain.outcome(hash)
   * outcome?.blockNumber // => 1
   */
  closePartial(hashes?: readonly Hash[]): Promise<void>
  /**
   * Changes the option `production`: blocks fall due on the clock (`'interval'`), each transaction is sealed at once
   * (`'auto'`), or blocks are sealed only on command (`'manual'`).
   *
   * @param production One of the three.
   * @throws TickchainError `invalidCall` or `timeOutOfRange`
   * @example
   * await chain.setProduction('auto')
   * const [from, to] = await chain.listAccounts()
   * const sent = await chain.request({ method: 'eth_sendTransaction', params: [{ from, to }] })
   * const outcome = await chain.outcome(sent)
   * outcome?.status // => 'success'
   */
  setProduction(production: Production): Promise<void>
  /**
   * Turns automine on or off: each accepted transaction is sealed at once. Blocks that fall due on the clock are a
   * separate setting. Transactions already in the pool are sealed with the next one.
   *
   * @param isEnabled Whether it is on.
   * @throws TickchainError `invalidCall`
   * @see `evm_setAutomine`
   * @example
   * await chain.setAutomine(true)
   * await chain.request({ method: 'anvil_getAutomine' }) // => true
   */
  setAutomine(isEnabled: boolean): Promise<void>
  /**
   * Makes a block fall due at a fixed interval of virtual time, the first one interval from now. Partial blocks still
   * fall due in between.
   *
   * @param period Milliseconds, a whole number; 0 stops it.
   * @throws TickchainError `invalidCall` or `timeOutOfRange`
   * @see `evm_setIntervalMining`
   * @example
   * await chain.setIntervalMining({ ms: 12_000 })
   * await chain.advance(24_000)
   * await chain.request({ method: 'eth_blockNumber' }) // => '0x2'
   */
  setIntervalMining(period: { readonly ms: number }): Promise<void>
  /**
   * Sets the recipient of tips; a block that has begun keeps its own.
   *
   * @param address 20 bytes of hex.
   * @throws TickchainError `invalidCall`
   * @see `hardhat_setCoinbase`
   * @example
   * await chain.setCoinbase('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
   * await chain.request({ method: 'eth_coinbase' }) // => '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
   */
  setCoinbase(address: Address): Promise<void>
  /**
   * Sets the gas limit of blocks; one that has begun keeps its own. Pooled transactions above it are dropped.
   *
   * @param gasLimit Gas, above 0, up to 2⁶³ - 1.
   * @throws TickchainError `invalidCall` or `blockGasLimitZero`
   * @see `evm_setBlockGasLimit`
   * @example
   * await chain.setBlockGasLimit(30_000_000)
   * const { gasLimit } = await chain.nodeInfo()
   * gasLimit // => 30_000_000n
   */
  setBlockGasLimit(gasLimit: Amount): Promise<void>
  /**
   * Sets the base fee of the next block only; later ones follow by EIP-1559.
   *
   * @param weiPerGas Wei per gas.
   * @throws TickchainError `invalidCall`, `blockBegun`, or `needsBaseFee` before london
   * @see EIP-1559, `hardhat_setNextBlockBaseFeePerGas`
   * @example
   * await chain.setNextBlockBaseFee(10n ** 9n)
   * const { baseFeePerGas } = await chain.nodeInfo()
   * baseFeePerGas // => 10n ** 9n
   */
  setNextBlockBaseFee(weiPerGas: Amount): Promise<void>
  /**
   * Sets prevRandao of the next block only; later values are derived from it.
   *
   * @param prevRandao 32 bytes of hex.
   * @throws TickchainError `invalidCall`, `blockBegun`, or `needsMerge` before paris
   * @see EIP-4399, `hardhat_setPrevRandao`
   * @example
   * const prevRandao = '0x000000000000000000000000000000000000000000000000000000000000002a'
   * await chain.setNextBlockPrevRandao(prevRandao)
   * await chain.mine()
   * const block = await chain.request('eth_getBlockByNumber', ['latest', false])
   * block?.mixHash // => prevRandao
   */
  setNextBlockPrevRandao(prevRandao: Hash): Promise<void>
  /**
   * Sets the extra data of blocks; one that has begun keeps its own.
   *
   * @param extraData Up to 32 bytes, as bytes or hex.
   * @throws TickchainError `invalidCall` or `extraDataTooLong`
   * @see `miner_setExtra`
   * @example
   * await chain.setExtraData('0x7469636b')
   * await chain.mine()
   * const block = await chain.request('eth_getBlockByNumber', ['latest', false])
   * block?.extraData // => '0x7469636b'
   */
  setExtraData(extraData: Hex | Uint8Array): Promise<void>
  /**
   * Sets the least tip that the pool accepts, instead of the option `limits.minimumTip`. Pooled transactions stay; fee
   * suggestions follow it.
   *
   * @param weiPerGas Wei per gas.
   * @throws TickchainError `invalidCall`
   * @see `miner_setGasPrice`
   * @example
   * await chain.setMinimumTip(3n * 10n ** 9n)
   * await chain.request({ method: 'eth_maxPriorityFeePerGas' }) // => '0xb2d05e00'
   */
  setMinimumTip(weiPerGas: Amount): Promise<void>
  /**
   * Sets the least gas price that the pool accepts, on a chain without base fees.
   *
   * @param weiPerGas Wei per gas.
   * @throws TickchainError `invalidCall`, or `replacedByBaseFee` from london on
   * @see `hardhat_setMinGasPrice`
   * @example
   * const early = await createEmulator({ hardfork: 'berlin' })
   * await early.setMinGasPrice(10n ** 9n)
   */
  setMinGasPrice(weiPerGas: Amount): Promise<void>
  /**
   * Sets the chain id, also of the block being built; emits `chainChanged`. Pooled transactions that are signed for
   * another id wait.
   *
   * @param chainId A whole number from 1.
   * @throws TickchainError `invalidCall`
   * @see EIP-155, `anvil_setChainId`
   * @example
   * await chain.setChainId(10)
   * await chain.request({ method: 'eth_chainId' }) // => '0xa'
   */
  setChainId(chainId: number): Promise<void>
}

const mineOptions = objectCodec({
  timestamp: number,
  intervalSeconds: numberFrom(1),
})

export const MINE_ARGUMENTS = [
  arg('count', number, 1),
  arg('options', mineOptions, { timestamp: undefined, intervalSeconds: undefined }),
] as const

export function orderToMine(
  state: NodeState,
  count: number,
  { timestamp, intervalSeconds }: ValueOf<typeof mineOptions>,
): mining.MiningOrder {
  if (timestamp !== undefined || intervalSeconds === undefined)
    return { count, timestamp, intervalS: intervalSeconds }
  return mining.spacedOrder(state, count, intervalSeconds)
}

export const miningControls = {
  mine: control(MINE_ARGUMENTS, (state, count, options) =>
    mining.mineBlocks(state, orderToMine(state, count, options)),
  ),
  closePartial: control([arg('hashes', arrayOf(hash), undefined)], closePartialNow),
  setProduction: control([arg('production', production)], mining.setProduction),
  setAutomine: control([arg('isEnabled', boolean)], mining.setAutomine),
  setIntervalMining: control([arg('period', objectCodec({ ms: need(number) }))], (state, { ms }) =>
    ms === 0 ? mining.stopSealingOnTime(state) : mining.sealOnTime(state, ms),
  ),
  setCoinbase: control([arg('address', address)], settings.setCoinbase),
  setBlockGasLimit: control([arg('gasLimit', amountUpTo(MAX_GAS_LIMIT))], settings.setBlockGasLimit),
  setNextBlockBaseFee: control([arg('weiPerGas', anyAmount)], (state, baseFee) =>
    settings.setNextBaseFee(state, baseFee, 'setNextBlockBaseFee'),
  ),
  setNextBlockPrevRandao: control([arg('prevRandao', hash)], (state, prevRandao) =>
    settings.setNextPrevRandao(state, prevRandao, 'setNextBlockPrevRandao'),
  ),
  setExtraData: control([arg('extraData', bytesOf())], (state, bytes) =>
    settings.setExtraData(state, bytes, 'setExtraData'),
  ),
  setMinimumTip: control([arg('weiPerGas', anyAmount)], settings.setMinimumTip),
  setMinGasPrice: control([arg('weiPerGas', anyAmount)], (state, price) =>
    settings.setMinimumGasPrice(state, price, 'refused', 'setMinGasPrice'),
  ),
  setChainId: control([arg('chainId', numberFrom(1))], settings.setChainId),
}
