// Probes: observers of everything that a chain executes for its user, such as gas reports and coverage.

import type { Address } from '../../primitives/hex.ts'
import { combineObservers, type Observer } from './observer.ts'

/** The kind of an execution: a transaction in a partial block, `eth_call`, or the run of an estimate with all of its gas. */
export type ProbedKind = 'transaction' | 'call' | 'estimate'

/** The code that a message to an address runs now; its identity is that of the account's code. */
export type CodeOf = (address: Address) => Uint8Array

interface ProbedExecution {
  readonly observer: Observer
  /** Told at the end, with the gas that a receipt says: with the intrinsic gas, after refunds. */
  readonly end: (gasUsed: bigint) => void
}

export interface Probe {
  readonly begin: (kind: ProbedKind, codeOf: CodeOf) => ProbedExecution
}

/** One probe for several; `undefined` for none. */
export function joinProbes(probes: ReadonlySet<Probe>): Probe | undefined {
  if (probes.size <= 1) return [...probes][0]
  return {
    begin(kind, codeOf) {
      const begun = [...probes].map((probe) => probe.begin(kind, codeOf))
      const observer = combineObservers(begun.map((each) => each.observer))
      const end = (gasUsed: bigint): void => {
        for (const each of begun) each.end(gasUsed)
      }
      return { observer, end }
    },
  }
}
