// The line `require('tickchain/hardhat2')` of hardhat.config.js in Hardhat 2: its network `hardhat` runs on tickchain.
// It uses `node:` modules and Hardhat's own, of a version that does not change any more; Hardhat runs in Node. The only
// clock that it looks at tells how much real time has passed since the last request.

import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { extendEnvironment, type HardhatRuntimeEnvironment, subtask } from 'hardhat/config.js'
import { HardhatContext } from 'hardhat/internal/context.js'
import { BackwardsCompatibilityProviderAdapter } from 'hardhat/internal/core/providers/backwards-compatibility.js'
import { applyProviderWrappers } from 'hardhat/internal/core/providers/construction.js'
import { ProviderError } from 'hardhat/internal/core/providers/errors.js'
import { LazyInitializationProviderAdapter } from 'hardhat/internal/core/providers/lazy-initialization.js'
import { HardhatPluginError } from 'hardhat/plugins.js'
import type { Emulator } from './core/emulator/api.ts'
import { startRealtime } from './realtime.ts'
import { FIXED_DATE, type NetworkOptions } from './tools/hardhat/config-hooks.ts'
import { type Network2, refusals2Of } from './tools/hardhat/hardhat2-network.ts'
import type { Connected2 } from './tools/hardhat/hardhat2-provider.ts'
import { httpUpstream } from './upstream.ts'

export type { Emulator } from './core/emulator/api.ts'

/** The environment as it is extended. */
interface Environment extends HardhatRuntimeEnvironment {
  readonly userConfig?: { readonly networks?: { readonly hardhat?: { readonly initialDate?: string } } }
  /** Resolves to the chain of the network, which the first request creates, too. */
  tickchain?: () => Promise<Emulator>
}

/** A provider as Hardhat 2 wraps it. */
class ChainProvider extends EventEmitter {
  readonly #request: Connected2['request']

  constructor(request: Connected2['request']) {
    super()
    this.#request = request
  }

  request(request: Parameters<Connected2['request']>[0]): Promise<unknown> {
    return this.#request(request)
  }
}

/** The settings of the network, and the options of its field `tickchain`; `undefined` if Hardhat's own chain runs it. */
function settingsOf({ network, userConfig }: Environment): [Network2, NetworkOptions] | undefined {
  if (network.name !== 'hardhat') return undefined
  const given = network.config as Network2
  const { tickchain = true } = given
  if (tickchain === false) return undefined
  // What is no object of options is refused with the other settings.
  const own: NetworkOptions = typeof tickchain === 'object' && tickchain !== null ? tickchain : {}
  const isDated = own.clock !== 'virtual' || userConfig?.networks?.hardhat?.initialDate !== undefined
  return [isDated ? given : { ...given, initialDate: FIXED_DATE }, own]
}

async function connect(environment: Environment, settings: Network2, own: NetworkOptions) {
  const paths = await environment.artifacts.getBuildInfoPaths()
  const builds = await Promise.all(paths.map((path) => readFile(path)))
  const { connectChain2 } = await import('./tools/hardhat/hardhat2-provider.ts')
  const clock = own.clock ?? 'wall'
  const { chain, request } = await connectChain2(
    settings,
    { ...own, clock },
    {
      upstreamAt: (url, headers) => httpUpstream(url, { headers }),
      builds,
      ProviderError,
      realTime: () => servedSince.get(environment) ?? performance.now(),
      emit: (event, value) => {
        provider.emit(event, value)
      },
    },
  )
  const provider = new ChainProvider(request)
  if (own.clock === 'real') startRealtime(chain)
  return { chain, provider }
}

extendEnvironment((environment: Environment) => {
  const found = settingsOf(environment)
  if (found === undefined) return
  const [settings, own] = found
  const [refusal] = refusals2Of(settings)
  if (refusal !== undefined) throw new HardhatPluginError('tickchain', refusal)
  let connecting: ReturnType<typeof connect> | undefined
  const connected = (): ReturnType<typeof connect> => {
    connecting ??= connect(environment, settings, own)
    return connecting
  }
  environment.network.provider = new LazyInitializationProviderAdapter(async () => {
    const { config, network } = environment
    const extenders = HardhatContext.getHardhatContext().providerExtenders
    let { provider }: { provider: Parameters<(typeof extenders)[number]>[0] } = await connected()
    for (const extend of extenders) provider = await extend(provider, config, network.name)
    return new BackwardsCompatibilityProviderAdapter(
      applyProviderWrappers(provider, network.config, extenders),
    )
  })
  environment.tickchain = async () => (await connected()).chain
})

/** When a timer took over the clock of an environment. */
const servedSince = new WeakMap<Environment, number>()

// `hardhat node` serves a chain whose clock a timer moves, unless it is told otherwise.
subtask('node:server-ready').setAction(async (taskArguments, environment: Environment, runSuper) => {
  const found = settingsOf(environment)
  if (found !== undefined && found[1].clock === undefined) {
    const chain = await (environment.tickchain as () => Promise<Emulator>)()
    servedSince.set(environment, performance.now())
    startRealtime(chain)
  }
  return runSuper(taskArguments)
})
