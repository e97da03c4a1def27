// Exploring contracts: what it finds, tells, saves and refuses. Codes are written by hand, or compiled where functions
// of a selection are needed.

import { createEmulator, type Emulator } from 'tickchain'
import { type ContractsScene, type ContractsView, exploreContracts, replay } from 'tickchain/explore'
import { describe, expect, test } from 'vitest'
import { internalsOf } from '../../../../src/core/emulator/internals.ts'
import { contractIndexOf } from '../../../../src/tools/solidity/model/contract-index.ts'
import { coverageOf } from '../../../../src/tools/solidity/usage/coverage.ts'
import { recordUsage } from '../../../../src/tools/solidity/usage/usage.ts'
import { compile } from '../../solidity/compile.ts'

const AT = `0x${'c1'.repeat(20)}` as const
const [ALICE, BOB] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
]

/** set(uint256): reverts with Panic(1) for 0xbeef, else stores. The branch is a comparison with a constant of two bytes. */
const SET = {
  type: 'function',
  name: 'set',
  inputs: [{ name: 'value', type: 'uint256' }],
  outputs: [],
  stateMutability: 'nonpayable',
}
// PUSH1 4 CALLDATALOAD DUP1 PUSH2 beef EQ PUSH1 0x0e JUMPI PUSH0 SSTORE STOP, JUMPDEST (14): Panic(1).
const ASSERTING =
  '0x60043580' + '61beef14' + '600e57' + '5f5500' + '5b' + '634e487b7160e01b5f52' + '6001600452' + '60245ffd'

const abi = [SET]

async function chainWith(code: string): Promise<Emulator> {
  const chain = await createEmulator()
  await chain.setCode(AT, code as `0x${string}`)
  return chain
}

async function failureOf(exploring: Promise<unknown>) {
  return exploring.then(
    () => expect.unreachable(),
    (error: { kind: string; message: string; story: string; stories: string[] }) => error,
  )
}

const scene: ContractsScene = { contracts: { store: { address: AT, abi } } }

describe('an assertion', () => {
  test('is found by what the code compares, told as a list of calls with the trace of the last, and saved', {
    tags: 'gate',
  }, async () => {
    const chain = await chainWith(ASSERTING)
    const saved: string[] = []
    const save = (story: string, name: string) => saved.push(name, story)
    const failed = await failureOf(exploreContracts(chain, { ...scene, runs: 32, save }))
    expect(failed.kind).toBe('assertionFailed')
    expect(failed.message).toContain('assertion in store.set fails')
    // 0xbeef is 48879.
    expect(failed.message).toContain('After 1 call (run 1 of 32, seed 0):\n\n▸ store.set(48879) by account0')
    expect(failed.message).toMatch(/The last call:\n.*store.*set/)
    expect(saved).toEqual([expect.stringMatching(/^assertion-in-store.set-[0-9a-f]{8}$/), failed.story])
    expect(JSON.parse(failed.story)).toEqual({
      format: 'tickchain calls 1',
      broke: { kind: 'assertionFailed', name: 'assertion in store.set' },
      calls: [{ contract: 'store', call: 'set(uint256)', args: ['48879'], from: ALICE }],
    })
    await expect(replay(chain, scene, failed.story)).rejects.toMatchObject({ story: failed.story })
  })

  test('that a repaired contract does not have is gone in a replay', async () => {
    const failed = await failureOf(exploreContracts(await chainWith(ASSERTING), { ...scene, runs: 32 }))
    // STOP.
    expect(await replay(await chainWith('0x00'), scene, failed.story)).toEqual({ steps: 1, impossible: [] })
    // REVERT.
    expect(await replay(await chainWith('0x5f5ffd'), scene, failed.story)).toEqual({
      steps: 0,
      impossible: [0],
    })
  })
})

// PUSH1 4 CALLDATALOAD PUSH0 SSTORE.
const STORING = '0x6004355f5500'

test('an invariant in TypeScript sees the state, and what it throws is the cause', {
  tags: 'gate',
}, async () => {
  const chain = await chainWith(STORING)
  await chain.setBalance(AT, 5n)
  const thrown = new Error('it is large')
  const get = {
    type: 'function',
    name: 'get',
    inputs: [],
    outputs: [{ type: 'uint256' }],
    stateMutability: 'view',
  }
  // Without calldata beyond the selector, returns what is stored: CALLDATASIZE PUSH1 5 GT PUSH1 0x0d JUMPI, set, get.
  await chain.setCode(AT, `0x3660051160${'0d57'}${'6004355f5500'}${'5b5f545f5260205ff3'}`)
  const failed = await failureOf(
    exploreContracts(chain, {
      contracts: { store: { address: AT, abi: [SET, get] } },
      invariants: {
        async small({ read, balanceOf, now }) {
          expect(await balanceOf(AT)).toBe(5n)
          expect(now).toBeGreaterThan(1_000_000_000)
          if (((await read('store', 'get')) as bigint) > 1000n) throw thrown
        },
      },
    }),
  )
  expect(failed).toMatchObject({ kind: 'invariantBroken', cause: thrown })
  // The least value that breaks it.
  expect(JSON.parse(failed.story).calls).toMatchObject([{ args: ['1001'] }])
})

test('the same seed gives the same rounds and the same story on any chain', { tags: 'gate' }, async () => {
  const run = async (seed: number) => {
    const told: object[] = []
    const progress = (report: object) => told.push(report)
    await exploreContracts(await chainWith(STORING), { ...scene, runs: 48, seed, progress })
    const failed = await failureOf(exploreContracts(await chainWith(ASSERTING), { ...scene, runs: 48, seed }))
    return { told, story: failed.story }
  }
  const first = await run(1)
  expect(first.told).toHaveLength(3)
  expect(await run(1)).toEqual(first)
})

test('with until: end all different failures are told', { tags: 'gate' }, async () => {
  const source = `pragma solidity ^0.8.20; contract It {
    uint256 x;
    function a(uint256 v) external { x = v; assert(v != 77777); }
    function b(uint256 v) external { x = v; assert(v != 88888); assert(v != 99999); }
  }`
  const { output } = compile({ 'it.sol': source })
  const it = output.contracts['it.sol']?.['It']
  const chain = await chainWith(`0x${it.evm.deployedBytecode.object}`)
  const contracts = { it: { address: AT, abi: it.abi } }
  const failed = await failureOf(exploreContracts(chain, { contracts, runs: 64, until: 'end' }))
  const args = failed.stories.map((story) => JSON.parse(story).calls.at(-1).args[0])
  expect(args.sort()).toEqual(['77777', '88888', '99999'])
})

test('what came of each function is told, and one that always fails by its name', {
  tags: 'gate',
}, async () => {
  const source = `pragma solidity ^0.8.20; contract It {
    error Bad(uint256 value);
    uint256 x;
    function add() external { x++; }
    function no(uint256) external { x = 1; revert('never'); }
    function bad(uint256 v) external { x = 1; revert Bad(v); }
    function even(uint256 v) external { x = v; require(v % 2 == 0, 'odd'); }
  }`
  const { output } = compile({ 'it.sol': source })
  const it = output.contracts['it.sol']?.['It']
  const chain = await chainWith(`0x${it.evm.deployedBytecode.object}`)
  const gone = { ...SET, name: 'gone', inputs: [] }
  const contracts = { it: { address: AT, abi: [...it.abi, gone] } }
  const { functions, warnings, failed } = await exploreContracts(chain, { contracts, runs: 32 })
  const [add, no, bad, even, none] = ['add()', 'no(uint256)', 'bad(uint256)', 'even(uint256)', 'gone()'].map(
    (name) => functions[`it.${name}`],
  )
  // Beyond the largest number, if it gets there.
  const { 'arithmetic underflow or overflow': overflows = 0, ...reasons } = add?.failed ?? {}
  expect(reasons).toEqual({})
  expect(no?.failed).toEqual({ never: no?.calls })
  expect(bad?.failed).toEqual({ Bad: bad?.calls })
  expect(none?.failed).toEqual({ 'without a reason': none?.calls })
  const { odd = 0, ...others } = even?.failed ?? {}
  expect(others).toEqual({})
  expect(odd).toBeGreaterThan(0)
  expect(odd).toBeLessThan(even?.calls ?? 0)
  expect(failed).toBe((no?.calls ?? 0) + (bad?.calls ?? 0) + (none?.calls ?? 0) + odd + overflows)
  // cast sig 'gone()' gives 0x1664030d.
  expect(warnings).toEqual([
    `it.bad(uint256) failed in all of ${bad?.calls} calls: Bad`,
    `it.no(uint256) failed in all of ${no?.calls} calls: never`,
    `it.gone() failed in all of ${none?.calls} calls: its selector 0x1664030d is not in the code at ${AT}`,
  ])
})

test('a wait is told in words', async () => {
  const chain = await chainWith('0x00')
  const pending = await chain.request('eth_getBlockByNumber', ['pending', false])
  const end = (Number(pending?.timestamp) + 360 * 86_400).toString(16)
  // INVALID from then on: PUSH4 end, TIMESTAMP, LT, PUSH1 11, JUMPI, INVALID, JUMPDEST, STOP.
  await chain.setCode(AT, `0x63${end}4210600b57fe5b00`)
  const failed = await failureOf(exploreContracts(chain, { ...scene, runs: 32 }))
  expect(failed.message).toContain('▸ store.set(0) by account0, 360 days later\n')
})

describe('a number', () => {
  // Three fills of at most 100, unless one drains.
  const source = `pragma solidity ^0.8.20; contract Tank {
    int256 public level; uint256 fills;
    function fill(uint256 amount) external {
      require(amount <= 100 && fills < 3);
      level += int256(amount); fills++;
    }
    function drain() external { level -= 1; }
    function optimize_level() external view returns (int256) { return level; }
    function optimize_debt() external view returns (int256) { return -level; }
  }`
  const prepared = async () => {
    const { output } = compile({ 'tank.sol': source })
    const it = output.contracts['tank.sol']?.['Tank']
    const chain = await chainWith(`0x${it.evm.deployedBytecode.object}`)
    const contracts = { tank: { address: AT, abi: it.abi } }
    return { chain, contracts, runs: 32, depth: 10 }
  }

  test('of a function is made as large as it can be, and told with the calls', { tags: 'gate' }, async () => {
    const { chain, ...options } = await prepared()
    const corpus = new Map<string, string>()
    const { maxima } = await exploreContracts(chain, { ...options, corpus })
    expect(Object.keys(maxima)).toEqual(['tank.optimize_debt', 'tank.optimize_level'])
    const { value, story = '' } = maxima['tank.optimize_level'] ?? {}
    expect(value).toBe(300n)
    const fill = { contract: 'tank', call: 'fill(uint256)', args: ['100'] }
    expect(JSON.parse(story).calls).toMatchObject([fill, fill, fill])
    // One less with each call of ten.
    expect(maxima['tank.optimize_debt']?.value).toBe(10n)
    expect([...corpus.values()]).toContain(story)
    const again = await exploreContracts(chain, { ...options, corpus, runs: 1 })
    expect(again.maxima['tank.optimize_level']?.value).toBe(300n)
    expect(await replay(chain, options, story)).toEqual({ steps: 3, impossible: [] })
  })

  test('of TypeScript is, too; what is none is refused', { tags: 'gate' }, async () => {
    const { chain, ...options } = await prepared()
    const level = async ({ read }: ContractsView) => Number(await read('tank', 'level'))
    const { maxima } = await exploreContracts(chain, { ...options, maximize: { level } })
    expect(maxima['level']?.value).toBe(300n)
    const exploring = exploreContracts(chain, { ...options, maximize: { level: () => 0.5 } })
    await expect(exploring).rejects.toThrow('maximize.level failed: expected an integer, got 0.5')
  })
})

test('code that a search executes is covered', { tags: 'gate' }, async () => {
  const source = `pragma solidity ^0.8.20; contract It {
    uint256 x;
    function set(uint256 v) external {
      if (v == 77777)
        x = 1;
      if (v % 2 == 0 && v % 4 == 1)
        x = 2;
    }
  }`
  const { input, output } = compile({ 'it.sol': source })
  const it = output.contracts['it.sol']?.['It']
  const chain = await chainWith(`0x${it.evm.deployedBytecode.object}`)
  await chain.addContracts({ input, output })
  const { session } = internalsOf('test', chain)
  const indexOf = () => contractIndexOf(session.known)
  const { probe, usage } = recordUsage(indexOf, { gas: false, coverage: true })
  session.node.config.probes.add(probe)
  await exploreContracts(chain, { contracts: { it: { address: AT, abi: it.abi } }, runs: 16 })
  const { files } = coverageOf(indexOf()?.contracts ?? [], usage())
  const lines = [...(files[0]?.lines ?? [])].filter(([, hits]) => hits > 0).map(([line]) => line)
  // The second condition never holds.
  expect(lines.sort()).toEqual([3, 4, 5, 6])
})

describe('a test contract of Foundry', () => {
  const source = `pragma solidity ^0.8.20;
    contract Counter { uint256 public n; function add() external { n += 1; } function break_() external { n = 100; } }
    contract Other { uint256 public n; function add() external { n = 100; } }
    contract ItTest {
      struct FuzzSelector { address addr; bytes4[] selectors; }
      Counter counter; Other other;
      function setUp() external { counter = new Counter(); other = new Other(); }
      function targetContracts() external view returns (address[] memory list) { LIST }
      function excludeContracts() external view returns (address[] memory list) {
        list = new address[](1); list[0] = address(other);
      }
      function excludeSelectors() external view returns (FuzzSelector[] memory list) {
        list = new FuzzSelector[](1); bytes4[] memory not = new bytes4[](1); not[0] = Counter.break_.selector;
        list[0] = FuzzSelector(address(counter), not);
      }
      function targetSenders() external pure returns (address[] memory list) {
        list = new address[](1); list[0] = ${'0x70997970C51812dc3A010C7d01b50e0d17dc79C8'};
      }
      function invariant_small() external view { require(counter.n() < 3 && other.n() < 3, 'large'); }
    }`
  const prepared = async (list: string) => {
    const { input, output } = compile({ 'it.sol': source.replace('LIST', list) })
    const it = output.contracts['it.sol']?.['ItTest']
    const chain = await chainWith(`0x${it.evm.deployedBytecode.object}`)
    return { chain, known: { input, output }, test: { address: AT, abi: it.abi } }
  }

  test.each([
    ['names targets', 'list = new address[](1); list[0] = address(counter);'],
    ['leaves it to what setUp creates', ''],
  ])('%s, and what it excludes is not called', async (_, list) => {
    const { chain, known, test: it } = await prepared(list)
    await chain.addContracts(known)
    const failed = await failureOf(exploreContracts(chain, { test: it }))
    expect(failed.message).toContain(
      'the invariant test.invariant_small is broken: it failed: execution reverted: large',
    )
    const call = { contract: 'Counter', call: 'add()', args: [], from: BOB }
    expect(JSON.parse(failed.story).calls).toEqual([call, call, call])
  })

  test('names a target that nobody knows', { tags: 'gate' }, async () => {
    const { chain, test: it } = await prepared('list = new address[](1); list[0] = address(counter);')
    await expect(exploreContracts(chain, { test: it })).rejects.toMatchObject({
      kind: 'invalidOption',
      message: expect.stringMatching(/^invalid option test: the target 0x[0-9a-f]{40} is not known: name it/),
    })
  })
})

test('a tuple with a field that its type does not have is refused by name', async () => {
  const components = [{ name: 'a', type: 'uint256' }]
  const pair = { ...SET, inputs: [{ name: 'p', type: 'tuple', components }] }
  const contracts = { it: { address: AT, abi: [pair] } }
  const replayed = (args: unknown) => {
    const call = { contract: 'it', call: 'set((uint256))', args: [args], from: ALICE }
    return chainWith(STORING).then((chain) =>
      replay(chain, { contracts }, { format: 'tickchain calls 1', calls: [call] }),
    )
  }
  expect(await replayed({ a: '1' })).toEqual({ steps: 1, impossible: [] })
  await expect(replayed({ a: '1', b: '2' })).rejects.toThrow('call 0: (uint256) has no field b')
  await expect(replayed(['1', '2'])).rejects.toThrow('call 0: (uint256) has no field 1')
})

describe('refused', () => {
  const refused = async (chain: Emulator, options: object, message: RegExp | string) => {
    const exploring = exploreContracts(chain, options as ContractsScene)
    await expect(exploring).rejects.toThrow(message)
    await expect(exploring).rejects.toMatchObject({
      kind: expect.stringMatching(/^(invalidOption|invalidCall)$/),
    })
  }

  test('no contracts, no code, no functions, functions that are not there, misspelt options', async () => {
    const chain = await chainWith(STORING)
    await refused(chain, {}, 'expected contracts by names')
    await refused(chain, { contracts: { it: { address: BOB, abi } } }, `there is no contract at ${BOB}`)
    await refused(
      chain,
      { contracts: { it: { address: AT, abi: [] } } },
      'there is no function to call in it',
    )
    const functions = ['get']
    await refused(chain, { contracts: { it: { address: AT, abi, functions } } }, 'it has no function get')
    await refused(chain, { ...scene, run: 7 }, /run/)
    await refused(chain, { ...scene, senders: [] }, 'there is no account left to call from')
    await refused({} as Emulator, scene, 'an emulator that createEmulator or clone has made')
    const together = { chain, ...scene } as unknown as Emulator
    await refused(together, undefined as never, 'an emulator that createEmulator or clone has made')
  })

  test('a setUp that fails', async () => {
    const setUp = { type: 'function', name: 'setUp', inputs: [], outputs: [], stateMutability: 'nonpayable' }
    const it = { address: AT, abi: [setUp] }
    await refused(
      await chainWith('0x5f5ffd'),
      { test: it },
      'setUp() fails: execution reverted: without a reason',
    )
  })

  test('an invariant that does not hold before the first call', async () => {
    const invariant = {
      type: 'function',
      name: 'invariant_x',
      inputs: [],
      outputs: [],
      stateMutability: 'view',
    }
    const contracts = { it: { address: AT, abi: [SET, invariant] } }
    const failed = await failureOf(exploreContracts(await chainWith('0x5f5ffd'), { contracts }))
    expect(failed.kind).toBe('invariantBroken')
    expect(failed.message).toContain('it.invariant_x is broken')
    expect(failed.message).toContain('After 0 calls:')
  })

  test('a test contract that sets up no contract', async () => {
    await refused(await chainWith(STORING), { test: { address: AT, abi } }, 'there is no contract to call')
  })

  test('an invariant that asks for the balance of what is no address', async () => {
    const invariants = { rich: ({ balanceOf }: ContractsView) => balanceOf('alice') }
    const failed = await failureOf(exploreContracts(await chainWith(STORING), { ...scene, invariants }))
    expect(failed.message).toContain('expected an address of 20 bytes, got "alice"')
  })

  test('a progress that throws, which does not hide a failure', { tags: 'gate' }, async () => {
    const progress = (): void => {
      throw new Error('no terminal')
    }
    const chain = await chainWith(STORING)
    const exploring = exploreContracts(chain, { ...scene, invariants: {}, progress })
    await expect(exploring).rejects.toMatchObject({
      kind: 'callbackFailed',
      message: 'progress failed: Error: no terminal',
    })
    let moments = 0
    const late = { late: () => ++moments < 10 }
    await expect(exploreContracts(chain, { ...scene, invariants: late, progress })).rejects.toMatchObject({
      kind: 'invariantBroken',
      message: expect.stringContaining('progress failed: Error: no terminal'),
    })
  })

  test.each([null, 'store', 7])('in a replay: %j in place of contracts', async (given) => {
    const replaying = replay(await chainWith(STORING), given as never, {
      format: 'tickchain calls 1',
      calls: [],
    })
    await expect(replaying).rejects.toMatchObject({ kind: 'invalidOption' })
  })

  test('the other interpreter', async () => {
    const chain = await createEmulator({ interpreter: 'reference' })
    await chain.setCode(AT, STORING)
    await expect(exploreContracts(chain, scene)).rejects.toMatchObject({ kind: 'coverageUnavailable' })
  })

  const call = { contract: 'store', call: 'set(uint256)', args: ['1'], from: ALICE }
  test.each([
    ['text that is no JSON', '{', /no JSON/],
    ['a story of another version', { format: 'tickchain calls 2', calls: [] }, /format is tickchain calls 2/],
    ['a story of an application', { format: 'tickchain story 1', steps: [] }, /format is tickchain story 1/],
    ['no calls', { format: 'tickchain calls 1' }, /no calls/],
    [
      'a function that is not called',
      { format: 'tickchain calls 1', calls: [{ ...call, call: 'get()' }] },
      /store.get\(\)/,
    ],
    [
      'another sender',
      { format: 'tickchain calls 1', calls: [{ ...call, from: AT }] },
      /not among the senders/,
    ],
    [
      'a field that nobody reads',
      { format: 'tickchain calls 1', calls: [{ ...call, sender: AT }] },
      /call 0 has the unknown field sender/,
    ],
    ['another field', { format: 'tickchain calls 1', call: [], calls: [] }, /it has the unknown field call/],
    [
      'arguments of other types',
      { format: 'tickchain calls 1', calls: [{ ...call, args: ['x'] }] },
      /expected uint256/,
    ],
    [
      'too few arguments',
      { format: 'tickchain calls 1', calls: [{ ...call, args: [] }] },
      /expected 1 arguments/,
    ],
    [
      'more of what broke',
      { format: 'tickchain calls 1', broke: { kind: 'invariantBroken', names: 'x' }, calls: [] },
      /broke has the unknown field names/,
    ],
  ])('in a replay: %s', async (_, story, message) => {
    const replaying = replay(await chainWith(STORING), scene, story)
    await expect(replaying).rejects.toThrow(message)
    await expect(replaying).rejects.toMatchObject({ kind: 'invalidStory' })
  })
})
