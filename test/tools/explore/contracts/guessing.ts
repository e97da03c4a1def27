// A contract with three guesses to make, assembled by hand: planted, each fails an assertion.

import type { Emulator } from 'tickchain'

const AT = `0x${'c1'.repeat(20)}` as const
const GUESSES = [0xbeef, 0xcafe, 0xf00d]

const guess = { type: 'function', name: 'guess', inputs: [{ name: 'value', type: 'uint256' }], outputs: [] }
const abi = [{ ...guess, stateMutability: 'nonpayable' }]

function hex(value: number, bytes: number): string {
  return value.toString(16).padStart(2 * bytes, '0')
}

/** A guess takes 9 bytes: DUP1 PUSH2 it EQ PUSH2 to JUMPI. Then each has its JUMPDEST and what follows, of 4 bytes. */
function codeOf(variant: 'planted' | 'repaired'): `0x${string}` {
  // PUSH1 4, CALLDATALOAD
  const head = '600435'
  const first = 3 + 9 * GUESSES.length + 4
  const tests = GUESSES.map((each, index) => `8061${hex(each, 2)}1461${hex(first + 4 * index, 2)}57`)
  // PUSH0 SSTORE STOP, padded; JUMPDEST and INVALID, or the same as any other value.
  const ends = GUESSES.map(() => (variant === 'planted' ? '5bfe0000' : '5b5f5500'))
  return `0x${head}${tests.join('')}5f550000${ends.join('')}`
}

/** Deploys it, and is what is explored: four searches of 40 runs. */
export async function guessing(chain: Emulator, variant: 'planted' | 'repaired') {
  await chain.setCode(AT, codeOf(variant))
  const contracts = { it: { address: AT, abi } }
  return { contracts, runs: 160, depth: 4, searches: 4, seed: 5 }
}
