// Invalid arguments to every function that the entries export: each is refused with a TickchainError, or has no effect.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import * as core from 'tickchain'
import * as ethers from 'tickchain/ethers'
import * as explore from 'tickchain/explore'
import * as exploreNode from 'tickchain/explore-node'
import * as matchers from 'tickchain/matchers'
import * as realtime from 'tickchain/realtime'
import * as recording from 'tickchain/recording'
import * as rollup from 'tickchain/rollup'
import * as shared from 'tickchain/shared'
import * as solidityTests from 'tickchain/solidity-tests'
import * as upstream from 'tickchain/upstream'
import * as viem from 'tickchain/viem'
import * as vitest from 'tickchain/vitest'
import * as vitestConfig from 'tickchain/vitest-config'
import * as vitestReporter from 'tickchain/vitest-reporter'
import { expect, test } from 'vitest'

type Anything = (...args: unknown[]) => unknown

const { createEmulator, TickchainError } = core
const chain = await createEmulator()
const [from = '0x', to = '0x'] = await chain.listAccounts()
const hash = await chain.request('eth_sendTransaction', [{ from, to }])
await chain.advance(2000)
const trace = await chain.trace(hash)
const timeline = core.recordTimeline(chain)
await chain.advance(2000)
const gas = await core.recordGas(chain)
const scene = { run: { pay: () => undefined }, invariants: {} }
const storyless = JSON.stringify({ format: 'tickchain story 1' })
const nobody = {
  dispatchEvent: () => true,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}
const fetchNothing = async () => ({ status: 200, headers: { get: () => null }, text: async () => '{}' })
const missing = join(tmpdir(), 'tickchain-hostile-exports')

/** Each export that takes arguments, with valid ones; of classes, the constructor. */
const CALLS: Readonly<
  Record<string, readonly [call: unknown, args: readonly unknown[], then?: (made: never) => unknown]>
> = {
  createEmulator: [core.createEmulator, [{}]],
  announceProvider: [core.announceProvider, [chain, nobody, {}]],
  advanceOnPoll: [core.advanceOnPoll, [chain, {}]],
  formatTrace: [core.formatTrace, [trace, { color: true, width: 80 }]],
  formatGasReport: [core.formatGasReport, [gas.report]],
  formatTimeline: [core.formatTimeline, [timeline, { color: true, width: 80 }]],
  recordGas: [core.recordGas, [chain], (made: core.GasRecording) => made.stop()],
  recordTimeline: [core.recordTimeline, [chain, {}], (made: core.Timeline) => made.stop()],
  timelineFrom: [
    core.timelineFrom,
    [timeline.record],
    async (made: core.TimelinePictures) => [await made.toSVG(), await made.toHTML()],
  ],
  coupleTimers: [
    core.coupleTimers,
    [chain, async () => undefined, {}],
    (made: core.CoupledClock) => made.advance(1),
  ],
  traceToHTML: [core.traceToHTML, [trace, { title: 'a' }]],
  base: [core.base, [{}], createEmulator],
  opMainnet: [core.opMainnet, [{}], createEmulator],
  unichain: [core.unichain, [{}], createEmulator],
  createRollup: [rollup.createRollup, [{}]],
  emulatorTransport: [viem.emulatorTransport, [chain, {}]],
  emulatorChain: [viem.emulatorChain, [chain, {}]],
  emulatorConfig: [viem.emulatorConfig, [chain, {}]],
  emulatorActions: [viem.emulatorActions, [chain]],
  EmulatorProvider: [(given: core.Emulator) => new ethers.EmulatorProvider(given), [chain]],
  chainTest: [vitest.chainTest, [{}, () => undefined]],
  tickchain: [vitestConfig.tickchain, [{ contracts: [] }]],
  reportPages: [vitestReporter.reportPages, [{}]],
  chainMatchers: [matchers.chainMatchers, [() => chain]],
  explore: [explore.explore, [chain, { ...scene, actions: { pay: fc.constant(1) }, runs: 1, seconds: 1 }]],
  exploreAll: [explore.exploreAll, [chain, { ...scene, script: [], adversary: [] }]],
  exploreContracts: [explore.exploreContracts, [chain, { contracts: {}, runs: 1 }]],
  replay: [explore.replay, [chain, scene, storyless]],
  merge: [explore.merge, [[]]],
  formatProgress: [explore.formatProgress, [{ runs: 1 }, 5]],
  exploreModule: [exploreNode.exploreModule, [missing, { workers: 1 }]],
  corpusFolder: [exploreNode.corpusFolder, [missing]],
  storyFolder: [exploreNode.storyFolder, [missing]],
  runSolidityTests: [solidityTests.runSolidityTests, [missing]],
  runTestArtifacts: [explore.runTestArtifacts, [[]]],
  replayFile: [exploreNode.replayFile, [chain, scene, missing]],
  startRealtime: [realtime.startRealtime, [chain, {}], (made: realtime.RealtimeDriver) => made.stop()],
  recordingFile: [recording.recordingFile, [missing], (made: core.RecordingFile) => made.read()],
  sharedChain: [shared.sharedChain, [{}, () => undefined, {}]],
  httpUpstream: [upstream.httpUpstream, ['http://localhost', { fetch: fetchNothing }]],
}

const throwing = new Proxy(
  {},
  {
    get: () => {
      throw new RangeError('a getter')
    },
  },
)
const VALUES: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a bigint', 5n],
  ['NaN', Number.NaN],
  ['a symbol', Symbol('none')],
  ['a text', 'null'],
  ['an array', [null]],
  ['an empty object', {}],
  ['an object without a prototype', Object.create(null)],
  ['one that throws', throwing],
  ['a function', () => null],
]

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  return undefined
}

/** Each argument replaced by each value, and each field of an argument that is an object. */
function hostileOf(args: readonly unknown[]): (readonly [string, readonly unknown[]])[] {
  return args.flatMap((arg, position) =>
    VALUES.flatMap(([name, value]) => {
      const plain = typeof arg === 'object' && arg !== null && arg !== chain ? arg : {}
      const fields = Object.getPrototypeOf(plain) === Object.prototype ? Object.keys(plain) : []
      return [
        [`argument ${position}: ${name}`, Object.assign([...args], { [position]: value })] as const,
        ...fields.map(
          (field) =>
            [
              `field ${field} of ${position}: ${name}`,
              Object.assign([...args], { [position]: { ...plain, [field]: value } }),
            ] as const,
        ),
      ]
    }),
  )
}

test('every export that is a function is here', () => {
  const all = [
    core,
    ethers,
    explore,
    exploreNode,
    solidityTests,
    matchers,
    realtime,
    recording,
    rollup,
    shared,
    upstream,
    viem,
    vitest,
    vitestConfig,
    vitestReporter,
  ]
  const names = all
    .flatMap((entry) => Object.entries(entry))
    .filter(([name, value]) => typeof value === 'function' && name !== 'default')
  const without = ['TickchainError', 'performPart', 'openSolidityFile', 'compileForRun', 'runShare']
  expect(
    [...new Set(names.map(([name]) => name))].filter((name) => !(name in CALLS) && !without.includes(name)),
  ).toEqual([])
})

/** The entries for viem and ethers do not load the chain, whose error class this is: they say which argument is wrong. */
function isOfClients(error: unknown): boolean {
  return error instanceof TypeError && /^(?:emulator\w+|EmulatorProvider) takes /.test(error.message)
}

test.each(Object.entries(CALLS))('%s', { tags: 'gate' }, async (_, [call, args, then = () => undefined]) => {
  const raw: string[] = []
  for (const [name, given] of hostileOf(args)) {
    const error = await errorOf(async () => (then as Anything)(await (call as Anything)(...given)))
    const isOwn = error instanceof TickchainError && error.kind !== 'internal'
    if (error !== undefined && !isOwn && !isOfClients(error))
      raw.push(`${name}: ${(error as Error)?.stack ?? String(error)}`)
  }
  expect(raw).toEqual([])
})

test.each([Number.NaN, -1, 0, '80'])('a width of %s ends, refused', (width) => {
  const refused = expect.objectContaining({
    kind: 'invalidOption',
    message: expect.stringContaining('width'),
  })
  const format = { width } as core.TerminalFormat
  for (const call of [() => core.formatTimeline(timeline, format), () => core.formatTrace(trace, format)]) {
    expect(call).toThrow(refused)
  }
})

test.each([
  [{}, 'an object'],
  [undefined, 'nothing'],
  [Promise.resolve(trace), 'a promise, without await'],
])(
  'what is no trace, timeline or report is refused without the words of the engine: %j',
  async (given, got) => {
    const refused = (expected: string) =>
      expect.objectContaining({
        kind: 'invalidCall',
        message: expect.stringContaining(`: expected ${expected}, got ${got}`),
      })
    const any = given as never
    expect(() => core.formatTrace(any)).toThrow(refused('what chain.trace resolves to, and a format'))
    expect(() => core.formatTimeline(any)).toThrow(refused('what recordTimeline returns, and a format'))
    expect(() => core.formatGasReport(any)).toThrow(refused('the report of recordGas'))
    await expect(core.traceToHTML(any)).rejects.toThrow(refused('what chain.trace resolves to, and options'))
  },
)

test('timelineFrom draws a record with a wrong value, and says what is wrong', async () => {
  const whole = JSON.stringify(timeline.record)
  const paths: (readonly string[])[] = []
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      paths.push([...path, key])
      visit(inner, [...path, key])
    }
  }
  visit(JSON.parse(whole), [])
  for (const path of paths) {
    for (const value of [-1, 1e300, 'x', null, {}]) {
      const record = JSON.parse(whole)
      const parent = path.slice(0, -1).reduce((at, key) => at[key], record)
      parent[path.at(-1) as string] = value
      expect(await core.timelineFrom(record).toSVG(), path.join('.')).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
    }
  }
  const record = JSON.parse(whole)
  record.layers[0].start.atMs = 1e300
  expect(await core.timelineFrom(record).toSVG()).toContain(
    'layers[0].start.atMs is 1e+300, not a number that can be drawn',
  )
})
