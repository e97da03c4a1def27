// @ts-check
// The published declarations, in dist/types: those that the compiler wrote to dist, as far as the entries reach them,
// and for `require` the same as declarations of CommonJS. See docs/decisions/0035-require.md.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Packages with one set of declarations, of ES modules, for both kinds of modules. */
const ES_MODULES_ONLY = ['viem']

const SPECIFIER = /\b(from |import\()(["'])(\.[^"']+)\.ts\2/g
const RESOLUTION = `with { "resolution-mode": "import" }`

/** The declarations that an entry reaches, itself among them, and their text. @param {string} folder @param {readonly string[]} entries */
function reachedFrom(folder, entries) {
  const paths = new Set(entries)
  /** @type {Map<string, string>} */
  const texts = new Map()
  for (const path of paths) {
    const text = readFileSync(join(folder, `${path}.d.ts`), 'utf8')
    texts.set(path, text)
    for (const [, , , specifier = ''] of text.matchAll(SPECIFIER)) paths.add(join(dirname(path), specifier))
  }
  return texts
}

/** Declarations of an ES module as those of a CommonJS one. @param {string} text */
function asCommonJs(text) {
  const names = ES_MODULES_ONLY.join('|')
  return text
    .replace(SPECIFIER, '$1$2$3.cts$2')
    .replace(
      new RegExp(`^import (?:type )?\\{(.*)\\} from (['"](?:${names})(?:/.*)?['"]);$`, 'gm'),
      (_, list, name) => {
        return `import type {${list.replace(/\btype /g, '')}} from ${name} ${RESOLUTION};`
      },
    )
}

/**
 * @param {string} from what the compiler wrote
 * @param {string} to the folder of the published ones, in it
 * @param {readonly string[]} entries @param {readonly string[]} required those that are published as CommonJS too
 */
export function writeDeclarations(from, to, entries, required) {
  rmSync(to, { recursive: true, force: true })
  for (const path of reachedFrom(from, entries).keys()) {
    mkdirSync(join(to, dirname(path)), { recursive: true })
    cpSync(join(from, `${path}.d.ts`), join(to, `${path}.d.ts`))
  }
  for (const [path, text] of reachedFrom(from, required))
    writeFileSync(join(to, `${path}.d.cts`), asCommonJs(text))
}
