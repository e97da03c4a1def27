import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileInterpreter, generatedFile } from '../../scripts/compile-interpreter.js'
import { MODULE } from '../../src/interpreter/generated.ts'
import { hexToBytes } from '../../src/primitives/hex.ts'

test('generated.ts is what assembly/ compiles to', async () => {
  const written = await readFile(generatedFile, 'utf8')
  expect(written === (await compileInterpreter()), 'run `npm run wasm`').toBe(true)
}, 120_000)

test('the module asks for nothing from outside, and is small', async () => {
  const bytes = hexToBytes(MODULE)
  const module = await WebAssembly.compile(bytes.slice())
  expect(WebAssembly.Module.imports(module)).toEqual([])
  expect(bytes.length).toBeLessThan(20_000)
})
