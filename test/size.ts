// Sizes of random and differential tests: `npm test` runs a few cases, the gate (`npm run test:deep`) a middle number,
// `npm run test:long` many. Files named *.sized.test.ts run in all of them, a deep file and a test tagged `gate` in the last
// two.

import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    readonly size: 'short' | 'middle' | 'long'
  }
}

const size = inject('size')

/** Cases to run: `count` in the gate, a twentieth of them in `npm test`, ten times as many in `npm run test:long`. */
export function scaled(count: number): number {
  if (size === 'long') return count * 10
  return size === 'short' ? Math.ceil(count / 20) : count
}

/** Elements to test: the last and every eighth before it in `npm test`, otherwise all. */
export function sampled<T>(all: readonly T[]): readonly T[] {
  return size === 'short' ? all.filter((_, index) => (all.length - 1 - index) % 8 === 0) : all
}

/** `few` in the gate and in `npm test`, `all` in `npm run test:long`. */
export function allInLong<const T>(few: readonly T[], all: readonly T[]): readonly T[] {
  return size === 'long' ? all : few
}
