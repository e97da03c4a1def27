// The page of cheatcodes, the table, and forge's own list where it is there.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { renderCheatcodes } from '../../../scripts/render-cheatcodes.js'
import { cheatcodeSignatures, REFUSALS } from '../../../src/tools/cheatcodes/table.ts'
import { read } from '../../tidy/repository.ts'

test('docs/cheatcodes.md is current', () => {
  const rendered = renderCheatcodes(cheatcodeSignatures(), REFUSALS)
  expect(read('docs/cheatcodes.md') === rendered, 'run `npm run docs` and commit what it writes').toBe(true)
})

const VM = fileURLToPath(
  new URL('../../../../shared/conformance/base-std/lib/forge-std/src/Vm.sol', import.meta.url),
)

/** The signatures in `Vm.sol`, with the types of structs and enumerations spelled out. */
function signaturesIn(source: string): string[] {
  const text = source.replace(/\/\/.*$/gm, '')
  const enums = new Set([...text.matchAll(/enum (\w+)/g)].map(([, name]) => name))
  const structs = new Map(
    [...text.matchAll(/struct (\w+)\s*\{([^}]*)\}/g)].map(([, name, fields = '']) => [
      name,
      fields.split(';').flatMap((field) => field.trim().split(/\s+/)[0] || []),
    ]),
  )
  const typeOf = (declared: string): string => {
    const type = declared.trim().split(/\s+/)[0] as string
    const base = type.replace(/(\[\d*\])+$/, '')
    const suffix = type.slice(base.length)
    const fields = structs.get(base)
    if (fields !== undefined) return `(${fields.map(typeOf).join(',')})${suffix}`
    return (enums.has(base) ? 'uint8' : base) + suffix
  }
  return [...text.matchAll(/function (\w+)\(([^)]*)\)\s*external/g)].map(
    ([, name, list = '']) => `${name}(${list.trim() === '' ? '' : list.split(',').map(typeOf).join(',')})`,
  )
}

test.skipIf(!existsSync(VM))("every cheatcode of forge's Vm.sol has a row", () => {
  const known = new Set(cheatcodeSignatures())
  const signatures = signaturesIn(readFileSync(VM, 'utf8'))
  expect(signatures.length).toBeGreaterThan(500)
  expect(signatures.filter((signature) => !known.has(signature))).toEqual([])
})
