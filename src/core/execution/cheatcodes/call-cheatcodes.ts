// Cheatcodes of the calls that follow: who makes them, what is expected of them, and what they return instead.

import type { AbiValue } from '../../primitives/abi.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import { bytesOf, type Cheatcode, type Cheatcodes } from './cheatcode.ts'
import { ALL_CHECKS, type EmitChecks } from './expected-emits.ts'
import { withMockedCall, withMockedFunction, withoutMockedCalls } from './mocks.ts'
import type { CheatSite } from './site.ts'

/** Of `CallerMode` in forge-std. */
const CALLER_MODES = { none: 0n, prank: 3n, lastingPrank: 4n } as const

const PRANKS: Cheatcodes = {
  'prank(address)': ({ prank }, [as]) => prank({ as: as as Address }, false),
  'prank(address,address)': ({ prank }, [as, origin]) =>
    prank({ as: as as Address, origin: origin as Address }, false),
  'startPrank(address)': ({ prank }, [as]) => prank({ as: as as Address }, true),
  'startPrank(address,address)': ({ prank }, [as, origin]) =>
    prank({ as: as as Address, origin: origin as Address }, true),
  'stopPrank()': ({ stopPrank }) => stopPrank(),
  'readCallers()': ({ callers }) => {
    const { mode, sender, origin } = callers()
    return ['(uint8,address,address)', CALLER_MODES[mode], sender, origin]
  },
}

/** `expectRevert` in all its forms: a reason or none, who reverts or any, a count or one. */
function expectedReverts(): [string, Cheatcode][] {
  const forms = ['', 'bytes4', 'bytes'].flatMap((reason) =>
    ['', 'address'].flatMap((by) => ['', 'uint64'].map((count) => [reason, by, count] as const)),
  )
  return forms.map(([reason, by, count]) => [
    `expectRevert(${[reason, by, count].filter((type) => type !== '').join(',')})`,
    ({ expectRevert }, args) => {
      const rest = [...args]
      expectRevert({
        reason: reason === '' ? undefined : bytesOf(rest.shift()),
        reverter: by === '' ? undefined : (rest.shift() as Address),
        ...(count !== '' && { count: rest.shift() as bigint }),
      })
    },
  ])
}

/** `expectEmit` or `expectEmitAnonymous` in all forms: what is checked, or all; who emits, or any; a count or one. */
function expectedEmits(name: string, checkCount: number): [string, Cheatcode][] {
  const isAnonymous = checkCount === ALL_CHECKS.length
  const bools = Array.from({ length: checkCount }, () => 'bool').join(',')
  const forms = ['', bools].flatMap((checks) =>
    ['', 'address'].flatMap((by) =>
      (isAnonymous ? [''] : ['', 'uint64']).map((count) => [checks, by, count] as const),
    ),
  )
  return forms.map(([checks, by, count]) => [
    `${name}(${[checks, by, count].filter((type) => type !== '').join(',')})`,
    ({ expectEmit }, args) => {
      const rest = [...args]
      const flags = rest.splice(0, checks === '' ? 0 : checkCount) as unknown as boolean[]
      const given = (isAnonymous ? flags : [true, ...flags]) as unknown as EmitChecks
      expectEmit({
        checks: checks === '' ? ALL_CHECKS : given,
        emitter: by === '' ? undefined : (rest.shift() as Address),
        isAnonymous,
        ...(count !== '' && { count: rest.shift() as bigint }),
      })
    },
  ])
}

/** `expectCall` in a form: a callee, some of value, gas and least gas, data, and a count or none. */
function expectedCall(name: string, numbers: readonly ('value' | 'gas' | 'minGas')[]): [string, Cheatcode][] {
  return ['', 'uint64'].map((count) => [
    `${name}(${['address', ...numbers.map((each) => (each === 'value' ? 'uint256' : 'uint64')), 'bytes', ...(count === '' ? [] : [count])].join(',')})`,
    ({ expectCall }, [callee, ...rest]) => {
      const given = Object.fromEntries(numbers.map((each, index) => [each, rest[index] as bigint]))
      const data = rest[numbers.length] as Hex
      expectCall(
        { ...given, callee: callee as Address, data },
        rest[numbers.length + 1] as bigint | undefined,
      )
    },
  ])
}

const EXPECTATIONS: Cheatcodes = {
  ...Object.fromEntries([
    ...expectedReverts(),
    ...expectedEmits('expectEmit', 4),
    ...expectedEmits('expectEmitAnonymous', 5),
    ...expectedCall('expectCall', []),
    ...expectedCall('expectCall', ['value']),
    ...expectedCall('expectCall', ['value', 'gas']),
    ...expectedCall('expectCallMinGas', ['value', 'minGas']),
  ]),
  'expectPartialRevert(bytes4)': ({ expectRevert }, [reason]) =>
    expectRevert({ reason: bytesOf(reason), isPartial: true }),
  'expectPartialRevert(bytes4,address)': ({ expectRevert }, [reason, reverter]) =>
    expectRevert({ reason: bytesOf(reason), isPartial: true, reverter: reverter as Address }),
  'assumeNoRevert()': ({ assumeNoRevert }) => assumeNoRevert(),
}

function mock(
  { account, etch, left, leave }: CheatSite,
  callee: AbiValue | undefined,
  call: { readonly data: AbiValue | undefined; readonly value?: AbiValue | undefined },
  outputs: readonly AbiValue[],
  isRevert = false,
): void {
  const address = callee as Address
  // Solidity calls only what has code.
  if (account(address).code.bytes.length === 0) etch(address, new Uint8Array(1))
  const results = outputs.map((output) => ({ isRevert, output: bytesOf(output) }))
  const mocked = { data: call.data as Hex, value: call.value as bigint | undefined, results }
  leave({ mocks: withMockedCall(left().mocks, address, mocked) })
}

/** The forms of a mock, with data or a selector, and with a value or without. */
function mockForms(name: string, isRevert: boolean): [string, Cheatcode][] {
  return ['bytes', 'bytes4'].flatMap((type): [string, Cheatcode][] => [
    [
      `${name}(address,${type},bytes)`,
      (site, [callee, data, output]) => mock(site, callee, { data }, [output as Hex], isRevert),
    ],
    [
      `${name}(address,uint256,${type},bytes)`,
      (site, [callee, value, data, output]) => mock(site, callee, { data, value }, [output as Hex], isRevert),
    ],
  ])
}

const MOCKS: Cheatcodes = {
  ...Object.fromEntries([...mockForms('mockCall', false), ...mockForms('mockCallRevert', true)]),
  'mockCalls(address,bytes,bytes[])': (site, [callee, data, outputs]) =>
    mock(site, callee, { data }, outputs as readonly AbiValue[]),
  'mockCalls(address,uint256,bytes,bytes[])': (site, [callee, value, data, outputs]) =>
    mock(site, callee, { data, value }, outputs as readonly AbiValue[]),
  'clearMockedCalls()': ({ left, leave }) => leave({ mocks: withoutMockedCalls(left().mocks) }),
  'mockFunction(address,address,bytes)': ({ left, leave }, [callee, target, data]) => {
    const mocked = { data: data as Hex, target: target as Address }
    leave({ mocks: withMockedFunction(left().mocks, callee as Address, mocked) })
  },
}

export const CALL_CHEATCODES: Cheatcodes = { ...PRANKS, ...EXPECTATIONS, ...MOCKS }
