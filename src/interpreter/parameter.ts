// Parameters of a fork, from @ethereumjs.

import type { Common } from '@ethereumjs/common'

/** A parameter of the fork; zero if the fork does not have it. */
export function parameterOf(common: Common, name: string): number {
  try {
    return Number(common.param(name))
  } catch {
    return 0
  }
}
