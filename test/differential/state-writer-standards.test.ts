// Examples of the EIPs, run over the state writer and over MerkleStateManager.

import type { EOACode7702AuthorizationListBytesItem } from '@ethereumjs/util'
import { getContractAddress, getCreate2Address, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../src/core/primitives/crypto.ts'
import {
  type Address,
  bigIntToBytes,
  bytesToBigInt,
  bytesToHex,
  hexToBytes,
  toWord,
  ZERO_ADDRESS,
} from '../../src/core/primitives/hex.ts'
import { EMPTY_CODE, readStorage } from '../../src/core/state/world-state.ts'
import {
  bytesOf,
  call,
  create,
  create2,
  deploying,
  finish,
  log,
  op,
  push,
  selfdestruct,
  sload,
  sstore,
  when,
} from './bytecode.ts'
import { makeTwoStates, type TwoStates } from './two-states.ts'

const alice: Address = `0x${'a1'.repeat(20)}`
const contract: Address = `0x${'c0'.repeat(20)}`
const inner: Address = `0x${'c1'.repeat(20)}`
const nobody: Address = `0x${'60'.repeat(20)}`
const rich = { [alice]: { balance: 10n ** 20n } }

/** Starts with 7 in slot 0, where it counts its calls. With call data it destroys itself in favour of its caller. */
const mortal = deploying(
  [...when([op.CALLDATASIZE], selfdestruct([op.CALLER])), ...sstore(0, [...sload(0), ...push(1), op.ADD])],
  sstore(0, push(7)),
)
/** Puts the address of a new `mortal`, or 0, into its slot 0. */
const factory = { nonce: 1n, code: sstore(0, create2(mortal, 5)) }

function childOf(from: Address): Address {
  return getCreate2Address({
    from,
    salt: toWord(5),
    bytecode: bytesToHex(bytesOf(mortal)),
  }).toLowerCase() as Address
}

const accountAt = (states: TwoStates, at: Address) => states.writer.current.get(at)
const slotAt = (states: TwoStates, at: Address, slot: number) =>
  bytesToBigInt(readStorage(states.writer.current, at, toWord(slot)))
const addressAt = (states: TwoStates, at: Address, slot: number) =>
  toHex(slotAt(states, at, slot), { size: 20 })

beforeAll(loadCrypto)

// EIP-3529, "With reduced refunds": code, gas, refund and the value the slot has before. The slot is warm there.
test.each([
  ['0x60006000556000600055', 212n, 0n, 0],
  ['0x60006000556001600055', 20112n, 0n, 0],
  ['0x60016000556000600055', 20112n, 19900n, 0],
  ['0x60016000556002600055', 20112n, 0n, 0],
  ['0x60016000556001600055', 20112n, 0n, 0],
  ['0x60006000556000600055', 3012n, 4800n, 1],
  ['0x60006000556001600055', 3012n, 2800n, 1],
  ['0x60006000556002600055', 3012n, 0n, 1],
  ['0x60026000556000600055', 3012n, 4800n, 1],
  ['0x60026000556003600055', 3012n, 0n, 1],
  ['0x60026000556001600055', 3012n, 2800n, 1],
  ['0x60026000556002600055', 3012n, 0n, 1],
  ['0x60016000556000600055', 3012n, 4800n, 1],
  ['0x60016000556002600055', 3012n, 0n, 1],
  ['0x60016000556001600055', 212n, 0n, 1],
  ['0x600160005560006000556001600055', 40118n, 19900n, 0],
  ['0x600060005560016000556000600055', 5918n, 7600n, 1],
])('%s costs %i and refunds %i where the slot was %i', async (code, gas, refund, before) => {
  const warmUp = [...sload(0), op.POP]
  const warmUpGas = 3n + 2100n + 2n
  const states = await makeTwoStates('london', {
    ...rich,
    [contract]: { code: [...warmUp, ...hexToBytes(code)], storage: { 0: before } },
  })
  const outcome = await states.call({ from: alice, to: contract })
  expect(outcome.executionGas).toBe(gas + warmUpGas)
  expect(outcome.executionRefund).toBe(refund)
})

test('until Cancun, a contract that is destroyed is gone, and comes back without its storage', async () => {
  const states = await makeTwoStates('shanghai', { ...rich, [contract]: factory })
  const child = childOf(contract)
  await states.send({ from: alice, to: contract })
  await states.send({ from: alice, to: child })
  expect(slotAt(states, child, 0)).toBe(8n)
  await states.send({ from: alice, to: child, value: 3n, data: [1] })
  expect(accountAt(states, child)).toBeUndefined()
  await states.send({ from: alice, to: contract })
  expect(addressAt(states, contract, 0)).toBe(child)
  expect(slotAt(states, child, 0)).toBe(7n)
  expect(accountAt(states, child)?.nonce).toBe(1n)
})

test('since Cancun, a contract of an earlier transaction only pays out when it is destroyed (EIP-6780)', async () => {
  const states = await makeTwoStates('cancun', { ...rich, [contract]: factory })
  const child = childOf(contract)
  await states.send({ from: alice, to: contract })
  await states.send({ from: alice, to: child, value: 3n, data: [1] })
  expect(accountAt(states, child)).toMatchObject({ nonce: 1n, balance: 0n })
  expect(slotAt(states, child, 0)).toBe(7n)
  await states.send({ from: alice, to: contract })
  expect(slotAt(states, contract, 0)).toBe(0n) // the address is taken
})

test.each(['shanghai', 'cancun'] as const)(
  'under %s, a contract destroyed by the transaction that made it leaves nothing but its balance',
  async (hardfork) => {
    const child = call({ kind: op.CALL, to: sload(3), gas: 50_000, dataSize: 1 })
    const code = [...sstore(3, create(mortal, 10)), ...log(child)]
    const states = await makeTwoStates(hardfork, { ...rich, [contract]: { nonce: 1n, balance: 10n, code } })
    const outcome = await states.send({ from: alice, to: contract })
    const created = addressAt(states, contract, 3)
    expect(outcome.destroyed).toEqual([[created, contract]])
    expect(accountAt(states, created)).toBeUndefined()
    expect(accountAt(states, contract)?.balance).toBe(10n)
  },
)

test('ether that a new contract leaves to itself is burnt', async () => {
  const code = sstore(3, create(selfdestruct([op.ADDRESS]), 10))
  const states = await makeTwoStates('cancun', { ...rich, [contract]: { nonce: 1n, balance: 10n, code } })
  await states.send({ from: alice, to: contract })
  expect(accountAt(states, addressAt(states, contract, 3))).toBeUndefined()
  expect(accountAt(states, contract)?.balance).toBe(0n)
})

test('an inner call that reverts leaves no writes, children, payments or logs', async () => {
  const states = await makeTwoStates('prague', {
    ...rich,
    [contract]: { code: sstore(1, [...call({ kind: op.CALL, to: push(inner), gas: 200_000 }), op.ISZERO]) },
    [inner]: {
      nonce: 1n,
      balance: 5n,
      storage: { 0: 9 },
      code: [
        ...sstore(0, push(0)),
        ...sstore(2, create2(mortal, 5, 1)),
        ...log(call({ kind: op.CALL, to: push(nobody), value: 2, gas: 1_000 })),
        ...finish(op.REVERT, push(1)),
      ],
    },
  })
  const outcome = await states.send({ from: alice, to: contract })
  expect(outcome.logs).toEqual([])
  expect(slotAt(states, contract, 1)).toBe(1n)
  expect(slotAt(states, inner, 0)).toBe(9n)
  expect(accountAt(states, inner)).toMatchObject({ nonce: 1n, balance: 5n })
  for (const at of [childOf(inner), nobody]) expect(accountAt(states, at)).toBeUndefined()
})

test('an empty account is removed by a touch, and no touch makes one (EIP-161)', async () => {
  const hollow: Address = `0x${'40'.repeat(20)}`
  const states = await makeTwoStates('prague', { ...rich, [hollow]: {} })
  await states.send({ from: alice, to: nobody })
  expect(accountAt(states, nobody)).toBeUndefined()
  expect(accountAt(states, hollow)).toBeDefined()
  await states.send({ from: alice, to: hollow })
  expect(accountAt(states, hollow)).toBeUndefined()
  await states.send({ from: alice, to: nobody, value: 1n })
  expect(accountAt(states, nobody)?.balance).toBe(1n)
})

test('nothing is created where there is storage, even without code or nonce (EIP-7610)', async () => {
  const child = childOf(contract)
  const firstOfAlice = getContractAddress({ from: alice, nonce: 0n }).toLowerCase() as Address
  const states = await makeTwoStates('prague', {
    ...rich,
    [contract]: { ...factory, storage: { 0: 1 } },
    [child]: { storage: { 0: 3 } },
    [firstOfAlice]: { storage: { 0: 3 } },
  })
  const refused = await states.send({ from: alice, data: mortal, gas: 200_000n })
  expect(refused).toMatchObject({ exception: 'create collision', gasUsed: 200_000n })
  await states.send({ from: alice, to: contract })
  expect(slotAt(states, contract, 0)).toBe(0n)
  expect(accountAt(states, contract)?.nonce).toBe(2n)
  for (const at of [child, firstOfAlice]) {
    expect(slotAt(states, at, 0)).toBe(3n)
    expect(accountAt(states, at)).toMatchObject({ nonce: 0n, balance: 0n, code: EMPTY_CODE })
  }
})

test('an account takes on the code of a contract and lays it down, keeping its storage (EIP-7702)', async () => {
  const authority = privateKeyToAccount(`0x${'46'.repeat(32)}`)
  const at = authority.address.toLowerCase() as Address
  const field = (value: number | bigint | string) => bigIntToBytes(BigInt(value))
  const authorize = async (to: Address, nonce: number): Promise<EOACode7702AuthorizationListBytesItem> => {
    const { r, s, yParity = 0 } = await authority.signAuthorization({ chainId: 31337, address: to, nonce })
    return [field(31337), hexToBytes(to), field(nonce), field(yParity), field(r), field(s)]
  }
  const states = await makeTwoStates('prague', { ...rich, [contract]: { code: sstore(0, push(5)) } })
  await states.send({ from: alice, to: at, authorizations: [await authorize(contract, 0)] })
  expect(bytesToHex(accountAt(states, at)?.code.bytes ?? Uint8Array.of())).toBe(
    `0xef0100${contract.slice(2)}`,
  )
  expect(slotAt(states, at, 0)).toBe(5n)
  expect(slotAt(states, contract, 0)).toBe(0n)
  await states.send({ from: alice, to: at, authorizations: [await authorize(ZERO_ADDRESS, 1)] })
  expect(accountAt(states, at)).toMatchObject({ nonce: 2n, code: EMPTY_CODE })
  expect(slotAt(states, at, 0)).toBe(5n)
})
