import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileInterpreter } from '../../../scripts/compile-interpreter.js'

test('the generated files are what assembly/ compiles to', async () => {
  const files = await compileInterpreter()
  expect(files).toHaveLength(3)
  for (const [file, text] of files) {
    expect((await readFile(file, 'utf8')) === text, `run \`npm run wasm\` for ${file.pathname}`).toBe(true)
  }
})
