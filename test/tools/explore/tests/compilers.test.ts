// Compilers that a project names: older ones than the newest.

import solc from 'solc'
import { describe, expect, test } from 'vitest'
import { isAllowed } from '../../../../src/tools/explore/tests/compilers.ts'
import { readSettings, withInline } from '../../../../src/tools/explore/tests/settings.ts'
import { collectSources, compileSources } from '../../../../src/tools/explore/tests/sources.ts'

// What forge 1.7.1 prints for `forge config --json`.
test.each([
  [`solc = '0.8.30'`, 'osaka'],
  [`solc = '0.8.29'`, 'osaka'],
  [`solc = '0.8.28'`, 'prague'],
  [`solc = '0.8.24'`, 'cancun'],
  [`solc = '0.8.23'`, 'shanghai'],
  [`solc = '0.8.19'`, 'paris'],
  [`solc = '0.8.15'`, 'london'],
  [`solc_version = '0.8.15'`, 'london'],
  [`solc = '0.8.15'\nevm_version = 'cancun'`, 'london'],
  [`solc = '0.8.20'\nevm_version = 'paris'`, 'paris'],
  [`solc = '0.8.6'`, 'berlin'],
  [`solc = '0.7.6'`, 'istanbul'],
  [`solc = '^0.8.15'`, 'osaka'],
  ['', 'osaka'],
])('with %j tests are executed by %s', (lines, evmVersion) => {
  expect(readSettings(`[profile.default]\n${lines}\n`).settings.evm_version).toBe(evmVersion)
})

test('a compiler is told only what is not its default, since older ones refuse keys that they do not know', () => {
  const told = (lines: string) => {
    const { settings } = readSettings(`[profile.default]\n${lines}\n`)
    const set = collectSources(['A.sol'], [], () => 'contract A {}')
    const given: { readonly settings: object }[] = []
    const compile = (input: string): string => {
      given.push(JSON.parse(input))
      return '{}'
    }
    compileSources({ compile, version: () => '0.8.15' }, set, ['A.sol'], settings, [])
    return given[0]?.settings
  }
  // `appendCBOR` is of 0.8.18, `viaIR` of 0.8.13, `bytecodeHash` of 0.6.0 (the compiler's list of changes).
  expect(told('')).toMatchObject({ evmVersion: 'london' })
  expect(told('')).toHaveProperty('metadata', {})
  expect(told('')).not.toHaveProperty('viaIR')
  const others = `via_ir = true\nbytecode_hash = 'none'\ncbor_metadata = false`
  expect(told(others)).toMatchObject({ viaIR: true, metadata: { bytecodeHash: 'none', appendCBOR: false } })
})

test('numbers may be as large as those of TOML', () => {
  const lines = 'gas_limit = 9223372036854775807\n[fuzz]\nseed = 9007199254740993\n[invariant]\nruns = 0x10'
  const { settings, problems } = readSettings(`[profile.default]\n${lines}`)
  expect(problems).toEqual([])
  expect(settings.gas_limit).toBe('9223372036854775807')
  expect([settings.fuzz.seed, settings.invariant.runs]).toEqual(['9007199254740993', 16])
})

describe('long sources', () => {
  const source =
    '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20; contract A { uint256 public x = 3; }'
  const codeWith = (filling: string, compiler: Pick<typeof solc, 'compile' | 'version'> = solc) => {
    const files = ['A.sol', 'B.sol']
    const content = (name: string) => (name === 'A.sol' ? source : `${source.replace('A', 'B')}//${filling}`)
    const set = collectSources(files, [], (name) => (files.includes(name) ? content(name) : undefined))
    const { output, failures } = compileSources(compiler, set, files, readSettings('').settings, [])
    expect([...failures]).toEqual([])
    return (output as { contracts: Record<string, unknown> }).contracts['A.sol']
  }

  test('compile to the same code, also those that the stack of solc does not hold', { tags: 'gate' }, () => {
    expect(codeWith(' '.repeat(1_400_000))).toEqual(codeWith(''))
  })

  test('compile by a function that takes nothing but the input', { tags: 'gate' }, () => {
    const around = { version: solc.version, compile: (input: string) => solc.compile(input) }
    expect(codeWith(' '.repeat(1_100_000), around)).toEqual(codeWith(''))
  })
})

test.each([
  ['default', 'default.fuzz.runs = 7', 7],
  ['default', 'x.fuzz.runs = 11', 5],
  ['x', 'default.fuzz.runs = 7', 7],
  ['x', 'x.fuzz.runs = 11, default.fuzz.runs = 7', 11],
  ['y', 'default.fuzz.runs = 7', 7],
  ['y', 'x.fuzz.runs = 11', 9],
])('under profile %s, forge 1.7.1 makes as many runs for: %s', (profile, lines, runs) => {
  const toml = '[profile.default.fuzz]\nruns = 5\n[profile.x]\n[profile.y.fuzz]\nruns = 9\n'
  const { settings } = readSettings(toml, profile)
  expect(withInline(settings, lines.split(', '), profile).settings.fuzz.runs).toBe(runs)
})

test('a line of a profile that is not there is refused, in the words of forge 1.7.1', () => {
  const { settings } = readSettings('[profile.ci]\n')
  expect(withInline(settings, ['other.fuzz.runs = 3']).problems).toEqual([
    { key: 'fuzz.runs', reason: 'invalid profile `other.fuzz.runs = 3`; valid profiles: ci, default' },
  ])
})

const VERSIONS = ['0.6.12', '0.7.6', '0.8.9', '0.8.20', '0.8.24', '0.8.28']
const SINCE_8 = '0.8.9 0.8.20 0.8.24 0.8.28'
const SINCE_20 = '0.8.20 0.8.24 0.8.28'

// Each version of solc was asked: it compiles a file with the pragma, or says that it needs another compiler.
test.each([
  [SINCE_8, '^0.8 | ~0.8 | 0.8 | =0.8 | >=0.8 | >0.7 | ^0.8.0 | >=0.8.0 <0.9.0 | 0.8.* | 0.8.x | 0.8.X'],
  [SINCE_20, '^0.8.20 | ~0.8.20 | >=0.8.20 | >=0.8.9 ^0.8.20'],
  [VERSIONS.join(' '), '* | 0 | ^0 | ~0 | <=0.8 | >=0.4.22 <0.9.0'],
  ['0.8.20', '0.8.20 | =0.8.20 | 0.8.20 0.8.20 | "0.8.20"'],
  ['0.8.24 0.8.28', '>0.8.20'],
  ['0.6.12 0.7.6 0.8.9', '<0.8.20'],
  ['0.6.12 0.7.6 0.8.9 0.8.20', '<=0.8.20'],
  ['0.6.12 0.7.6', '<0.8'],
  ['0.7.6 0.8.9', '>=0.7.6 <0.8.20 | >=0.7.6<0.8.20 | >= 0.7.6 < 0.8.20 | 0.7 - 0.8.9'],
  ['0.7.6', '~0.7 | ^0.7.6'],
  ['0.8.20 0.8.24', '0.8.20 - 0.8.24'],
  ['', '1.0 | ^1.0.0'],
])('solc %s is allowed by %s', (versions, pragmas) => {
  for (const pragma of pragmas.split(' | '))
    expect([pragma, VERSIONS.filter((each) => isAllowed(pragma, each)).join(' ')]).toEqual([pragma, versions])
})

test.each([
  ['0.7.6 || 0.8.20', '0.7.6 0.8.20'],
  ['0.8.20||0.8.24', '0.8.20 0.8.24'],
  ['^0.7.0 || >=0.8.24', '0.7.6 0.8.24 0.8.28'],
  ['>=0.5.0 <0.7.0 || 0.8.9 - 0.8.20', '0.6.12 0.8.9 0.8.20'],
])('alternatives: %s allows solc %s', (pragma, versions) => {
  expect(VERSIONS.filter((each) => isAllowed(pragma, each)).join(' ')).toBe(versions)
})
