// Sequences of items with hashes, and the search for an item by its hash.

import { describe, expect, test } from 'vitest'
import { createSequence } from '../../../../src/core/chain/runs/built-blocks.ts'
import type { Hash } from '../../../../src/core/primitives/hex.ts'

describe('the position of a hash', () => {
  /** A sequence of hashes that all begin with the same four bytes. */
  const alike = (index: number): Hash => `0x${'ab'.repeat(4)}${index.toString(16).padStart(56, '0')}`
  const sequence = () => createSequence({ length: 4, kept: 1 }, (_, index) => ({ hash: alike(index) }))

  test('is found among hashes that begin alike', () => {
    for (const index of [0, 1, 3, 4, 9]) expect(sequence().indexOf(alike(index), 10)).toBe(index)
  })

  test('is that of one of the first items only, however many have been computed', () => {
    const longer = sequence()
    expect(longer.at(30)).toEqual({ hash: alike(30) })
    expect(longer.indexOf(alike(9), 10)).toBe(9)
    expect(longer.indexOf(alike(10), 10)).toBeUndefined()
    expect(longer.indexOf(alike(99), 31)).toBeUndefined()
  })

  test('computes no item beyond those searched', () => {
    const asked: number[] = []
    const recorded = createSequence({ length: 4, kept: 1 }, (_, index) => {
      asked.push(index)
      return { hash: alike(index) }
    })
    expect(recorded.indexOf(alike(99), 3)).toBeUndefined()
    expect(asked).toEqual([0, 1, 2])
  })
})
