// Precompiles of the OP stack: P256VERIFY from fjord on (RIP-7212), and the longest inputs that granite, isthmus and
// jovian allow (specification, precompiles of each; op-geth, core/vm/contracts.go).

import { type Hex, hexToBytes, padHex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { precompilesOf } from '../../../../src/core/rollup/precompiles.ts'
import { makeRules } from '../../../../src/core/rollup/rules.ts'
import { deposit, opRules, runAll, stateOf } from '../op-chain.ts'

const P256 = 0x100
/** The vector of RIP-7212: hash, r, s, x and y. */
const SIGNED: Hex =
  '0x4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d604aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e'

/** Gas of calldata since istanbul. */
function calldataGas(data: Uint8Array): bigint {
  return data.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n)
}

function addressOf(number: number): Hex {
  return padHex(toHex(number), { size: 20 })
}

describe.each(['wasm', 'reference'] as const)('interpreter %s', (interpreter) => {
  async function call(fork: OpFork, number: number, data: Uint8Array, gasLimit = 100_000_000n) {
    const to = addressOf(number)
    const { executed } = await runAll(
      opRules(fork),
      stateOf({}),
      [deposit({ to, data, gasLimit })],
      interpreter,
    )
    const { receipt, returnData } = executed[0] as (typeof executed)[number]
    return { status: receipt.status, gasUsed: receipt.gasUsed, output: toHex(returnData) }
  }

  test('P256VERIFY costs 3450 gas from fjord on', async () => {
    const data = hexToBytes(SIGNED)
    const ordinary = 21_000n + calldataGas(data)
    expect(await call('ecotone', P256, data)).toEqual({ status: 1, gasUsed: ordinary, output: '0x' })
    for (const fork of ['fjord', 'granite', 'holocene'] as const) {
      const valid = { status: 1, gasUsed: ordinary + 3450n, output: padHex('0x01', { size: 32 }) }
      expect(await call(fork, P256, data)).toEqual(valid)
      expect(await call(fork, P256, data, ordinary + 3449n)).toMatchObject({
        status: 0,
        gasUsed: ordinary + 3449n,
      })
    }
    data[0] = 0
    expect(await call('jovian', P256, data)).toMatchObject({ status: 1, output: '0x' })
  })

  // The pairs are of points at infinity, all zeros.
  test.each([
    ['granite', 0x08, 192, 586],
    ['holocene', 0x08, 192, 586],
    ['isthmus', 0x08, 192, 586],
    ['isthmus', 0x0c, 160, 3211],
    ['isthmus', 0x0e, 288, 1696],
    ['isthmus', 0x0f, 384, 612],
    ['jovian', 0x08, 192, 427],
    ['jovian', 0x0c, 160, 1806],
    ['jovian', 0x0e, 288, 968],
    ['jovian', 0x0f, 384, 408],
    ['azul', 0x08, 192, 427],
    ['azul', 0x0c, 160, 1806],
    ['denim', 0x0f, 384, 408],
    ['karst', 0x08, 192, 300],
    ['karst', 0x0e, 288, 968],
  ] as const)(
    '%s: %i takes inputs of up to %i × %i bytes',
    { tags: 'gate' },
    async (fork, number, pairBytes, most) => {
      expect(await call(fork, number, new Uint8Array(most * pairBytes))).toMatchObject({ status: 1 })
      const tooLong = await call(fork, number, new Uint8Array((most + 1) * pairBytes))
      expect(tooLong).toEqual({ status: 0, gasUsed: 100_000_000n, output: '0x' })
    },
  )

  test('before granite the pairing takes longer inputs', async () => {
    expect(await call('fjord', 0x08, new Uint8Array(587 * 192))).toMatchObject({ status: 1 })
  })
})

test('the names of the precompiles tell P256VERIFY', () => {
  expect(precompilesOf(opRules('ecotone'))).not.toHaveProperty('P256VERIFY')
  expect(precompilesOf(opRules('fjord'))).toMatchObject({ P256VERIFY: addressOf(P256) })
  expect(Object.keys(precompilesOf(opRules('jovian')))).toHaveLength(18)
  expect(Object.keys(precompilesOf(makeRules(1, 'prague')))).toHaveLength(17)
})

test('other chains have no limits', () => {
  expect(makeRules(1, 'osaka').rollup).toBeUndefined()
  expect(opRules('fjord').rollup?.changes.inputLimits).toBeUndefined()
})
