// The chains of running tests, for their reports. Without a reporter nothing is kept here.

import type { Emulator } from '../../../core/emulator/api.ts'
import { isUnreported, onEmulatorMade } from '../../../core/emulator/internals.ts'
import type { FailureWatch } from '../failure-trace.ts'
import type { Timeline } from '../timeline.ts'
import { forgetCalls, noteCalls } from './actions.ts'

interface ChainRecords {
  readonly test: object
  readonly timeline: Timeline
  readonly failures: FailureWatch
}

const records = new WeakMap<object, ChainRecords>()

export function noteRecords(chain: object, recorded: ChainRecords): void {
  records.set(chain, recorded)
}

export function recordsOf(chain: object): ChainRecords | undefined {
  return records.get(chain)
}

/** Keeps the chains that are made while tests run. */
export function keepRunningChains() {
  const ofFile = new Set<object>()
  const running = new Map<object, Set<object>>()
  onEmulatorMade((chain, handle, name) => {
    // Of concurrent tests each may have made it.
    for (const chains of running.size === 0 ? [ofFile] : running.values()) chains.add(chain)
    noteCalls(chain as Emulator, handle, name)
  })
  return {
    begin(test: object): void {
      running.set(test, new Set())
      for (const chain of ofFile) forgetCalls(chain)
    },
    /** The chains made since the test began, and those that the file made outside of tests. */
    chainsOf(test: object): readonly object[] {
      const isOf = (chain: object): boolean =>
        !isUnreported(chain) && (records.get(chain)?.test ?? test) === test
      return [...ofFile, ...(running.get(test) ?? [])].filter(isOf)
    },
    end: (test: object) => running.delete(test),
  }
}
