// Where a code may be jumped to, a bit for each byte. Worked out once for each code: codes are values that the state
// carries by reference, so the bytes themselves are the key.

import type { Core } from './core.ts'

const known = new WeakMap<Uint8Array, Uint8Array>()

/** Puts the targets of `code`, which is at `codeAt` in linear memory, to `targetsAt`. */
export function writeJumpTargets(core: Core, code: Uint8Array, codeAt: number, targetsAt: number): void {
  const targets = known.get(code)
  if (targets !== undefined) {
    core.bytes.set(targets, targetsAt)
    return
  }
  core.exports.analyze(codeAt, code.length, targetsAt)
  known.set(code, core.bytes.slice(targetsAt, targetsAt + ((code.length + 7) >>> 3)))
}
