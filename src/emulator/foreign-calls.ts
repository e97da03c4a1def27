// The prototype of emulators: functions of other libraries, which refuse and say what a chain has instead. They are not
// enumerable, so that neither prints nor copies of an emulator have them. See docs/decisions/0041-foreign-calls.md.

import { failure } from '../primitives/errors.ts'
import { FOREIGN_CALLS } from '../primitives/right-calls.ts'

function refusalOf(call: string): PropertyDescriptor {
  const value = (): never => {
    throw failure('invalidCall', { call, reason: 'a chain has no such function' })
  }
  // Writable, so that a test may give its chain what another library expects.
  return { value, writable: true, configurable: true, enumerable: false }
}

const descriptors = Object.fromEntries([...FOREIGN_CALLS.keys()].map((name) => [name, refusalOf(name)]))
// Prints then show a plain object.
const maker = { value: Object, writable: true, configurable: true, enumerable: false }

/** What every emulator inherits. */
export const FOREIGN_CALLS_REFUSED: object = Object.create(Object.prototype, {
  ...descriptors,
  constructor: maker,
})
