// Some opcodes of the newest fork; agreement.deep.test.ts has all, and all forks.
import { testAgreement } from './agreement.ts'

testAgreement('osaka', 7)
