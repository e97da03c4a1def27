import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compilePrecompiles, generatedFile } from '../../../../scripts/compile-precompiles.js'

test('the committed module is what assembly/precompiles compiles to', async () => {
  const written = await readFile(generatedFile, 'utf8')
  expect(written === (await compilePrecompiles()), 'run `npm run wasm`').toBe(true)
})
