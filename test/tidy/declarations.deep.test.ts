// The published declarations: they name only packages that a user has installed, and each kind of module its own.

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishedEntries } from '../../scripts/bundle.js'
import { writeDeclarations } from '../../scripts/declarations.js'
import { read } from './repository.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickchain-'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['--emitDeclarationOnly', '--outDir', join(folder, 'dist')]
  await promisify(execFile)(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), ...flags])
  const { entries, required } = await publishedEntries()
  writeDeclarations(join(folder, 'dist'), join(folder, 'dist/types'), entries, required)
})

afterAll(() => rm(folder, { recursive: true }))

const imports = /\b(?:from|import)\s*\(?\s*(['"])(.+?)\1/g

interface Manifest {
  readonly exports: Record<string, { readonly types?: string; readonly require?: { readonly types: string } }>
  readonly peerDependencies: Record<string, string>
}
const manifest: Manifest = JSON.parse(read('package.json'))

/** The files that entries reach, as they name each other, and the packages that these name. */
function reachedFrom(entries: readonly string[]): { readonly files: string[]; readonly packages: string[] } {
  const files = new Set(entries.map((entry) => join(folder, entry)))
  const packages: string[] = []
  for (const file of files) {
    for (const [, , specifier = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
      if (!specifier.startsWith('.')) packages.push(specifier.replace(/^(vitest|hardhat)\/.*/, '$1'))
      else files.add(resolve(dirname(file), specifier.replace(/\.(c?ts)$/, '.d.$1')))
    }
  }
  return { files: [...files], packages: [...new Set(packages)].sort() }
}

test('name no package but those that users bring', () => {
  const entries = Object.values(manifest.exports).flatMap(({ types }) => types ?? [])
  const { files, packages } = reachedFrom(entries)
  expect(files.length).toBeGreaterThan(entries.length)
  // piscina is loaded, but no type names it.
  expect(packages).toEqual(
    Object.keys(manifest.peerDependencies)
      .filter((name) => name !== 'piscina')
      .sort(),
  )
})

test('are there as CommonJS for what is required, and reach only such', () => {
  const required = Object.values(manifest.exports).flatMap(({ require }) => require?.types ?? [])
  const { files, packages } = reachedFrom(required)
  expect(files.length).toBeGreaterThan(required.length)
  expect(files.filter((file) => !file.endsWith('.d.cts'))).toEqual([])
  expect(packages).toEqual(['ethers', 'fast-check', 'viem'])
})

/** Of the folder: one declaration for each module that an entry reaches, twice. */
const BUDGET = { files: 580, megabytes: 1.5 }

test(`nothing else is published, in up to ${BUDGET.files} files of ${BUDGET.megabytes} MB`, () => {
  const all = Object.values(manifest.exports).flatMap(({ types, require }) => [
    types ?? [],
    require?.types ?? [],
  ])
  const { files } = reachedFrom(all.flat())
  const published = readdirSync(join(folder, 'dist/types'), { recursive: true, withFileTypes: true })
  const names = published.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  expect(names.sort()).toEqual(files.sort())
  expect(names.length).toBeLessThanOrEqual(BUDGET.files)
  expect(names.reduce((sum, name) => sum + statSync(name).size, 0) / 1e6).toBeLessThanOrEqual(
    BUDGET.megabytes,
  )
})

test('the package is these, the bundle, and what npm always packs', () => {
  expect(JSON.parse(read('package.json')).files).toEqual(['dist/bundle', 'dist/types'])
})
