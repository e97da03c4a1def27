// geth's tracer vectors: the accounts before, a block, a transaction, and its trace. They are outside of the repository,
// in the folder TICKCHAIN_TRACERS.
import { describe, expect, test } from 'vitest'
import { readTraceVectors, runTraceVector } from '../../scripts/conformance/traces.js'
import { createEmulator } from '../../src/index.ts'
import { findFolder } from './folder.ts'

const { directory, isThere, absence } = findFolder('TICKCHAIN_TRACERS', 'tracers')
const vectors = isThere ? readTraceVectors(directory) : []

/**
 * Vectors that differ, and how. Before homestead a creation whose code is not paid for returns it all the same; the EVM
 * of @ethereumjs drops it.
 */
const DIFFERENT: ReadonlyMap<string, RegExp> = new Map([
  [
    'call_tracer_withLog/frontier_create_outofstorage',
    /^result\.output: expected "0x6060[0-9a-f]*", got undefined$/,
  ],
])

describe.skipIf(!isThere)(`the tracer vectors of go-ethereum${absence}`, () => {
  test.each(vectors.map((vector) => [`${vector.folder}/${vector.name}`, vector] as const))(
    '%s',
    async (name, vector) => {
      const found = await runTraceVector(createEmulator, vector)
      const known = DIFFERENT.get(name)
      if (known === undefined) expect(found).toBe(undefined)
      else expect(found).toMatch(known)
    },
  )
})
