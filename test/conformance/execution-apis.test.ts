// Recorded vectors of ethereum/execution-apis, on their chain, which passes through every fork. They are outside of
// the repository, in the folder TICKCHAIN_CONFORMANCE.
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Chain,
  importChain,
  readChain,
  readVectors,
  runVector,
} from '../../scripts/conformance/vectors.js'
import { createEmulator } from '../../src/index.ts'
import { findFolder } from './folder.ts'

const { directory, isThere, absence } = findFolder('TICKCHAIN_CONFORMANCE', 'execution-apis')
const vectors = isThere ? readVectors(directory) : []

describe.skipIf(!isThere)(`the vectors of execution-apis${absence}`, () => {
  let chain: Chain
  beforeAll(async () => {
    chain = await importChain(directory, createEmulator)
  })

  test('the blocks that are exported are those that were imported, to the byte', async () => {
    expect(Buffer.compare(await chain.exportBlocks(), readChain(directory))).toBe(0)
  })

  test.each(vectors.map((vector) => [`${vector.method}/${vector.name}`, vector] as const))(
    '%s',
    async (_, vector) => {
      expect(await runVector(chain, vector)).toBe(undefined)
    },
  )

  // The vectors of traces ask only for the shape, but geth's answers in them are whole.
  const traces = vectors.filter(({ method, isShapeOnly }) => method.startsWith('debug_trace') && isShapeOnly)
  test.each(traces.map((vector) => [`${vector.method}/${vector.name}`, vector] as const))(
    '%s, to the letter',
    async (_, vector) => {
      expect(await runVector(chain, { ...vector, isShapeOnly: false })).toBe(undefined)
    },
  )
})
