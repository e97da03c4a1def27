// What the functions of tickchain/explore and tickchain/explore-node refuse, and in which words.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { createEmulator, type Emulator } from 'tickchain'
import * as exploring from 'tickchain/explore'
import * as inNode from 'tickchain/explore-node'
import { beforeAll, describe, expect, test } from 'vitest'

const AT = `0x${'c1'.repeat(20)}` as const
const SET = {
  ...{ type: 'function', name: 'set', inputs: [{ name: 'v', type: 'uint256' }] },
  ...{ outputs: [], stateMutability: 'nonpayable' },
}
const scene = { run: { pay: () => undefined }, invariants: {} }
const APPLICATION = { ...scene, actions: { pay: fc.nat(3) }, runs: 2 }
const SCRIPT = { ...scene, script: [{ wait: 'block' }], adversary: [] }
const CONTRACTS = { contracts: { it: { address: AT, abi: [SET] } }, runs: 2 }

let chain: Emulator

beforeAll(async () => {
  chain = await createEmulator()
  // Stores its argument.
  await chain.setCode(AT, '0x6004355f5500')
})

type Anything = (...args: unknown[]) => unknown
const functions = { ...exploring, ...inNode } as unknown as Record<string, Anything>

async function refusalOf(call: string, ...args: unknown[]): Promise<string> {
  try {
    await functions[call]?.(...args)
  } catch (error) {
    const { kind, message } = error as { kind?: string; message: string }
    return `${kind}: ${message}`
  }
  return 'nothing is refused'
}

describe.each([undefined, null, 5, 'x', {}, [], () => undefined])('%o is refused', (given) => {
  test.each([
    ['explore', APPLICATION],
    ['exploreAll', SCRIPT],
    ['exploreContracts', CONTRACTS],
  ])('as the chain and the options of %s', async (call, options) => {
    expect(await refusalOf(call, given, options)).toMatch(
      `invalidCall: invalid call ${call}: expected an emulator`,
    )
    expect(await refusalOf(call, chain, given)).toMatch(
      /^invalidOption: invalid option (options|run|contracts): /,
    )
  })

  test('as the chain, the options and the story of replay', async () => {
    expect(await refusalOf('replay', given, scene, '{}')).toMatch('invalidCall: invalid call replay: ')
    expect(await refusalOf('replay', chain, given, '{}')).toMatch(
      /^invalidOption: invalid option (options|run): /,
    )
    expect(await refusalOf('replay', chain, APPLICATION, given)).toMatch('invalidStory: invalid story: it')
    expect(await refusalOf('replay', chain, CONTRACTS, given)).toMatch('invalidStory: invalid story: it')
  })

  test('as parts of merge and as a progress', async () => {
    expect(await refusalOf('merge', given)).toMatch('invalidPart: ')
    expect(await refusalOf('merge', [given])).toMatch('invalidPart: ')
    expect(await refusalOf('formatProgress', given)).toMatch('invalidCall: invalid call formatProgress: ')
    expect(await refusalOf('formatProgress', { runs: given === 5 ? -1 : given })).toMatch('invalidCall: ')
  })
})

test.each([undefined, null, 5, {}, []])('%o is no path', async (given) => {
  expect(await refusalOf('replayFile', chain, APPLICATION, given)).toMatch(
    'invalidCall: invalid call replayFile: ',
  )
  expect(await refusalOf('storyFolder', given)).toMatch('invalidCall: invalid call storyFolder: ')
  expect(await refusalOf('exploreModule', given)).toMatch('invalidCall: invalid call exploreModule: ')
})

test.each([
  ['explore', APPLICATION, 'script', 'it is an option of exploreAll, not of explore'],
  ['explore', APPLICATION, 'events', 'it is an option of exploreAll, not of explore'],
  ['explore', APPLICATION, 'digest', 'it is an option of exploreAll, not of explore'],
  ['explore', APPLICATION, 'states', 'it is an option of exploreAll, not of explore'],
  ['explore', APPLICATION, 'contracts', 'it is an option of exploreContracts, not of explore'],
  ['explore', APPLICATION, 'workers', 'it is an option of exploreModule, not of explore'],
  ['explore', APPLICATION, 'dephts', 'unknown field, did you mean depth?'],
  ['explore', APPLICATION, 'toString', 'got an unknown field'],
  ['exploreAll', SCRIPT, 'actions', 'it is an option of explore, not of exploreAll'],
  ['exploreAll', SCRIPT, 'runs', 'it is an option of explore, not of exploreAll'],
  ['exploreAll', SCRIPT, 'seed', 'it is an option of explore, not of exploreAll'],
  ['exploreContracts', CONTRACTS, 'run', 'it is an option of explore, not of exploreContracts'],
  ['exploreContracts', CONTRACTS, 'adversary', 'it is an option of explore, not of exploreContracts'],
  ['exploreContracts', CONTRACTS, 'script', 'it is an option of exploreAll, not of exploreContracts'],
  ['replay', APPLICATION, 'searches', 'it is an option of exploreContracts, not of replay'],
])('%s refuses an option of others: %o with %s', async (call, options, name, reason) => {
  const refusal = await refusalOf(call, chain, { ...options, [name]: 1 }, '{}')
  expect(refusal).toMatch(`invalidOption: invalid option ${name}: `)
  expect(refusal).toContain(reason)
  expect(refusal).not.toContain('runner')
})

test('options of exploring are none of workers', async () => {
  expect(await refusalOf('exploreModule', 'none.js', { seed: 5 })).toBe(
    'invalidOption: invalid option seed: it is an option of explore, not of exploreModule',
  )
})

test('a story is replayed with the options of either way of exploring', async () => {
  const options = { ...APPLICATION, run: { pay: () => Promise.reject(new Error('no')) } }
  const failed = await exploring.explore(chain, options).catch((error: { story: string }) => error)
  for (const given of [APPLICATION, { ...SCRIPT, states: 5 }])
    expect(await functions['replay']?.(chain, given, (failed as { story: string }).story)).toEqual({
      steps: 1,
      impossible: [],
    })
})

test.each([
  [
    'a kind that ABIs do not have',
    { type: 'fnction', name: 'a' },
    'contracts.it.abi[1].type: expected one of function,',
  ],
  ['no object', null, 'contracts.it.abi[1].type: expected one of function,'],
  [
    'a function without a name',
    { type: 'function' },
    'contracts.it.abi[1].name: expected a name, got nothing',
  ],
  [
    'a parameter of an unknown type',
    { ...SET, inputs: [{ type: 'uint257' }] },
    'it.set(uint257) has a parameter of a type that is not known',
  ],
  [
    'a tuple without components',
    { ...SET, inputs: [{ type: 'tuple' }] },
    'it.set(tuple) has a parameter of a type that is not known',
  ],
])('an ABI that has %s is refused', async (_, entry, reason) => {
  const contracts = { it: { address: AT, abi: [SET, entry] } }
  const refusal = await refusalOf('exploreContracts', chain, { ...CONTRACTS, contracts })
  expect(refusal).toMatch('invalidOption: ')
  expect(refusal).toContain(reason)
})

test.each([
  ['contracts', CONTRACTS],
  ['an application', APPLICATION],
])('stories that do not fit %s are refused', async (_, options) => {
  const refused = async (story: string, reason: RegExp) =>
    expect(await refusalOf('replay', chain, options, story)).toMatch(reason)
  await refused('', /^invalidStory: .*it is no JSON/)
  await refused('{"format":', /^invalidStory: .*it is no JSON/)
  await refused(
    '{"format":"tickchain calls 0"}',
    /^invalidStory: .*its format is tickchain calls 0, and .*this version/,
  )
  await refused('{"format":"tickchain part 1"}', /^invalidStory: .*its format is tickchain part 1/)
  await refused('{"format":"tickchain story 1","setUp":"0x","steps":[]}', /^invalidStory: /)
  await refused('{"format":"tickchain story 1","steps":[null]}', /^invalidStory: /)
  await refused('{"format":"tickchain calls 1","calls":[null]}', /^invalidStory: /)
  await refused('{"format":"tickchain story 1","step":[],"steps":[]}', /^invalidStory: /)
  await refused('{"format":"tickchain story 1","steps":[{"waits":1}]}', /^invalidStory: /)
  await refused('{"format":"tickchain calls 1"}', /^invalidStory: /)
})

test('files that are not there, or no files, are refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stories-'))
  expect(await refusalOf('replayFile', chain, APPLICATION, join(folder, 'x.json'))).toMatch(
    /^invalidStory: .*ENOENT/,
  )
  expect(await refusalOf('replayFile', chain, APPLICATION, folder)).toMatch(/^invalidStory: .*EISDIR/)
  rmSync(folder, { recursive: true })
})

test.each([
  ['explore', APPLICATION],
  ['exploreAll', SCRIPT],
  ['exploreContracts', CONTRACTS],
  ['replay', APPLICATION],
])('%s refuses a chain that is disposed of', async (call, options) => {
  const disposed = await createEmulator()
  disposed.dispose()
  expect(await refusalOf(call, disposed, options, '{}')).toMatch('disposed: ')
})

describe('the story of a failure is told', () => {
  const failing = { ...APPLICATION, run: { pay: () => Promise.reject(new Error('no money')) } }
  const told = /^actionThrew: the action pay threw: no money\n\nAfter 1 step .*\n\n▸ pay/

  test('with values that JSON cannot hold', async () => {
    class Money {}
    const actions = { pay: fc.constant(new Money()) }
    const refusal = await refusalOf('explore', chain, { ...failing, actions })
    expect(refusal).toMatch(told)
    expect(refusal).toContain('The story is not saved: invalid story: steps[0].values is an object')
  })

  test.each([
    ['that cannot be shrunk', fc.noShrink(fc.nat())],
    ['that throws when it shrinks', fc.nat().map(Number, () => Number(Symbol()))],
  ])('with an arbitrary %s', async (_, pay) => {
    expect(await refusalOf('explore', chain, { ...failing, actions: { pay } })).toMatch(told)
  })

  test('where it cannot be saved', async () => {
    const save = inNode.storyFolder('/dev/null/stories')
    const refusal = await refusalOf('explore', chain, { ...failing, save })
    expect(refusal).toMatch(told)
    expect(refusal).toContain('save threw: ENOTDIR')
  })

  test('whatever was thrown', async () => {
    for (const thrown of [undefined, null, 'text', 5n]) {
      const run = { pay: () => Promise.reject(thrown) }
      const refusal = await refusalOf('explore', chain, { ...APPLICATION, run })
      expect(refusal).toMatch(/^actionThrew: the action pay threw: (undefined|null|text|5n?)\n\nAfter 1 step/)
    }
  })
})

test('a digest that throws, or is no text, is refused', async () => {
  const digest = (of: () => unknown) =>
    refusalOf('exploreAll', chain, { ...SCRIPT, world: () => ({}), digest: of })
  expect(await digest(() => ({}))).toBe('callbackFailed: digest failed: expected a text, got an object')
  expect(
    await digest(() => {
      throw new Error('no state')
    }),
  ).toBe('callbackFailed: digest failed: Error: no state')
})

test('an error that an invariant returns breaks it', async () => {
  const invariants = { sum: () => new Error('the sum is wrong') }
  const words = /^invariantBroken: the invariant sum is broken: the sum is wrong/
  expect(await refusalOf('explore', chain, { ...APPLICATION, invariants })).toMatch(words)
  expect(await refusalOf('exploreAll', chain, { ...SCRIPT, invariants })).toMatch(words)
  expect(await refusalOf('exploreContracts', chain, { ...CONTRACTS, invariants })).toMatch(words)
})

test('an action of a script that is not there is refused by its name', async () => {
  expect(await refusalOf('exploreAll', chain, { ...SCRIPT, script: [{ action: 'play' }] })).toBe(
    'invalidOption: invalid option script[0].action: expected an action of run (pay), got "play"',
  )
})

test.each([
  [
    'code with placeholders of libraries',
    { bytecode: '0x60__$aa$__' },
    /test\.bytecode: expected code whose libraries are linked/,
  ],
  ['no code', { bytecode: { object: '' } }, /test\.bytecode: expected creation code/],
  ['a constructor that fails', { bytecode: '0x60006000fd' }, /option test: its constructor fails: /],
  ['code and an address', { bytecode: '0x00', address: AT }, /test\.address: expected nothing/],
  ['neither', {}, /test\.address: /],
])('a test contract with %s is refused', async (_, it, words) => {
  expect(await refusalOf('exploreContracts', chain, { test: { abi: [SET], ...it } })).toMatch(words)
})
