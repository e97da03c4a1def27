// Cheatcodes of the calls that follow: who makes them, what is expected of them, and what they return instead.

import { type Address, bytesToHex, type Hex, hexToBytes } from '../../core/primitives/hex.ts'
import { readAccount } from '../../core/state/world-state.ts'
import { NO_MOCKS, type Prank, withMockedCall, withMockedFunction } from './cheat-state.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { ALL_CHECKS, type EmitChecks } from './expected-emits.ts'
import type { RevertPattern } from './expected-revert.ts'
import { checkPrank, prankAt, withoutPrank, withPrank } from './pranks.ts'
import { etch } from './state-cheatcodes.ts'

function originOf({ evm }: CheatExecution): Address {
  const { transaction } = evm.environment as NonNullable<typeof evm.environment>
  return bytesToHex(transaction.origin.bytes)
}

export function beginPrank(
  run: CheatExecution,
  given: Pick<Prank, 'as' | 'origin' | 'isLasting' | 'isForDelegates' | 'isBroadcast'>,
): void {
  const { caller, depth } = run.message
  const by = bytesToHex(caller.bytes)
  // Spreads stand last: what follows one takes an engine long.
  const prank = { originBefore: originOf(run), by, depth, isUsed: false, ...given }
  run.change({ pranks: withPrank(run.cheats.pranks, prank) })
}

type PrankArguments = [as: Address, origin?: Address, isForDelegates?: boolean]

function prank(run: CheatExecution, isLasting: boolean, ...given: PrankArguments): void {
  const [as, origin, isForDelegates = false] = given
  checkPrank(run.cheats.pranks, run.message.depth, isLasting)
  if (isForDelegates && readAccount(run.writer.current, as).code.bytes.length === 0)
    refuseWith('cannot `prank` delegate call from an EOA')
  beginPrank(run, { as, origin, isLasting, isForDelegates, isBroadcast: false })
}

const PRANKS: Cheatcodes = {
  'prank(address,address?,bool?)': (run, ...args: PrankArguments) => prank(run, false, ...args),
  'startPrank(address,address?,bool?)': (run, ...args: PrankArguments) => prank(run, true, ...args),
  'stopPrank()': (run) => {
    const { depth } = run.message
    const { pranks } = run.cheats
    if (prankAt(pranks, depth)?.isBroadcast !== true) run.change({ pranks: withoutPrank(pranks, depth) })
  },
  // With `CallerMode` of forge-std: none, prank, lasting prank.
  'readCallers() returns (uint8,address,address)': (run) => {
    const prank = prankAt(run.cheats.pranks, run.message.depth)
    const origin = prank?.origin ?? originOf(run)
    const isBroadcast = prank?.isBroadcast === true
    const mode = prank === undefined ? 0n : (isBroadcast ? 1n : 3n) + (prank.isLasting ? 1n : 0n)
    return [mode, prank?.as ?? origin, origin]
  },
}

const UNCHECKED = Array<undefined>(ALL_CHECKS.length).fill(undefined)

/** Expects an event by what is checked: all, if nothing is given, and always the first topic of one that has a name. */
function expectEmit(
  { expected, message }: CheatExecution,
  isAnonymous: boolean,
  ...[first, second, third, fourth, last, emitter, count]: readonly unknown[]
): void {
  const given = isAnonymous ? [first, second, third, fourth, last] : [true, first, second, third, fourth]
  const checks = (first === undefined ? ALL_CHECKS : given) as EmitChecks
  const pattern = {
    checks,
    emitter: emitter as Address | undefined,
    isAnonymous,
    count: count as bigint | undefined,
  }
  expected.expectEmit(pattern, message.depth)
}

/** `PotentialRevert` of forge-std. */
const REVERT = '(address,bool,bytes)'
type GivenRevert = readonly [reverter: Address, isPartial: boolean, reason: Hex]

function patternOf([reverter, isPartial, reason]: GivenRevert): RevertPattern {
  const any = BigInt(reverter) === 0n
  return { reason: hexToBytes(reason), isPartial, reverter: any ? undefined : reverter, count: undefined }
}

type RevertArguments = [reason?: Hex, reverter?: Address, count?: bigint]

function expectRevert(
  { expected, message }: CheatExecution,
  isPartial: boolean,
  ...more: RevertArguments
): void {
  const [given, reverter, count] = more
  expected.expectRevert({ reason: given && hexToBytes(given), isPartial, reverter, count }, message.depth)
}

type AnyGas = [callee: Address, value: bigint | undefined, data: Hex, count?: bigint]
type SomeGas = [callee: Address, value: bigint, gas: bigint, data: Hex, count?: bigint]

const EXPECTATIONS: Cheatcodes = {
  'expectRevert(bytes4|bytes?,address?,uint64?)': (run, ...args: RevertArguments) =>
    expectRevert(run, false, ...args),
  'expectPartialRevert(bytes4,address?)': (run, ...args: [Hex, Address?]) => expectRevert(run, true, ...args),
  'expectEmit(address?,uint64?)': (run, ...args: unknown[]) => expectEmit(run, false, ...UNCHECKED, ...args),
  'expectEmit(bool,bool,bool,bool,address?,uint64?)': (run, ...args: unknown[]) =>
    expectEmit(run, false, ...args.slice(0, 4), undefined, ...args.slice(4)),
  'expectEmitAnonymous(address?)': (run, emitter?: Address) => expectEmit(run, true, ...UNCHECKED, emitter),
  'expectEmitAnonymous(bool,bool,bool,bool,bool,address?)': (run, ...args: unknown[]) =>
    expectEmit(run, true, ...args),
  'expectCall(address,uint256?,bytes,uint64?)': ({ expected }, ...[callee, value, data, count]: AnyGas) =>
    expected.expectCall({ callee, value, data }, count),
  'expectCall(address,uint256,uint64,bytes,uint64?)': (
    { expected },
    ...[callee, value, gas, ...rest]: SomeGas
  ) => expected.expectCall({ callee, value, data: rest[0], gas }, rest[1]),
  'expectCallMinGas(address,uint256,uint64,bytes,uint64?)': (
    { expected },
    ...[callee, value, minGas, ...rest]: SomeGas
  ) => expected.expectCall({ callee, value, data: rest[0], minGas }, rest[1]),
  'assumeNoRevert()': ({ expected, message }) => expected.assumeNoRevert(message.depth, []),
  [`assumeNoRevert(${REVERT})`]: ({ expected, message }, revert: GivenRevert) =>
    expected.assumeNoRevert(message.depth, [patternOf(revert)]),
  [`assumeNoRevert(${REVERT}[])`]: ({ expected, message }, reverts: readonly GivenRevert[]) =>
    expected.assumeNoRevert(message.depth, reverts.map(patternOf)),
  '_expectCheatcodeRevert(bytes4|bytes?)': (run, reason?: Hex) =>
    run.expected.expectRefusal(reason && hexToBytes(reason), run.message.depth),
  'expectCreate(bytes,address)': ({ expected }, code: Hex, deployer: Address) =>
    expected.expectCreation({ code, deployer, isSalted: false }),
  'expectCreate2(bytes,address)': ({ expected }, code: Hex, deployer: Address) =>
    expected.expectCreation({ code, deployer, isSalted: true }),
}

type Mocked<Output> = [
  callee: Address,
  value: bigint | undefined,
  data: Hex,
  output: Output,
  isRevert?: boolean,
]

function mock(
  run: CheatExecution,
  ...[callee, value, data, outputs, isRevert = false]: Mocked<readonly Hex[]>
): void {
  // Solidity calls only what has code.
  if (readAccount(run.writer.current, callee).code.bytes.length === 0) etch(run, callee, '0x00')
  const results = outputs.map((output) => ({ isRevert, output: hexToBytes(output) }))
  run.change({ mocks: withMockedCall(run.cheats.mocks, callee, { results, data, value }) })
}

const MOCKS: Cheatcodes = {
  'mockCall(address,uint256?,bytes|bytes4,bytes)': (run, ...[callee, value, data, output]: Mocked<Hex>) =>
    mock(run, callee, value, data, [output]),
  'mockCallRevert(address,uint256?,bytes|bytes4,bytes)': (
    run,
    ...[callee, value, data, output]: Mocked<Hex>
  ) => mock(run, callee, value, data, [output], true),
  'mockCalls(address,uint256?,bytes,bytes[])': mock,
  'clearMockedCalls()': (run) => run.change({ mocks: { ...run.cheats.mocks, calls: NO_MOCKS.calls } }),
  'mockFunction(address,address,bytes)': (run, callee: Address, target: Address, data: Hex) =>
    run.change({ mocks: withMockedFunction(run.cheats.mocks, callee, { data, target }) }),
}

const CREATIONS: Cheatcodes = {
  'interceptInitcode()': ({ creations }) => {
    if (creations.isIntercepted) refuseWith('vm.interceptInitcode() has already been called')
    creations.isIntercepted = true
  },
}

export const CALL_CHEATCODES: Cheatcodes = { ...PRANKS, ...EXPECTATIONS, ...MOCKS, ...CREATIONS }
