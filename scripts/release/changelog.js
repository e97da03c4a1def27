// @ts-check
// The changelog of a release: what is unreleased becomes the part of a version.

const UNRELEASED = '## [Unreleased]\n'
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/

/** @param {string} version @returns {number[]} */
function partsOf(version) {
  const [, ...parts] = VERSION.exec(version) ?? []
  if (parts.length === 0) throw new Error(`a version is three numbers, such as 1.2.3, not "${version}"`)
  return parts.map(Number)
}

/** The text under the heading of a part, without it; `undefined` if there is no such heading. @param {string} changelog @param {string} heading */
function under(changelog, heading) {
  const start = changelog.indexOf(heading)
  if (start < 0) return undefined
  const rest = changelog.slice(start).split('\n').slice(1).join('\n')
  const end = rest.search(/^## /m)
  return (end < 0 ? rest : rest.slice(0, end)).trim()
}

/** What the changelog says of a version. @param {string} changelog @param {string} version */
export function notesOf(changelog, version) {
  const notes = under(changelog, `## [${version}]`)
  if (!notes) throw new Error(`CHANGELOG.md says nothing of ${version}`)
  return notes
}

/**
 * The changelog with a version in place of what was unreleased.
 * @param {string} changelog @param {string} version the new one @param {string} current @param {string} date as 2026-11-23
 */
export function releaseChangelog(changelog, version, current, date) {
  const [next, last] = [partsOf(version), partsOf(current)]
  const first = next.findIndex((part, index) => part !== last[index])
  if (first >= 0 && Number(next[first]) < Number(last[first]))
    throw new Error(`${version} comes before ${current}, which package.json has`)
  if (under(changelog, `## [${version}]`) !== undefined) throw new Error(`${version} has been released`)
  if (!under(changelog, UNRELEASED)) throw new Error('CHANGELOG.md says nothing under Unreleased')
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`)
}
