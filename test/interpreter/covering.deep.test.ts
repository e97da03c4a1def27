// More random programs on the build for coverage than covering.test.ts has.

import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../src/primitives/crypto.ts'
import { makeCallTree } from './call-trees.ts'
import { expectSameCalls } from './covered-calls.ts'

beforeAll(loadCrypto)

test('600 random programs have the same effects when the module makes calls', {
  timeout: 600_000,
}, async () => {
  expect(await expectSameCalls(29, 600)).toBeGreaterThan(300)
})

test('600 random trees of calls have the same effects when the module makes them', {
  timeout: 600_000,
}, async () => {
  expect(await expectSameCalls(31, 600, makeCallTree)).toBe(600)
})
