// All of Hardhat's cases of stack traces, by both interpreters.
import { testStackTraces } from './stack-traces.ts'

testStackTraces('wasm', () => true)
testStackTraces('reference', (name) => name.includes('/call-message/'))
