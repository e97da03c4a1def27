// The code in the pages, and its compiler errors. A fence of TypeScript or JavaScript is a whole module; one that
// begins with `// name.ts` is imported by its neighbours under that name. Other text is fenced as `text`. The examples
// of docs/api.md come from doc comments, which have a scope, as the page says: the exports of the package and its
// clients, `chain`, `hash` and `window`.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as ethers from 'ethers'
import * as tickchain from 'tickchain'
import * as tickchainEthers from 'tickchain/ethers'
import * as exploring from 'tickchain/explore'
import * as exploringInNode from 'tickchain/explore-node'
import * as matchers from 'tickchain/matchers'
import * as realtime from 'tickchain/realtime'
import * as recording from 'tickchain/recording'
import * as rollup from 'tickchain/rollup'
import * as shared from 'tickchain/shared'
import * as solidityTests from 'tickchain/solidity-tests'
import * as upstream from 'tickchain/upstream'
import * as tickchainViem from 'tickchain/viem'
import * as viem from 'viem'

const root = fileURLToPath(new URL('../../', import.meta.url))
const compiler = join(root, 'node_modules/typescript/lib/tsc.js')

export interface Snippet {
  /** The page, relative to the repository, and the line of the first line of code. */
  readonly path: string
  readonly line: number
  readonly language: 'ts' | 'js'
  readonly source: string
}

/** Every fence of TypeScript or JavaScript, whatever follows the language. */
export function snippetsIn(path: string, markdown: string): Snippet[] {
  const fences = markdown.matchAll(/^ *```(tsx?|typescript|m?jsx?|javascript)\b.*\n([\s\S]*?)^ *```/gm)
  return [...fences].map(({ index, 1: name = '', 2: source = '' }) => ({
    path,
    line: markdown.slice(0, index).split('\n').length + 1,
    language: name.startsWith('t') ? 'ts' : 'js',
    source,
  }))
}

const common = {
  target: 'es2022',
  module: 'nodenext',
  // No DOM: fetch and its kin are those of Node.js.
  lib: ['es2023'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
}

const paths = {
  tickchain: [join(root, 'src/index.ts')],
  'tickchain/*': [join(root, 'src/*.ts')],
}

/** JavaScript is checked as well, but does not have to name types. */
const options = {
  ts: { ...common, paths },
  js: { ...common, paths, allowJs: true, checkJs: true, noImplicitAny: false },
}

function fileOf({ path, line, language, source }: Snippet): string {
  const extension = language === 'js' && /\brequire\(/.test(source) ? 'cjs' : language
  const given = /^\/\/ ([\w.-]+\.ts)\n/.exec(source)?.[1]
  return given === undefined ? `${path}.${line}.${extension}` : join(dirname(path), given)
}

/** The compiler's errors in the snippets, as `page:line: TS…: …`; empty if there are none. */
export function compile(snippets: readonly Snippet[]): string[] {
  const project = mkdtempSync(join(tmpdir(), 'tickchain-snippets-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'), 'junction')
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    return (['ts', 'js'] as const).flatMap((language) =>
      compileOne(
        project,
        language,
        snippets.filter((it) => it.language === language),
      ),
    )
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

/** Later modules give way to earlier ones where both have a name. */
const scope: readonly (readonly [string, object])[] = [
  ['tickchain', tickchain],
  ['tickchain/viem', tickchainViem],
  ['tickchain/ethers', tickchainEthers],
  ['tickchain/realtime', realtime],
  ['tickchain/recording', recording],
  ['tickchain/shared', shared],
  ['tickchain/upstream', upstream],
  ['tickchain/rollup', rollup],
  ['tickchain/explore', exploring],
  ['tickchain/explore-node', exploringInNode],
  ['tickchain/solidity-tests', solidityTests],
  ['tickchain/matchers', matchers],
  ['tickchain/vitest', { chainTest: true }],
  ['tickchain/vitest-config', { tickchain: true }],
  ['tickchain/vitest-reporter', { reportPages: true }],
  ['vitest', { expect: true, vi: true }],
  ['viem', viem],
  ['ethers', ethers],
]

/** The example in its scope, on the lines on which it stands. */
function inScope(source: string): string {
  const used = new Set(source.match(/[A-Za-z_]\w*/g))
  used.add('createEmulator').add('createRollup')
  const imports = scope.map(([module, names]) => {
    const taken = Object.keys(names).filter((name) => used.delete(name))
    return `import { ${taken.join(', ')} } from '${module}';`
  })
  const fc = used.has('fc') ? "import * as fc from 'fast-check';" : ''
  const chain = 'const chain = await createEmulator(); const window = /** @type {any} */ (new EventTarget());'
  // Their examples need the DOM; explorer.browser.test.ts runs them.
  const page =
    'const document = window; const mountExplorer = /** @type {any} */ (undefined); const providerWithPast = mountExplorer;'
  const hash = "const hash = await chain.request('eth_sendTransaction', [{}]);"
  const rollup = 'const rollup = await createRollup();'
  // A block of its own, so that an example may declare what the scope has.
  return `${imports.join('')}${fc}${chain}${page}${hash}${rollup}{${source}}`
}

function codeOf(snippet: Snippet): string {
  if (snippet.path === 'docs/api.md') return inScope(snippet.source)
  // A module even where it imports nothing, so that its names are its own.
  return fileOf(snippet).endsWith('.cjs') ? snippet.source : `${snippet.source}\nexport {}\n`
}

function compileOne(project: string, language: 'ts' | 'js', snippets: readonly Snippet[]): string[] {
  const byFile = new Map(snippets.map((snippet) => [fileOf(snippet), snippet]))
  if (byFile.size !== snippets.length) throw new Error('two snippets of a folder have the same name')
  for (const snippet of snippets) {
    const file = join(project, fileOf(snippet))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, codeOf(snippet))
  }
  const declarations = ['test/docs/stand-ins/modules.d.ts', 'src/page-scripts.d.ts']
  const files = [...declarations.map((file) => join(root, file)), ...byFile.keys()]
  const config = join(project, `tsconfig.${language}.json`)
  writeFileSync(
    config,
    JSON.stringify({ compilerOptions: { ...options[language], rootDirs: [project, root] }, files }),
  )
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, '-p', config, '--pretty', 'false'],
    {
      cwd: project,
      encoding: 'utf8',
    },
  )
  const found = [...stdout.matchAll(/^(\S.*?)\((\d+),\d+\): error (.*)$/gm)].map(
    ([, file = '', line, message]) => {
      const snippet = byFile.get(file)
      return snippet === undefined
        ? `${file}:${line}: ${message}`
        : `${snippet.path}:${snippet.line + Number(line) - 1}: ${message}`
    },
  )
  if (status !== 0 && found.length === 0) throw new Error(`the compiler failed: ${stdout}${stderr}`)
  return found
}
