// State of cheatcodes besides the block, which outlives the call that has set it. Mocks follow forge 1.7.1.

import type * as covered from '../../core/execution/evm/covered-evm.ts'
import { toEvmBlock } from '../../core/execution/evm/pooled-evm.ts'
import type { Address, Hash, Hex } from '../../core/primitives/hex.ts'
import type { Hardfork } from '../../core/rollup/hardforks.ts'
import type { BlockEnvironment } from '../../core/rollup/header.ts'
import type { Account, StateWriter, WorldState } from '../../core/state/world-state.ts'
import type { CallMeter, MessageGas } from './call-meter.ts'
import type { Expectations } from './expectations.ts'
import type { EmittedLog } from './expected-emits.ts'
import type { JsonMap } from './json.ts'
import type { Recording } from './recorder.ts'
import { type ForkedWorld, NO_SETTING } from './setting.ts'

/** The state in the middle of an execution; the slots that code has written are in it, if storage is watched. */
export interface CheatSnapshot {
  /** The beginning of the execution that has taken it. */
  readonly start: World
  readonly state: WorldState
  readonly restoreTransient: () => void
  readonly environment: BlockEnvironment
  readonly chain: Pick<CheatState, 'chainId' | 'activeFork' | 'exact' | 'sealed' | 'opened' | 'partial'>
  /** Of the journal of warm accounts and slots. */
  readonly mark: number
  /** Makes warm again what was warm then. */
  readonly rewarm: () => void
  readonly lasting: number
}

/** A state and the block that follows. */
export interface World {
  readonly state: WorldState
  readonly environment: BlockEnvironment
}

interface SealedBlock extends World {
  readonly number: number
  readonly hash: Hash
}

/** Storage whose slots get values when they are read first. */
export interface MadeUp {
  /** True if slots that have a value get another one. */
  readonly isAll: boolean
  /** The account whose values it has; random ones, if it is absent. */
  readonly from: Address | undefined
  /** The slots that were read or written. */
  readonly known: ReadonlySet<Hash>
}

/** Slots of an account's mappings: those that were hashed, and those of them that were written, in their order. */
interface MappedSlots {
  readonly hashes: Map<Hash, MappedSlot>
  readonly written: Map<Hash, MappedSlot>
}

/** Each execution notes in copies of its own. */
export type Mappings = Map<Address, MappedSlots>

export interface MappedSlot {
  readonly slot: Hash
  readonly parent: Hash
  readonly key: Hash
}

export interface Prank {
  readonly as: Address
  /** The transaction's origin under the prank, if that changes too. */
  readonly origin: Address | undefined
  readonly originBefore: Address
  /** The account that asked for it. */
  readonly by: Address
  readonly depth: number
  readonly isLasting: boolean
  /** True if calls by DELEGATECALL are changed too, and made in the storage of the account. */
  readonly isForDelegates: boolean
  /** True for calls that would be sent in a script; they are noted. */
  readonly isBroadcast: boolean
  /** True if it has changed a call. */
  readonly isUsed: boolean
}

/** Pranks by depth, in the order of depths. */
export type Pranks = readonly Prank[]

export const NO_PRANKS: Pranks = []

/** A stream, and how many of its words of 32 bits are taken. */
export interface Randomness {
  readonly seed: bigint
  readonly taken: number
}

interface BroadcastCall {
  readonly from: Address
  /** Absent for a creation. */
  readonly to: Address | undefined
  readonly value: bigint
  readonly data: Hex
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

export const NO_CHEATS = {
  pranks: NO_PRANKS,
  mocks: NO_MOCKS,
  labels: new Map() as ReadonlyMap<Address, string>,
  /** Accesses to storage that were recorded. */
  accesses: [] as readonly covered.SlotAccess[],
  recordsAccesses: false as boolean,
  /** Logs that were recorded and not taken; absent while they are not recorded. */
  logs: undefined as readonly EmittedLog[] | undefined,
  chainId: undefined as bigint | undefined,
  /** The version whose opcodes frames have that begin; absent for the chain's. */
  evmVersion: undefined as Hardfork | undefined,
  /** Wei. */
  gasPrice: undefined as bigint | undefined,
  /** Time and number of the block, where they are more than a number holds. */
  exact: {} as { readonly timestamp?: bigint | undefined; readonly number?: bigint | undefined },
  /** The excess of blob gas, for which forge takes the fee that it is given. */
  blobExcess: 0n as bigint,
  setting: NO_SETTING,
  /** Gas of the set-up's last call, if it made one. */
  lastGas: undefined as MessageGas | undefined,
  /** Those of the set-up. */
  snapshots: [] as readonly (CheatSnapshot | undefined)[],
  /** Environment variables that were set. */
  variables: new Map() as ReadonlyMap<string, string>,
  /** Absent until it is used. */
  random: undefined as Randomness | undefined,
  /** Milliseconds that tests have slept. */
  sleptMs: 0 as number,
  /** Objects that are serialized, by their names. */
  objects: new Map() as ReadonlyMap<string, JsonMap>,
  /** Where the next line of a file begins, by its path. */
  places: new Map() as ReadonlyMap<string, number>,
  /** Private keys that signatures may be asked of, by their accounts. */
  keys: new Map() as ReadonlyMap<Address, bigint>,
  /** Accesses that are recorded; absent while none are. */
  recording: undefined as Recording | undefined,
  mappings: undefined as Mappings | undefined,
  blockHashes: new Map() as ReadonlyMap<number, Hash>,
  blobHashes: undefined as readonly Hash[] | undefined,
  /** Accounts whose slots are made up. */
  arbitrary: new Map() as ReadonlyMap<Address, MadeUp>,
  /** Gas and other values that tests have noted, by group and name. */
  noted: new Map() as ReadonlyMap<string, ReadonlyMap<string, string>>,
  broadcasts: [] as readonly BroadcastCall[],
  forks: [] as readonly ForkedWorld[],
  activeFork: undefined as bigint | undefined,
  /** Accounts that had changed when a fork was first selected, as all forks begin with them. */
  unforked: [] as readonly (readonly [Address, Account])[],
  /** Accounts that are the same in all forks. */
  persistent: new Set() as ReadonlySet<Address>,
  /** Milliseconds between the blocks of the chain. */
  blockTimeMs: 2000 as number,
  /** Before each block that was sealed, before the one that is open, if one was, and after the last partial block. */
  sealed: [] as readonly SealedBlock[],
  opened: undefined as
    | (World & { /** The start of the one that has selected a fork. */ readonly execution?: World })
    | undefined,
  partial: undefined as World | undefined,
  /** Reorganisations, after which blocks of the same numbers have other hashes. */
  replaced: 0 as number,
  /** Accounts and slots that transactions of an isolated test begin with as warm. */
  accessList: [] as readonly (readonly [Address, readonly Hash[]])[],
}

export type CheatState = Readonly<typeof NO_CHEATS>

/** The block, with a time and a number that may be more than its environment holds. */
export function exactBlock(environment: BlockEnvironment, { exact }: CheatState) {
  const { header } = toEvmBlock(environment)
  const properties = Object.entries(exact).filter(([, value]) => value !== undefined)
  if (properties.length === 0) return { header }
  return {
    header: Object.create(header, Object.fromEntries(properties.map(([name, value]) => [name, { value }]))),
  }
}

/** The hashes of blocks that were set, that were sealed, or that a fork has; absent if there are none. */
export function givenBlockHashes({ blockHashes, forks, activeFork, sealed }: CheatState) {
  const fork = forks[Number(activeFork ?? -1)]
  if (blockHashes.size === 0 && sealed.length === 0 && fork === undefined) return undefined
  return (number: number): Hash | undefined =>
    blockHashes.get(number) ??
    sealed.filter((block) => block.number === number).at(-1)?.hash ??
    fork?.blockHashOf(number)
}

/** The result of a frame that is ended from outside; gas is absent if the frame's own result has it. */
export interface BrokenFrame {
  readonly returnData: Uint8Array
  readonly gasLeft?: bigint
}

/** An execution in which cheatcodes may be called, for the files that it is made of. */
export interface CheatRun {
  readonly evm: covered.WasmEvm
  readonly covered: covered.CoveredEvm
  readonly writer: StateWriter
  readonly cheats: CheatState
  readonly environment: BlockEnvironment
  readonly chainId: bigint
  /** Messages that have begun; while a cheatcode runs, the last one is that to it. */
  readonly open: readonly covered.EvmMessage[]
  /** True if a message of the cheatcodes' own runs. */
  readonly isInternal: boolean
  readonly expected: Expectations
  readonly gas: CallMeter
  /** Accounts whose delegations are attached to the next call. */
  readonly attached: { readonly delegations: readonly Address[] }
  readonly mocking: { refuse(message: covered.EvmMessage, output: Uint8Array): void }
  change(changes: Partial<CheatState>): void
  moveTo(environment: BlockEnvironment): void
  setTransaction(): void
  noteBroadcast(message: covered.EvmMessage): void
  breakFrame(broken: BrokenFrame): never
}
