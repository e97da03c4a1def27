// Real blocks of OP Sepolia, which a fork at the parent builds from their payload attributes. They are outside of the
// repository, in the folder TICKCHAIN_OP_BLOCKS.
import { describe, expect, test } from 'vitest'
import { opBlockNames, readOpBlock, runOpBlock } from '../../scripts/conformance/op-blocks.js'
import { createEmulator } from '../../src/index.ts'
import { allInLong } from '../size.ts'
import { findFolder } from './folder.ts'

const { directory, isThere, absence } = findFolder('TICKCHAIN_OP_BLOCKS', 'op-blocks')
const names = isThere ? opBlockNames(directory) : []

describe.skipIf(!isThere)(`blocks of the OP stack${absence}`, () => {
  async function expectBlock(name: string, interpreter: 'wasm' | 'reference'): Promise<void> {
    const start = (options: object) => createEmulator({ ...options, interpreter })
    expect(await runOpBlock(start, readOpBlock(directory, name))).toBe(undefined)
  }

  test.each(allInLong(names.slice(0, 1), names))('block %s', { tags: 'gate' }, (name) =>
    expectBlock(name, 'wasm'),
  )

  test.each(allInLong(names.slice(0, 1), names))(
    'block %s on the reference interpreter',
    { tags: 'gate' },
    (name) => expectBlock(name, 'reference'),
  )
})
