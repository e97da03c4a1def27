// eth_createAccessList on hand-written code with known accesses. Costs are those of EIP-2929 and EIP-2930: 2,400 for an
// address in the list, 1,900 for a slot, 2,100 and 2,600 for cold ones.

import { getContractAddress, type Hex, hexToBigInt, pad, toHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, type Scene, startScene, transferFees } from './scene.ts'

interface Created {
  readonly accessList: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]
  readonly gasUsed: Hex
  readonly error?: string
}

const word = (value: number): Hex => pad(toHex(value))
const addressOf = (number: number): Hex => toHex(number, { size: 20 })
const push = (address: Hex): string => `73${address.slice(2)}`

const caller = addressOf(0xca11)
const reader = addressOf(0x5ead)
const other = addressOf(0x0bee)
const reverter = addressOf(0xbad)
const curious = addressOf(0xc0de)
const fickle = addressOf(0xf1c)
const creator = addressOf(0xc4ea)

/** SLOAD(3), SLOAD(1), SLOAD(1). */
const READER = '0x60035460015460015450505000'
/** STATICCALL to the reader, BALANCE of another account. */
const CALLER = `0x5f5f5f5f${push(reader)}5afa50${push(other)}315000` as Hex
/** SLOAD(2), then REVERT. */
const REVERTER = '0x600254505f5ffd'
/** BALANCE of sender, of itself, of a precompile: all warm in any case. */
const CURIOUS = '0x3331503031506004315000'
/** Takes the gas that SLOAD(0) costs; where that is less than 1,000, reads slot 7 too. */
const FICKLE = '0x5a5f54505a90036103e811600f57005b6007545000'
/** CREATE of a contract whose constructor writes its slot 5 (600160055500), and EXTCODEHASH of it. */
const CREATOR = '0x656001600555005f526006601a5ff03f5000'

let scene: Scene
const create = (request: object, ...rest: unknown[]): Promise<Created> =>
  scene.ask<Created>('eth_createAccessList', request, ...rest)

beforeAll(async () => {
  const code = (bytes: Hex) => ({ code: bytes })
  scene = await startScene({
    genesis: {
      alloc: {
        [caller]: code(CALLER),
        [reader]: code(READER),
        [reverter]: code(REVERTER),
        [curious]: code(CURIOUS),
        [creator]: code(CREATOR),
        [fickle]: code(FICKLE),
      },
    },
  })
  await scene.chain.seal()
})

describe('the list has', () => {
  test('the slots of the recipient, and not the recipient for itself', async () => {
    expect((await create({ from: ALICE, to: reader })).accessList).toEqual([
      { address: reader, storageKeys: [word(1), word(3)] },
    ])
    expect((await create({ from: ALICE, to: BOB, value: '0x1' })).accessList).toEqual([])
  })

  test('accounts and slots that calls reach, in the order of addresses and slots', async () => {
    expect((await create({ from: ALICE, to: caller })).accessList).toEqual([
      { address: other, storageKeys: [] },
      { address: reader, storageKeys: [word(1), word(3)] },
    ])
  })

  test.each(['f1', 'f2', 'f4', 'fa'])(
    'the account that opcode 0x%s calls, even without code',
    async (opcode) => {
      // Data, value (for CALL and CALLCODE), address, gas.
      const code = `0x5f5f5f5f5f${push(other)}5a${opcode}00`
      const { accessList } = await create({ from: ALICE, to: BOB }, '0x0', { [BOB]: { code } })
      expect(accessList).toEqual([{ address: other, storageKeys: [] }])
    },
  )

  test('neither the sender, nor precompiles', async () => {
    expect((await create({ from: ALICE, to: curious })).accessList).toEqual([])
  })

  test('what a failed call touched, with the words of the failure', async () => {
    const { accessList, error } = await create({ from: ALICE, to: reverter })
    expect(accessList).toEqual([{ address: reverter, storageKeys: [word(2)] }])
    expect(error).toBe('execution reverted')
  })

  test('the slots of a contract that is created', async () => {
    const { accessList, error } = await create({ from: ALICE, to: creator })
    const created = getContractAddress({ from: creator, nonce: 0n }).toLowerCase()
    expect(error).toBeUndefined()
    expect(accessList).toEqual([{ address: created, storageKeys: [word(5)] }])
  })

  test('what init code touches, but not the address that it creates', async () => {
    // Init code that reads its slot 9 and the balance of another account.
    const data = `0x60095450${push(other)}315000`
    const { accessList } = await create({ from: ALICE, data })
    expect(accessList).toHaveLength(2)
    expect(accessList).toContainEqual({ address: other, storageKeys: [] })
    expect(accessList.find(({ address }) => address !== other)?.storageKeys).toEqual([word(9)])
  })

  test('the entries of the request, touched or not', async () => {
    const given = [
      { address: other, storageKeys: [word(8)] },
      { address: ALICE, storageKeys: [] },
    ]
    expect((await create({ from: ALICE, to: reader, accessList: given })).accessList).toEqual([
      { address: other, storageKeys: [word(8)] },
      { address: reader, storageKeys: [word(1), word(3)] },
    ])
  })
})

describe('the gas is', () => {
  test('that of the call with the list', async () => {
    const { accessList, gasUsed } = await create({ from: ALICE, to: reader })
    // 21,000; an address and two slots; three PUSH1 and three warm SLOADs, three POPs.
    expect(hexToBigInt(gasUsed)).toBe(21_000n + 2400n + 2n * 1900n + 3n * 3n + 3n * 100n + 3n * 2n)
    const fees = { ...transferFees, gas: 100_000n, nonce: 0 }
    const hash = await scene.send(alice, { ...fees, to: reader, accessList } as never)
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({ gasUsed })
  })

  test('a call that cannot begin is refused', async () => {
    await expect(create({ from: ALICE, to: reader, gas: '0x5207' })).rejects.toMatchObject({
      kind: 'intrinsicGasTooLow',
    })
    // 21,000 for the call, and not enough for a list.
    await expect(create({ from: ALICE, to: reader, gas: toHex(25_300) })).rejects.toMatchObject({
      kind: 'intrinsicGasTooLow',
    })
    expect(await create({ from: ALICE, to: reader, gas: toHex(27_300) })).toMatchObject({
      error: 'out of gas',
      gasUsed: toHex(27_300),
    })
  })
})

test('the call runs until the list no longer changes', async () => {
  const { accessList } = await create({ from: ALICE, to: fickle })
  expect(accessList).toEqual([{ address: fickle, storageKeys: [word(0), word(7)] }])
})

test('block and state overrides apply', async () => {
  const accounts = { [BOB]: { code: READER } }
  expect((await create({ to: BOB }, '0x0', accounts)).accessList).toEqual([
    { address: BOB, storageKeys: [word(1), word(3)] },
  ])
  expect((await create({ to: BOB }, '0x0')).accessList).toEqual([])
  await expect(create({ to: BOB }, '0xffff')).rejects.toMatchObject({ kind: 'blockNotFound' })
})

test.each([
  [undefined, 'missing value for required argument 0: transaction'],
  [{ to: '0x12' }, 'invalid argument 0.to: expected an address of 20 bytes, got "0x12" (1 byte)'],
  [
    { accessList: [{ address: BOB, storageKeys: ['0x1'] }] },
    expect.stringContaining('invalid argument 0.accessList[0].storageKeys[0]'),
  ],
])('bad input is refused: %#', async (request, message) => {
  await expect(scene.ask('eth_createAccessList', request)).rejects.toMatchObject({ code: -32602, message })
})
