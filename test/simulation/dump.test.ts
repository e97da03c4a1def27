// Dumps and exports of random chains: a loaded chain is equal to the byte, and continues like the original.
// SEEDS, GROUPS and SEED as in simulation.test.ts.

import { describe, test } from 'vitest'
import { checkOrTell } from './check.ts'
import { checkDump, checkExport } from './reload.ts'
import { simulate } from './simulation.ts'
import { isControlled } from './world.ts'

const { SEED, SEEDS = '9', GROUPS = '40' } = process.env
const seeds = SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, i) => i) : [Number(SEED)]

describe.each(seeds)('seed %i', (seed) => {
  test('a loaded dump is the chain', async () => {
    const { program } = await simulate(seed, Number(GROUPS), 'unchecked')
    await checkOrTell(seed, program, 'dump', checkDump)
  })

  // What was edited does not follow from the blocks.
  test.skipIf(isControlled(seed))('exported blocks are the chain', async () => {
    const { program } = await simulate(seed, Number(GROUPS), 'unchecked')
    await checkOrTell(seed, program, 'export', checkExport)
  })
})
