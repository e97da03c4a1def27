import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileContracts, compileExamples, generatedFile } from '../../scripts/compile-contracts.js'

test('generated.ts is what the contracts compile to', async () => {
  const written = await readFile(generatedFile, 'utf8')
  expect(written === (await compileContracts()), 'run `npm run contracts`').toBe(true)
})

test('the modules of the playground are what its contracts compile to', async () => {
  for (const [file, text] of Object.entries(await compileExamples())) {
    const written = await readFile(new URL(`../../site/examples/${file}`, import.meta.url), 'utf8')
    expect(written === text, `${file}: run \`npm run contracts\``).toBe(true)
  }
})
