// Random programs: how they are made and shown; fuzz.sized.test.ts runs them on both interpreters.

import { expect, test } from 'vitest'
import { disassemble } from '../../../scripts/fuzz/assembly.js'
import { makeCase } from '../../../scripts/fuzz/world.js'

test('a seed and a number always make the same case', () => {
  const [once, again] = [makeCase(7, 42, 'prague'), makeCase(7, 42, 'prague')]
  expect(once).toEqual(again)
  expect(makeCase(7, 43, 'prague')).not.toEqual(once)
  expect(makeCase(8, 42, 'prague')).not.toEqual(once)
})

test('code is disassembled, also if its end truncates a constant', () => {
  expect(disassemble(Uint8Array.of(0x60, 0x5b, 0x5b, 0x0c, 0x61, 0x01))).toEqual([
    '0000  PUSH1 0x5b',
    '0002  JUMPDEST',
    '0003  UNDEFINED(0x0c)',
    '0004  PUSH2 0x01 (cut off)',
  ])
})
