import { expect, test } from 'vitest'
import type { StackEntry } from '../../../../src/tools/solidity/failures/stack-entry.ts'
import { withoutRedundant } from '../../../../src/tools/solidity/failures/stack-trace.ts'
import { type SourceFile, sourceFile } from '../../../../src/tools/solidity/model/source.ts'

const file = sourceFile('a.sol', undefined, undefined)
const other = sourceFile('b.sol', undefined, undefined)

function entry(file: SourceFile, start: number, length: number, name = 'f'): StackEntry {
  const source = {
    ...{ contract: 'C', function: name, file: file.name, line: 1 },
    range: file.rangeAt(start, length),
  }
  return { kind: 'callstackEntry', functionKind: 'function', source }
}

test('an entry whose place holds that of the next one is left out', () => {
  const [outer, inner] = [entry(file, 10, 50), entry(file, 20, 10)]
  expect(withoutRedundant([outer, inner])).toEqual([inner])
})

test('but not if that is in another file', () => {
  const [outer, inner] = [entry(file, 10, 50), entry(other, 20, 10)]
  expect(withoutRedundant([outer, inner])).toEqual([outer, inner])
})

test('nor a constructor that calls a function, nor a function that calls itself', () => {
  const [created, called] = [entry(file, 0, 99, 'constructor'), entry(file, 20, 10)]
  expect(withoutRedundant([created, called])).toEqual([created, called])
  const again = [entry(file, 20, 30), entry(file, 20, 10), entry(file, 20, 10), entry(file, 22, 2)]
  expect(withoutRedundant(again)).toEqual([again[1], again[3]])
})
