// The generated modules of contracts, extracted again from the packages.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { extractContracts } from '../../../scripts/extract-contracts.js'

const contracts = fileURLToPath(new URL('../../../contracts/', import.meta.url))

beforeAll(async () => {
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: contracts })
}, 600_000)

test('the generated files are what contracts/ has', async () => {
  const files = extractContracts()
  expect(files.length).toBeGreaterThan(0)
  for (const [file, text] of files) {
    expect((await readFile(file, 'utf8')) === text, `run \`npm run predeploys\` for ${file.pathname}`).toBe(
      true,
    )
  }
})
