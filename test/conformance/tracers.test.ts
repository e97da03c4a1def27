// geth's tracer vectors: the accounts before, a block, a transaction, and its trace. They are outside of the repository,
// in the folder TICKCHAIN_TRACERS.
import { describe, expect, test } from 'vitest'
import { readTraceVectors, runTraceVector } from '../../scripts/conformance/traces.js'
import { createEmulator } from '../../src/index.ts'
import { findFolder } from './folder.ts'

const { directory, isThere, absence } = findFolder('TICKCHAIN_TRACERS', 'tracers')
const vectors = isThere ? readTraceVectors(directory) : []

describe.skipIf(!isThere)(`the tracer vectors of go-ethereum${absence}`, () => {
  test.each(vectors.map((vector) => [`${vector.folder}/${vector.name}`, vector] as const))(
    '%s',
    async (_, vector) => {
      expect(await runTraceVector(createEmulator, vector)).toBe(undefined)
    },
  )
})
