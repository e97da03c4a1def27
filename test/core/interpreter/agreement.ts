// The interpreter compared with that of @ethereumjs in all visible results: every opcode, with every relevant gas limit
// and stack height.
import { concat, type Hex, numberToHex, padHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hardfork } from '../../../src/core/rollup/hardforks.ts'
import { EMPTY_STORAGE, type Storage } from '../../../src/core/state/world-state.ts'
import { CALLER, CONTRACT, codeOf, INTRINSIC, OTHER, push, type Run, runCode } from './scene.ts'

export async function expectAgreement(code: Hex, run: Run, what: string): Promise<bigint> {
  const reference = await runCode(code, { ...run, interpreter: 'reference' })
  expect(await runCode(code, { ...run, interpreter: 'wasm' }), what).toEqual(reference)
  return reference.gasUsed
}

export const byte = (value: number): Hex => numberToHex(value, { size: 1 })

/** Answers with its calldata, reverts with it, runs out of gas, writes a slot, destroys itself. */
const ECHO: Hex = '0x3660006000373660006000f3'
const REVERTER: Hex = '0x3660006000373660006000fd'
const SPENDER: Hex = '0x5b600056'
const WRITER: Hex = '0x600160005500'
const DESTROYER: Hex = '0x33ff'
const LONE: Hex = `0x${'10'.repeat(20)}`

export const accounts = {
  [OTHER]: { balance: 5n, nonce: 1n, ...codeOf(ECHO) },
  [`0x${'01'.repeat(20)}`]: codeOf(REVERTER),
  [`0x${'02'.repeat(20)}`]: codeOf(SPENDER),
  [`0x${'03'.repeat(20)}`]: codeOf(WRITER),
  [`0x${'04'.repeat(20)}`]: { ...codeOf(DESTROYER), balance: 77n },
  [`0x${'05'.repeat(20)}`]: { balance: 9n },
  // Delegated (EIP-7702): to code, to an account without any, to itself.
  [`0x${'06'.repeat(20)}`]: codeOf(concat(['0xef0100', OTHER])),
  [`0x${'07'.repeat(20)}`]: codeOf(concat(['0xef0100', LONE])),
  [`0x${'08'.repeat(20)}`]: codeOf(concat(['0xef0100', `0x${'08'.repeat(20)}`])),
} as const
const TARGETS: readonly bigint[] = [
  ...Object.keys(accounts),
  CALLER,
  CONTRACT,
  LONE,
  '0x04',
  '0x01',
  '0x00',
].map(BigInt)

/** Saves the top of the stack to memory, whatever it is, and gives memory and what a call gave back. */
export const SHOW: Hex = '0x60005260ff6000f3'

function stored(value: number): Storage {
  if (value === 0) return EMPTY_STORAGE
  return EMPTY_STORAGE.set(padHex('0x05', { size: 32 }), Uint8Array.of(value))
}

/** The tests of one fork, with every `step`-th opcode from the first on. */
export function testAgreement(fork: Hardfork, step: number, first = 0): void {
  describe(fork, () => {
    test('every opcode on an empty stack, on some of small words, and on one of large ones', async () => {
      const stacks = [
        ...['0x', push(1), push(7, 1), push(5, 7, 1), push(...Array.from({ length: 17 }, (_, i) => 17 - i))],
        push(...Array.from({ length: 17 }, () => 2n ** 256n - 1n)),
      ] as const
      for (let opcode = first; opcode < 256; opcode += step) {
        for (const [index, stack] of stacks.entries()) {
          const run = { fork, accounts, input: padHex('0x11', { size: 40 }), gas: 300_000n }
          await expectAgreement(
            concat([stack, byte(opcode), SHOW]),
            run,
            `${opcode.toString(16)} on ${index}`,
          )
        }
      }
    })

    test('every opcode with one gas too little, and with none', async () => {
      for (let opcode = first; opcode < 256; opcode += step) {
        const code = concat([push(40, 3, 2, 1, 0, 96, 5), byte(opcode), '0x00'])
        const run = { fork, accounts, input: '0x112233' } as const
        const used = await expectAgreement(code, { ...run, gas: 500_000n }, `${opcode.toString(16)}`)
        const limits = [used - 1n, used, INTRINSIC + 20n + 48n, INTRINSIC + 21n + 48n]
        for (const gas of limits) {
          await expectAgreement(
            code,
            { ...run, gas: gas < 22_000n ? 22_000n : gas },
            `${opcode.toString(16)} ${gas}`,
          )
        }
      }
    })

    test.each([
      ['CALL', '0xf1', true],
      ['CALLCODE', '0xf2', true],
      ['DELEGATECALL', '0xf4', false],
      ['STATICCALL', '0xfa', false],
    ] as const)(
      '%s of all kinds of accounts, with and without value, gas and output',
      async (name, opcode, hasValue) => {
        for (const target of TARGETS.filter((_, index) => index % step === 0)) {
          for (const value of hasValue ? [0n, 3n, 5000n] : [0n]) {
            for (const gas of [0n, 2000n, 2n ** 255n]) {
              const operands = [...(hasValue ? [value] : []), target, gas]
              // 40 bytes of input, 20 of output; then the size of what came back, all of it, and the gas that is left.
              const call = concat([
                push(20, 64, 40, 0, ...operands),
                opcode,
                '0x610100523d600060603e5a61012052',
              ])
              const code = concat([
                '0x7f',
                padHex('0x1234', { dir: 'right', size: 32 }),
                '0x600052',
                call,
                SHOW,
              ])
              const run = { fork, accounts, gas: 400_000n }
              await expectAgreement(code, run, `${name} of ${target.toString(16)} with ${value}, ${gas}`)
            }
          }
        }
      },
    )

    test('CREATE and CREATE2, of all kinds of init code', async () => {
      const inits: readonly Hex[] = [
        ...(['0x', '0x00', '0xef', '0xfe', '0x60ef60005360016000f3', '0x600a80600b6000396000f3'] as const),
        ...(['0x60016000fd', '0x33ff', '0x6001600055', '0x616001600060006000f3', '0x6160016000f3'] as const),
      ]
      for (const init of inits.filter((_, index) => index % step === 0)) {
        const size = (init.length - 2) / 2
        const store = concat(['0x7f', padHex(init, { dir: 'right', size: 32 }), '0x600052'])
        for (const value of [0n, 7n, 5000n]) {
          for (const opcode of ['0xf0', '0xf5'] as const) {
            const operands = opcode === '0xf5' ? push(99, size, 0, value) : push(size, 0, value)
            const twice = concat([
              operands,
              opcode,
              '0x3f',
              operands,
              opcode,
              '0x3d6101005260016020525a602052',
            ])
            const code = concat([store, twice, SHOW])
            await expectAgreement(
              code,
              { fork, accounts, gas: 3_000_000n },
              `${opcode} of ${init} with ${value}`,
            )
            await expectAgreement(
              code,
              { fork, accounts, gas: 60_000n },
              `${opcode} of ${init} with ${value}, short`,
            )
          }
        }
      }
    })

    test('SSTORE from each value over each to each, cold and warm, with refunds', async () => {
      for (const original of [0, 1]) {
        for (const once of step === 1 ? [0, 1, 2] : [2]) {
          for (const second of [0, 1, 2]) {
            for (const third of [0, 1, 2]) {
              const writes = [once, second, third].map((value) => push(value, 5))
              const code = concat(writes.flatMap((write) => [write, '0x55' as const]))
              const before = original === 0 ? '0x' : push(original, 5)
              // Through a call, so that the transaction begins before the slot has its value.
              const what = `${original}, ${once}, ${second}, ${third}`
              await expectAgreement(concat([before, original === 0 ? '0x' : '0x55', code]), { fork }, what)
              const storage = stored(original)
              const held = { [CONTRACT]: { balance: 1000n, nonce: 1n, ...codeOf(code), storage } }
              await expectAgreement(code, { fork, accounts: held }, what)
              const accessList = [{ address: CONTRACT, storageKeys: [padHex('0x05', { size: 32 })] }]
              await expectAgreement(code, { fork, accounts: held, accessList }, `${what}, listed`)
              const used = await expectAgreement(
                code,
                { fork, accounts: held, gas: 23_500n },
                `${what}, short`,
              )
              await expectAgreement(
                code,
                { fork, accounts: held, gas: used + 23_000n },
                `${what}, less short`,
              )
            }
          }
        }
      }
    })
  })
}
