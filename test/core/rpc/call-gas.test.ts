// The gas cap of calls (`limits.callGas`), as geth's --rpc.gascap.

import { hexToBigInt, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createEmulator, type EmulatorOptions } from '../../../src/index.ts'

const told = toHex(0x6a5, { size: 20 })
const dear = toHex(0xdea, { size: 20 })
/** Returns the gas that is left: GAS, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
const TOLD = '0x5a5f5260205ff3'
/** Writes to four slots, 22,100 gas each. */
const DEAR = '0x6001600155600160025560016003556001600455'
/** Intrinsic gas, and that of GAS itself. */
const BEFORE = 21_002n

const start = (limits: EmulatorOptions['limits'] = {}, gasLimit = 60_000_000n) =>
  createEmulator({
    limits,
    accounts: [],
    genesis: { gasLimit, alloc: { [told]: { code: TOLD }, [dear]: { code: DEAR } } },
  })

async function gasOf(chain: Awaited<ReturnType<typeof start>>, gas?: number): Promise<bigint> {
  const call = gas === undefined ? { to: told } : { to: told, gas: toHex(gas) }
  return hexToBigInt(await chain.request('eth_call', [call])) + BEFORE
}

test('a call has 50,000,000 gas, or that of a block if it is more, but not more than 1,000,000,000', async () => {
  expect(await gasOf(await start({}, 30_000_000n))).toBe(50_000_000n)
  expect(await gasOf(await start())).toBe(60_000_000n)
  expect(await gasOf(await start(), 2 ** 50)).toBe(60_000_000n)
  expect(await gasOf(await start({}, 2n ** 62n))).toBe(1_000_000_000n)
  expect(await gasOf(await start({}, 2n ** 62n), 2 ** 50)).toBe(1_000_000_000n)
})

describe('limits.callGas', () => {
  test('caps a call that asks for more or for nothing, and leaves one that asks for less', async () => {
    const chain = await start({ callGas: 100_000 })
    expect(await gasOf(chain)).toBe(100_000n)
    expect(await gasOf(chain, 1_000_000)).toBe(100_000n)
    expect(await gasOf(chain, 50_000)).toBe(50_000n)
  })

  test('may be above the default', async () => {
    const chain = await start({ callGas: 2_000_000_000 })
    expect(await gasOf(chain)).toBe(2_000_000_000n)
  })

  test('lets calls run out of gas, and estimates name it', async () => {
    const chain = await start({ callGas: 100_000 })
    await expect(chain.request('eth_call', [{ to: dear }])).rejects.toMatchObject({
      code: -32000,
      message: 'out of gas',
    })
    await expect(chain.request('eth_estimateGas', [{ to: dear }])).rejects.toMatchObject({
      code: -32000,
      message: 'gas required exceeds allowance (100000)',
    })
    const list = await chain.request('eth_createAccessList', [{ to: dear }])
    expect(list).toMatchObject({ error: 'out of gas', gasUsed: toHex(100_000) })
  })

  test('is the gas of all calls of a simulation together', async () => {
    const chain = await start({ callGas: 50_000 })
    const [block] = await chain.request('eth_simulateV1', [
      { blockStateCalls: [{ calls: [{ to: told }, { to: told }] }] },
    ])
    const gas = block?.calls.map(({ returnData }) => hexToBigInt(returnData) + BEFORE)
    // The first call uses 21,000 and 2 GAS, 2 PUSH0, 6 MSTORE with a new word, 3 PUSH1 and 2 PUSH0.
    expect(gas).toEqual([50_000n, 50_000n - 21_015n])
  })

  test.each([0, 20_999, -1, 1.5, 2 ** 53, '100000', 100_000n, null])('refuses %s', async (callGas) => {
    await expect(start({ callGas: callGas as number })).rejects.toMatchObject({ kind: 'invalidOption' })
  })
})

test('an access list that grows in every run ends with an error', async () => {
  // GAS, SLOAD: the list costs gas, so each run reads another slot.
  const chain = await createEmulator({ genesis: { alloc: { [told]: { code: '0x5a5400' } } } })
  await expect(chain.request('eth_createAccessList', [{ to: told }])).rejects.toMatchObject({
    kind: 'accessListUnstable',
    code: -32000,
    message: expect.stringContaining('after 8 runs'),
  })
})
