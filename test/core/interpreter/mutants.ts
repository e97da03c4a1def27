// Interpreters with one error each, and the number of programs within which the fuzzer finds it.

import { expect, test } from 'vitest'
import { createRunner, type Library } from '../../../scripts/fuzz/execute.js'
import { fuzz } from '../../../scripts/fuzz/fuzz.js'
import { library } from './library.ts'

interface Stack {
  pop(): bigint
  push(word: bigint): void
  dup(position: number): void
  peek(count: number): bigint[]
}

/** The part of @ethereumjs/evm that instructions use. */
interface RunState {
  stack: Stack
  programCounter: number
  code: Uint8Array
  returnBytes: Uint8Array
  gasRefund: bigint
}

interface Entry {
  readonly opcodeInfo: { readonly feeBigInt: bigint }
  readonly opHandler: (state: RunState) => unknown
  readonly gasHandler: (state: RunState, gas: bigint, common: unknown) => Promise<bigint>
}

type Mutate = (instructions: Entry[]) => void

function replace(instructions: Entry[], code: number, change: (entry: Entry) => Partial<Entry>): void {
  const entry = instructions[code]
  if (entry === undefined) throw new Error(`no instruction ${code}`)
  instructions[code] = { ...entry, ...change(entry) }
}

/** An instruction with a wrong result for some operands. */
function wrongFor(
  code: number,
  isFor: (...operands: bigint[]) => boolean,
  leaves: (result: bigint) => bigint,
): Mutate {
  return (instructions) =>
    replace(instructions, code, ({ opHandler }) => ({
      opHandler(state) {
        const isWrong = isFor(...state.stack.peek(Math.min(3, MOST_OPERANDS[code] ?? 2)))
        opHandler(state)
        if (isWrong) state.stack.push(leaves(state.stack.pop()))
      },
    }))
}

const MOST_OPERANDS: Readonly<Record<number, number>> = { 9: 3, 63: 1 }

const mutants: readonly (readonly [string, programs: number, Mutate])[] = [
  [
    'ADD costs 2',
    50,
    (instructions) =>
      replace(instructions, 0x01, ({ opcodeInfo }) => ({ opcodeInfo: { ...opcodeInfo, feeBigInt: 2n } })),
  ],
  [
    'MULMOD by 2 ** 256 - 1 is one off',
    400,
    wrongFor(
      0x09,
      (_a, _b, n) => n === 2n ** 256n - 1n,
      (it) => it ^ 1n,
    ),
  ],
  [
    'SDIV of the least by -1 is 0',
    1500,
    wrongFor(
      0x05,
      (a, b) => a === 2n ** 255n && b === 2n ** 256n - 1n,
      () => 0n,
    ),
  ],
  [
    'SAR by 256 and more is 0',
    100,
    wrongFor(
      0x1d,
      (shift) => shift >= 256n,
      () => 0n,
    ),
  ],
  [
    'SIGNEXTEND from byte 31 clears the sign',
    300,
    wrongFor(
      0x0b,
      (byte) => byte === 31n,
      (it) => it & (2n ** 255n - 1n),
    ),
  ],
  [
    'BYTE 32 is the last byte',
    300,
    wrongFor(
      0x1a,
      (index) => index === 32n,
      () => 1n,
    ),
  ],
  [
    'DUP16 takes the fifteenth',
    300,
    (instructions) => replace(instructions, 0x8f, () => ({ opHandler: ({ stack }) => stack.dup(15) })),
  ],
  [
    'a JUMP into the data of a PUSH is taken',
    1000,
    (instructions) =>
      replace(instructions, 0x56, ({ opHandler }) => ({
        opHandler(state) {
          const [target = 0n] = state.stack.peek(1)
          if (state.code[Number(target)] !== 0x5b) return opHandler(state)
          state.stack.pop()
          state.programCounter = Number(target)
          return undefined
        },
      })),
  ],
  [
    'what SSTORE gives back is forgotten',
    50,
    (instructions) =>
      replace(instructions, 0x55, ({ gasHandler }) => ({
        async gasHandler(state, gas, common) {
          const { gasRefund } = state
          const cost = await gasHandler(state, gas, common)
          state.gasRefund = gasRefund
          return cost
        },
      })),
  ],
  [
    'RETURNDATASIZE is 0 after 32 bytes',
    200,
    (instructions) =>
      replace(instructions, 0x3d, ({ opHandler }) => ({
        async opHandler(state) {
          await opHandler(state)
          if (state.returnBytes.length === 32) {
            state.stack.pop()
            state.stack.push(0n)
          }
        },
      })),
  ],
]

/** The library with EVMs whose instructions are changed. */
function mutated(mutate: Mutate): Library {
  const seen = new WeakSet()
  return {
    ...library,
    withEvm: (context, state, use) =>
      library.withEvm(context, state, (instance, isGuess) => {
        if (!seen.has(instance)) {
          seen.add(instance)
          mutate((instance.evm as unknown as { _opcodeMap: Entry[] })._opcodeMap)
        }
        return use(instance, isGuess)
      }),
  }
}

/** Finds some of the mutants, and shrinks the cases until they are readable. */
export function testMutants(isChosen: (programs: number) => boolean): void {
  const chosen = mutants.filter(([, programs]) => isChosen(programs))
  test.each(chosen)('an interpreter where %s is found', async (_, count, mutate) => {
    const pair = {
      reference: createRunner(library, 'reference'),
      other: createRunner(mutated(mutate), 'reference'),
    }
    const { report } = await fuzz(pair, { seed: 1, count, fork: 'osaka' })
    expect(report).toContain('the interpreters differ: seed 1, case ')
    expect(report).toContain('what differs:')
    // A line for each instruction of the least program.
    expect(report?.match(/^ {6}[0-9a-f]{4} {2}/gm)?.length).toBeLessThan(30)
  })
}
