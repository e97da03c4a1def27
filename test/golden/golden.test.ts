// The golden digests in the Node that runs this, on the sources.

import { createEmulator } from 'tickchain'
import { createRollup } from 'tickchain/rollup'
import { expect, test } from 'vitest'
import { DIGESTS, EXPECTED } from './digests.ts'
import { digestsOf } from './play.ts'
import { SCENES } from './scenes.ts'

test('the page has a digest of each scene', () => {
  expect(Object.keys(DIGESTS)).toEqual(Object.keys(SCENES))
})

test('they come out with either interpreter', { tags: 'gate' }, async () => {
  expect(await digestsOf({ createEmulator, createRollup })).toEqual(EXPECTED)
})
