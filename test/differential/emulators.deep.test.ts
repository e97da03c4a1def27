// Random commands on both interpreters, more with `SEED=100 SEEDS=20 WORLDS=fork,op`.

import { describe, expect, test } from 'vitest'
import { compareEmulators, WORLDS, type World } from './emulators.ts'

const { SEED = '1', SEEDS = '3', WORLDS: only } = process.env
const worlds = only === undefined ? WORLDS : (only.split(',') as World[])
const seeds = Array.from({ length: Number(SEEDS) }, (_, index) => Number(SEED) + index)

describe.each(worlds)('%s', (world) => {
  test.each(seeds)('seed %i', async (seed) => {
    const done = await compareEmulators(seed, world, 60, seed % 3 === 0)
    expect(done.length).toBeGreaterThan(60)
  })
})
