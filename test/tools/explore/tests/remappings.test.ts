// The remappings of projects by their files, as `forge remappings` of forge 1.7.1 prints them.

import { expect, test } from 'vitest'
import { remappingsOf } from '../../../../src/tools/explore/tests/remappings.ts'
import { readSettings } from '../../../../src/tools/explore/tests/settings.ts'

const TOML = '[profile.default]'

function remappingsFrom(given: Readonly<Record<string, string>>): string[] {
  const texts: Record<string, string> = { 'foundry.toml': TOML, ...given }
  const paths = Object.keys(texts)
  const files = {
    text: (path: string) => texts[path],
    folder(path: string) {
      const inside = paths
        .filter((each) => each.startsWith(`${path}/`))
        .map((each) => each.slice(path.length + 1).split('/'))
      if (inside.length === 0) return undefined
      const folders = new Set(inside.filter(({ length }) => length > 1).map(([name = '']) => name))
      const hasSources = inside.some(([name = '', ...rest]) => rest.length === 0 && name.endsWith('.sol'))
      return { folders: [...folders].sort(), hasSources }
    },
  }
  const names = paths.filter((path) => path.startsWith('src/'))
  return remappingsOf(files, readSettings(texts['foundry.toml']).settings, names)
}

test('libraries of libraries', () => {
  const files = {
    'lib/forge-std/src/Test.sol': '',
    'lib/forge-std/foundry.toml': TOML,
    'lib/forge-std/lib/ds-test/src/test.sol': '',
    'lib/forge-std/lib/ds-test/demo/demo.sol': '',
  }
  expect(remappingsFrom(files)).toEqual([
    'ds-test/=lib/forge-std/lib/ds-test/src/',
    'forge-std/=lib/forge-std/src/',
  ])
})

test('a library whose sources are in contracts, and what it has written', () => {
  const files = {
    'lib/openzeppelin-contracts/contracts/token/ERC20.sol': '',
    'lib/openzeppelin-contracts/contracts/access/Ownable.sol': '',
    'lib/openzeppelin-contracts/test/A.t.sol': '',
    'lib/openzeppelin-contracts/foundry.toml': "[profile.default]\nsrc = 'contracts'",
    'lib/openzeppelin-contracts/remappings.txt': '@openzeppelin/contracts/=contracts/',
    'lib/openzeppelin-contracts/lib/erc4626-tests/ERC4626.test.sol': '',
    'lib/openzeppelin-contracts/lib/forge-std/src/Test.sol': '',
    'lib/forge-std/src/Test.sol': '',
  }
  expect(remappingsFrom(files)).toEqual([
    '@openzeppelin/contracts/=lib/openzeppelin-contracts/contracts/',
    'erc4626-tests/=lib/openzeppelin-contracts/lib/erc4626-tests/',
    'forge-std/=lib/forge-std/src/',
    'openzeppelin-contracts/=lib/openzeppelin-contracts/contracts/',
  ])
})

test('the nearest of libraries with a name, and libraries without a folder of sources', () => {
  const files = {
    'lib/ds-token/src/Token.sol': '',
    'lib/ds-token/lib/ds-test/src/test.sol': '',
    'lib/ds-token/lib/ds-stop/src/stop.sol': '',
    'lib/ds-token/lib/ds-stop/lib/ds-test/src/test.sol': '',
    'lib/ds-token/lib/ds-stop/lib/ds-note/src/note.sol': '',
    'lib/flat/A.sol': '',
    'lib/two/auth/contracts/A.sol': '',
    'lib/two/tokens/contracts/B.sol': '',
  }
  expect(remappingsFrom(files)).toEqual([
    'ds-note/=lib/ds-token/lib/ds-stop/lib/ds-note/src/',
    'ds-stop/=lib/ds-token/lib/ds-stop/src/',
    'ds-test/=lib/ds-token/lib/ds-test/src/',
    'ds-token/=lib/ds-token/src/',
    'flat/=lib/flat/',
    'two/=lib/two/',
  ])
})

test('what is written: in remappings.txt first, then in foundry.toml, then by libraries', () => {
  const files = {
    'foundry.toml': "[profile.default]\nremappings = ['dep/=lib/dep/', '@a/b/=lib/b/']",
    'remappings.txt': 'dep/=lib/other/',
    'lib/dep/src/A.sol': '',
    'lib/other/A.sol': '',
    'lib/b/sources/B.sol': '',
    'lib/b/foundry.toml': "[profile.default]\nsrc = 'sources'\nremappings = ['@a/b/c/=lib/c/', '@a/=lib/a/']",
  }
  expect(remappingsFrom(files)).toEqual(['@a/b/=lib/b/', 'b/=lib/b/', 'dep/=lib/other/', 'other/=lib/other/'])
})

test('folders are given their slashes, and files are not', () => {
  const written = 'a/=lib/aa\nb=lib/bb\nd.sol=src/D.sol\n@e/x=lib/bb/src/'
  const toml = "[profile.default]\nremappings = ['g/=lib/aa', 'h=lib/bb/src']"
  expect(remappingsFrom({ 'remappings.txt': written, 'foundry.toml': toml })).toEqual([
    '@e/x/=lib/bb/src/',
    'a/=lib/aa/',
    'b/=lib/bb/',
    'd.sol=src/D.sol',
    'g/=lib/aa/',
    'h/=lib/bb/src/',
  ])
})

// Node finds packages so, which npm keeps in the outermost folder of a workspace.
test('packages of npm, in the project or in a folder around it', () => {
  const files = {
    'src/A.sol': "import '@near/a.sol';\nimport '@far/b.sol';\nimport '@none/c.sol';",
    'node_modules/@near/a.sol': '',
    '../node_modules/@near/a.sol': '',
    '../../node_modules/@far/b.sol': '',
  }
  expect(remappingsFrom(files)).toEqual(['@far/=../../node_modules/@far/', '@near/=node_modules/@near/'])
})
