// The same commands on the reference EVM.

import { describe, expect, test } from 'vitest'
import { perform, simulate } from './simulation.ts'

/** Repeats each seed's commands on the reference EVM. */
export function testInterpreters(seeds: readonly number[], groups: number): void {
  describe.each(seeds)('seed %i', (seed) => {
    test('has the same outcome on the reference EVM', async () => {
      const { program, signers, transcript, headHash } = await simulate(seed, groups, 'unchecked')
      const options = { ...program.options, interpreter: 'reference' } as const
      const reference = await perform({ ...program, options }, signers, 'unchecked')
      const first = transcript.findIndex((line, index) => line !== reference.transcript[index])
      expect(reference.transcript[first]).toBe(transcript[first])
      expect(reference.transcript.length).toBe(transcript.length)
      expect(reference.headHash).toBe(headHash)
    })
  })
}
