// Opcodes that only compute on words, at the values where carries, signs and lengths change, against bigints.
import { bytesToBigInt, concat, type Hex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { push, RETURN_TOP, runCode } from './scene.ts'

const TWO = 2n
const MOD = TWO ** 256n
const MAX = MOD - 1n
const LEAST_SIGNED = TWO ** 255n

const signed = (word: bigint): bigint => BigInt.asIntN(256, word)
const word = (value: bigint): bigint => BigInt.asUintN(256, value)
const flag = (value: boolean): bigint => (value ? 1n : 0n)
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** Zero, one, both sides of every limb and digit, signs, and some of no pattern. */
const WORDS: readonly bigint[] = [
  ...[0n, 1n, 2n, 3n, 5n, 7n, 8n, 10n, 31n, 32n, 63n, 64n, 65n, 127n, 128n, 255n, 256n, 257n],
  ...[32n, 64n, 96n, 128n, 160n, 192n, 224n].flatMap((bits) => [
    TWO ** bits - 1n,
    TWO ** bits,
    TWO ** bits + 1n,
  ]),
  ...[LEAST_SIGNED - 1n, LEAST_SIGNED, LEAST_SIGNED + 1n, MAX, MAX - 1n, MAX - 6n],
  0x0123456789abcdef_fedcba9876543210_0f1e2d3c4b5a6978_8796a5b4c3d2e1f0n,
  0xdeadbeef_00000000_ffffffff_80000000_7fffffff_00000001_cafebabe_00000000n,
  // Moduli that are less than 2^64 below 2^256, secp256k1's among them, and the first that is not.
  ...[MAX - 188n, MOD - TWO ** 32n - 977n, MOD - TWO ** 64n + 1n, MOD - TWO ** 64n],
  // A denominator with which the first estimate of a digit is two too large (Knuth, 4.3.1, exercise 21).
  0x8000_0000_0000_0000_0000_0001n,
  0x7fff_ffff_8000_0000_0000_0000_0000_0000_0000_0000n,
]

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % MOD
    square = (square * square) % MOD
  }
  return result
}

function signExtend(index: bigint, value: bigint): bigint {
  return index > 30n ? value : word(BigInt.asIntN(8 * (Number(index) + 1), value))
}

function signedQuotient(a: bigint, b: bigint): bigint {
  return b === 0n ? 0n : word(signed(a) / signed(b))
}

function signedRemainder(a: bigint, b: bigint): bigint {
  if (b === 0n) return 0n
  const remainder = magnitude(signed(a)) % magnitude(signed(b))
  return word(signed(a) < 0n ? -remainder : remainder)
}

const ONE_OPERAND: Readonly<Record<string, readonly [Hex, (a: bigint) => bigint]>> = {
  ISZERO: ['0x15', (a) => flag(a === 0n)],
  NOT: ['0x19', (a) => MAX - a],
  CLZ: ['0x1e', (a) => BigInt(a === 0n ? 256 : 256 - a.toString(2).length)],
}

const TWO_OPERANDS: Readonly<Record<string, readonly [Hex, (a: bigint, b: bigint) => bigint]>> = {
  ADD: ['0x01', (a, b) => word(a + b)],
  MUL: ['0x02', (a, b) => word(a * b)],
  SUB: ['0x03', (a, b) => word(a - b)],
  DIV: ['0x04', (a, b) => (b === 0n ? 0n : a / b)],
  SDIV: ['0x05', signedQuotient],
  MOD: ['0x06', (a, b) => (b === 0n ? 0n : a % b)],
  SMOD: ['0x07', signedRemainder],
  EXP: ['0x0a', power],
  SIGNEXTEND: ['0x0b', signExtend],
  LT: ['0x10', (a, b) => flag(a < b)],
  GT: ['0x11', (a, b) => flag(a > b)],
  SLT: ['0x12', (a, b) => flag(signed(a) < signed(b))],
  SGT: ['0x13', (a, b) => flag(signed(a) > signed(b))],
  EQ: ['0x14', (a, b) => flag(a === b)],
  AND: ['0x16', (a, b) => a & b],
  OR: ['0x17', (a, b) => a | b],
  XOR: ['0x18', (a, b) => a ^ b],
  BYTE: ['0x1a', (a, b) => (a > 31n ? 0n : (b >> (8n * (31n - a))) & 0xffn)],
  SHL: ['0x1b', (a, b) => (a > 255n ? 0n : word(b << a))],
  SHR: ['0x1c', (a, b) => (a > 255n ? 0n : b >> a)],
  SAR: ['0x1d', (a, b) => word(signed(b) >> (a > 255n ? 255n : a))],
}

const THREE_OPERANDS: Readonly<Record<string, readonly [Hex, (a: bigint, b: bigint, n: bigint) => bigint]>> =
  {
    ADDMOD: ['0x08', (a, b, n) => (n === 0n ? 0n : (a + b) % n)],
    MULMOD: ['0x09', (a, b, n) => (n === 0n ? 0n : (a * b) % n)],
  }

/** Runs an opcode on many operands in one program, and gives what it answered for each. */
async function answers(opcode: Hex, operands: readonly (readonly bigint[])[]): Promise<bigint[]> {
  const parts = operands.map((words, index) =>
    concat([push(...[...words].reverse()), opcode, '0x62', numberToHex(32 * index, { size: 3 }), '0x52']),
  )
  const length = numberToHex(32 * operands.length, { size: 3 })
  const { outcome, returnData } = await runCode(concat([...parts, '0x62', length, '0x6000f3']))
  expect(outcome).toBe('success')
  return operands.map((_, index) => bytesToBigInt(returnData.subarray(32 * index, 32 * index + 32)))
}

function named(words: readonly bigint[], value: bigint | undefined): string {
  return `${words.map((it) => `0x${it.toString(16)}`).join(', ')} → 0x${value?.toString(16)}`
}

async function expectAnswers(
  opcode: Hex,
  operands: readonly (readonly bigint[])[],
  expected: (words: readonly bigint[]) => bigint,
): Promise<void> {
  const given = await answers(opcode, operands)
  expect(operands.map((words, index) => named(words, given[index]))).toEqual(
    operands.map((words) => named(words, expected(words))),
  )
}

test.each(Object.entries(ONE_OPERAND))('%s', { tags: 'gate' }, async (_name, [opcode, expected]) => {
  await expectAnswers(
    opcode,
    WORDS.map((a) => [a]),
    ([a = 0n]) => expected(a),
  )
})

test.each(Object.entries(TWO_OPERANDS))('%s', { tags: 'gate' }, async (_name, [opcode, expected]) => {
  for (const a of WORDS) {
    await expectAnswers(
      opcode,
      WORDS.map((b) => [a, b]),
      ([first = 0n, second = 0n]) => expected(first, second),
    )
  }
})

test.each(Object.entries(THREE_OPERANDS))('%s', { tags: 'gate' }, async (_name, [opcode, expected]) => {
  const some = WORDS.filter((_, index) => index % 3 === 0 || index > 35)
  for (const a of some) {
    await expectAnswers(
      opcode,
      some.flatMap((b) => some.map((n) => [a, b, n])),
      ([first = 0n, second = 0n, modulus = 0n]) => expected(first, second, modulus),
    )
  }
})

test('PUSH0 to PUSH32 push what follows, and zeros after the end of the code', async () => {
  const bytes = Array.from({ length: 32 }, (_, index) => numberToHex(0xa0 + index, { size: 1 }))
  for (let length = 0; length <= 32; length++) {
    const immediate = concat(['0x', ...bytes.slice(0, length)])
    const pushed = await runCode(concat([numberToHex(0x5f + length, { size: 1 }), immediate, RETURN_TOP]))
    expect(bytesToBigInt(pushed.returnData), `PUSH${length}`).toBe(length === 0 ? 0n : BigInt(immediate))
  }
  // The code ends in the middle of it: then there is nothing left but to stop.
  const truncated = await runCode('0x7faabb')
  expect(truncated).toMatchObject({ outcome: 'success', gasUsed: 21_003n })
})
