import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileCrypto, generatedFile } from '../../../scripts/compile-crypto.js'

test('crypto-generated.ts is what assembly/crypto compiles to', async () => {
  const written = await readFile(generatedFile, 'utf8')
  expect(written === (await compileCrypto()), 'run `npm run wasm`').toBe(true)
})
