// State of cheatcodes besides the block, which outlives the call that has set it. Mocks follow forge 1.7.1.

import type { SlotAccess } from '../../core/execution/evm/covered-evm.ts'
import type { Address, Hex } from '../../core/primitives/hex.ts'
import type { EmittedLog } from './expected-emits.ts'
import { NO_PRANKS, type Pranks } from './pranks.ts'

export interface CheatState {
  readonly pranks: Pranks
  readonly mocks: Mocks
  readonly labels: ReadonlyMap<Address, string>
  /** Accesses to storage that were recorded. */
  readonly accesses: readonly SlotAccess[]
  readonly recordsAccesses: boolean
  /** Logs that were recorded and not taken; absent while they are not recorded. */
  readonly logs: readonly EmittedLog[] | undefined
  readonly chainId: bigint | undefined
  /** Wei. */
  readonly gasPrice: bigint | undefined
}

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
  /** The account whose code runs. */
  readonly target: Address
}

export interface Mocks {
  /** For each account, in the order in which they are tried. */
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

/** Adds a mock, or replaces the one of the same data and value. */
export function withMockedCall(mocks: Mocks, callee: Address, mock: MockedCall): Mocks {
  const { data, value } = mock
  const others = (mocks.calls.get(callee) ?? []).filter((each) => each.data !== data || each.value !== value)
  return { ...mocks, calls: new Map(mocks.calls).set(callee, [...others, mock].sort(order)) }
}

export function withMockedFunction(mocks: Mocks, callee: Address, mock: MockedFunction): Mocks {
  const others = (mocks.functions.get(callee) ?? []).filter(({ data }) => data !== mock.data)
  return { ...mocks, functions: new Map(mocks.functions).set(callee, [...others, mock]) }
}

/** The result of a call that is mocked, and the mocks after it. */
export function mockedResult(
  mocks: Mocks,
  callee: Address,
  data: Hex,
  value: bigint | undefined,
): { readonly result: MockedResult; readonly after: Mocks } | undefined {
  const all = mocks.calls.get(callee)
  const mock =
    all?.find((each) => each.data === data && each.value === value) ??
    all?.find((each) => data.startsWith(each.data) && (each.value ?? value) === value)
  const [result, ...rest] = mock?.results ?? []
  if (mock === undefined || result === undefined) return undefined
  const after = rest.length === 0 ? mocks : withMockedCall(mocks, callee, { ...mock, results: rest })
  return { result, after }
}

/** The account whose code runs for a call instead of the callee's. */
export function mockedTarget({ functions }: Mocks, callee: Address, data: Hex): Address | undefined {
  const all = functions.get(callee)
  const named = (begin: string) => all?.find((each) => each.data === begin)?.target
  return all && (named(data) ?? named(data.slice(0, SELECTOR_LENGTH)))
}

export const NO_CHEATS: CheatState = {
  pranks: NO_PRANKS,
  mocks: NO_MOCKS,
  labels: new Map(),
  accesses: [],
  recordsAccesses: false,
  logs: undefined,
  chainId: undefined,
  gasPrice: undefined,
}
