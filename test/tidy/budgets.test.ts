// Line budget of files, without doc comments, which are the reference. The budget of a function, 60 lines, is a rule
// in biome.json.

import { expect, test } from 'vitest'
import { read, sourceFiles } from './repository.ts'

const maxLines = 300
/** Tables: a reader wants all rows in one place. */
const exempt: readonly string[] = ['src/core/primitives/error-table.ts', 'src/core/rpc/registry.ts']

function budgetViolations(path: string, source: string): string[] {
  if (exempt.includes(path)) return []
  const code = source.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
  const lines = code.replace(/\n$/, '').split('\n').length
  return lines > maxLines ? [`${path}: ${lines} lines, more than ${maxLines}: one concept a file`] : []
}

test(`a file in src/ has up to ${maxLines} lines, unless it is a table`, () => {
  expect(sourceFiles().flatMap((path) => budgetViolations(path, read(path)))).toEqual([])
})

test('the exempt tables are files in src/', () => {
  expect(sourceFiles()).toEqual(expect.arrayContaining([...exempt]))
})

test('the rule catches one line too many', () => {
  expect(budgetViolations('src/x.ts', 'x\n'.repeat(maxLines))).toEqual([])
  expect(budgetViolations('src/x.ts', 'x\n'.repeat(maxLines + 1))).toHaveLength(1)
  expect(budgetViolations('src/core/primitives/error-table.ts', 'x\n'.repeat(maxLines + 1))).toEqual([])
})

test('doc comments are not counted', () => {
  const documented = `/**\n * One.\n * @example\n * x()\n */\n${'x\n'.repeat(maxLines)}`
  expect(budgetViolations('src/x.ts', documented)).toEqual([])
  expect(budgetViolations('src/x.ts', `${documented}x\n`)).toHaveLength(1)
  expect(budgetViolations('src/x.ts', `// One.\n${'x\n'.repeat(maxLines)}`)).toHaveLength(1)
})
