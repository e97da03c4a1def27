// Hardhat's cases of stack traces, by both interpreters: every sixth in the gate, all in `npm run test:long`.
import { allInLong } from '../size.ts'
import { testStackTraces } from './stack-traces.ts'

const [step = 1] = allInLong([6], [1])
let count = 0
testStackTraces('wasm', () => count++ % step === 0)
testStackTraces('reference', (name) => name.includes('/call-message/'))
