// Every fork in which gas, opcodes and messages differ.
import { concat } from 'viem'
import { test } from 'vitest'
import { scaled } from '../../size.ts'
import { accounts, byte, expectAgreement, SHOW, testAgreement } from './agreement.ts'

testAgreement('osaka', 1)

// In the gate every sixth opcode of the others.
const step = scaled(1) === 1 ? 6 : 1
for (const fork of ['byzantium', 'constantinople', 'istanbul', 'berlin', 'cancun'] as const)
  testAgreement(fork, step)

test('every opcode on a full stack, and on one that has room for one word', async () => {
  const full = concat(Array.from({ length: 1024 }, () => '0x30' as const))
  for (let opcode = 0; opcode < 256; opcode += step) {
    for (const stack of [full, concat([full, '0x50'])]) {
      await expectAgreement(
        concat([stack, byte(opcode), SHOW]),
        { accounts, gas: 300_000n },
        opcode.toString(16),
      )
    }
  }
})
