// Sizes of random and differential tests: `npm test` runs a few cases, the gate (`npm run test:deep`) a middle number,
// `npm run test:long` many. Files named *.sized.test.ts run in all of them; a deep file runs in the last two.

import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    readonly size: 'short' | 'middle' | 'long'
  }
}

const size = inject('size')

/** Cases to run: `count` in the gate, an eighth of them in `npm test`, ten times as many in `npm run test:long`. */
export function scaled(count: number): number {
  if (size === 'long') return count * 10
  return size === 'short' ? Math.ceil(count / 8) : count
}

/** Elements to test: the last and every fourth before it in `npm test`, otherwise all. */
export function sampled<T>(all: readonly T[]): readonly T[] {
  return size === 'short' ? all.filter((_, index) => (all.length - 1 - index) % 4 === 0) : all
}
