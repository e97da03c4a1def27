// A connection of Hardhat 3 whose requests a chain answers, in place of Hardhat's own. What Hardhat's reports of gas
// and coverage are told of a chain: top-level calls with their gas, and hits of statements.

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
import { type FrameStart, isCreation, type Observer } from '../../core/execution/trace/observer.ts'
import type { CodeOf, Probe } from '../../core/execution/trace/probe.ts'
import { calledFrom, callersHere } from '../../core/primitives/callers.ts'
import { TickchainError } from '../../core/primitives/errors.ts'
import { bytesToHex, equalBytes } from '../../core/primitives/hex.ts'
import { calledSignature } from '../solidity/artifacts/abi.ts'
import { createEmulator } from '../solidity/create-emulator.ts'
import type { CompiledContract } from '../solidity/model/contract.ts'
import { type ContractIndex, contractIndexOf, recognise } from '../solidity/model/contract-index.ts'
import { answersOf, passOnEvents, type RealTime, wallClock } from './answers.ts'
import type { NetworkOptions } from './config-hooks.ts'
import { defaultTransactionGas, finishChain, optionsOf, type UpstreamAt } from './network-settings.ts'
import { makeKnown, type ReadFile } from './project-contracts.ts'

const SELECTOR_BYTES = 4

function nameOf({ file, name }: CompiledContract): string {
  return `${file}:${name}`
}

/** Observes an execution: its outermost frame, and the contracts that pass its calldata on. */
function observeExecution(index: ContractIndex, codeOf: CodeOf) {
  const contracts: CompiledContract[] = []
  let open = 0
  let outermost: FrameStart | undefined
  let isSuccess = false
  let runtimeSize = 0

  /** True if a frame is the implementation of the proxy around it. */
  function passesOn({ kind, depth, input }: FrameStart): boolean {
    const isNext = kind === 'DELEGATECALL' && depth === contracts.length
    return isNext && outermost !== undefined && equalBytes(input, outermost.input)
  }

  const observer: Observer = {
    enter(start) {
      if (start.depth === 0) outermost = start
      if ((start.depth === 0 || passesOn(start)) && !start.isPrecompile) {
        const code = isCreation(start) ? start.input : codeOf(start.to)
        const contract = recognise(index, start, code)
        if (contract !== undefined) contracts.push(contract)
      }
      open++
    },
    exit({ error, output }) {
      open--
      if (open > 0) return
      isSuccess = error === undefined
      runtimeSize = output.length
    },
  }

  function measurement(gas: number): GasMeasurement | undefined {
    const last = contracts.at(-1)
    if (last === undefined || outermost === undefined || !isSuccess) return undefined
    const contractFqn = nameOf(last)
    if (isCreation(outermost)) return { type: 'deployment', contractFqn, gas, runtimeSize }
    const called = calledSignature(last, bytesToHex(outermost.input.subarray(0, SELECTOR_BYTES)))
    const functionSig = called.includes('(') ? called : `${called}()`
    const proxyChain = contracts.length > 1 ? contracts.map(nameOf) : []
    return { type: 'function', contractFqn, functionSig, gas, proxyChain }
  }
  return { observer, measurement }
}

/** A probe for `--gas-stats`. Estimates do not count, and neither does what fails. */
export function gasProbe(
  indexOf: () => ContractIndex | undefined,
  tell: (measurement: GasMeasurement) => void,
): Probe {
  return {
    begin(kind, codeOf) {
      const index = indexOf()
      if (kind === 'estimate' || index === undefined) return { observer: {}, end: () => undefined }
      const { observer, measurement } = observeExecution(index, codeOf)
      const end = (gasUsed: bigint): void => {
        const measured = measurement(Number(gasUsed))
        if (measured !== undefined) tell(measured)
      }
      return { observer, end }
    },
  }
}

/** The address that instrumented code calls with the tag of each statement. */
const COVERAGE_ADDRESS = '0xc0bec0bec0bec0bec0bec0bec0bec0bec0bec0be'

/** A probe for `--coverage`, which collects the tags of statements that ran. */
export function coverageProbe(): { readonly probe: Probe; readonly take: () => string[] } {
  let tags = new Set<string>()
  const observer: Observer = {
    enter({ to, input }) {
      if (to === COVERAGE_ADDRESS) tags.add(bytesToHex(input).slice(2))
    },
  }
  return {
    probe: { begin: () => ({ observer, end: () => undefined }) },
    take() {
      const taken = [...tags]
      tags = new Set()
      return taken
    },
  }
}

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
