import { expect, test } from 'vitest'
import type { ForkHeader } from '../../../src/core/fork/answers.ts'
import { hardforkOfHeader, knownRulesAt } from '../../../src/core/fork/networks.ts'
import type { HeaderName } from '../../../src/core/rollup/header.ts'

const HASH = `0x${'11'.repeat(32)}` as const

/** A header of a block before london, with other fields. */
function header(fields: Partial<ForkHeader>): ForkHeader {
  return {
    ...{ number: 1, timestamp: 1, hash: HASH, parentHash: HASH, unclesHash: HASH },
    ...{ coinbase: `0x${'11'.repeat(20)}`, stateRoot: HASH, transactionsRoot: HASH, receiptsRoot: HASH },
    ...{ logsBloom: new Uint8Array(256), difficulty: 2n, totalDifficulty: 2n },
    ...{
      gasLimit: 1n,
      gasUsed: 0n,
      extraData: new Uint8Array(),
      prevRandao: HASH,
      nonce: '0x0000000000000000',
    },
    ...{ baseFeePerGas: 0n, withdrawalsRoot: HASH, blobGasUsed: 0n },
    ...{ excessBlobGas: 0n, parentBeaconBlockRoot: HASH, requestsHash: HASH },
    fields: new Set(Object.keys(fields) as HeaderName[]),
    ...fields,
  }
}

const BPO = [
  { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193 },
  { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 },
]

// Blocks on both sides of forks, as the clients of the networks have them (go-ethereum, bor, alloy), the registry of the
// superchain, and the notices of the networks: op-node 1.19.1 (karst), Base (azul), Arbitrum (ArbOS 51), bor (lisovo).
test.each([
  ['mainnet', 1, 4_369_999, 1_508_131_303, 'byzantium'],
  ['mainnet', 1, 7_279_999, 1_551_383_501, 'byzantium'],
  ['mainnet', 1, 7_280_000, 1_551_383_524, 'petersburg'],
  ['mainnet', 1, 9_068_999, 1_575_764_708, 'petersburg'],
  ['mainnet', 1, 9_069_000, 1_575_764_709, 'istanbul'],
  ['mainnet', 1, 12_243_999, 1_618_481_214, 'istanbul'],
  ['mainnet', 1, 12_244_000, 1_618_481_223, 'berlin'],
  ['mainnet', 1, 12_964_999, 1_628_166_812, 'berlin'],
  ['mainnet', 1, 12_965_000, 1_628_166_822, 'london'],
  ['mainnet', 1, 15_537_393, 1_663_224_162, 'london'],
  ['mainnet', 1, 15_537_394, 1_663_224_179, 'paris'],
  ['mainnet', 1, 17_034_869, 1_681_338_443, 'paris'],
  ['mainnet', 1, 17_034_870, 1_681_338_479, 'shanghai'],
  ['mainnet', 1, 19_426_586, 1_710_338_123, 'shanghai'],
  ['mainnet', 1, 19_426_587, 1_710_338_135, 'cancun'],
  ['mainnet', 1, 22_431_083, 1_746_612_299, 'cancun'],
  ['mainnet', 1, 22_431_084, 1_746_612_311, 'prague'],
  ['mainnet', 1, 23_935_693, 1_764_798_539, 'prague'],
  ['mainnet', 1, 23_935_694, 1_764_798_551, 'osaka'],
  ['Sepolia', 11_155_111, 1_450_408, 1_657_107_480, 'london'],
  ['Sepolia', 11_155_111, 1_450_409, 1_657_107_492, 'paris'],
  ['Sepolia', 11_155_111, 2_990_908, 1_677_557_088, 'shanghai'],
  ['Sepolia', 11_155_111, 5_187_023, 1_706_655_072, 'cancun'],
  ['Sepolia', 11_155_111, 7_836_331, 1_741_159_776, 'prague'],
  ['Sepolia', 11_155_111, 9_408_577, 1_760_427_360, 'osaka'],
  ['OP Mainnet', 10, 3_949_999, 1_646_000_000, 'istanbul'],
  ['OP Mainnet', 10, 105_235_062, 1_686_068_901, 'berlin'],
  ['OP Mainnet', 10, 105_235_063, 1_686_068_903, 'paris'],
  ['OP Mainnet', 10, 114_696_812, 1_704_992_401, 'shanghai'],
  ['OP Mainnet', 10, 117_387_812, 1_710_374_401, 'cancun'],
  ['OP Mainnet', 10, 135_603_811, 1_746_806_399, 'cancun'],
  ['OP Mainnet', 10, 135_603_812, 1_746_806_401, 'prague'],
  ['OP Mainnet', 10, 153_963_811, 1_783_526_399, 'prague'],
  ['OP Mainnet', 10, 153_963_812, 1_783_526_401, 'osaka'],
  ['Unichain', 130, 1, 1_730_748_360, 'cancun'],
  ['Unichain', 130, 16_058_242, 1_746_806_401, 'prague'],
  ['Unichain', 130, 52_778_041, 1_783_526_400, 'prague'],
  ['Unichain', 130, 52_778_042, 1_783_526_401, 'osaka'],
  ['Unichain Sepolia', 1301, 18_053_171, 1_744_905_599, 'cancun'],
  ['Unichain Sepolia', 1301, 18_053_172, 1_744_905_600, 'prague'],
  ['Base', 8453, 1, 1_686_789_349, 'paris'],
  ['Base', 8453, 9_101_527, 1_704_992_401, 'shanghai'],
  ['Base', 8453, 11_792_527, 1_710_374_401, 'cancun'],
  ['Base', 8453, 30_008_527, 1_746_806_401, 'prague'],
  ['Base', 8453, 46_600_926, 1_779_991_199, 'prague'],
  ['Base', 8453, 46_600_927, 1_779_991_201, 'osaka'],
  ['Arbitrum One', 42_161, 184_097_478, 1_708_804_872, 'paris'],
  ['Arbitrum One', 42_161, 184_097_479, 1_708_804_873, 'shanghai'],
  ['Arbitrum One', 42_161, 190_301_729, 1_710_424_089, 'cancun'],
  ['Arbitrum One', 42_161, 348_346_855, 1_750_175_999, 'cancun'],
  ['Arbitrum One', 42_161, 348_346_856, 1_750_176_000, 'prague'],
  ['Arbitrum One', 42_161, 418_000_000, 1_767_891_602, 'osaka'],
  ['Polygon', 137, 3_394_999, 1_600_000_000, 'petersburg'],
  ['Polygon', 137, 14_750_000, 1_621_000_000, 'berlin'],
  ['Polygon', 137, 23_850_000, 1_642_000_000, 'london'],
  ['Polygon', 137, 50_522_999, 1_700_000_000, 'london'],
  ['Polygon', 137, 50_523_000, 1_700_000_002, 'shanghai'],
  ['Polygon', 137, 54_876_000, 1_710_000_000, 'cancun'],
  ['Polygon', 137, 73_440_256, 1_751_000_000, 'prague'],
  ['Polygon', 137, 83_756_499, 1_772_000_000, 'prague'],
  ['Polygon', 137, 83_756_500, 1_772_000_002, 'osaka'],
] as const)(
  '%s (%i) at block %i, time %i, has the rules of %s',
  (_, chainId, number, timestamp, hardfork) => {
    expect(knownRulesAt(chainId, header({ number, timestamp }))).toEqual({ hardfork, blobs: undefined })
  },
)

// EIP-8134 and EIP-8135, and go-ethereum 1.16.4 for Sepolia.
test.each([
  ['mainnet', 1, 1_765_290_071, BPO[0]],
  ['mainnet', 1, 1_767_747_670, BPO[0]],
  ['mainnet', 1, 1_767_747_671, BPO[1]],
  ['Sepolia', 11_155_111, 1_761_017_184, BPO[0]],
  ['Sepolia', 11_155_111, 1_761_607_008, BPO[1]],
] as const)('%s (%i) at time %i has the blobs of its schedule', (_, chainId, timestamp, blobs) => {
  const rules = knownRulesAt(chainId, header({ number: 24_000_000, timestamp }))
  expect(rules).toEqual({ hardfork: 'osaka', blobs })
})

test('a network that is not in the table is not known', () => {
  expect(knownRulesAt(999, header({}))).toBeUndefined()
})

test.each([
  ['no base fee', {}, undefined],
  ['a base fee', { baseFeePerGas: 1n }, 'london'],
  ['no difficulty', { baseFeePerGas: 1n, difficulty: 0n }, 'paris'],
  ['withdrawals', { baseFeePerGas: 1n, difficulty: 0n, withdrawalsRoot: HASH }, 'shanghai'],
  ['a beacon root', { baseFeePerGas: 1n, withdrawalsRoot: HASH, parentBeaconBlockRoot: HASH }, 'cancun'],
  ['requests', { baseFeePerGas: 1n, parentBeaconBlockRoot: HASH, requestsHash: HASH }, 'prague'],
] as const)('a header with %s shows its hardfork', (_, fields, hardfork) => {
  expect(hardforkOfHeader(header(fields))).toBe(hardfork)
})
