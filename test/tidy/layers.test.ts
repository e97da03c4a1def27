// The tree of docs/ARCHITECTURE.md is the rule: its folders are those of src/, and its order is the direction of
// imports. A tool may import the tools below it and the whole core; the core imports no tool.
import { describe, expect, test } from 'vitest'
import { blankComments, read, sourceFiles } from './repository.ts'

interface Tree {
  /** The files directly in src/. */
  readonly entries: readonly string[]
  /** The folders of both wings, highest layer first, each with its rooms. */
  readonly layers: ReadonlyMap<string, readonly string[]>
}

function parseTree(page: string): Tree {
  const [, block = ''] = /^## The tree$[\s\S]*?^```text\n([\s\S]*?)^```/m.exec(page) ?? []
  const entries = /^src\/\{([\w,-]+)\}\.ts/m.exec(block)?.[1]?.split(',') ?? []
  const layers = new Map<string, string[]>()
  let wing = ''
  for (const line of block.split('\n')) {
    wing = /^src\/(\w+)\//.exec(line)?.[1] ?? wing
    const layer = /^ {2}(\w+)\//.exec(line)?.[1]
    const room = /^ {4}(\w+)\//.exec(line)?.[1]
    if (layer !== undefined) layers.set(`${wing}/${layer}`, [])
    if (room !== undefined) [...layers.values()].at(-1)?.push(room)
  }
  return { entries, layers }
}

const { entries, layers } = parseTree(read('docs/ARCHITECTURE.md'))
const order = [...layers.keys()]
/** Entries for Node: files of reports, recordings, shared chains and stories, and workers. */
const nodeEntries = [
  ...['src/vitest-config.ts', 'src/vitest-reporter.ts', 'src/recording.ts', 'src/shared.ts'],
  ...[
    'src/explore-node.ts',
    'src/hardhat.ts',
    'src/hardhat2.ts',
    'src/solidity-tests.ts',
    'src/solidity-workers.ts',
    'src/vitest-ready.ts',
    'src/vitest-solidity.ts',
  ],
]
/** Entries that serve a chain in real time where they are asked to. */
const realtimeEntries = ['src/hardhat.ts', 'src/hardhat2.ts']
/** Imports a user's module in a worker. */
const moduleRunner = 'src/explore-node.ts'
const ethereumjsLayers = ['chain', 'execution', 'interpreter', 'rollup'].map((name) => `core/${name}`)

/** What a layer may import: those below it. Only execution knows the interpreter. */
function allowedIn(layer: string): readonly string[] {
  const below = order.slice(order.indexOf(layer) + 1)
  return below.filter((other) => other !== 'core/interpreter' || layer === 'core/execution')
}

const specifiers = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g
const computedImports = /\bimport\s*\(\s*(?!['"\s])/g

/** `core/state` for src/core/state/…, the empty string for a file directly in src/. */
function layerOf(path: string): string {
  return path.match(/^src\/([^/]+\/[^/]+)\//)?.[1] ?? ''
}

function isRealtime(path: string): boolean {
  return path.startsWith('src/realtime')
}

function layerViolations(path: string, source: string): string[] {
  const code = blankComments(source)
  const violations = [...code.matchAll(specifiers)].flatMap((match) => importViolations(path, match[2]!))
  if (path !== moduleRunner && code.search(computedImports) >= 0)
    violations.push(`${path}: import() takes a literal`)
  return violations
}

function importViolations(path: string, specifier: string): string[] {
  const from = layerOf(path)
  if (from && !layers.has(from)) return [`${path}: src/${from} is not in the tree of docs/ARCHITECTURE.md`]
  if (specifier.startsWith('node:') && nodeEntries.includes(path)) return []
  if (specifier.startsWith('node:')) return [`${path}: ${specifier}: src/ runs in browsers too`]
  if (specifier.startsWith('@ethereumjs/') && !ethereumjsLayers.includes(from)) {
    return [`${path}: ${specifier}: @ethereumjs/* stays inside ${ethereumjsLayers.join(', ')}`]
  }
  if (!specifier.startsWith('.')) return []
  // The text of a page's script, which is a program of its own.
  if (from === 'tools/view' && /^(?:\.\.\/)+pages\/[\w-]+\.tsx?\?page$/.test(specifier)) return []
  if (!/\.tsx?$/.test(specifier)) return [`${path}: ${specifier}: relative imports end in .ts`]

  const target = new URL(specifier, `file:///${path}`).pathname.slice(1)
  if (!target.startsWith('src/')) return [`${path}: ${specifier}: leaves src/`]
  if (isRealtime(target) && !isRealtime(path) && !realtimeEntries.includes(path))
    return [`${path}: ${specifier}: nothing imports realtime`]
  const to = layerOf(target)
  if (from === '' || to === from || allowedIn(from).includes(to)) return []
  return [`${path}: ${specifier}: src/${from} may import ${allowedIn(from).join(', ') || 'no other layer'}`]
}

test('the tree of docs/ARCHITECTURE.md is that of src/', () => {
  const paths = sourceFiles().map((path) => path.split('/').slice(1))
  const there = new Map<string, string[]>()
  for (const [wing = '', folder = '', room = ''] of paths.filter(({ length }) => length > 1)) {
    const layer = `${wing}/${folder}`
    const rooms = there.get(layer) ?? []
    if (!room.endsWith('.ts') && !rooms.includes(room)) rooms.push(room)
    there.set(layer, rooms)
  }
  const sorted = (tree: ReadonlyMap<string, readonly string[]>) =>
    Object.fromEntries([...tree].map(([layer, rooms]) => [layer, [...rooms].sort()]))
  expect(sorted(layers)).toEqual(sorted(there))
  const files = paths.filter(({ length }) => length === 1).map(([name = '']) => name)
  const loose = files.filter((name) => !name.endsWith('.d.ts')).map((name) => name.replace(/\.ts$/, ''))
  expect([...entries].sort()).toEqual(loose.sort())
})

test('imports in src/ go down, and @ethereumjs stays in its layers', { tags: 'gate' }, () => {
  expect(sourceFiles().flatMap((path) => layerViolations(path, read(path)))).toEqual([])
})

describe('the rule catches', () => {
  test.each([
    ['src/core/state/x.ts', `import { a } from '../chain/block.ts'`],
    ['src/core/state/x.ts', `import type {\n  A,\n  B,\n} from "../rpc/codec.ts"`],
    ['src/core/state/x.ts', `import '../node/node.ts'`],
    ['src/core/state/x.ts', `export * from '../pool/pool.ts'`],
    ['src/core/state/x.ts', `export type { A } from '../execution/run.ts'`],
    ['src/core/state/x.ts', `const a = await import('../rollup/fees.ts')`],
    ['src/core/state/x.ts', `type A = import('../rollup/rules.ts').A`],
    ['src/core/state/x.ts', `import { createEmulator } from '../index.ts'`],
    ['src/core/emulator/x.ts', `import { recordTimeline } from '../../tools/testing/timeline.ts'`],
    ['src/core/rpc/x.ts', `const a = await import('../../tools/solidity/artifacts/abi.ts')`],
    ['src/core/chain/x.ts', `import { WasmEvm } from '../interpreter/evm.ts'`],
    ['src/core/state/x.ts', `const a = await import(name)`],
    ['src/core/node/clock/clock.ts', `import { dispatch } from '../../rpc/dispatch.ts'`],
    ['src/core/rpc/methods/block.ts', `import { Block } from '@ethereumjs/block'`],
    ['src/core/node/x.ts', `import { bytesToHex } from '@ethereumjs/util'`],
    ['src/core/emulator/emulator.ts', `import { Common } from '@ethereumjs/common'`],
    ['src/core/emulator/emulator.ts', `import { drive } from '../realtime.ts'`],
    ['src/core/emulator/emulator.ts', `import { helper } from '../../test/helper.ts'`],
    ['src/core/primitives/x.ts', `import { createHash } from 'node:crypto'`],
    ['src/core/primitives/x.ts', `import { a } from './bytes'`],
    ['src/core/primitives/x.ts', `import { a } from './bytes.js'`],
    ['src/core/utils/x.ts', `import { a } from './y.ts'`],
    ['src/tools/view/x.ts', `import { a } from '../pages/timeline.ts'`],
    ['src/core/node/x.ts', `import script from '../../tools/pages/timeline.ts?page'`],
  ])('%s: %s', (path, source) => {
    expect(layerViolations(path, source)).toHaveLength(1)
  })

  test.each([
    ['src/core/rpc/methods/block.ts', `import { quantity } from '../codecs.ts'`],
    [
      'src/core/chain/seal.ts',
      `import { encode } from '@ethereumjs/rlp'\nimport { a } from '../state/world.ts'`,
    ],
    [
      'src/core/state/x.ts',
      `// import { a } from '../chain/block.ts'\n/** import { b } from '../rpc/b.ts' */`,
    ],
    ['src/realtime.ts', `import type { Emulator } from './emulator.ts'`],
    ['src/tools/view/timeline/page.ts', `import script from '../../pages/timeline.ts?page'`],
    ['src/vitest-config.ts', `import { readFileSync } from 'node:fs'`],
    ['src/recording.ts', `import { readFile } from 'node:fs/promises'`],
  ])('but not %s: %s', (path, source) => {
    expect(layerViolations(path, source)).toEqual([])
  })
})
