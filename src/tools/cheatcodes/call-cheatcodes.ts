// Cheatcodes of the calls that follow: who makes them, what is expected of them, and what they return instead.

import { type Address, bytesToHex, type Hex, hexToBytes } from '../../core/primitives/hex.ts'
import { readAccount } from '../../core/state/world-state.ts'
import { NO_MOCKS, withMockedCall, withMockedFunction } from './cheat-state.ts'
import { type Cheatcodes, overloads } from './cheatcode.ts'
import { CheatcodeRefusal } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { ALL_CHECKS, type EmitChecks } from './expected-emits.ts'
import type { RevertPattern } from './expected-revert.ts'
import { checkPrank, type Prank, prankAt, withoutPrank, withPrank } from './pranks.ts'
import { etch } from './state-cheatcodes.ts'

const OPTIONAL_ADDRESS = ['', 'address']
const OPTIONAL_COUNT = ['', 'uint64']
const OPTIONAL_VALUE = ['', 'uint256']

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

function pranks(name: string, isLasting: boolean): Cheatcodes {
  const parameters = [['address'], OPTIONAL_ADDRESS, ['', 'bool']]
  return overloads(name, parameters, '', (run, as: Address, origin?: Address, isForDelegates = false) => {
    checkPrank(run.cheats.pranks, run.message.depth, isLasting)
    if (isForDelegates && readAccount(run.writer.current, as).code.bytes.length === 0) {
      throw new CheatcodeRefusal('cannot `prank` delegate call from an EOA')
    }
    beginPrank(run, { as, origin, isLasting, isForDelegates, isBroadcast: false })
  })
}

const PRANKS: Cheatcodes = {
  ...pranks('prank', false),
  ...pranks('startPrank', true),
  'stopPrank()': (run) => run.change({ pranks: withoutPrank(run.cheats.pranks, run.message.depth) }),
  // With `CallerMode` of forge-std: none, prank, lasting prank.
  'readCallers() returns (uint8,address,address)': (run) => {
    const prank = prankAt(run.cheats.pranks, run.message.depth)
    const origin = prank?.origin ?? originOf(run)
    const isBroadcast = prank?.isBroadcast === true
    const mode = prank === undefined ? 0n : (isBroadcast ? 1n : 3n) + (prank.isLasting ? 1n : 0n)
    return [mode, prank?.as ?? origin, origin]
  },
}

/** `expectEmit` or `expectEmitAnonymous`: what is checked, or all; who emits, or any; a count or one. */
function expectedEmits(name: string, checkCount: number, counts: readonly string[]): Cheatcodes {
  const isAnonymous = checkCount === ALL_CHECKS.length
  const rows = (bools: readonly (readonly string[])[]): Cheatcodes =>
    overloads(
      name,
      [...bools, OPTIONAL_ADDRESS, counts],
      '',
      ({ expected, message }, ...args: readonly unknown[]) => {
        const flags = args.slice(0, bools.length) as readonly boolean[]
        const [emitter, count] = args.slice(bools.length) as readonly unknown[] as readonly [
          Address?,
          bigint?,
        ]
        const given = (isAnonymous ? flags : [true, ...flags]) as unknown as EmitChecks
        const checks = bools.length === 0 ? ALL_CHECKS : given
        expected.expectEmit({ checks, emitter, isAnonymous, count }, message.depth)
      },
    )
  return { ...rows([]), ...rows(Array.from({ length: checkCount }, () => ['bool'])) }
}

/** `PotentialRevert` of forge-std. */
const REVERT = '(address,bool,bytes)'
type GivenRevert = readonly [reverter: Address, isPartial: boolean, reason: Hex]

function patternOf([reverter, isPartial, reason]: GivenRevert): RevertPattern {
  const any = BigInt(reverter) === 0n
  return { reason: hexToBytes(reason), isPartial, reverter: any ? undefined : reverter, count: undefined }
}

function expectedReverts(name: string, reasons: readonly string[], counts: readonly string[]): Cheatcodes {
  const isPartial = name === 'expectPartialRevert'
  return overloads(
    name,
    [reasons, OPTIONAL_ADDRESS, counts],
    '',
    ({ expected, message }, given?: Hex, reverter?: Address, count?: bigint) => {
      const reason = given && hexToBytes(given)
      expected.expectRevert({ reason, isPartial, reverter, count }, message.depth)
    },
  )
}

/** `expectCall` or `expectCallMinGas` with the gas of the call, or the least. */
function expectedGas(name: string, key: 'gas' | 'minGas'): Cheatcodes {
  return overloads(
    name,
    [['address'], ['uint256'], ['uint64'], ['bytes'], OPTIONAL_COUNT],
    '',
    ({ expected }, callee: Address, value: bigint, gas: bigint, data: Hex, count?: bigint) =>
      expected.expectCall({ callee, value, data, [key]: gas }, count),
  )
}

const EXPECTATIONS: Cheatcodes = {
  ...expectedReverts('expectRevert', ['', 'bytes4', 'bytes'], OPTIONAL_COUNT),
  ...expectedReverts('expectPartialRevert', ['bytes4'], ['']),
  ...expectedEmits('expectEmit', 4, OPTIONAL_COUNT),
  ...expectedEmits('expectEmitAnonymous', 5, ['']),
  ...overloads(
    'expectCall',
    [['address'], OPTIONAL_VALUE, ['bytes'], OPTIONAL_COUNT],
    '',
    ({ expected }, callee: Address, value: bigint | undefined, data: Hex, count?: bigint) =>
      expected.expectCall({ callee, value, data }, count),
  ),
  ...expectedGas('expectCall', 'gas'),
  ...expectedGas('expectCallMinGas', 'minGas'),
  'assumeNoRevert()': ({ expected, message }) => expected.assumeNoRevert(message.depth, []),
  [`assumeNoRevert(${REVERT})`]: ({ expected, message }, revert: GivenRevert) =>
    expected.assumeNoRevert(message.depth, [patternOf(revert)]),
  [`assumeNoRevert(${REVERT}[])`]: ({ expected, message }, reverts: readonly GivenRevert[]) =>
    expected.assumeNoRevert(message.depth, reverts.map(patternOf)),
  ...overloads('_expectCheatcodeRevert', [['', 'bytes4', 'bytes']], '', (run, reason?: Hex) =>
    run.expected.expectRefusal(reason && hexToBytes(reason), run.message.depth),
  ),
  'expectCreate(bytes,address)': ({ expected }, code: Hex, deployer: Address) =>
    expected.expectCreation({ code, deployer, isSalted: false }),
  'expectCreate2(bytes,address)': ({ expected }, code: Hex, deployer: Address) =>
    expected.expectCreation({ code, deployer, isSalted: true }),
}

function mock(
  run: CheatExecution,
  callee: Address,
  call: { readonly data: Hex; readonly value: bigint | undefined },
  outputs: readonly Hex[],
  isRevert = false,
): void {
  // Solidity calls only what has code.
  if (readAccount(run.writer.current, callee).code.bytes.length === 0) etch(run, callee, '0x00')
  const results = outputs.map((output) => ({ isRevert, output: hexToBytes(output) }))
  run.change({ mocks: withMockedCall(run.cheats.mocks, callee, { results, ...call }) })
}

/** A mock by data or a selector, with a value or without. */
function mocks(name: string, isRevert: boolean): Cheatcodes {
  return overloads(
    name,
    [['address'], OPTIONAL_VALUE, ['bytes', 'bytes4'], ['bytes']],
    '',
    (run, callee: Address, value: bigint | undefined, data: Hex, output: Hex) =>
      mock(run, callee, { data, value }, [output], isRevert),
  )
}

const MOCKS: Cheatcodes = {
  ...mocks('mockCall', false),
  ...mocks('mockCallRevert', true),
  ...overloads(
    'mockCalls',
    [['address'], OPTIONAL_VALUE, ['bytes'], ['bytes[]']],
    '',
    (run, callee: Address, value: bigint | undefined, data: Hex, outputs: readonly Hex[]) =>
      mock(run, callee, { data, value }, outputs),
  ),
  'clearMockedCalls()': (run) => run.change({ mocks: { ...run.cheats.mocks, calls: NO_MOCKS.calls } }),
  'mockFunction(address,address,bytes)': (run, callee: Address, target: Address, data: Hex) =>
    run.change({ mocks: withMockedFunction(run.cheats.mocks, callee, { data, target }) }),
}

const CREATIONS: Cheatcodes = {
  'interceptInitcode()': (run) => {
    run.creations.isIntercepted = true
  },
}

export const CALL_CHEATCODES: Cheatcodes = { ...PRANKS, ...EXPECTATIONS, ...MOCKS, ...CREATIONS }
