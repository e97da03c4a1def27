import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileContracts, generatedFile } from '../../scripts/compile-contracts.js'

test('generated.ts is what the contracts compile to', async () => {
  const written = await readFile(generatedFile, 'utf8')
  expect(written === (await compileContracts()), 'run `npm run contracts`').toBe(true)
})
