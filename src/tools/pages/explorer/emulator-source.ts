// An emulator in the same page as the source of an explorer: its functions are the controls, and its reads pass faults.

import type { Source } from './source.ts'

/** The functions of an emulator that are controls. */
export interface ControlledChain {
  advance(ms: number): Promise<void>
  next(): Promise<void>
  seal(): Promise<void>
  reorg(options: { readonly depth: number }): Promise<void>
  dropPreconfirmed(hash: `0x${string}`): Promise<void>
  snapshot(): object
  revert(snapshot: never): Promise<void>
}

/** Read access to an emulator. */
interface Access {
  readonly look: (method: string, params: readonly unknown[]) => Promise<unknown>
  readonly watch: (listener: () => void) => () => void
}

/** The time in which several changes are shown as one. */
const GATHERED_MS = 16

export function emulatorSource(chain: ControlledChain, access: Access): Source {
  return {
    ask: access.look,
    watch(listener) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const stop = access.watch(() => {
        timer ??= setTimeout(() => {
          timer = undefined
          listener('changed')
        }, GATHERED_MS)
      })
      return () => {
        clearTimeout(timer)
        stop()
      }
    },
    controls: {
      advance: (ms) => chain.advance(ms),
      next: () => chain.next(),
      seal: () => chain.seal(),
      reorg: (depth) => chain.reorg({ depth }),
      drop: (hash) => chain.dropPreconfirmed(hash as `0x${string}`),
      snapshot: async () => chain.snapshot(),
      revert: (snapshot) => chain.revert(snapshot as never),
    },
    missingControls: async () => new Map(),
  }
}
