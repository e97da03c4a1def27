// docs/dependencies.md and the published list of packages, held to package.json, package-lock.json and the bundle.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBundle } from '../../scripts/bundle.js'
import { contractPackages, VENDORED } from '../../scripts/contract-licenses.js'
import { noticeFor } from '../../scripts/licenses.js'
import { billOfMaterials, SBOM_FILE } from '../../scripts/sbom.js'
import { read } from './repository.ts'

const page = read('docs/dependencies.md')
const manifest = JSON.parse(read('package.json')) as {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly devDependencies: Record<string, string>
  readonly peerDependencies: Record<string, string>
}
interface Locked {
  readonly version?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const locked = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages

let folder = ''
let bundle: Awaited<ReturnType<typeof writeBundle>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickchain-'))
  bundle = await writeBundle(folder)
})
afterAll(() => rm(folder, { recursive: true }))

/** The package of a module, by its path. */
function packageOf(moduleId: string): string | undefined {
  return /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(moduleId)?.[1]?.replace('\\', '/')
}

/** What the modules of each package are in the bundle, in bytes. */
function bytesByPackage(): Map<string, number> {
  const bytes = new Map<string, number>()
  for (const [id, { renderedLength }] of bundle.chunks.flatMap(({ modules }) => Object.entries(modules))) {
    const name = packageOf(id)
    if (name !== undefined) bytes.set(name, (bytes.get(name) ?? 0) + renderedLength)
  }
  return bytes
}

/** The rows of the table under a heading, as cells. */
function rowsUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [body = ''] = section.split('\n## ')
  const rows = body.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1).map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
}

const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

// npm leaves out those that a registry did not have, and then refuses to install from the lockfile.
test('the lockfile has the optional dependencies of each package', () => {
  const paths = Object.keys(locked)
  const missing = Object.values(locked).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).filter(
      (name) => !paths.some((at) => at.endsWith(`node_modules/${name}`)),
    ),
  )
  expect(missing).toEqual([])
})

test('the page lists what is in the bundle, and its size', () => {
  const rows = rowsUnder('In the bundle')
  const actual = bytesByPackage()
  expect(rows.map(([name]) => namesIn(name)[0]).sort()).toEqual([...actual.keys()].sort())
  for (const [name = '', size] of rows) {
    const kilobytes = (actual.get(namesIn(name)[0] as string) ?? 0) / 1000
    expect(Math.abs(Number(size) - kilobytes), `${name} has ${kilobytes} kB`).toBeLessThan(1 + kilobytes / 20)
  }
})

test('the page says in which file of the bundle a package is', () => {
  for (const [name = '', , where = ''] of rowsUnder('In the bundle')) {
    const files = bundle.chunks
      .filter(({ moduleIds }) => moduleIds.some((id) => packageOf(id) === namesIn(name)[0]))
      .map(({ fileName }) => fileName)
    expect(namesIn(where).sort(), name).toEqual(files.sort())
  }
})

test('every package of package.json is either in the bundle or in tests and tools alone', () => {
  const inBundle = new Set(rowsUnder('In the bundle').flatMap(([name]) => namesIn(name)))
  const inTests = rowsUnder('In tests and tools alone').flatMap(([names]) => namesIn(names))
  expect(new Set(inTests).size).toBe(inTests.length)
  const outside = Object.keys(manifest.devDependencies).filter((name) => !inBundle.has(name))
  expect(inTests.sort()).toEqual(outside.sort())
  for (const peer of Object.keys(manifest.peerDependencies)) expect(inTests).toContain(peer)
})

test('the page lists the packages whose contracts are in the bundle, and what else those hold', () => {
  const rows = rowsUnder('Contracts in the bundle')
  const listed = rows.map(
    ([name = '', version = '', license = '']) => `${namesIn(name)[0] ?? name} ${version} ${license}`,
  )
  const actual = [...contractPackages(), ...VENDORED]
  expect(listed.sort()).toEqual(
    actual.map(({ name, version, license }) => `${name} ${version} ${license}`).sort(),
  )
})

test('the notice has the licences of contracts, each text once', () => {
  const notice = noticeFor([...contractPackages(), ...VENDORED])
  expect(notice.match(/GNU GENERAL PUBLIC LICENSE\n/g)).toHaveLength(1)
  expect(notice).toContain(
    'EntryPoint and SenderCreator (account-abstraction) 0.6.0\n  Licence: GPL-3.0-only',
  )
  expect(notice).toContain('https://www.npmjs.com/package/@eth-optimism/contracts-bedrock/v/0.17.3')
  expect(notice).not.toContain('package/Permit2')
})

interface Bill {
  readonly metadata: { readonly component: { readonly purl: string }; readonly timestamp?: string }
  readonly serialNumber?: string
  readonly components: readonly {
    readonly group?: string
    readonly name: string
    readonly version: string
    readonly purl: string
  }[]
}

const readBill = (): Promise<string> => readFile(join(folder, SBOM_FILE), 'utf8')

test('the published list has the packages in the bundle, at the versions of the lockfile', async () => {
  const bill = JSON.parse(await readBill()) as Bill
  const listed = bill.components.map(({ group, name, version, purl }) => {
    const full = group === undefined ? name : `${group}/${name}`
    expect(purl).toBe(`pkg:npm/${full.replace('@', '%40')}@${version}`)
    return `${full}@${version}`
  })
  const names = [...bytesByPackage().keys()]
  const expected = names.map((name) => `${name}@${locked[`node_modules/${name}`]?.version}`)
  const hasContracts = bundle.chunks.some(({ moduleIds }) =>
    moduleIds.some((id) => id.endsWith('generated-l2.ts')),
  )
  const contracts = hasContracts ? contractPackages().map(({ name, version }) => `${name}@${version}`) : []
  expect(listed.sort()).toEqual([...expected, ...contracts].sort())
  expect(bill.metadata.component.purl).toBe(`pkg:npm/${manifest.name}@${manifest.version}`)
})

test('the published list is valid CycloneDX 1.6', async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
  expect(await validator.validate(await readBill())).toBe(null)
  expect(await validator.validate((await readBill()).replace('"required"', '"perhaps"'))).not.toBe(null)
})

test('the published list is the same for the same bundle', async () => {
  const text = await readBill()
  const { serialNumber, metadata } = JSON.parse(text) as Bill
  expect([serialNumber, metadata.timestamp]).toEqual([undefined, undefined])
  expect(billOfMaterials(manifest, [...bundle.packages].reverse())).toBe(text)
})

test('a package that the lockfile does not have is not listed', () => {
  const [first] = bundle.packages
  if (first === undefined) throw new Error('nothing is bundled')
  expect(() => billOfMaterials(manifest, [{ ...first, version: '0.0.0' }])).toThrow(
    /package-lock\.json has no /,
  )
})
