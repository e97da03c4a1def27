// @ts-check
// Licence texts of the bundled packages, with their names and the addresses of their sources.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contractPackages, VENDORED } from './contract-licenses.js'

/** A bundled package.
 * @typedef {object} Bundled
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression
 * @property {string} repository where its source is kept
 * @property {string} text of the licence, as the package has it
 */

/** The web address of a repository. @param {string | { url: string }} repository */
function addressOf(repository) {
  const url = typeof repository === 'string' ? repository : repository.url
  return url
    .replace(/^github:/, 'https://github.com/')
    .replace(/^(?:git\+|git:)(?:https:)?\/\//, 'https://')
    .replace(/\.git$/, '')
}

/** Texts of packages that do not bring theirs along, from their repositories. */
const OWN_TEXTS = fileURLToPath(new URL('licenses/', import.meta.url))

/** The file with the licence of a package. @param {string} folder of the package @param {string} name */
function licenceOf(folder, name) {
  const [file, ...others] = readdirSync(folder).filter((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry))
  if (file !== undefined && others.length === 0) return join(folder, file)
  const own = join(OWN_TEXTS, `${name}.txt`)
  if (file !== undefined || !existsSync(own)) throw new Error(`${folder} has no one text of its licence`)
  return own
}

/** @param {string} folder of the package @returns {Bundled} */
function readPackage(folder) {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const text = readFileSync(licenceOf(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()
  return { name, version, license, repository: addressOf(repository), text }
}

/** Whether modules hold code of contracts. @param {readonly string[]} moduleIds paths */
function holdContracts(moduleIds) {
  return moduleIds.some((id) => /[\\/]generated-l[12]\.ts$/.test(id))
}

/** What the packages of contracts hold of others. @param {readonly string[]} moduleIds paths */
export function vendoredIn(moduleIds) {
  return holdContracts(moduleIds) ? VENDORED : []
}

/** The packages of modules, by name and version. @param {readonly string[]} moduleIds paths */
export function packagesOf(moduleIds) {
  const folders = moduleIds.flatMap(
    (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [],
  )
  const contracts = holdContracts(moduleIds) ? contractPackages() : []
  const packages = [...[...new Set(folders)].map(readPackage), ...contracts]
  const byName = new Map(packages.map((bundled) => [`${bundled.name}@${bundled.version}`, bundled]))
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bundled]) => bundled)
}

/** @param {Bundled} bundled */
function describe(bundled) {
  const { name, version, license, repository } = bundled
  const registry = `https://www.npmjs.com/package/${name}/v/${version}`
  const source = VENDORED.includes(bundled) ? repository : `${repository}, ${registry}`
  return `${name} ${version}\n  Licence: ${license}\n  Source: ${source}`
}

const INTRODUCTION = `This folder holds, beside tickchain itself, parts of the packages below, put together by a bundler. Each stays under
its own licence, the text of which follows. The source of each is to be had, free of charge, at the addresses given:
in its repository, and in the npm registry exactly the version that is here. Contracts of the OP stack are here as
code for the EVM, which the library runs as data; those that come with the protocol's package have no place of their own
in the registry.`

/** Packages with the same text share it. @param {readonly Bundled[]} packages */
export function noticeFor(packages) {
  /** @type {Map<string, Bundled[]>} */
  const byText = new Map()
  for (const bundled of packages) byText.set(bundled.text, [...(byText.get(bundled.text) ?? []), bundled])
  const sections = [...byText].map(([text, same]) => `${same.map(describe).join('\n')}\n\n${text}`)
  return `${[INTRODUCTION, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
