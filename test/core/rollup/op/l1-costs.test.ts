// L1 data fee, operator fee and DA footprint: op-geth's and Base's vectors, and hand calculations.

import { concat, type Hex, hexToBytes, keccak256, numberToHex, pad, toRlp } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { stripLeadingZeros } from '../../../../src/core/primitives/hex.ts'
import { encodeDeposit } from '../../../../src/core/rollup/deposit.ts'
import type { OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { attributesDeposit, readAttributes } from '../../../../src/core/rollup/op/l1-attributes.ts'
import {
  daFootprint,
  l1Cost,
  operatorFee,
  parametersFromAttributes,
  parametersFromState,
} from '../../../../src/core/rollup/op/l1-costs.ts'
import { OP_PREDEPLOYS } from '../../../../src/core/rollup/op/predeploys.ts'
import type { L1Attributes, L1CostParameters } from '../../../../src/core/rollup/stack.ts'
import { EMPTY_WORLD_STATE, type WorldState, writeStorage } from '../../../../src/core/state/world-state.ts'
import { PLAIN, rulesAt } from './rules.ts'
import { BASE_ATTRIBUTES, BASE_TRANSACTION, CONTRACT_CALL, ECOTONE_ATTRIBUTES } from './vectors.ts'

beforeAll(loadCrypto)

const MILLION = 1_000_000n

/** Those of op-geth's tests, with an operator fee and a DA footprint. */
const PARAMETERS: L1CostParameters = {
  isBeforeEcotone: false,
  l1BaseFee: 1000n * MILLION,
  l1BlobBaseFee: 10n * MILLION,
  overhead: 50n,
  scalar: 7n * MILLION,
  baseFeeScalar: 2n,
  blobBaseFeeScalar: 3n,
  operatorFeeScalar: 1000n,
  operatorFeeConstant: 10n,
  daFootprintGasScalar: 400n,
}
const BEDROCK: L1CostParameters = { ...PARAMETERS, isBeforeEcotone: true }

/** op-geth's `emptyTx`: 30 bytes, of which none is zero. */
const EMPTY_TRANSACTION = hexToBytes(
  toRlp(['0x', '0x', '0x', '0x095e7baea6a6c7c4c2dfeb977efac326af552d87', '0x', '0x', '0x', '0x', '0x']),
)

describe('the L1 data fee', () => {
  test.each([
    // op-geth, rollup_cost_test.go.
    ['bedrock', BEDROCK, 11_326_000_000_000n, 1618n],
    ['regolith', BEDROCK, 3_710_000_000_000n, 530n],
    ['canyon', BEDROCK, 3_710_000_000_000n, 530n],
    ['ecotone', PARAMETERS, 960_900n, 480n],
    ['fjord', PARAMETERS, 3_203_000n, 1600n],
    ['jovian', PARAMETERS, 3_203_000n, 1600n],
    // In the blocks that activate ecotone, and ecotone and fjord at once.
    ['ecotone', BEDROCK, 3_710_000_000_000n, 530n],
    ['fjord', BEDROCK, 3_710_000_000_000n, 530n],
  ] as const)("of op-geth's empty transaction under %s is op-geth's", (fork, parameters, fee, gasUsed) => {
    expect(EMPTY_TRANSACTION.length).toBe(30)
    expect(l1Cost(rulesAt(fork), parameters, EMPTY_TRANSACTION)).toEqual({ fee, gasUsed })
  })

  // Before fjord, a zero byte counts 4 and another one 16: 2 × 4 + 1 × 16 = 24.
  test.each([
    // (24 + 68 × 16 + 50) × 1000 × 10^6 × 7
    ['bedrock', BEDROCK, 1162n * 7_000_000_000n, 1162n],
    // (24 + 50) × 1000 × 10^6 × 7
    ['regolith', BEDROCK, 74n * 7_000_000_000n, 74n],
    // 24 × (16 × 1000 × 2 + 10 × 3) / 16
    ['ecotone', PARAMETERS, 48_045n, 24n],
  ] as const)('of two zero bytes and one other under %s is %s', (fork, parameters, fee, gasUsed) => {
    expect(l1Cost(rulesAt(fork), parameters, Uint8Array.of(0, 7, 0))).toEqual({ fee, gasUsed })
  })

  test('is rounded down', () => {
    // 530 × 1 × 999,999 / 10^6 = 529.99…
    const bedrock = { ...BEDROCK, l1BaseFee: 1n, scalar: 999_999n }
    expect(l1Cost(rulesAt('regolith'), bedrock, EMPTY_TRANSACTION).fee).toBe(529n)
    // 480 × (16 × 1 × 33,333 + 0) / (16 × 10^6) = 15.99984
    const ecotone = { ...PARAMETERS, l1BaseFee: 1n, baseFeeScalar: 33_333n, l1BlobBaseFee: 0n }
    expect(l1Cost(rulesAt('ecotone'), ecotone, EMPTY_TRANSACTION).fee).toBe(15n)
  })

  // Base and revm: all parameters are 1000.
  const thousand: L1CostParameters = {
    ...PARAMETERS,
    l1BaseFee: 1000n,
    l1BlobBaseFee: 1000n,
    baseFeeScalar: 1000n,
    blobBaseFeeScalar: 1000n,
  }
  test.each([
    ['a short one', '0xfacade', 1700n, 1600n],
    // 836,500 × 202 - 42,585,600 = 126,387,400; × 16 / 10^6 = 2022.19…
    ['a contract call', CONTRACT_CALL, 2148n, 2022n],
    ['nothing', '0x', 0n, 0n],
    ['what begins as a deposit', '0x7efacade', 0n, 1600n],
  ] as const)('of %s under fjord is that of revm', (_, raw, fee, gasUsed) => {
    expect(l1Cost(rulesAt('fjord'), thousand, hexToBytes(raw))).toEqual({ fee, gasUsed })
  })

  test('of a transaction of Base is that of its receipt', () => {
    const base = {
      ...PARAMETERS,
      l1BaseFee: 14_121_491_676n,
      l1BlobBaseFee: 1_324_954_204n,
      baseFeeScalar: 2269n,
      blobBaseFeeScalar: 1_055_762n,
    }
    const cost = l1Cost(rulesAt('granite'), base, hexToBytes(BASE_TRANSACTION))
    expect(cost).toEqual({ fee: 191_150_293_412n, gasUsed: 1600n })
  })

  test('of a deposit is nothing; its receipt tells the gas of its size', () => {
    const { origin, sequenceNumber, system } = readAttributes(hexToBytes(BASE_ATTRIBUTES))
    const jovian = rulesAt('jovian')
    const attributes: L1Attributes = { origin, sequenceNumber, system: { ...ATTRIBUTES.system, ...system } }
    const raw = encodeDeposit(attributesDeposit(jovian, attributes, jovian))
    expect(keccak256(raw)).toBe('0xf2ce0df573e29032b7a0ec2fd3c487af876453a61efa04c2fc2baf3e10b95c86')
    const parameters = parametersFromAttributes(jovian, hexToBytes(BASE_ATTRIBUTES))
    expect(l1Cost(jovian, parameters, raw)).toEqual({ fee: 0n, gasUsed: 0x71dn })
  })
})

describe('the operator fee', () => {
  test.each([
    ['holocene', 1000n, 0n],
    // 1000 × 1000 / 10^6 + 10
    ['isthmus', 1000n, 11n],
    // 1000 × 1000 × 100 + 10
    ['jovian', 1000n, 100_000_010n],
    ['isthmus', 0n, 10n],
    ['jovian', 0n, 10n],
    // 1999 × 1000 / 10^6 is rounded down.
    ['isthmus', 1999n, 11n],
  ] as const)('under %s of %d gas is %d', (fork, gas, fee) => {
    expect(operatorFee(rulesAt(fork), PARAMETERS, gas)).toBe(fee)
  })

  test('of the largest parameters is exact', () => {
    const parameters = {
      ...PARAMETERS,
      operatorFeeScalar: 2n ** 32n - 1n,
      operatorFeeConstant: 2n ** 64n - 1n,
    }
    const gas = 2n ** 64n - 1n
    expect(operatorFee(rulesAt('isthmus'), parameters, gas)).toBe(
      (gas * (2n ** 32n - 1n)) / MILLION + 2n ** 64n - 1n,
    )
    expect(operatorFee(rulesAt('jovian'), parameters, gas)).toBe(
      gas * (2n ** 32n - 1n) * 100n + 2n ** 64n - 1n,
    )
  })

  test('of another chain is nothing', () => {
    expect(operatorFee(PLAIN, PARAMETERS, 21_000n)).toBe(0n)
  })
})

describe('the DA footprint', () => {
  test.each([
    // Base: 100 bytes, the least, × 148 = 0x39d0.
    ['jovian', BASE_TRANSACTION, 148n, 14_800n],
    // 126.3874 bytes are rounded down.
    ['jovian', CONTRACT_CALL, 400n, 50_400n],
    ['jovian', CONTRACT_CALL, 0n, 0n],
    ['isthmus', CONTRACT_CALL, 400n, 0n],
    ['jovian', ECOTONE_ATTRIBUTES, 400n, 0n],
  ] as const)('under %s of %s with a scalar of %d is %d', (fork, raw, daFootprintGasScalar, footprint) => {
    const parameters = { ...PARAMETERS, daFootprintGasScalar }
    expect(daFootprint(rulesAt(fork), parameters, hexToBytes(raw))).toBe(footprint)
  })
})

const SLOTS = {
  number: pad('0x00'),
  baseFee: pad('0x01'),
  scalars: pad('0x03'),
  overhead: pad('0x05'),
  scalar: pad('0x06'),
  blobBaseFee: pad('0x07'),
  operator: pad('0x08'),
} as const

function stateWith(values: Partial<Record<keyof typeof SLOTS, Hex>>): WorldState {
  return Object.entries(values).reduce<WorldState>(
    (state, [name, value]) =>
      writeStorage(
        state,
        OP_PREDEPLOYS.L1Block,
        SLOTS[name as keyof typeof SLOTS],
        stripLeadingZeros(hexToBytes(pad(value))),
      ),
    EMPTY_WORLD_STATE,
  )
}

/** 18 other bytes, the DA footprint gas scalar, and the operator fee. */
const OPERATOR = concat([`0x${'ee'.repeat(18)}`, '0x0190', '0x000003e8', '0x000000000000000a'])
/** 16 other bytes, the scalars, and the sequence number. */
const SCALARS = concat([`0x${'ee'.repeat(16)}`, '0x00000002', '0x00000003', '0xffffffffffffffff'])

const STORED = {
  number: numberToHex(2n ** 255n + 1n),
  baseFee: numberToHex(1000n * MILLION),
  scalars: SCALARS,
  overhead: numberToHex(50),
  scalar: numberToHex(7n * MILLION),
  blobBaseFee: numberToHex(10n * MILLION),
  operator: OPERATOR,
} as const

describe('the parameters in the storage of L1Block', () => {
  test.each(['ecotone', 'fjord', 'isthmus', 'jovian'] as const)('are read under %s', (fork) => {
    // Slots that the fees of the fork do not follow from are not read.
    const unread = { overhead: 0n, scalar: 0n }
    const noOperator = { operatorFeeScalar: 0n, operatorFeeConstant: 0n, daFootprintGasScalar: 0n }
    const later = {
      isthmus: { daFootprintGasScalar: 0n },
      jovian: {},
      ecotone: noOperator,
      fjord: noOperator,
    }
    const expected = { ...PARAMETERS, ...unread, ...later[fork] }
    expect(parametersFromState(rulesAt(fork), stateWith(STORED))).toEqual(expected)
  })

  test.each(['bedrock', 'regolith', 'canyon'] as const)('are those of bedrock under %s', (fork) => {
    expect(parametersFromState(rulesAt(fork), stateWith(STORED)).isBeforeEcotone).toBe(true)
  })

  test('are those of bedrock in the block that activates ecotone, which has none of its own', () => {
    const { scalars: _, blobBaseFee: __, ...bedrock } = STORED
    const sequenceNumber = numberToHex(5)
    const before = stateWith({ ...bedrock, scalars: sequenceNumber })
    expect(parametersFromState(rulesAt('ecotone'), before).isBeforeEcotone).toBe(true)
    expect(parametersFromState(rulesAt('fjord'), before).isBeforeEcotone).toBe(true)
  })

  test.each([
    ['a blob base fee', { blobBaseFee: '0x01' }],
    ['a scalar of the base fee', { scalars: concat([pad('0x01', { size: 20 }), pad('0x', { size: 12 })]) }],
    [
      'a scalar of the blob base fee',
      { scalars: concat([pad('0x01', { size: 24 }), pad('0x', { size: 8 })]) },
    ],
  ] as const)('are those of ecotone if %s is set', (_, values) => {
    expect(parametersFromState(rulesAt('ecotone'), stateWith(values)).isBeforeEcotone).toBe(false)
  })

  test('are zero where there is no such contract', () => {
    const { isBeforeEcotone, ...numbers } = parametersFromState(rulesAt('jovian'), EMPTY_WORLD_STATE)
    expect(isBeforeEcotone).toBe(true)
    expect(new Set(Object.values(numbers))).toEqual(new Set([0n]))
  })

  test('are remembered by storage and rules, not by state', () => {
    const state = stateWith(STORED)
    const ecotone = rulesAt('ecotone')
    const read = parametersFromState(ecotone, state)
    const other = writeStorage(state, OP_PREDEPLOYS.GasPriceOracle, SLOTS.number, Uint8Array.of(1))
    expect(parametersFromState(ecotone, other)).toBe(read)
    expect(parametersFromState(rulesAt('canyon'), state).isBeforeEcotone).toBe(true)
    expect(parametersFromState(ecotone, state).isBeforeEcotone).toBe(false)
    const changed = writeStorage(state, OP_PREDEPLOYS.L1Block, SLOTS.baseFee, Uint8Array.of(9))
    expect(parametersFromState(ecotone, changed).l1BaseFee).toBe(9n)
  })
})

const ATTRIBUTES: L1Attributes = {
  origin: {
    number: 1,
    timestamp: 2,
    hash: pad('0x03'),
    baseFee: 1000n * MILLION,
    blobBaseFee: 10n * MILLION,
  },
  sequenceNumber: 4,
  system: {
    batcherHash: pad('0x05'),
    overhead: 50n,
    scalar: 7n * MILLION,
    baseFeeScalar: 2,
    blobBaseFeeScalar: 3,
    gasLimit: 30n * MILLION,
    eip1559: { denominator: 0, elasticity: 0 },
    operatorFeeScalar: 1000,
    operatorFeeConstant: 10n,
    minBaseFee: 0n,
    daFootprintGasScalar: 400,
  },
}

describe('the parameters in L1 attributes', () => {
  const read = (fork: OpFork, before: OpFork): L1CostParameters =>
    parametersFromAttributes(
      rulesAt(fork),
      attributesDeposit(rulesAt(fork), ATTRIBUTES, rulesAt(before)).data,
    )

  test('of jovian are all but those of bedrock', () => {
    expect(read('jovian', 'jovian')).toEqual({ ...PARAMETERS, overhead: 0n, scalar: 0n })
  })

  test('of the block that activates jovian have no DA footprint', () => {
    expect(read('jovian', 'isthmus').daFootprintGasScalar).toBe(0n)
  })

  test('of the block that activates isthmus have no operator fee', () => {
    const { operatorFeeScalar, operatorFeeConstant } = read('isthmus', 'holocene')
    expect({ operatorFeeScalar, operatorFeeConstant }).toEqual({
      operatorFeeScalar: 0n,
      operatorFeeConstant: 0n,
    })
  })

  test.each([
    ['bedrock', 'bedrock'],
    ['canyon', 'canyon'],
    ['ecotone', 'canyon'],
    ['fjord', 'canyon'],
  ] as const)('of %s after %s give the fee of bedrock', (fork, before) => {
    const { isBeforeEcotone, l1BaseFee, overhead, scalar } = read(fork, before)
    expect({ isBeforeEcotone, l1BaseFee, overhead, scalar }).toEqual({
      isBeforeEcotone: true,
      l1BaseFee: 1000n * MILLION,
      overhead: 50n,
      scalar: 7n * MILLION,
    })
  })

  test('of other calldata are refused', () => {
    expect(() => parametersFromAttributes(rulesAt('jovian'), Uint8Array.of(1, 2, 3, 4))).toThrow(
      expect.objectContaining({ kind: 'undecodableTransaction' }),
    )
  })
})
