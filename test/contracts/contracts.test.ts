import { expect, test } from 'vitest'
import * as contracts from './generated.ts'

test('no metadata is appended, so the code depends on nothing but sources and compiler', () => {
  const cborKey = Buffer.from('dsolc').toString('hex')
  for (const [name, contract] of Object.entries(contracts)) {
    expect(contract.deployedBytecode, name).toMatch(/^0x([0-9a-f]{2})+$/)
    expect(contract.bytecode, name).not.toContain(cborKey)
  }
})
