import { expect, test } from 'vitest'
import type { FrameStart, ObservedStep } from '../../../../src/core/execution/trace/observer.ts'
import { hexToBytes } from '../../../../src/core/primitives/hex.ts'
import { recordFailurePath } from '../../../../src/tools/solidity/failures/traced-frame.ts'

const A = `0x${'aa'.repeat(20)}` as const
const B = `0x${'bb'.repeat(20)}` as const
const NOTHING = new Uint8Array()

function start(depth: number, fields: Partial<FrameStart> = {}): FrameStart {
  const known = {
    kind: 'CALL',
    depth,
    from: A,
    to: A,
    value: 0n,
    input: NOTHING,
    gas: 9,
    isPrecompile: false,
  }
  return { ...(known as FrameStart), ...fields }
}

function end(error?: string, output = NOTHING) {
  return { output, gasUsed: 1, error }
}

function record() {
  const { observer, frame } = recordFailurePath()
  const steps = (...pcs: readonly number[]) => {
    for (const pc of pcs) observer.step?.({ pc } as ObservedStep)
  }
  return { enter: observer.enter!, exit: observer.exit!, steps, frame }
}

test('keeps the path to the failure: of frames that succeed, and of earlier ones, only that they were', () => {
  const { enter, exit, steps, frame } = record()
  enter(start(0))
  steps(0, 2)
  enter(start(1))
  steps(7)
  exit(end('execution reverted'))
  steps(4)
  enter(start(1))
  steps(8)
  exit(end())
  steps(5)
  enter(start(1))
  steps(9)
  exit(end('out of gas'))
  exit(end('execution reverted'))
  const outermost = frame(() => NOTHING)
  expect(outermost?.steps).toEqual([0, 2, -1, 4, -2, 5, -3])
  expect(outermost?.frames.map(({ exit, steps }) => [exit, steps])).toEqual([
    ['revert', []],
    ['success', []],
    ['outOfGas', [9]],
  ])
})

test('a message that is not sent is no frame, and neither is SELFDESTRUCT', () => {
  const { enter, exit, steps, frame } = record()
  enter(start(0))
  enter(start(1))
  steps(1)
  exit(end('execution reverted'))
  enter(start(1, { kind: 'CREATE' }))
  exit(end('insufficient balance for transfer'))
  enter(start(1, { kind: 'SELFDESTRUCT' }))
  exit(end())
  exit(end('execution reverted'))
  const outermost = frame(() => NOTHING)
  expect(outermost?.steps).toEqual([-1])
  expect(outermost?.frames[0]?.steps).toEqual([1])
})

test('knows the code of what the execution creates, and that of a delegation', () => {
  const { enter, exit, steps, frame } = record()
  const code = Uint8Array.of(1, 2, 3)
  enter(start(0))
  enter(start(1, { kind: 'CREATE', to: B, input: Uint8Array.of(9) }))
  exit(end(undefined, code))
  enter(start(1, { kind: 'DELEGATECALL', to: B }))
  steps(0)
  exit(end('invalid opcode: INVALID'))
  exit(end('execution reverted'))
  const other = Uint8Array.of(4)
  const outermost = frame((address) => (address === A ? hexToBytes(`0xef0100${B.slice(2)}`) : other))
  expect(outermost?.code).toBe(other)
  expect(outermost?.frames[1]).toMatchObject({ code, address: A, exit: 'invalidOpcode' })
  expect(outermost?.frames[0]?.code).toEqual(Uint8Array.of(9))
})

test.each([
  ['out of gas: not enough gas for reentrancy sentry', 'outOfGas'],
  ['gas uint64 overflow', 'outOfGas'],
  ['contract creation code storage out of gas', 'outOfGas'],
  ['max code size exceeded', 'codeTooLarge'],
  ['invalid opcode: opcode 0xef not defined', 'invalidOpcode'],
  ['stack underflow (0 <=> 1)', 'otherHalt'],
])('%s is %s, and has no output', (error, exitKind) => {
  const { enter, exit, frame } = record()
  enter(start(0))
  exit(end(error, Uint8Array.of(1)))
  expect(frame(() => NOTHING)).toMatchObject({ exit: exitKind, output: NOTHING })
})

test('of an endless loop, the last steps', { tags: 'gate' }, () => {
  const { enter, exit, steps, frame } = record()
  enter(start(0))
  for (let pc = 0; pc < 4_000_001; pc++) steps(pc % 1000)
  exit(end('out of gas'))
  const outermost = frame(() => NOTHING)
  expect(outermost?.steps.length).toBe(2_000_001)
  expect(outermost?.steps.at(-1)).toBe(0)
})
