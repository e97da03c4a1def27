import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileInterpreter, generatedFile } from '../../scripts/compile-interpreter.js'

test('generated.ts is what assembly/ compiles to', async () => {
  const written = await readFile(generatedFile, 'utf8')
  expect(written === (await compileInterpreter()), 'run `npm run wasm`').toBe(true)
})
