// One chain through all forks of Base: in every block, fees by the state of L1Block are those by the block's first transaction.

import { hexToBigInt, hexToBytes, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stripLeadingZeros } from '../../../../src/core/primitives/hex.ts'
import { type OpFork, opForksUpTo } from '../../../../src/core/rollup/op/forks.ts'
import { readAttributes } from '../../../../src/core/rollup/op/l1-attributes.ts'
import {
  daFootprint,
  l1Cost,
  operatorFee,
  parametersFromAttributes,
  parametersFromState,
} from '../../../../src/core/rollup/op/l1-costs.ts'
import { OP_PREDEPLOYS } from '../../../../src/core/rollup/op/predeploys.ts'
import type { L1CostParameters } from '../../../../src/core/rollup/stack.ts'
import { EMPTY_WORLD_STATE, writeStorage } from '../../../../src/core/state/world-state.ts'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { readBlock, transactionsOf } from '../../chain/reads.ts'
import { rulesAt } from './rules.ts'
import { CONTRACT_CALL } from './vectors.ts'

const START = 1_704_067_200
const BLOCK_TIME_S = 2
/** Blocks under each fork. Block 1 is the second of bedrock. */
const BLOCKS = 3
const FORKS = opForksUpTo('denim')
const LATER_FORKS = FORKS.slice(1)

let chain: Emulator

beforeAll(async () => {
  const times = LATER_FORKS.map((fork, index) => [fork, START + BLOCK_TIME_S * BLOCKS * (index + 1)])
  chain = await createEmulator({
    chainId: 8453,
    genesis: { timestamp: START },
    rollup: {
      stack: 'op',
      fork: Object.fromEntries(times),
      l1: { baseFee: 30_000_000_000, blobBaseFee: 2_000_000_000 },
      systemConfig: { operatorFeeScalar: 1500, operatorFeeConstant: 77, daFootprintGasScalar: 148 },
    },
  })
  await chain.advance(1000 * BLOCK_TIME_S * BLOCKS * FORKS.length - 1)
})

afterAll(() => chain.dispose())

/** The slots that fees are read from, at the end of a block. */
async function storedParameters(fork: OpFork, number: number): Promise<L1CostParameters> {
  let state = EMPTY_WORLD_STATE
  for (const index of [1, 3, 5, 6, 7, 8]) {
    const slot = pad(`0x0${index}`)
    const value = await chain.request('eth_getStorageAt', [OP_PREDEPLOYS.L1Block, slot, number])
    state = writeStorage(state, OP_PREDEPLOYS.L1Block, slot, stripLeadingZeros(hexToBytes(value)))
  }
  return parametersFromState(rulesAt(fork), state)
}

function feesBy(fork: OpFork, parameters: L1CostParameters) {
  const rules = rulesAt(fork)
  const raw = hexToBytes(CONTRACT_CALL)
  return {
    ...l1Cost(rules, parameters, raw),
    operator: operatorFee(rules, parameters, 100_000n),
    footprint: daFootprint(rules, parameters, raw),
  }
}

/** The form of the calldata in the first block of a fork, and in the later ones. */
const FORMS: Readonly<Partial<Record<OpFork, readonly [first: string, later: string]>>> = {
  bedrock: ['bedrock', 'bedrock'],
  regolith: ['bedrock', 'bedrock'],
  canyon: ['bedrock', 'bedrock'],
  ecotone: ['bedrock', 'ecotone'],
  fjord: ['ecotone', 'ecotone'],
  granite: ['ecotone', 'ecotone'],
  holocene: ['ecotone', 'ecotone'],
  isthmus: ['ecotone', 'isthmus'],
  jovian: ['isthmus', 'jovian'],
}

describe.each(FORKS)('%s', (fork) => {
  const first = FORKS.indexOf(fork) * BLOCKS
  const numbers = Array.from({ length: BLOCKS }, (_, index) => first + index).filter((number) => number > 0)

  test.each(numbers)('block %d', async (number) => {
    const receipts = await chain.request('eth_getBlockReceipts', [number])
    // Of the L1 attributes, and of upgrades.
    for (const { type, status } of receipts ?? [])
      expect({ type, status }).toEqual({ type: '0x7e', status: '0x1' })
    const [attributes] = transactionsOf(await readBlock(chain, number))
    const data = hexToBytes(attributes?.input ?? '0x')
    expect(readAttributes(data).form).toBe((FORMS[fork] ?? ['jovian', 'jovian'])[number === first ? 0 : 1])
    const fees = feesBy(fork, await storedParameters(fork, number))
    expect(fees).toEqual(feesBy(fork, parametersFromAttributes(rulesAt(fork), data)))
    expect(fees.fee).toBeGreaterThan(0n)
  })
})

test('the operator fee and the DA footprint come a block after their forks', async () => {
  const fees = async (fork: OpFork, later: number) => {
    const number = FORKS.indexOf(fork) * BLOCKS + later
    const { operator, footprint } = feesBy(fork, await storedParameters(fork, number))
    return { operator, footprint }
  }
  expect(await fees('isthmus', 0)).toEqual({ operator: 0n, footprint: 0n })
  // 100,000 × 1500 / 10^6 + 77.
  expect(await fees('isthmus', 1)).toEqual({ operator: 227n, footprint: 0n })
  // 100,000 × 1500 × 100 + 77.
  expect(await fees('jovian', 0)).toEqual({ operator: 15_000_000_077n, footprint: 0n })
  // 126 bytes × 148.
  expect(await fees('jovian', 1)).toEqual({ operator: 15_000_000_077n, footprint: 18_648n })
})

test('the chain has come to the last block of the last fork', async () => {
  // Denim's first block is number 36, at 72 s; after it, 29 come every 200 ms up to 77.999 s.
  expect(hexToBigInt(await chain.request('eth_blockNumber'))).toBe(36n + 29n)
})
