// @ts-check
// Advisories of the registry for exact versions, asked by `npm audit` in a folder of its own.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

/**
 * @typedef {{ readonly name: string, readonly version: string }} Package
 * @typedef {{ readonly title: string, readonly url: string, readonly severity: string, readonly range: string }} Advisory
 * @typedef {Package & Advisory} Finding
 * @typedef {{ readonly findings: readonly Finding[] } | { readonly unavailable: string }} Outcome
 */

const run = promisify(execFile)

/** npm, for whom a finding is an error. @param {readonly string[]} args @param {string} [cwd] */
async function npm(args, cwd) {
  try {
    const { stdout } = await run('npm', args, { cwd, shell: process.platform === 'win32' })
    return stdout
  } catch (error) {
    const { stdout } = /** @type {{ stdout?: string }} */ (error)
    if (stdout === undefined || stdout === '') throw error
    return stdout
  }
}

/** Groups in which each name stands once, as in a folder of node_modules. @param {readonly Package[]} packages */
function groupsOf(packages) {
  /** @type {Package[][]} */
  const groups = []
  for (const each of packages) {
    const group = groups.find((others) => others.every(({ name }) => name !== each.name))
    if (group === undefined) groups.push([each])
    else group.push(each)
  }
  return groups
}

/** A project that depends on exactly these packages. @param {readonly Package[]} group */
function projectOf(group) {
  const dependencies = Object.fromEntries(group.map(({ name, version }) => [name, version]))
  const manifest = { name: 'bundle', version: '0.0.0', private: true, dependencies }
  const installed = group.map(({ name, version }) => [`node_modules/${name}`, { version }])
  const packages = { '': manifest, ...Object.fromEntries(installed) }
  return { manifest, lock: { ...manifest, lockfileVersion: 3, requires: true, packages } }
}

/** @param {readonly Package[]} group @param {any} report of `npm audit --json` @returns {Outcome} */
function readReport(group, report) {
  const { vulnerabilities, error, message } = report
  if (vulnerabilities === undefined) return { unavailable: `${message ?? error?.summary ?? 'no answer'}` }
  const findings = group.flatMap(({ name, version }) =>
    // `via` names packages instead if only their own dependencies are affected; those are asked for themselves.
    (vulnerabilities[name]?.via ?? [])
      .filter((/** @type {unknown} */ via) => typeof via === 'object')
      .map((/** @type {Advisory} */ { title, url, severity, range }) => ({
        ...{ name, version, title, url, severity, range },
      })),
  )
  return { findings }
}

/** @param {readonly Package[]} group @param {string} registry @returns {Promise<Outcome>} */
async function auditGroup(group, registry) {
  const folder = await mkdtemp(join(tmpdir(), 'tickchain-audit-'))
  try {
    const { manifest, lock } = projectOf(group)
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
    const answer = await npm(['audit', '--json', '--package-lock-only', '--registry', registry], folder)
    return readReport(group, JSON.parse(answer))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The registry that the user has configured. */
export async function configuredRegistry() {
  return (await npm(['config', 'get', 'registry'])).trim()
}

/**
 * What the registry knows against packages; `unavailable` says why it cannot tell.
 * @param {readonly Package[]} packages
 * @param {string} registry
 * @returns {Promise<Outcome>}
 */
export async function findAdvisories(packages, registry) {
  /** @type {Finding[]} */
  const findings = []
  for (const group of groupsOf(packages)) {
    const outcome = await auditGroup(group, registry)
    if ('unavailable' in outcome) return outcome
    findings.push(...outcome.findings)
  }
  return { findings }
}
