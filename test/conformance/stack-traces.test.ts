// A few of Hardhat's cases of stack traces; stack-traces.deep.test.ts has all.
import { testStackTraces } from './stack-traces.ts'

testStackTraces(
  'wasm',
  (name) => name.includes('/custom-errors/') || name.includes('/fallback-and-receive/with-'),
)
