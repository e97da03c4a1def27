// Encodings of the contract: abi.encode(version, type) as topics, and data as its functions build them (OP specs,
// System Config; jovian and isthmus System Config).
import { concatHex, encodeAbiParameters, type Hex, numberToHex, toEventSelector } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Log } from '../../../../src/core/execution/transaction/transaction.ts'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { hexToBytes, toWord } from '../../../../src/core/primitives/hex.ts'
import type { SystemConfig } from '../../../../src/core/rollup/stack.ts'
import { updateSystem } from '../../../../src/tools/pair/derivation/l1-block.ts'

beforeAll(loadCrypto)

const BEFORE: SystemConfig = {
  batcherHash: toWord(0xaa),
  overhead: 188n,
  scalar: 684_000n,
  baseFeeScalar: 1,
  blobBaseFeeScalar: 2,
  gasLimit: 30_000_000n,
  eip1559: { denominator: 50, elasticity: 6 },
  operatorFeeScalar: 3,
  operatorFeeConstant: 4n,
  minBaseFee: 5n,
  daFootprintGasScalar: 6,
}

const EVENT = toEventSelector('ConfigUpdate(uint256,uint8,bytes)')

function logOf(kind: number, content: Hex): Log {
  const data = hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [content]))
  return { address: '0x00', topics: [EVENT, toWord(0), toWord(kind)], data }
}

function after(kind: number, content: Hex, isEcotone = true): SystemConfig {
  return updateSystem(BEFORE, logOf(kind, content), isEcotone)
}

const word = (value: bigint): Hex => numberToHex(value, { size: 32 })

describe('an update of', () => {
  const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  const ecotone = (1n << 248n) | (810_949n << 32n) | 1368n
  test.each<[string, number, Hex, Partial<SystemConfig>]>([
    ['the batcher', 0, word(BigInt(address)), { batcherHash: toWord(BigInt(address)) }],
    [
      'both scalars of ecotone',
      1,
      concatHex([word(7n), word(ecotone)]),
      { overhead: 0n, scalar: ecotone, baseFeeScalar: 1368, blobBaseFeeScalar: 810_949 },
    ],
    [
      'a scalar in the old form',
      1,
      concatHex([word(7n), word(684_000n)]),
      { overhead: 0n, scalar: 684_000n, baseFeeScalar: 684_000, blobBaseFeeScalar: 0 },
    ],
    ['the gas limit', 2, word(60_000_000n), { gasLimit: 60_000_000n }],
    ['the signer of unsafe blocks', 3, word(BigInt(address)), {}],
    [
      'the EIP-1559 parameters',
      4,
      word((250n << 32n) | 10n),
      { eip1559: { denominator: 250, elasticity: 10 } },
    ],
    ['them back to those of the chain', 4, word(0n), { eip1559: { denominator: 0, elasticity: 0 } }],
    [
      'the operator fee',
      5,
      word((1_000_000n << 64n) | (10n ** 12n)),
      { operatorFeeScalar: 1_000_000, operatorFeeConstant: 10n ** 12n },
    ],
    ['the minimum base fee', 6, word(5_000_000n), { minBaseFee: 5_000_000n }],
    ['the DA footprint', 7, word(148n), { daFootprintGasScalar: 148 }],
  ])('%s', (_name, kind, content, changes) => {
    expect(after(kind, content)).toEqual({ ...BEFORE, ...changes })
  })
})

test('before ecotone, scalars of any form are taken as they are', () => {
  const odd = (9n << 248n) | 5n
  expect(after(1, concatHex([word(7n), word(odd)]), false)).toEqual({ ...BEFORE, overhead: 7n, scalar: odd })
  expect(after(1, concatHex([word(2100n), word(1_000_000n)]), false)).toMatchObject({
    overhead: 2100n,
    scalar: 1_000_000n,
  })
})

describe('changes nothing:', () => {
  test.each<[string, Log]>([
    ['another event', { ...logOf(2, word(1n)), topics: [toWord(1), toWord(0), toWord(2)] }],
    ['another version', { ...logOf(2, word(1n)), topics: [EVENT, toWord(1), toWord(2)] }],
    ['an unknown kind', logOf(8, word(1n))],
    ['a gas limit of 65 bits', logOf(2, word(2n ** 64n))],
    ['a minimum base fee of 65 bits', logOf(6, word(2n ** 64n))],
    ['a DA footprint of 17 bits', logOf(7, word(2n ** 16n))],
    ['an elasticity without a denominator', logOf(4, word(6n))],
    ['a scalar of version 2', logOf(1, concatHex([word(0n), word(2n << 248n)]))],
    ['a padded scalar of version 1', logOf(1, concatHex([word(0n), word((1n << 248n) | (1n << 64n))]))],
    ['scalars of one word', logOf(1, word(1n))],
    ['a gas limit of two words', logOf(2, concatHex([word(1n), word(1n)]))],
    ['data without its length', { ...logOf(2, word(1n)), data: new Uint8Array(32) }],
  ])('%s', (_name, log) => {
    expect(updateSystem(BEFORE, log, true)).toBe(BEFORE)
  })
})
