// The steps of traces as the debugger of pages reads them, beside those of debug_traceTransaction and beside stack traces.

import { readFileSync } from 'node:fs'
import { createEmulator, type Emulator, type TracedCall } from 'tickchain'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { readSteps } from '../../../src/tools/pages/debugger/steps.ts'
import type { TracedSteps } from '../../../src/tools/solidity/calls/traced-steps.ts'
import { compile } from '../solidity/compile.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
// By Alice with nonce 0: the well-known first address of a fresh chain.
const LEDGER = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const NONE = { lines: new Set<string>(), events: new Set<string>(), places: new Set<number>() }

const source = readFileSync(new URL('Ledger.sol', import.meta.url), 'utf8')
const build = compile({ 'Ledger.sol': source })
const { abi, evm } = build.output.contracts['Ledger.sol']!['Ledger']!

/** The number of the line that a text begins in, the first time. */
function lineOf(text: string): number {
  const [before = '', after] = source.split(text)
  expect(after).toBeDefined()
  return before.split('\n').length
}

function dataOf(functionName: string, ...args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: abi as Abi, functionName, args })
}

let chain: Emulator
let created: Hex
async function send(fields: { to?: Hex; data: Hex }): Promise<Hex> {
  return chain.request('eth_sendTransaction', [{ from: ALICE, gas: '0x500000', ...fields }])
}

beforeEach(async () => {
  chain = await createEmulator({ production: 'auto' })
  await chain.addContracts(build)
  chain.label(BOB, 'Bob')
  created = await send({ data: `0x${evm.bytecode.object}` })
})

async function stepsOf(target: Hex | object) {
  const { steps } = await chain.trace(target, { steps: true })
  return readSteps(JSON.parse(JSON.stringify(steps)))
}

/** A contract with this code, which reads, writes, calls itself and fails inside. */
async function deployCode(code: string): Promise<Hex> {
  const address = `0x${'c0de'.repeat(10)}` as const
  await chain.setCode(address, `0x${code}`)
  return address
}

interface StructLog {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
  readonly stack: readonly Hex[]
  readonly memory?: readonly Hex[]
  readonly storage?: Readonly<Record<Hex, Hex>>
}

async function expectSameSteps(hash: Hex): Promise<void> {
  const { structLogs } = (await chain.request('debug_traceTransaction', [hash, { enableMemory: true }])) as {
    structLogs: StructLog[]
  }
  const steps = await stepsOf(hash)
  expect(steps.count).toBe(structLogs.length)
  expect(steps.count).toBeGreaterThan(0)
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
  const shown = (step: number) => {
    const { pc, opcode, gas, cost, depth, stack, memory } = steps.at(step)
    return { pc, op: opcode, gas, gasCost: cost, depth: depth + 1, stack, memory: hex(memory) }
  }
  const expected = structLogs.map(({ pc, op, gas, gasCost, depth, stack, memory = [] }) => {
    return { pc, op, gas, gasCost, depth, stack, memory: memory.map((word) => word.slice(2)).join('') }
  })
  // Forwards, backwards, and by leaps.
  const forward = expected.map((_, step) => step)
  const leaps = Array.from({ length: 40 }, (_, leap) => (leap * 7919) % expected.length)
  for (const step of [...forward, ...forward.toReversed(), ...leaps]) {
    const [now, then] = [shown(step), expected[step]]
    if (JSON.stringify(now) !== JSON.stringify(then)) expect(now).toEqual(then)
  }
}

describe('the steps of a trace', () => {
  test('equal those of debug_traceTransaction, forwards, backwards and by leaps', {
    tags: 'gate',
  }, async () => {
    await expectSameSteps(created)
    await expectSameSteps(await send({ to: LEDGER, data: dataOf('settle', BOB, 9n) }))
    await expectSameSteps(await send({ to: LEDGER, data: dataOf('trySettle', BOB, 9n) }))
  })

  test('have the storage that is read and written, and take back what a failed call wrote', async () => {
    await send({ to: LEDGER, data: dataOf('settle', BOB, 2n) })
    const steps = await stepsOf(await send({ to: LEDGER, data: dataOf('trySettle', BOB, 9n) }))
    const ofCount = Array.from({ length: steps.count }, (_, step) => {
      return steps.at(step).storage.find(({ name }) => name === 'count')?.value
    })
    const values = ofCount.filter((value, step) => step === 0 || value !== ofCount[step - 1])
    // One payment before succeeded; this one adds to the count, and fails.
    expect(values).toEqual([undefined, '1', '2', '1'])
    const last = steps.at(steps.count - 1).storage
    expect(last).toContainEqual(expect.objectContaining({ account: 'Ledger', name: 'failures', value: '1' }))
    expect(last).toContainEqual(expect.objectContaining({ account: 'Bank', name: 'owed[Bob]', value: '3' }))
  })

  test('have slots and opcodes of code without sources', async () => {
    // PUSH1 7 PUSH1 3 SSTORE PUSH1 3 SLOAD PUSH1 0 MSTORE STOP
    const to = await deployCode('60076003556003546000525b00')
    const hash = await send({ to, data: '0x' })
    await expectSameSteps(hash)
    const steps = await stepsOf(hash)
    expect(steps.packed.files).toEqual([])
    expect(steps.at(steps.count - 1).storage).toEqual([
      expect.objectContaining({ name: 'slot 3', value: '7' }),
    ])
    // Without sources, a line is an opcode.
    expect(steps.moved(2, 'over', 1, NONE)).toBe(3)
    expect(steps.moved(2, 'into', -1, NONE)).toBe(1)
  })
})

/** The line of a step, and those from which it was reached, innermost first. */
function linesOut(steps: Awaited<ReturnType<typeof stepsOf>>, from: number): (number | undefined)[] {
  if (from === 0) return []
  return [steps.at(from).line, ...linesOut(steps, steps.moved(from, 'out', -1, NONE))]
}

function failingCalls(call: TracedCall): TracedCall[] {
  const inner = call.entries.flatMap((entry) => (entry.type === 'call' ? failingCalls(entry) : []))
  return call.error === undefined ? inner : [...inner, call]
}

describe('source lines', () => {
  test('equal those of the stack trace of a failing call', async () => {
    const call = { from: ALICE, to: LEDGER, data: dataOf('settle', BOB, 9000n) }
    const trace = await chain.trace(call, { steps: true })
    const places = failingCalls(trace.call).flatMap(({ stack }) => stack)
    // By hand: where it fails, and where each function calls the next.
    const byHand = ['revert Short(', 'check(\n', 'take(to, amount);', 'bank.pay(to, amount);'].map(lineOf)
    const ofPlaces = places.map(({ text }) => Number(/:(\d+)\)$/.exec(text)?.[1]))
    expect(ofPlaces).toEqual(byHand)
    const steps = readSteps(trace.steps as TracedSteps)
    let last = steps.count - 1
    while (steps.at(last).depth === 0) last--
    expect(linesOut(steps, last)).toEqual(ofPlaces)
  })

  test('of the first step shown: where a failure began, not where it was passed on', async () => {
    // By hand: the innermost call that failed; the first step where the failure was caught or none was.
    const starts = [
      ['settle', [BOB, 9000n], lineOf('revert Short('), 1],
      ['settle', [BOB, 2n], undefined, 0],
      ['trySettle', [BOB, 9000n], undefined, 0],
    ] as const
    for (const [name, args, line, depth] of starts) {
      const steps = await stepsOf({ from: ALICE, to: LEDGER, data: dataOf(name, ...args) })
      const { line: shown, opcode, depth: shownDepth } = steps.at(steps.start)
      expect(shownDepth).toBe(depth)
      if (line === undefined) expect(steps.start).toBe(0)
      else expect([shown, opcode]).toEqual([line, 'REVERT'])
    }
  })

  test('of a failure after one that was caught', async () => {
    const steps = await stepsOf({ from: ALICE, to: LEDGER, data: dataOf('settleOrGiveUp', BOB, 9000n) })
    const { line, depth } = steps.at(steps.start)
    expect([line, depth]).toEqual([lineOf("revert('given up')"), 0])
  })

  test('of steps that are cut off, or of none: the first', async () => {
    chain = await createEmulator({ production: 'auto', limits: { traceEntries: 200 } })
    await chain.addContracts(build)
    await send({ data: `0x${evm.bytecode.object}` })
    const call = { from: ALICE, to: LEDGER, data: dataOf('settle', BOB, 2n) }
    const steps = (await chain.trace(call, { steps: true })).steps as TracedSteps
    expect(steps.isCut).toBe(true)
    expect(readSteps(steps).start).toBe(0)
    expect(readSteps({ ...steps, isCut: false, steps: [] }).start).toBe(0)
  })
})
