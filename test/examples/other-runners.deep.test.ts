// The examples of docs/recipes/other-runners.md, each in its runner, on the built package. vitest stands in for jest,
// which is too large a dependency; its globals follow jest's.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyBundle } from '../bundle.ts'
import { read } from '../tidy/repository.ts'
import { examplesIn } from './markdown.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const project = mkdtempSync(join(tmpdir(), 'tickchain-'))

const page = read('docs/recipes/other-runners.md')
const examples = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, source = '']) => source)

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}

function link(name: string): void {
  mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name), 'junction')
}

function run(...args: string[]) {
  const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' }
  // What node itself hands to the tests that it runs would make this one of them.
  const { NODE_TEST_CONTEXT: _, ...plain } = env as Record<string, string>
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: 'utf8',
    env: plain,
  })
  return { status, output: `${stdout}\n${stderr}` }
}

beforeAll(async () => {
  await copyBundle(join(project, 'node_modules/tickchain/dist/bundle'))
  cpSync(join(root, 'package.json'), join(project, 'node_modules/tickchain/package.json'))
  link('vitest')
  link('viem')
  write('package.json', '{ "type": "module" }')
})

afterAll(() => {
  rmSync(project, { recursive: true, force: true })
})

function exampleThatImports(specifier: string): string {
  const example = examples.find((source) => source.includes(`from '${specifier}'`))
  if (example === undefined) throw new Error(`no example imports ${specifier}`)
  return example
}

test('node:test', () => {
  write('node.test.js', exampleThatImports('node:test'))
  const { status, output } = run('--test', 'node.test.js')
  expect(output).toMatch(/pass 2\n/)
  expect(output).toMatch(/fail 0\n/)
  expect(status).toBe(0)
})

test('node:test, where one fails', () => {
  const failing = exampleThatImports('node:test').replace('vault), 5n)', 'vault), 6n)')
  write('failing.test.js', failing)
  const { status, output } = run('--test', 'failing.test.js')
  expect(status).toBe(1)
  expect(output).toMatch(/├ partial 1 .* → 0x00000000/)
})

test('jest', () => {
  write('node_modules/@jest/globals/package.json', '{ "type": "module", "exports": "./index.js" }')
  write('node_modules/@jest/globals/index.js', "export * from 'vitest'\n")
  write('jest.test.js', exampleThatImports('@jest/globals'))
  const cli = join(root, 'node_modules/vitest/vitest.mjs')
  const { status, output } = run(cli, 'run', '--root', project, 'jest.test.js')
  expect(output).toMatch(/Tests +2 passed/)
  expect(status).toBe(0)
})

test('a set-up that files share', () => {
  const fences = read('docs/recipes/shared-setup.md').matchAll(/^```ts project\n\/\/ (\S+)\n([\s\S]*?)^```/gm)
  for (const [, path = '', source = ''] of fences) write(`shared/${path}`, source)
  const copy = readFileSync(join(project, 'shared/vault.test.ts'), 'utf8')
  write('shared/other.test.ts', copy)
  const cli = join(root, 'node_modules/vitest/vitest.mjs')
  const { status, output } = run(cli, 'run', '--root', join(project, 'shared'), '--pool=threads')
  expect(output).toMatch(/Test Files +2 passed/)
  expect(status).toBe(0)
})

test('vitest, with the package as it is installed', () => {
  const [first] = examplesIn('vitest.md', read('docs/recipes/vitest.md'))
  write('vitest.test.ts', first?.source ?? '')
  const cli = join(root, 'node_modules/vitest/vitest.mjs')
  const { status, output } = run(cli, 'run', '--root', project, 'vitest.test.ts')
  expect(output).toMatch(/Tests +2 passed/)
  expect(status).toBe(0)
})
