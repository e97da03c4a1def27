import { encodeAbiParameters, encodePacked, type Hex, keccak256, toEventSelector } from 'viem'
import { getL2TransactionHash, opaqueDataToDepositData } from 'viem/op-stack'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Log } from '../../../../src/core/execution/transaction/transaction.ts'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { bytesToHex, hexToBytes, toWord } from '../../../../src/core/primitives/hex.ts'
import { encodeDeposit } from '../../../../src/core/rollup/deposit.ts'
import { depositOf } from '../../../../src/tools/pair/derivation/l1-block.ts'

beforeAll(loadCrypto)

const PORTAL = '0x75ceb25776d0402972b736f6e13fd0616be98f22'
const EVENT = toEventSelector('TransactionDeposited(address,address,uint256,bytes)')

interface Sent {
  readonly from: Hex
  readonly to: Hex
  readonly mint: bigint
  readonly value: bigint
  readonly gas: bigint
  readonly isCreation: boolean
  readonly data: Hex
}

function opaqueOf({ mint, value, gas, isCreation, data }: Sent): Hex {
  const types = ['uint256', 'uint256', 'uint64', 'bool', 'bytes'] as const
  return encodePacked(types, [mint, value, gas, isCreation, data])
}

function logOf(sent: Sent): Log {
  return {
    address: PORTAL,
    topics: [EVENT, toWord(BigInt(sent.from)), toWord(BigInt(sent.to)), toWord(0)],
    data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [opaqueOf(sent)])),
  }
}

const L1_HASH = '0x0ac39982db3d27b2ed352e1c12d2b144d546a4a2874f80c890171bac37fb5d6e'

/** A deposit on supersim, whose portal logs it after the lockbox. */
const SEEN: Sent = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x00000000000000000000000000000000000000aa',
  mint: 10n ** 18n,
  value: 10n ** 18n,
  gas: 100_000n,
  isCreation: false,
  data: '0x',
}

test('a deposit that supersim has shown', () => {
  const deposit = depositOf(logOf(SEEN), L1_HASH, 1)
  expect(deposit?.sourceHash).toBe('0x845320e92b437ebb756f11017afb55f111aaa27c509e6276be43eec1b0349657')
  expect(keccak256(bytesToHex(encodeDeposit(deposit!)))).toBe(
    '0x29822f15e31f8e8a3b9a6d392e7c0bc650bc8b67076c21b6d12ad8465d969cf2',
  )
})

describe('as viem reads it', () => {
  test.each<[string, Sent]>([
    ['a call', { ...SEEN, data: '0xdeadbeef', value: 1n }],
    ['a call with data of a word', { ...SEEN, data: `0x${'5a'.repeat(32)}` }],
    ['a creation', { ...SEEN, isCreation: true, data: '0x6001600155', mint: 0n, value: 0n }],
    ['the largest numbers', { ...SEEN, mint: 2n ** 256n - 1n, value: 2n ** 256n - 1n, gas: 2n ** 64n - 1n }],
  ])('%s', (_name, sent) => {
    const log = logOf(sent)
    const deposit = depositOf(log, L1_HASH, 300)
    const opaqueData = opaqueOf(sent)
    const { gas, isCreation, ...same } = opaqueDataToDepositData(opaqueData)
    expect({ ...deposit, data: bytesToHex(deposit!.data) }).toMatchObject({ ...same, gasLimit: gas })
    expect(deposit?.to).toBe(isCreation ? undefined : sent.to)
    const args = { from: sent.from, to: sent.to, version: 0n, opaqueData }
    const viemLog = { blockHash: L1_HASH, logIndex: 300, args } as unknown as Parameters<
      typeof getL2TransactionHash
    >[0]['log']
    expect(keccak256(bytesToHex(encodeDeposit(deposit!)))).toBe(getL2TransactionHash({ log: viemLog }))
  })
})

describe('is no deposit:', () => {
  const log = logOf(SEEN)
  const [event, from, to] = log.topics as [Hex, Hex, Hex]
  test.each<[string, Log]>([
    ['another event', { ...log, topics: [toWord(1), from, to, toWord(0)] }],
    ['another version', { ...log, topics: [event, from, to, toWord(1)] }],
    ['a topic too few', { ...log, topics: [event, from, to] }],
    ['data cut off', { ...log, data: log.data.subarray(0, -32) }],
    ['data too long', { ...log, data: Uint8Array.of(...log.data, ...new Uint8Array(32)) }],
    ['an empty packed part', { ...log, data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], ['0x'])) }],
    [
      'a packed part without the creation flag',
      {
        ...log,
        data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [`0x${'00'.repeat(72)}`])),
      },
    ],
  ])('%s', (_name, other) => {
    expect(depositOf(other, L1_HASH, 0)).toBeUndefined()
  })
})
