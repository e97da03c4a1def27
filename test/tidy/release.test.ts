// What carries the library on: the workflows, the release, and what people are asked for.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { notesOf, releaseChangelog } from '../../scripts/release/changelog.js'
import { VERSIONS } from '../node-versions.ts'
import { exists, read, repositoryFiles } from './repository.ts'

const workflows = repositoryFiles.filter((path) => /^\.github\/workflows\/.*\.yml$/.test(path))

describe('workflows', () => {
  test('run .ci/run on every supported line of Node, and npm test on every system', () => {
    const ci = read('.github/workflows/ci.yml')
    const [, nodes = ''] = /^ +node: \[(.*)\]$/m.exec(ci) ?? []
    expect(nodes.match(/\d+/g)?.filter((part) => Number(part) >= 20)).toEqual(
      VERSIONS.map((version) => version.split('.')[0]),
    )
    const [, systems = ''] = /^ +os: \[(.*)\]$/m.exec(ci) ?? []
    expect(systems.match(/[a-z]+/g)).toEqual(['ubuntu', 'macos', 'windows'])
    expect(ci).toContain('- run: .ci/run\n')
    expect(ci).toContain('- run: npm test\n')
  })

  test('use actions at a commit, and say of which version it is', () => {
    expect(workflows.length).toBeGreaterThan(1)
    const used = workflows.flatMap((path) => read(path).match(/uses: .*/g) ?? [])
    expect(used.length).toBeGreaterThan(1)
    expect(used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
      [],
    )
  })

  test('give no more rights than a job needs', () => {
    for (const path of workflows) expect(read(path), path).toMatch(/^permissions:\n {2}contents: read\n\n/m)
    expect(workflows.filter((path) => /: write$/m.test(read(path)))).toEqual([
      '.github/workflows/release.yml',
    ])
  })

  test('publish what passed .ci/run, with provenance and the list of packages', () => {
    const steps = read('.github/workflows/release.yml')
    const order = ['.ci/run', 'npm pack', 'npm publish', 'gh release create', 'sbom.cdx.json']
    expect(
      order.map((step) => steps.indexOf(step)).every((at, index, all) => at > (all[index - 1] ?? 0)),
    ).toBe(true)
    expect(steps).toMatch(/npm publish .*--provenance/)
  })
})

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- A method.

## [0.1.0] - 2026-01-02

- The first one.
`

describe('a release', () => {
  test('is what was unreleased', () => {
    const released = releaseChangelog(CHANGELOG, '0.2.0', '0.1.0', '2026-11-23')
    expect(released).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-11-23\n\n### Added\n\n- A method.\n')
    expect(notesOf(released, '0.2.0')).toBe('### Added\n\n- A method.')
    expect(notesOf(released, '0.1.0')).toBe('- The first one.')
    expect(() => releaseChangelog(released, '0.3.0', '0.2.0', '2026-11-24')).toThrow(
      'nothing under Unreleased',
    )
  })

  test.each([
    ['0.1.0', 'has been released'],
    ['0.0.9', 'comes before 0.1.0'],
    ['v0.2.0', 'three numbers'],
    ['0.2', 'three numbers'],
  ])('is no %s: %s', (version, words) => {
    expect(() => releaseChangelog(CHANGELOG, version, '0.1.0', '2026-11-23')).toThrow(words)
  })

  test('has a changelog now', () => {
    const { version } = JSON.parse(read('package.json'))
    expect(releaseChangelog(read('CHANGELOG.md'), '999.0.0', version, '2026-11-23')).toContain('## [999.0.0]')
  })

  test('has its version in all places', () => {
    const { version } = JSON.parse(read('package.json'))
    const { version: locked, packages } = JSON.parse(read('package-lock.json'))
    expect([locked, packages[''].version]).toEqual([version, version])
    expect(read('src/core/rpc/transaction-outcome.ts')).toContain(`VERSION = '${version}'`)
    expect(read('docs/rpc.md')).toContain(`"anvil/tickchain/v${version}"`)
  })
})

test('who reports something is asked for a snippet, and where a vulnerability goes', () => {
  for (const name of ['bug', 'missing'])
    expect(read(`.github/ISSUE_TEMPLATE/${name}.yml`)).toMatch(
      / {4}id: snippet\n[\s\S]*?validations:\n {6}required: true/,
    )
  expect(read('.github/ISSUE_TEMPLATE/config.yml')).toContain('/security/advisories/new')
  expect(exists('SECURITY.md')).toBe(true)
})

/** What `npm test` runs on every system. */
test('npm test needs no shell: no variable, no path and no command that Windows has not', () => {
  const { scripts } = JSON.parse(read('package.json'))
  for (const [name, script] of Object.entries<string>(scripts))
    for (const command of script.split(' && '))
      expect(command, name).toMatch(
        /^(?:node|npm run|vitest|tsc|biome|knip|publint|attw|vitepress) ?[\w .:/@=!-]*$/,
      )
})

test('files have the line ends of the repository on every system', () => {
  const files = ['src/index.ts', 'README.md', 'test/tidy/release.test.ts']
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const said = execFileSync('git', ['check-attr', 'eol', ...files], { cwd: root, encoding: 'utf8' })
  expect(said.match(/eol: lf/g)).toHaveLength(files.length)
})
