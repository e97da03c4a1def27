// Parameters of a fork that it may not have.

import type { ForkParameters } from './fork-parameters.ts'

/** A parameter of the fork; zero if the fork does not have it. */
export function parameterOf(common: ForkParameters, name: string): number {
  try {
    return Number(common.param(name))
  } catch {
    return 0
  }
}
