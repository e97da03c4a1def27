// extraData and base fees of OP-stack blocks.

import { type Hex, hexToBytes, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { nextBaseFee } from '../../../../src/core/rollup/fees.ts'
import { decodeExtraData, encodeExtraData, nextOpBaseFee } from '../../../../src/core/rollup/op/extra-data.ts'
import type { OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { PLAIN, rulesAt } from './rules.ts'

const NONE = { eip1559: { denominator: 0, elasticity: 0 }, minBaseFee: 0n }

describe('extraData', () => {
  test.each([
    // op-geth, MinBaseFee tests; Base's tests of the payload builder.
    ['jovian', { denominator: 8, elasticity: 8 }, 257n, '0x0100000008000000080000000000000101'],
    // Base, in the middle of 2026.
    ['jovian', { denominator: 100, elasticity: 5 }, 5_000_000n, '0x01000000640000000500000000004c4b40'],
    ['jovian', { denominator: 1, elasticity: 1 }, 0n, '0x0100000001000000010000000000000000'],
    ['isthmus', { denominator: 250, elasticity: 4 }, 257n, '0x00000000fa00000004'],
    ['holocene', { denominator: 4_294_967_295, elasticity: 1 }, 0n, '0x00ffffffff00000001'],
    ['granite', { denominator: 250, elasticity: 4 }, 257n, '0x'],
    ['bedrock', { denominator: 250, elasticity: 4 }, 257n, '0x'],
  ] as const)('of %s, %o and %d is right, and read back', (fork, eip1559, minBaseFee, bytes) => {
    expect(toHex(encodeExtraData(rulesAt(fork), { eip1559, minBaseFee }))).toBe(bytes)
    const isEmpty = bytes === '0x'
    expect(decodeExtraData(rulesAt(fork), hexToBytes(bytes))).toEqual(
      isEmpty
        ? undefined
        : {
            eip1559: { denominator: BigInt(eip1559.denominator), elasticity: BigInt(eip1559.elasticity) },
            minBaseFee: fork === 'jovian' ? minBaseFee : 0n,
          },
    )
  })

  test.each([
    ['holocene', '0x00000000fa00000006'],
    ['jovian', '0x01000000fa000000060000000000000000'],
  ] as const)('of %s has the parameters of the chain where the system sets none', (fork, bytes) => {
    expect(toHex(encodeExtraData(rulesAt(fork, { denominator: 250n, elasticity: 6n }), NONE))).toBe(bytes)
  })

  test('of another chain is empty', () => {
    expect(toHex(encodeExtraData(PLAIN, NONE))).toBe('0x')
  })

  test('is read from any place', () => {
    const room = hexToBytes('0xffff0100000008000000080000000000000101ffff')
    expect(decodeExtraData(rulesAt('jovian'), room.subarray(2, 19))).toEqual({
      eip1559: { denominator: 8n, elasticity: 8n },
      minBaseFee: 257n,
    })
  })

  test.each([
    ['canyon', '0x00', 'extraData must be empty before holocene'],
    ['holocene', '0x', 'holocene extraData should be 9 bytes, got 0'],
    ['holocene', '0x00000000fa000000', 'holocene extraData should be 9 bytes, got 8'],
    ['holocene', '0x01000000fa000000060000000000000000', 'holocene extraData should be 9 bytes, got 17'],
    ['holocene', '0x01000000fa00000006', 'holocene extraData version byte should be 0, got 1'],
    ['jovian', '0x00000000fa00000006', 'jovian extraData should be 17 bytes, got 9'],
    ['jovian', '0x00000000fa000000060000000000000000', 'jovian extraData version byte should be 1, got 0'],
    ['jovian', `0x01${'00'.repeat(17)}`, 'jovian extraData should be 17 bytes, got 18'],
    ['holocene', '0x000000000000000006', 'holocene extraData must have a denominator of at least 1'],
    ['holocene', '0x000000000600000000', 'holocene extraData must have an elasticity of at least 1'],
    ['jovian', `0x01${'00'.repeat(16)}`, 'jovian extraData must have a denominator of at least 1'],
  ] as const)('of %s that is %s is refused', (fork, bytes, message) => {
    expect(() => decodeExtraData(rulesAt(fork), hexToBytes(bytes))).toThrow(
      expect.objectContaining({ kind: 'invalidExtraData', message }),
    )
  })
})

interface Parent {
  readonly fork: OpFork
  readonly baseFeePerGas: bigint
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  readonly blobGasUsed?: bigint
  readonly extraData?: Hex
}

function after(
  { fork, extraData = '0x', blobGasUsed = 0n, ...header }: Parent,
  rules = rulesAt(fork),
): bigint {
  const parent = { ...header, blobGasUsed, extraData: hexToBytes(extraData) }
  return nextOpBaseFee(rules, { rules: rulesAt(fork), header: parent })
}

const GWEI = 1_000_000_000n
const MILLION = 1_000_000n

describe('the base fee after a block', () => {
  // op-geth, TestCalcBaseFeeOptimism: elasticity 6, denominator 50, and 250 since canyon.
  test.each([
    [5_000_000n, 50n, 1_000_000_000n],
    [4_000_000n, 50n, 996_000_000n],
    [10_000_000n, 50n, 1_020_000_000n],
    [5_000_000n, 250n, 1_000_000_000n],
    [4_000_000n, 250n, 999_200_000n],
    [10_000_000n, 250n, 1_004_000_000n],
  ])('before holocene, with %d used and a denominator of %d, is %d', (gasUsed, denominator, next) => {
    const rules = rulesAt('canyon', { denominator, elasticity: 6n })
    expect(after({ fork: 'canyon', baseFeePerGas: GWEI, gasLimit: 30n * MILLION, gasUsed }, rules)).toBe(next)
  })

  test('before holocene, does not read the extraData of a genesis file', () => {
    const parent = {
      fork: 'canyon',
      baseFeePerGas: GWEI,
      gasLimit: 30n * MILLION,
      gasUsed: 5n * MILLION,
    } as const
    // "BEDROCK", the extraData of the first block of OP Mainnet after its migration.
    expect(after({ ...parent, extraData: '0x424544524f434b' })).toBe(GWEI)
  })

  test('since holocene, needs the extraData of the parent', () => {
    const parent = { fork: 'holocene', baseFeePerGas: GWEI, gasLimit: 30n * MILLION, gasUsed: 0n } as const
    expect(() => after(parent)).toThrow('holocene extraData should be 9 bytes, got 0')
  })

  test('at the activation of holocene has the parameters of the chain still', () => {
    const parent: Parent = {
      fork: 'granite',
      baseFeePerGas: GWEI,
      gasLimit: 30n * MILLION,
      gasUsed: 4n * MILLION,
    }
    expect(after(parent, rulesAt('holocene', { denominator: 250n, elasticity: 6n }))).toBe(999_200_000n)
  })

  // op-geth, TestCalcBaseFeeOptimismHolocene.
  test.each([
    [15_000_000n, 10, 2, 10_000_000n],
    [10_000_000n, 10, 2, 9_666_667n],
    [20_000_000n, 10, 2, 10_333_333n],
    [3_000_000n, 2, 10, 10_000_000n],
    [1_000_000n, 2, 10, 6_666_667n],
    [30_000_000n, 2, 10, 55_000_000n],
  ])(
    'with %d used, a denominator of %d and an elasticity of %d, is %d',
    (gasUsed, denominator, elasticity, next) => {
      const extraData = toHex(
        encodeExtraData(rulesAt('holocene'), { eip1559: { denominator, elasticity }, minBaseFee: 0n }),
      )
      const header = { baseFeePerGas: 10n * MILLION, gasLimit: 30n * MILLION, gasUsed, extraData }
      expect(after({ fork: 'holocene', ...header })).toBe(next)
      expect(after({ fork: 'isthmus', ...header })).toBe(next)
    },
  )

  // op-geth, TestCalcBaseFeeMinBaseFee: denominator 50, elasticity 3.
  test.each([
    [1n, 10_000_000n, GWEI, GWEI],
    [1n, 11_000_000n, GWEI, GWEI],
    [2n * GWEI, 20_000_000n, GWEI, 2_040_000_000n],
    [1n, 9_000_000n, GWEI, GWEI],
    [2_097_152n, 9_000_000n, 2_000_000n, 2_092_958n],
  ])(
    'of base fee %d and %d used, with a minimum of %d, is %d',
    (baseFeePerGas, gasUsed, minBaseFee, next) => {
      const extraData = toHex(
        encodeExtraData(rulesAt('jovian'), { eip1559: { denominator: 50, elasticity: 3 }, minBaseFee }),
      )
      const header = { baseFeePerGas, gasLimit: 30n * MILLION, gasUsed, extraData }
      expect(after({ fork: 'jovian', ...header })).toBe(next)
    },
  )

  // Target 15,000,000; denominator 10: a distance of 5,000,000 is a thirtieth of the fee, one of 15,000,000 a tenth.
  test.each([
    [20_000_000n, 1_000_000n, 30_000_000n + 1_000_000n],
    [1_000_000n, 20_000_000n, 30_000_000n + 1_000_000n],
    [0n, 30_000_000n, 30_000_000n + 3_000_000n],
    [0n, 15_000_000n, 30_000_000n],
  ])('of jovian goes by the larger of gas (%d) and DA footprint (%d)', (gasUsed, blobGasUsed, next) => {
    const header = { baseFeePerGas: 30n * MILLION, gasLimit: 30n * MILLION, gasUsed, blobGasUsed }
    const extraData = '0x010000000a000000020000000000000000'
    expect(after({ fork: 'jovian', ...header, extraData })).toBe(next)
  })

  test('of isthmus does not go by blob gas', () => {
    const header = { baseFeePerGas: 30n * MILLION, gasLimit: 30n * MILLION, gasUsed: 20n * MILLION }
    const extraData = '0x000000000a00000002'
    expect(after({ fork: 'isthmus', ...header, blobGasUsed: 30n * MILLION, extraData })).toBe(31n * MILLION)
  })

  test('of another chain is that of EIP-1559', () => {
    const header = { baseFeePerGas: GWEI, gasLimit: 30n * MILLION, gasUsed: 30n * MILLION }
    const parent = { rules: PLAIN, header: { ...header, blobGasUsed: 0n, extraData: new Uint8Array(0) } }
    expect(nextOpBaseFee(PLAIN, parent)).toBe(nextBaseFee(header))
    expect(nextBaseFee(header)).toBe(1_125_000_000n)
  })
})
