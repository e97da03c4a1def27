// @ts-check
// List of the packages in the bundle, in CycloneDX: exact versions, licences, and hashes from the lockfile. It has no
// serial number and no time, so that the same bundle has the same list.

import { readFileSync } from 'node:fs'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'

/**
 * @typedef {import('./licenses.js').Bundled} Bundled
 * @typedef {{ readonly name?: string, readonly version?: string, readonly integrity?: string }} Locked
 */

/** The file of the list, beside the bundle. */
export const SBOM_FILE = 'sbom.cdx.json'

/** The packages of the lockfiles, with their paths. @returns {[string, Locked][]} */
function lockedPackages() {
  return ['../package-lock.json', '../contracts/package-lock.json'].flatMap((file) => {
    const { packages } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
    return Object.entries(packages)
  })
}

/** The hash of a package's archive; throws if no lockfile has that version. @param {Bundled} bundled */
function integrityOf({ name, version }) {
  const [, locked] =
    lockedPackages().find(([path, entry]) => {
      const isNamed = entry.name === undefined ? path.endsWith(`node_modules/${name}`) : entry.name === name
      return isNamed && entry.version === version
    }) ?? []
  const hash = /^sha512-(\S+)$/.exec(locked?.integrity ?? '')?.[1]
  if (hash === undefined) throw new Error(`package-lock.json has no ${name} ${version} with a SHA-512 hash`)
  return Buffer.from(hash, 'base64').toString('hex')
}

/** @param {string} name @param {string} version */
function packageUrl(name, version) {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`
}

/** @param {Bundled} bundled */
function toComponent(bundled) {
  const { name, version, license, repository } = bundled
  const [, group, plain = name] = /^(?:(@[^/]+)\/)?(.*)$/.exec(name) ?? []
  const purl = packageUrl(name, version)
  return new Models.Component(Enums.ComponentType.Library, plain, {
    ...(group === undefined ? {} : { group }),
    ...{ version, purl, bomRef: purl, scope: Enums.ComponentScope.Required },
    licenses: new Models.LicenseRepository([new Models.SpdxLicense(license)]),
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-512'], integrityOf(bundled)]]),
    externalReferences: new Models.ExternalReferenceRepository([
      new Models.ExternalReference(repository, Enums.ExternalReferenceType.VCS),
    ]),
  })
}

/**
 * The list as JSON.
 * @param {{ readonly name: string, readonly version: string, readonly license: string }} manifest
 * @param {readonly Bundled[]} packages
 */
export function billOfMaterials({ name, version, license }, packages) {
  const purl = packageUrl(name, version)
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    ...{ version, purl, bomRef: purl },
    licenses: new Models.LicenseRepository([new Models.SpdxLicense(license)]),
  })
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component }) })
  for (const bundled of packages) {
    const part = toComponent(bundled)
    bom.components.add(part)
    component.dependencies.add(part.bomRef)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}
