// Mocks of calls and of functions, by the rules of forge 1.7.1: the call that fits best returns what it is told to, and a
// function may run the code of another contract. They outlive the frame, and the call, in which they were made.

import type { Address, Hex } from '../../primitives/hex.ts'

export interface MockedResult {
  readonly isRevert: boolean
  readonly output: Uint8Array
}

/** A mock of all calls whose data begin in this way, and that send this value, if there is one. */
interface MockedCall {
  readonly data: Hex
  readonly value: bigint | undefined
  /** In the order of calls. The last stays. */
  readonly results: readonly MockedResult[]
}

interface MockedFunction {
  /** A selector, or all data of a call. */
  readonly data: Hex
  /** Whose code runs. */
  readonly target: Address
}

export interface Mocks {
  /** Of each account, in the order in which they are tried. */
  readonly calls: ReadonlyMap<Address, readonly MockedCall[]>
  readonly functions: ReadonlyMap<Address, readonly MockedFunction[]>
}

export const NO_MOCKS: Mocks = { calls: new Map(), functions: new Map() }

const SELECTOR_LENGTH = 10

/** Longer data come first, and a value before none. */
function order(left: MockedCall, right: MockedCall): number {
  if (left.data !== right.data) return left.data < right.data ? 1 : -1
  return Number((left.value ?? -1n) < (right.value ?? -1n)) * 2 - 1
}

function isSame(left: Pick<MockedCall, 'data' | 'value'>, right: Pick<MockedCall, 'data' | 'value'>) {
  return left.data === right.data && left.value === right.value
}

/** Adds a mock, or replaces the one of the same data and value. */
export function withMockedCall(mocks: Mocks, callee: Address, mock: MockedCall): Mocks {
  const others = (mocks.calls.get(callee) ?? []).filter((each) => !isSame(each, mock))
  return { ...mocks, calls: new Map(mocks.calls).set(callee, [...others, mock].sort(order)) }
}

export function withoutMockedCalls(mocks: Mocks): Mocks {
  return { ...mocks, calls: NO_MOCKS.calls }
}

export function withMockedFunction(mocks: Mocks, callee: Address, mock: MockedFunction): Mocks {
  const others = (mocks.functions.get(callee) ?? []).filter(({ data }) => data !== mock.data)
  return { ...mocks, functions: new Map(mocks.functions).set(callee, [...others, mock]) }
}

/** What a call returns instead, and the mocks that are left. */
export function mockOf(
  mocks: Mocks,
  callee: Address,
  data: Hex,
  value: bigint | undefined,
): { readonly result: MockedResult; readonly left: Mocks } | undefined {
  const all = mocks.calls.get(callee)
  const mock =
    all?.find((each) => isSame(each, { data, value })) ??
    all?.find((each) => data.startsWith(each.data) && (each.value ?? value) === value)
  const [result, ...rest] = mock?.results ?? []
  if (mock === undefined || result === undefined) return undefined
  const left = rest.length === 0 ? mocks : withMockedCall(mocks, callee, { ...mock, results: rest })
  return { result, left }
}

/** Whose code runs for a call instead of the callee's. */
export function mockedTarget({ functions }: Mocks, callee: Address, data: Hex): Address | undefined {
  const all = functions.get(callee)
  const named = (begin: string) => all?.find((each) => each.data === begin)?.target
  return all && (named(data) ?? named(data.slice(0, SELECTOR_LENGTH)))
}
