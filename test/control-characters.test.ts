// Control characters that strangers write into texts of contracts, and users into names, reach no terminal, message or
// picture; the bytes stay as they are.

import {
  createEmulator,
  formatGasReport,
  formatTimeline,
  formatTrace,
  recordTimeline,
  traceToHTML,
} from 'tickchain'
import { chainMatchers } from 'tickchain/matchers'
import { encodeErrorResult, encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { endTest } from '../src/tools/explore/tests/end-test.ts'

const EVIL = 'a\u001b[2J\u0007\0\u009b1m\u007f\r\u202e\u2066b'
/** Worked out by hand. */
const SHOWN = String.raw`a\x1b[2J\x07\x00\x9b1m\x7f\x0d\u202e\u2066b`
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/
const AT = `0x${'c1'.repeat(20)}` as const
const CONSOLE = '000000000000000000636f6e736f6c652e6c6f67'

const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: [EVIL] })
const log = encodeFunctionData({ abi: parseAbi(['function log(string)']), args: [EVIL] })
const hexOf = (count: number): string => count.toString(16).padStart(4, '0')

/** Calls console.log, and reverts with the text: CODECOPY of both, STATICCALL, REVERT. */
function codeOf(): `0x${string}` {
  const [call, revert] = [log.slice(2), data.slice(2)]
  const [calls, reverts] = [call.length / 2, revert.length / 2]
  const head = (at: number): string =>
    `61${hexOf(calls)}61${hexOf(at)}5f39` +
    `5f5f61${hexOf(calls)}5f73${CONSOLE}5afa50` +
    `61${hexOf(reverts)}61${hexOf(at + calls)}5f3961${hexOf(reverts)}5ffd`
  return `0x${head(head(0).length / 2)}${call}${revert}`
}

test('in messages, traces, timelines, pages and reports they are escapes', async () => {
  const chain = await createEmulator({ production: 'auto' })
  const timeline = recordTimeline(chain)
  await chain.setCode(AT, codeOf())
  await chain.label(AT, EVIL)
  const [from = '0x'] = await chain.listAccounts()
  const call = { from, to: AT, gas: '0x100000' } as const
  const error = await chain.request('eth_call', [call]).catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 3, data, message: `execution reverted: ${SHOWN}` })
  expect(error.stack).not.toMatch(CONTROLS)
  const answer = await chain.handle({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call] })
  expect(answer).toMatchObject({ error: { message: `execution reverted: ${SHOWN}`, data } })
  const simulated = await chain.request('eth_simulateV1', [{ blockStateCalls: [{ calls: [call] }] }])
  expect(simulated[0]?.calls[0]?.error?.message).toContain(SHOWN)

  const sent = await chain
    .request('eth_sendTransaction', [call])
    .catch((thrown) => thrown.transactionHash ?? thrown.data)
  const hash = (await chain.request('eth_getBlockByNumber', ['latest', false]))
    ?.transactions[0] as `0x${string}`
  expect(sent).toBeDefined()
  // What a test compares is as it was.
  const outcome = await chain.outcome(hash)
  expect(outcome?.consoleLogs[0]?.message).toBe(EVIL)

  const trace = await chain.trace(hash)
  const gas = [{ name: EVIL, file: EVIL, codeSize: 1, functions: [] }]
  const { toRevertWith } = chainMatchers(() => chain) as unknown as Record<
    string,
    (...args: unknown[]) => Promise<{ message(): string }>
  >
  const matched = await toRevertWith?.call({ isNot: false }, hash, 'another')
  const texts: Readonly<Record<string, string>> = {
    trace: formatTrace(trace),
    lines: timeline.lines.join('\n'),
    timeline: formatTimeline({ lines: [`+0.2 s  ${EVIL}`] }),
    'SVG of a timeline': await timeline.toSVG({ title: EVIL }),
    'page of a trace': await traceToHTML(trace, { title: EVIL }),
    'gas report': formatGasReport(gas as never),
    matcher: matched?.message() ?? '',
  }
  for (const [name, text] of Object.entries(texts)) {
    expect(
      CONTROLS.exec(text)?.[0],
      `${name}: ${JSON.stringify(text.slice(Math.max(0, text.search(CONTROLS) - 60), text.search(CONTROLS) + 40))}`,
    ).toBeUndefined()
    // As an escape of ours, or of JSON where texts are in quotes.
    expect(text, name).toMatch(/\\(?:x|u00)1b\[2J/)
  }
  // Colours are of the formatter, not of the contract.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes contain it
  expect(formatTrace(trace, { color: true }).replace(/\u001b\[(?:0|3[1-6])m/g, '')).not.toMatch(CONTROLS)
})

test('so they are in the failure of a Solidity test', () => {
  const named = { file: 'test/A.t.sol', contract: 'A', test: 'test_a()' }
  const result = { ...named, status: 'failed', reason: EVIL, logs: [EVIL], trace: `  ${EVIL}` } as const
  const unknown = () => undefined
  expect(() => endTest(result, unknown, { fileOf: unknown, lineOf: unknown })).toThrow(
    `${SHOWN}\n${SHOWN}\n  ${SHOWN}`,
  )
})
