// @ts-check
// npm run release -- VERSION
// Makes a release: writes the version where it stands, runs .ci/run and the long tests, commits, and pushes the commit
// with its tag. The workflow .github/workflows/release.yml then publishes that commit to npm, with provenance and the list
// of packages.
//
//   node scripts/release.js --notes TAG   what the changelog says of a tag, which must be the version of package.json

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { notesOf, releaseChangelog } from './release/changelog.js'

const BRANCH = 'main'
const root = new URL('../', import.meta.url)

const read = (/** @type {string} */ path) => readFileSync(new URL(path, root), 'utf8')
const run = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
  execFileSync(command, args, { cwd: root, stdio: 'inherit' })
const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** The files in which the version stands, with what is before it there. @type {readonly [path: string, before: string][]} */
const PLACES = [
  ['package.json', '"version": "'],
  ['package-lock.json', '"name": "tickchain",\n  "version": "'],
  ['package-lock.json', '"name": "tickchain",\n      "version": "'],
  ['src/core/rpc/transaction-outcome.ts', `VERSION = '`],
  ['docs/rpc.md', '"anvil/tickchain/v'],
]

/** @param {string} current @param {string} version */
function writeVersion(current, version) {
  for (const [path, before] of PLACES) {
    const text = read(path)
    if (!text.includes(before + current)) throw new Error(`${path} does not have the version ${current}`)
    writeFileSync(new URL(path, root), text.replaceAll(before + current, before + version))
  }
}

/** @param {string} version */
function release(version) {
  if (git('branch', '--show-current') !== BRANCH) throw new Error(`a release is made on the branch ${BRANCH}`)
  if (git('status', '--porcelain') !== '') throw new Error('there are changes that are not committed')
  const { version: current } = JSON.parse(read('package.json'))
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(new URL('CHANGELOG.md', root), releaseChangelog(read('CHANGELOG.md'), version, current, date))
  writeVersion(current, version)
  run('.ci/run')
  run('npm', 'run', 'test:long')
  run('git', 'commit', '--all', '--message', `Release ${version}`)
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`)
  run('git', 'push', '--atomic', 'origin', BRANCH, `v${version}`)
}

/** @param {string} tag */
function printNotes(tag) {
  const { version } = JSON.parse(read('package.json'))
  if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, and package.json has ${version}`)
  console.log(notesOf(read('CHANGELOG.md'), version))
}

const [first, second] = process.argv.slice(2)
if (first === '--notes' && second !== undefined) printNotes(second)
else if (first !== undefined && second === undefined) release(first)
else throw new Error('usage: npm run release -- VERSION')
