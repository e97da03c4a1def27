// More random programs on the build for coverage than covering.test.ts has.

import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../src/primitives/crypto.ts'
import { makeCallTree } from './call-trees.ts'
import { expectSameCalls } from './covered-calls.ts'

beforeAll(loadCrypto)

test('1,000 random programs have the same effects when the module makes calls', {
  timeout: 600_000,
}, async () => {
  expect(await expectSameCalls(29, 1000)).toBeGreaterThan(500)
})

test('1,000 random trees of calls have the same effects when the module makes them', {
  timeout: 600_000,
}, async () => {
  expect(await expectSameCalls(31, 1000, makeCallTree)).toBe(1000)
})
