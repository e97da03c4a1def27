// The example of docs/failing-tests.md: the test fails, and prints what the page says.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import solc from 'solc'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { read } from '../tidy/repository.ts'

const page = read('docs/failing-tests.md')
const root = fileURLToPath(new URL('../../', import.meta.url))
let project = ''

/** The first fence of a language, in full. */
function fence(language: string): string {
  const [, code] = page.split(`\`\`\`${language}\n`)
  return code?.split('```')[0] as string
}

function compiled(source: string): object {
  const settings = { outputSelection: { '*': { '*': ['*'], '': ['ast'] } } }
  const input = { language: 'Solidity', sources: { 'contracts/Vault.sol': { content: source } }, settings }
  return { input, output: JSON.parse(solc.compile(JSON.stringify(input))) }
}

const configuration = `import { defineConfig } from 'vitest/config'
export default defineConfig({
  resolve: {
    alias: [
      { find: /^tickchain$/, replacement: '${root}src/index.ts' },
      { find: /^tickchain\\/(\\w+)$/, replacement: '${root}src/$1.ts' },
    ],
  },
  test: { include: ['*.test.ts'], pool: 'threads', testTimeout: 60_000 },
})
`

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'tickchain-failing-'))
  mkdirSync(join(project, 'artifacts/build-info'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'), 'junction')
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(project, 'artifacts/build-info/vault.json'), JSON.stringify(compiled(fence('solidity'))))
  writeFileSync(join(project, 'vault.test.ts'), fence('ts fails'))
  writeFileSync(join(project, 'vitest.config.ts'), configuration)
})

afterAll(() => rmSync(project, { recursive: true }))

test('prints what the page shows', () => {
  const cli = join(root, 'node_modules/vitest/vitest.mjs')
  const env = { ...process.env, NO_COLOR: '1', CI: 'true' }
  const { status, stderr } = spawnSync(process.execPath, [cli, 'run'], {
    cwd: project,
    encoding: 'utf8',
    env,
  })
  expect(status).toBe(1)
  expect(stderr).toContain(fence('text').trimEnd())
})
