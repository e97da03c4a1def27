// @ts-check
// Bundler of the playground into site/dist/playground: the page's script, the worker, and every module that a scene
// may import, of dist/bundle and of the clients as they are installed. See docs/decisions/0031-site.md.

import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { readApi } from './read-api.js'

const root = new URL('../', import.meta.url)
const examplesFolder = new URL('site/examples/', root)

const SUFFIX = '.js'

/** The sources of the examples, in their order. */
export async function readExamples() {
  const files = (await readdir(examplesFolder)).filter((file) => /^\d+-/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const source = await readFile(new URL(file, examplesFolder), 'utf8')
      const [, title] = /^\/\/ (.*)\n/.exec(source) ?? []
      if (title === undefined) throw new Error(`${file} does not begin with its title`)
      // The number orders the files, and is not in links.
      const stem = file.slice(0, -SUFFIX.length)
      return { name: stem.replace(/^\d+-/, ''), file: stem, title: shortened(title), source }
    }),
  )
}

/** What stands before the colon, and the client. @param {string} title */
function shortened(title) {
  return title.replace(/:.*(?= \()/, '')
}

/** The module `virtual:examples`. */
const examplesModule = {
  name: 'examples',
  /** @param {string} specifier */
  resolveId: (specifier) => (specifier === 'virtual:examples' ? '\0examples' : undefined),
  /** @param {string} id */
  async load(id) {
    if (id !== '\0examples') return undefined
    const contracts = await readFile(new URL('contracts.js', examplesFolder), 'utf8')
    return `export const examples = ${JSON.stringify(await readExamples())}
      export const contracts = ${JSON.stringify(contracts)}`
  },
}

const LONGEST_DETAIL = 60

/** What an object of a type has, for the editor. @param {ReturnType<typeof readApi>} api @param {string} type @returns {{ label: string, type: string, detail: string, info: string }[]} */
function membersOf(api, type) {
  const declaration = api.declarations.get(type)
  if (declaration === undefined) throw new Error(`no type ${type}`)
  const own = declaration.members.map(({ name, signatures, type: text, comment }) => {
    const detail = signatures[0]?.text.slice(name.length) ?? text
    return {
      label: name,
      type: signatures.length > 0 ? 'method' : 'property',
      detail: detail.length > LONGEST_DETAIL ? `${detail.slice(0, LONGEST_DETAIL)}…` : detail,
      info: comment?.summary ?? '',
    }
  })
  return [...own, ...declaration.parents.flatMap((parent) => membersOf(api, parent))]
}

/** The module `virtual:completions`, from the types of the library. */
const completionsModule = {
  name: 'completions',
  /** @param {string} specifier */
  resolveId: (specifier) => (specifier === 'virtual:completions' ? '\0completions' : undefined),
  /** @param {string} id */
  load(id) {
    if (id !== '\0completions') return undefined
    const api = readApi(root, { tickchain: 'src/index.ts', 'tickchain/rollup': 'src/rollup.ts' })
    const members = { Emulator: membersOf(api, 'Emulator'), Rollup: membersOf(api, 'Rollup') }
    return `export const members = ${JSON.stringify(members)}`
  },
}

/** Writes the playground from a bundle of the library. @param {string} folder @param {string} library its folder */
export async function writePlayground(folder, library) {
  /** An entry, as it is published. @param {string} name */
  const published = (name) => resolve(fileURLToPath(root), library, `${name}.js`)
  const aliases = Object.fromEntries(
    ['explorer', 'rollup'].map((name) => [`tickchain/${name}`, published(name)]),
  )
  const bundle = await rolldown({
    cwd: fileURLToPath(root),
    platform: 'browser',
    input: {
      playground: 'site/playground/playground.tsx',
      live: 'site/live/live.tsx',
      worker: 'site/playground/worker.ts',
      tickchain: 'site/playground/tickchain.ts',
      'tickchain-rollup': 'site/playground/tickchain-rollup.ts',
      'tickchain-ethers': published('ethers'),
      'tickchain-explore': published('explore'),
      'tickchain-realtime': published('realtime'),
      'tickchain-viem': published('viem'),
      contracts: 'site/examples/contracts.js',
      compilation: 'site/examples/compilation.js',
      ethers: 'ethers',
      viem: 'viem',
      'viem-accounts': 'viem/accounts',
      'viem-actions': 'viem/actions',
      'viem-chains': 'viem/chains',
      'viem-op-stack': 'viem/op-stack',
    },
    resolve: {
      alias: { ...aliases, tickchain: published('index') },
      // Wherever the bundle of the library is.
      modules: ['node_modules', fileURLToPath(new URL('node_modules', root))],
    },
    plugins: [examplesModule, completionsModule],
    // Of code for Node in a client, which asks where it runs before it loads them.
    external: /^node:/,
    onLog(_level, log) {
      throw new Error(log.message)
    },
  })
  await bundle.write({ dir: folder, cleanDir: true, format: 'esm', minify: true })
  await bundle.close()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writePlayground('site/dist/playground', 'dist/bundle')
}
