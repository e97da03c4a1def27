// @ts-check
// Puts what package.json exports into dist/bundle, with the packages that it takes: a file for each entry, one for all
// that the library's own entry loads, and some for each part that is loaded when it is first used.
// docs/decisions/0018-one-bundle.md says why.

import { readFile, writeFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { noticeFor, packagesOf } from './licenses.js'

const root = new URL('../', import.meta.url)

/** The package.json. @returns {Promise<Record<string, Record<string, any>>>} */
async function readManifest() {
  return JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
}

/** The sources of the entries, by name. @param {Record<string, any>} exports @returns {Record<string, string>} */
function entriesOf(exports) {
  const files = Object.values(exports).map((target) => target.default ?? target)
  const names = files.flatMap((file) => /^\.\/dist\/bundle\/(\w+)\.js$/.exec(file)?.[1] ?? [])
  return Object.fromEntries(names.map((name) => [name, `./src/${name}.ts`]))
}

/** The package that an import names. @param {string} specifier */
function packageNamed(specifier) {
  return /^(?:@[^/]+\/)?[^/]*/.exec(specifier)?.[0] ?? specifier
}

/** What @ethereumjs logs with where DEBUG asks for it: the environment is no input here, and browsers have none. */
const withoutDebug = {
  name: 'without-debug',
  /** @param {string} specifier */
  resolveId: (specifier) => (specifier === 'debug' ? '\0debug' : undefined),
  /** @param {string} id */
  load: (id) => (id === '\0debug' ? 'export default () => () => {}' : undefined),
}

/** Its ES module, which it does not export: what is CommonJS would bring a wrapper, in one more file. */
const eventemitter3 = fileURLToPath(new URL('node_modules/eventemitter3/dist/eventemitter3.esm.js', root))

/** What is ASCII alone is read and kept as bytes; all that is not is in strings. @param {string} code */
function toAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Writes the bundle, and tells what is in it. @param {string} folder as seen from the root of the repository */
export async function writeBundle(folder) {
  const { exports = {}, dependencies, peerDependencies } = await readManifest()
  const installed = new Set(Object.keys({ ...dependencies, ...peerDependencies }))
  const bundle = await rolldown({
    cwd: fileURLToPath(root),
    input: entriesOf(exports),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], alias: { eventemitter3 } },
    // What is installed with this package, or beside it, stays an import. All else becomes a part of it.
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && installed.has(packageNamed(id)),
    transform: { define: { 'globalThis.process.env.DEBUG': 'undefined' } },
    plugins: [withoutDebug],
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
    codeSplitting: {
      groups: [
        { name: 'core', test: /[\\/]src[\\/]index\.ts$/, priority: 1 },
        // The curves and hashes that several parts share, in one file and not in one for each set of parts.
        { name: 'noble', test: /[\\/]node_modules[\\/]@noble[\\/]/ },
      ],
    },
  })
  await bundle.close()
  const chunks = output.flatMap((file) => (file.type === 'chunk' ? [file] : []))
  const packages = packagesOf(chunks.flatMap(({ moduleIds }) => moduleIds))
  await writeFile(resolve(fileURLToPath(root), folder, 'LICENSES.txt'), noticeFor(packages))
  return { chunks, packages }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeBundle('dist/bundle')
