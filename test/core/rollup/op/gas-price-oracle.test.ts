// The contract GasPriceOracle of each fork. Expected values are worked out by hand from the specification's formulas.

import { concatHex, encodePacked, type Hex, maxUint256, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import type { OpFork } from '../../../../src/core/rollup/op/forks.ts'
import type { Emulator } from '../../../../src/index.ts'
import { DEPOSITOR, encodeCall, opChain, read, send } from './op-chain.ts'

const ORACLE = '0x420000000000000000000000000000000000000f'
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const FLAGS = ['isEcotone', 'isFjord', 'isIsthmus', 'isJovian'] as const

/** All parameters of the L1 fee 1000; operator fee 1000 and 10; L1 fee before ecotone with 2100 and 684,000. */
async function pricedChain(fork: OpFork): Promise<Emulator> {
  const chain = await opChain(fork)
  const set = async (data: Hex) => {
    expect(await send(chain, { from: DEPOSITOR, to: L1_BLOCK, data })).toMatchObject({ status: '0x1' })
  }
  await set(
    encodeCall(
      'setL1BlockValues(uint64,uint64,uint256,bytes32,uint64,bytes32,uint256,uint256)',
      ...[1n, 1n, 1000n, zeroHash, 0n, zeroHash, 2100n, 684_000n],
    ),
  )
  if (['bedrock', 'regolith', 'canyon'].includes(fork)) return chain
  const packed = encodePacked(
    ['uint32', 'uint32', 'uint64', 'uint64', 'uint64', 'uint256', 'uint256', 'bytes32', 'bytes32'],
    [1000, 1000, 0n, 1n, 1n, 1000n, 1000n, zeroHash, zeroHash],
  )
  const operator = encodePacked(['uint32', 'uint64'], [1000, 10n])
  const selectors: Partial<Record<OpFork, Hex>> = { isthmus: '0x098999be', jovian: '0x3db6be2b' }
  const selector = selectors[fork]
  await set(
    selector === undefined
      ? concatHex(['0x440a5e20', packed])
      : concatHex([selector, packed, operator, '0x0000']),
  )
  return chain
}

const ask = (chain: Emulator, signature: string, ...args: unknown[]) =>
  read(chain, ORACLE, `${signature} view returns (uint256)`, ...args)

/** Bytes that do not repeat: FastLZ adds a byte to each 32 of them. */
const DISTINCT: Hex = `0x${Array.from({ length: 200 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('')}`
const FACADE: Hex = '0xfacade'

// Gas of calldata: 3 · 16 and 68 · 16 for the signature, 1136; (1136 + 2100) · 1000 · 684,000 / 10⁶.
test.each(['bedrock', 'regolith', 'canyon'] as const)('%s: the L1 fee by calldata', async (fork) => {
  const chain = await pricedChain(fork)
  expect(await ask(chain, 'getL1GasUsed(bytes)', FACADE)).toBe(3236n)
  expect(await ask(chain, 'getL1Fee(bytes)', FACADE)).toBe(2_213_424n)
  expect(await ask(chain, 'overhead()')).toBe(2100n)
  expect(await ask(chain, 'scalar()')).toBe(684_000n)
})

// 1136 · (1000 · 16 · 1000 + 1000 · 1000) / (16 · 10⁶).
test('ecotone: the L1 fee by calldata and blobs', async () => {
  const chain = await pricedChain('ecotone')
  expect(await ask(chain, 'getL1GasUsed(bytes)', FACADE)).toBe(1136n)
  expect(await ask(chain, 'getL1Fee(bytes)', FACADE)).toBe(1207n)
  await expect(ask(chain, 'overhead()')).rejects.toThrow('GasPriceOracle: overhead() is deprecated')
})

test.each(['fjord', 'granite', 'holocene', 'isthmus', 'jovian'] as const)(
  '%s: the L1 fee by estimated size',
  { tags: 'gate' },
  async (fork) => {
    const chain = await pricedChain(fork)
    // Short ones count 100 bytes: 100 · 17.
    expect(await ask(chain, 'getL1Fee(bytes)', FACADE)).toBe(1700n)
    expect(await ask(chain, 'getL1GasUsed(bytes)', FACADE)).toBe(1600n)
    // 200 + 7 + 68 = 275; 836,500 · 275 − 42,585,600 = 187,451,900; · 17 / 10⁶.
    expect(await ask(chain, 'getL1Fee(bytes)', DISTINCT)).toBe(3186n)
    expect(await ask(chain, 'getL1GasUsed(bytes)', DISTINCT)).toBe(2999n)
    // 1000 equal bytes compress to 21: short.
    expect(await ask(chain, 'getL1Fee(bytes)', `0x${'2a'.repeat(1000)}`)).toBe(1700n)
    // 1000 + 68 + 4 + 16 = 1088; 836,500 · 1088 − 42,585,600 = 867,526,400; · 17 / 10⁶.
    expect(await ask(chain, 'getL1FeeUpperBound(uint256)', 1000n)).toBe(14_747n)
    await expect(ask(chain, 'scalar()')).rejects.toThrow('GasPriceOracle: scalar() is deprecated')
  },
)

// A transaction of Base, with the parameters of its block; it is short, so its bytes do not matter.
test('jovian: the L1 fee of a recorded transaction', async () => {
  const chain = await opChain('jovian')
  const packed = encodePacked(
    ['uint32', 'uint32', 'uint64', 'uint64', 'uint64', 'uint256', 'uint256', 'bytes32', 'bytes32'],
    [2269, 1_055_762, 0n, 1n, 1n, 14_121_491_676n, 1_324_954_204n, zeroHash, zeroHash],
  )
  const data = concatHex(['0x3db6be2b', packed, encodePacked(['uint32', 'uint64', 'uint16'], [0, 0n, 400])])
  await send(chain, { from: DEPOSITOR, to: L1_BLOCK, data })
  expect(await ask(chain, 'getL1Fee(bytes)', FACADE)).toBe(191_150_293_412n)
  expect(await ask(chain, 'getL1GasUsed(bytes)', FACADE)).toBe(1600n)
})

test('isthmus: the operator fee', async () => {
  const chain = await pricedChain('isthmus')
  expect(await ask(chain, 'getOperatorFee(uint256)', 1000n)).toBe(11n)
  // The product saturates before the division.
  expect(await ask(chain, 'getOperatorFee(uint256)', maxUint256)).toBe(maxUint256 / 1_000_000n + 10n)
})

test('jovian: the operator fee', async () => {
  const chain = await pricedChain('jovian')
  expect(await ask(chain, 'getOperatorFee(uint256)', 0n)).toBe(10n)
  expect(await ask(chain, 'getOperatorFee(uint256)', 1000n)).toBe(100_000_010n)
  expect(await ask(chain, 'getOperatorFee(uint256)', maxUint256)).toBe(maxUint256)
})

/** The first block's flags, in the order of FLAGS; those of later forks are not in the contract. */
test.each([
  ['bedrock', 1, 0],
  ['canyon', 1, 0],
  ['ecotone', 1, 1],
  ['fjord', 2, 2],
  ['holocene', 2, 2],
  ['isthmus', 3, 3],
  ['jovian', 4, 4],
] as const)('%s: %i flags, of which %i are set', { tags: 'gate' }, async (fork, known, set) => {
  const chain = await opChain(fork)
  for (const [index, flag] of FLAGS.slice(0, known).entries()) {
    expect(await read(chain, ORACLE, `${flag}() view returns (bool)`), flag).toBe(index < set)
  }
})

test.each([
  ['ecotone', 'GasPriceOracle: Ecotone already active', 'setEcotone()'],
  ['fjord', 'GasPriceOracle: Fjord already active', 'setFjord()'],
  ['isthmus', 'GasPriceOracle: Isthmus already active', 'setIsthmus()'],
  ['jovian', 'GasPriceOracle: Jovian already active', 'setJovian()'],
] as const)('%s is set once, by the depositor', async (fork, message, signature) => {
  const chain = await opChain(fork)
  const call = { to: ORACLE, data: encodeCall(signature) } as const
  await expect(chain.request({ method: 'eth_call', params: [{ ...call, from: DEPOSITOR }] })).rejects.toThrow(
    message,
  )
  await expect(chain.request({ method: 'eth_call', params: [call] })).rejects.toThrow(
    'only the depositor account',
  )
})

test('forks are set in order', async () => {
  const chain = await opChain('jovian')
  await chain.setStorageAt(ORACLE, zeroHash, zeroHash)
  const set = async (signature: string) =>
    chain.request({
      method: 'eth_call',
      params: [{ from: DEPOSITOR, to: ORACLE, data: encodeCall(signature) }],
    })
  await expect(set('setFjord()')).rejects.toThrow('Fjord can only be activated after Ecotone')
  await expect(set('setIsthmus()')).rejects.toThrow('Isthmus can only be activated after Fjord')
  await expect(set('setJovian()')).rejects.toThrow('Jovian can only be activated after Isthmus')
  expect(await ask(chain, 'getOperatorFee(uint256)', 1000n)).toBe(0n)
})
