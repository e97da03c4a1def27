import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileContracts, generatedFile } from '../../scripts/compile-contracts.js'
import * as contracts from './generated.ts'

test('generated.ts is what the contracts compile to', async () => {
  const written = await readFile(generatedFile, 'utf8')
  expect(written === (await compileContracts()), 'run `npm run contracts`').toBe(true)
})

test('no metadata is appended, so the code depends on nothing but sources and compiler', () => {
  const cborKey = Buffer.from('dsolc').toString('hex')
  for (const [name, contract] of Object.entries(contracts)) {
    expect(contract.deployedBytecode, name).toMatch(/^0x([0-9a-f]{2})+$/)
    expect(contract.bytecode, name).not.toContain(cborKey)
  }
})
