// The generated modules of contracts, extracted again from the packages.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { PACKAGE_RUNS } from '../../../../scripts/contract-lists.js'
import { compileSources, extractContracts, read } from '../../../../scripts/extract-contracts.js'

const contracts = fileURLToPath(new URL('../../../../contracts/', import.meta.url))

beforeAll(async () => {
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: contracts })
})

test('the generated files are what contracts/ has', async () => {
  const files = extractContracts()
  expect(files.length).toBeGreaterThan(0)
  for (const [file, text] of files) {
    expect((await readFile(file, 'utf8')) === text, `run \`npm run predeploys\` for ${file.pathname}`).toBe(
      true,
    )
  }
})

test('the compiler makes of the sources what the package has, so that what inherits from them is theirs too', () => {
  const source = 'src/dispute/PermissionedDisputeGame.sol'
  const text = `// SPDX-License-Identifier: MIT\npragma solidity 0.8.15;\nimport "${source}";\n`
  const output = compileSources({ 'all.sol': text }, PACKAGE_RUNS)
  const release = '@eth-optimism/contracts-bedrock'
  const { evm } = output.contracts[`${release}/${source}`].PermissionedDisputeGame
  const path = `node_modules/${release}/forge-artifacts/PermissionedDisputeGame.sol/PermissionedDisputeGame.json`
  expect(`0x${evm.bytecode.object}`).toBe(JSON.parse(read(path)).bytecode.object)
})
