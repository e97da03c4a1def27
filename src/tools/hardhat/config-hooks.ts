// The part of the plugin for Hardhat's configuration. It loads nothing of the chain: every task of Hardhat reads it.

import type { EdrNetworkConfig, HardhatConfig, HardhatUserConfig } from 'hardhat/types/config'
import type { ConfigHooks, HardhatConfigValidationError } from 'hardhat/types/hooks'
import type { EmulatorOptions } from '../../core/emulator/options/options.ts'

/** Source of a network's time, besides calls. */
type Clock = (typeof CLOCKS)[number]

const CLOCKS = ['virtual', 'wall', 'real'] as const

/** Fields of a network's `tickchain` besides options of `createEmulator`. */
interface ClockOptions {
  /**
   * Source of time besides calls: nothing ('virtual'), so that every run has the same blocks, from 2024-01-01 if there
   * is no `initialDate`; the time that has passed since the last request ('wall'), as on Hardhat's own chain; or a
   * timer ('real'). Default 'wall'; 'real' for the network `node`, which `hardhat node` serves.
   */
  readonly clock?: Clock
}

/** The field `tickchain` of a simulated network: options that come after those of the network's own fields. */
export type NetworkOptions = EmulatorOptions & ClockOptions

/** The field `tickchain` in the user's configuration of a network: `false` leaves it to Hardhat's own chain. */
export type UserNetworkOptions = NetworkOptions | boolean

/** The hardforks of Hardhat's chain types 'generic' and 'l1' that there are. Those of 'op' all are. */
export const HARDFORKS: readonly string[] = [
  ...['byzantium', 'constantinople', 'petersburg', 'istanbul', 'muirGlacier', 'berlin', 'london'],
  ...['arrowGlacier', 'grayGlacier', 'merge', 'shanghai', 'cancun', 'prague', 'osaka'],
]

/** The start of a chain with a virtual clock, where Hardhat takes the time of day. */
export const FIXED_DATE = '2024-01-01T00:00:00Z'

const DAY_MS = 86_400_000

/** Fields of a configuration that are read besides Hardhat's own. */
type Network = Omit<EdrNetworkConfig, 'tickchain'> & { tickchain?: unknown }

/** The settings of a network that its chain cannot have. */
export function refusalsOf(
  network: Network,
  defaultChainType: string,
): (readonly [field: keyof Network, reason: string])[] {
  const { chainType = defaultChainType, hardfork, mining, tickchain } = network
  const { clock } = Object(tickchain) as ClockOptions
  const isOp = chainType === 'op'
  const refusals: (readonly [keyof Network, string])[] = []
  if (typeof tickchain !== 'object' || tickchain === null || Array.isArray(tickchain))
    return [['tickchain', 'tickchain takes true, false, or an object of options']]
  if (clock !== undefined && !CLOCKS.includes(clock))
    refusals.push(['tickchain', `tickchain: its clock is 'virtual', 'wall' or 'real', got ${String(clock)}`])
  if (!isOp && !HARDFORKS.includes(hardfork))
    refusals.push(['hardfork', `tickchain has no hardfork ${hardfork}; its last is ${HARDFORKS.at(-1)}`])
  if (network.minGasPrice > 0n && (isOp || HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf('london')))
    refusals.push(['minGasPrice', 'tickchain has no least gas price from the hardfork london on'])
  const intervals = typeof mining.interval === 'number' ? [mining.interval] : mining.interval
  if (intervals.some((ms) => ms > DAY_MS))
    refusals.push(['mining', `tickchain makes a block at least every ${DAY_MS} ms`])
  return refusals
}

async function resolveUserConfig(
  ...[userConfig, resolveVariable, next]: Parameters<ConfigHooks['resolveUserConfig']>
): Promise<HardhatConfig> {
  const config = await next(userConfig, resolveVariable)
  for (const [name, network] of Object.entries(config.networks)) {
    const given = (userConfig as HardhatUserConfig).networks?.[name]
    if (network.type !== 'edr-simulated' || given?.type !== 'edr-simulated') continue
    const { tickchain = true } = given as { tickchain?: UserNetworkOptions }
    const own = network as { tickchain?: NetworkOptions | false }
    own.tickchain = tickchain === true ? {} : tickchain
    const { clock } = { ...own.tickchain } as ClockOptions
    if (clock === 'virtual' && given.initialDate === undefined) network.initialDate = FIXED_DATE
  }
  return config
}

async function validateResolvedConfig(config: HardhatConfig): Promise<HardhatConfigValidationError[]> {
  const { defaultChainType = 'generic' } = config as { defaultChainType?: string }
  return Object.entries(config.networks).flatMap(([name, network]) => {
    if (network.type !== 'edr-simulated' || (network as Network).tickchain === false) return []
    return refusalsOf(network, defaultChainType).map(([field, message]) => ({
      path: ['networks', name, field],
      message: `${message}. tickchain: false leaves the network to Hardhat's own chain`,
    }))
  })
}

export const configHooks: Partial<ConfigHooks> = { resolveUserConfig, validateResolvedConfig }
