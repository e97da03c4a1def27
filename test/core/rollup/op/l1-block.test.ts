// The contract L1Block of each fork: who may set it, and where the values are. The layout is the specification's
// (L1 attributes predeployed contract).

import { concatHex, encodePacked, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { DEPOSITOR, encodeCall, opChain, read, send } from './op-chain.ts'

const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const HASH: Hex = `0x${'ab'.repeat(32)}`
const BATCHER: Hex = `0x${'cd'.repeat(32)}`

const BEDROCK = encodeCall(
  'setL1BlockValues(uint64,uint64,uint256,bytes32,uint64,bytes32,uint256,uint256)',
  ...[17n, 1_700_000_000n, 7n, HASH, 3n, BATCHER, 2100n, 684_000n],
)

/** baseFeeScalar 0x11, blobBaseFeeScalar 0x22, sequenceNumber 3, timestamp, number 17, base fees 7 and 9. */
const PACKED = encodePacked(
  ['uint32', 'uint32', 'uint64', 'uint64', 'uint64', 'uint256', 'uint256', 'bytes32', 'bytes32'],
  [0x11, 0x22, 3n, 1_700_000_000n, 17n, 7n, 9n, HASH, BATCHER],
)
/** operatorFeeScalar and operatorFeeConstant. */
const OPERATOR = encodePacked(['uint32', 'uint64'], [0x33, 0x44n])
const FOOTPRINT = encodePacked(['uint16'], [0x55])

const CALLS: Readonly<Record<string, Hex>> = {
  bedrock: BEDROCK,
  ecotone: concatHex(['0x440a5e20', PACKED]),
  isthmus: concatHex(['0x098999be', PACKED, OPERATOR]),
  jovian: concatHex(['0x3db6be2b', PACKED, OPERATOR, FOOTPRINT]),
}

/** The forms that each fork's contract takes: its own and the earlier ones. */
const FORMS: readonly (readonly [OpFork, string])[] = [
  ['bedrock', 'bedrock'],
  ['regolith', 'bedrock'],
  ['canyon', 'bedrock'],
  ['ecotone', 'ecotone'],
  ['fjord', 'ecotone'],
  ['granite', 'ecotone'],
  ['holocene', 'ecotone'],
  ['isthmus', 'ecotone'],
  ['isthmus', 'isthmus'],
  ['jovian', 'isthmus'],
  ['jovian', 'jovian'],
]

test.each(FORMS)(
  '%s: the depositor sets the values in the form of %s',
  { tags: 'gate' },
  async (fork, form) => {
    const chain = await opChain(fork)
    expect(await send(chain, { from: DEPOSITOR, to: L1_BLOCK, data: CALLS[form]! })).toMatchObject({
      status: '0x1',
    })
    const value = (signature: string) => read(chain, L1_BLOCK, `${signature} view returns (uint256)`)
    expect(await value('number()')).toBe(17n)
    expect(await value('timestamp()')).toBe(1_700_000_000n)
    expect(await value('basefee()')).toBe(7n)
    expect(await value('hash()')).toBe(BigInt(HASH))
    expect(await value('sequenceNumber()')).toBe(3n)
    expect(await value('batcherHash()')).toBe(BigInt(BATCHER))
    if (form === 'bedrock') {
      expect(await value('l1FeeOverhead()')).toBe(2100n)
      expect(await value('l1FeeScalar()')).toBe(684_000n)
      return
    }
    expect(await value('blobBaseFee()')).toBe(9n)
    expect(await value('baseFeeScalar()')).toBe(0x11n)
    expect(await value('blobBaseFeeScalar()')).toBe(0x22n)
    if (form === 'ecotone') return
    expect(await value('operatorFeeScalar()')).toBe(0x33n)
    expect(await value('operatorFeeConstant()')).toBe(0x44n)
    if (fork === 'jovian') expect(await value('daFootprintGasScalar()')).toBe(form === 'jovian' ? 0x55n : 0n)
  },
)

test('jovian packs the scalars as nodes read them', async () => {
  const chain = await opChain('jovian')
  await send(chain, { from: DEPOSITOR, to: L1_BLOCK, data: CALLS['jovian']! })
  const slot = (index: Hex) =>
    chain.request({ method: 'eth_getStorageAt', params: [L1_BLOCK, index, 'latest'] })
  // number in the last 8 bytes, timestamp before it.
  expect(await slot('0x0')).toBe(`0x${'00'.repeat(16)}000000006553f1000000000000000011`)
  // sequenceNumber, blobBaseFeeScalar, baseFeeScalar, from the end.
  expect(await slot('0x3')).toBe(`0x${'00'.repeat(16)}00000011000000220000000000000003`)
  expect(await slot('0x7')).toBe(`0x${'00'.repeat(31)}09`)
  // daFootprintGasScalar in bytes 18 and 19, operatorFeeScalar in 20 to 23, operatorFeeConstant in 24 to 31.
  expect(await slot('0x8')).toBe(`0x${'00'.repeat(18)}0055000000330000000000000044`)
})

test.each(['holocene', 'isthmus', 'jovian'] as const)('%s: nobody else sets them', async (fork) => {
  const chain = await opChain(fork)
  const forms = fork === 'holocene' ? ['ecotone'] : ['ecotone', 'isthmus', fork]
  for (const form of forms) {
    // NotDepositor()
    await expect(
      chain.request({ method: 'eth_call', params: [{ to: L1_BLOCK, data: CALLS[form]! }] }),
      form,
    ).rejects.toMatchObject({ data: '0x3cc50b45' })
  }
  await expect(
    chain.request({ method: 'eth_call', params: [{ to: L1_BLOCK, data: BEDROCK }] }),
  ).rejects.toThrow('L1Block: only the depositor account can set L1 block values')
})

test('isthmus and jovian use no custom gas token', async () => {
  const chain = await opChain('jovian')
  expect(await read(chain, L1_BLOCK, 'gasPayingToken() view returns (address, uint8)')).toEqual([
    '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
    18,
  ])
  expect(await read(chain, L1_BLOCK, 'gasPayingTokenSymbol() view returns (string)')).toBe('ETH')
  expect(await read(chain, L1_BLOCK, 'gasPayingTokenName() view returns (string)')).toBe('Ether')
  expect(await read(chain, L1_BLOCK, 'isCustomGasToken() view returns (bool)')).toBe(false)
})

test.each([
  ['holocene', '1.2.0'],
  ['isthmus', '1.6.0+tickchain'],
  ['jovian', '1.7.0+tickchain'],
] as const)('%s: version %s', { tags: 'gate' }, async (fork, version) => {
  expect(await read(await opChain(fork), L1_BLOCK, 'version() view returns (string)')).toBe(version)
})
