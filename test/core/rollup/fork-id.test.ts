import { describe, expect, test } from 'vitest'
import { forkIdAt, NO_FORKS } from '../../../src/core/rollup/schedule.ts'

/** Ethereum's mainnet: its genesis, and its forks up to prague. */
const genesis = {
  hash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  timestamp: 0,
} as const
const blocks = [
  1_150_000, 1_920_000, 2_463_000, 2_675_000, 4_370_000, 7_280_000, 9_069_000, 9_200_000, 12_244_000,
  12_965_000, 13_773_000, 15_050_000,
]
const times = [1_681_338_455, 1_710_338_135, 1_746_612_311]

describe('mainnet', () => {
  // The test cases of EIP-2124 and, from shanghai on, of EIP-6122 and geth.
  test.each([
    [0, '0xfc64ec04'],
    [1, '0x97c2c34c'],
    [2, '0x91d1f948'],
    [3, '0x7a64da13'],
    [4, '0x3edd5b10'],
    [5, '0xa00bc324'],
    [6, '0x668db0af'],
    [7, '0x879d6e30'],
    [8, '0xe029e991'],
    [9, '0x0eb440f6'],
    [10, '0xb715077d'],
    [11, '0x20c327fc'],
    [12, '0xf0afd0e3'],
  ])('after %i forks by block', (count, id) => {
    expect(forkIdAt({ blocks: blocks.slice(0, count), times: [] }, genesis, 0)).toBe(id)
  })

  test.each([
    [1_681_338_454, '0xf0afd0e3'],
    [1_681_338_455, '0xdce96c2d'],
    [1_710_338_134, '0xdce96c2d'],
    [1_710_338_135, '0x9f3d2254'],
    [1_746_612_310, '0x9f3d2254'],
    [1_746_612_311, '0xc376cf8b'],
  ])('at %i', (time, id) => {
    expect(forkIdAt({ blocks, times }, genesis, time)).toBe(id)
  })
})

test('a fork that holds from genesis on does not count', () => {
  const late = { ...genesis, timestamp: 1_700_000_000 }
  const early = { blocks: [], times: [1_600_000_000, 1_700_000_000] }
  expect(forkIdAt(early, late, 1_800_000_000)).toBe(forkIdAt(NO_FORKS, late, 1_800_000_000))
})
