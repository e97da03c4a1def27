// Random commands on both interpreters, others with `SEED=100 WORLDS=fork,op`.

import { describe, expect, test } from 'vitest'
import { scaled } from '../size.ts'
import { compareEmulators, WORLDS, type World } from './emulators.ts'

const { SEED = '1', WORLDS: only } = process.env
const worlds = only === undefined ? WORLDS : (only.split(',') as World[])
const seeds = Array.from({ length: scaled(2) }, (_, index) => Number(SEED) + index)

describe.each(worlds)('%s', (world) => {
  test.each(seeds)('seed %i', async (seed) => {
    const done = await compareEmulators(seed, world, 60, seed % 3 === 0)
    expect(done.length).toBeGreaterThan(60)
  })
})
