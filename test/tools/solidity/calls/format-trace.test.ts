// The width of traces; their contents are in trace.test.ts.

import { type CallTrace, formatTrace, type TracedCall } from 'tickchain'
import { expect, test } from 'vitest'

const ADDRESS = `0x${'aa'.repeat(20)}` as const

function callOf(name: string, args: readonly string[], entries: TracedCall['entries'] = []): TracedCall {
  return {
    ...{ type: 'call', kind: 'CALL', from: ADDRESS, to: ADDRESS, name, value: 0n, gas: 100, gasUsed: 7 },
    ...{ input: '0x00000000', output: '0x', functionName: 'run', results: undefined, error: undefined },
    ...{ args: args.map((text) => ({ name: '', type: 'string', value: text, text })), entries, storage: [] },
    ...{ fromName: undefined, stack: [] },
  } as TracedCall
}

const inner = callOf('Inner', ['"one two three"', '"four"'])
const trace = { transactionHash: undefined, call: callOf('Outer', [], [inner]), isCut: false } as CallTrace

test('a trace is as wide as it is, unless told', () => {
  expect(formatTrace(trace).split('\n')).toEqual([
    '  [7] Outer::run()',
    '    ├─ [7] Inner::run("one two three", "four")',
    '    │   └─ ← [Stop]',
    '    └─ ← [Stop]',
  ])
})

test('what is broken off hangs on the branches of the tree', () => {
  expect(formatTrace(trace, { width: 32 }).split('\n')).toEqual([
    '  [7] Outer::run()',
    '    ├─ [7] Inner::run("one two',
    '    │    three", "four")',
    '    │   └─ ← [Stop]',
    '    └─ ← [Stop]',
  ])
})
