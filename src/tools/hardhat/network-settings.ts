// The settings of a simulated network of Hardhat 3, as options of an emulator.

import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { EmulatorOptions } from '../../core/emulator/options/options.ts'
import { bytesToHex, type Hex } from '../../core/primitives/hex.ts'
import type { OpFork } from '../../core/rollup/op/forks.ts'
import { DEFAULT_STACK } from '../../core/rollup/stacks.ts'
import { HARDFORKS } from './config-hooks.ts'

/** The gas limit of blocks without one. Calls have at most as much. */
const UNLIMITED_BLOCK_GAS = 1_000_000_000n

const DEFAULT_BLOCK_GAS = 60_000_000n

/** EIP-7825, from osaka on. */
const TRANSACTION_GAS_CAP = 16_777_216n

type Fields = Omit<EdrNetworkConfig, 'tickchain'>

export type UpstreamOption = NonNullable<NonNullable<EmulatorOptions['fork']>['upstream']>

export type UpstreamAt<Result = UpstreamOption | Promise<UpstreamOption>> = (
  url: string,
  headers: Readonly<Record<string, string>>,
) => Result

/** Options that a field stands for, or that Hardhat itself heeds it: it changes requests before the chain sees them. */
type Setting<Value> =
  | 'by Hardhat'
  | ((value: Value, network: Fields, upstreamAt: UpstreamAt) => EmulatorOptions | Promise<EmulatorOptions>)

function isForking({ forking }: Fields): boolean {
  return forking?.enabled === true
}

async function accountOptions(accounts: Fields['accounts']): Promise<EmulatorOptions> {
  if (Array.isArray(accounts)) {
    const given = accounts.map(async ({ privateKey, balance }) => {
      return { privateKey: (await privateKey.getHexString()) as Hex, balance }
    })
    return { accounts: await Promise.all(given) }
  }
  const { count, initialIndex, path, accountsBalance: balance } = accounts
  const [mnemonic, passphrase] = await Promise.all([accounts.mnemonic.get(), accounts.passphrase.get()])
  return { accounts: { mnemonic, passphrase, path, initialIndex, count, balance } }
}

/** Seconds since the epoch, as Hardhat reads a date: a text without a time zone is local. */
function secondsOf(date: string | { getTime(): number }): number {
  // biome-ignore lint/style/noRestrictedGlobals: a date of the configuration, not the clock
  return Math.floor((typeof date === 'string' ? Date.parse(date) : date.getTime()) / 1000)
}

function miningOptions({ auto, interval, mempool }: Fields['mining']): EmulatorOptions {
  const ordering = mempool.order === 'priority' ? 'fees' : 'fifo'
  if (auto || interval === 0 || typeof interval !== 'number')
    return { ordering, production: auto ? 'auto' : 'manual' }
  const times = { blockTimeMs: interval, partialBlockTimeMs: Math.min(interval, 200) }
  return { ordering, production: 'interval', ...times }
}

async function forkOptions(
  { enabled, url, blockNumber, httpHeaders = {} }: NonNullable<Fields['forking']>,
  _network: Fields,
  upstreamAt: UpstreamAt,
): Promise<EmulatorOptions> {
  if (!enabled) return {}
  const upstream = await upstreamAt(await url.getUrl(), httpHeaders)
  return { fork: { upstream, block: blockNumber ?? 'latest' } }
}

/** Every field of Hardhat's type, which a test compares with that of the installed Hardhat. */
const SETTINGS: { readonly [Key in keyof Required<Fields>]: Setting<NonNullable<Fields[Key]>> } = {
  type: () => ({ flavor: 'hardhat' }),
  from: 'by Hardhat',
  gas: 'by Hardhat',
  gasMultiplier: 'by Hardhat',
  gasPrice: 'by Hardhat',
  accounts: accountOptions,
  chainId: (chainId) => ({ chainId }),
  // Only decides what `hardfork` means.
  chainType: () => ({}),
  allowBlocksWithSameTimestamp: (allowBlocksWithSameTimestamp) => ({ allowBlocksWithSameTimestamp }),
  allowUnlimitedContractSize: (allowUnlimitedContractSize) => ({ allowUnlimitedContractSize }),
  blockGasLimit: (limit, network) =>
    isForking(network) ? {} : { genesis: { gasLimit: limit === false ? UNLIMITED_BLOCK_GAS : limit } },
  coinbase: (coinbase) => ({ coinbase: bytesToHex(coinbase) }),
  forking: forkOptions,
  gasEstimationMode: (gasEstimationMode) => ({ gasEstimationMode }),
  hardfork(hardfork, network) {
    if (network.chainType !== 'op') return { hardfork: hardfork as NonNullable<EmulatorOptions['hardfork']> }
    // The upstream shows the forks of a rollup.
    return { rollup: { stack: DEFAULT_STACK, ...(isForking(network) ? {} : { fork: hardfork as OpFork }) } }
  },
  initialBaseFeePerGas: (baseFeePerGas, network) =>
    isForking(network) ? {} : { genesis: { baseFeePerGas } },
  initialDate: (date, network) => (isForking(network) ? {} : { genesis: { timestamp: secondsOf(date) } }),
  // The plugin prints requests itself.
  loggingEnabled: () => ({}),
  minGasPrice: (minimumTip) => ({ limits: { minimumTip } }),
  mining: miningOptions,
  networkId: (networkId) => ({ networkId }),
  throwOnCallFailures: (throwOnCallFailures) => ({ throwOnCallFailures }),
  throwOnTransactionFailures: (throwOnTransactionFailures) => ({ throwOnTransactionFailures }),
  transactionGasCap: (cap) => ({ limits: { transactionGas: cap === false ? 'none' : cap } }),
}

export const NETWORK_FIELDS = Object.keys(SETTINGS) as readonly (keyof Fields)[]

/** Options that are objects, whose fields are joined. */
const NESTED = ['genesis', 'limits', 'fork'] as const

function joined(into: EmulatorOptions, from: EmulatorOptions): EmulatorOptions {
  const nested = NESTED.flatMap((name) =>
    into[name] === undefined || from[name] === undefined ? [] : [[name, { ...into[name], ...from[name] }]],
  )
  return { ...into, ...from, ...Object.fromEntries(nested) }
}

/** The options of the chain of a network; those of its field `tickchain` come last. */
export async function optionsOf(network: Fields, own: EmulatorOptions, upstreamAt: UpstreamAt) {
  let options: EmulatorOptions = {}
  for (const field of NETWORK_FIELDS) {
    const setting = SETTINGS[field] as Setting<unknown>
    const value = network[field]
    if (setting === 'by Hardhat' || value === undefined) continue
    options = joined(options, await setting(value, network, upstreamAt))
  }
  return joined(options, own)
}

/** The gas of a transaction without one where it cannot be estimated, as Hardhat chooses it. */
export function defaultTransactionGas(network: Fields): bigint {
  const { blockGasLimit, chainType, hardfork, transactionGasCap } = network
  if (typeof transactionGasCap === 'bigint') return transactionGasCap
  const isCapped = chainType !== 'op' && HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf('osaka')
  if (transactionGasCap === undefined && isCapped) return TRANSACTION_GAS_CAP
  return typeof blockGasLimit === 'bigint' ? blockGasLimit : DEFAULT_BLOCK_GAS
}

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Sends the settings of a network beyond options as requests to the new chain. */
export async function finishChain({ mining, forking, ...network }: Fields, ask: Ask): Promise<void> {
  const { auto, interval } = mining
  if (interval !== 0 && (auto || typeof interval !== 'number')) await ask('evm_setIntervalMining', [interval])
  if (forking?.enabled !== true) return
  const { blockGasLimit = DEFAULT_BLOCK_GAS, initialBaseFeePerGas } = network
  const gasLimit = blockGasLimit === false ? UNLIMITED_BLOCK_GAS : blockGasLimit
  await ask('evm_setBlockGasLimit', [`0x${gasLimit.toString(16)}`])
  if (initialBaseFeePerGas !== undefined)
    await ask('hardhat_setNextBlockBaseFeePerGas', [`0x${initialBaseFeePerGas.toString(16)}`])
}
