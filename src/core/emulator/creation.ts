// Settings of test runners for every new emulator of this process: known contracts, and a probe of what runs.

import type { CustomErrors } from '../execution/result/console-log.ts'
import type { Probe } from '../execution/trace/probe.ts'

export interface CreationDefaults {
  readonly customErrors: CustomErrors
  readonly contracts: object | undefined
  readonly probe: Probe
}

let defaults: (() => CreationDefaults) | undefined

/** Sets them for emulators that are created from now on; they are asked for with each. */
export function setCreationDefaults(next: () => CreationDefaults): void {
  defaults = next
}

export function creationDefaults(): CreationDefaults | undefined {
  return defaults?.()
}
