// Solidity tests of a small project. What they come to was recorded with forge 1.7.1: verdicts, names, and gas per test.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import solc from 'solc'
import { createEmulator } from 'tickchain'
import { runTestArtifacts, type SolidityTestResult } from 'tickchain/explore'
import { runSolidityTests, type SolidityTestsOptions } from 'tickchain/solidity-tests'
import { afterAll, describe, expect, test } from 'vitest'
import { compile, forgeArtifacts } from '../../solidity/compile.ts'

const VM = `
interface Vm { function assume(bool) external pure; function skip(bool) external; function expectRevert() external;
  function skip(bool, string calldata) external; function expectRevert(bytes calldata) external;
  function prank(address) external; function warp(uint256) external; }
Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);`

const HEAD = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;`

const VAULT = `${HEAD}
contract Vault {
  uint256 public total;
  address public owner = msg.sender;
  function put(uint256 amount) external { require(amount > 0, 'nothing'); total += amount; }
  function close() external { require(msg.sender == owner, 'not the owner'); total = 0; }
}`

const VAULT_TEST = `${HEAD}
import {Vault} from 'vault/Vault.sol';
${VM}
contract VaultTest {
  Vault vault;
  uint256 puts;
  uint256[] public fixtureSmall = [1, 2, 3];
  function setUp() public { vault = new Vault(); vault.put(1); }
  function test_start() public view { require(vault.total() == 1, 'total'); }
  function test_put() public { vault.put(2); require(vault.total() == 3, 'total'); puts++; }
  function test_apart() public view { require(vault.total() == 1 && puts == 0, 'a test sees another'); }
  function test_fails() public { vault.put(2); require(vault.total() == 4, 'wrong total'); }
  function test_skipped() public { vm.${'skip'}(true, 'not yet'); }
  function test_expectRevert() public { vm.prank(address(7)); vm.expectRevert(bytes('not the owner')); vault.close(); }
  function testFuzz_put(uint128 amount) public { vm.assume(amount > 0); vault.put(amount); assert(vault.total() == uint256(amount) + 1); }
  function testFuzz_large(uint256 amount) public pure { require(amount < 1000, 'too large'); }
  function tableSmall(uint256 small) public pure { require(small > 0 && small < 4, 'a fixture'); }
}
contract BrokenTest {
  function setUp() public pure { revert('no set-up'); }
  function test_never() public {}
}`

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function project(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'tickchain-solidity-tests-'))
  folders.push(root)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

function placesIn(places: SolidityTestResult['places']): string[] {
  return (places ?? []).map(({ name, file, line }) => `${name} ${file}:${line}`)
}

const TOML = `[profile.default]
remappings = ['vault/=src/']
evm_version = 'prague'
optimizer = true
[profile.default.fuzz]
runs = 32
`

const FILES = { 'foundry.toml': TOML, 'src/Vault.sol': VAULT, 'test/Vault.t.sol': VAULT_TEST }

describe('a project', () => {
  test('has the verdicts of forge', { tags: 'gate' }, async () => {
    const root = project(FILES)
    const results = await runSolidityTests(root, { solc })
    expect(
      results.map(({ contract, test: name, status, reason }) => [contract, name, status, reason]),
    ).toEqual([
      ['BrokenTest', 'setUp()', 'failed', 'no set-up'],
      ['VaultTest', 'tableSmall(uint256)', 'passed', undefined],
      ['VaultTest', 'testFuzz_large(uint256)', 'failed', 'too large'],
      ['VaultTest', 'testFuzz_put(uint128)', 'passed', undefined],
      ['VaultTest', 'test_apart()', 'passed', undefined],
      ['VaultTest', 'test_expectRevert()', 'passed', undefined],
      ['VaultTest', 'test_fails()', 'failed', 'wrong total'],
      ['VaultTest', 'test_put()', 'passed', undefined],
      ['VaultTest', 'test_skipped()', 'skipped', 'not yet'],
      ['VaultTest', 'test_start()', 'passed', undefined],
    ])
    expect(new Set(results.map(({ file }) => file))).toEqual(new Set(['test/Vault.t.sol']))
    const large = results.find(({ test: name }) => name === 'testFuzz_large(uint256)')
    // The smallest that is too large.
    expect(large?.counterexample).toMatchObject([{ call: 'testFuzz_large(uint256)', args: ['1000'] }])
    const fails = results.find(({ test: name }) => name === 'test_fails()')
    expect(fails?.trace).toContain('Vault::put(2)')

    const kept = JSON.parse(readFileSync(join(root, 'cache/tickchain/failures.json'), 'utf8'))
    expect(Object.keys(kept)).toEqual(['test/Vault.t.sol:VaultTest:testFuzz_large(uint256)'])
    // Without a compiler that works: all is in the cache.
    const never = { version: solc.version, compile: () => expect.unreachable() }
    const again = await runSolidityTests(root, { solc: never, match: /testFuzz/ })
    expect(again.map(({ status, runs }) => [status, runs])).toEqual([
      ['failed', 0],
      ['passed', 32],
    ])
  })

  test('another compiler than the one that foundry.toml names is refused, as forge takes no other', async () => {
    const test = `${HEAD} contract OneTest { function test_one() public {} }`
    const runWith = (toml: string, version = solc.version()) => {
      const root = project({ 'foundry.toml': `[profile.default]\n${toml}`, 'test/One.t.sol': test })
      return runSolidityTests(root, { solc: { ...solc, version: () => version }, cache: false })
    }
    await expect(runWith(`solc_version = '0.8.20'`, '0.8.21+commit.d9974bed')).rejects.toThrow(
      'invalid option solc: foundry.toml names 0.8.20, and the module is 0.8.21: npm install --save-dev solc@0.8.20',
    )
    expect(await runWith(`solc = '0.8.37'`)).toMatchObject([{ status: 'passed' }])
    // The path of a native compiler.
    expect(await runWith(`solc = 'bin/solc'`)).toMatchObject([{ status: 'passed' }])
  })

  test('each file is compiled by the newest compiler that the pragmas of all it imports allow', async () => {
    const compiled: Record<string, string[]> = {}
    const compilerOf = (version: string) => ({
      version: () => `${version}+commit.0123456789`,
      compile: (input: string) => {
        const { settings, sources } = JSON.parse(input) as {
          readonly settings: { readonly outputSelection: Record<string, object> }
          readonly sources: Record<string, { content: string }>
        }
        const asked = Object.entries(settings.outputSelection).filter(([, each]) => '*' in each)
        compiled[version] = asked.map(([name]) => name)
        for (const each of Object.values(sources))
          each.content = each.content.replace(/pragma solidity .*?;/g, 'pragma solidity >=0.8.0;')
        return solc.compile(JSON.stringify({ ...JSON.parse(input), sources }))
      },
    })
    const file = (pragma: string, code: string) =>
      `// SPDX-License-Identifier: MIT\n/* pragma solidity 0.1.0; */\npragma solidity ${pragma}; ${code}`
    const root = project({
      'src/Any.sol': file(
        '^0.8.0',
        'contract Any { function one() external pure returns (uint256) { return 1; } }',
      ),
      'test/New.t.sol': file(
        '^0.8.24',
        `import '../src/Any.sol'; contract NewTest { function test_new() public {} }`,
      ),
      'test/Old.t.sol': file(
        '^0.8.4',
        `import './Pinned.sol'; contract OldTest { function test_old() public { require(new Any().one() == 1); } }`,
      ),
      'test/Pinned.sol': file('0.8.20', `import '../src/Any.sol';`),
      'test/None.t.sol': file('>0.8.20 <0.8.28', 'contract NoneTest { function test_none() public {} }'),
      'test/Both.t.sol': file(
        '^0.8.21',
        `import './Pinned.sol'; contract BothTest { function test_both() public {} }`,
      ),
    })
    const run = () =>
      runSolidityTests(root, { solc: [compilerOf('0.8.20'), compilerOf('0.8.28'), compilerOf('0.8.4')] })
    const results = await run()
    expect(results.map(({ file: name, status, reason }) => [name, reason ?? status])).toEqual([
      [
        'test/Both.t.sol',
        `no compiler of the option solc can compile it: pragma solidity 0.8.20 of test/Pinned.sol does not allow 0.8.28, pragma solidity ^0.8.21 of test/Both.t.sol does not allow 0.8.20 and 0.8.4\n --> test/Pinned.sol:3:1:`,
      ],
      [
        'test/None.t.sol',
        `no compiler of the option solc can compile it: pragma solidity >0.8.20 <0.8.28 of test/None.t.sol does not allow 0.8.28 and 0.8.20 and 0.8.4\n --> test/None.t.sol:3:1:`,
      ],
      ['test/New.t.sol', 'passed'],
      ['test/Old.t.sol', 'passed'],
    ])
    expect(compiled).toEqual({
      '0.8.28': ['src/Any.sol', 'test/New.t.sol'],
      // Its traces know the code that it deploys.
      '0.8.20': ['src/Any.sol', 'test/Old.t.sol', 'test/Pinned.sol'],
    })
    for (const version of Object.keys(compiled)) delete compiled[version]
    expect(await run()).toEqual(results)
    expect(compiled).toEqual({})
    writeFileSync(join(root, 'foundry.toml'), `[profile.default]\nsolc = '0.8.20'`)
    await run()
    expect(Object.keys(compiled)).toEqual(['0.8.20'])
  })

  test('files have the profile of the compiler that the restrictions of all they import ask for', async () => {
    const text = (name: string) =>
      `${HEAD}\ncontract ${name} { function f() external pure returns (uint256) { return 4; } }`
    const root = project({
      'src/A.sol': text('A'),
      'src/B.sol': text('B'),
      'test/A.t.sol': `${HEAD}\nimport '../src/A.sol'; contract ATest { function test_a() public { require(new A().f() == 4); } }`,
    })
    type Settings = { readonly evmVersion: string; readonly viaIR?: boolean; readonly optimizer: object }
    const compiled: Record<string, unknown[]> = {}
    const compile = (input: string) => {
      const { settings, sources } = JSON.parse(input) as {
        readonly settings: Settings
        readonly sources: object
      }
      const { evmVersion, viaIR = false, optimizer } = settings
      for (const name of Object.keys(sources))
        compiled[name] = [...(compiled[name] ?? []), [evmVersion, viaIR, Object.values(optimizer).join()]]
      return solc.compile(input)
    }
    const runWith = async (lines: string) => {
      for (const name of Object.keys(compiled)) delete compiled[name]
      writeFileSync(join(root, 'foundry.toml'), `[profile.default]\n${lines}`)
      const results = await runSolidityTests(root, { solc: { ...solc, compile }, cache: false })
      return results.map(({ file, reason, status }) => [file, reason ?? status])
    }
    const passed = [['test/A.t.sol', 'passed']]
    // forge 1.7.1
    const [plain, many] = [
      ['osaka', false, 'false,200'],
      ['osaka', false, 'true,500'],
    ]
    const more = (profiles: string, restrictions: string) =>
      `additional_compiler_profiles = [${profiles}]\ncompilation_restrictions = [${restrictions}]`
    expect(
      await runWith(
        more(`{ name = 'zz', optimizer_runs = 500 }`, `{ paths = 'src/A.sol', min_optimizer_runs = 300 }`),
      ),
    ).toEqual(passed)
    expect(compiled).toEqual({ 'src/A.sol': [many], 'test/A.t.sol': [many], 'src/B.sol': [plain] })
    const old = ['london', false, 'true,500']
    expect(
      await runWith(
        `optimizer = false\n${more(
          `{ name = 'zz', optimizer_runs = 500, evm_version = 'london' }`,
          `{ paths = './src/A*', max_evm_version = 'london' }, { paths = 'src/B.sol', max_evm_version = 'london' }`,
        )}`,
      ),
    ).toEqual(passed)
    expect(compiled).toEqual({ 'src/A.sol': [old], 'test/A.t.sol': [old], 'src/B.sol': [old] })
    const ir = ['osaka', true, 'true,200']
    expect(
      await runWith(
        more(
          `{ name = 'zz', via_ir = true }, { name = 'aa', via_ir = true, optimizer = true }`,
          `{ paths = 'test/**', via_ir = true }`,
        ),
      ),
    ).toEqual(passed)
    // Both codes of A are made.
    expect(compiled).toEqual({ 'src/A.sol': [plain, ir], 'test/A.t.sol': [ir], 'src/B.sol': [plain] })
    const [missing] = await runWith(
      more(`{ name = 'zz', optimizer_runs = 5 }`, `{ paths = 'src/A.sol', min_optimizer_runs = 300 }`),
    )
    expect(missing).toEqual([
      'src/A.sol',
      'Missing profile satisfying settings restrictions for src/A.sol\n --> src/A.sol:1:1:',
    ])
  })

  test('evm_version in a line of a test or a contract chooses the opcodes', { tags: 'gate' }, async () => {
    const line = (version: string) => `/// forge-config: default.evm_version = "${version}"`
    const root = project({
      'foundry.toml': `[profile.default]\nevm_version = 'cancun'`,
      'test/Old.t.sol': `${HEAD}
        contract Box { function put() external { assembly { tstore(0, 1) } } }
        contract OldTest {
          Box box;
          function setUp() public { box = new Box(); box.put(); }
          ${line('shanghai')}
          function testFuzz_old(uint8) public { box.put(); }
          ${line('nonsense')}
          function test_nonsense() public {}
          function test_plain() public { box.put(); }
        }
        ${line('shanghai')}
        contract OlderTest {
          function setUp() public { new Box().put(); }
          function test_it() public {}
        }`,
    })
    const results = await runSolidityTests(root, { solc, cache: false })
    // forge 1.7.1
    expect(results.map(({ test: name, status, reason }) => [name, reason ?? status])).toEqual([
      ['testFuzz_old(uint8)', 'EvmError: Revert'],
      ['test_nonsense()', 'Unknown evm version: nonsense for key "default.evm_version" in inline config'],
      ['test_plain()', 'passed'],
      ['setUp()', 'EvmError: Revert'],
    ])
  })

  test('gas snapshots are written and compared as by forge', { tags: 'gate' }, async () => {
    const noting = (value: number) => `${HEAD}
      interface Vm { function snapshotValue(string calldata, uint256) external; function snapshotValue(string calldata, string calldata, uint256) external; }
      contract NotesTest {
        Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
        function test_a() public { vm.snapshotValue('v', ${value}); vm.snapshotValue('g', 'z', 6); vm.snapshotValue('g', 'a', 1); }
        function test_b() public { vm.snapshotValue('g', 'b', 2); }
        function testFuzz_none(uint8) public { vm.snapshotValue('fuzz', 3); }
      }`
    const root = project({ 'test/Notes.t.sol': noting(5) })
    await runSolidityTests(root, { solc })
    const read = (group: string) => readFileSync(join(root, `snapshots/${group}.json`), 'utf8')
    // forge 1.7.1
    expect(read('NotesTest')).toBe('{\n  "v": "5"\n}')
    expect(read('g')).toBe('{\n  "a": "1",\n  "b": "2",\n  "z": "6"\n}')
    writeFileSync(join(root, 'foundry.toml'), '[profile.default]\ngas_snapshot_check = true')
    writeFileSync(join(root, 'test/Notes.t.sol'), noting(7))
    const results = await runSolidityTests(root, { solc })
    expect(results.map(({ test: name, reason }) => [name, reason])).toEqual([
      ['testFuzz_none(uint8)', undefined],
      ['test_a()', '[NotesTest] Failed to match snapshots:\n- [v] 5 → 7'],
      ['test_b()', undefined],
    ])
    expect(read('NotesTest')).toContain('"5"')
    writeFileSync(join(root, 'snapshots/NotesTest.json'), '{ "v": <<<<<<< ours')
    const [, unread] = await runSolidityTests(root, { solc })
    expect(unread?.reason).toBe('snapshots/NotesTest.json is no JSON of snapshots')
  })

  test('a pattern that hits no test is refused with the nearest', { tags: 'gate' }, async () => {
    const root = project({
      'test/Vault.t.sol': `${HEAD} contract VaultTest { function test_put() public {} function test_take() public {} }`,
    })
    const ask = (match: NonNullable<SolidityTestsOptions['match']>) =>
      runSolidityTests(root, { solc, cache: false, match })
    const refusing = (expected: string, got: string) =>
      expect.objectContaining({
        code: -32602,
        message: `invalid option match: expected a pattern that hits one of the ${expected}, got ${got}`,
      })
    await expect(ask('Vualt')).rejects.toThrow(
      refusing(
        '2 tests, such as test/Vault.t.sol:VaultTest:test_put(), test/Vault.t.sol:VaultTest:test_take()',
        '"Vualt"',
      ),
    )
    await expect(ask({ test: /^test_putt/ })).rejects.toThrow(
      refusing('2 tests, such as test/Vault.t.sol:VaultTest:test_put()', '{ test: /^test_putt/ }'),
    )
    await expect(ask({ file: 'Voult' })).rejects.toThrow(
      refusing('1 tests, such as test/Vault.t.sol', '{ file: "Voult" }'),
    )
    expect(
      await runSolidityTests(project({ 'src/A.sol': HEAD }), { solc, cache: false, match: 'x' }),
    ).toEqual([])
  })

  test('a fuzz test that skips itself shows the call that does, and does not keep it', {
    tags: 'gate',
  }, async () => {
    const root = project({
      'test/Skip.t.sol': `${HEAD}
        interface Vm { function ${'skip'}(bool, string calldata) external; }
        contract SkipTest {
          function testFuzz_some(uint256 x) public {
            Vm(address(uint160(uint256(keccak256('hevm cheat code'))))).${'skip'}(x % 2 == 0, 'even');
          }
        }`,
    })
    const [skipped] = await runSolidityTests(root, { solc, seed: 1 })
    // As forge 1.7.1, whose result has a counterexample as well.
    expect(skipped).toMatchObject({ status: 'skipped', reason: 'even' })
    expect(Number(skipped?.counterexample?.[0]?.args[0]) % 2).toBe(0)
    expect(existsSync(join(root, 'cache/tickchain/failures.json'))).toBe(false)
  })

  test('a failure has its places in the sources, and its trace, with the words of forge', {
    tags: 'gate',
  }, async () => {
    const sum = `${HEAD}
        interface Vm { function assertEq(uint256, uint256, string calldata) external pure; }
        contract SumTest {
          function test_sum() public pure { check(); }
          function check() private pure {
            Vm(address(uint160(uint256(keccak256('hevm cheat code'))))).assertEq(1, 2, 'not two');
          }
        }`
    const root = project({ 'test/Sum.t.sol': sum })
    // Of all that importing the module gives, as by `import * as solc`.
    const [failed] = await runSolidityTests(root, { solc: { default: solc } as never, cache: false })
    const lineOf = (part: string) => sum.split('\n').findIndex((line) => line.includes(part)) + 1
    const [, ...calls] = failed?.trace?.split('\n') ?? []
    expect(failed?.places).toEqual([
      { name: 'SumTest.check', file: 'test/Sum.t.sol', line: lineOf('assertEq(1') },
      { name: 'SumTest.test_sum', file: 'test/Sum.t.sol', line: lineOf('check();') },
    ])
    // forge 1.7.1, forge test -vvvv
    expect(calls).toEqual([
      '    ├─ [0] VM::assertEq(1, 2, "not two") [staticcall]',
      '    │   └─ ← [Revert] not two: 1 != 2',
      '    └─ ← [Revert] not two: 1 != 2',
    ])
  })

  test('a set-up and a constructor that fail have the places and the trace of their failure', async () => {
    const broken = `${HEAD}
        contract Door { function open() external pure { revert('locked'); } }
        contract ATest {
          constructor() { new Door().open(); }
          function test_it() public {}
        }
        contract BTest {
          function setUp() public { new Door().open(); }
          function test_it() public {}
        }`
    const root = project({ 'test/Broken.t.sol': broken })
    const results = await runSolidityTests(root, { solc, cache: false })
    expect(results.map(({ test: name, places }) => [name, ...placesIn(places)])).toEqual([
      ['constructor()', 'Door.open test/Broken.t.sol:3', 'ATest.constructor test/Broken.t.sol:5'],
      ['setUp()', 'Door.open test/Broken.t.sol:3', 'BTest.setUp test/Broken.t.sol:9'],
    ])
    expect(results.map(({ trace }) => trace?.includes('[Revert] locked'))).toEqual([true, true])
  })

  test('code that the optimizer shares between tests is told as that of the test that ran', async () => {
    const shared = `${HEAD}
        contract Box {
          uint256 public value;
          function set(uint256 n) external { require(n < 10, 'large'); value = n; }
        }
        contract BoxTest {
          Box box = new Box();
          function test_a() public {
            box.set(10);
          }
          function test_b() public {
            box.set(11);
          }
        }`
    const foundry = '[profile.default]\noptimizer = true'
    const root = project({ 'test/Box.t.sol': shared, 'foundry.toml': foundry })
    const results = await runSolidityTests(root, { solc, cache: false })
    expect(results.map(({ places }) => placesIn(places))).toEqual(
      [10, 13].map((line, index) => [
        'Box.set test/Box.t.sol:5',
        `BoxTest.test_${'ab'[index]} test/Box.t.sol:${line}`,
      ]),
    )
  })

  test('options of its chain are refused with their place, and a promise of a chain', async () => {
    const refusal = (chain: unknown) => runSolidityTests(project(FILES), { solc, chain: chain as never })
    await expect(refusal({ frok: 1 })).rejects.toThrow('option chain.frok: unknown field, did you mean fork?')
    await expect(refusal(createEmulator())).rejects.toThrow(
      'option chain: expected an object, got a promise, without await',
    )
  })

  test('a file that does not compile fails alone, with its place', { tags: 'gate' }, async () => {
    const root = project({
      'foundry.toml': `${TOML}optimiser = true\n`.replace(
        '[profile.default.fuzz]',
        'optimiser = true\n[profile.default.fuzz]',
      ),
      'test/Good.t.sol': `${HEAD} contract GoodTest { function test_good() public {} }`,
      'test/Loop.t.sol': `${HEAD} contract LoopTest { function test_loop() public pure { while (true) {} } }`,
      'test/Bad.t.sol': `${HEAD}\ncontract BadTest { function test_bad() public { uint256 x = 'text'; } }`,
      'test/Lost.t.sol': `${HEAD} import 'lost/Lost.sol'; contract LostTest { function test_lost() public {} }`,
    })
    const results = await runSolidityTests(root, { solc, cache: false })
    const told = results.map(({ file, test: name, status, reason = '' }) => [
      file,
      name,
      status,
      reason.split('\n')[0],
    ])
    expect(told).toEqual([
      [
        'foundry.toml',
        'profile.default.optimiser',
        'failed',
        'foundry.toml has an unknown key profile.default.optimiser: did you mean optimizer?',
      ],
      [
        'foundry.toml',
        'profile.default.fuzz.optimiser',
        'failed',
        'foundry.toml has an unknown key profile.default.fuzz.optimiser',
      ],
      ['test/Bad.t.sol', '', 'failed', expect.stringContaining('TypeError: Type literal_string "text"')],
      ['test/Lost.t.sol', '', 'failed', expect.stringContaining('there is no file lost/Lost.sol')],
      ['test/Good.t.sol', 'test_good()', 'passed', ''],
      ['test/Loop.t.sol', 'test_loop()', 'failed', 'EvmError: OutOfGas'],
    ])
    expect(results.find(({ file }) => file === 'test/Bad.t.sol')?.reason).toContain('test/Bad.t.sol:3:49')
  })
})

test('code that halts with all of its gas has its places, and a loop without end has none', async () => {
  const source = `pragma solidity ^0.8.0;
contract Halter { function halt() external pure { assembly { invalid() } } }
contract ATest {
  Halter halter = new Halter();
  function test_halt() public view { halter.halt(); }
  function test_loop() public pure { while (true) {} }
}`
  const results = await runTestArtifacts(compile({ 'test/A.t.sol': source }))
  const places = results.map(({ places: all }) => all?.map(({ name, line }) => [name, line]))
  expect(places).toEqual([
    [
      ['Halter.halt', 2],
      ['ATest.test_halt', 5],
    ],
    undefined,
  ])
  expect(results[0]?.trace).toContain('[Halt] invalid opcode: INVALID')
})

test.each([
  [undefined, /expected solc's standard JSON .*, got nothing/],
  ['a.json', /got "a\.json"/],
  [{ contracts: {} }, /got an object with contracts/],
  [[], /there is no contract/],
  [
    { input: {}, output: { errors: [{ severity: 'error', message: 'Undeclared identifier.' }] } },
    /Undeclared/,
  ],
])('artifacts without a contract are refused: %#', async (artifacts, reason) => {
  const error = { kind: 'invalidContracts', message: expect.stringMatching(reason) }
  await expect(runTestArtifacts(artifacts)).rejects.toMatchObject(error)
})

test('lines of settings that are not known change nothing, as in forge, and a value that does not fit is named', async () => {
  const other = ['fuzz.rns = 5', 'fuz.runs = 5', 'nonsense = 10', 'invariant.foo = true']
  const lines = other.map((each) => `/// forge-config: default.${each}\n`).join('')
  const wrong = '/// forge-config: default.fuzz.runs = "few"\n'
  const source = `pragma solidity ^0.8.0;
contract ATest {
${lines}function testFuzz_a(uint256) public {}
${wrong}function testFuzz_b(uint256) public {}
}`
  const results = await runTestArtifacts(compile({ 'test/A.t.sol': source }))
  expect(results.map(({ status, runs, reason }) => [status, runs, reason])).toEqual([
    ['passed', 256, undefined],
    ['failed', undefined, 'the line: forge-config.fuzz.runs has to be a number, and is a string'],
  ])
})

test('inputs may be rejected without an end where the most is 0, as in forge', async () => {
  const source = `pragma solidity ^0.8.0;
interface Vm { function assume(bool) external pure; }
contract ATest {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  /// forge-config: default.fuzz.max-test-rejects = 0
  function testFuzz_some(uint256 x) public { vm.assume(x % 2 == 0); }
  /// forge-config: default.fuzz.max-test-rejects = 1
  function testFuzz_none(uint256) public { vm.assume(false); }
}`
  const results = await runTestArtifacts(compile({ 'test/A.t.sol': source }))
  expect(results.map(({ status, runs, reason }) => [status, runs, reason])).toEqual([
    ['failed', 0, '`vm.assume` rejected too many inputs (1 allowed)'],
    ['passed', 256, undefined],
  ])
})

test('files that import each other keep their own contracts', { tags: 'gate' }, async () => {
  const root = project({
    'foundry.toml': TOML,
    'src/A.sol': `${HEAD} import './B.sol'; contract A { function b() external { new B(); } }`,
    'src/B.sol': `${HEAD} import './A.sol'; contract B {} contract C { function a() external { new A(); } }`,
    'test/Code.t.sol': `${HEAD}
    import '../src/A.sol';
    interface Vm { function getCode(string calldata) external view returns (bytes memory); }
    contract CodeTest {
      Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
      function test_code() public view {
        require(keccak256(vm.getCode('A.sol:A')) == keccak256(type(A).creationCode), 'A');
        require(keccak256(vm.getCode('B.sol:C')) == keccak256(type(C).creationCode), 'C');
      } }`,
  })
  const results = await runSolidityTests(root, { solc })
  expect(results.map(({ status, reason }) => [status, reason])).toEqual([['passed', undefined]])
})

test('invariants are explored together', { tags: 'gate' }, async () => {
  const artifacts = compile({
    'Counter.t.sol': `${HEAD}
    contract Counter { uint256 public count; uint256 public most;
      function add(uint8 by) external { count += by; if (by > most) most = by; }
      function reset() external { count = 0; } }
    contract CounterTest { Counter counter;
      function setUp() public { counter = new Counter(); }
      function invariant_small() public view { require(counter.most() < 200, 'a large step'); }
      function invariant_sum() public view { require(counter.most() == 0 || counter.count() < 1 ether, 'the sum'); } }`,
  })
  const foundryToml = '[invariant]\nruns = 16\ndepth = 8\n'
  const [small, sum] = await runTestArtifacts(artifacts, { foundryToml })
  expect(small).toMatchObject({
    test: 'invariant_small()',
    status: 'failed',
    reason: 'a large step',
  })
  // One call, with the least step that is large.
  expect(small?.counterexample).toMatchObject([{ contract: 'Counter', call: 'add(uint8)', args: ['200'] }])
  expect(placesIn(small?.places)).toEqual(['CounterTest.invariant_small Counter.t.sol:8'])
  expect(small?.trace).not.toContain('    at ')
  expect(sum).toMatchObject({ test: 'invariant_sum()', status: 'passed', runs: 16 })
})

test('calls that broke an invariant are tried first by the next run', { tags: 'gate' }, async () => {
  const settings = (runs: number, depth: number) => `[invariant]\nruns = ${runs}\ndepth = ${depth}\n`
  const root = project({
    'foundry.toml': settings(32, 20),
    'test/Steps.t.sol': `${HEAD}
    contract Steps { uint256 public count; function step() external { count++; } }
    contract StepsTest { Steps steps;
      function setUp() public { steps = new Steps(); }
      function invariant_few() public view { require(steps.count() < 3, 'three'); } }`,
  })
  const run = async () => {
    const [result] = await runSolidityTests(root, { solc })
    return [result?.reason, result?.counterexample?.length]
  }
  expect(await run()).toEqual(['three', 3])
  // A run of one call does not find them.
  writeFileSync(join(root, 'foundry.toml'), settings(1, 1))
  expect(await run()).toEqual(['three', 3])
  rmSync(join(root, 'cache/tickchain/failures.json'))
  expect(await run()).toEqual([undefined, undefined])
})

test('artifacts alone run on any chain', { tags: 'gate' }, async () => {
  const artifacts = compile({
    'Time.t.sol': `${HEAD} ${VM} contract TimeTest {
    function test_chain() public view { require(block.chainid == 10, 'chain id'); }
    function test_time() public { vm.warp(77); require(block.timestamp == 77, 'time'); } }`,
  })
  const results = await runTestArtifacts(artifacts, { chain: { chainId: 10 } })
  expect(results.map(({ file, test: name, status }) => [file, name, status])).toEqual([
    ['Time.t.sol', 'test_chain()', 'passed'],
    ['Time.t.sol', 'test_time()', 'passed'],
  ])
})

test('contracts with tests run wherever they are, but in libraries and scripts', {
  tags: 'gate',
}, async () => {
  const contract = (name: string, imported = '') =>
    `${HEAD}\n${imported}\ncontract ${name} { function test_it() public {} }`
  const root = project({
    'src/InSrc.sol': contract('InSrc', `import '../lib/dep/src/InLib.sol';`),
    'src/Argument.sol': `${HEAD}\ncontract Argument { constructor(uint256) {} function test_it() public {} }`,
    'lib/dep/src/InLib.sol': contract('InLib'),
    'other/Other.sol': contract('Other'),
    'script/InScript.t.sol': contract('InScript'),
    'test/InTest.sol': contract('InTest', `import '../other/Other.sol';`),
  })
  // Those that `forge test --list` of forge 1.7.1 lists.
  const listed = ['other/Other.sol', 'src/InSrc.sol', 'test/InTest.sol']
  const results = await runSolidityTests(root, { solc })
  expect(results.map(({ file, status }) => [file, status]).sort()).toEqual(
    listed.map((file) => [file, 'passed']),
  )
})

test('what forge has built is read as tests need it', { tags: 'gate' }, async () => {
  const sources = {
    'src/Double.sol': `${HEAD}\nlibrary Double { function twice(uint256 x) external pure returns (uint256) { return 2 * x; } }`,
    'src/Other.sol': `${HEAD}\ncontract Other { error Odd(uint256); function three() external pure { revert Odd(3); } }`,
    'test/Linked.t.sol': `${HEAD}\nimport '../src/Double.sol';
      interface Vm { function deployCode(string calldata) external returns (address); }
      interface Three { function three() external; }
      contract LinkedTest {
        function deploy() internal returns (Three) {
          return Three(Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).deployCode('Other.sol:Other'));
        }
        function test_four() public pure { require(Double.twice(2) == 4); }
        function test_other() public { require(address(deploy()).code.length > 0); }
        function test_three() public { deploy().three(); }
      }`,
    'test/Alone.t.sol': `${HEAD}\ncontract AloneTest { function test_alone() public {} }`,
    'test/Gone.t.sol': `${HEAD}\ncontract GoneTest { function test_gone() public {} }`,
  }
  const { 'test/Gone.t.sol': _, ...kept } = sources
  const built = Object.entries(forgeArtifacts(compile(sources))).map(([path, text]) => [`out/${path}`, text])
  const root = project({ ...kept, ...Object.fromEntries(built) })
  const run = async (options: SolidityTestsOptions) =>
    (await runSolidityTests(root, options)).map((each) => [each.test, each.status, each.reason, each.trace])
  const linked = [
    ['test_four()', 'passed', undefined, undefined],
    ['test_other()', 'passed', undefined, undefined],
    ['test_three()', 'failed', 'Odd(3)', expect.stringMatching(/Other::three\(\)/)],
  ]
  const alone = ['test_alone()', 'passed', undefined, undefined]
  const reason = 'test/Gone.t.sol: its artifact is there, and its source is not'
  const all = [['', 'failed', reason, undefined], alone, ...linked]
  expect(await run({ match: { file: 'Linked' } })).toEqual(linked)
  expect(await run({ match: { file: 'Alone' } })).toEqual([alone])
  expect(await run({})).toEqual(all)
  expect(await run({ workers: 2 })).toEqual(all)
  await expect(run({ match: { test: /test_fuor/ } })).rejects.toThrow('LinkedTest:test_four()')
  await expect(run({ match: { file: /Linkt/ } })).rejects.toThrow('test/Linked.t.sol:LinkedTest')
})

describe('a project of Hardhat 3, with tests beside the contracts', () => {
  const double = `${HEAD}\nlibrary Double { function twice(uint256 x) external pure returns (uint256) { return 2 * x; } }`
  const doubleTest = `${HEAD}\nimport './Double.sol';\ncontract DoubleTest { function test_four() public pure { require(Double.twice(2) == 4); } }`
  const sources = { 'contracts/Double.sol': double, 'contracts/Double.t.sol': doubleTest }
  const passed = [['contracts/Double.t.sol', 'test_four()', 'passed']]
  const run = async (root: string, options: SolidityTestsOptions) =>
    (await runSolidityTests(root, options)).map(({ file, test: name, status }) => [file, name, status])

  test('is compiled from the folder contracts', { tags: 'gate' }, async () => {
    expect(await run(project(sources), { solc })).toEqual(passed)
  })

  test('finds the sources of forge-std, and the packages that packages import', {
    tags: 'gate',
  }, async () => {
    const root = project({
      'contracts/It.t.sol': `${HEAD}\nimport 'forge-std/Test.sol'; import 'one/One.sol';\ncontract ItTest is Test, One { function test_it() public {} }`,
      'node_modules/forge-std/src/Test.sol': `${HEAD}\nimport {Base} from './Base.sol';\nabstract contract Test is Base {}`,
      'node_modules/forge-std/src/Base.sol': `${HEAD}\ncontract Base {}`,
      'node_modules/one/One.sol': `${HEAD}\nimport 'two/deep/Two.sol';\nimport 'forge-std/src/Base.sol';\ncontract One is Two {}`,
      'node_modules/two/deep/Two.sol': `${HEAD}\ncontract Two {}`,
    })
    expect(await run(root, { solc, cache: false })).toEqual([['contracts/It.t.sol', 'test_it()', 'passed']])
  })

  test('has the runs that its lines say, with a profile and without', { tags: 'gate' }, async () => {
    const fuzz = (name: string) => `function testFuzz_${name}(uint8) public {}`
    const root = project({
      'contracts/It.t.sol': `${HEAD}
        /// hardhat-config: fuzz.runs = 5
        contract ItTest {
          ${fuzz('contract')}
          /// hardhat-config: fuzz.runs = 7
          ${fuzz('line')}
          /// hardhat-config: default.fuzz.runs = 8
          ${fuzz('profile')}
          /// forge-config: default.fuzz.runs = 9
          /// hardhat-config: fuzz.runs = 3
          ${fuzz('tools')}
        }`,
    })
    const results = await runSolidityTests(root, { solc, cache: false })
    // Hardhat 3.18.0, but for the last: there forge's line wins, which forge reads alone.
    expect(results.map(({ test: name, runs }) => [name, runs])).toEqual([
      ['testFuzz_contract(uint8)', 5],
      ['testFuzz_line(uint8)', 7],
      ['testFuzz_profile(uint8)', 8],
      ['testFuzz_tools(uint8)', 9],
    ])
  })

  test('is read from the two halves of its build-info', { tags: 'gate' }, async () => {
    const { input, output } = compile(
      Object.fromEntries(Object.entries(sources).map(([name, text]) => [`project/${name}`, text])),
    )
    const halves = {
      'artifacts/build-info/solc-1.json': JSON.stringify({ id: 'solc-1', input }),
      'artifacts/build-info/solc-1.output.json': JSON.stringify({ id: 'solc-1', output }),
    }
    expect(await run(project({ ...sources, ...halves }), {})).toEqual(passed)
  })

  test('runs once where forge has built it, too, with two compilers', { tags: 'gate' }, async () => {
    const { input, output } = compile(sources)
    const built = Object.entries(forgeArtifacts({ output })).flatMap(([path, artifact]) =>
      [path, path.replace('.json', '.0.8.30.json')].map((each) => [`artifacts/${each}`, artifact]),
    )
    const all = {
      ...sources,
      'foundry.toml': `[profile.default]\nout = 'artifacts'`,
      ...Object.fromEntries(built),
      'artifacts/build-info/one.json': JSON.stringify({ id: 'one', input, output }),
    }
    expect(await run(project(all), {})).toEqual(passed)
  })

  test('has the code that Hardhat made for a file, and not for one that imports it', {
    tags: 'gate',
  }, async () => {
    const text = `${HEAD}\ncontract ItTest { function test_it() public view { assert(gasleft() == 0); } }`
    const info = (id: string, runs: number, userSourceNameMap: object) => {
      const { input, output } = compile(
        { 'project/contracts/It.t.sol': text },
        { optimizer: { enabled: runs > 0, runs } },
      )
      return {
        [`artifacts/build-info/${id}.json`]: JSON.stringify({ id, input, userSourceNameMap }),
        [`artifacts/build-info/${id}.output.json`]: JSON.stringify({ id, output }),
      }
    }
    const named = { 'contracts/It.t.sol': 'project/contracts/It.t.sol' }
    const gasOf = async (infos: Record<string, string>) =>
      (await runSolidityTests(project({ 'contracts/It.t.sol': text, ...infos }), {}))[0]?.gas
    const [plain, optimized] = [await gasOf(info('a', 0, named)), await gasOf(info('a', 200, named))]
    expect(plain).not.toBe(optimized)
    expect(await gasOf({ ...info('a', 200, named), ...info('b', 0, {}) })).toBe(optimized)
    expect(await gasOf({ ...info('a', 200, {}), ...info('b', 0, named) })).toBe(plain)
  })
})

describe('artifacts whose sources have changed', () => {
  const value = (number: number) =>
    `${HEAD}\ncontract Value { function value() external pure returns (uint256) { return ${number}; } }`
  const files = {
    'src/Value.sol': value(1),
    'test/Value.t.sol': `${HEAD}\nimport '../src/Value.sol';\ncontract ValueTest { function test_value() public { require(new Value().value() == 1); } }`,
    'test/Other.t.sol': `${HEAD}\ncontract OtherTest { function test_other() public {} }`,
  }
  const told = async (root: string, options: SolidityTestsOptions = {}) =>
    (await runSolidityTests(root, options)).map(({ file, test: name, reason, status }) => [
      file,
      name,
      reason ?? status,
    ])
  const changed = (build: string) => {
    const reason = `src/Value.sol has changed since it was compiled: run ${build}\n --> src/Value.sol:1:1:`
    return [
      ['src/Value.sol', '', reason],
      ['test/Value.t.sol', '', reason],
      ['test/Other.t.sol', 'test_other()', 'passed'],
    ]
  }
  const builtBy = (sources: Record<string, string>, folder: string) =>
    Object.fromEntries(
      Object.entries(forgeArtifacts(compile(sources))).map(([path, text]) => [`${folder}/${path}`, text]),
    )

  test('of forge fail with the place, and those of other files run', { tags: 'gate' }, async () => {
    const root = project({ ...files, ...builtBy(files, 'out') })
    expect((await told(root)).map(([, , reason]) => reason)).toEqual(['passed', 'passed'])
    writeFileSync(join(root, 'src/Value.sol'), value(2))
    // Of forge's artifacts, only those with tests are read.
    expect(await told(root)).toEqual(changed('forge build').slice(1))
  })

  test('of Hardhat fail with the place, and those of other files run', { tags: 'gate' }, async () => {
    const named = Object.fromEntries(Object.entries(files).map(([name, text]) => [`project/${name}`, text]))
    const { input, output } = compile(named)
    const root = project({
      ...files,
      'artifacts/build-info/one.json': JSON.stringify({ id: 'one', input }),
      'artifacts/build-info/one.output.json': JSON.stringify({ id: 'one', output }),
    })
    writeFileSync(join(root, 'src/Value.sol'), value(2))
    expect(await told(root)).toEqual(changed('npx hardhat build'))
  })

  test('are left out where a contract has another name since then: forge leaves its artifact', {
    tags: 'gate',
  }, async () => {
    const renamed = {
      ...files,
      'test/Other.t.sol': files['test/Other.t.sol']
        .replaceAll('other', 'renamed')
        .replace('OtherTest', 'RenamedTest'),
    }
    const root = project({ ...renamed, ...builtBy(files, 'out'), ...builtBy(renamed, 'out') })
    expect(await told(root, { match: 'Other.t.sol' })).toEqual([
      ['test/Other.t.sol', 'test_renamed()', 'passed'],
    ])
  })
})
