// The words of reports that have nothing to show.

import { expect, test } from 'vitest'
import { formatCoverage } from '../../../../src/tools/solidity/usage/format-usage.ts'

test('a report whose sources were all left out names them, and the option that takes them in', () => {
  const nothing = { files: [], isOptimized: false, unmapped: [] }
  expect(formatCoverage(nothing)).toBe('No source file to cover.')
  const left = ['a', 'b', 'c', 'd', 'e'].map((name) => `contracts/${name}.sol`)
  expect(formatCoverage({ ...nothing, left })).toBe(
    "No source file to cover.\nNo files below vitest's root, or excluded: contracts/a.sol, contracts/b.sol, contracts/c.sol and 2 more. The option coverage.include names sources.",
  )
})
