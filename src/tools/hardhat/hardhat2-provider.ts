// The chain behind the network `hardhat` of Hardhat 2.

import type { Emulator } from '../../core/emulator/api.ts'
import { internalsOf } from '../../core/emulator/internals.ts'
import { TickchainError } from '../../core/primitives/errors.ts'
import { createEmulator } from '../solidity/create-emulator.ts'
import { answersOf, passOnEvents, type RealTime, wallClock } from './answers.ts'
import type { NetworkOptions } from './config-hooks.ts'
import { type Network2, toNetwork3 } from './hardhat2-network.ts'
import { finishChain, optionsOf, type UpstreamAt, type UpstreamOption } from './network-settings.ts'
import { type FileContents, knowLater, parseBuilds } from './project-contracts.ts'

/** Parts of Hardhat and the platform that a chain needs. */
export interface Tools2 {
  readonly upstreamAt: UpstreamAt<UpstreamOption>
  /** The files of the project's build-infos. */
  readonly builds: readonly FileContents[]
  /** Hardhat's class of errors. */
  readonly ProviderError: new (
    message: string,
    code: number,
    parent?: Error,
  ) => Error & { data?: unknown }
  readonly realTime: RealTime
  readonly emit: (event: string, value?: unknown) => void
}

export interface Connected2 {
  readonly chain: Emulator
  readonly request: (request: { readonly method: string; readonly params?: unknown }) => Promise<unknown>
}

/** An error in Hardhat's class, except for one of an execution, which Hardhat 2 throws as a plain error. */
function asHardhatError(
  error: unknown,
  ProviderError: Tools2['ProviderError'],
  request: { readonly method: string; readonly params: unknown },
): unknown {
  if (!(error instanceof TickchainError)) return error
  if (error.name === 'SolidityError') return Object.assign(error, { name: 'Error' })
  const { kind, message, code, transactionHash, name } = error
  const data = kind === 'methodNotFound' ? request : error.data
  const made = Object.assign(new ProviderError(message, code, error), { data, name })
  return transactionHash === undefined ? made : Object.assign(made, { transactionHash })
}

/** Events that Hardhat's provider emits after these requests. */
const TOLD_AFTER: Readonly<Record<string, string>> = {
  evm_revert: 'hardhatNetworkRevertSnapshot',
  hardhat_reset: 'hardhatNetworkReset',
}

export async function connectChain2(
  network: Network2,
  { clock, ...own }: NetworkOptions,
  { upstreamAt, builds, ProviderError, emit, realTime }: Tools2,
): Promise<Connected2> {
  const settings = toNetwork3(network)
  // `hardhat_reset` and `hardhat node --fork` name a URL.
  const connect = (url: string) => upstreamAt(url, {})
  const options = await optionsOf(settings, { ...own, fork: { connect, ...own.fork } }, upstreamAt)
  const chain = await createEmulator(options)
  await finishChain(settings, (method, params) => chain.request(method, params))
  if (builds.length > 0)
    knowLater(internalsOf('connectChain2', chain).session.known, parseBuilds(builds.map((file) => [file])))
  passOnEvents(chain, emit)
  const before = clock === 'wall' ? wallClock(chain, realTime) : undefined
  const ask = answersOf(chain, network.loggingEnabled, { before })

  async function answer(method: string, params: unknown): Promise<unknown> {
    if (method !== 'hardhat_addCompilationResult') return ask(method, params)
    const [, input, output] = params as [string, object, object]
    await chain.addContracts({ input, output })
    return true
  }

  return {
    chain,
    async request({ method, params = [] }) {
      let result: unknown
      try {
        result = await answer(method, params)
      } catch (error) {
        throw asHardhatError(error, ProviderError, { method, params })
      }
      const event = TOLD_AFTER[method]
      if (event !== undefined) emit(event)
      return result
    },
  }
}
