// Imports of a scene: a module from a blob resolves no bare names, so they are replaced by addresses.

import { javascriptLanguage } from '@codemirror/lang-javascript'

/** What a scene may import, and the file of each. */
const MODULES: Readonly<Record<string, string>> = {
  tickchain: 'tickchain.js',
  'tickchain/ethers': 'tickchain-ethers.js',
  'tickchain/explore': 'tickchain-explore.js',
  'tickchain/realtime': 'tickchain-realtime.js',
  'tickchain/rollup': 'tickchain-rollup.js',
  'tickchain/viem': 'tickchain-viem.js',
  ethers: 'ethers.js',
  viem: 'viem.js',
  'viem/accounts': 'viem-accounts.js',
  'viem/actions': 'viem-actions.js',
  'viem/chains': 'viem-chains.js',
  'viem/op-stack': 'viem-op-stack.js',
  './contracts.js': 'contracts.js',
  './compilation.js': 'compilation.js',
}

/** A scene that cannot run as it is. */
export class SceneError extends Error {
  override readonly name = 'SceneError'
  readonly line: number

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`)
    this.line = line
  }
}

interface Specifier {
  readonly from: number
  readonly to: number
}

const STATEMENTS: ReadonlySet<string> = new Set(['ImportDeclaration', 'ExportDeclaration', 'DynamicImport'])

/** The strings that name modules. */
function specifiersOf(source: string): Specifier[] {
  const found: Specifier[] = []
  javascriptLanguage.parser.parse(source).iterate({
    enter({ name, from, to, node }) {
      const { parent } = node
      if (name !== 'String' || parent === null) return
      const isDynamic = parent.name === 'ArgList' && node.prevSibling?.name === '('
      const called = isDynamic ? parent.prevSibling?.name : undefined
      if (STATEMENTS.has(parent.name) || called === 'import') found.push({ from, to })
    },
  })
  return found
}

const lineOf = (source: string, at: number): number => source.slice(0, at).split('\n').length

/** The source with the addresses of modules. Lines stay where they are. */
export function withAddresses(source: string, addressOf: (file: string) => string): string {
  let linked = ''
  let done = 0
  for (const { from, to } of specifiersOf(source)) {
    const name = source.slice(from + 1, to - 1)
    const file = Object.hasOwn(MODULES, name) ? MODULES[name] : undefined
    if (file === undefined) {
      const all = Object.keys(MODULES).join(', ')
      throw new SceneError(lineOf(source, from), `no module '${name}' here; there are ${all}`)
    }
    linked += source.slice(done, from) + JSON.stringify(addressOf(file))
    done = to
  }
  return linked + source.slice(done)
}

/** The line of the first mistake in the syntax, which browsers do not tell. */
export function syntaxErrorLine(source: string): number | undefined {
  let at: number | undefined
  javascriptLanguage.parser.parse(source).iterate({
    enter({ type, from }) {
      if (type.isError) at ??= from
    },
  })
  return at === undefined ? undefined : lineOf(source, at)
}
