// Copies of the stack for observers. Few words change between two steps, and a bigint is slow to make, so the words of
// the last copy are kept with the bits that they were made of.

import { type Core, readWord } from './core.ts'
import * as layout from './layout.ts'

const DIGITS = layout.WORD / 4

/** Reads the words of a stack that begins at an address, the top last. */
export type ReadStack = (core: Core, bottom: number, size: number) => bigint[]

export function createStackReader(): ReadStack {
  const words: bigint[] = []
  const bits = new Uint32Array(1024 * DIGITS)

  function isSame(numbers: Uint32Array, at: number, from: number): boolean {
    for (let i = 0; i < DIGITS; i++) if (numbers[at + i] !== bits[from + i]) return false
    return true
  }

  return (core, bottom, size) => {
    const { numbers } = core
    for (let i = 0; i < size; i++) {
      const at = (bottom >>> 2) + DIGITS * i
      const from = DIGITS * i
      if (i < words.length && isSame(numbers, at, from)) continue
      for (let digit = 0; digit < DIGITS; digit++) bits[from + digit] = numbers[at + digit] as number
      words[i] = readWord(core, 4 * at)
    }
    return words.slice(0, size)
  }
}
