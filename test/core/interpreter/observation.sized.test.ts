// Observers of random programs are told the same by both interpreters.

import { beforeAll, expect, test } from 'vitest'
import { canBegin, createRunner } from '../../../scripts/fuzz/execute.js'
import { FORKS } from '../../../scripts/fuzz/opcodes.js'
import { recordingDifferences, recordingOf } from '../../../scripts/fuzz/recording.js'
import { makeCase } from '../../../scripts/fuzz/world.js'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { sampled, scaled } from '../../size.ts'
import { library } from './library.ts'

beforeAll(loadCrypto)

const runners = { wasm: createRunner(library, 'wasm'), reference: createRunner(library, 'reference') }

test.each(sampled(FORKS))('both interpreters tell the same under %s', { tags: 'gate' }, async (fork) => {
  let count = 0
  for (let number = 0; number < scaled(12); number++) {
    const that = makeCase(5, number, fork)
    if (that.isDeep || !canBegin(runners.reference, that)) continue
    expect(await recordingDifferences(runners.reference, runners.wasm, that), `case ${number}`).toEqual([])
    count += (await recordingOf(runners.wasm, that, 'steps')).length
  }
  expect(count).toBeGreaterThan(scaled(100))
})
