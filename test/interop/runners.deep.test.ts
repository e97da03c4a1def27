// The projects of samples/runners with the packed package. It needs `npm run build`, as `.ci/run` has done before.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs `npm run try:runners` without its build, and gives its output and its exit code. */
function tryRunners(): Promise<{ readonly code: number | null; readonly output: string }> {
  const npm = process.env['npm_execpath']
  if (npm === undefined) throw new Error('the projects are installed by npm: start this with npm run or npx')
  const child = spawn(process.execPath, ['scripts/try-runners.js'], { cwd: root })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

test('runners, clients and code generators work with the packed package', async () => {
  expect(existsSync(`${root}dist/bundle/require/index.cjs`), 'npm run build comes first').toBe(true)
  const { code, output } = await tryRunners()
  expect(code, output).toBe(0)
  expect(output).toContain('All of it passed.')
  // npm installs a dozen projects.
}, 1_200_000)
