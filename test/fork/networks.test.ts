import { expect, test } from 'vitest'
import type { ForkHeader } from '../../src/fork/header-fields.ts'
import { hardforkAt } from '../../src/fork/networks.ts'

const HASH = `0x${'11'.repeat(32)}` as const

/** A header of a block before london, with other fields. */
function header(fields: Partial<ForkHeader>): ForkHeader {
  return {
    ...{ number: 1, timestamp: 1, hash: HASH, parentHash: HASH, unclesHash: HASH },
    ...{ coinbase: `0x${'11'.repeat(20)}`, stateRoot: HASH, transactionsRoot: HASH, receiptsRoot: HASH },
    ...{ logsBloom: new Uint8Array(256), difficulty: 2n, totalDifficulty: undefined },
    ...{ gasLimit: 1n, gasUsed: 0n, extraData: new Uint8Array(), mixHash: HASH, nonce: undefined },
    ...{ baseFeePerGas: undefined, withdrawalsRoot: undefined, blobGasUsed: undefined },
    ...{ excessBlobGas: undefined, parentBeaconBlockRoot: undefined, requestsHash: undefined },
    ...fields,
  }
}

// Blocks on both sides of forks, as the clients of the networks have them (go-ethereum, bor, alloy).
test.each([
  ['mainnet', 1, 12_964_999, 1_628_166_812, 'berlin'],
  ['mainnet', 1, 12_965_000, 1_628_166_822, 'london'],
  ['mainnet', 1, 15_537_393, 1_663_224_162, 'london'],
  ['mainnet', 1, 15_537_394, 1_663_224_179, 'paris'],
  ['mainnet', 1, 17_034_869, 1_681_338_443, 'paris'],
  ['mainnet', 1, 17_034_870, 1_681_338_479, 'shanghai'],
  ['mainnet', 1, 19_426_586, 1_710_338_123, 'shanghai'],
  ['mainnet', 1, 19_426_587, 1_710_338_135, 'cancun'],
  ['mainnet', 1, 22_431_084, 1_746_612_311, 'prague'],
  ['Sepolia', 11_155_111, 2_990_908, 1_677_557_088, 'shanghai'],
  ['Sepolia', 11_155_111, 5_187_023, 1_706_655_072, 'cancun'],
  ['Polygon', 137, 50_522_999, 1_700_000_000, 'london'],
  ['Polygon', 137, 54_876_000, 1_710_000_000, 'cancun'],
  ['Arbitrum One', 42_161, 184_097_478, 1_708_804_872, 'paris'],
  ['Arbitrum One', 42_161, 190_301_729, 1_710_424_089, 'cancun'],
] as const)(
  '%s (%i) at block %i, time %i, has the rules of %s',
  (_, chainId, number, timestamp, hardfork) => {
    expect(hardforkAt(chainId, header({ number, timestamp }))).toBe(hardfork)
  },
)

test.each([
  ['no base fee', {}, 'berlin'],
  ['a base fee', { baseFeePerGas: 1n }, 'london'],
  ['no difficulty', { baseFeePerGas: 1n, difficulty: 0n }, 'paris'],
  ['withdrawals', { baseFeePerGas: 1n, difficulty: 0n, withdrawalsRoot: HASH }, 'shanghai'],
  ['a beacon root', { baseFeePerGas: 1n, withdrawalsRoot: HASH, parentBeaconBlockRoot: HASH }, 'cancun'],
  ['requests', { baseFeePerGas: 1n, parentBeaconBlockRoot: HASH, requestsHash: HASH }, 'prague'],
] as const)('an unknown network whose header has %s', (_, fields, hardfork) => {
  expect(hardforkAt(999, header(fields))).toBe(hardfork)
})
