// The formulas against the protocol's contracts, executed: L1Block takes our calldata, and GasPriceOracle computes fees.

import fc from 'fast-check'
import {
  bytesToHex,
  concat,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  hexToBytes,
  pad,
  parseAbi,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { stripLeadingZeros } from '../../../../src/core/primitives/hex.ts'
import { fastLzLength } from '../../../../src/core/rollup/op/fast-lz.ts'
import { isOpForkActive, OP_FORKS, type OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { attributesDeposit } from '../../../../src/core/rollup/op/l1-attributes.ts'
import {
  l1Cost,
  operatorFee,
  parametersFromAttributes,
  parametersFromState,
} from '../../../../src/core/rollup/op/l1-costs.ts'
import { OP_PREDEPLOYS } from '../../../../src/core/rollup/op/predeploys.ts'
import type { L1Attributes, L1CostParameters } from '../../../../src/core/rollup/stack.ts'
import { EMPTY_WORLD_STATE, writeStorage } from '../../../../src/core/state/world-state.ts'
import type { Emulator } from '../../../../src/index.ts'
import { opChain, send } from './op-chain.ts'
import { rulesAt } from './rules.ts'
import { BASE_ATTRIBUTES, BASE_TRANSACTION, CONTRACT_CALL } from './vectors.ts'

const ORACLE = parseAbi([
  'function getL1Fee(bytes) view returns (uint256)',
  'function getL1GasUsed(bytes) view returns (uint256)',
  'function getOperatorFee(uint256) view returns (uint256)',
])

/** A chain with the predeploys of a fork, to which a block has told these L1 attributes. */
async function chainWith(fork: OpFork, attributes: L1Attributes): Promise<Emulator> {
  const chain = await opChain(fork)
  const { from, to, data } = attributesDeposit(rulesAt(fork), attributes, rulesAt(fork))
  const receipt = await send(chain, { from, to: to as Hex, data: bytesToHex(data), gas: 1_000_000n })
  expect(receipt).toMatchObject({ status: '0x1' })
  return chain
}

type OracleFunction = (typeof ORACLE)[number]['name']

async function ask(
  chain: Emulator,
  functionName: OracleFunction,
  argument: Uint8Array | bigint,
): Promise<bigint> {
  const args = [typeof argument === 'bigint' ? argument : bytesToHex(argument)] as never
  const data = encodeFunctionData({ abi: ORACLE, functionName, args })
  const result = await chain.request('eth_call', [{ to: OP_PREDEPLOYS.GasPriceOracle, data }, 'latest'])
  return hexToBigInt(result)
}

/** What our formulas read of the storage of L1Block. */
async function storedParameters(chain: Emulator, fork: OpFork): Promise<L1CostParameters> {
  let state = EMPTY_WORLD_STATE
  for (let index = 0; index < 10; index++) {
    const slot = pad(`0x0${index}`)
    const value = await chain.request('eth_getStorageAt', [OP_PREDEPLOYS.L1Block, slot, 'latest'])
    state = writeStorage(state, OP_PREDEPLOYS.L1Block, slot, stripLeadingZeros(hexToBytes(value)))
  }
  return parametersFromState(rulesAt(fork), state)
}

/** Every parameter has another value, with all its bytes set where it is packed. */
const ATTRIBUTES: L1Attributes = {
  origin: {
    number: 18_334_955,
    timestamp: 1_697_121_143,
    hash: `0x${'39'.repeat(32)}`,
    baseFee: 10_419_034_451n,
    blobBaseFee: 987_654_321n,
  },
  sequenceNumber: 4,
  system: {
    batcherHash: pad('0x6887246668a3b87f54deb3b94ba47a6f63f32985'),
    overhead: 188n,
    scalar: 684_000n,
    baseFeeScalar: 0x01020304,
    blobBaseFeeScalar: 0x05060708,
    gasLimit: 30_000_000n,
    eip1559: { denominator: 0, elasticity: 0 },
    operatorFeeScalar: 0x090a0b0c,
    operatorFeeConstant: 0x1112131415161718n,
    minBaseFee: 0n,
    daFootprintGasScalar: 0x1920,
  },
}

/** What the oracle adds to an unsigned transaction before fjord: bytes that are not zero. Bedrock's formula does, too. */
function signatureUnder(fork: OpFork): Uint8Array {
  return new Uint8Array(fork === 'bedrock' ? 0 : 68).fill(0xff)
}

const SAMPLES = [
  ['a zero', '0x00'],
  ['zeros', `0x${'00'.repeat(500)}`],
  ['a transaction of Base', BASE_TRANSACTION],
  ['a contract call', CONTRACT_CALL],
  ['L1 attributes', BASE_ATTRIBUTES],
] as const

/** Bytes that do not compress. */
const PREFIX = Uint8Array.from({ length: 128 }, (_, i) => 128 + i)
const PREFIX_AND_MORE = Uint8Array.from({ length: 193 }, (_, i) => 128 + i)

describe.each(OP_FORKS)('%s', (fork) => {
  let chain: Emulator
  let parameters: L1CostParameters

  beforeAll(async () => {
    chain = await chainWith(fork, ATTRIBUTES)
    parameters = await storedParameters(chain, fork)
    return () => chain.dispose()
  })

  test('L1Block stores what the calldata says', () => {
    const rules = rulesAt(fork)
    const { data } = attributesDeposit(rules, ATTRIBUTES, rules)
    expect(parameters).toEqual(parametersFromAttributes(rules, data))
  })

  if (!isOpForkActive(rulesAt(fork), 'fjord')) {
    test.each(SAMPLES)('the oracle has the L1 data fee of %s', async (_, data) => {
      const signed = concat([hexToBytes(data), signatureUnder(fork)])
      const { fee, gasUsed } = l1Cost(rulesAt(fork), parameters, signed)
      expect(await ask(chain, 'getL1Fee', hexToBytes(data))).toBe(fee)
      expect(await ask(chain, 'getL1GasUsed', hexToBytes(data))).toBe(gasUsed)
    })
  } else {
    // FastLZ makes 132 bytes of 128 different ones, and the oracle adds 68 for the signature; of 193 it makes 200.
    test('the oracle has the L1 data fee of a transaction that is as long', async () => {
      const { fee, gasUsed } = l1Cost(rulesAt(fork), parameters, PREFIX_AND_MORE)
      expect(await ask(chain, 'getL1Fee', PREFIX)).toBe(fee)
      expect(await ask(chain, 'getL1GasUsed', PREFIX)).toBe(gasUsed)
    })
  }

  if (isOpForkActive(rulesAt(fork), 'isthmus')) {
    test.each([0n, 1n, 21_000n, 30_000_000n])('the oracle has the operator fee of %d gas', async (gas) => {
      expect(await ask(chain, 'getOperatorFee', gas)).toBe(operatorFee(rulesAt(fork), parameters, gas))
    })
  }
})

describe('FastLZ', () => {
  /** With 16 × base fee × scalar = 10^12, the fee is the estimated size. */
  const readable: L1Attributes = {
    ...ATTRIBUTES,
    origin: { ...ATTRIBUTES.origin, baseFee: 62_500_000_000n },
    system: { ...ATTRIBUTES.system, baseFeeScalar: 1, blobBaseFeeScalar: 0 },
  }
  let chain: Emulator

  beforeAll(async () => {
    chain = await chainWith('fjord', readable)
    return () => chain.dispose()
  })

  /** Below this length, the oracle's least size hides it. */
  const VISIBLE = 171 - 68

  /** The length that the oracle's LibZip compresses data to. The oracle adds 68 for the signature. */
  async function libZipLength(data: Uint8Array): Promise<number> {
    const size = await ask(chain, 'getL1Fee', data)
    const length = (size + 42_585_600n) / 836_500n
    expect(length * 836_500n - 42_585_600n).toBe(size)
    return Number(length) - 68
  }

  // Every length is visible after this prefix.
  test('the prefix of the samples is visible, and does not compress', async () => {
    expect(fastLzLength(PREFIX)).toBe(132)
    expect(fastLzLength(PREFIX)).toBeGreaterThan(VISIBLE)
    expect(await libZipLength(PREFIX)).toBe(132)
  })

  async function expectEqual(tail: Uint8Array): Promise<void> {
    const data = concat([PREFIX, tail])
    expect(fastLzLength(data)).toBe(await libZipLength(data))
  }

  test('has the length of LibZip after every number of repetitions', { tags: 'gate' }, async () => {
    for (let length = 0; length <= 600; length++) await expectEqual(new Uint8Array(length).fill(7))
  })

  test('has it for every length of a match before others', async () => {
    const other = Uint8Array.from({ length: 40 }, (_, i) => i)
    for (let length = 1; length <= 64; length++) {
      await expectEqual(concat([other.subarray(0, 20), PREFIX.subarray(10, 10 + length), other]))
    }
  })

  test('has it at the farthest distance of a match, and beyond', async () => {
    // Bytes of the prefix, from 40 on, come again after zeros: at a distance of 88 and the number of zeros.
    const again = (distance: number): Uint8Array =>
      concat([
        new Uint8Array(distance - 88),
        PREFIX.subarray(40, 60),
        Uint8Array.from({ length: 30 }, (_, i) => i),
      ])
    for (const distance of [8189, 8190, 8191, 8192, 8193]) await expectEqual(again(distance))
    const length = (distance: number): number => fastLzLength(concat([PREFIX, again(distance)]))
    expect(length(8190)).toBe(length(8191))
    expect(length(8192)).toBeGreaterThan(length(8191))
  })

  test('has it for data of few symbols and repeated parts', { tags: 'gate' }, async () => {
    const symbols = fc.uint8Array({ max: 3, minLength: 0, maxLength: 300 })
    const any = fc.uint8Array({ minLength: 0, maxLength: 60 })
    const repeated = fc
      .record({ part: fc.uint8Array({ minLength: 1, maxLength: 40 }), times: fc.nat(30) })
      .map(({ part, times }) => concat(Array.from({ length: times }, () => part)))
    const sixteen = fc.uint8Array({ max: 15, minLength: 100, maxLength: 900 })
    const parts = fc.array(fc.oneof(symbols, sixteen, any, repeated), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(parts, async (list) => {
        await expectEqual(concat(list.length === 0 ? [new Uint8Array(0)] : list))
      }),
      { seed: 15, numRuns: 300 },
    )
  })
})
