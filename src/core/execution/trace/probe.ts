// Probes: observers of everything that a chain executes for its user, such as gas reports and coverage.

import type { Address } from '../../primitives/hex.ts'
import { combineObservers, type Observer } from './observer.ts'

/**
 * The kind of an execution: a transaction in a partial block, `eth_call`, the run of an estimate with all of its gas, or a
 * call of a Solidity test.
 */
export type ProbedKind = 'transaction' | 'call' | 'estimate' | 'test'

/** The code that a message to an address runs now; its identity is that of the account's code. */
export type CodeOf = (address: Address) => Uint8Array

export interface ProbedExecution {
  readonly observer: Observer
  /** Told at the end, with the gas that a receipt says: with the intrinsic gas, after refunds. */
  readonly end: (gasUsed: bigint) => void
}

export interface Probe {
  /** True if calls of Solidity tests are to cost what transactions do. */
  readonly countsGas?: boolean
  readonly begin: (kind: ProbedKind, codeOf: CodeOf) => ProbedExecution
}

/** One probe for several; `undefined` for none. */
export function joinProbes(probes: ReadonlySet<Probe>): Probe | undefined {
  if (probes.size <= 1) return [...probes][0]
  return {
    countsGas: [...probes].some(({ countsGas }) => countsGas),
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
