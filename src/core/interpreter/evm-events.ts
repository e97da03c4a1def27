// Listeners of an EVM, called in the order in which they came.

import type { EvmEvents, EvmListeners } from './evm-interface.ts'

type Kept = { [Name in keyof EvmListeners]: EvmListeners[Name][] }

export class MessageEvents implements EvmEvents {
  private readonly listeners: Kept = { beforeMessage: [], afterMessage: [], step: [] }

  on<Name extends keyof EvmListeners>(name: Name, listener: EvmListeners[Name]): void {
    this.listeners[name] = [...this.listeners[name], listener] as Kept[Name]
  }

  off<Name extends keyof EvmListeners>(name: Name, listener: EvmListeners[Name]): void {
    this.listeners[name] = this.listeners[name].filter((other) => other !== listener) as Kept[Name]
  }

  listenerCount(name: keyof EvmListeners): number {
    return this.listeners[name].length
  }

  emit<Name extends keyof EvmListeners>(name: Name, told: Parameters<EvmListeners[Name]>[0]): void {
    for (const listener of this.listeners[name]) (listener as (told: unknown) => void)(told)
  }
}
