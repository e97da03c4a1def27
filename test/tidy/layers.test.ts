import { describe, expect, test } from 'vitest'
import { blankComments, read, sourceFiles } from './repository.ts'

// What each folder of src/ may import. The files that stand directly in src/ may import everything.
const layers: Readonly<Record<string, readonly string[]>> = {
  rpc: ['node', 'chain', 'pool', 'execution', 'rollup', 'state', 'kernel', 'primitives'],
  node: ['chain', 'pool', 'execution', 'rollup', 'state', 'kernel', 'primitives'],
  chain: ['pool', 'execution', 'rollup', 'state', 'primitives'],
  pool: ['execution', 'rollup', 'state', 'primitives'],
  execution: ['interpreter', 'rollup', 'state', 'primitives'],
  interpreter: ['state', 'primitives'],
  rollup: ['state', 'primitives'],
  state: ['primitives'],
  kernel: ['primitives'],
  primitives: [],
}
const ethereumjsLayers = ['chain', 'pool', 'execution', 'interpreter', 'rollup', 'state']

const specifiers = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g
const computedImports = /\bimport\s*\(\s*(?!['"\s])/g

/** `state` for src/state/…, the empty string for a file directly in src/. */
function layerOf(path: string): string {
  return path.match(/^src\/([^/]+)\//)?.[1] ?? ''
}

function isRealtime(path: string): boolean {
  return path.startsWith('src/realtime')
}

function layerViolations(path: string, source: string): string[] {
  const code = blankComments(source)
  const violations = [...code.matchAll(specifiers)].flatMap((match) => importViolations(path, match[2]!))
  if (code.search(computedImports) >= 0) violations.push(`${path}: import() takes a literal`)
  return violations
}

function importViolations(path: string, specifier: string): string[] {
  const from = layerOf(path)
  if (from && !layers[from] && !isRealtime(path)) {
    return [`${path}: src/${from} is not a layer: add it to this test, biome.json and CONTRIBUTING.md`]
  }
  if (specifier.startsWith('node:')) return [`${path}: ${specifier}: src/ runs in browsers too`]
  if (specifier.startsWith('@ethereumjs/') && !ethereumjsLayers.includes(from)) {
    return [`${path}: ${specifier}: @ethereumjs/* stays inside ${ethereumjsLayers.join(', ')}`]
  }
  if (!specifier.startsWith('.')) return []
  if (!specifier.endsWith('.ts')) return [`${path}: ${specifier}: relative imports end in .ts`]

  const target = new URL(specifier, `file:///${path}`).pathname.slice(1)
  if (!target.startsWith('src/')) return [`${path}: ${specifier}: leaves src/`]
  if (isRealtime(target) && !isRealtime(path)) return [`${path}: ${specifier}: nothing imports realtime`]
  const to = layerOf(target)
  if (!layers[from] || to === from || layers[from].includes(to)) return []
  const allowed = layers[from].join(', ') || 'no other layer'
  return [`${path}: ${specifier}: src/${from} may import ${allowed}`]
}

test('imports in src/ go down, and @ethereumjs stays in its layers', () => {
  expect(sourceFiles().flatMap((path) => layerViolations(path, read(path)))).toEqual([])
})

describe('the rule catches', () => {
  test.each([
    ['src/state/x.ts', `import { a } from '../chain/block.ts'`],
    ['src/state/x.ts', `import type {\n  A,\n  B,\n} from "../rpc/codec.ts"`],
    ['src/state/x.ts', `import '../node/node.ts'`],
    ['src/state/x.ts', `export * from '../pool/pool.ts'`],
    ['src/state/x.ts', `export type { A } from '../execution/run.ts'`],
    ['src/state/x.ts', `const a = await import('../rollup/fees.ts')`],
    ['src/state/x.ts', `type A = import('../kernel/queue.ts').A`],
    ['src/state/x.ts', `import { createEmulator } from '../emulator.ts'`],
    ['src/state/x.ts', `const a = await import(name)`],
    ['src/node/clock/clock.ts', `import { dispatch } from '../rpc/dispatch.ts'`],
    ['src/rpc/methods/block.ts', `import { Block } from '@ethereumjs/block'`],
    ['src/node/x.ts', `import { bytesToHex } from '@ethereumjs/util'`],
    ['src/emulator/emulator.ts', `import { Common } from '@ethereumjs/common'`],
    ['src/emulator/emulator.ts', `import { drive } from './realtime.ts'`],
    ['src/emulator/emulator.ts', `import { helper } from '../test/helper.ts'`],
    ['src/primitives/x.ts', `import { createHash } from 'node:crypto'`],
    ['src/primitives/x.ts', `import { a } from './bytes'`],
    ['src/primitives/x.ts', `import { a } from './bytes.js'`],
    ['src/utils/x.ts', `import { a } from './y.ts'`],
  ])('%s: %s', (path, source) => {
    expect(layerViolations(path, source)).toHaveLength(1)
  })

  test.each([
    ['src/rpc/methods/block.ts', `import { quantity } from '../codecs.ts'`],
    ['src/chain/seal.ts', `import { encode } from '@ethereumjs/rlp'\nimport { a } from '../state/world.ts'`],
    ['src/state/x.ts', `// import { a } from '../chain/block.ts'\n/** import { b } from '../rpc/b.ts' */`],
    ['src/realtime.ts', `import type { Emulator } from './emulator.ts'`],
  ])('but not %s: %s', (path, source) => {
    expect(layerViolations(path, source)).toEqual([])
  })
})

test('biome.json refuses the same imports', () => {
  const { overrides } = JSON.parse(read('biome.json'))
  const refused = Object.fromEntries(
    Object.keys(layers).map((layer) => {
      const override = overrides.find((it: { includes: string[] }) => it.includes[0] === `src/${layer}/**`)
      const { patterns } = override.linter.rules.style.noRestrictedImports.options
      return [layer, patterns.flatMap((pattern: { group: string[] }) => pattern.group).sort()]
    }),
  )
  const expected = Object.fromEntries(
    Object.entries(layers).map(([layer, allowed]) => {
      const above = Object.keys(layers).filter((other) => other !== layer && !allowed.includes(other))
      const packages = ethereumjsLayers.includes(layer) ? [] : ['@ethereumjs/**']
      return [layer, [...above.map((other) => `**/${other}/**`), ...packages].sort()]
    }),
  )
  expect(refused).toEqual(expected)
})
