// Sizes of random and differential tests: `npm test` runs a few cases, the gate (`npm run test:deep`) a middle number,
// `npm run test:long` many. Files named *.sized.test.ts run in all of them, a deep file and a test tagged `gate` in the last
// two.

import { inject, test } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    readonly size: 'short' | 'middle' | 'long'
  }
}

const size = inject('size')

/** Cases to run: a ninth of `count` in the gate, a twenty-fifth in `npm test`, `count` times ten in `npm run test:long`. */
export function scaled(count: number): number {
  if (size === 'long') return count * 10
  return Math.ceil(count / (size === 'short' ? 25 : 9))
}

/** Elements to test: the last and every ninth before it in the gate, every twelfth in `npm test`, all in `test:long`. */
export function sampled<T>(all: readonly T[]): readonly T[] {
  if (size === 'long') return all
  const step = size === 'short' ? 12 : 9
  return all.filter((_, index) => (all.length - 1 - index) % step === 0)
}

/** `few` in the gate and in `npm test`, `all` in `npm run test:long`. */
export function allInLong<const T>(few: readonly T[], all: readonly T[]): readonly T[] {
  return size === 'long' ? all : few
}

/** A test that runs in `npm run test:long` alone. */
export const testInLong = test.runIf(size === 'long')
