// Syntax trees of libraries, which are asked for once: a test that has changed is explained by those of an earlier compilation.

import solc from 'solc'
import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { compileProject, memoryCache } from '../../../../src/tools/explore/tests/project.ts'
import { readSettings } from '../../../../src/tools/explore/tests/settings.ts'

beforeAll(loadCrypto)

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'

const OWN = ['src/Vault.sol', 'test/Vault.t.sol']

interface Whole {
  readonly input: { readonly settings: { outputSelection: Record<string, Record<string, string[]>> } }
  readonly output: { readonly contracts?: object; readonly sources: Record<string, { ast?: object }> }
}

/** A project whose texts may change, and what its compilations were asked for. */
function project(texts: Record<string, string>) {
  const files = {
    text: (name: string) => texts[name] && HEAD + texts[name],
    folder: () => undefined,
  }
  const cache = memoryCache()
  const inputs: Whole['input'][] = []
  const compiler = {
    version: solc.version,
    compile(input: string) {
      inputs.push(JSON.parse(input))
      return solc.compile(input)
    },
  }
  const { settings } = readSettings("[profile.default]\nremappings = ['base/=lib/base/']\n")
  const compile = () => compileProject(files, cache, settings, [compiler], OWN)
  /** Files whose trees the last compilation was asked for. */
  const asked = () =>
    Object.entries(inputs.at(-1)?.settings.outputSelection ?? {}).flatMap(([name, { '': trees }]) =>
      trees === undefined ? [] : [name],
    )
  /** The compilation of the test, as traces take it, and its sources as solc alone gives them. */
  const explained = () => {
    const wholes = compile().explained() as Whole[]
    const whole = wholes.find(({ output }) => 'test/Vault.t.sol' in (output.contracts ?? {})) as Whole
    const settings = { ...whole.input.settings, outputSelection: { '*': { '': ['ast'] } } }
    const { sources } = JSON.parse(solc.compile(JSON.stringify({ ...whole.input, settings })))
    return { wholes, sources: whole.output.sources, expected: sources }
  }
  return { texts, compile, asked, explained, count: () => inputs.length }
}

const TEXTS = {
  'lib/base/Base.sol': `import './Other.sol'; contract Base is Other { function base() public pure returns (uint256) { return other(); } }`,
  'lib/base/Other.sol': 'contract Other { function other() internal pure returns (uint256) { return 1; } }',
  'src/Vault.sol': 'contract Vault { uint256 public value = 1; }',
  'test/Vault.t.sol': `import 'base/Base.sol'; import '../src/Vault.sol'; contract VaultTest is Base { function test_it() public { new Vault(); } }`,
}

test('trees of libraries are asked for once, and a changed test is explained by the same trees as solc gives', {
  tags: 'gate',
}, () => {
  const { texts, compile, asked, explained, count } = project({ ...TEXTS })
  compile()
  expect(asked()).toEqual(['lib/base/Base.sol', 'lib/base/Other.sol', ...OWN])
  expect(explained().sources).toEqual(explained().expected)
  texts['test/Vault.t.sol'] = TEXTS['test/Vault.t.sol'].replace('new Vault()', 'base(); new Vault()')
  compile()
  expect(count()).toBe(2)
  expect(asked()).toEqual(OWN)
  const { sources, expected, wholes } = explained()
  expect(sources).toEqual(expected)
  expect(wholes).toHaveLength(2)
})

test('a library that changes, or comes in, is asked for with its neighbours', { tags: 'gate' }, () => {
  const { texts, compile, asked, explained } = project({ ...TEXTS })
  compile()
  texts['lib/base/Other.sol'] = TEXTS['lib/base/Other.sol'].replace('return 1', 'uint256 x = 2; return x')
  compile()
  expect(asked()).toEqual(['lib/base/Base.sol', 'lib/base/Other.sol', ...OWN])
  expect(explained().sources).toEqual(explained().expected)
  texts['lib/base/New.sol'] = 'contract New {}'
  texts['test/Vault.t.sol'] = `import 'base/New.sol'; ${TEXTS['test/Vault.t.sol']}`
  compile()
  expect(asked()).toContain('lib/base/Other.sol')
  expect(explained().sources).toEqual(explained().expected)
})

test('a library that imports a source of the project is asked for each time', { tags: 'gate' }, () => {
  const other = `import '../../src/Vault.sol'; ${TEXTS['lib/base/Other.sol'].replace('return 1', 'Vault x; x; return 1')}`
  const { texts, compile, asked, explained } = project({ ...TEXTS, 'lib/base/Other.sol': other })
  compile()
  texts['src/Vault.sol'] = 'contract Vault { uint256 public value = 1; uint256 public second = 2; }'
  compile()
  expect(asked()).toEqual(['lib/base/Base.sol', 'lib/base/Other.sol', ...OWN])
  expect(explained().sources).toEqual(explained().expected)
})
