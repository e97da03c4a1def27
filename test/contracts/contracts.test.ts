import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as contracts from './generated.ts'

// contracts.deep.test.ts compiles them again.
test('generated.ts has the contracts of the sources', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => /^\w+\.sol$/.test(file))
  const sources = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  const names = sources.flatMap((source) => [...source.matchAll(/^contract (\w+)/gm)].map(([, name]) => name))
  expect(Object.keys(contracts).sort()).toEqual(names.sort())
})

test('no metadata is appended, so the code depends on nothing but sources and compiler', () => {
  const cborKey = Buffer.from('dsolc').toString('hex')
  for (const [name, contract] of Object.entries(contracts)) {
    expect(contract.deployedBytecode, name).toMatch(/^0x([0-9a-f]{2})+$/)
    expect(contract.bytecode, name).not.toContain(cborKey)
  }
})
