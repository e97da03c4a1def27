// forge, installed from npm, says of the sources beside this file what is recorded. `RECORD=1` writes it.

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { peersFolder } from '../../../../../benchmarks/comparison/peers.js'
import { forgeProject } from '../../../../../benchmarks/explore/forge.js'
import { FILES, RECORDING, type Recorded, readRecorded, STATEMENTS, withoutAmounts } from './sources.ts'

const isAvailable = process.platform === 'linux' && process.arch === 'x64'

const folder = mkdtempSync(join(tmpdir(), 'forge-'))
afterAll(() => rmSync(folder, { recursive: true }))

function prepare(): void {
  const compiler = fileURLToPath(new URL('../../../../../benchmarks/explore/solc.js', import.meta.url))
  const solc = join(folder, 'solc')
  writeFileSync(solc, `#!/bin/sh\nexec '${process.execPath}' '${compiler}' "$@"\n`)
  chmodSync(solc, 0o755)
  mkdirSync(join(folder, 'test'))
  for (const file of FILES) copyFileSync(new URL(file, import.meta.url), join(folder, 'test', file))
  const profile = [`offline = true`, `solc = '${solc}'`, `evm_version = 'cancun'`, 'optimizer = false']
  const invariant = ['runs = 50', 'depth = 50', 'shrink_run_limit = 0']
  const sections = ['[profile.default]', ...profile, '[invariant]', ...invariant]
  writeFileSync(join(folder, 'foundry.toml'), `${sections.join('\n')}\n`)
}

interface Verdict {
  readonly status: 'Success' | 'Failure'
  readonly reason: string | null
}

/** What forge says of each contract. */
function verdictsOf(failsOnRevert: boolean): Map<string, readonly (readonly [string, Verdict])[]> {
  const { resolve } = createRequire(new URL('package.json', peersFolder))
  const forge = resolve('@foundry-rs/forge-linux-amd64/bin/forge')
  rmSync(join(folder, 'cache/invariant'), { recursive: true, force: true })
  const said = join(folder, 'said.json')
  // It fails when a test does.
  const line = `'${forge}' test --json --threads 1 --fuzz-seed 1 > '${said}' || true`
  const settings = {
    FOUNDRY_INVARIANT_FAIL_ON_REVERT: `${failsOnRevert}`,
    FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
  }
  execFileSync('sh', ['-c', line], { cwd: folder, env: { ...process.env, ...settings }, stdio: 'pipe' })
  const results = readFileSync(said, 'utf8')
    .split('\n')
    .find((each) => each.startsWith('{"test/'))
  const suites: Record<string, { readonly test_results: Record<string, Verdict> }> = JSON.parse(results ?? '')
  return new Map(
    Object.entries(suites).map(([name, suite]) => [
      `${name.split(':')[1]}`,
      Object.entries(suite.test_results),
    ]),
  )
}

function reasonsOf(verdicts: readonly (readonly [string, Verdict])[] | undefined): string[] {
  const reasons = (verdicts ?? []).flatMap(([, { status, reason }]) =>
    status === 'Success' ? [] : withoutAmounts(`${reason}`.replace(/^failed to set up [a-z ]*: /, '')),
  )
  return reasons.sort()
}

// The package has an executable for Linux on x64 only.
describe.runIf(isAvailable)('forge', () => {
  test('says what is recorded', () => {
    prepare()
    const [plain, strict] = [verdictsOf(false), verdictsOf(true)]
    const contracts: readonly string[] = STATEMENTS
    const tests = [...plain.keys()].filter((name) => !contracts.includes(name)).sort()
    const statements = STATEMENTS.flatMap((name) => plain.get(name) ?? [])
    const recorded: Recorded = {
      statements: Object.fromEntries(
        statements.map(([name, { status, reason }]) => [
          name.replace('()', ''),
          status === 'Success' ? null : `${reason}`,
        ]),
      ),
      tests: Object.fromEntries(
        tests.map((name) => [
          name,
          { plain: reasonsOf(plain.get(name)), strict: reasonsOf(strict.get(name)) },
        ]),
      ),
    }
    if (process.env['RECORD'] !== undefined) {
      writeFileSync(RECORDING, `${JSON.stringify(recorded, undefined, 2)}\n`)
    }
    expect(statements.length).toBeGreaterThan(20)
    expect(recorded).toEqual(readRecorded())
  })

  // What its first run leaves in its cache it replays in the next one, and tells as no new failure.
  test('is asked afresh for each result of the benchmark', async () => {
    const project = await forgeProject(`
      pragma solidity ^0.8.19;
      contract Door {
        bool public isOpen;
        function open() external { isOpen = true; }
      }
      contract DoorTest {
        Door door = new Door();
        function targetContracts() external view returns (address[] memory list) { list = new address[](1); list[0] = address(door); }
        function invariant_closed() external view { require(!door.isOpen()); }
        function invariant_there() external view { require(address(door).code.length > 0); }
      }
    `)
    const { found } = await project.find('DoorTest', 1, 0.5).finally(project.remove)
    expect([...found]).toEqual(['invariant_closed()'])
  })
})
