import type { Extender } from './config.js'

interface Eip1193 {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}

export const HardhatContext: {
  getHardhatContext(): { readonly providerExtenders: readonly Extender<Eip1193>[] }
}
export class BackwardsCompatibilityProviderAdapter {
  constructor(provider: Eip1193)
}
export class LazyInitializationProviderAdapter {
  constructor(make: () => Promise<BackwardsCompatibilityProviderAdapter>)
}
export class HardhatPluginError extends Error {
  constructor(pluginName: string, message: string)
}
export class ProviderError extends Error {
  code: number
  data?: unknown
  constructor(message: string, code: number, parent?: Error)
}
export function applyProviderWrappers(
  provider: Eip1193,
  network: object,
  extenders: readonly Extender<Eip1193>[],
): Eip1193
