// The codec of deposit transactions, held to recorded ones and to viem's.

import fc from 'fast-check'
import { concat, getAddress, type Hex, hexToBytes, keccak256, toHex, toRlp } from 'viem'
import { getSourceHash, parseTransaction, serializeTransaction } from 'viem/op-stack'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { TickchainError } from '../../../../src/core/primitives/errors.ts'
import { MAX_UINT64, MAX_UINT256 } from '../../../../src/core/primitives/numbers.ts'
import {
  type Deposit,
  decodeDeposit,
  encodeDeposit,
  l1InfoSourceHash,
  upgradeSourceHash,
  userSourceHash,
} from '../../../../src/core/rollup/deposit.ts'
import {
  BEDROCK_ATTRIBUTES,
  ECOTONE_ATTRIBUTES,
  ISTHMUS_ATTRIBUTES,
  JOVIAN_ATTRIBUTES,
  USER_DEPOSIT,
} from './vectors.ts'

beforeAll(loadCrypto)

const RECORDED = [
  ['L1 attributes of bedrock', BEDROCK_ATTRIBUTES],
  ['L1 attributes of ecotone', ECOTONE_ATTRIBUTES],
  ['L1 attributes of isthmus', ISTHMUS_ATTRIBUTES],
  ['L1 attributes of jovian', JOVIAN_ATTRIBUTES],
  ['a deposit on the portal', USER_DEPOSIT],
] as const

const SOURCE = `0x${'11'.repeat(32)}` as const
const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const TO = '0x00000000000000000000000000000000000000aa'

const deposit: Deposit = {
  sourceHash: SOURCE,
  from: FROM,
  to: TO,
  mint: 5n,
  value: 3n,
  gasLimit: 21_000n,
  isSystem: false,
  data: Uint8Array.of(1, 2, 3),
}

describe('a recorded deposit', () => {
  test.each(RECORDED)('of %s survives decoding and encoding', (_, raw) => {
    expect(toHex(encodeDeposit(decodeDeposit(hexToBytes(raw))))).toBe(raw)
  })

  test.each([
    ['ecotone', ECOTONE_ATTRIBUTES, '0x2be2e6f8b01b03b87ae9f0ebca8bbd420f174bef0fbcc18c7802c5378b78f548'],
    ['isthmus', ISTHMUS_ATTRIBUTES, '0xba56c8b0deb460ff070f8fca8e2ee01e51a3db27841cc862fdd94cc1a47662b6'],
    ['a user', USER_DEPOSIT, '0x29822f15e31f8e8a3b9a6d392e7c0bc650bc8b67076c21b6d12ad8465d969cf2'],
  ])('of %s has the recorded hash after encoding', (_, raw, hash) => {
    expect(keccak256(encodeDeposit(decodeDeposit(hexToBytes(raw))))).toBe(hash)
  })

  test('has the fields that it was made with', () => {
    expect(decodeDeposit(hexToBytes(USER_DEPOSIT))).toEqual({
      sourceHash: '0x845320e92b437ebb756f11017afb55f111aaa27c509e6276be43eec1b0349657',
      from: FROM,
      to: TO,
      mint: 10n ** 18n,
      value: 10n ** 18n,
      gasLimit: 100_000n,
      isSystem: false,
      data: new Uint8Array(0),
    })
  })

  test('of before regolith is a system transaction with 150,000,000 gas', () => {
    const { isSystem, gasLimit } = decodeDeposit(hexToBytes(BEDROCK_ATTRIBUTES))
    expect({ isSystem, gasLimit }).toEqual({ isSystem: true, gasLimit: 150_000_000n })
  })
})

describe('a deposit', () => {
  const variants: readonly (readonly [string, Partial<Deposit>])[] = [
    ['with a mint', {}],
    ['without a mint or value', { mint: 0n, value: 0n }],
    ['that creates a contract', { to: undefined }],
    ['of the system', { isSystem: true }],
    ['of the largest numbers', { mint: MAX_UINT256, value: MAX_UINT256, gasLimit: MAX_UINT64 }],
    ['of one small byte of data', { data: Uint8Array.of(7) }],
    ['of more data than a short string', { data: new Uint8Array(70_000).fill(9) }],
  ]

  test.each(variants)('%s is encoded as by viem, which reads it as we do', { tags: 'gate' }, (_, changes) => {
    const given = { ...deposit, ...changes }
    const { sourceHash, from, to, mint, value, gasLimit, isSystem, data } = given
    const theirs = serializeTransaction({
      type: 'deposit',
      sourceHash,
      from,
      ...(to === undefined ? {} : { to }),
      mint,
      value,
      gas: gasLimit,
      isSystemTx: isSystem,
      data: toHex(data),
    })
    const raw = encodeDeposit(given)
    expect(toHex(raw)).toBe(theirs)
    expect(decodeDeposit(raw)).toEqual(given)
    const parsed = parseTransaction(theirs)
    expect(parsed).toMatchObject({ sourceHash, gas: gasLimit, type: 'deposit' })
    expect(parsed.to == null ? undefined : getAddress(parsed.to)).toBe(
      to === undefined ? undefined : getAddress(to),
    )
  })

  test('does not change with the bytes that it was read from', () => {
    const raw = encodeDeposit(deposit)
    const decoded = decodeDeposit(raw)
    raw.fill(0)
    expect(decoded).toEqual(deposit)
  })
})

describe('malformed bytes', () => {
  const fields = (changes: Readonly<Record<number, Hex>>): Hex => {
    const all: Hex[] = [SOURCE, FROM, TO, '0x05', '0x03', '0x5208', '0x', '0x010203']
    for (const [index, value] of Object.entries(changes)) all[Number(index)] = value
    return concat(['0x7e', toRlp(all)])
  }

  test('the bytes that the others are made from are well-formed', () => {
    expect(decodeDeposit(hexToBytes(fields({})))).toEqual(deposit)
  })

  test.each([
    ['nothing', '0x', 'typed transaction too short'],
    ['the type alone', '0x7e', 'typed transaction too short'],
    ['another type', concat(['0x02', toRlp([SOURCE])]), 'not a deposit transaction'],
    ['a string', '0x7e80', 'rlp: expected List'],
    ['an empty list', '0x7ec0', 'rlp: too few elements'],
    [
      'one field less',
      concat(['0x7e', toRlp([SOURCE, FROM, TO, '0x', '0x', '0x', '0x'])]),
      'rlp: too few elements',
    ],
    [
      'one field more',
      concat(['0x7e', toRlp([SOURCE, FROM, TO, '0x', '0x', '0x', '0x', '0x', '0x'])]),
      'rlp: too many elements',
    ],
    ['bytes after the list', concat([fields({}), '0x00']), /^rlp: /],
    ['a list cut short', fields({}).slice(0, -2) as Hex, /^rlp: /],
    ['a source hash of 31 bytes', fields({ 0: `0x${'11'.repeat(31)}` }), 'rlp: a hash must be 32 bytes'],
    ['no sender', fields({ 1: '0x' }), 'rlp: an address must be 20 bytes'],
    ['a recipient of 19 bytes', fields({ 2: `0x${'aa'.repeat(19)}` }), 'rlp: an address must be 20 bytes'],
    ['a mint of 33 bytes', fields({ 3: `0x${'01'.repeat(33)}` }), 'rlp: input string too long for uint256'],
    [
      'a mint with a leading zero',
      fields({ 3: '0x0005' }),
      'rlp: non-canonical integer (leading zero bytes)',
    ],
    ['a value of 33 bytes', fields({ 4: `0x${'01'.repeat(33)}` }), 'rlp: input string too long for uint256'],
    ['a gas limit of 9 bytes', fields({ 5: `0x${'01'.repeat(9)}` }), 'rlp: input string too long for uint64'],
    ['a boolean of 2', fields({ 6: '0x02' }), 'rlp: invalid boolean value: 2'],
    ['a boolean of 0', fields({ 6: '0x00' }), 'rlp: non-canonical integer (leading zero bytes)'],
  ])('as %s are refused', (_, raw, message) => {
    expect(() => decodeDeposit(hexToBytes(raw as Hex))).toThrow(
      expect.objectContaining({
        kind: 'undecodableTransaction',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      }),
    )
  })

  test('a list in the place of the data is refused', () => {
    const nested = toRlp([SOURCE, FROM, TO, '0x05', '0x03', '0x5208', '0x', ['0x01']])
    expect(() => decodeDeposit(hexToBytes(concat(['0x7e', nested])))).toThrow('rlp: expected String')
  })
})

describe('random bytes', () => {
  const seed = 15

  test('are decoded to what they encode, or refused', { tags: 'gate' }, () => {
    const raw = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      // Recorded deposits with a byte changed.
      fc.tuple(fc.constantFrom(...RECORDED), fc.nat(), fc.nat(255)).map(([[, hex], at, byte]) => {
        const bytes = hexToBytes(hex)
        bytes[at % bytes.length] = byte
        return bytes
      }),
    )
    let decoded = 0
    fc.assert(
      fc.property(raw, (bytes) => {
        let deposit: Deposit
        try {
          deposit = decodeDeposit(bytes)
        } catch (error) {
          return error instanceof TickchainError && error.kind === 'undecodableTransaction'
        }
        decoded++
        return toHex(encodeDeposit(deposit)) === toHex(bytes)
      }),
      { seed, numRuns: 2000 },
    )
    expect(decoded).toBeGreaterThan(200)
  })
})

describe('the source hash', () => {
  test.each([
    ['ecotone', ECOTONE_ATTRIBUTES, '0x4edd27304108914dd6503b19b9eeb9956982ef197febbeeed8a9eac3dbaaabdf', 4],
    ['isthmus', ISTHMUS_ATTRIBUTES, '0xabf52777e63959936b1bf633a2a643f0da38d63deffe49452fed1bf8a44975d5', 2],
    ['jovian', JOVIAN_ATTRIBUTES, '0x76a922ba7a2d7a24b78e04f20b2349f94b59f18ab3e746ee2e3ba16999717a8d', 5],
    ['bedrock', BEDROCK_ATTRIBUTES, '0x73d89754a1e0387b89520d989d3be9c37c1f32495a88faf1ea05c61121ab0d19', 1],
  ] as const)('of L1 attributes of %s is the recorded one', (_, raw, hash, sequenceNumber) => {
    expect(l1InfoSourceHash(hash, sequenceNumber)).toBe(decodeDeposit(hexToBytes(raw)).sourceHash)
  })

  test('of a deposit on the portal is the recorded one, and viem agrees', () => {
    const l1BlockHash = '0x0ac39982db3d27b2ed352e1c12d2b144d546a4a2874f80c890171bac37fb5d6e'
    const hash = userSourceHash(l1BlockHash, 1)
    expect(hash).toBe('0x845320e92b437ebb756f11017afb55f111aaa27c509e6276be43eec1b0349657')
    expect(hash).toBe(getSourceHash({ domain: 'userDeposit', l1BlockHash, l1LogIndex: 1 }))
    expect(l1InfoSourceHash(l1BlockHash, 300)).toBe(
      getSourceHash({ domain: 'l1InfoDeposit', l1BlockHash, sequenceNumber: 300 }),
    )
  })

  // Specification, ecotone and fjord: "Network upgrade automation transactions".
  test.each([
    ['Ecotone: L1 Block Deployment', '0x877a6077205782ea15a6dc8699fa5ebcec5e0f4389f09cb8eda09488231346f8'],
    [
      'Ecotone: Gas Price Oracle Deployment',
      '0xa312b4510adf943510f05fcc8f15f86995a5066bd83ce11384688ae20e6ecf42',
    ],
    [
      'Fjord: Gas Price Oracle Deployment',
      '0x86122c533fdcb89b16d8713174625e44578a89751d96c098ec19ab40a51a8ea3',
    ],
  ])('of the upgrade "%s" is the one of the specification', (intent, hash) => {
    expect(upgradeSourceHash(intent)).toBe(hash)
  })
})
