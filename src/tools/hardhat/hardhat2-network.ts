// The network `hardhat` of Hardhat 2 as the settings of one of Hardhat 3, of which it has fewer.

import type { EdrNetworkConfig, ResolvedConfigurationVariable } from 'hardhat/types/config'
import { type Hex, hexToBytes } from '../../core/primitives/hex.ts'
import { HARDFORKS, refusalsOf, type UserNetworkOptions } from './config-hooks.ts'

type Accounts2 = Readonly<
  Record<'mnemonic' | 'path' | 'accountsBalance' | 'passphrase', string> &
    Record<'initialIndex' | 'count', number>
>

/** Settings that Hardhat 3 has, too. */
const SAME = [
  ...(['hardfork', 'mining', 'minGasPrice', 'loggingEnabled', 'allowUnlimitedContractSize'] as const),
  ...(['throwOnTransactionFailures', 'throwOnCallFailures'] as const),
] as const

/** The configuration of Hardhat 2's network, resolved. */
export interface Network2 extends Readonly<Pick<EdrNetworkConfig, (typeof SAME)[number]>> {
  readonly chainId: number
  readonly initialBaseFeePerGas?: number
  readonly accounts: Accounts2 | readonly { readonly privateKey: string; readonly balance: string }[]
  readonly blockGasLimit: number
  readonly initialDate: string
  readonly forking?: {
    readonly enabled: boolean
    readonly url: string
    readonly blockNumber?: number
    readonly httpHeaders?: Record<string, string>
  }
  readonly coinbase?: string
  readonly allowBlocksWithSameTimestamp?: boolean
  readonly enableTransientStorage?: boolean
  readonly enableRip7212?: boolean
  readonly tickchain?: UserNetworkOptions
}

type Fields = Omit<EdrNetworkConfig, 'tickchain'>

/** By which solidity-coverage says that there is no limit, as Hardhat 2 reads it. */
const COVERAGE_BLOCK_GAS = 0x1fffffffffffff

function constant(value: string): ResolvedConfigurationVariable {
  const get = async (): Promise<string> => value
  return { get, getUrl: get, getHexString: get } as ResolvedConfigurationVariable
}

function accountsOf(accounts: Network2['accounts']): Fields['accounts'] {
  if ('mnemonic' in accounts) {
    const { mnemonic, passphrase, accountsBalance, ...rest } = accounts
    const secrets = { mnemonic: constant(mnemonic), passphrase: constant(passphrase) }
    return { ...rest, ...secrets, accountsBalance: BigInt(accountsBalance) }
  }
  return accounts.map(({ privateKey, balance }) => {
    return { privateKey: constant(privateKey), balance: BigInt(balance) }
  })
}

function forkingOf(forking: NonNullable<Network2['forking']>): NonNullable<Fields['forking']> {
  const { enabled, url, blockNumber, httpHeaders } = forking
  return {
    enabled,
    url: constant(url),
    cacheDir: '',
    ...(blockNumber === undefined ? {} : { blockNumber: BigInt(blockNumber) }),
    ...(httpHeaders === undefined ? {} : { httpHeaders }),
  }
}

/** The settings in the terms of Hardhat 3. What Hardhat 2 heeds itself has no effect here. */
export function toNetwork3(network: Network2): Fields {
  const { blockGasLimit, coinbase, forking, initialBaseFeePerGas } = network
  const isUnlimited = blockGasLimit === COVERAGE_BLOCK_GAS
  return {
    type: 'edr-simulated',
    gas: 'auto',
    gasMultiplier: 1,
    gasPrice: 'auto',
    chainId: network.chainId,
    networkId: network.chainId,
    ...(Object.fromEntries(SAME.map((name) => [name, network[name]])) as Pick<Fields, (typeof SAME)[number]>),
    accounts: accountsOf(network.accounts),
    blockGasLimit: isUnlimited ? false : BigInt(blockGasLimit),
    ...(isUnlimited ? { transactionGasCap: false as const } : {}),
    allowBlocksWithSameTimestamp: network.allowBlocksWithSameTimestamp ?? false,
    gasEstimationMode: 'topLevelSuccess',
    initialDate: network.initialDate,
    coinbase: hexToBytes((coinbase ?? '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e') as Hex),
    ...(initialBaseFeePerGas === undefined ? {} : { initialBaseFeePerGas: BigInt(initialBaseFeePerGas) }),
    ...(forking === undefined ? {} : { forking: forkingOf(forking) }),
  }
}

/** Why the chain cannot have the settings, by their names. */
export function refusals2Of(network: Network2): string[] {
  const { hardfork, enableRip7212, tickchain = true } = network
  const own = tickchain === true ? {} : tickchain
  const refusals = refusalsOf({ ...toNetwork3(network), tickchain: own }, 'generic').map(
    ([field, reason]) => `networks.hardhat.${field}: ${reason}`,
  )
  if (enableRip7212 === true && HARDFORKS.indexOf(hardfork) < HARDFORKS.indexOf('osaka'))
    refusals.push(
      "networks.hardhat.enableRip7212: tickchain has the precompile of RIP-7212 in the hardfork 'osaka' only",
    )
  return refusals
}
