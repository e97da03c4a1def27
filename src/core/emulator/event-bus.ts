// Event bus: synchronous listeners by event name, called in the order of registration. What a listener throws goes to
// `onListenerError`, after all others were called.

type Listener<Payload> = (payload: Payload) => void

export interface EventBus<Events extends object> {
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): void
  removeListener<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): void
  hasListeners(name: keyof Events): boolean
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void
  clear(): void
}

export function createEventBus<Events extends object>(
  onListenerError: (error: unknown, name: keyof Events) => void,
): EventBus<Events> {
  const listeners = new Map<keyof Events, Listener<never>[]>()
  const of = (name: keyof Events): Listener<never>[] => listeners.get(name) ?? []
  return {
    on(name, listener) {
      listeners.set(name, [...of(name), listener as Listener<never>])
    },
    removeListener(name, listener) {
      const index = of(name).indexOf(listener as Listener<never>)
      if (index !== -1)
        listeners.set(
          name,
          of(name).filter((_, position) => position !== index),
        )
    },
    hasListeners: (name) => (listeners.get(name)?.length ?? 0) > 0,
    emit(name, payload) {
      if (!listeners.has(name)) return
      const thrown: unknown[] = []
      for (const listener of of(name)) {
        try {
          ;(listener as Listener<typeof payload>)(payload)
        } catch (error) {
          thrown.push(error)
        }
      }
      for (const error of thrown) onListenerError(error, name)
    },
    clear: () => listeners.clear(),
  }
}
