// A connection of Hardhat 3 whose requests a chain answers, in place of Hardhat's own.

import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { GasMeasurement, HookContext } from 'hardhat/types/hooks'
import type { NetworkConnection } from 'hardhat/types/network'
import type {
  EthereumProvider,
  FailedJsonRpcResponse,
  JsonRpcRequest,
  RequestArguments,
} from 'hardhat/types/providers'
import type { Emulator } from '../../core/emulator/api.ts'
import { internalsOf } from '../../core/emulator/internals.ts'
import { calledFrom, callersHere } from '../../core/primitives/callers.ts'
import { TickchainError } from '../../core/primitives/errors.ts'
import { createEmulator } from '../solidity/create-emulator.ts'
import { contractIndexOf } from '../solidity/model/contract-index.ts'
import { answersOf, passOnEvents, type RealTime, wallClock } from './answers.ts'
import type { NetworkOptions } from './config-hooks.ts'
import { coverageProbe, gasProbe } from './measurements.ts'
import { defaultTransactionGas, finishChain, optionsOf, type UpstreamAt } from './network-settings.ts'
import { makeKnown, type ReadFile } from './project-contracts.ts'

export type AnyConnection = NetworkConnection<string>

/** The platform's part of a connection. */
export interface ConnectionTools {
  readonly upstreamAt: UpstreamAt
  readonly readFile: ReadFile
  readonly realTime: RealTime
}

/** The provider of a simulated network, as far as Hardhat's own parts use it. */
interface SimulatedProvider extends EthereumProvider {
  readonly defaultTransactionGasLimit: bigint
  readonly isBlockGasLimitEnforced: boolean
  addCompilationResult?(solcVersion: string, input: object, output: object): Promise<void>
}

type Fields = Omit<EdrNetworkConfig, 'tickchain'>

/** As Hardhat does where it collects coverage: instrumented code is larger and takes more gas. */
function withCoverage(network: Fields): Fields {
  const { allowUnlimitedContractSize = true, blockGasLimit = false, transactionGasCap = false } = network
  return { ...network, allowUnlimitedContractSize, blockGasLimit, transactionGasCap }
}

/** Hardhat's error of an answer that is one: its server and clients know it by the mark. */
function providerError({ message, code, data }: FailedJsonRpcResponse['error']): Error {
  const error = Object.assign(new Error(message), { name: 'ProviderError', code, data })
  return Object.defineProperty(error, '_isProviderError', { value: true })
}

/** The answer of a chain to a request that went through the handlers of all plugins. */
type Send = (request: RequestArguments) => Promise<unknown>

/**
 * A transaction whose gas cannot be estimated, because a call inside it runs out of gas whatever it gets, has the gas
 * that Hardhat gives it then. Hardhat's handler does so only for an error of a class that it does not export.
 */
async function withoutEstimate(
  provider: SimulatedProvider,
  send: Send,
  { method, params }: RequestArguments,
  error: unknown,
): Promise<unknown> {
  const [transaction] = Array.isArray(params) ? params : []
  const fallback = provider.defaultTransactionGasLimit
  const isOutOfGas = error instanceof TickchainError && error.kind === 'internalOutOfGas'
  if (method !== 'eth_sendTransaction' || !isOutOfGas) throw error
  const block = await send({ method: 'eth_getBlockByNumber', params: ['pending', false] })
  const most = BigInt((block as { gasLimit: string }).gasLimit)
  const isCapped = provider.isBlockGasLimitEnforced && most < fallback
  const gas = `0x${(isCapped ? most : fallback).toString(16)}`
  return send({ method, params: [{ ...transaction, gas }] })
}

/** Tells Hardhat's reports what a chain measures, after each request. */
async function reportTo({ hooks }: HookContext, chain: Emulator): Promise<(() => Promise<void>) | undefined> {
  const { session } = internalsOf('reportTo', chain)
  const { probes } = session.node.config
  const [countsGas, covers] = await Promise.all([
    hooks.hasHandlers('network', 'onGasMeasurement'),
    hooks.hasHandlers('network', 'onCoverageData'),
  ])
  if (!countsGas && !covers) return undefined
  const measurements: GasMeasurement[] = []
  const coverage = coverageProbe()
  const indexOf = () => contractIndexOf(session.known)
  if (countsGas) probes.add(gasProbe(indexOf, (each) => measurements.push(each)))
  if (covers) probes.add(coverage.probe)
  return async () => {
    for (const each of measurements.splice(0))
      await hooks.runParallelHandlers('network', 'onGasMeasurement', [each])
    const tags = coverage.take()
    if (tags.length > 0) await hooks.runParallelHandlers('network', 'onCoverageData', [tags])
  }
}

/** Answers the requests of a connection by a chain from now on. */
function answerBy(
  context: HookContext,
  connection: AnyConnection,
  chain: Emulator,
  network: Fields,
  around: Parameters<typeof answersOf>[2],
): void {
  const provider = connection.provider as SimulatedProvider
  let lastId = 0
  let isBlockGasLimitEnforced = network.blockGasLimit !== false

  const ask = answersOf(chain, network.loggingEnabled, around)

  async function send({ method, params = [] }: RequestArguments): Promise<unknown> {
    lastId += 1
    const request: JsonRpcRequest = { jsonrpc: '2.0', id: lastId, method, params: params as unknown[] }
    const response = await context.hooks.runHandlerChain(
      'network',
      'onRequest',
      [connection, request],
      async (_context, _connection, handled) => {
        return { jsonrpc: '2.0', id: handled.id, result: await ask(handled.method, handled.params ?? []) }
      },
    )
    if ('error' in response) throw providerError(response.error)
    // Fixtures of Hardhat's helpers listen.
    if (method === 'evm_revert') provider.emit('hardhatNetworkRevertSnapshot')
    if (method === 'evm_setBlockGasLimit') isBlockGasLimitEnforced = true
    return response.result
  }

  // It may be Hardhat's object, whose class `hardhat node` asks for; only what reaches its chain is replaced.
  Object.defineProperties(provider, {
    defaultTransactionGasLimit: { value: defaultTransactionGas(network) },
    isBlockGasLimitEnforced: { get: () => isBlockGasLimitEnforced },
  })
  provider.request = async (asked) => {
    const callers = callersHere()
    try {
      return await send(asked).catch((error: unknown) => withoutEstimate(provider, send, asked, error))
    } catch (error) {
      throw calledFrom(callers, error)
    }
  }
  provider.addCompilationResult = (_version, input, output) => chain.addContracts({ input, output })
}

/** Gives a connection of a simulated network a chain, which its configuration describes. */
export async function connectChain(
  context: HookContext,
  connection: AnyConnection,
  { clock, ...own }: NetworkOptions,
  { upstreamAt, readFile, realTime }: ConnectionTools,
): Promise<Emulator> {
  const chainType = connection.chainType as NonNullable<Fields['chainType']>
  const given = { ...(connection.networkConfig as Fields), chainType }
  const covers = await context.hooks.hasHandlers('network', 'onCoverageData')
  const network = covers ? withCoverage(given) : given
  const chain = await createEmulator(await optionsOf(network, own, upstreamAt))
  await finishChain(network, (method, params) => chain.request(method, params))
  await makeKnown(context, readFile, chain)
  passOnEvents(chain, (event, value) => connection.provider.emit(event, value))
  const before = clock === 'wall' ? wallClock(chain, realTime) : undefined
  answerBy(context, connection, chain, network, { before, after: await reportTo(context, chain) })
  return chain
}
