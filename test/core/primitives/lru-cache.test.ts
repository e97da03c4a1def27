import { expect, test } from 'vitest'
import { memoizeLru } from '../../../src/core/primitives/lru-cache.ts'

test('what was used last is not made again', () => {
  const made: string[] = []
  const shout = memoizeLru(2, (word: string) => {
    made.push(word)
    return word.toUpperCase()
  })
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(shout)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  // When c came b was the one that had not been used for longest.
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})
