// Values that contracts know: constants of their code, what is in their storage, what they have compared.

import { CHEATCODES } from '../../../core/execution/call/cover-calls.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { bytesToBigInt, toWord } from '../../../core/primitives/hex.ts'

const PUSH1 = 0x60
const PUSH32 = 0x7f
const JUMP = 0x56
const JUMPI = 0x57
const JUMPDEST = 0x5b
/** The most values; later ones are left out. */
const MOST_VALUES = 4096

export interface Dictionary {
  readonly numbers: readonly bigint[]
  readonly addresses: readonly Address[]
  readonly add: (value: bigint) => void
  /** Removes what was added after there were so many. */
  readonly cut: (count: number) => void
}

const MOST_ADDRESS = 1n << 160n
const LEAST_ADDRESS = 1n << 80n
const CHEATCODE_NUMBER = BigInt(CHEATCODES)

/** Whether a number may be an address that somebody has. Cheatcodes are called by tests alone. */
function isAddress(value: bigint): boolean {
  return value < MOST_ADDRESS && value > LEAST_ADDRESS && value !== CHEATCODE_NUMBER
}

export function addressOf(value: bigint): Address {
  return `0x${toWord(value).slice(26)}`
}

export function createDictionary(): Dictionary {
  const numbers: bigint[] = []
  const addresses: Address[] = []
  const known = new Set<bigint>()
  return {
    numbers,
    addresses,
    add(value) {
      if (known.has(value) || numbers.length >= MOST_VALUES) return
      known.add(value)
      numbers.push(value)
      if (isAddress(value)) addresses.push(addressOf(value))
    },
    cut(count) {
      while (numbers.length > count) {
        const value = numbers.pop() as bigint
        known.delete(value)
        if (isAddress(value)) addresses.pop()
      }
    },
  }
}

/** The operands of the PUSHes of a code, but for destinations of jumps. */
export function constantsOf(code: Uint8Array): bigint[] {
  const constants: bigint[] = []
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at] as number
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const next = at + (opcode - PUSH1) + 2
    const value = bytesToBigInt(code.subarray(at + 1, next))
    const isJump = code[next] === JUMP || code[next] === JUMPI
    const isDestination = value < code.length && value > 255n && code[Number(value)] === JUMPDEST
    if (!isJump && !isDestination) constants.push(value)
    at = next - 1
  }
  return constants
}
