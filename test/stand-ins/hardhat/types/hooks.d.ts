import type { ConfigurationVariableResolver, HardhatConfig, HardhatUserConfig } from './config.js'
import type { HardhatRuntimeEnvironment } from './hre.js'
import type { ChainType, NetworkConnection } from './network.js'
import type { JsonRpcRequest, JsonRpcResponse } from './providers.js'

export interface HardhatConfigValidationError {
  path: Array<string | number>
  message: string
}

export interface ConfigHooks {
  resolveUserConfig: (
    userConfig: HardhatUserConfig,
    resolveConfigurationVariable: ConfigurationVariableResolver,
    next: (
      nextUserConfig: HardhatUserConfig,
      nextResolveConfigurationVariable: ConfigurationVariableResolver,
    ) => Promise<HardhatConfig>,
  ) => Promise<HardhatConfig>
  validateResolvedConfig: (resolvedConfig: HardhatConfig) => Promise<HardhatConfigValidationError[]>
}

export interface GasMeasurementBase {
  contractFqn: string
  gas: number
}

export type GasMeasurement =
  | (GasMeasurementBase & { type: 'function'; functionSig: string; proxyChain: string[] })
  | (GasMeasurementBase & { type: 'deployment'; runtimeSize: number })

export interface NetworkHooks {
  newConnection<ChainTypeT extends ChainType | string>(
    context: HookContext,
    next: (nextContext: HookContext) => Promise<NetworkConnection<ChainTypeT>>,
  ): Promise<NetworkConnection<ChainTypeT>>
  closeConnection<ChainTypeT extends ChainType | string>(
    context: HookContext,
    networkConnection: NetworkConnection<ChainTypeT>,
    next: (nextContext: HookContext, nextNetworkConnection: NetworkConnection<ChainTypeT>) => Promise<void>,
  ): Promise<void>
  onRequest<ChainTypeT extends ChainType | string>(
    context: HookContext,
    networkConnection: NetworkConnection<ChainTypeT>,
    jsonRpcRequest: JsonRpcRequest,
    next: (
      nextContext: HookContext,
      nextNetworkConnection: NetworkConnection<ChainTypeT>,
      nextJsonRpcRequest: JsonRpcRequest,
    ) => Promise<JsonRpcResponse>,
  ): Promise<JsonRpcResponse>
  onCoverageData(context: HookContext, coverageData: string[]): Promise<void>
  onGasMeasurement(context: HookContext, gasMeasurement: GasMeasurement): void
}

export interface HardhatRuntimeEnvironmentHooks {
  created: (context: HookContext, hre: HardhatRuntimeEnvironment) => Promise<void>
}

export interface HookManager {
  hasHandlers(category: 'network', hook: 'onCoverageData' | 'onGasMeasurement'): Promise<boolean>
  runHandlerChain(
    category: 'network',
    hook: 'onRequest',
    params: [NetworkConnection<string>, JsonRpcRequest],
    defaultImplementation: (
      context: HookContext,
      connection: NetworkConnection<string>,
      request: JsonRpcRequest,
    ) => Promise<JsonRpcResponse>,
  ): Promise<JsonRpcResponse>
  runHandlerChain(
    category: 'network',
    hook: 'newConnection',
    params: [],
    defaultImplementation: (context: HookContext) => Promise<NetworkConnection<string>>,
  ): Promise<NetworkConnection<string>>
  runHandlerChain(
    category: 'network',
    hook: 'closeConnection',
    params: [NetworkConnection<string>],
    defaultImplementation: (context: HookContext, connection: NetworkConnection<string>) => Promise<void>,
  ): Promise<void>
  runParallelHandlers(category: 'network', hook: 'onCoverageData', params: [string[]]): Promise<unknown[]>
  runParallelHandlers(
    category: 'network',
    hook: 'onGasMeasurement',
    params: [GasMeasurement],
  ): Promise<unknown[]>
}

export interface HookContext {
  readonly artifacts: {
    getAllBuildInfoIds(): Promise<ReadonlySet<string>>
    getBuildInfoPath(id: string): Promise<string | undefined>
    getBuildInfoOutputPath(id: string): Promise<string | undefined>
  }
  readonly hooks: HookManager
}
