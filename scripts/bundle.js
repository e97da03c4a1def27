// @ts-check
// Puts what package.json exports into dist/bundle: a file for each entry, one for all that the library's own entry
// loads, and one for each part that is loaded when it is first used. docs/decisions/0018-one-bundle.md says why.

import { readFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = new URL('../', import.meta.url)

/** The sources of the entries, by name. @returns {Promise<Record<string, string>>} */
async function readEntries() {
  const { exports } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
  const files = Object.values(exports).map((target) => target.default ?? target)
  const names = files.flatMap((file) => /^\.\/dist\/bundle\/(\w+)\.js$/.exec(file)?.[1] ?? [])
  return Object.fromEntries(names.map((name) => [name, `./src/${name}.ts`]))
}

/** What is ASCII alone is read and kept as bytes; all that is not is in strings. @param {string} code */
function toAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Writes the bundle, and tells what is in it. @param {string} folder as seen from the root of the repository */
export async function writeBundle(folder) {
  const bundle = await rolldown({
    cwd: fileURLToPath(root),
    input: await readEntries(),
    platform: 'neutral',
    // Packages stay imports.
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    onLog(_level, { message }) {
      throw new Error(message)
    },
  })
  const { output } = await bundle.write({
    dir: folder,
    cleanDir: true,
    format: 'esm',
    chunkFileNames: '[name].js',
    comments: { jsdoc: false },
    plugins: [{ name: 'ascii', renderChunk: (code) => ({ code: toAscii(code), map: null }) }],
    sourcemap: true,
    // They are published beside it.
    sourcemapExcludeSources: true,
    codeSplitting: { groups: [{ name: 'core', test: /[\\/]src[\\/]index\.ts$/ }] },
  })
  await bundle.close()
  return output.flatMap((file) => (file.type === 'chunk' ? [file] : []))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeBundle('dist/bundle')
