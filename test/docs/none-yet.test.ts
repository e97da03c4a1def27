// The list of what is missing in docs/compliance.md: none of it is there by now.

import { expect, test } from 'vitest'
import { METHODS } from '../../src/core/rpc/registry.ts'
import { read } from '../tidy/repository.ts'

test('no method under "None yet" is answered', () => {
  const [, section = ''] = read('docs/compliance.md').split('\n## None yet\n')
  const [missing = ''] = section.split('\nThese methods ')
  const rows = missing.split('\n').filter((line) => line.startsWith('| '))
  const named = rows.flatMap((row) => row.split('|')[1]?.match(/[a-z]+_[A-Za-z0-9_]+…?/g) ?? [])
  expect(named).not.toEqual([])
  const isAnswered = (name: string) =>
    name.endsWith('…')
      ? Object.keys(METHODS).some((each) => each.startsWith(name.slice(0, -1)))
      : name in METHODS
  expect(named.filter(isAnswered)).toEqual([])
})
