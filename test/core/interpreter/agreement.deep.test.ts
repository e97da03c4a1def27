// Every fork in which gas, opcodes and messages differ.
import { concat } from 'viem'
import { test } from 'vitest'
import { scaled } from '../../size.ts'
import { accounts, byte, expectAgreement, SHOW, testAgreement } from './agreement.ts'

// In the gate each fourth opcode under osaka, and few under the others.
const isLong = scaled(1) > 1
testAgreement('osaka', isLong ? 1 : 4)
const OTHERS = { byzantium: 1, constantinople: 3, istanbul: 5, berlin: 7, cancun: 2 } as const
for (const [fork, first] of Object.entries(OTHERS))
  testAgreement(fork as keyof typeof OTHERS, isLong ? 1 : 16, isLong ? 0 : first)

test('every opcode on a full stack, and on one that has room for one word', async () => {
  const full = concat(Array.from({ length: 1024 }, () => '0x30' as const))
  for (let opcode = 0; opcode < 256; opcode += isLong ? 1 : 8) {
    for (const stack of [full, concat([full, '0x50'])]) {
      await expectAgreement(
        concat([stack, byte(opcode), SHOW]),
        { accounts, gas: 300_000n },
        opcode.toString(16),
      )
    }
  }
})
