import { expect, test } from 'vitest'
import { MODULE } from '../../../src/core/interpreter/generated.ts'
import { hexToBytes } from '../../../src/core/primitives/hex.ts'

test('the module has no imports, and is small', async () => {
  const bytes = hexToBytes(MODULE)
  const module = await WebAssembly.compile(bytes.slice())
  expect(WebAssembly.Module.imports(module)).toEqual([])
  expect(bytes.length).toBeLessThan(22_000)
})
