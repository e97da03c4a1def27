// @ts-check
// Bundler of the exports of package.json into dist/bundle, with their dependencies: a file for each entry, one for the
// modules that the main entry loads, and more for the parts that are loaded on first use. dist/bundle/require has the
// same as CommonJS, for runners whose `require` loads no ES modules.
// See docs/decisions/0018-one-bundle.md and 0035-require.md.

import { readFile, writeFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RolldownMagicString, rolldown } from 'rolldown'
import { minifySync, Visitor } from 'rolldown/utils'
import { writeDeclarations } from './declarations.js'
import { noticeFor, packagesOf, vendoredIn } from './licenses.js'
import { pageScripts } from './page-scripts.js'
import { billOfMaterials, SBOM_FILE } from './sbom.js'
import { lineBreaks } from './short-lines.js'
import { slimMap } from './source-maps.js'

const root = new URL('../', import.meta.url)

/** The package.json. @returns {Promise<any>} */
async function readManifest() {
  return JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
}

/** The sources of the entries, by name. @param {Record<string, any>} exports @returns {Record<string, string>} */
function entriesOf(exports) {
  const files = Object.values(exports).map((target) => target.default ?? target)
  const names = files.flatMap((file) => /^\.\/dist\/bundle\/([\w-]+)\.js$/.exec(file)?.[1] ?? [])
  return Object.fromEntries(names.map((name) => [name, `./src/${name}.ts`]))
}

/** The entries that are published as CommonJS too. @param {Record<string, any>} exports */
function requiredEntries(exports) {
  return entriesOf(Object.fromEntries(Object.entries(exports).filter(([, target]) => target.require)))
}

/** The names of the entries, and of those that are published as CommonJS too. */
export async function publishedEntries() {
  const { exports = {} } = await readManifest()
  return { entries: Object.keys(entriesOf(exports)), required: Object.keys(requiredEntries(exports)) }
}

/** The package that an import names. @param {string} specifier */
function packageNamed(specifier) {
  return /^(?:@[^/]+\/)?[^/]*/.exec(specifier)?.[0] ?? specifier
}

const FOR_PAGES = '?pages'

/**
 * Small modules that pages share with the chain: pages have copies, or else an explorer of a chain elsewhere would load the
 * whole chain for them. They have no state.
 */
const copiedForPages = {
  name: 'copied-for-pages',
  /**
   * @this {{ resolve(id: string, importer?: string): Promise<{ id: string } | null> }}
   * @param {string} specifier @param {string} [importer]
   */
  async resolveId(specifier, importer = '') {
    if (!/[\\/]src[\\/]tools[\\/](?:view[\\/](?:html|timeline)|pages)\b/.test(importer)) return undefined
    if (!/[\\/](?:text-of|lru-cache|primitives[\\/]numbers|artifacts[\\/]json|record)\.ts$/.test(specifier))
      return undefined
    const found = await this.resolve(specifier, importer)
    return found === null ? undefined : `${found.id}${FOR_PAGES}`
  },
  /** @param {string} id */
  async load(id) {
    if (!id.endsWith(FOR_PAGES)) return undefined
    const code = await readFile(id.slice(0, -FOR_PAGES.length), 'utf8')
    return { code, moduleType: /** @type {const} */ ('ts') }
  },
}

/** The logger of @ethereumjs, which reads DEBUG from the environment. The library has no such input. */
const withoutDebug = {
  name: 'without-debug',
  /** @param {string} specifier */
  resolveId: (specifier) => (specifier === 'debug' ? '\0debug' : undefined),
  /** @param {string} id */
  load: (id) => (id === '\0debug' ? 'export default () => () => {}' : undefined),
}

/**
 * The curves of @noble, which @ethereumjs imports and the library replaces: precompiles and recovery are its own. What
 * modules read when they are loaded is here; a call of anything else fails.
 */
const withoutCurves = {
  name: 'without-curves',
  /** @param {string} specifier @param {string} [importer] */
  resolveId: (specifier, importer = '') =>
    specifier.startsWith('@noble/curves/') && /[\\/]@ethereumjs[\\/]/.test(importer) ? '\0curves' : undefined,
  /** @param {string} id */
  load: (id) => (id === '\0curves' ? CURVES : undefined),
}

const CURVES = `
const Point = { ZERO: undefined, CURVE: () => ({ n: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n }) }
export const secp256k1 = { Point }
export const bls12_381 = { G1: { Point }, G2: { Point } }
export const bn254 = undefined
export const p256 = undefined
`

/**
 * The validation of EOF code, which no fork here has. Terser, the minifier of webpack, takes its functions in blocks
 * for ones of the function around them, and refuses the file.
 */
const withoutEof = {
  name: 'without-eof',
  /** @param {string} specifier @param {string} [importer] */
  resolveId: (specifier, importer = '') =>
    /(?:^|[\\/])verify\.js$/.test(specifier) &&
    /[\\/]@ethereumjs[\\/]evm[\\/]dist[\\/]esm[\\/]/.test(importer)
      ? '\0eof'
      : undefined,
  /** @param {string} id */
  load: (id) => (id === '\0eof' ? EOF : undefined),
}

const EOF = `
export const ContainerSectionType = { InitCode: 'initCode', DeploymentCode: 'deploymentCode', RuntimeCode: 'runtimeCode' }
export const verifyCode = undefined
`

/** Its ES module, which it does not export: the CommonJS one would need a wrapper in a file of its own. */
const eventemitter3 = fileURLToPath(new URL('node_modules/eventemitter3/dist/eventemitter3.esm.js', root))

/** mcl as an ES module, for the same reason. */
const mclAsModule = {
  name: 'mcl-as-module',
  /** @param {string} code @param {string} id */
  transform(code, id) {
    if (!/mcl-wasm[\\/]dist[\\/]mcl_c\.js$/.test(id)) return undefined
    const [body, ...rest] = code.split("if (typeof module !== 'undefined')")
    if (rest.length !== 1) throw new Error('mcl_c.js does not end with its export')
    return { code: `${body}export default createModule\n`, map: null }
  },
}

/**
 * The table of methods, with each method written out: an object of getters for each group of methods, which the bundler
 * makes of a namespace that is spread, took a tenth of the time to load the main entry.
 */
const methodsByName = {
  name: 'methods-by-name',
  /** @this {import('rolldown').PluginContext} @param {string} code @param {string} id */
  async transform(code, id) {
    if (!/[\\/]src[\\/]core[\\/]rpc[\\/]registry\.ts$/.test(id)) return undefined
    const text = new RolldownMagicString(code)
    for (const [, group, file = ''] of code.matchAll(/^import \* as (\w+) from '(.*)'$/gm)) {
      const resolved = await this.resolve(file, id)
      if (resolved === null) throw new Error(`registry.ts imports ${file}, which is not there`)
      const { exports } = await this.load(resolved)
      const spread = `...${group},`
      const at = code.indexOf(spread)
      if (at < 0) throw new Error(`registry.ts does not spread ${group}`)
      text.update(at, at + spread.length, exports.map((name) => `${name}: ${group}.${name},`).join(' '))
    }
    return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }).toString() }
  },
}

/** What only the documentation and the tests of methods read. */
const DESCRIPTION = new Set(['summary', 'result', 'example'])

/** Drops the descriptions of methods: a tenth of the main chunk, which V8 reads and builds as objects in every process. */
const withoutDescriptions = {
  name: 'without-descriptions',
  /** @this {import('rolldown').PluginContext} @param {string} code @param {string} id */
  transform(code, id) {
    if (!/[\\/]src[\\/]core[\\/]rpc[\\/](?:registry|methods[\\/][\w-]+)\.ts$/.test(id)) return undefined
    const text = new RolldownMagicString(code)
    const visitor = new Visitor({
      CallExpression({ callee, arguments: [definition] }) {
        if (callee.type !== 'Identifier' || !/^define(?:Read|Command|Control)$/.test(callee.name)) return
        if (definition?.type !== 'ObjectExpression') throw new Error(`${id} defines a method by no object`)
        const { properties } = definition
        properties.forEach((property, index) => {
          if (property.type !== 'Property' || property.key.type !== 'Identifier') return
          if (DESCRIPTION.has(property.key.name))
            text.remove(property.start, properties[index + 1]?.start ?? definition.end - 1)
        })
      },
    })
    visitor.visit(this.parse(code, { lang: 'ts' }))
    return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }).toString() }
  },
}

/**
 * V8 reads all of the bundle in every process, so names are short, but for those of classes, which are errors. The
 * bundler's own option `minify` leaves source maps that point to other places, and characters that are not ASCII.
 */
const minified = {
  name: 'minified',
  /** @param {string} code @param {{ fileName: string }} chunk */
  renderChunk(code, { fileName }) {
    const { errors, ...result } = minifySync(fileName, code, {
      module: fileName.endsWith('.js'),
      compress: true,
      mangle: { toplevel: true, keepNames: { function: false, class: true } },
      codegen: { removeWhitespace: true },
      sourcemap: true,
    })
    if (errors.length > 0) throw new Error(`${fileName}: ${errors[0]?.message}`)
    return { code: result.code, map: result.map ?? null }
  },
}

/** The large chunks that every test loads. */
const LOADED = new Set(['core.js', 'create-evm.js'])

/**
 * Moves their dynamic imports to a file of their own. tsx, by which Hardhat and others load every module, rewrites each
 * file that has some, with a source map, which takes 150 ms for the main chunk, and 15 for the interpreter.
 */
function lazyImports() {
  /** @type {Map<string, string>} */
  const files = new Map()
  return {
    name: 'lazy-imports',
    /** @param {string} code @param {{ fileName: string }} chunk */
    renderChunk(code, { fileName }) {
      if (!LOADED.has(fileName)) return undefined
      const text = new RolldownMagicString(code)
      /** @type {Set<string>} */
      const used = new Set()
      for (const { 0: found, 1: file = '', index } of code.matchAll(/\bimport\((?:"\.\/([\w-]+\.js)")\)/g)) {
        const name = `load_${file.replace(/\W/g, '_')}`
        files.set(name, file)
        used.add(name)
        text.update(index, index + found.length, `${name}()`)
      }
      text.prepend(`import { ${[...used].join(', ')} } from "./lazy.js";\n`)
      return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }).toString() }
    },
    /** @this {{ emitFile(file: { type: 'asset', fileName: string, source: string }): unknown }} */
    generateBundle() {
      const lines = [...files].map(([name, file]) => `export const ${name}=()=>import("./${file}");\n`)
      this.emitFile({ type: 'asset', fileName: 'lazy.js', source: lines.join('') })
    },
  }
}

/** V8 stores a pure ASCII source as bytes. All other characters are in strings, and are escaped. */
const inAscii = {
  name: 'in-ascii',
  /** @param {string} code */
  renderChunk(code) {
    const text = new RolldownMagicString(code)
    for (const { 0: unit, index } of code.matchAll(/[^\0-\x7f]/g))
      text.update(index, index + 1, `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }).toString() }
  },
}

/** Breaks the one line that the minifier leaves: Node prints all of it with an uncaught error. */
const inShortLines = {
  name: 'in-short-lines',
  /** @this {import('rolldown').PluginContext} @param {string} code */
  renderChunk(code) {
    const text = new RolldownMagicString(code)
    for (const place of lineBreaks(this.parse(code))) text.appendLeft(place, '\n')
    return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }).toString() }
  },
}

/**
 * What both bundles have in common.
 * @param {Record<string, any>} manifest @param {Record<string, string>} input
 * @param {(modules: readonly string[]) => void} collect is told the modules of the scripts that pages bring along
 * @returns {import('rolldown').InputOptions}
 */
function inputOptions({ dependencies, peerDependencies }, input, collect) {
  const installed = new Set(Object.keys({ ...dependencies, ...peerDependencies }))
  return {
    cwd: fileURLToPath(root),
    input,
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], alias: { eventemitter3 } },
    // Dependencies and peers stay imports. Everything else is bundled.
    external: (id) =>
      id.startsWith('node:') || (!id.startsWith('.') && !isAbsolute(id) && installed.has(packageNamed(id))),
    transform: {
      define: { 'globalThis.process.env.DEBUG': 'undefined' },
      jsx: { runtime: 'automatic', importSource: 'preact' },
    },
    // How long a plugin takes is no fault.
    checks: { bundlerTimings: false },
    plugins: [
      withoutDebug,
      withoutCurves,
      withoutEof,
      mclAsModule,
      methodsByName,
      withoutDescriptions,
      copiedForPages,
      pageScripts(collect),
    ],
    onLog(_level, { message }) {
      throw new Error(message)
    },
  }
}

/** The names of the files, and what is in which. @param {'js' | 'cjs'} extension @returns {import('rolldown').OutputOptions} */
function outputOptions(extension) {
  return {
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name].${extension}`,
    comments: { jsdoc: false },
    plugins: [lazyImports(), minified, inAscii, inShortLines],
    // Its default prints the code again, with the white space that the plugin has removed.
    minify: false,
    codeSplitting: {
      groups: [
        { name: 'core', test: /[\\/]src[\\/](?:index|core[\\/]primitives[\\/]abi-event)\.ts$/, priority: 1 },
        // The first transaction loads all of it, whatever the parts that are loaded later share with it.
        { name: 'create-evm', test: /[\\/]src[\\/]core[\\/]execution[\\/]evm[\\/]create-evm\.ts$/ },
        // What the entries for tests and for exploring share, also with the reporter's part in workers.
        {
          name: 'testing',
          test: /[\\/]src[\\/](?:matchers\.ts|tools[\\/]testing[\\/](?:matchers[\\/]|failure-trace|reports[\\/]running-chains))/,
        },
        // What explains failures is needed as a whole.
        {
          name: 'failures',
          test: /[\\/]src[\\/]tools[\\/]solidity[\\/](?:explainer\.ts|(?:artifacts|calls|failures|model)[\\/][^?]*$)/,
        },
        // Tracers and the explainer share it.
        {
          name: 'opcode-names',
          test: /[\\/]src[\\/]core[\\/]execution[\\/]trace[\\/]opcode-names\.ts$/,
          priority: 1,
        },
        // One file for the hashes that several parts share, instead of one for each set of parts.
        { name: 'noble', test: /[\\/]node_modules[\\/]@noble[\\/]hashes[\\/]/ },
        // State dumps and contracts of the OP stack share it.
        { name: 'fflate', test: /[\\/]node_modules[\\/]fflate[\\/]/ },
        // The genesis of a rollup and its upgrade transactions share them.
        {
          name: 'l2-contracts',
          test: /[\\/]src[\\/]core[\\/]rollup[\\/]op[\\/](?:generated-l2|l2-contracts)\.ts$/,
        },
      ],
    },
  }
}

/** Writes the bundle, and returns its contents. @param {string} folder as seen from the root of the repository */
export async function writeBundle(folder) {
  const manifest = await readManifest()
  const { exports = {} } = manifest
  /** Of the scripts that pages bring along. @type {string[]} */
  const pageModules = []
  const collect = (/** @type {readonly string[]} */ modules) => pageModules.push(...modules)
  const bundle = await rolldown(inputOptions(manifest, entriesOf(exports), collect))
  const { output } = await bundle.write({
    ...outputOptions('js'),
    dir: folder,
    cleanDir: true,
    format: 'esm',
    sourcemap: true,
  })
  await bundle.close()
  const chunks = output.flatMap((file) => (file.type === 'chunk' ? [file] : []))
  const moduleIds = [...chunks.flatMap((chunk) => chunk.moduleIds), ...new Set(pageModules)]
  const packages = packagesOf(moduleIds)
  const pathOf = (/** @type {string} */ file) => resolve(fileURLToPath(root), folder, file)
  const write = (/** @type {string} */ file, /** @type {string} */ text) => writeFile(pathOf(file), text)
  for (const { sourcemapFileName: file } of chunks)
    if (file !== null) await write(file, slimMap(await readFile(pathOf(file), 'utf8')))
  await write('LICENSES.txt', noticeFor([...packages, ...vendoredIn(moduleIds)]))
  await write(SBOM_FILE, billOfMaterials(manifest, packages))
  return { chunks, packages }
}

/** Writes what `require` gets. @param {string} folder as seen from the root of the repository */
export async function writeRequired(folder) {
  const manifest = await readManifest()
  const required = await rolldown(
    inputOptions(manifest, requiredEntries(manifest['exports']), () => undefined),
  )
  await required.write({
    ...outputOptions('cjs'),
    dir: folder,
    cleanDir: true,
    format: 'cjs',
    exports: 'named',
  })
  await required.close()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeBundle('dist/bundle')
  await writeRequired('dist/bundle/require')
  const { entries, required } = await publishedEntries()
  writeDeclarations('dist', 'dist/types', entries, required)
}
