// Solidity tests in a run of vitest, from outside: a project with the built package, whose *.t.sol are test files.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { compile, forgeArtifacts } from '../tools/solidity/compile.ts'
import { createProject, type Project } from './project.ts'

let project: Project

beforeAll(async () => {
  project = await createProject()
  for (const name of ['solc', 'fast-check', 'pure-rand']) {
    const from = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url))
    symlinkSync(from, join(project.folder, 'node_modules', name), 'junction')
  }
  project.write(
    'solidity.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    export default { plugins: [tickchain({ solidityTests: { root: 'sol', fuzzRuns: 16 } })], test: { include: ['sol/*.ts'] } }`,
  )
  project.write(
    'sol/test/Sum.t.sol',
    `pragma solidity ^0.8.20;
    contract SumTest {
      uint256 sum;
      function setUp() public { sum = 1; }
      function test_add() public { sum += 1; require(sum == 2, 'sum'); }
      function test_apart() public view { require(sum == 1, 'apart'); }
      function testFuzz_small(uint256 x) public pure { require(x < 100, 'not small'); }
    }`,
  )
  project.write(
    'sol/plain.test.ts',
    `import { expect, test } from 'vitest'; test('plain', () => expect(1).toBe(1))`,
  )
})

afterAll(() => project.remove())

const BANK_TEST = `pragma solidity ^0.8.20;
  import { Bank } from 'bank/Bank.sol';
  contract BankTest {
    Bank bank;
    function setUp() public { bank = new Bank(); }
    function test_close() public { bank.close(address(this)); }
    function test_large() public { bank.deposit{value: 2000}(); }
  }`

const TAP = `pragma solidity ^0.8.20;
  contract Tap {
    uint256 public turns;
    function turn() external { turns += 1; }
  }`

const TAP_TEST = `pragma solidity ^0.8.20;
  import { Tap } from '../src/Tap.sol';
  contract TapTest {
    Tap tap;
    function setUp() public { tap = new Tap(); }
    function invariant_turns() public view { require(tap.turns() < 1000); }
  }`

test('each test of a *.t.sol is a test, with its reason and its counterexample', () => {
  const { status, output } = project.vitest('--config=solidity.config.mjs', '--reporter=verbose')
  expect(status).toBe(1)
  expect(output).toContain('✓ sol/test/Sum.t.sol > SumTest > test_add()')
  expect(output).toContain('✓ sol/test/Sum.t.sol > SumTest > test_apart()')
  expect(output).toContain('× sol/test/Sum.t.sol > SumTest > testFuzz_small(uint256)')
  expect(output).toMatch(/Error: not small\n *SumTest\.testFuzz_small\(uint256\) \["100"\]/)
  expect(output).toMatch(/ ❯ SumTest\.testFuzz_small sol\/test\/Sum\.t\.sol:7:1\n/)
  expect(output).toMatch(/^ +7\| +function testFuzz_small.*\n +\| \^/m)
  expect(output).toContain('✓ sol/plain.test.ts > plain')
  const named = project.vitest('--config=solidity.config.mjs', '-t', 'test_add')
  expect(named.status).toBe(0)
  expect(named.output).toMatch(/Tests +1 passed \| 3 skipped/)
})

test('the page of a failed test has its call tree, and no chain, on which nothing happens', () => {
  project.vitest(
    '--config=solidity.config.mjs',
    '--reporter=tickchain/vitest-reporter',
    '-t',
    'testFuzz_small',
  )
  const index = project.read('tickchain-report/index.html')
  const [page = ''] = /sum-t-sol-[\w-]+\.html/.exec(index) ?? []
  const text = project.read(`tickchain-report/${page}`)
  expect(text).toContain('SumTest::testFuzz_small(100)')
  expect(text).not.toContain('No chain existed')
  expect(text).not.toContain('<h2>Chain')
  expect(text).not.toContain('JavaScript')
})

test('coverage is that of all tests, in Solidity and in TypeScript', () => {
  project.write(
    'sol/foundry.toml',
    "[profile.default]\nremappings = ['bank/=../contracts/']\ninvariant = { runs = 1, depth = 1 }",
  )
  project.write('sol/test/Bank.t.sol', BANK_TEST)
  project.write('sol/src/Tap.sol', TAP)
  project.write('sol/test/Tap.t.sol', TAP_TEST)
  project.write(
    'joined.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    const solidityTests = { root: 'sol' }
    const plugin = tickchain({ contracts: 'artifacts/build-info', coverage: { directory: 'joined' }, solidityTests })
    export default { plugins: [plugin], test: { include: ['tests/deposits.story.ts'] } }`,
  )
  const { status, output } = project.vitest('--config=joined.config.mjs', 'Bank.t.sol', 'Tap', 'deposits')
  expect([status, output]).toEqual([0, expect.stringMatching(/Tests +5 passed/)])
  const lcov = project.read('joined/lcov.info')
  expect(lcov.match(/^SF:.*$/gm)).toEqual(['SF:contracts/Bank.sol', 'SF:sol/src/Tap.sol'])
  // Four deposits of 500 wei, one chain and a total are the story's; the rest is of the tests in Solidity.
  expect(lcov.match(/^FNDA.*$/gm)).toEqual([
    'FNDA:5,Fees.of_',
    'FNDA:2,Bank.constructor',
    'FNDA:1,Bank.onlyOwner',
    'FNDA:5,Bank.deposit',
    'FNDA:1,Bank.close',
    'FNDA:1,Bank.total',
    // Turned by the search for sequences that break the invariant.
    expect.stringMatching(/^FNDA:[1-9]\d*,Tap.turn$/),
  ])
  expect(lcov).toMatch(/^BRDA:6,\d,0,1\nBRDA:6,\d,1,4$/m)
})

test('the gas of a report is that of forge test --gas-report, and calls between contracts are in it as well', () => {
  project.write(
    'metered/src/Bank.sol',
    `pragma solidity ^0.8.20;
    contract Store { uint256 public v; function set(uint256 x) external { require(x != 13, 'unlucky'); v = x; } }
    contract Bank {
      Store public store;
      constructor() { store = new Store(); }
      function put(uint256 x) external { store.set(x); }
      function total() external view returns (uint256) { return store.v(); }
      receive() external payable {}
    }`,
  )
  project.write(
    'metered/test/Bank.t.sol',
    `pragma solidity ^0.8.20;
    import { Bank } from '../src/Bank.sol';
    contract BankTest {
      Bank bank;
      function setUp() public { bank = new Bank(); }
      function test_put() public { bank.put(3); bank.put(4); require(bank.total() == 4); }
    }
    contract PayTest {
      function test_pay() public { (bool ok, ) = address(new Bank()).call{value: 1}(''); require(ok); }
    }`,
  )
  // The metadata at the end of code depends on the sources, and its bytes are charged.
  project.write('metered/foundry.toml', "[profile.default]\nbytecode_hash = 'none'\nevm_version = 'prague'")
  project.write(
    'metered.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    export default { plugins: [tickchain({ gas: true, solidityTests: { root: 'metered' } })], test: { include: [] } }`,
  )
  const { status, output } = project.vitest('--config=metered.config.mjs')
  const rows = output.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const row = (name: string) => rows.find(([cell]) => cell?.startsWith(name))?.slice(1)
  expect([status, output]).toEqual([0, expect.not.stringContaining('BankTest')])
  // forge 1.7.1, which has no calls between contracts but static ones.
  expect(row('deployment')).toEqual(['2', '398085', '398085', '398085', '398085'])
  expect(row('put(uint256)')).toEqual(['2', '32143', '40693', '40693', '49243'])
  expect(row('receive')).toEqual(['1', '21055', '21055', '21055', '21055'])
  expect(row('total()')).toEqual(['1', '7858', '7858', '7858', '7858'])
  expect(row('v()')).toEqual(['1', '2424', '2424', '2424', '2424'])
  // Without what its transaction pays.
  expect(row('set(uint256)')?.[0]).toBe('2')
})

test('the compiler is loaded only if something has changed, or may change', async () => {
  const loaded = () => project.read('loads').length
  project.write('loads', '')
  project.write('kept/node_modules/solc/package.json', '{ "name": "solc", "version": "0.8.37" }')
  project.write(
    'kept/node_modules/solc/index.js',
    `require('node:fs').appendFileSync(${JSON.stringify(join(project.folder, 'loads'))}, '.')
    module.exports = require(${JSON.stringify(join(project.folder, 'node_modules/solc'))})`,
  )
  const write = (sum: number) =>
    project.write(
      'kept/test/Kept.t.sol',
      `pragma solidity ^0.8.20; contract KeptTest { function test_it() public pure { require(1 + 1 == ${sum}); } }`,
    )
  write(2)
  project.write(
    'kept.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    export default { plugins: [tickchain({ solidityTests: { root: 'kept' } })], test: { include: [] } }`,
  )
  const run = () => project.vitest('--config=kept.config.mjs').status
  expect([run(), loaded()]).toEqual([0, 1])
  expect([run(), loaded()]).toEqual([0, 1])
  write(3)
  expect([run(), loaded()]).toEqual([1, 2])
  const { outputAfter, stop } = project.watch('--config=kept.config.mjs')
  try {
    await outputAfter(() => {})
    // In time for the first change.
    await vi.waitUntil(() => loaded() === 3, { timeout: 60_000 })
  } finally {
    await stop()
  }
})

test('a test is at its line, a base of tests is none, and the tests of a changed source are known', () => {
  project.write('lines/src/Door.sol', 'pragma solidity ^0.8.20; contract Door { bool public open; }')
  project.write(
    'lines/test/Base.t.sol',
    'pragma solidity ^0.8.20; abstract contract Base { function test_based() public {} }',
  )
  project.write(
    'lines/test/Door.t.sol',
    `pragma solidity ^0.8.20;
    import './Base.t.sol'; import '../src/Door.sol';
    // contract DoorTest { function test_open
    contract DoorTest is Base {
      function setUp() public { require(block.chainid != 0); }
      function test_open() public { require(new Door().open(), 'closed'); }
      function testFuzz_loops(uint256) public { while (true) {} }
    }`,
  )
  project.write(
    'lines.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    const related = process.env.RELATED
    export default { plugins: [tickchain({ solidityTests: { root: 'lines', fuzzRuns: 1 } })], test: { include: [], related } }`,
  )
  const run = (...flags: string[]) => project.vitest('--config=lines.config.mjs', ...flags)
  const { output } = run('--includeTaskLocation', '--reporter=json')
  const [{ testResults }] = output.match(/^{.*}$/gm)!.map((line) => JSON.parse(line))
  const results = testResults.flatMap((file: { assertionResults: object[] }) => file.assertionResults)
  expect(results.map((each: { title: string; location: object }) => [each.title, each.location])).toEqual([
    ['testFuzz_loops(uint256)', { line: 7, column: 1 }],
    ['test_based()', expect.anything()],
    ['test_open()', { line: 6, column: 1 }],
  ])
  // It loops until its gas is used up, which has no trace.
  expect(results[0].failureMessages[0]).toMatch(
    /OutOfGas\n.*\n {4}at DoorTest\.testFuzz_loops \(.*\/Door\.t\.sol:7:1\)$/,
  )
  const related = (RELATED: string) =>
    project.vitestWith({ RELATED }, '--config=lines.config.mjs', '-t', 'based').output
  expect(related('lines/src/Door.sol')).toMatch(/Tests +1 passed \| 2 skipped/)
  expect(related('artifacts/Bank.json')).toContain('No test files found')
})

test('what forge has built is run without a compiler, and the tests of a changed source are known', async () => {
  const source = (imported: string, code: string) => `pragma solidity ^0.8.20; import '${imported}'; ${code}`
  const sources = {
    'lib/dep/src/Three.sol':
      'pragma solidity ^0.8.20; library Three { function three() internal pure returns (uint256) { return 3; } }',
    'src/Base.sol': source(
      '../lib/dep/src/Three.sol',
      'contract Base { function value() public pure returns (uint256) { return Three.three(); } }',
    ),
    'src/Tap.sol': source('./Base.sol', 'contract Tap is Base {}'),
    'src/Other.sol': source('./Base.sol', 'contract Other is Base {}'),
    'test/Tap.t.sol': source(
      '../src/Tap.sol',
      `interface Vm { function deployCode(string calldata) external returns (address); }
      contract TapTest {
        function test_tap() public { require(new Tap().value() == 3); }
        function test_imports() public {
          address other = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).deployCode('Other.sol:Other');
          require(Base(other).value() == 3);
        }
      }`,
    ),
    'test/Other.t.sol': source(
      '../src/Other.sol',
      'contract OtherTest { function test_other() public { require(new Other().value() == 3); } }',
    ),
  }
  for (const [path, text] of Object.entries(sources)) project.write(`built/${path}`, text)
  for (const [path, text] of Object.entries(forgeArtifacts(compile(sources))))
    project.write(`built/out/${path}`, text)
  project.write(
    'built.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    const related = process.env.RELATED
    const solidityTests = { root: 'built', solc: false }
    export default { plugins: [tickchain({ solidityTests, coverage: true })], test: { include: [], related } }`,
  )
  const { output } = project.vitest('--config=built.config.mjs')
  expect(output).toMatch(/Tests +3 passed/)
  expect(output).toMatch(/built\/src\/Base\.sol \| +100/)
  expect(output).not.toContain('Three.sol')
  const related = (RELATED: string) => project.vitestWith({ RELATED }, '--config=built.config.mjs').output
  expect(related('built/src/Tap.sol')).toMatch(/Tests +2 passed/)
  expect(related('built/src/Base.sol')).toMatch(/Tests +3 passed/)
  const { outputAfter, stop } = project.watch('--config=built.config.mjs')
  try {
    expect(await outputAfter(() => {})).toMatch(/Tests +3 passed/)
    const changed = { ...sources, 'test/Tap.t.sol': sources['test/Tap.t.sol'].replace('== 3', '== 4') }
    const edit = () => project.write('built/test/Tap.t.sol', changed['test/Tap.t.sol'])
    expect(await outputAfter(edit)).toMatch(
      /Tap\.t\.sol has changed since it was compiled: run forge build[^❯]* ❯ built\/test\/Tap\.t\.sol:1:1/,
    )
    const artifact = forgeArtifacts(compile(changed))['Tap.t.sol/TapTest.json'] as string
    const build = () => project.write('built/out/Tap.t.sol/TapTest.json', artifact)
    expect(await outputAfter(build)).toMatch(/Tests +1 failed \| 1 passed \(2\)/)
  } finally {
    await stop()
  }
})

test('tests that foundry.toml leaves out are left out', () => {
  project.write('chosen/foundry.toml', "[profile.default]\nno_match_path = '*/slow/*'\nno_match_test = 'two'")
  const source =
    'pragma solidity ^0.8.20; contract ATest { function test_one() public {} function test_two() public {} }'
  project.write('chosen/test/A.t.sol', source)
  project.write('chosen/test/slow/B.t.sol', source.replace('ATest', 'BTest'))
  project.write(
    'chosen.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    export default { plugins: [tickchain({ solidityTests: { root: 'chosen', solc: ['solc'] } })], test: { include: [] } }`,
  )
  const { status, output } = project.vitest('--config=chosen.config.mjs', '--reporter=verbose')
  expect(output).toContain('✓ chosen/test/A.t.sol > ATest > test_one()')
  expect(output).not.toMatch(/test_two|BTest/)
  expect(output).toMatch(/Tests +1 passed/)
  expect(status).toBe(0)
})

test('what cannot be compiled is said with its place', () => {
  const write = (test: string, toml = '') => {
    project.write('bad/foundry.toml', toml)
    project.write('bad/test/Bad.t.sol', `pragma solidity ^0.8.20;\n${test}`)
  }
  project.write(
    'bad.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    const solc = process.env.SOLC
    export default { plugins: [tickchain({ solidityTests: { root: 'bad', solc } })], test: { include: [] } }`,
  )
  const run = (variables = {}) => project.vitestWith(variables, '--config=bad.config.mjs')
  write('contract BadTest {\n  function test_it() public { x = 3; }\n}')
  expect(run().output).toMatch(/ ❯ bad\/test\/Bad\.t\.sol:3:31\n/)
  const named = project.vitest('--config=bad.config.mjs', '-t', 'test_it')
  expect(named).toMatchObject({ status: 1, output: expect.stringContaining('Undeclared identifier') })
  write('import "nowhere/X.sol";\ncontract BadTest { function test_it() public {} }')
  expect(run().output).toMatch(/it imports nowhere\/X\.sol[^❯]* ❯ bad\/test\/Bad\.t\.sol:2:1\n/)
  write('contract BadTest { function test_it() public {} }', '[profile')
  expect(run().output).toContain('foundry.toml cannot be read')
  write('contract BadTest { function test_it() public {} }', '[profile.default]\nsorc = "src"')
  expect(run()).toMatchObject({
    status: 0,
    output: expect.stringContaining('unknown key profile.default.sorc'),
  })
  write('contract BadTest { function test_it() public {} }', '[profile.default]\nsolc = "0.8.20"')
  expect(run()).toMatchObject({
    status: 1,
    output: expect.stringMatching(/foundry\.toml names 0\.8\.20, and the module is 0\.8\.\d+: npm install/),
  })
  write('contract BadTest { function test_it() public {} }')
  project.write('bad/elsewhere/Bad.t.sol', 'contract ElsewhereTest { function test_it() public {} }')
  expect(run()).toMatchObject({
    status: 1,
    output: expect.stringContaining('none of the folders that foundry.toml'),
  })
  // As in forge, the tests of a library do not run.
  write('contract BadTest { function test_it() public {} }', '[profile.default]\nlibs = ["elsewhere"]')
  expect(run()).toMatchObject({
    status: 0,
    output: expect.stringMatching(/Test Files +1 passed \| 1 skipped/),
  })
  expect(run({ SOLC: 'no-solc' }).output).toMatch(/has no module no-solc, which compiles it/)
})

test('in watch mode, tests run after a deletion, and when what was missing is there', async () => {
  const head = 'pragma solidity ^0.8.20;'
  const one = `${head} contract One { uint256 public value = 1; }`
  const other = `${head} contract OtherTest { function test_other() public {} }`
  const oneTest = (path: string) =>
    `${head} import '${path}'; contract OneTest { function test_one() public { require(new One().value() == 1, 'not one'); } }`
  project.write('watched/src/One.sol', one)
  project.write('watched/test/One.t.sol', oneTest('../src/One.sol'))
  project.write('watched/test/Other.t.sol', other)
  project.write('watched/node_modules/dep/Dep.t.sol', other)
  mkdirSync(join(project.folder, 'app'))
  project.write(
    'watched.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    export default { root: 'app', plugins: [tickchain({ solidityTests: { root: '../watched' } })], test: { include: [] } }`,
  )
  const { outputAfter, stop } = project.watch('--config=watched.config.mjs')
  try {
    expect(await outputAfter(() => {})).toMatch(/Tests +2 passed/)
    const deleted = await outputAfter(() => rmSync(join(project.folder, 'watched/src/One.sol')))
    expect(deleted).toContain('no file src/One.sol')
    // The order of both streams is not known.
    expect(deleted).toMatch(/Test Files +1 failed \(1\)/)
    expect(await outputAfter(() => project.write('watched/src/One.sol', one))).toMatch(
      /Tests +1 passed \(1\)/,
    )
    expect(await outputAfter(() => project.write('watched/test/One.t.sol', oneTest('one/One.sol')))).toMatch(
      /no file one\/One\.sol/,
    )
    expect(await outputAfter(() => project.write('watched/remappings.txt', 'one/=src/'))).toMatch(
      /Tests +2 passed \(2\)/,
    )
    expect(await outputAfter(() => rmSync(join(project.folder, 'watched/remappings.txt')))).toMatch(
      /Test Files +1 failed \| 1 passed \(2\)/,
    )
  } finally {
    await stop()
  }
})

test('in watch mode, a worker is there before a file changes, and each run has its own', async () => {
  const write = () =>
    project.write(
      'ready/ready.test.ts',
      `import { expect, test } from 'vitest'
      test('ready', () => {
        expect(globalThis.used).toBe(undefined)
        globalThis.used = true
        console.log(performance.timeOrigin < ${Date.now()} ? 'was there' : 'is new')
      })`,
    )
  project.write(
    'ready.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    export default { plugins: [tickchain({})], test: { include: ['ready/*.ts'] } }`,
  )
  write()
  const { outputAfter, stop } = project.watch('--config=ready.config.mjs')
  try {
    expect(await outputAfter(() => {})).toMatch(/is new[\s\S]*Tests +1 passed/)
    let output = ''
    // As long as the machine needs to start it.
    for (let wait = 100; wait < 60_000 && !output.includes('was there'); wait *= 2) {
      await setTimeout(wait)
      output = await outputAfter(write)
    }
    expect(output).toMatch(/was there[\s\S]*Tests +1 passed/)
  } finally {
    await stop()
  }
})

test('in watch mode, a worker that waits in another environment is not used', async () => {
  const write = () =>
    project.write(
      'other/other.test.ts',
      `import { test } from 'vitest'
      test('run', ({ expect }) => expect(process.env.RUN).toBe(undefined))`,
    )
  project.write(
    'other.setup.mjs',
    `let run = 0
    export default (project) => project.onTestsRerun(() => { process.env.RUN = 'run ' + (run += 1) })`,
  )
  project.write(
    'other.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    const test = { include: ['other/*.ts'], globalSetup: './other.setup.mjs' }
    export default { plugins: [tickchain({})], test }`,
  )
  write()
  const { outputAfter, stop } = project.watch('--config=other.config.mjs')
  try {
    expect(await outputAfter(() => {})).toMatch(/Tests +1 passed/)
    for (const run of ['run 1', 'run 2']) {
      await setTimeout(500)
      expect(await outputAfter(write)).toContain(`expected '${run}' to be undefined`)
    }
  } finally {
    await stop()
  }
})

test('a cache of modules, as vitest 5 has one, does not hide that a contract has changed', () => {
  const write = (value: number) =>
    project.write(
      'cached/src/One.sol',
      `pragma solidity ^0.8.20; contract One { uint256 public value = ${value}; }`,
    )
  project.write(
    'cached/test/One.t.sol',
    `pragma solidity ^0.8.20; import '../src/One.sol';
    contract OneTest { function test_one() public { require(new One().value() == 1, 'not one'); } }`,
  )
  project.write(
    'cached.config.mjs',
    `import { tickchain } from 'tickchain/vitest-config'
    const test = { include: [], experimental: { fsModuleCache: true, fsModuleCachePath: 'modules' } }
    export default { plugins: [tickchain({ solidityTests: { root: 'cached' } })], test }`,
  )
  const run = () => project.vitest('--config=cached.config.mjs').output
  write(1)
  expect(run()).toMatch(/Tests +1 passed/)
  write(2)
  expect(run()).toContain('Error: not one')
})
