// Where gas, opcodes and messages differ most, but for the newest fork, which is in agreement.test.ts.
import { testAgreement } from './agreement.ts'

for (const fork of ['byzantium', 'constantinople', 'istanbul', 'berlin', 'cancun'] as const)
  testAgreement(fork)
