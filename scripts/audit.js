// @ts-check
// Audit of the packages inside the bundle, which `npm audit` of a user does not see: asks the configured registry for
// advisories on the versions that dist/bundle/sbom.cdx.json lists. Exits with 1 for a finding, with 2 if the registry
// does not tell.
//
//   npm run audit

import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { configuredRegistry, findAdvisories } from './audit/advisories.js'
import { SBOM_FILE } from './sbom.js'

/** @param {readonly (readonly string[])[]} rows */
function printTable(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows) {
    console.log(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
  }
}

const file = new URL(`../dist/bundle/${SBOM_FILE}`, import.meta.url)
/** @type {{ components: { group?: string, name: string, version: string }[] }} */
const { components } = JSON.parse(await readFile(file, 'utf8'))
const packages = components.map(({ group, name, version }) => ({
  name: group === undefined ? name : `${group}/${name}`,
  version,
}))
const outcome = await findAdvisories(packages, await configuredRegistry())

if ('unavailable' in outcome) {
  printTable([['package', 'version'], ...packages.map(({ name, version }) => [name, version])])
  console.error(`\nnot audited: the configured registry offers no advisories (${outcome.unavailable})`)
  process.exitCode = 2
} else {
  const { findings } = outcome
  const rows = packages.flatMap(({ name, version }) => {
    const found = findings.filter((each) => each.name === name && each.version === version)
    if (found.length === 0) return [[name, version, '–', '']]
    return found.map(({ severity, title, url }) => [name, version, severity, `${title} (${url})`])
  })
  printTable([['package', 'version', 'severity', 'advisory'], ...rows])
  console.log(`\n${packages.length} packages in the bundle, ${findings.length} advisories`)
  process.exitCode = findings.length > 0 ? 1 : 0
}
