import { expect, test } from 'vitest'
import { compareEmulators } from './emulators.ts'

// emulators.deep.test.ts has more of them.
test.each(['fork', 'base'] as const)(
  'a few commands on both interpreters: %s',
  { tags: 'gate' },
  async (world) => {
    const done = await compareEmulators(3, world, 16)
    expect(done.length).toBeGreaterThan(16)
  },
)
