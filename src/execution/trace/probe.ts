// Probes: observers of everything that a chain executes for its user, such as gas reports and coverage.

import type { Address } from '../../primitives/hex.ts'
import type { Observer } from './observer.ts'

/** What is executed: a transaction in a partial block, `eth_call`, or the run of an estimate with all of its gas. */
export type ProbedKind = 'transaction' | 'call' | 'estimate'

/** The code that a message to an address runs now; its identity is that of the account's code. */
export type CodeOf = (address: Address) => Uint8Array

export interface ProbedExecution {
  readonly observer: Observer
  /** Told at the end, with the gas that a receipt says: with the intrinsic gas, after refunds. */
  readonly end: (gasUsed: bigint) => void
}

export interface Probe {
  readonly begin: (kind: ProbedKind, codeOf: CodeOf) => ProbedExecution
}

type Tell<Told> = ((told: Told) => void) | undefined

function joinTell<Told>(tells: readonly Tell<Told>[]): Tell<Told> {
  const given = tells.filter((tell) => tell !== undefined)
  if (given.length <= 1) return given[0]
  return (told) => {
    for (const tell of given) tell(told)
  }
}

function joinObservers(observers: readonly Observer[]): Observer {
  return {
    enter: joinTell(observers.map(({ enter }) => enter)),
    exit: joinTell(observers.map(({ exit }) => exit)),
    log: joinTell(observers.map(({ log }) => log)),
    access: joinTell(observers.map(({ access }) => access)),
    step: joinTell(observers.map(({ step }) => step)),
    stepEnd: joinTell(observers.map(({ stepEnd }) => stepEnd)),
  }
}

/** One probe for several; `undefined` for none. */
export function joinProbes(probes: ReadonlySet<Probe>): Probe | undefined {
  if (probes.size <= 1) return [...probes][0]
  return {
    begin(kind, codeOf) {
      const begun = [...probes].map((probe) => probe.begin(kind, codeOf))
      const observer = joinObservers(begun.map((each) => each.observer))
      return { observer, end: (gasUsed) => begun.forEach((each) => each.end(gasUsed)) }
    },
  }
}
