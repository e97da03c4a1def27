// The calldata of L1 attributes deposits: recorded ones, and those of every fork and activation.

import {
  concat,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  pad,
  parseAbi,
  toFunctionSelector,
  toHex,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { decodeDeposit, encodeDeposit } from '../../../../src/core/rollup/deposit.ts'
import { OP_FORKS, type OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { attributesDeposit, readAttributes } from '../../../../src/core/rollup/op/l1-attributes.ts'
import type { L1Attributes, ReadAttributes } from '../../../../src/core/rollup/stack.ts'
import { rulesAt } from './rules.ts'
import { BEDROCK_ATTRIBUTES, ECOTONE_ATTRIBUTES, ISTHMUS_ATTRIBUTES, JOVIAN_ATTRIBUTES } from './vectors.ts'

beforeAll(loadCrypto)

/** What is set by no calldata. */
const UNSEEN = { gasLimit: 60_000_000n, eip1559: { denominator: 8, elasticity: 2 }, minBaseFee: 7n }

/** The recorded deposits by their forks, and what block explorers show of their calldata. */
const RECORDED: readonly (readonly [fork: OpFork, raw: Hex, ReadAttributes])[] = [
  [
    'bedrock',
    BEDROCK_ATTRIBUTES,
    {
      form: 'bedrock',
      origin: {
        number: 0x805765,
        timestamp: 0x63d96d10,
        baseFee: 0x9f352n,
        blobBaseFee: 0n,
        hash: '0x73d89754a1e0387b89520d989d3be9c37c1f32495a88faf1ea05c61121ab0d19',
      },
      sequenceNumber: 1,
      system: {
        batcherHash: pad('0x2d679b567db6187c0c8323fa982cfb88b74dbcc7'),
        overhead: 2100n,
        scalar: 1_000_000n,
        // The low 32 bits, because the highest byte says version 0 (op-node, EcotoneScalars).
        baseFeeScalar: 1_000_000,
        blobBaseFeeScalar: 0,
        operatorFeeScalar: 0,
        operatorFeeConstant: 0n,
        daFootprintGasScalar: 0,
      },
    },
  ],
  [
    'fjord',
    ECOTONE_ATTRIBUTES,
    {
      form: 'ecotone',
      origin: {
        number: 0x77dbd4,
        timestamp: 0x67cb7cb0,
        baseFee: 10n,
        blobBaseFee: 1n,
        hash: '0x4edd27304108914dd6503b19b9eeb9956982ef197febbeeed8a9eac3dbaaabdf',
      },
      sequenceNumber: 4,
      system: {
        batcherHash: pad('0xfc56e7272eebbba5bc6c544e159483c4a38f8ba3'),
        overhead: 0n,
        scalar: 0n,
        baseFeeScalar: 1101,
        blobBaseFeeScalar: 659_851,
        operatorFeeScalar: 0,
        operatorFeeConstant: 0n,
        daFootprintGasScalar: 0,
      },
    },
  ],
  [
    'isthmus',
    ISTHMUS_ATTRIBUTES,
    {
      form: 'isthmus',
      origin: {
        number: 23_013_247,
        timestamp: 1_753_652_579,
        baseFee: 222_473_257n,
        blobBaseFee: 1n,
        hash: '0xabf52777e63959936b1bf633a2a643f0da38d63deffe49452fed1bf8a44975d5',
      },
      sequenceNumber: 2,
      system: {
        batcherHash: pad('0x5050f69a9786f081509234f1a7f4684b5e5b76c9'),
        overhead: 0n,
        scalar: 0n,
        baseFeeScalar: 2269,
        blobBaseFeeScalar: 1_055_762,
        operatorFeeScalar: 0,
        operatorFeeConstant: 0n,
        daFootprintGasScalar: 0,
      },
    },
  ],
  [
    'jovian',
    JOVIAN_ATTRIBUTES,
    {
      form: 'jovian',
      origin: {
        number: 0x18a14c1,
        timestamp: 0x6a8c7d6f,
        baseFee: 0x148b44d7bn,
        blobBaseFee: 0x105a1b60n,
        hash: '0x76a922ba7a2d7a24b78e04f20b2349f94b59f18ab3e746ee2e3ba16999717a8d',
      },
      sequenceNumber: 5,
      system: {
        batcherHash: pad('0x5050f69a9786f081509234f1a7f4684b5e5b76c9'),
        overhead: 0n,
        scalar: 0n,
        baseFeeScalar: 2269,
        blobBaseFeeScalar: 1_055_762,
        operatorFeeScalar: 0,
        operatorFeeConstant: 0n,
        daFootprintGasScalar: 148,
      },
    },
  ],
]

describe('a recorded L1 attributes deposit', () => {
  test.each(RECORDED)('of %s is read', (_, raw, expected) => {
    expect(readAttributes(decodeDeposit(hexToBytes(raw)).data)).toEqual(expected)
  })

  test.each(RECORDED)(
    'of %s is what we make of its content',
    (fork, raw, { origin, sequenceNumber, system }) => {
      const attributes: L1Attributes = { origin, sequenceNumber, system: { ...system, ...UNSEEN } }
      expect(toHex(encodeDeposit(attributesDeposit(rulesAt(fork), attributes, rulesAt(fork))))).toBe(raw)
    },
  )
})

/** Every field has another value. */
const ATTRIBUTES: L1Attributes = {
  origin: {
    number: 101,
    timestamp: 1_700_000_000,
    hash: `0x${'ab'.repeat(32)}`,
    baseFee: 7n,
    blobBaseFee: 9n,
  },
  sequenceNumber: 3,
  system: {
    batcherHash: pad('0x6887246668a3b87f54deb3b94ba47a6f63f32985'),
    overhead: 188n,
    scalar: 684_000n,
    baseFeeScalar: 1368,
    blobBaseFeeScalar: 810_949,
    operatorFeeScalar: 4_294_967_295,
    operatorFeeConstant: 2n ** 64n - 1n,
    daFootprintGasScalar: 65_535,
    ...UNSEEN,
  },
}

const BEDROCK_ABI = parseAbi([
  'function setL1BlockValues(uint64 number, uint64 timestamp, uint256 basefee, bytes32 hash, uint64 sequenceNumber, bytes32 batcherHash, uint256 l1FeeOverhead, uint256 l1FeeScalar)',
])

/** The calldata of the forms, put together by viem. */
function calldata(form: 'bedrock' | 'ecotone' | 'isthmus' | 'jovian', daScalar = 65_535): Hex {
  const { origin, sequenceNumber, system } = ATTRIBUTES
  if (form === 'bedrock') {
    return encodeFunctionData({
      abi: BEDROCK_ABI,
      args: [
        BigInt(origin.number),
        BigInt(origin.timestamp),
        origin.baseFee,
        origin.hash,
        BigInt(sequenceNumber),
        system.batcherHash,
        system.overhead,
        system.scalar,
      ],
    })
  }
  const name = `${form.charAt(0).toUpperCase()}${form.slice(1)}`
  return concat([
    toFunctionSelector(`function setL1BlockValues${name}()`),
    toHex(system.baseFeeScalar, { size: 4 }),
    toHex(system.blobBaseFeeScalar, { size: 4 }),
    toHex(sequenceNumber, { size: 8 }),
    toHex(origin.timestamp, { size: 8 }),
    toHex(origin.number, { size: 8 }),
    toHex(origin.baseFee, { size: 32 }),
    toHex(origin.blobBaseFee, { size: 32 }),
    origin.hash,
    system.batcherHash,
    ...(form === 'ecotone'
      ? []
      : [toHex(system.operatorFeeScalar, { size: 4 }), toHex(system.operatorFeeConstant, { size: 8 })]),
    ...(form === 'jovian' ? [toHex(daScalar, { size: 2 })] : []),
  ])
}

describe('the form of the calldata', () => {
  test.each([
    ['bedrock', 'bedrock'],
    ['regolith', 'bedrock'],
    ['canyon', 'bedrock'],
    ['ecotone', 'ecotone'],
    ['fjord', 'ecotone'],
    ['granite', 'ecotone'],
    ['holocene', 'ecotone'],
    ['isthmus', 'isthmus'],
    ['jovian', 'jovian'],
  ] as const)('of %s is that of %s', (fork, form) => {
    const { data } = attributesDeposit(rulesAt(fork), ATTRIBUTES, rulesAt(fork))
    expect(toHex(data)).toBe(calldata(form))
  })

  test.each([
    ['canyon', 'ecotone', 'bedrock'],
    ['ecotone', 'fjord', 'ecotone'],
    ['holocene', 'isthmus', 'ecotone'],
    ['isthmus', 'jovian', 'isthmus'],
    // Several forks at once.
    ['canyon', 'jovian', 'bedrock'],
    ['fjord', 'jovian', 'ecotone'],
  ] as const)('after %s, in the block that activates %s, is that of %s', (before, fork, form) => {
    const { data } = attributesDeposit(rulesAt(fork), ATTRIBUTES, rulesAt(before))
    expect(toHex(data)).toBe(calldata(form))
  })

  test('has 400 for a DA footprint gas scalar of zero', () => {
    const system = { ...ATTRIBUTES.system, daFootprintGasScalar: 0 }
    const { data } = attributesDeposit(rulesAt('jovian'), { ...ATTRIBUTES, system }, rulesAt('jovian'))
    expect(toHex(data)).toBe(calldata('jovian', 400))
  })

  test('of two blocks of an origin differs in the sequence number', () => {
    const next = { ...ATTRIBUTES, sequenceNumber: 2 ** 40 + 1 }
    const { data } = attributesDeposit(rulesAt('jovian'), next, rulesAt('jovian'))
    const expected = hexToBytes(calldata('jovian'))
    expected.set([0, 0, 1, 0, 0, 0, 0, 1], 12)
    expect(toHex(data)).toBe(toHex(expected))
  })
})

describe('the deposit', () => {
  test.each(OP_FORKS)('of %s is of the system before regolith only, where it had more gas', (fork) => {
    const { gasLimit, isSystem } = attributesDeposit(rulesAt(fork), ATTRIBUTES, rulesAt(fork))
    expect({ gasLimit, isSystem }).toEqual(
      fork === 'bedrock'
        ? { gasLimit: 150_000_000n, isSystem: true }
        : { gasLimit: 1_000_000n, isSystem: false },
    )
  })

  test('that activates regolith is not of the system any more', () => {
    const { gasLimit, isSystem } = attributesDeposit(rulesAt('regolith'), ATTRIBUTES, rulesAt('bedrock'))
    expect({ gasLimit, isSystem }).toEqual({ gasLimit: 1_000_000n, isSystem: false })
  })
})

describe('calldata', () => {
  test.each(['bedrock', 'ecotone', 'isthmus', 'jovian'] as const)(
    'of the form of %s is read from any place',
    (form) => {
      const data = hexToBytes(calldata(form))
      const room = new Uint8Array(data.length + 9).fill(0xee)
      room.set(data, 5)
      const read = readAttributes(room.subarray(5, 5 + data.length))
      expect(read).toEqual(readAttributes(data))
      expect(read.form).toBe(form)
      expect(read.origin).toEqual({ ...ATTRIBUTES.origin, blobBaseFee: form === 'bedrock' ? 0n : 9n })
      expect(read.sequenceNumber).toBe(3)
    },
  )

  test.each([
    ['nothing', '0x', 'L1 attributes: unknown selector'],
    ['three bytes', '0x3db6be', 'L1 attributes: unknown selector'],
    ['another function', `0x${'12'.repeat(178)}`, 'L1 attributes: unknown selector'],
    ['a selector alone', '0x440a5e20', 'L1 attributes: expected 164 bytes, got 4'],
    ['a byte less', calldata('bedrock').slice(0, -2) as Hex, 'L1 attributes: expected 260 bytes, got 259'],
    ['a byte more', `${calldata('isthmus')}00`, 'L1 attributes: expected 176 bytes, got 177'],
    ['two bytes less', calldata('jovian').slice(0, -4) as Hex, 'L1 attributes: expected 178 bytes, got 176'],
  ] as const)('of %s is refused', (_, data, message) => {
    expect(() => readAttributes(hexToBytes(data))).toThrow(
      expect.objectContaining({ kind: 'undecodableTransaction', message }),
    )
  })
})
