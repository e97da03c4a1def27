// Random programs on both interpreters.

import { expect } from 'vitest'
import { fuzz, interpreterPair } from '../../../scripts/fuzz/fuzz.js'
import type { Fork } from '../../../scripts/fuzz/opcodes.js'
import { library } from './library.ts'

/** Runs programs of a seed, under all forks or under one, and expects the same on both interpreters. */
export async function expectSamePrograms(seed: number, count: number, fork?: Fork): Promise<void> {
  const { report, programs } = await fuzz(interpreterPair(library), { seed, count, fork })
  // The report is what a reader wants to see of a failure.
  expect(report ?? '').toBe('')
  expect(programs).toBe(count)
}
