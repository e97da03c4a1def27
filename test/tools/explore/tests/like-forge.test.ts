// Cheatcodes in Solidity tests, held against what forge 1.7.1 says of the same tests: gas to the unit, reasons and logs. The
// recording is of solc 0.8.37 with the optimizer, for prague.
import { readFileSync } from 'node:fs'
import { runTestArtifacts } from 'tickchain/explore'
import { expect, test } from 'vitest'
import { compile } from '../../solidity/compile.ts'
import { CALLS } from './like-forge-calls.ts'
import { EDGES } from './like-forge-edges.ts'
import { EXPECTED } from './like-forge-expected.ts'
import { FINE } from './like-forge-fine.ts'
import { FAILING, ISOLATED } from './like-forge-isolated.ts'
import { LATE } from './like-forge-late.ts'
import { LAYOUTS } from './like-forge-layouts.ts'
import { LITERALS, MORE, SETTINGS, SETTLED } from './like-forge-more.ts'
import { BROADCASTS, COLD, REST, SLOTS } from './like-forge-rest.ts'
import { LIKE_FORGE, SET_UPS } from './like-forge-sources.ts'
import { STATE } from './like-forge-state.ts'
import { SUITES } from './like-forge-suites.ts'
import { TABLES } from './like-forge-tables.ts'
import { TARGETS } from './like-forge-targets.ts'
import { TYPED } from './like-forge-typed.ts'
import { TYPED_JSON } from './like-forge-typed-json.ts'
import { VALUES } from './like-forge-values.ts'
import { VERSIONS } from './like-forge-versions.ts'

function recorded(name: string) {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
}

function run(source: string, settings = '') {
  const artifacts = compile(
    { 'test/Like.t.sol': source },
    { evmVersion: 'prague', optimizer: { enabled: true } },
  )
  const foundryToml = `[profile.default]\nevm_version = 'prague'\n${settings}`
  return runTestArtifacts(artifacts, { foundryToml })
}

test.each([
  ['like-forge-slots.json', SLOTS, `extra_output = ['storageLayout']`],
  ['like-forge-layouts.json', LAYOUTS, `extra_output = ['storageLayout']`],
  ['like-forge-late.json', LATE, `extra_output = ['storageLayout']`],
  ['like-forge-late-isolated.json', LATE, `extra_output = ['storageLayout']\nisolate = true`],
  ['like-forge-isolated.json', ISOLATED, 'isolate = true'],
  ['like-forge-failing.json', FAILING],
  ['like-forge-typed.json', TYPED],
  ['like-forge-typed-json.json', TYPED_JSON],
  ['like-forge-expected.json', EXPECTED],
  ['like-forge-state.json', STATE],
  ['like-forge-values.json', VALUES],
  ['like-forge-versions.json', VERSIONS],
  ['like-forge.json', LIKE_FORGE],
  ['like-forge-more.json', MORE],
  ['like-forge-edges.json', EDGES],
  ['like-forge-fine.json', FINE],
  ['like-forge-calls.json', CALLS],
  ['like-forge-rest.json', REST],
  ['like-forge-suites.json', SUITES],
])(
  'cheatcodes do, cost and say what they do in forge: %s',
  { tags: 'gate' },
  async (recording, source, settings = '') => {
    const results = await run(source, settings)
    const told = results.map(({ contract, test: name, gas, reason, logs }) => [
      `${contract}.${name}`,
      { gas, ...(reason !== undefined && { reason }), ...(logs.length > 0 && { logs }) },
    ])
    expect(Object.fromEntries(told)).toEqual(recorded(recording))
  },
)

test.each([
  ['like-forge-set-ups.json', SET_UPS, 5],
  ['like-forge-targets.json', TARGETS, 10],
  ['like-forge-tables.json', TABLES, 10],
])(
  'set-ups, skipped tests and invariants end as in forge: %s',
  { tags: 'gate' },
  async (recording, source, runs) => {
    const results = await run(source, `[profile.default.invariant]\nruns = ${runs}\ndepth = 20`)
    const told = results.map(({ contract, test: name, status, reason, logs }) => [
      `${contract}.${name}`,
      { status, ...(reason !== undefined && { reason }), ...(logs.length > 0 && { logs }) },
    ])
    expect(Object.fromEntries(told)).toEqual(recorded(recording))
  },
)

test('fuzz tests find the literals of sources, as in forge', { tags: 'gate' }, async () => {
  const results = await run(LITERALS)
  const passed = results.filter(({ status }) => status === 'passed').map(({ test: name }) => name)
  expect(passed).toEqual(['testFuzz_zeroAddress(address)'])
})

// forge leaves the gas of the list out of tests that are not isolated, though no transaction has paid it.
test('access lists of tests cost what they cost in forge', async () => {
  const results = await run(`pragma solidity ^0.8.20;
interface Vm { struct AccessListItem { address target; bytes32[] storageKeys; } function accessList(AccessListItem[] calldata) external; function noAccessList() external; }
contract T { uint256 public n; }
contract ListedTest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  T t = new T();
  function list() internal { Vm.AccessListItem[] memory a = new Vm.AccessListItem[](1); a[0] = Vm.AccessListItem(address(t), new bytes32[](1)); vm.accessList(a); }
  function test_listed() public { list(); t.n(); t.n(); }
  function test_listedAlone() public { list(); }
  function test_listedAndNot() public { list(); t.n(); vm.noAccessList(); t.n(); }
  function test_listedLate() public { t.n(); list(); t.n(); }
  function test_listedThenNot() public { list(); t.n(); vm.noAccessList(); }
}
`)
  expect(Object.fromEntries(results.map(({ test: name, gas }) => [name, gas]))).toEqual({
    'test_listed()': 7716,
    'test_listedAlone()': 6104,
    'test_listedAndNot()': 12425,
    'test_listedLate()': 7763,
    'test_listedThenNot()': 7331,
  })
})

test('settings of the transaction hold as in forge', { tags: 'gate' }, async () => {
  const [result] = await run(SETTLED, SETTINGS)
  const sender = '0x00000000000000000000000000000000000005Ed'
  expect(result?.logs).toEqual(['9', sender, sender, '1000000000000000000', '1000000000000000000'])
})

test('broadcasts of isolated tests raise nonces as in forge', { tags: 'gate' }, async () => {
  const [result] = await run(BROADCASTS, 'isolate = true')
  expect([result?.gas, result?.logs]).toEqual([262860, ['1', '2', '3', '1', '3']])
})

test('static calls of isolated tests leave accounts cold and slots clean, as in forge', {
  tags: 'gate',
}, async () => {
  const results = await run(COLD, 'isolate = true')
  expect(Object.fromEntries(results.map(({ test: name, gas }) => [name, gas]))).toEqual({
    'test_call()': 60407,
    'test_callStaticCall()': 101209,
    'test_cleared()': 36973,
    'test_dirty()': 46770,
    'test_staticCallStatic()': 70162,
    'test_staticTestCall()': 67978,
    'test_testStaticCall()': 70385,
  })
})
