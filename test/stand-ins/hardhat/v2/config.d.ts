/** Of Hardhat 2, as far as its plugin uses it. */
export interface HardhatRuntimeEnvironment {
  readonly artifacts: { getBuildInfoPaths(): Promise<string[]> }
  readonly config: object
  readonly network: { readonly name: string; readonly config: object; provider: object }
}

export type Extender<Provider> = (provider: Provider, config: object, network: string) => Promise<Provider>

export function extendEnvironment(extender: (environment: HardhatRuntimeEnvironment) => void): void
export function subtask(name: string): {
  setAction(
    action: (
      taskArguments: object,
      environment: HardhatRuntimeEnvironment,
      runSuper: (taskArguments: object) => Promise<unknown>,
    ) => Promise<unknown>,
  ): void
}
