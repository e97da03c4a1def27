import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createTx, type TypedTxData } from '@ethereumjs/tx'
import fc from 'fast-check'
import { type Hex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { floorGas, intrinsicGas } from '../../../../src/core/execution/transaction/intrinsic-gas.ts'
import { hexToBytes } from '../../../../src/core/primitives/hex.ts'
import { SELECTABLE_HARDFORKS, type SelectableHardfork } from '../../../../src/core/rollup/hardforks.ts'
import { makeRules } from '../../../../src/core/rollup/rules.ts'
import { isSince, stranger } from '../../chain/workload.ts'

const seed = 20261123

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((value) => toHex(value))
/** Calldata in which zero is as likely as everything else together. */
const calldata = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 255 })), { maxLength: 400 })
  .map((items) => toHex(Uint8Array.from(items)))
const accessList = fc.array(
  fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32), { maxLength: 3 }) }),
  { maxLength: 3 },
)
const authorization = fc
  .record({ address: bytes(20), r: fc.bigInt({ min: 1n, max: 2n ** 255n }), nonce: fc.nat(1000) })
  .map(({ address, r, nonce }) => ({ chainId: 1n, address, nonce: BigInt(nonce), yParity: 0n, r, s: 5n }))
const authorizationList = fc.array(authorization, { minLength: 1, maxLength: 4 })
const creation = fc.boolean()

const transaction = fc.record({
  type: fc.constantFrom(0, 1, 2, 4),
  calldata,
  accessList,
  authorizationList,
  creation,
})
type Drawn = typeof transaction extends fc.Arbitrary<infer Value> ? Value : never

const SINCE: Record<number, SelectableHardfork> = { 0: 'byzantium', 1: 'berlin', 2: 'london', 4: 'prague' }

/** The same transaction for @ethereumjs/tx. */
function toEthereumJs(drawn: Drawn): TypedTxData {
  const { type, accessList, authorizationList } = drawn
  return {
    type,
    chainId: 1,
    data: drawn.calldata,
    gasLimit: 2n ** 24n,
    ...(drawn.creation && type !== 4 ? {} : { to: stranger(1) }),
    ...(type === 0 || type === 1 ? { gasPrice: 1n } : { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }),
    ...(type === 0 ? {} : { accessList }),
    ...(type === 4
      ? {
          authorizationList: authorizationList.map((item) => ({
            chainId: toHex(item.chainId),
            address: item.address,
            nonce: item.nonce === 0n ? '0x' : toHex(item.nonce),
            yParity: '0x',
            r: toHex(item.r),
            s: toHex(item.s),
          })),
        }
      : {}),
  } as unknown as TypedTxData
}

function toOurs(drawn: Drawn) {
  const { type, accessList, authorizationList } = drawn
  return {
    to: drawn.creation && type !== 4 ? undefined : stranger(1),
    input: hexToBytes(drawn.calldata),
    accessList: type === 0 ? [] : accessList,
    authorizationList: type === 4 ? authorizationList : [],
  }
}

describe.each(SELECTABLE_HARDFORKS)('under the rules of %s', (hardfork) => {
  const rules = makeRules(1, hardfork)
  const common = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork })

  test('intrinsic gas and floor are those of @ethereumjs/tx', { tags: 'gate' }, () => {
    fc.assert(
      fc.property(transaction, (drawn) => {
        fc.pre(isSince(hardfork, SINCE[drawn.type] as SelectableHardfork))
        const theirs = createTx(toEthereumJs(drawn), { common })
        const ours = toOurs(drawn)
        const intrinsic = intrinsicGas(rules, ours)
        expect(intrinsic).toBe(theirs.getIntrinsicGas())
        const floor = floorGas(rules, ours.input)
        expect(floor > intrinsic ? floor : intrinsic).toBe(theirs.getMinimumGasLimit())
      }),
      { seed, numRuns: 60 },
    )
  })
})

describe('by hand', () => {
  const prague = makeRules(1, 'prague')
  const plain = { to: stranger(1), input: new Uint8Array(0), accessList: [], authorizationList: [] }
  const input = hexToBytes('0x00010200')

  test.each<[string, bigint, Parameters<typeof intrinsicGas>[1]]>([
    ['a transfer', 21_000n, plain],
    ['two zero bytes and two others', 21_000n + 2n * 4n + 2n * 16n, { ...plain, input }],
    ['a creation with a word of init code', 53_000n + 40n + 2n, { ...plain, to: undefined, input }],
    [
      'an access list of one address and two slots',
      21_000n + 2400n + 2n * 1900n,
      { ...plain, accessList: [{ address: stranger(2), storageKeys: ['0x01', '0x02'] as Hex[] }] },
    ],
  ])('%s costs %d', (_, gas, transaction) => {
    expect(intrinsicGas(prague, transaction)).toBe(gas)
  })

  test('the floor counts a byte as four tokens of ten gas, a zero byte as one (EIP-7623)', () => {
    expect(floorGas(prague, input)).toBe(21_000n + 10n * (2n + 2n * 4n))
    expect(floorGas(makeRules(1, 'cancun'), input)).toBe(0n)
  })

  test('before istanbul a byte that is not zero costs 68 (EIP-2028)', () => {
    expect(intrinsicGas(makeRules(1, 'petersburg'), { ...plain, input })).toBe(21_000n + 8n + 136n)
  })
})
