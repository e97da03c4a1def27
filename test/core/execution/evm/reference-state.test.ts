import { Account, createZeroAddress } from '@ethereumjs/util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ReferenceState } from '../../../../src/core/execution/evm/reference-state.ts'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { bytesToHex, padLeft, ZERO_ADDRESS } from '../../../../src/core/primitives/hex.ts'
import { EMPTY_WORLD_STATE, StateWriter } from '../../../../src/core/state/world-state.ts'

const alice = createZeroAddress()
const slot = padLeft(Uint8Array.of(1), 32)
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

let writer: StateWriter
let state: ReferenceState
const put = (value: number) => state.putStorage(alice, slot, Uint8Array.of(value))
const stored = async () => (await state.getStorage(alice, slot))[0] ?? 0
const original = async () => (await state.originalStorageCache.get(alice, slot))[0] ?? 0

beforeAll(loadCrypto)
beforeEach(async () => {
  writer = new StateWriter(EMPTY_WORLD_STATE)
  state = new ReferenceState(writer)
  await state.putAccount(alice, new Account(1n, 10n))
})

describe('checkpoints', () => {
  test('a revert puts back what the checkpoint saw, a commit keeps what came after', async () => {
    await put(1)
    await state.checkpoint()
    await put(2)
    await state.checkpoint()
    await put(3)
    await state.revert()
    expect(await stored()).toBe(2)
    await state.commit()
    expect(await stored()).toBe(2)
  })

  test('a commit inside a frame is undone when the frame reverts', async () => {
    await state.checkpoint()
    await state.checkpoint()
    await state.deleteAccount(alice)
    await state.commit()
    await state.revert()
    expect(await state.getAccount(alice)).toMatchObject({ nonce: 1n, balance: 10n })
  })

  test('the state of a moment stays as it was', async () => {
    await put(1)
    const moment = writer.current
    await put(2)
    await state.deleteAccount(alice)
    expect(moment.get(ZERO_ADDRESS)?.storage.isEmpty).toBe(false)
    writer.reset(moment)
    expect(await stored()).toBe(1)
  })

  test('a reset forgets the checkpoints that were open', async () => {
    await state.checkpoint()
    await put(1)
    const moment = writer.current
    writer.reset(moment)
    await state.revert()
    expect(await stored()).toBe(1)
  })

  test('a copy goes its own way', async () => {
    await put(1)
    const copy = state.shallowCopy()
    await copy.putStorage(alice, slot, Uint8Array.of(2))
    expect(await stored()).toBe(1)
    expect(await copy.getStorage(alice, slot)).toEqual(Uint8Array.of(2))
  })
})

describe('original values (EIP-2200)', () => {
  test('are those of the outermost checkpoint, whatever frames write, commit or revert', async () => {
    await put(1)
    await state.checkpoint()
    await put(2)
    await state.checkpoint()
    await put(3)
    expect(await original()).toBe(1)
    await state.commit()
    expect(await original()).toBe(1)
  })

  test('start anew with the next outermost checkpoint', async () => {
    await state.checkpoint()
    await put(2)
    await state.commit()
    await state.checkpoint()
    expect(await original()).toBe(2)
  })

  test('start anew when they are cleared, under a checkpoint that spans transactions', async () => {
    await state.checkpoint()
    await put(2)
    expect(await original()).toBe(0)
    state.originalStorageCache.clear()
    expect(await original()).toBe(2)
  })

  test('start anew with a reset', async () => {
    await put(4)
    writer.reset(writer.current)
    await put(5)
    expect(await original()).toBe(4)
  })
})

describe('accounts and storage', () => {
  test('a value loses its leading zeros, and zero frees the slot', async () => {
    await state.putStorage(alice, slot, padLeft(Uint8Array.of(1, 0), 32))
    expect(await state.getStorage(alice, slot)).toEqual(Uint8Array.of(1, 0))
    await state.putStorage(alice, slot, new Uint8Array(32))
    expect(writer.current.get(ZERO_ADDRESS)?.storage.isEmpty).toBe(true)
  })

  test('a value is copied: the interpreter uses its buffers again', async () => {
    const buffer = Uint8Array.of(0, 7)
    await state.putStorage(alice, slot, buffer)
    buffer.fill(9)
    expect(await stored()).toBe(7)
  })

  test('the storage root tells only whether there is storage (EIP-7610)', async () => {
    const root = async () => bytesToHex((await state.getAccount(alice))?.storageRoot ?? Uint8Array.of())
    expect(await root()).toBe(EMPTY_ROOT)
    await put(1)
    expect(await root()).not.toBe(EMPTY_ROOT)
    await put(0)
    expect(await root()).toBe(EMPTY_ROOT)
  })

  test('writing nonce and balance keeps code and storage', async () => {
    await state.putCode(alice, Uint8Array.of(0x5b))
    await put(1)
    await state.putAccount(alice, new Account(2n, 20n))
    expect(await state.getCode(alice)).toEqual(Uint8Array.of(0x5b))
    expect(await state.getCodeSize(alice)).toBe(1)
    expect(await stored()).toBe(1)
  })

  test('deleting takes code and storage along', async () => {
    await state.putCode(alice, Uint8Array.of(0x5b))
    await put(1)
    await state.putAccount(alice, undefined)
    expect(await state.getAccount(alice)).toBeUndefined()
    expect(await state.getCode(alice)).toEqual(Uint8Array.of())
    await state.putAccount(alice, new Account())
    expect(await stored()).toBe(0)
  })

  test('clearing the storage of nobody makes nobody', async () => {
    await state.deleteAccount(alice)
    await state.clearStorage(alice)
    expect(await state.getAccount(alice)).toBeUndefined()
  })

  test('has no root of its own, though runTx is given zeros for a receipt that is not used', async () => {
    expect(await state.getStateRoot()).toEqual(new Uint8Array(32))
    await expect(state.setStateRoot()).rejects.toThrow('not a root')
    expect(await state.hasStateRoot()).toBe(false)
  })
})
