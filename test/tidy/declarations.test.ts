// The published declarations: they name only packages that a user has installed.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { read } from './repository.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickchain-'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['--emitDeclarationOnly', '--declarationMap', 'false', '--outDir', join(folder, 'dist')]
  await promisify(execFile)(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), ...flags])
}, 60_000)

afterAll(() => rm(folder, { recursive: true }))

const imports = /\b(?:from|import)\s*\(?\s*(['"])(.+?)\1/g

test('name no package but those that users bring', () => {
  const manifest = JSON.parse(read('package.json')) as {
    readonly exports: Record<string, { readonly types?: string }>
    readonly peerDependencies: Record<string, string>
  }
  const entries = Object.values(manifest.exports).flatMap(({ types }) => types ?? [])
  const files = new Set(entries.map((entry) => join(folder, entry)))
  const packages: string[] = []
  for (const file of files) {
    for (const [, , specifier = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
      if (!specifier.startsWith('.')) packages.push(specifier.replace(/^(vitest|hardhat)\/.*/, '$1'))
      else files.add(resolve(dirname(file), specifier.replace(/\.ts$/, '.d.ts')))
    }
  }
  expect(files.size).toBeGreaterThan(entries.length)
  // piscina is loaded, but no type names it.
  const peers = Object.keys(manifest.peerDependencies).filter((name) => name !== 'piscina')
  expect([...new Set(packages)].sort()).toEqual(peers.sort())
})
